"""Noise that masks at the table, and noise that wakes a headset."""

from __future__ import annotations

import numpy as np
import pytest

from gm_assistant.speech.mixing import FADE, Background, Track, mixed
from gm_assistant.speech.noise import led_in, masking_noise
from gm_assistant.speech.ports import Audio
from gm_assistant.speech.resampling import Samples, samples_of

RATE = 8_000
FULL = 32_767


def constant(value: int, samples: int) -> Audio:
    return Audio(np.full(samples, value, "<i2").tobytes(), RATE)


def loudness(samples: Samples) -> float:
    """Root mean square in dB of full scale."""
    return float(20 * np.log10(np.sqrt(np.mean(samples.astype(np.float64) ** 2)) / FULL))


def whole(background: Background, count: int) -> list[int]:
    return [int(sample) for sample in background.piece(count)]


# --- masking noise


def test_noise_repeats_without_a_click() -> None:
    samples = samples_of(masking_noise(1.0)).astype(np.int32)
    assert abs(samples[0] - samples[-1]) <= np.abs(np.diff(samples)).max()


def test_noise_at_another_rate_repeats_without_a_click() -> None:
    noise = masking_noise(1.0)
    background = Background(noise, 48_000)
    once = round(noise.seconds * 48_000)
    background.piece(once)
    piece = background.piece(once + 1)
    assert abs(piece[once] - piece[once - 1]) <= np.abs(np.diff(piece[:once])).max()
    assert piece[once] == piece[0]


def test_noise_lies_where_sleeves_and_tokens_are_heard() -> None:
    noise = masking_noise(1.0)
    strength = np.abs(np.fft.rfft(samples_of(noise).astype(np.float64))) ** 2
    hertz = np.fft.rfftfreq(noise.samples, 1 / noise.rate)
    inside = strength[(hertz >= 150) & (hertz <= 5_000)].sum() / strength.sum()
    assert inside > 0.95
    assert strength[(hertz >= 1_000) & (hertz <= 4_000)].sum() / strength.sum() > 0.25


@pytest.mark.parametrize(("volume", "decibel"), [(1.0, -30.5), (0.5, -36.5), (0.1, -50.5)])
def test_noise_is_10_db_softer_than_speech_or_more(volume: float, decibel: float) -> None:
    assert loudness(samples_of(masking_noise(volume))) == pytest.approx(decibel, abs=0.2)


def test_noise_at_volume_0_is_silence() -> None:
    assert not samples_of(masking_noise(0.0)).any()


def test_noise_swells_but_never_fades_away() -> None:
    pieces = np.array_split(samples_of(masking_noise(1.0)), 120)
    levels = [loudness(piece) for piece in pieces]
    assert 1.0 < max(levels) - min(levels) < 6.0


# --- what goes on under a sound


def test_a_background_fades_in_repeats_and_fades_out() -> None:
    background = Background(constant(1_000, 100), RATE)
    fade = round(FADE * RATE)
    rising = whole(background, fade)
    assert rising == sorted(rising)
    assert whole(background, 1_000) == [1_000] * 1_000
    background.fade()
    falling = whole(background, fade)
    assert falling == sorted(falling, reverse=True)
    assert falling[-1] == 0
    assert background.over


def test_a_background_that_fades_in_is_not_over() -> None:
    assert not Background(constant(1_000, 100), RATE).over


def test_what_is_too_loud_together_is_cut_and_does_not_turn_over() -> None:
    assert list(mixed(np.array([30_000, -30_000], np.int16), np.array([9_000, -9_000], np.int32))) == [FULL, -FULL - 1]


def test_a_track_without_sound_is_digital_silence() -> None:
    assert not Track(RATE).piece(100, 0.0).any()


def test_a_sound_is_mixed_over_the_background_which_outlives_it() -> None:
    track = Track(RATE)
    track.background = Background(constant(100, 100), RATE)
    track.piece(round(FADE * RATE), 0.0)
    track.begin(constant(7, 5))
    assert list(track.piece(8, 0.0)) == [107] * 5 + [100] * 3
    track.stop()
    assert list(track.piece(3, 0.0)) == [100] * 3


def test_the_end_of_a_sound_is_heard_after_the_device_s_own_delay() -> None:
    track = Track(RATE)
    track.begin(constant(7, 100))
    track.piece(200, latency=1_000.0)
    assert not track.heard
    track.piece(RATE * 1_001, latency=1_000.0)
    track.piece(1, latency=1_000.0)
    assert track.heard


# --- before a whisper


def test_a_whisper_begins_with_faint_noise() -> None:
    sound = samples_of(led_in(constant(10_000, RATE), 0.8))
    before = sound[: round(0.8 * RATE)]
    assert len(sound) == round(1.8 * RATE)
    assert loudness(before) == pytest.approx(-55, abs=0.5)
    assert np.abs(before).max() < 300
    assert np.abs(sound[len(before) :] - 10_000).max() < 300


def test_pauses_of_a_whisper_are_no_digital_silence() -> None:
    sound = samples_of(led_in(constant(0, RATE), 0.0))
    assert len(sound) == RATE
    assert all(piece.any() for piece in np.array_split(sound, RATE // 80))


def test_every_whisper_begins_with_the_same_noise() -> None:
    first, second = (samples_of(led_in(constant(value, RATE), 0.5)) for value in (5, 7))
    assert np.array_equal(first[: RATE // 2], second[: RATE // 2])
