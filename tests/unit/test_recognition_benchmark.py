"""The arithmetic of the benchmark of recognition: levels, echo, counting. Nothing is recognised here."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
from pathlib import Path
from random import Random
from types import ModuleType

import numpy as np
import pytest

from gm_assistant.dialogue.grammar import Grammar
from gm_assistant.dialogue.intents import ANSWERS, IN_PLAY, Ambiguous, Intent, NotUnderstood
from gm_assistant.library import load_library

RATE = 16_000


def part(name: str, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """Return a module of the benchmark; the repository need not be where the tests were started."""
    monkeypatch.setattr(sys, "path", [str(Path(__file__).parents[2]), *sys.path])
    return importlib.import_module(f"tests.benchmarks.recognition.{name}")


@pytest.fixture
def sound(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    return part("sound", monkeypatch)


@pytest.fixture
def scores(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    return part("scores", monkeypatch)


def speech() -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """Return half a second of tone, a second of pause, half a second of tone."""
    moments = np.arange(RATE // 2) / RATE
    tone = 0.2 * np.sin(2 * np.pi * 300 * moments)
    return np.concatenate((tone, np.zeros(RATE), tone))


# --- levels


def test_pauses_do_not_make_speech_softer(sound: ModuleType) -> None:
    assert sound.active_rms(speech()) == pytest.approx(0.2 / np.sqrt(2), rel=0.01)
    assert sound.rms(speech()) == pytest.approx(0.1, rel=0.01)


def test_speech_is_brought_to_a_level_and_silence_stays_silent(sound: ModuleType) -> None:
    assert sound.decibels(sound.active_rms(sound.at_level(speech(), -30))) == pytest.approx(-30, abs=0.01)
    assert not sound.at_level(np.zeros(1000), -30).any()


@pytest.mark.parametrize("ratio", [20, 10, 5])
def test_noise_lies_so_many_decibels_below_the_speech(sound: ModuleType, ratio: float) -> None:
    noise = np.random.default_rng(1).normal(0, 0.5, 2 * RATE)
    mixed = sound.below(noise, speech(), ratio)
    assert sound.decibels(sound.active_rms(speech()) / sound.rms(mixed)) == pytest.approx(ratio, abs=0.01)


@pytest.mark.parametrize("condition", ["babble 10 dB", "music 5 dB", "far in the room", "clean"])
def test_the_microphone_hears_noise_before_during_and_after_the_speech(
    sound: ModuleType, condition: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sound.Studio, "_all_babble", np.random.default_rng(2).normal(0, 1, 5 * RATE))
    monkeypatch.setattr(sound.Studio, "_all_music", np.random.default_rng(3).normal(0, 1, 5 * RATE))
    chosen = next(one for one in sound.CONDITIONS if one.name == condition)
    heard = sound.Studio(tmp_path, ()).heard(speech(), chosen, np.random.default_rng(1), before=0.5, after=2.0)
    before, spoken, end = (sound.rms(piece) for piece in (heard[: RATE // 2], heard[RATE // 2 : RATE], heard[-RATE:]))
    assert before == pytest.approx(end, rel=0.1)
    assert before > 0
    if chosen.noise:
        ratio = sound.decibels(np.sqrt(spoken**2 - before**2) / before)
        assert ratio == pytest.approx(chosen.below, abs=2 if chosen.far else 0.7)
    else:
        assert before == pytest.approx(sound.ROOM_TONE, rel=0.05)


def test_too_loud_sound_is_clipped_and_not_folded_over(sound: ModuleType) -> None:
    assert np.frombuffer(sound.to_pcm(np.array([2.0, -2.0, 0.5])), "<i2").tolist() == [32_767, -32_768, 16_384]


# --- the room


def test_an_echo_falls_by_sixty_decibels_in_the_reverberation_time(sound: ModuleType) -> None:
    response = sound.room_response(np.random.default_rng(1), reverberation=0.45)
    energy = np.cumsum(np.square(response[1:])[::-1])[::-1]
    decay = 10 * np.log10(energy / energy[0])
    five, twenty_five = (int(np.argmax(decay < level)) / RATE for level in (-5, -25))
    assert 3 * (twenty_five - five) == pytest.approx(0.45, rel=0.1)


@pytest.mark.parametrize("direct", [2.0, -3.0])
def test_the_direct_sound_stands_so_far_above_the_echo(sound: ModuleType, direct: float) -> None:
    response = sound.room_response(np.random.default_rng(1), direct=direct)
    echo = np.sqrt(np.sum(np.square(response[1:])))
    assert sound.decibels(response[0] / echo) == pytest.approx(direct, abs=0.01)


def test_an_echo_goes_on_after_the_sound(sound: ModuleType) -> None:
    click = np.zeros(100)
    click[10] = 0.5
    response = np.array([1.0, 0.0, -0.25])
    assert sound.echoing(click, response)[[10, 11, 12]] == pytest.approx([0.5, 0.0, -0.125])
    assert len(sound.echoing(click, response)) == 102


# --- seeds and what is kept


def test_the_same_seed_gives_the_same_sound_and_another_one_another(sound: ModuleType) -> None:
    for make in (sound.music, sound.knocks, sound.laughter):
        first, again, other = (make(1.0, np.random.default_rng(seed)) for seed in (1, 1, 2))
        assert np.array_equal(first, again)
        assert not np.array_equal(first, other)
        assert np.abs(first).max() == pytest.approx(1)


def test_what_was_spoken_once_is_not_spoken_again(
    sound: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spoken = []
    monkeypatch.setattr(sound, "_espeak", lambda speaker, text: spoken.append(text) or speech())
    somebody = sound.Speaker("somebody", "en-us")
    sounds = [sound.Studio(tmp_path, ()).says(somebody, text) for text in ("yes", "yes", "no")]
    assert spoken == ["yes", "no"]
    assert np.array_equal(sounds[0], sounds[1])
    assert sound.decibels(sound.active_rms(sounds[0])) == pytest.approx(sound.LEVEL, abs=0.1)


def test_at_least_ten_voices_speak_and_none_of_them_is_twice_the_same(sound: ModuleType) -> None:
    assert len({(who.voice, who.speed, who.pitch) for who in sound.PEOPLE}) == len(sound.PEOPLE) >= 10
    assert not {(who.voice, who.speed, who.pitch) for who in sound.PEOPLE} & {
        (who.voice, who.speed, who.pitch) for who in sound.BABBLERS
    }


# --- counting


def test_each_outcome_is_told_from_the_others(scores: ModuleType) -> None:
    wanted, changing, found = Intent("nominate", {"player": 2}), {"nominate"}, scores.Outcome
    for parsed, expected in (
        (Intent("nominate", {"player": 2}), found.RIGHT),
        (Intent("nominate", {"player": 3}), found.WRONG_COMMAND),
        (Intent("nominate", {"player": 2}, correction=True), found.WRONG_COMMAND),
        (Intent("help"), found.WRONG_ANSWER),
        (Ambiguous((wanted, Intent("nominate", {"player": 3}))), found.ASKED),
        (NotUnderstood(), found.REJECTED),
    ):
        assert scores.outcome(parsed, wanted, changing) is expected


def test_shares_are_of_all_sentences_and_losses_tell_what_happened(scores: ModuleType) -> None:
    score, found = scores.Score(), scores.Outcome
    for outcome in (found.RIGHT, found.RIGHT, found.RIGHT, found.REJECTED):
        score.add(outcome, "what was heard", "speaker joe")
    assert (score.percent(found.RIGHT), score.percent(found.REJECTED)) == (75, 25)
    assert score.losses == ["rejected: what was heard"]
    assert score.by_group["speaker joe"][found.RIGHT] == 3
    other = scores.Score()
    other.add(found.WRONG_COMMAND, "no", "speaker joe")
    score.merge(other)
    assert score.number == 5
    assert score.by_group["speaker joe"].total() == 5


def test_nothing_heard_is_no_share(scores: ModuleType) -> None:
    assert scores.Score().percent(scores.Outcome.RIGHT) == 0
    assert scores.share(1, 0) == 0


def test_an_aim_is_met_at_its_value_unless_it_must_stay_under_it(scores: ModuleType) -> None:
    assert scores.at_least("right", 98.0, 98.0) == "right: 98 %, aim at least 98 %, met"
    assert scores.at_least("right", 97.99, 98.0).endswith(", missed")
    assert scores.at_most("wait", 300.0, 300, "ms") == "wait: 300 ms, aim at most 300 ms, met"
    assert scores.at_most("wait", 300.4, 300, "ms").endswith(", missed")
    assert scores.under("false", 0.5, 0.5) == "false: 0.5 %, aim under 0.5 %, missed"
    assert scores.under("false", 0.25, 0.35, "") == "false: 0.25, aim under 0.35, met"


# --- what is said


@pytest.fixture
def sentences(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    return part("sentences", monkeypatch)


def test_talk_is_none_of_the_sentences_of_the_assistant(sentences: ModuleType) -> None:
    pack = load_library().pack("en", "secret_dictator")
    players = ("Anna", "Ben", "Clara", "David", "Dora", "Emil")
    grammar = Grammar(pack, players, IN_PLAY | ANSWERS)
    meant = [text for _, text in sentences.talk() if isinstance(grammar.parse(text), Intent)]
    assert len(sentences.talk()) >= 150
    assert meant == []


def test_a_game_gives_sentences_with_the_meaning_they_have_in_their_situation(
    sentences: ModuleType, tmp_path: Path
) -> None:
    said = sentences.games(tmp_path, seed=3, sentences=40)
    assert len({(wanted.text, wanted.grammar.players) for wanted in said}) == 40
    assert all(wanted.grammar.parse(wanted.text) == wanted.intent for wanted in said)
    assert len({id(wanted.grammar) for wanted in said}) > 1


def test_all_sentences_and_all_people_come_equally_often(sentences: ModuleType) -> None:
    wanted = [sentences.Wanted(text, Intent("help"), None) for text in "abcd"]
    pairs = sentences.spread(wanted, ("joe", "jim"), 8, Random(1))
    assert sorted(one.text for one, _ in pairs) == list("aabbccdd")
    assert sorted(who for _, who in pairs) == ["jim"] * 4 + ["joe"] * 4


# --- sound in place of a microphone


def test_a_tape_goes_on_where_it_was_left_and_leaves_out_what_is_skipped(monkeypatch: pytest.MonkeyPatch) -> None:
    tape = part("hearing", monkeypatch).Tape()
    tape.load(np.repeat(np.arange(5) / 32_768, 512))
    tape.open()
    first = tape.read()
    tape.shut()
    tape.skip(2 * 512 / RATE)
    tape.open()
    assert [np.frombuffer(frame, "<i2")[0] for frame in (first, tape.read(), tape.read())] == [0, 3, 4]
    assert tape.read() is None
    assert tape.heard == 4


# --- the computer


@pytest.mark.skipif(not Path("/proc/self/smaps_rollup").exists(), reason="only Linux tells")
def test_a_child_belongs_to_the_family_and_its_memory_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    resources = part("resources", monkeypatch)
    program = "data = bytearray(b'x' * 30_000_000); print('ready', flush=True); input()"
    with subprocess.Popen([sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
        assert child.stdout is not None
        child.stdout.readline()
        assert child.pid in resources.family(os.getpid())
        assert resources.memory(child.pid) > 30_000_000
        assert resources.processor_seconds([child.pid]) > 0
        child.communicate(b"\n")
    assert resources.memory(child.pid) == 0
