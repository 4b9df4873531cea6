"""What the speech edge offers to the rest of the house: plain values and small Protocols."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import Future
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from gm_assistant.speakable import SpeakableGrammar

RECOGNIZER_RATE = 16_000
"""Hz. Every recogniser and the voice activity detector hear this sample rate."""

FRAME_SAMPLES = 512
"""Samples in one microphone frame (32 ms at 16 kHz): the chunk that the voice activity detector demands."""


@dataclass(frozen=True, slots=True)
class Audio:
    """Sound: signed 16-bit little-endian mono samples, and their rate in Hz."""

    pcm: bytes
    rate: int

    @property
    def samples(self) -> int:
        """Number of samples."""
        return len(self.pcm) // 2

    @property
    def seconds(self) -> float:
        """Length in s."""
        return self.samples / self.rate


@dataclass(frozen=True, slots=True)
class HeadsetAudio:
    """Sound for the headset. No Audio on purpose: what plays at the table cannot take it."""

    audio: Audio

    def __repr__(self) -> str:
        return "HeadsetAudio(...)"


@dataclass(frozen=True, slots=True)
class Voice:
    """How something is spoken. Hashable: part of the cache's key."""

    language: str
    """Language code as in the folder name below `voices/` (`en`, `de`)."""
    names: tuple[str, ...] = ()
    """Voice ids or names to try in this order, already chosen for this platform; empty: by language alone."""
    rate: int = 165
    """Words a minute, 80 to 449 (above, espeak-ng switches to a buzzing method)."""
    pitch: int = 50
    """0 to 99; 50 is the voice's own."""
    volume: float = 1.0
    """0.0 to 1.0 of full scale."""


class Strictness(StrEnum):
    """How sure a recogniser must be that the speech was a sentence of the grammar."""

    PUSHED = "pushed"
    """A key was pressed: somebody surely speaks to us."""
    OPEN = "open"
    """The microphone is open: most of what it hears is talk among people."""
    IRREVERSIBLE = "irreversible"
    """What is said now cannot be taken back: a confirmation is awaited."""


def never() -> bool:
    """Return False: the talk key is not let go, nobody interrupts."""
    return False


@dataclass(frozen=True, slots=True)
class Attention:
    """How one turn of listening goes."""

    strictness: Strictness = Strictness.PUSHED
    patience: float | None = 8.0
    """s to wait for somebody to begin; None waits for ever."""
    since: float | None = None
    """Monotonic time in s: the microphone's sound that was kept since then counts, too. None: from now on."""
    released: Callable[[], bool] = never
    """Whether the talk key was let go: then the utterance is over at once. Asked once a frame."""
    held: Callable[[], bool] = never
    """Whether the talk key is held down: then no quiet ends the utterance. Asked once a frame."""


@dataclass(frozen=True, slots=True)
class Recognition:
    """What a recogniser makes of an utterance."""

    text: str
    """The words, "" for none."""
    ratio: float | None = None
    """How much likelier the words are than any other speech (a log likelihood ratio); None: it cannot tell.

    Minus infinity: surely something else.
    """
    score: float | None = None
    """Log likelihood of the sound, given the words: says something only beside other models of the same sound."""


class HeardReason(StrEnum):
    """Why the listener stopped listening."""

    COMPLETE = "complete"
    """The words are a whole sentence, and it has been quiet long enough for it."""
    QUIET = "quiet"
    """It has been quiet for the longer time; the words need not be a sentence."""
    TOO_LONG = "too long"
    """The upper bound of one utterance was reached."""
    NOTHING = "nothing"
    """Nobody spoke in the waiting time."""
    INTERRUPTED = "interrupted"
    """The caller's `interrupted()` became true."""
    RELEASED = "released"
    """The talk key was let go."""
    REJECTED = "rejected"
    """Somebody spoke, but surely not to us; the text is ""."""
    END_OF_INPUT = "end of input"
    """The microphone has no more frames (a file came to its end)."""
    ENGINE_FAILED = "engine failed"
    """The recogniser died and its fresh copy too; nothing of this utterance can be used."""


@dataclass(frozen=True, slots=True)
class Heard:
    """What one turn of listening gave. Times are s of microphone audio since the listening began."""

    text: str
    reason: HeardReason
    speech_began: float = 0.0
    speech_ended: float = 0.0
    decided: float = 0.0
    """When the end of speech was decided."""
    ratio: float | None = None
    """As in `Recognition`, for speech that was rejected too."""


class Recognizer(Protocol):
    """Turns frames into words. One utterance at a time; never called by two threads."""

    def prepare(self, grammar: SpeakableGrammar) -> frozenset[str]:
        """Use `grammar` from the next utterance on; return the words that the model does not know.

        Wordings with an unknown word are left out. Raise ModelError("model-knows-no-sentence") if none is left.
        Preparing the grammar in use again costs nothing.
        """

    def ahead(self, grammar: SpeakableGrammar) -> None:
        """Make `grammar` ready without using it: preparing it later costs next to nothing. It never fails.

        The utterance in work and the grammar in use stay as they are.
        """

    def accept(self, frame: bytes) -> str:
        """Take FRAME_SAMPLES samples (16-bit mono, RECOGNIZER_RATE); return the words so far, "" for none."""

    def finish(self, strictness: Strictness = Strictness.PUSHED) -> Recognition:
        """End the utterance; return what it was, quickly, and be ready for the next."""

    def reconsider(self, strictness: Strictness = Strictness.PUSHED) -> None:
        """Begin a second look at the whole utterance so far, and return at once; the utterance goes on.

        Whoever heard its end lately may already begin, and drop the outcome if speech goes on.
        """

    def reconsidered(self) -> Recognition | None:
        """Wait for the second look that was begun last, and return what it found.

        None if this recogniser has no second look: then the words so far are all that is known before the end.
        """

    def drop(self) -> None:
        """End the utterance without its words, at once, and be ready for the next."""

    def close(self) -> None:
        """Free the engine and end its process."""


class Microphone(Protocol):
    """A source of frames of FRAME_SAMPLES samples at RECOGNIZER_RATE."""

    def open(self, since: float | None = None) -> None:
        """Begin to hear: from now on, or from `since` (monotonic s) where that sound was kept.

        Nothing that sounded earlier is ever returned.
        """

    def read(self) -> bytes | None:
        """Return the next frame, waiting for it; None at the end of the input. Raise AudioError if it fails."""

    def shut(self) -> None:
        """Stop hearing. `open` may follow."""

    def close(self) -> None:
        """Free the device for good."""


class Synthesizer(Protocol):
    """Turns text into sound. Never plays anything."""

    def synthesize(self, text: str, voice: Voice) -> Audio:
        """Return the spoken text. Raise AudioError("voice-failed") after retries, never return no sound."""

    def close(self) -> None:
        """Free the engine and end its process."""


class PromptSynthesizer(Synthesizer, Protocol):
    """A Synthesizer that lets nobody wait for what can be made meanwhile."""

    def later(self, text: str, voice: Voice) -> Future[Audio]:
        """Begin to make the spoken text, after all that was asked for before; return at once."""

    def guess(self, texts: Iterable[str], voice: Voice) -> None:
        """Make these texts too, while nothing else is to be made; forget the guesses of before. It never fails."""


class Speaker(Protocol):
    """Plays sound at the table or in the headset, each on its own device and never on another one."""

    def play(
        self, audio: Audio, stopped: Callable[[], bool], more: Iterable[Future[Audio]] = (), pause: float = 0.0
    ) -> bool:
        """Play at the table to the end and return True, or return False as soon as `stopped()` is true.

        `more` follows without a break, each with `pause` s of silence before it, as soon as it is made.
        Return only when the sound has really ended. Raise AudioError("table-speaker-failed"), or what `more` raises.
        """

    def whisper(self, audio: HeadsetAudio, stopped: Callable[[], bool]) -> bool:
        """Play in the headset only, otherwise as `play`.

        Raise AudioError("headset-not-ready") or ("headset-refused"): then nothing sounds anywhere.
        """

    def noise(self, audio: Audio | None) -> None:
        """Repeat `audio` at the table under everything that sounds there, from now on; None ends it.

        Raise AudioError("table-speaker-failed").
        """

    def rest(self, seconds: float, stopped: Callable[[], bool]) -> bool:
        """Let `seconds` go by and return True, or return False as soon as `stopped()` is true."""

    def close(self) -> None:
        """Free the devices."""
