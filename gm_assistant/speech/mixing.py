"""One mono sound and what goes on under it, mixed piece by piece. No device, no clock of its own."""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from gm_assistant.speech.ports import Audio
from gm_assistant.speech.resampling import Samples, resampled, samples_of

FADE = 0.05
"""s in which a background comes and goes."""

MARGIN = 0.01
"""s on top of the latency that a device admits to: PulseAudio ends up to 7 ms later."""

Wide = npt.NDArray[np.int32]
"""Samples with room above full scale."""


def mixed(*sounds: Samples | Wide) -> Samples:
    """Return the sum of sounds of equal length; what is too loud for the device is cut at full scale."""
    total = np.sum(sounds, axis=0, dtype=np.int32)
    cut: Samples = np.clip(total, -32_768, 32_767).astype(np.int16)
    return cut


class Background:
    """A sound that repeats without a click, fades in as it begins, and out once it is told to."""

    def __init__(self, audio: Audio, rate: int) -> None:
        """`rate` in Hz is what the pieces are wanted in. The end of `audio` must fit to its beginning."""
        self._samples = _repeatable(audio, rate)
        self._position = 0
        self._gain = 0.0
        self._step = 1 / (FADE * rate)

    @property
    def over(self) -> bool:
        """Return whether it has faded out."""
        return self._step < 0 and self._gain == 0

    def rise(self) -> None:
        """Go on, also if it has begun to fade."""
        self._step = abs(self._step)

    def fade(self) -> None:
        """Become silent within FADE."""
        self._step = -abs(self._step)

    def piece(self, count: int) -> Wide:
        """Return the next `count` samples."""
        places = np.arange(self._position, self._position + count) % len(self._samples)
        gains = np.clip(self._gain + self._step * np.arange(1, count + 1), 0.0, 1.0)
        self._position += count
        self._gain = float(gains[-1]) if count else self._gain
        piece: Wide = np.rint(self._samples[places] * gains).astype(np.int32)
        return piece


def _repeatable(audio: Audio, rate: int) -> Samples:
    """Return one repetition at another rate: the middle of three, whose ends know their neighbours."""
    whole = resampled(np.tile(samples_of(audio), 3), audio.rate, rate)
    length = audio.samples * rate // audio.rate
    return whole[length : 2 * length]


@dataclass(slots=True)
class _Sound:
    samples: Samples
    position: int = 0
    """Frames handed to the device, silence after the sound included."""
    over: tuple[int, float] = (-1, 0.0)
    """How many samples there were when the last one was handed out, and time.monotonic() at which it has been heard."""


class Track:
    """What one side of a device plays. Only `piece` is called by the device's own thread."""

    def __init__(self, rate: int) -> None:
        """`rate`: of the device, in Hz."""
        self._rate = rate
        self._sound: _Sound | None = None
        self.background: Background | None = None

    @property
    def sounding(self) -> bool:
        """Return whether there is a sound that has not been ended."""
        return self._sound is not None

    @property
    def heard(self) -> bool:
        """Return whether the last sample of the sound has been heard."""
        if self._sound is None:
            return True
        length, over = self._sound.over
        return length == len(self._sound.samples) and time.monotonic() >= over

    def begin(self, audio: Audio, silence: float = 0.0) -> None:
        """Play `audio` from now on, after `silence` s, instead of the sound before."""
        samples = resampled(samples_of(audio), audio.rate, self._rate)
        self._sound = _Sound(np.concatenate((np.zeros(int(silence * self._rate), np.int16), samples)))

    def add(self, audio: Audio, pause: float) -> None:
        """Play `audio` after the sound that was begun, with `pause` s of silence between; as ever if there is none.

        If the sound is over, the silence since then counts. A few ms of the pause are lost if the device asks for more
        at the same time.
        """
        sound = self._sound
        if sound is None:
            self.begin(audio, pause)
            return
        silence = max(int(pause * self._rate), sound.position - len(sound.samples))
        more = resampled(samples_of(audio), audio.rate, self._rate)
        sound.samples = np.concatenate((sound.samples, np.zeros(silence, np.int16), more))

    def stop(self) -> None:
        """Give no more of the sound; the background goes on."""
        self._sound = None

    def piece(self, count: int, latency: float) -> Samples:
        """Return the next `count` samples, which will be heard `latency` s from now."""
        sound, background = self._sound, self.background
        layers: list[Samples | Wide] = [np.zeros(count, np.int16)]
        if background is not None:
            layers.append(background.piece(count))
        if sound is not None:
            layers.append(self._next(sound, count, latency))
        return mixed(*layers)

    def _next(self, sound: _Sound, count: int, latency: float) -> Samples:
        piece, samples = np.zeros(count, np.int16), sound.samples  # `add` may give it others at any moment
        part = samples[sound.position : sound.position + count]
        piece[: len(part)] = part
        # What the device took counts, not the clock: one that wakes up takes a buffer full and plays it s later.
        late = (sound.position - len(samples)) / self._rate - latency
        sound.position += count
        if late >= 0 and sound.over[0] != len(samples):
            sound.over = len(samples), time.monotonic() - late + MARGIN
        return piece
