from __future__ import annotations

import importlib
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytestmark = pytest.mark.model

RATE = 16_000


@pytest.fixture
def benchmark(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The benchmark as a module; the repository need not be where the tests were started."""
    monkeypatch.setattr(sys, "path", [str(Path(__file__).parents[2]), *sys.path])
    return importlib.import_module("tests.benchmarks.end_of_speech")


def tone(seconds: float, level: float) -> np.ndarray[tuple[int], np.dtype[np.int16]]:
    return (level * np.sin(2 * np.pi * 400 * np.arange(int(seconds * RATE)) / RATE)).astype(np.int16)


def test_speech_ends_with_the_last_sample_that_is_not_40_db_below_the_peak(benchmark: Any) -> None:
    loud, soft, faint = tone(0.5, 20_000), tone(0.25, 400), tone(0.25, 150)
    ends = benchmark.end_of_speech(np.concatenate((loud, soft, faint)))
    assert ends / RATE == pytest.approx(0.75, abs=0.002)


def test_silence_has_no_speech(benchmark: Any) -> None:
    assert benchmark.end_of_speech(np.zeros(100, np.int16)) == 0
    assert benchmark.end_of_speech(np.zeros(0, np.int16)) == 0


def test_the_first_sound_is_looked_for_from_a_moment_on(benchmark: Any) -> None:
    samples = np.array([5, 0, 0, 0, -3, 7], np.int16)
    assert benchmark.first_sound(samples, 1) == 4
    assert benchmark.first_sound(samples, 5) == 5
    assert benchmark.first_sound(samples[:4], 1) is None


def test_of_twenty_values_one_lies_above_the_95th_percentile(benchmark: Any) -> None:
    assert benchmark.percentile([*range(20, 0, -1)], 95) == 19
    assert benchmark.percentile([7.0], 95) == 7
    assert benchmark.percentile([1.0, 2.0, 3.0], 50) == 2


def test_a_spoken_sentence_knows_when_it_ends_in_the_quiet_room(benchmark: Any) -> None:
    sound = benchmark.Audio(np.concatenate((tone(0.8, 20_000), np.zeros(800, np.int16))).tobytes(), RATE)
    said = benchmark.spoken("beep", sound, seed=1)
    assert said.ends == pytest.approx(benchmark.BEFORE + 0.8, abs=0.002)
    assert len(said.samples) / RATE == pytest.approx(benchmark.BEFORE + 0.85 + benchmark.AFTER)
    assert said.samples[:800].any()


def test_a_row_shows_number_median_95th_percentile_and_both_ends(benchmark: Any) -> None:
    row = benchmark.Row("ours", [float(delay) for delay in range(101, 201)], right=99)
    assert str(row).split() == ["ours", "100", "99", "150", "195", "101", "200"]


def test_computing_that_is_slower_than_the_sound_falls_behind_and_catches_up(benchmark: Any, monkeypatch: Any) -> None:
    moments = iter([0.0, 0.1, 0.11, 0.2, 0.2])
    monkeypatch.setattr(benchmark.time, "perf_counter", lambda: next(moments))
    pace = benchmark.Pace()
    for _ in range(3):
        pace.next_frame(0.03)
    assert pace.behind == pytest.approx(0.1 - 0.03 + 0.01 - 0.03 + 0.2 - 0.11)


def test_an_aim_is_met_or_missed(benchmark: Any) -> None:
    assert benchmark.verdict("median", 350.0, 350.0).endswith(": met")
    assert benchmark.verdict("median", 351.0, 350.0).endswith(": missed")


def test_the_endpointers_decision_comes_after_the_speech_has_ended(benchmark: Any) -> None:
    decoder = benchmark.decoder_for(benchmark.SpeakableGrammar((benchmark.Words(("help",)),)))
    sound = benchmark.Audio(hum(0.8).tobytes(), RATE)
    _, quiet, computing = benchmark.endpointers_decision(decoder, benchmark.spoken("help", sound, seed=1))
    assert quiet > 0
    assert computing > 0


def hum(seconds: float) -> np.ndarray[tuple[int], np.dtype[np.int16]]:
    """Return a voice-like sound: a pulse train through two soft peaks."""
    moments = np.arange(int(seconds * RATE)) / RATE
    harmonics = [np.sin(2 * np.pi * 120 * n * moments) / n for n in range(1, 25)]
    return (6_000 * np.sum(harmonics, axis=0)).astype(np.int16)
