from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise, permutations
from math import log10
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gm_assistant.dialogue.reminders import REMINDERS, reminders
from gm_assistant.errors import AudioError
from gm_assistant.library import load_library
from gm_assistant.speech.equal_rhythm import EASY, STRETCHED, WIDE, Part, common_rhythm
from gm_assistant.speech.equal_whispers import LONGEST_BREATH, PAUSE, equal_whispers
from gm_assistant.speech.ports import Audio, HeadsetAudio
from gm_assistant.speech.pyttsx3_synthesizer import CachedSynthesizer, SynthesizerProcess
from gm_assistant.speech.resampling import audio_of, samples_of
from gm_assistant.utterances import Secret

RATE = 2_000
"""Hz of the voice that is no voice."""
LETTER = 0.06
"""s."""


@dataclass
class Hum:
    """In place of a voice: the more letters the longer; each text has a pitch and a loudness of its own.

    As a real one it knows whole words a minute only, and a tempo makes it only nearly as fast as it should.
    """

    asked: list[tuple[str, float]] = field(default_factory=list)
    clumsiness: float = 0.1
    peak: float = 12_000

    def __call__(self, text: str, tempo: float) -> Audio:
        self.asked.append((text, tempo))
        given = round(200 * tempo) / 200
        seconds = len(text) * LETTER / given ** (1 - self.clumsiness)
        moments = np.arange(max(1, round(seconds * RATE))) / RATE
        wave = self.peak * (0.4 + 0.2 * (len(text) % 4)) * np.sin(2 * np.pi * pitch(text) * moments)
        return audio_of(wave.astype(np.int16), RATE)


def pitch(text: str) -> float:
    """Return the Hz at which a text is hummed."""
    return 200 + 5 * (sum(map(ord, text)) % 100)


def loudness(whisper: HeadsetAudio) -> float:
    """Return the root mean square in dB."""
    return 20 * log10(float(np.sqrt(np.mean(samples_of(whisper.audio).astype(np.float64) ** 2))))


def sentences(whisper: HeadsetAudio) -> list[tuple[int, int]]:
    """Return where the sentences begin and end, in samples: between two it is silent for longer than 0.25 s."""
    audible = np.flatnonzero(np.abs(samples_of(whisper.audio).astype(np.int32)) > 40)
    gaps = np.flatnonzero(np.diff(audible) > 0.25 * whisper.audio.rate)
    begins = [audible[0], *audible[gaps + 1]]
    ends = [*audible[gaps], audible[-1]]
    return [(int(begin), int(end) + 1) for begin, end in zip(begins, ends, strict=True)]


def pauses(whisper: HeadsetAudio) -> list[float]:
    """Return how long it is silent between sentences, in s."""
    found = sentences(whisper)
    return [(after[0] - before[1]) / whisper.audio.rate for before, after in pairwise(found)]


def pitches(whisper: HeadsetAudio) -> list[float]:
    """Return the Hz of each hummed sentence."""
    return [hummed(samples_of(whisper.audio)[begin:end]) for begin, end in sentences(whisper)]


def hummed(samples: np.ndarray[Any, Any]) -> float:
    spectrum = np.abs(np.fft.rfft(samples * np.hanning(len(samples)), 16 * RATE))
    return float(np.argmax(spectrum)) / 16


def secrets(*texts: str) -> tuple[Secret, ...]:
    return tuple(map(Secret, texts))


def text_of(letters: int, mark: str) -> str:
    return (mark + "x" * letters)[: max(letters, len(mark))]


def strain(told: Any, fillers: Any, parts: tuple[Part, ...]) -> float:
    """Return by how much a sentence is spoken faster or slower than by itself, the worst of all."""
    natural = [[*own, *(fillers[n] for n in part.reminders)] for own, part in zip(told, parts, strict=True)]
    pairs = [pair for own, part in zip(natural, parts, strict=True) for pair in zip(own, part.lengths, strict=True)]
    return max(max(before / after - 1, 1 - before / after) for before, after in pairs)


FILLERS = tuple(text_of(letters, f"r{letters}") for letters in range(18, 74, 4))
"""14 reminders of 1.1 to 4.2 s."""

own_lengths = st.lists(st.lists(st.floats(0.6, 4.5), min_size=1, max_size=6), min_size=2, max_size=10)
filler_lengths = st.lists(st.floats(-0.05, 0.05), min_size=12, max_size=20).map(
    lambda shifts: [1.0 + 3.3 * place / (len(shifts) - 1) + shift for place, shift in enumerate(shifts)]
)


# Which reminders, and how long each sentence.


@settings(max_examples=40, deadline=None)
@given(told=own_lengths, fillers=filler_lengths, order=st.integers(0, 9))
def test_all_whispers_get_the_same_number_of_sentences_and_the_same_length(told, fillers, order):
    parts = common_rhythm(told, fillers, PAUSE, order=order)
    assert len({len(part.lengths) for part in parts}) == 1
    assert all(sum(part.lengths) == pytest.approx(sum(parts[0].lengths), abs=1e-6) for part in parts)
    for own, part in zip(told, parts, strict=True):
        assert len(part.lengths) == len(own) + len(part.reminders)


@settings(max_examples=40, deadline=None)
@given(told=own_lengths, fillers=filler_lengths)
def test_twelve_to_twenty_reminders_are_enough_for_each_once_and_no_tempo_far_from_the_voices_own(told, fillers):
    parts = common_rhythm(told, fillers, PAUSE)
    assert all(len(set(part.reminders)) == len(part.reminders) for part in parts)
    assert strain(told, fillers, parts) <= WIDE + 1e-6


REAL = [[0.7, 1.0], [0.9, 1.0], [0.7, 2.6, 1.8], [0.75, 2.3, 1.7]]
"""Liberals, the dictator, and two fascists: lengths as espeak-ng speaks them."""
REAL_FILLERS = [1.0, 1.3, 1.35, 1.4, 1.7, 1.8, 2.3, 2.4, 2.5, 2.6, 3.2, 3.25, 3.3, 3.8, 4.1, 4.3]


def test_a_real_game_needs_no_tempo_beyond_the_easy_one_and_lasts_whole_seconds():
    parts = common_rhythm(REAL, REAL_FILLERS, PAUSE)
    assert strain(REAL, REAL_FILLERS, parts) <= EASY + 1e-6
    seconds = sum(parts[0].lengths) + PAUSE * (len(parts[0].lengths) - 1)
    assert seconds == pytest.approx(round(seconds), abs=1e-6)


def test_the_last_sentences_of_a_real_game_begin_together():
    parts = common_rhythm(REAL, REAL_FILLERS, PAUSE)
    begins = [sum(part.lengths[:-1]) for part in parts]
    assert max(begins) - min(begins) <= 0.1


def test_a_real_game_has_no_more_sentences_than_two_beyond_the_longest_whisper():
    parts = common_rhythm(REAL, REAL_FILLERS, PAUSE)
    assert len(parts[0].lengths) <= 5


def test_whispers_that_fit_as_they_are_get_no_reminder():
    parts = common_rhythm([[1.0, 2.0], [1.05, 1.95]], REAL_FILLERS, PAUSE)
    assert [part.reminders for part in parts] == [(), ()]
    assert parts[0].lengths == pytest.approx(parts[1].lengths)


def test_the_length_does_not_depend_on_who_comes_first():
    forwards, backwards = (common_rhythm(told, REAL_FILLERS, PAUSE) for told in (REAL, REAL[::-1]))
    assert forwards == backwards[::-1]


def test_another_order_takes_other_reminders_for_a_whisper_as_long():
    ways = [common_rhythm(REAL, REAL_FILLERS, PAUSE, order=order) for order in range(6)]
    assert len({tuple(part.reminders for part in parts) for parts in ways}) > 1
    assert all(strain(REAL, REAL_FILLERS, parts) <= EASY + 1e-6 for parts in ways)


def test_long_names_are_spoken_faster_only_where_reminders_cannot_make_up_for_them():
    """Six sentences of 7 s against one of 0.6 s, and twelve reminders of 2 s: within 15 % that cannot be evened out."""
    told, fillers = [[7.0] * 6, [0.6]], [2.0 + n / 100 for n in range(12)]
    parts = common_rhythm(told, fillers, PAUSE)
    assert WIDE < strain(told, fillers, parts) <= STRETCHED[1] + 1e-6
    assert sum(parts[0].lengths) == pytest.approx(sum(parts[1].lengths))


def test_too_few_reminders_are_said_more_than_once():
    parts = common_rhythm([[2.0] * 5, [2.0]], [1.9, 2.1], PAUSE)
    assert [len(part.lengths) for part in parts] == [5, 5]
    assert sorted(parts[1].reminders) == [0, 0, 1, 1]


def test_without_whispers_there_is_no_rhythm():
    assert common_rhythm([], REAL_FILLERS, PAUSE) == ()


# The sound.

ROLES = (
    secrets("You are a liberal.", "You are told no names."),
    secrets("You are the dictator.", "You are told no names."),
    secrets("You are a fascist.", "With you: Anna on seat three and Ben on seat four.", "Protect Clara on seat five."),
    secrets("You are a fascist.", "With you: Jo on seat one and Bo on seat four.", "Protect Clara on seat five."),
)


def spread(whispers: tuple[HeadsetAudio, ...]) -> float:
    found = [loudness(whisper) for whisper in whispers]
    return max(found) - min(found)


letters = st.integers(10, 110)
own_texts = st.lists(st.lists(letters, min_size=1, max_size=6), min_size=2, max_size=10).map(
    lambda lengths: [
        secrets(*(text_of(count, f"s{whose}.{place}") for place, count in enumerate(own)))
        for whose, own in enumerate(lengths)
    ]
)


@settings(max_examples=20, deadline=None)
@given(variants=own_texts, order=st.integers(0, 5))
def test_whispers_are_equal_to_the_sample_as_loud_and_have_the_same_pauses(variants, order):
    whispers = equal_whispers(variants, FILLERS, Hum(), order=order)
    assert len(whispers) == len(variants)
    assert len({whisper.audio.samples for whisper in whispers}) == 1
    assert spread(whispers) < 0.1
    assert len({len(sentences(whisper)) for whisper in whispers}) == 1
    assert all(pause == pytest.approx(PAUSE, abs=0.02) for whisper in whispers for pause in pauses(whisper))
    assert all(np.abs(samples_of(whisper.audio).astype(np.int32)).max() <= 32_000 for whisper in whispers)


def test_ones_own_sentences_come_first_and_each_reminder_once():
    whispers = equal_whispers(ROLES, FILLERS, Hum())
    for variant, whisper in zip(ROLES, whispers, strict=True):
        heard = pitches(whisper)
        own = [pitch(secret.reveal()) for secret in variant]
        assert heard[: len(own)] == pytest.approx(own, rel=0.01)
        rest = [min(FILLERS, key=lambda text, tone=tone: abs(pitch(text) - tone)) for tone in heard[len(own) :]]
        assert heard[len(own) :] == pytest.approx([pitch(text) for text in rest], rel=0.01)
        assert len(set(rest)) == len(rest)


def test_every_sentence_is_as_loud_as_the_others():
    for whisper in equal_whispers(ROLES, FILLERS, Hum()):
        samples = samples_of(whisper.audio).astype(np.float64)
        levels = [float(np.sqrt(np.mean(samples[begin:end] ** 2))) for begin, end in sentences(whisper)]
        assert max(levels) < 1.03 * min(levels)


def test_the_voice_is_asked_for_no_tempo_far_from_its_own():
    hum = Hum()
    equal_whispers(ROLES, FILLERS, hum)
    asked = [tempo for _, tempo in hum.asked]
    assert min(asked) < 1 < max(asked)
    assert all(1 - 1.3 * EASY < tempo < 1 + 1.3 * EASY for tempo in asked)


def test_a_voice_that_does_not_know_tempos_is_resampled():
    def stubborn(text: str, tempo: float) -> Audio:
        return Hum()(text, 1.0)

    whispers = equal_whispers(ROLES, FILLERS, stubborn)
    assert len({whisper.audio.samples for whisper in whispers}) == 1
    assert len({len(sentences(whisper)) for whisper in whispers}) == 1


def test_the_same_whispers_sound_the_same_again():
    assert equal_whispers(ROLES, FILLERS, Hum()) == equal_whispers(ROLES, FILLERS, Hum())


def test_what_is_said_to_two_players_is_one_sound():
    whispers = equal_whispers((ROLES[0], ROLES[2], ROLES[0]), FILLERS, Hum())
    assert whispers[0] == whispers[2] != whispers[1]


def test_a_loud_voice_does_not_clip():
    whispers = equal_whispers(ROLES, FILLERS, Hum(peak=32_700))
    tops = [int(np.abs(samples_of(whisper.audio).astype(np.int32)).max()) for whisper in whispers]
    assert max(tops) <= 32_000
    assert spread(whispers) < 0.1


def test_a_long_silence_inside_a_sentence_is_shortened_to_a_breath():
    def halting(text: str, tempo: float) -> Audio:
        half = samples_of(Hum()(text, tempo))
        return audio_of(np.concatenate((half, np.zeros(round(0.4 * RATE), np.int16), half)), RATE)

    (whisper,) = equal_whispers([secrets("Seat three, and so on")], (), halting)
    assert len(sentences(whisper)) == 1
    assert whisper.audio.seconds == pytest.approx(2 * 21 * LETTER + LONGEST_BREATH, abs=0.01)


def test_a_sentence_in_which_nothing_sounds_does_no_harm():
    def often_silent(text: str, tempo: float) -> Audio:
        return audio_of(np.zeros(100, np.int16), RATE) if text == "..." else Hum()(text, tempo)

    whispers = equal_whispers([secrets("..."), secrets("...", "Something.")], FILLERS, often_silent)
    assert len({whisper.audio.samples for whisper in whispers}) == 1
    assert spread(whispers) < 0.1


def test_what_the_voice_raises_goes_through():
    def failing(text: str, tempo: float) -> Audio:
        raise AudioError("voice-failed", language="en")

    with pytest.raises(AudioError) as failed:
        equal_whispers(ROLES, FILLERS, failing)
    assert failed.value.key == "voice-failed"


def test_no_variants_are_no_whispers():
    assert equal_whispers([], FILLERS, Hum()) == ()


# What could be whispered in any game.

PEOPLE = ("Jo", "Anna", "Clara", "Bernadette", "Maximiliane Henriette")
FELLOWS = {person: f"The fascist beside you is {person}." for person in PEOPLE}
DICTATORS = {person: f"Protect the dictator {person}." for person in PEOPLE}
FRAME = (
    (secrets("You are a liberal."), secrets("You are told no names.")),
    (secrets("You are the dictator."), secrets("You are told no names.")),
    (secrets("You are a fascist."), secrets(*FELLOWS.values()), secrets(*DICTATORS.values())),
)


def in_a_game(one: str, other: str, dictator: str) -> tuple[HeadsetAudio, ...]:
    """Return the whispers to a liberal, the dictator and two fascists."""
    fascists = (secrets("You are a fascist.", FELLOWS[person], DICTATORS[dictator]) for person in (one, other))
    liberal, leader = (tuple(sentence for (sentence,) in kind) for kind in FRAME[:2])
    return equal_whispers((liberal, leader, *fascists), FILLERS, Hum(), FRAME)


def test_length_loudness_and_number_of_sentences_tell_nothing_of_who_was_dealt_what():
    games = [in_a_game(*dealt) for dealt in [*permutations(PEOPLE, 3)][::3]]
    everything = tuple(whisper for game in games for whisper in game)
    assert len({whisper.audio.samples for whisper in everything}) == 1
    assert len({len(sentences(whisper)) for whisper in everything}) == 1
    assert spread(everything) < 0.1


def test_without_a_frame_long_names_would_make_a_longer_game():
    """So the frame is what hides them."""

    def alone(fellow: str, dictator: str) -> int:
        own = secrets("You are a fascist.", FELLOWS[fellow], DICTATORS[dictator])
        return equal_whispers((own, ROLES[0]), FILLERS, Hum())[0].audio.samples

    assert alone("Jo", "Anna") < alone("Maximiliane Henriette", "Bernadette")


def test_a_whisper_that_the_frame_does_not_know_is_as_long_as_the_others():
    unknown = secrets("You are a stranger.", "And nobody has ever said such a sentence to anybody in a game before.")
    whispers = equal_whispers((unknown, secrets("You are a liberal.", "You are told no names.")), FILLERS, Hum(), FRAME)
    assert {whisper.audio.samples for whisper in whispers} == {in_a_game("Jo", "Anna", "Clara")[0].audio.samples}


def test_a_whisper_with_more_sentences_than_the_frame_does_no_harm():
    many = secrets(*(f"This is sentence number {number}." for number in range(9)))
    whispers = equal_whispers((many, secrets("You are a liberal.", "You are told no names.")), FILLERS, Hum(), FRAME)
    assert len({whisper.audio.samples for whisper in whispers}) == 1


# Short whispers without reminders.

TOKENS = (
    secrets("Seat three: the token with the eagle."),
    secrets("Seat three: the token with the pie chart."),
    secrets("Seat three: the token with the little figure."),
)


def test_short_whispers_are_evened_out_by_their_tempo_alone():
    hum = Hum()
    whispers = equal_whispers(TOKENS, (), hum)
    assert len({whisper.audio.samples for whisper in whispers}) == 1
    assert all(sentences(whisper)[-1][1] == pytest.approx(whisper.audio.samples, abs=5) for whisper in whispers)
    assert all(1 - 1.3 * WIDE < tempo < 1 + 1.3 * WIDE for _, tempo in hum.asked)


def test_what_no_tempo_can_even_out_is_silence_at_the_end():
    hum = Hum()
    short, long = equal_whispers(
        (secrets("Yes, it is."), secrets("No, it is not at all as you may think it was.")), (), hum
    )
    assert short.audio.samples == long.audio.samples
    assert sentences(short)[-1][1] < 0.5 * short.audio.samples
    assert sentences(long)[-1][1] == pytest.approx(long.audio.samples, abs=5)
    assert spread((short, long)) < 0.1
    assert all(1 - 1.3 * WIDE < tempo < 1 + 1.3 * WIDE for _, tempo in hum.asked)


def test_without_reminders_whispers_keep_their_own_number_of_sentences():
    short, long = equal_whispers((secrets("Yes, it is so."), secrets("No, it is not.", "Not at all.")), (), Hum())
    assert short.audio.samples == long.audio.samples
    assert [len(sentences(whisper)) for whisper in (short, long)] == [1, 2]


# Real voices, real games.

LIBRARY = load_library()
EDITIONS = tuple(LIBRARY.editions)


@pytest.fixture(scope="module")
def synthesizer() -> Iterator[CachedSynthesizer]:
    cached = CachedSynthesizer(SynthesizerProcess())
    yield cached
    cached.close()


@pytest.fixture
def benchmark(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The benchmark of whispers; the repository need not be where the tests were started."""
    monkeypatch.setattr(sys, "path", [str(Path(__file__).parents[2]), *sys.path])
    return importlib.import_module("tests.benchmarks.whispers")


@pytest.mark.model
@pytest.mark.parametrize("names", ["SHORT", "LONG"])
@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("language", ["en", "de"])
def test_all_whispers_of_a_game_are_equally_long_and_loud_with_the_same_pauses(
    benchmark: Any, synthesizer: CachedSynthesizer, language: str, edition: str, names: str
) -> None:
    for players in (5, 7, 10):
        teller = benchmark.Teller(LIBRARY, LIBRARY.editions[edition], language, synthesizer)
        game = teller.roles(getattr(benchmark, names)[:players], seed=players)
        assert len(game.whispers) == players
        assert len({whisper.samples for whisper in game.whispers}) == 1
        assert game.loudness < 0.1
        assert len(game.counts) == 1
        lengths = [end - begin for whisper in game.whispers for begin, end in benchmark.pauses(whisper)]
        assert max(lengths) - min(lengths) < 0.06
        assert game.ends[0] < 500


@pytest.mark.model
@pytest.mark.parametrize("language", ["en", "de"])
def test_a_whisper_can_be_understood_to_be_speech_at_the_voices_own_loudness(
    benchmark: Any, synthesizer: CachedSynthesizer, language: str
) -> None:
    game = benchmark.Teller(LIBRARY, LIBRARY.editions[EDITIONS[0]], language, synthesizer).roles(benchmark.SHORT[:7], 1)
    assert all(-26 < benchmark.decibels(whisper) < -16 for whisper in game.whispers)


@pytest.mark.parametrize("language", sorted(LIBRARY.packs))
@pytest.mark.parametrize("edition", EDITIONS)
def test_the_reminders_grow_longer_and_none_comes_twice(language: str, edition: str) -> None:
    texts = reminders(LIBRARY.phrasebook(language, edition))
    assert len(set(texts)) == REMINDERS
    thirds = [sum(map(len, texts[start : start + 5])) for start in (0, 5, 11)]
    assert thirds == sorted(thirds)


@pytest.mark.parametrize("language", sorted(LIBRARY.packs))
@pytest.mark.parametrize("edition", EDITIONS)
def test_a_reminder_names_no_role_and_has_no_pause_inside(language: str, edition: str) -> None:
    texts = reminders(LIBRARY.phrasebook(language, edition))
    names = LIBRARY.editions[edition].names[language]
    roles = [names[role]["name"].casefold() for role in ("liberal", "fascist", "dictator")]
    assert [text for text in texts if any(role in text.casefold() for role in roles)] == []
    assert [text for text in texts if set(text[:-1]) & set(",;:.!?")] == []


# The benchmark.


def test_silences_at_both_ends_and_breaths_are_no_pauses(benchmark: Any) -> None:
    def hum(seconds: float) -> Any:
        return np.full(round(seconds * RATE), 5_000, np.int16)

    def silence(seconds: float) -> Any:
        return np.zeros(round(seconds * RATE), np.int16)

    parts = (silence(0.4), hum(1), silence(0.2), hum(1), silence(0.35), hum(1), silence(0.5))
    found = benchmark.pauses(audio_of(np.concatenate(parts), RATE))
    assert found == [pytest.approx((2.6, 2.95), abs=0.001)]


def test_half_of_full_scale_is_6_db_below_it(benchmark: Any) -> None:
    assert benchmark.decibels(audio_of(np.full(100, 16_384, np.int16), RATE)) == pytest.approx(-6.02, abs=0.01)


def test_a_game_is_as_unequal_as_its_whispers(benchmark: Any) -> None:
    one, other = (audio_of(np.full(count, level, np.int16), RATE) for count, level in ((2_000, 4_000), (2_100, 8_000)))
    game = benchmark.Game((one, other), 0.1)
    assert game.lengths == pytest.approx(50)
    assert game.loudness == pytest.approx(6.02, abs=0.01)
    assert (game.counts, game.ends) == ({1}, [])


def test_an_aim_of_whispers_is_met_or_missed(benchmark: Any) -> None:
    assert benchmark.verdict("length", 50.0, 50.0).endswith(": met")
    assert benchmark.verdict("length", 50.1, 50.0).endswith(": missed")


@pytest.mark.model
def test_whispers_are_measured_for_every_language_and_edition(benchmark: Any, synthesizer: CachedSynthesizer) -> None:
    *each, counts, length, level = benchmark.lines(LIBRARY, synthesizer, (5,))
    assert len(each) == 4 * len(LIBRARY.packs) * len(EDITIONS)
    assert all("spread of lengths 0.00 ms" in line for line in each)
    assert ": 0 of" in counts
    assert length.endswith(": met")
    assert level.endswith(": met")
