"""Scripted parts for tests of listening: no sound, no engine, no clock."""

from __future__ import annotations

from collections.abc import Sequence as Listed

from gm_assistant.errors import ModelError
from gm_assistant.speakable import Choice, Reference, Sequence, SpeakableGrammar
from gm_assistant.speech.ports import FRAME_SAMPLES, Recognition, Strictness

FRAME_BYTES = FRAME_SAMPLES * 2


def frame(number: int) -> bytes:
    """Return a frame that can be told from the others by its number."""
    return number.to_bytes(2, "little") * FRAME_SAMPLES


def frame_number(sound: bytes) -> int:
    """Return the number that `frame` was given."""
    return int.from_bytes(sound[:2], "little")


def words(text: str) -> Sequence:
    """Return the node of a sentence; `<name>` refers to a rule, `[word]` may be left out."""
    return Sequence(tuple(map(_part, text.split())))


def _part(word: str) -> str | Reference | Choice:
    if word.startswith("<"):
        return Reference(word[1:-1])
    return Choice((word[1:-1], Sequence())) if word.startswith("[") else word


def grammar(*sentences: str, **rules: Listed[str]) -> SpeakableGrammar:
    """Return a grammar of `sentences`; each rule is a choice of wordings."""
    return SpeakableGrammar(
        tuple(map(words, sentences)), {name: Choice(tuple(map(words, wordings))) for name, wordings in rules.items()}
    )


class ScriptedMicrophone:
    """Gives frames 1, 2, 3, ... up to `length`, then None."""

    def __init__(self, length: int) -> None:
        self.length = length
        self.given = 0
        self.is_open = False
        self.closed = False
        self.since: float | None = None

    def open(self, since: float | None = None) -> None:
        self.since = since
        self.is_open = True

    def read(self) -> bytes | None:
        assert self.is_open
        if self.given == self.length:
            return None
        self.given += 1
        return frame(self.given)

    def shut(self) -> None:
        self.is_open = False

    def close(self) -> None:
        self.closed = True


class ScriptedVoiceActivity:
    """Hears speech in the frames whose numbers are listed, and nothing in the others."""

    def __init__(self, *spoken: range, probability: float = 0.9) -> None:
        self.spoken = spoken
        self.likely = probability
        self.resets = 0

    def probability(self, sound: bytes) -> float:
        return self.likely if any(frame_number(sound) in numbers for numbers in self.spoken) else 0.01

    def reset(self) -> None:
        self.resets += 1


class ScriptedRecognizer:
    """Guesses the words that belong to the last frame, and returns `final` at the end of an utterance."""

    def __init__(self, guesses: dict[int, str] | None = None, final: str = "") -> None:
        self.guesses = guesses or {}
        self.final = final
        self.utterances: list[list[int]] = [[]]
        self.prepared: list[SpeakableGrammar] = []
        self.guess = ""
        self.fails_at: int | None = None
        self.second: str | None = None
        """What a second look gives; None: there is none."""
        self.ratio: float | None = None
        self.strictness: list[Strictness] = []
        """Of each look and each end."""
        self.second_looks: list[int] = []
        """Frames of the utterance at each second look."""

    def prepare(self, speakable: SpeakableGrammar) -> frozenset[str]:
        self.prepared.append(speakable)
        return frozenset()

    def ahead(self, speakable: SpeakableGrammar) -> None: ...

    def accept(self, sound: bytes) -> str:
        number = frame_number(sound)
        if number == self.fails_at:
            raise ModelError("recognizer-failed")
        self.utterances[-1].append(number)
        self.guess = self.guesses.get(number, self.guess)
        return self.guess

    def finish(self, strictness: Strictness = Strictness.PUSHED) -> Recognition:
        self.utterances.append([])
        self.guess = ""
        self.strictness.append(strictness)
        return Recognition(self.final, self.ratio)

    def reconsider(self, strictness: Strictness = Strictness.PUSHED) -> None:
        self.second_looks.append(len(self.utterances[-1]))
        self.strictness.append(strictness)

    def reconsidered(self) -> Recognition | None:
        return None if self.second is None else Recognition(self.second, self.ratio)

    def drop(self) -> None:
        self.utterances.append([])
        self.guess = ""

    def close(self) -> None:
        self.prepared.clear()
