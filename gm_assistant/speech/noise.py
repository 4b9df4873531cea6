"""Noise: at the table to mask what people do, in the headset to wake it up."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from gm_assistant.speech.mixing import mixed
from gm_assistant.speech.ports import Audio
from gm_assistant.speech.resampling import audio_of, samples_of

NOISE_RATE = 22_050
"""Hz."""

_SECONDS = 12
"""Until it repeats: too long for an ear to notice."""
_LOUDEST = 0.03
"""Root mean square at volume 1, of full scale (-30 dB); speech of full volume has -20 dB."""
_FULL = 200.0, 4_000.0
"""Hz between which it masks: sleeves, chairs, tokens, wood on wood."""
_SWELLS = ((3, 0.10), (7, 0.07), (16, 0.05))
"""How often a repetition swells, and by which share: it sounds like surf and not like a broken radio."""
_SEED = 4

LEAD_IN = 0.8
"""s of faint noise before a whisper: so long does a sleeping Bluetooth headset need to let sound through."""
_FAINT = 58.0
"""Root mean square of that noise (-55 dB): no ear minds it, and no headset takes it for silence."""


def masking_noise(volume: float) -> Audio:
    """Return noise that can be repeated without a click; `volume` 0 to 1.

    At 1 it is 10 dB softer than speech of full volume, and every part of speech stays clear above it.
    """
    wave = _hiss() * _swelling()
    wave *= volume * _LOUDEST / np.sqrt(np.mean(wave**2))
    return Audio(np.clip(wave * 32_767, -32_768, 32_767).astype("<i2").tobytes(), NOISE_RATE)


def led_in(audio: Audio, seconds: float) -> Audio:
    """Return `audio` after `seconds` of faint noise, which goes on below it: no pause in it is digital silence."""
    before = np.zeros(round(seconds * audio.rate), np.int16)
    samples = np.concatenate((before, samples_of(audio)))
    faint = np.rint(np.random.default_rng(_SEED).normal(0, _FAINT, len(samples))).astype(np.int32)
    return audio_of(mixed(samples, faint), audio.rate)


def _hiss() -> npt.NDArray[np.float64]:
    """Return pink noise between the two frequencies. Made of whole waves, so its end fits to its beginning."""
    count = _SECONDS * NOISE_RATE
    random = np.random.default_rng(_SEED)
    hertz = np.fft.rfftfreq(count, 1 / NOISE_RATE)
    low, high = _FULL
    strength = 1 / np.sqrt(np.maximum(hertz, low)) / (1 + (low / np.maximum(hertz, 1)) ** 4) / (1 + (hertz / high) ** 6)
    return np.fft.irfft(strength * np.exp(2j * np.pi * random.random(len(hertz))), count)


def _swelling() -> npt.NDArray[np.float64]:
    """Return the loudness over time, around 1."""
    moments = np.arange(_SECONDS * NOISE_RATE) / (_SECONDS * NOISE_RATE)
    return 1 + sum((share * np.sin(2 * np.pi * times * moments) for times, share in _SWELLS), np.zeros(len(moments)))
