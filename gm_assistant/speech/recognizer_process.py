"""A recogniser in a child process that is started anew when it dies, without the speaker having to say it again."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

from gm_assistant.errors import ModelError
from gm_assistant.speakable import SpeakableGrammar
from gm_assistant.speech.kept_grammars import KeptGrammars
from gm_assistant.speech.ports import FRAME_SAMPLES, RECOGNIZER_RATE, Recognition, Strictness
from gm_assistant.speech.worker import Worker, WorkerLost

LONGEST_UTTERANCE = 10.0
"""s. What comes later in the same utterance is not recognised; bounds memory here and in the engine."""

FRAME_BYTES = FRAME_SAMPLES * 2
MOST_FRAMES = int(LONGEST_UTTERANCE * RECOGNIZER_RATE / FRAME_SAMPLES)


class RecognizerProcess:
    """A `Recognizer` whose engine may crash or hang: the frames of the utterance are kept and given to a fresh one.

    `build` makes the engine inside the child (`functools.partial(VoskEngine, folder)`). It hears along, frame by frame.
    """

    def __init__(self, build: Callable[[], object], deadline: float = 5.0) -> None:
        """`deadline`: s that the engine may take for one frame or for the end of an utterance."""
        self._worker = Worker(build, deadline)
        self._grammars = KeptGrammars(self._worker)
        self._grammar: SpeakableGrammar | None = None
        self._frames: list[bytes] = []
        self._partial = ""

    @property
    def process_id(self) -> int | None:
        """Return the child's process id, None while there is no child."""
        return self._worker.process_id

    def prepare(self, grammar: SpeakableGrammar) -> frozenset[str]:
        """See `Recognizer.prepare`. An utterance in work is dropped if the grammar is another one."""
        if self._grammar is None or grammar.machine is not self._grammar.machine:
            self.drop()
            self._grammar = None
        unknown = self._prepared(grammar)
        self._grammar = grammar
        return unknown

    def accept(self, frame: bytes) -> str:
        """See `Recognizer.accept`. Raise ModelError("recognizer-failed"); ValueError for another length."""
        if len(frame) != FRAME_BYTES:
            raise ValueError(len(frame))
        if len(self._frames) < MOST_FRAMES:
            self._partial = str(self._asked("accept", frame))
            self._frames.append(frame)
        return self._partial

    def ahead(self, grammar: SpeakableGrammar) -> None:
        """See `Recognizer.ahead`. While an utterance is in work nothing is done: the child hears it."""
        if not self._frames:
            self._grammars.ahead(grammar)

    def finish(self, strictness: Strictness = Strictness.PUSHED) -> Recognition:  # noqa: ARG002 - an engine has one strictness
        """See `Recognizer.finish`. Raise ModelError("recognizer-failed")."""
        found: Recognition = self._asked("finish") if self._frames else Recognition("")
        self._frames, self._partial = [], ""
        return found

    def reconsider(self, strictness: Strictness = Strictness.PUSHED) -> None:
        """Do nothing: an engine that hears along has looked at the whole by itself."""

    def reconsidered(self) -> None:
        """Return None: there is no second look."""

    def drop(self) -> None:
        """See `Recognizer.drop`. An engine that is gone is noticed at the next frame."""
        if self._frames:
            with suppress(WorkerLost):
                self._worker.call("drop")
        self._frames, self._partial = [], ""

    def close(self) -> None:
        """End the child."""
        self._forget()
        self._worker.close()

    def _prepared(self, grammar: SpeakableGrammar) -> frozenset[str]:
        try:
            return self._grammars.use(grammar)
        except WorkerLost:
            return frozenset(self._second_attempt(lambda: self._grammars.use(grammar)))

    def _asked(self, method: str, *arguments: object) -> Any:
        try:
            return self._worker.call(method, *arguments)
        except WorkerLost:
            return self._second_attempt(lambda: self._repeated(method, *arguments))

    def _second_attempt(self, attempt: Callable[[], Any]) -> Any:
        try:
            return attempt()
        except WorkerLost as lost:
            self._forget()
            raise ModelError("recognizer-failed") from lost

    def _repeated(self, method: str, *arguments: object) -> object:
        """Bring a fresh child to where the lost one was, then ask again."""
        if self._grammar is None:
            raise WorkerLost(method)
        self._grammars.use(self._grammar)
        for frame in self._frames:
            self._worker.call("accept", frame)
        return self._worker.call(method, *arguments)

    def _forget(self) -> None:
        self._grammar, self._frames, self._partial = None, [], ""
