from __future__ import annotations

import importlib
import sys
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from table import EDITIONS, every_edition

from gm_assistant.library import Library, load_library
from gm_assistant.rules import commands as do
from gm_assistant.rules.model import GameOver

needs_model = pytest.mark.model

RATE = 16_000


def imported(name: str, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return a benchmark as a module; the repository need not be where the tests were started."""
    monkeypatch.setattr(sys, "path", [str(Path(__file__).parents[2]), *sys.path])
    return importlib.import_module(f"tests.benchmarks.{name}")


@pytest.fixture
def benchmark(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The benchmark of the end of speech."""
    return imported("end_of_speech", monkeypatch)


@pytest.fixture
def rules(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The benchmark of the rules and the answers."""
    return imported("rules", monkeypatch)


# --- the end of speech


def tone(seconds: float, level: float) -> np.ndarray[tuple[int], np.dtype[np.int16]]:
    return (level * np.sin(2 * np.pi * 400 * np.arange(int(seconds * RATE)) / RATE)).astype(np.int16)


@needs_model
def test_speech_ends_with_the_last_sample_that_is_not_40_db_below_the_peak(benchmark: Any) -> None:
    loud, soft, faint = tone(0.5, 20_000), tone(0.25, 400), tone(0.25, 150)
    ends = benchmark.end_of_speech(np.concatenate((loud, soft, faint)))
    assert ends / RATE == pytest.approx(0.75, abs=0.002)


@needs_model
def test_silence_has_no_speech(benchmark: Any) -> None:
    assert benchmark.end_of_speech(np.zeros(100, np.int16)) == 0
    assert benchmark.end_of_speech(np.zeros(0, np.int16)) == 0


@needs_model
def test_the_first_sound_is_looked_for_from_a_moment_on(benchmark: Any) -> None:
    samples = np.array([5, 0, 0, 0, -3, 7], np.int16)
    assert benchmark.first_sound(samples, 1) == 4
    assert benchmark.first_sound(samples, 5) == 5
    assert benchmark.first_sound(samples[:4], 1) is None


@needs_model
def test_of_twenty_values_one_lies_above_the_95th_percentile(benchmark: Any) -> None:
    assert benchmark.percentile([*range(20, 0, -1)], 95) == 19
    assert benchmark.percentile([7.0], 95) == 7
    assert benchmark.percentile([1.0, 2.0, 3.0], 50) == 2


@needs_model
def test_a_spoken_sentence_knows_when_it_ends_in_the_quiet_room(benchmark: Any) -> None:
    sound = benchmark.Audio(np.concatenate((tone(0.8, 20_000), np.zeros(800, np.int16))).tobytes(), RATE)
    said = benchmark.spoken("beep", sound, seed=1)
    assert said.ends == pytest.approx(benchmark.BEFORE + 0.8, abs=0.002)
    assert len(said.samples) / RATE == pytest.approx(benchmark.BEFORE + 0.85 + benchmark.AFTER)
    assert said.samples[:800].any()


@needs_model
def test_a_row_shows_number_median_95th_percentile_and_both_ends(benchmark: Any) -> None:
    row = benchmark.Row("ours", [float(delay) for delay in range(101, 201)], right=99)
    assert str(row).split() == ["ours", "100", "99", "150", "195", "101", "200"]


@needs_model
def test_computing_that_is_slower_than_the_sound_falls_behind_and_catches_up(benchmark: Any, monkeypatch: Any) -> None:
    moments = iter([0.0, 0.1, 0.11, 0.2, 0.2])
    monkeypatch.setattr(benchmark.time, "perf_counter", lambda: next(moments))
    pace = benchmark.Pace()
    for _ in range(3):
        pace.next_frame(0.03)
    assert pace.behind == pytest.approx(0.1 - 0.03 + 0.01 - 0.03 + 0.2 - 0.11)


@needs_model
def test_an_aim_is_met_or_missed(benchmark: Any) -> None:
    assert benchmark.verdict("median", 350.0, 350.0).endswith(": met")
    assert benchmark.verdict("median", 351.0, 350.0).endswith(": missed")


@needs_model
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


# --- the rules and the answers


@every_edition
def test_a_random_game_is_played_to_its_end(rules: Any, edition: str) -> None:
    game = rules.random_game(EDITIONS[edition], 7, Random(1))
    assert isinstance(rules.with_states(game).phase, GameOver)
    assert not any(isinstance(command, do.CastVote | do.TakeSecretBallot) for command in game.commands)
    assert rules.random_game(EDITIONS[edition], 7, Random(1)) == game


@every_edition
def test_replaying_the_events_before_each_command_comes_to_the_same_end(rules: Any, edition: str) -> None:
    game = rules.random_game(EDITIONS[edition], 6, Random(2))
    assert rules.with_events_only(game) == rules.with_states(game)


def test_each_command_of_a_game_is_timed(rules: Any) -> None:
    games = [rules.random_game(EDITIONS["secret_hitler"], 5, Random(seed)) for seed in (1, 2)]
    times = rules.command_times(games)
    assert len(times) == sum(len(game.commands) for game in games)
    assert min(times) > 0


def test_of_a_hundred_times_95_do_not_exceed_the_95th_percentile(rules: Any) -> None:
    assert rules.percentile(range(100, 0, -1), 95) == 95
    assert rules.spread([3.0, 1.0, 2.0]) == "median 2.0, p95 3.0, longest 3.0"


def test_more_games_and_shorter_answers_than_aimed_at_are_met(rules: Any) -> None:
    assert rules.verdict("games", 1_000, 1_000, more_is_better=True).endswith(": met")
    assert rules.verdict("games", 999, 1_000, more_is_better=True).endswith(": missed")
    assert rules.verdict("answer", 1_000, 1_000, more_is_better=False).endswith(": met")
    assert rules.verdict("answer", 1_001, 1_000, more_is_better=False).endswith(": missed")


def test_the_rules_are_measured_for_every_edition_and_over_all(rules: Any) -> None:
    *each, overall, command, again, ratio = rules.rule_lines(EDITIONS, games=1)
    assert [line.partition(":")[0] for line in each] == list(EDITIONS)
    assert all("6 random games, " in line for line in each)
    assert overall.endswith((": met", ": missed"))
    assert "median" in command
    assert "with events only" in again
    assert "times as fast" in ratio


@every_edition
def test_answers_to_questions_and_to_commands_are_measured_on_whole_games(
    rules: Any, edition: str, tmp_path: Path
) -> None:
    questions, commands = rules.answer_times(load_library(), EDITIONS[edition], tmp_path, evenings=2)
    games = [rules.random_game(EDITIONS[edition], 5 + seed, Random(seed)) for seed in (0, 1)]
    assert len(questions) == len(commands) == sum(len(game.commands) for game in games)
    assert all(answer.passed > 0 for answer in (*questions, *commands))


def test_answers_are_told_for_questions_and_commands_with_the_disk_and_without(rules: Any) -> None:
    library = load_library()
    one = Library(library.packs, {"secret_dictator": library.editions["secret_dictator"]})
    lines = list(rules.answer_lines(one, evenings=1))
    assert ["question" in line for line in lines[::5]] == [True, False]
    assert all("computing in µs: median" in line for line in lines[1::5])
    assert [line.rpartition(": ")[2] in ("met", "missed") for line in lines] == [False, False, True, True, True] * 2


# --- the first sound of an answer


def test_the_first_sound_is_timed_and_found_ready_where_it_was_likely(monkeypatch: pytest.MonkeyPatch) -> None:
    first_sound = imported("first_sound", monkeypatch)
    lines = ["nominate ben", "what now"]
    taken, said = first_sound.timed(load_library(), "ahead", lines)
    assert said == lines
    assert len(taken.seconds) == len(taken.looking_ahead) == len(lines)
    assert all(seconds > 0 for seconds in taken.seconds)
    assert 0 < taken.ready <= len(lines)
