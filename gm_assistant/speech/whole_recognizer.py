"""A recogniser that hears whole utterances: one child finds the sentence, another tells how likely any speech is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from gm_assistant.errors import ModelError
from gm_assistant.speakable import SpeakableGrammar
from gm_assistant.speech.kept_grammars import KeptGrammars
from gm_assistant.speech.likelihood import AnySpeech, compared
from gm_assistant.speech.ports import Recognition, Strictness
from gm_assistant.speech.recognizer_process import FRAME_BYTES, MOST_FRAMES
from gm_assistant.speech.worker import Asked, Worker, WorkerLost

_DEADLINE = 60.0
"""s that a child may take for one look: the first one loads its model. 10 s of sound take 2 s on one core."""


@dataclass(frozen=True, slots=True)
class _Looks:
    """At what both children look, and where their answers come."""

    pcm: bytes
    with_words: bool
    sentence: Asked
    speech: Asked


class WholeRecognizer:
    """A `Recognizer` that says nothing while somebody speaks, and looks at the whole when the speech has ended.

    Both children look at the same time, each on a core of its own. One that is lost is started anew and looks again.
    `engine` has `keep(slot, marked machine)`, `use(slot)` and `look(pcm) -> Recognition` with a score;
    `judge` has `look(pcm, with_words) -> AnySpeech`.
    """

    def __init__(self, engine: Callable[[], object], judge: Callable[[], object], deadline: float = _DEADLINE) -> None:
        """`deadline`: s that a child may take for one look."""
        self._engine, self._judge = Worker(engine, deadline), Worker(judge, deadline)
        self._grammars = KeptGrammars(self._engine)
        self._grammar: SpeakableGrammar | None = None
        self._frames: list[bytes] = []
        self._looks: _Looks | None = None
        self._strictness = Strictness.PUSHED
        self._waiting = False
        """Whether a look is wanted that has not begun, for the children are still busy with an earlier one."""

    @property
    def process_ids(self) -> tuple[int | None, int | None]:
        """Return the ids of the children's processes."""
        return self._engine.process_id, self._judge.process_id

    def prepare(self, grammar: SpeakableGrammar) -> frozenset[str]:
        """See `Recognizer.prepare`. An utterance in work is dropped if the grammar is another one."""
        if self._grammar is None or grammar.machine is not self._grammar.machine:
            self.drop()
            self._grammar = None
        unknown = self._prepared(grammar)
        self._grammar = grammar
        return unknown

    def ahead(self, grammar: SpeakableGrammar) -> None:
        """See `Recognizer.ahead`. While an utterance is in work nothing is done: the child shall look at that."""
        if not self._frames:
            self._grammars.ahead(grammar)

    def accept(self, frame: bytes) -> str:
        """Keep a frame; return "", for nothing is known of an utterance before its end.

        Raise ValueError for another length.
        """
        if len(frame) != FRAME_BYTES:
            raise ValueError(len(frame))
        if len(self._frames) < MOST_FRAMES:
            self._frames.append(frame)
        return ""

    def finish(self, strictness: Strictness = Strictness.PUSHED) -> Recognition:
        """See `Recognizer.finish`. Raise ModelError("recognizer-failed")."""
        self.reconsider(strictness)
        found = self.reconsidered()
        self.drop()
        return found

    def reconsider(self, strictness: Strictness = Strictness.PUSHED) -> None:
        """See `Recognizer.reconsider`."""
        self._waiting = self._looks is not None and not self._are_answered(self._looks)
        self._strictness = strictness
        if not self._waiting:
            self._look()

    def _look(self) -> None:
        if self._frames:
            look = b"".join(self._frames), self._strictness is not Strictness.PUSHED
            self._looks = _Looks(*look, self._engine.begin("look", look[0]), self._judge.begin("look", *look))

    def reconsidered(self) -> Recognition:
        """See `Recognizer.reconsidered`. Raise ModelError("recognizer-failed")."""
        if self._waiting:
            self._look()
        looks, self._waiting = self._looks, False
        if looks is None:
            return Recognition("")
        found: Recognition = self._tried(
            lambda: self._engine.result(looks.sentence), lambda: self._found_again(looks.pcm)
        )
        speech: AnySpeech = self._tried(
            lambda: self._judge.result(looks.speech),
            lambda: self._judge.call("look", looks.pcm, looks.with_words),
        )
        return compared(found, speech)

    def drop(self) -> None:
        """See `Recognizer.drop`. What the children still look at is forgotten."""
        self._frames, self._looks, self._waiting = [], None, False

    def close(self) -> None:
        """End the children."""
        self.drop()
        self._grammar = None
        self._engine.close()
        self._judge.close()

    def _are_answered(self, looks: _Looks) -> bool:
        return self._engine.has_answered(looks.sentence) and self._judge.has_answered(looks.speech)

    def _prepared(self, grammar: SpeakableGrammar) -> frozenset[str]:
        unknown: frozenset[str] = self._tried(lambda: self._grammars.use(grammar), lambda: self._grammars.use(grammar))
        return unknown

    def _found_again(self, pcm: bytes) -> Any:
        if self._grammar is None:
            raise WorkerLost("look")
        self._grammars.use(self._grammar)
        return self._engine.call("look", pcm)

    def _tried(self, first: Callable[[], Any], second: Callable[[], Any]) -> Any:
        """Return what `first` returns or, if the child is lost meanwhile, `second` with a fresh one."""
        try:
            return first()
        except WorkerLost:
            pass
        try:
            return second()
        except WorkerLost as lost:
            self.drop()
            self._grammar = None
            raise ModelError("recognizer-failed") from lost
