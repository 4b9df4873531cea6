"""What a microphone's levels tell: from samples to figures, from figures to what is wrong."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from gm_assistant.speech.levels import (
    FLOOR,
    LEAST_LEVEL,
    LEAST_RATIO,
    MOST_CLIPPED,
    MOST_ECHO,
    Fault,
    Figures,
    faults,
    is_fit,
    measured,
    noise_level,
    voice_level,
)
from gm_assistant.speech.ports import RECOGNIZER_RATE
from gm_assistant.speech.resampling import Samples

GOOD = Figures(noise=-60.0, speech=-25.0, clipped=0.0, zeros=False, own=-30.0, understood=True)
NONE = np.zeros(0, np.int16)


def noise(level: float, seconds: float = 3.0) -> Samples:
    """Return steady noise of a level in dBFS."""
    drawn = np.random.default_rng(1).normal(size=int(seconds * RECOGNIZER_RATE)) * 32_768 * 10 ** (level / 20)
    return np.clip(np.rint(drawn), -32_768, 32_767).astype(np.int16)


def words(level: float) -> Samples:
    """Return words of a level in dBFS with pauses between them."""
    return np.concatenate([piece for _ in range(4) for piece in (noise(level, 0.4), noise(-90, 0.3))])


@pytest.mark.parametrize("level", [-10.0, -30.0, -60.0])
def test_the_level_of_a_steady_noise_is_told(level: float) -> None:
    assert noise_level(noise(level)) == pytest.approx(level, abs=0.5)


def test_a_cough_in_the_quiet_does_not_count() -> None:
    quiet = noise(-60)
    quiet[16_000:19_000] = noise(-10)[:3_000]
    assert noise_level(quiet) == pytest.approx(-60, abs=1)


@pytest.mark.parametrize("level", [-15.0, -40.0])
def test_the_level_of_a_voice_is_that_of_its_words_not_of_its_pauses(level: float) -> None:
    assert voice_level(words(level)) == pytest.approx(level, abs=1)


@pytest.mark.parametrize("sound", [NONE, NONE[:1], np.zeros(16_000, np.int16), noise(-10)[:100]])
def test_no_sound_is_as_soft_as_can_be(sound: Samples) -> None:
    assert voice_level(sound) == noise_level(sound) == FLOOR


def test_three_recordings_give_the_figures() -> None:
    figures = measured(noise(-60), words(-20), words(-35), understood=True)
    assert figures.noise == pytest.approx(-60, abs=1)
    assert figures.speech == pytest.approx(-20, abs=1)
    assert figures.ratio == pytest.approx(40, abs=1)
    assert figures.own == pytest.approx(-35, abs=1)
    assert (figures.clipped, figures.zeros) == (0.0, False)
    assert faults(figures) == ()


def test_peaks_that_are_cut_off_are_counted() -> None:
    assert measured(noise(-60), words(-3)).clipped > 10 * MOST_CLIPPED
    assert measured(noise(-60), words(-20)).clipped == 0


@pytest.mark.parametrize("own", [None, np.zeros(16_000, np.int16)])
def test_zeros_alone_are_a_microphone_that_is_muted_whatever_else(own: Samples | None) -> None:
    silence = np.zeros(48_000, np.int16)
    assert faults(measured(silence, silence, own, understood=False)) == (Fault.ZEROS,)


def test_a_microphone_that_gates_the_quiet_is_not_muted() -> None:
    assert faults(measured(np.zeros(48_000, np.int16), words(-20), understood=True)) == ()


def test_a_device_that_hears_us_and_nobody_else_is_no_microphone() -> None:
    silence = np.zeros(48_000, np.int16)
    assert faults(measured(silence, silence, words(-10), understood=False)) == (Fault.MONITOR,)
    assert faults(measured(noise(-70), noise(-70), words(-10))) == (Fault.MONITOR,)


@pytest.mark.parametrize(
    ("changed", "found"),
    [
        ({}, ()),
        ({"monitor": True}, (Fault.MONITOR,)),
        ({"speech": -58.0, "own": None, "understood": False}, (Fault.NOBODY,)),
        ({"speech": -58.0, "own": -59.0, "understood": None}, (Fault.NOBODY,)),
        ({"speech": -58.0, "own": -20.0, "understood": False}, (Fault.MONITOR,)),
        ({"clipped": 2 * MOST_CLIPPED}, (Fault.CLIPPING,)),
        ({"noise": -24.0 - LEAST_RATIO}, (Fault.NOISE,)),
        ({"noise": -35.0, "understood": False}, (Fault.NOISE,)),
        ({"noise": -80.0, "speech": LEAST_LEVEL - 1, "own": None}, (Fault.SOFT,)),
        ({"own": -24.0 + MOST_ECHO}, (Fault.ECHO,)),
        ({"own": None, "understood": None}, ()),
        ({"understood": False}, (Fault.MISUNDERSTOOD,)),
        (
            {"clipped": 0.1, "noise": -65.0, "speech": LEAST_LEVEL - 1, "own": -20.0},
            (Fault.CLIPPING, Fault.NOISE, Fault.SOFT, Fault.ECHO),
        ),
    ],
)
def test_each_fault_has_its_figure(changed: dict[str, float | bool | None], found: tuple[Fault, ...]) -> None:
    assert faults(replace(GOOD, **changed)) == found  # type: ignore[arg-type]


def test_the_most_important_fault_comes_first() -> None:
    order = [*Fault]
    for figures in (
        replace(GOOD, clipped=0.1, noise=-30.0),
        replace(GOOD, noise=-65.0, speech=LEAST_LEVEL - 1, own=-20.0),
    ):
        found = faults(figures)
        assert len(found) > 1
        assert list(found) == sorted(found, key=order.index)


def test_one_can_play_with_a_loudspeaker_that_is_too_loud_and_with_no_other_fault() -> None:
    assert is_fit(())
    assert [fault for fault in Fault if is_fit((fault,))] == [Fault.ECHO]
