"""Sound from memory in place of a microphone: for the synthetic leader, and for tests."""

from __future__ import annotations

import numpy as np

from gm_assistant.speech.ports import FRAME_SAMPLES, RECOGNIZER_RATE, Audio
from gm_assistant.speech.resampling import resampled, samples_of

_SILENCE_BEFORE = 0.3
_SILENCE_AFTER = 1.2
"""s. Longer than any quiet that ends a sentence."""


class SoundMicrophone:
    """A `Microphone` that hears one loaded sound, with silence around it, and then nothing more."""

    def __init__(self) -> None:
        self._pcm = b""

    def load(self, sound: Audio) -> None:
        """Hear `sound` next instead of whatever was left."""
        samples = resampled(samples_of(sound), sound.rate, RECOGNIZER_RATE)
        before, after = (np.zeros(int(s * RECOGNIZER_RATE), np.int16) for s in (_SILENCE_BEFORE, _SILENCE_AFTER))
        whole = np.concatenate((before, samples, after))
        self._pcm = whole[: len(whole) // FRAME_SAMPLES * FRAME_SAMPLES].astype("<i2").tobytes()

    def open(self, since: float | None = None) -> None:
        """Begin at the first frame that was not read yet."""

    def read(self) -> bytes | None:
        """Return the next frame, None after the last."""
        frame, self._pcm = self._pcm[: 2 * FRAME_SAMPLES], self._pcm[2 * FRAME_SAMPLES :]
        return frame or None

    def shut(self) -> None:
        """Wait."""

    def close(self) -> None:
        """Nothing is left to free."""
