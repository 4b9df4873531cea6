from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from gm_assistant.speech.earcons import listening, not_heard
from gm_assistant.speech.ports import Audio
from gm_assistant.speech.resampling import samples_of

both = pytest.mark.parametrize("earcon", [listening, not_heard])


def pitch(samples: np.ndarray[tuple[int], np.dtype[np.int16]], rate: int) -> float:
    """Return the strongest frequency in Hz."""
    spectrum = np.abs(np.fft.rfft(samples, 8 * len(samples)))
    return float(np.argmax(spectrum) * rate / (8 * len(samples)))


@both
def test_an_earcon_is_short_and_quiet(earcon: Callable[[], Audio]) -> None:
    assert 0.08 <= earcon().seconds <= 0.2
    assert 1_000 < np.abs(samples_of(earcon()).astype(np.int32)).max() < 8_000


@both
def test_an_earcon_does_not_click(earcon: Callable[[], Audio]) -> None:
    samples = samples_of(earcon()).astype(np.int32)
    assert abs(samples[0]) < 20
    assert abs(samples[-1]) < 20
    assert np.abs(np.diff(samples)).max() < 2_000


def test_listening_rises() -> None:
    samples, rate = samples_of(listening()), listening().rate
    half = len(samples) // 2
    assert pitch(samples[half:], rate) > 1.15 * pitch(samples[:half], rate)


def test_not_heard_is_two_low_tones() -> None:
    samples, rate = samples_of(not_heard()), not_heard().rate
    third = len(samples) // 3
    assert pitch(samples[:third], rate) < 300
    assert pitch(samples[-third:], rate) < 300
    assert not samples[len(samples) // 2 - 100 : len(samples) // 2 + 100].any()
