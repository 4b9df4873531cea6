"""Short tones that say more quickly than words what goes on."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from gm_assistant.speech.ports import Audio

EARCON_RATE = 22_050
"""Hz."""

_LEVEL = 0.12
"""Of full scale (-18 dB): clearly softer than speech, whose peaks are near -3 dB."""
_RAMP = 0.012
"""s of fading in and out of each tone; less would click."""


def listening() -> Audio:
    """Return the rising tone "I listen now", 120 ms."""
    return _audio(_tone(587.0, 880.0, 0.12))


def not_heard() -> Audio:
    """Return two low tones "I did not understand", 180 ms."""
    low = _tone(220.0, 220.0, 0.075)
    return _audio(np.concatenate((low, np.zeros(int(0.03 * EARCON_RATE)), low)))


def not_said() -> Audio:
    """Return three falling tones "here was something that I could not say", 400 ms."""
    gap = np.zeros(int(0.035 * EARCON_RATE))
    high, middle, low = (_tone(hertz, hertz, 0.11) for hertz in (660.0, 494.0, 330.0))
    return _audio(np.concatenate((high, gap, middle, gap, low)))


def _tone(begin: float, end: float, seconds: float) -> npt.NDArray[np.float64]:
    """Return a tone that glides from `begin` to `end` Hz, with a soft octave so that small loudspeakers carry it."""
    count = int(seconds * EARCON_RATE)
    phase = 2 * np.pi * np.cumsum(np.linspace(begin, end, count)) / EARCON_RATE
    return (0.75 * np.sin(phase) + 0.25 * np.sin(2 * phase)) * _fades(count)


def _fades(count: int) -> npt.NDArray[np.float64]:
    ramp = np.sin(np.linspace(0.0, np.pi / 2, int(_RAMP * EARCON_RATE))) ** 2
    return np.concatenate((ramp, np.ones(count - 2 * len(ramp)), ramp[::-1]))


def _audio(wave: npt.NDArray[np.float64]) -> Audio:
    return Audio((wave * _LEVEL * 32_767).astype("<i2").tobytes(), EARCON_RATE)
