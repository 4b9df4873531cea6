"""A microphone whose sound is looked at as well as heard: what it gave is kept, or watched for nothing but zeros."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from gm_assistant.speech.levels import is_silence
from gm_assistant.speech.ports import FRAME_SAMPLES, RECOGNIZER_RATE, Microphone
from gm_assistant.speech.resampling import Samples

ZEROS = 2.0
"""s of nothing but zeros after which a microphone is surely muted, or denied by the system: every real one rustles."""


class RecordingMicrophone:
    """A Microphone that keeps what another one hears."""

    def __init__(self, inner: Microphone) -> None:
        self._inner = inner
        self._kept: list[bytes] = []

    def open(self, since: float | None = None) -> None:
        """Begin to hear and to keep. Raise as the other does."""
        self._inner.open(since)

    def read(self) -> bytes | None:
        """Return the next frame, and keep it. Raise as the other does."""
        frame = self._inner.read()
        if frame is not None:
            self._kept.append(frame)
        return frame

    def taken(self) -> Samples:
        """Return the samples that were read since the last time that somebody asked, and keep them no longer."""
        kept, self._kept = self._kept, []
        return np.frombuffer(b"".join(kept), "<i2").astype(np.int16)

    def shut(self) -> None:
        """Stop hearing."""
        self._inner.shut()

    def close(self) -> None:
        """Free the device."""
        self._inner.close()


class AlarmedMicrophone:
    """A Microphone that gives alarm once, if it has heard nothing but zeros for ZEROS seconds at a stretch."""

    def __init__(self, inner: Microphone, alarm: Callable[[], object]) -> None:
        """`alarm` is called while somebody listens; what sounds meanwhile is not heard."""
        self._inner = inner
        self._alarm = alarm
        self._zeros = 0
        self._given = False

    def open(self, since: float | None = None) -> None:
        """Begin to hear. Raise as the other does."""
        self._zeros = 0
        self._inner.open(since)

    def read(self) -> bytes | None:
        """Return the next frame. Raise as the other does."""
        frame = self._inner.read()
        silent = frame is not None and is_silence(np.frombuffer(frame, "<i2"))
        self._zeros = self._zeros + FRAME_SAMPLES if silent else 0
        if self._zeros >= ZEROS * RECOGNIZER_RATE and not self._given:
            self._given = True
            self._alarm()
            self._inner.open()
        return frame

    def shut(self) -> None:
        """Stop hearing."""
        self._inner.shut()

    def close(self) -> None:
        """Free the device."""
        self._inner.close()
