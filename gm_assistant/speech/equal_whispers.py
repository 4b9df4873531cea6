"""Whispers of which nobody can tell by ear or clock which one it was: as long, as loud, with as many sentences."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import accumulate, pairwise

import numpy as np
import numpy.typing as npt

from gm_assistant.speech.equal_rhythm import Part, common_rhythm
from gm_assistant.speech.ports import Audio, HeadsetAudio
from gm_assistant.speech.resampling import Samples, audio_of, resampled, samples_of
from gm_assistant.utterances import Secret

Speak = Callable[[str, float], Audio]
"""Speaks a text at a tempo: 1.0 is the voice's own, 1.1 a tenth faster. May raise AudioError."""

Frame = Sequence[Sequence[Sequence[Secret]]]
"""What could be whispered in any game: for each kind of whisper, for each of its sentences, all that it could be."""

PAUSE = 0.35
"""s of silence between two sentences."""
LONGEST_BREATH = 0.15
"""s of silence that may be inside a sentence, after a comma or a colon; what is longer is shortened to it."""

_NEAR_ENOUGH = 0.003
"""Share of a sentence's length that is left to resampling: 1 % would be a sixth of a semitone."""
_ATTEMPTS = 4
"""How often a sentence is spoken in search of its tempo; a voice does not follow it exactly."""
_SILENT = 0.003
"""Of a sentence's peak."""
_PEAK = 32_000.0
"""Largest sample."""

_Wave = npt.NDArray[np.float64]


def equal_whispers(
    variants: Sequence[tuple[Secret, ...]], reminders: Sequence[str], speak: Speak, frame: Frame = (), order: int = 0
) -> tuple[HeadsetAudio, ...]:
    """Return the sound of each variant: all with the same number of samples and the same loudness.

    Length, loudness and number of sentences come from `frame`, if there is one, and then tell nothing about `variants`.

    All have as many sentences, with PAUSE s of silence between two: a variant's own first, then reminders, none twice
    if there are enough. Their tempo evens out the lengths, within 6 % if that can be. Without reminders it stays within
    15 %, and silence at the end does the rest. With another `order` other reminders are taken where that does no harm.
    Raise what `speak` raises, and nothing else.
    """
    voice = _Voice(speak)
    possible = [[[voice.seconds(secret.reveal()) for secret in place] for place in kind] for kind in frame]
    fillers = [voice.seconds(text) for text in reminders]
    loudness = voice.loudness() if possible else 0.0
    own = [tuple(secret.reveal() for secret in variant) for variant in variants]
    told = [[voice.seconds(text) for text in texts] for texts in own]
    parts = common_rhythm(told, fillers, PAUSE, possible, order)
    whole = {
        (texts, part): voice.whisper((*texts, *(reminders[number] for number in part.reminders)), part)
        for texts, part in dict.fromkeys(zip(own, parts, strict=True))
    }
    even = dict(zip(whole, _equally_loud(_equally_long([*whole.values()]), loudness or voice.loudness()), strict=True))
    return tuple(HeadsetAudio(audio_of(even[key], voice.rate)) for key in zip(own, parts, strict=True))


class _Voice:
    """Speaks sentences at exact lengths, and remembers them as they are by themselves."""

    def __init__(self, speak: Speak) -> None:
        self._speak = speak
        self._natural: dict[str, Samples] = {}
        self.rate = 0
        """Hz, of the first sentence; all others follow."""

    def seconds(self, text: str) -> float:
        """Return how long the voice takes for `text` by itself."""
        if text not in self._natural:
            self._natural[text] = self._spoken(text, 1.0)
        return len(self._natural[text]) / self.rate

    def loudness(self) -> float:
        """Return the usual root mean square of a sentence."""
        return float(np.median([_loudness(samples) for samples in self._natural.values()] or [0.0]))

    def whisper(self, texts: Sequence[str], part: Part) -> _Wave:
        """Return all sentences equally loud, each as long as `part` says, with pauses between them."""
        ends = [round(end * self.rate) for end in accumulate((0.0, *part.lengths))]
        lengths = [after - before for before, after in pairwise(ends)]
        pieces: list[_Wave] = []
        for text, length in zip(texts, lengths, strict=True):
            pieces += (_levelled(self._lasting(text, length)), np.zeros(round(PAUSE * self.rate)))
        return np.concatenate(pieces[:-1]) if pieces else np.zeros(0)

    def _lasting(self, text: str, length: int) -> Samples:
        """Return `text` in exactly `length` samples."""
        nearest = self._natural[text]
        tempo = 1.0
        last = len(nearest)
        for _ in range(_ATTEMPTS):
            if abs(len(nearest) / length - 1) <= _NEAR_ENOUGH:
                break
            tempo *= last / length
            spoken = self._spoken(text, tempo)
            last = len(spoken)
            nearest = min(nearest, spoken, key=lambda samples: abs(len(samples) - length))
        return _fitted(resampled(nearest, len(nearest), length), length)

    def _spoken(self, text: str, tempo: float) -> Samples:
        audio = self._speak(text, tempo)
        self.rate = self.rate or audio.rate
        samples = _with_short_breaths(resampled(samples_of(audio), audio.rate, self.rate), self.rate)
        return samples if len(samples) else np.zeros(1, np.int16)


def _with_short_breaths(samples: Samples, rate: int) -> Samples:
    """Return a sentence without the middles of its silences: else a comma would sound like the end of a sentence."""
    loudness = np.abs(samples.astype(np.int32))
    silent = np.concatenate(([False], loudness <= _SILENT * loudness.max(initial=0), [False]))
    turns = np.flatnonzero(np.diff(silent))
    half = int(LONGEST_BREATH * rate) // 2
    kept = np.ones(len(samples), bool)
    for begin, end in zip(turns[::2], turns[1::2], strict=True):
        if 2 * half < end - begin < len(samples):
            kept[begin + half : end - half] = False
    shorter: Samples = samples[kept]
    return shorter


def _fitted(samples: Samples, length: int) -> Samples:
    """Return `samples` cut or filled up to `length`: resampling may miss it by one."""
    fitted = np.zeros(length, np.int16)
    fitted[: len(samples)] = samples[:length]
    return fitted


def _levelled(samples: npt.NDArray[np.generic]) -> _Wave:
    """Return `samples` with a root mean square of 1; silence stays what it is."""
    wave: _Wave = samples.astype(np.float64)
    return wave / (_loudness(wave) or 1.0)


def _loudness(samples: npt.NDArray[np.generic]) -> float:
    return float(np.sqrt(np.mean(samples.astype(np.float64) ** 2))) if len(samples) else 0.0


def _equally_long(waves: list[_Wave]) -> list[_Wave]:
    """Return all with silence at the end up to the longest one."""
    longest = max(map(len, waves), default=0)
    return [np.concatenate((wave, np.zeros(longest - len(wave)))) for wave in waves]


def _equally_loud(waves: list[_Wave], loudness: float) -> list[Samples]:
    """Return all as samples with one root mean square: `loudness`, or less where that would clip."""
    levelled = [_levelled(wave) for wave in waves]
    peak = max((float(np.abs(wave).max(initial=0.0)) for wave in levelled), default=0.0)
    level = min(loudness, _PEAK / peak) if peak else 0.0
    return [np.rint(wave * level).astype(np.int16) for wave in levelled]
