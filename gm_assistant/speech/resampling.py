"""Sample rates: the only place that touches soxr."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import soxr

from gm_assistant.speech.ports import Audio

Samples = npt.NDArray[np.int16]
"""Mono sound, one number a sample."""


def samples_of(audio: Audio) -> Samples:
    """Return the samples of `audio` without copying them."""
    return np.frombuffer(audio.pcm, dtype="<i2")


def audio_of(samples: Samples, rate: int) -> Audio:
    """Return `samples` at `rate` Hz as a value."""
    return Audio(samples.astype("<i2", copy=False).tobytes(), rate)


def resampled(samples: Samples, rate: int, wanted: int) -> Samples:
    """Return `samples` of `rate` Hz at `wanted` Hz; the very same ones if the rates agree."""
    if rate == wanted or not len(samples):
        return samples
    changed: Samples = soxr.resample(samples, rate, wanted)
    return changed


class StreamResampler:
    """Changes the rate of sound that comes in pieces, without a click between two of them."""

    def __init__(self, rate: int, wanted: int) -> None:
        self._stream = None if rate == wanted else soxr.ResampleStream(rate, wanted, 1, dtype="int16")

    def feed(self, samples: Samples) -> Samples:
        """Return what is ready after `samples`; a few ms stay inside until the next piece."""
        if self._stream is None:
            return samples
        changed: Samples = self._stream.resample_chunk(samples)
        return changed
