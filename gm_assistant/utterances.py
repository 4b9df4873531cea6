"""Words on their way to one channel. The two kinds cannot be exchanged: a type checker refuses."""

from __future__ import annotations

from dataclasses import dataclass, field


class Secret:
    """Words for the headset. No text on purpose: what prints, logs or speaks text cannot take them."""

    __slots__ = ("_words",)

    def __init__(self, words: str) -> None:
        self._words = words

    def reveal(self) -> str:
        """Return the words. Only what speaks into the headset may ask."""
        return self._words

    def __repr__(self) -> str:
        return "Secret(...)"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Secret) and other._words == self._words

    def __hash__(self) -> int:
        return hash(self._words)


@dataclass(frozen=True, slots=True)
class TableUtterance:
    """Everybody may hear it, and it may be printed."""

    text: str
    must: bool = False
    """No key stops it: people with closed eyes wait for it."""
    sentences: tuple[str, ...] = field(default=(), compare=False)
    """The text cut into sentences, so that the first can sound while the second is made; empty if nobody has cut it."""


@dataclass(frozen=True, slots=True)
class HeadsetUtterance:
    """Only whoever wears the headset may hear it; it is never printed unless the user insists."""

    secret: Secret
    needed: bool = True
    """False: if there is no headset, nothing is said about that."""


@dataclass(frozen=True, slots=True)
class EqualWhisper:
    """One of several whispers of which nobody may tell by ear or clock which one it was."""

    variants: tuple[tuple[Secret, ...], ...] = field(repr=False)
    """All whispers of its kind in this game, each as its sentences."""
    chosen: int = field(repr=False)
    """Index of the one that is whispered."""
    frame: tuple[tuple[tuple[Secret, ...], ...], ...] = field(default=(), repr=False)
    """What could be said in any game of these players: for each kind of whisper, for each sentence, all it could be.

    The common length comes from it, so that the length tells nothing about this game. Empty: the variants are all.
    """
    reminders: tuple[str, ...] = field(default=(), repr=False)
    """Sentences for everybody, with which shorter variants become as long as the longest one."""
    times: int = 2
    """How often it is said."""
    needed: bool = True
    """False: if there is no headset, nothing is said about that."""


@dataclass(frozen=True, slots=True)
class Prepare:
    """Time to make the sound of whispers that come later: how long that takes is then nobody's secret."""

    whisper: EqualWhisper


@dataclass(frozen=True, slots=True)
class Rest:
    """Silence at the table, while people do something. A key ends it."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Noise:
    """Masking noise at the table under everything that is said there: from now on, or no longer."""

    on: bool


@dataclass(frozen=True, slots=True)
class Tone:
    """A short tone at the table instead of words: nothing was understood, and enough has been said about it."""


Utterance = TableUtterance | HeadsetUtterance | EqualWhisper | Prepare | Rest | Noise | Tone
Reply = tuple[Utterance, ...]
"""What the assistant says to one sentence."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How far a reply came."""

    done: int
    """Utterances that were wholly performed before a key stopped one; all if none did."""
    failed: bool = False
    """Whether a headset utterance that was needed could not be whispered."""
