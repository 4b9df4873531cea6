"""A session, a mouth, and a microphone that hears what is listed: for tests of the ears."""

from __future__ import annotations

from pathlib import Path

from fakes import PLAN, Evening, FakeKeyboard, FakeListener, FakeSpeaker, FakeSynthesizer

from gm_assistant.dialogue.set_up import Plan
from gm_assistant.ears import PushToTalkEars, SpokenEars
from gm_assistant.errors import ModelError
from gm_assistant.mouth import Mouth
from gm_assistant.open_ears import OpenMicrophoneEars
from gm_assistant.speakable import SpeakableGrammar
from gm_assistant.speech import earcons
from gm_assistant.speech.ports import Recognition, Strictness


class FakeRecognizer:
    """Knows every word but those listed."""

    def __init__(self, *unknown: str) -> None:
        self.unknown = frozenset(unknown)
        self.prepared: list[SpeakableGrammar] = []

    def prepare(self, grammar: SpeakableGrammar) -> frozenset[str]:
        self.prepared.append(grammar)
        return self.unknown

    def accept(self, frame: bytes) -> str:
        return ""

    def ahead(self, grammar: SpeakableGrammar) -> None: ...

    def finish(self, strictness: Strictness = Strictness.PUSHED) -> Recognition:
        return Recognition("")

    def reconsider(self, strictness: Strictness = Strictness.PUSHED) -> None: ...

    def reconsidered(self) -> None:
        return None

    def drop(self) -> None:
        return None

    def close(self) -> None:
        self.prepared.clear()


HOLD_OFF, PATIENCE = 0.4, 8.0
"""s of push-to-talk."""


class FakeMicrophone:
    """Remembers since when it hears, and how many sounds had been played when it was opened."""

    def __init__(self, speaker: FakeSpeaker) -> None:
        self._speaker = speaker
        self.opened: list[float | None] = []
        self.played: list[int] = []
        self.is_open = False

    def open(self, since: float | None = None) -> None:
        self.opened.append(since)
        self.played.append(len(self._speaker.played))
        self.is_open = True

    def read(self) -> bytes | None:
        return None

    def shut(self) -> None:
        self.is_open = False

    def close(self) -> None:
        self.is_open = False


class Room:
    """A session, a mouth, and a microphone that hears what is listed."""

    def __init__(self, folder: Path, *heard: object, plan: Plan = PLAN, unknown: tuple[str, ...] = ()) -> None:
        self.evening = Evening(folder, plan)
        self.session = self.evening.session
        self.printed: list[str] = []
        self.speaker = FakeSpeaker()
        self.mouth = Mouth(
            self.session, self.printed.append, lambda: False, FakeSynthesizer(), self.speaker, platform="linux"
        )
        self.listener = FakeListener(*heard)  # type: ignore[arg-type]
        self.recognizer = FakeRecognizer(*unknown)
        self.microphone = FakeMicrophone(self.speaker)
        self.languages: list[str] = []
        self.missing: set[str] = set()
        self.spoken = SpokenEars(self.session, self.mouth, self._built)

    def _built(self, language: str) -> tuple[FakeRecognizer, FakeListener]:  # a stand-in for the real listener
        self.languages.append(language)
        if language in self.missing:
            raise ModelError("no-model", language=language, path="/models")
        return self.recognizer, self.listener

    @property
    def tones(self) -> list[bytes]:
        return [audio.pcm for _, audio in self.speaker.played]

    def at_key(self, *script: str) -> PushToTalkEars:
        self.keyboard = FakeKeyboard(*script)
        return PushToTalkEars(
            self.spoken, self.microphone, self.mouth, self.keyboard, hold_off=HOLD_OFF, patience=PATIENCE
        )

    def open_microphone(
        self, keyboard: FakeKeyboard | None = None, *, phrases: tuple[str, ...] = (), follow_up: float = 0.0
    ) -> OpenMicrophoneEars:
        self.spoken = SpokenEars(self.session, self.mouth, self._built, lambda _: phrases)
        return OpenMicrophoneEars(self.spoken, self.mouth, keyboard or FakeKeyboard(), hold_off=0, follow_up=follow_up)


LISTENING, NOT_HEARD = earcons.listening().pcm, earcons.not_heard().pcm
