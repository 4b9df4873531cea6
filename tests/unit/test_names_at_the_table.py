"""Names in a whole evening: corrected by the leader, called by another word, mixed up by the recogniser."""

from __future__ import annotations

import wave
from pathlib import Path

import pytest
from fakes import EMPTY_PLAN, GAME, OPEN, PLAN, TYPED, Evening, phrase, program
from spoken import has_package, needs

from gm_assistant.dialogue.hearing import Hearing, Unheard
from gm_assistant.dialogue.messages import Person
from gm_assistant.dialogue.set_up import Plan
from gm_assistant.names import Note
from gm_assistant.settings import NameSettings, load_settings

PLAYERS = ("Anna", "Hanna", "Xaver", "Dora", "Emil")


@pytest.fixture
def evening(tmp_path: Path) -> Evening:
    return Evening(tmp_path)


def with_recogniser(folder: Path, plan: Plan = EMPTY_PLAN) -> Evening:
    evening = Evening(folder, plan, begin=False)
    evening.session.names.hears = lambda players, _: Hearing(
        tuple(Unheard(name, ("saver",)) for name in players if name == "Xaver"),
        frozenset({frozenset({"Anna", "Hanna"})}) if {"Anna", "Hanna"} <= {*players} else frozenset(),
    )
    evening.session.open(False)
    return evening


def test_a_pronunciation_is_corrected_in_one_line(evening: Evening) -> None:
    assert evening.say("pr 3 Klaara") == phrase("name-is", number=3, name="Klaara")
    assert evening.session.names.respelled("Ask Clara.") == "Ask Klaara."


def test_a_spoken_correction_asks_for_the_spelling(evening: Evening) -> None:
    assert evening.say("pronounce clara", typed=False) == phrase("ask-spelling", name="Clara")
    assert evening.session.takes_enter
    assert evening.say("Klaara") == phrase("name-is", number=3, name="Klaara")
    assert not evening.session.takes_enter


def test_enter_alone_says_a_name_as_it_is_written(evening: Evening) -> None:
    evening.say("pr 3 Klaara", "pr 3")
    assert evening.say("") == phrase("name-is", number=3, name="Clara")
    assert evening.session.names.respelled("Clara") == "Clara"


def test_what_is_printed_keeps_the_spelling_of_the_name(evening: Evening) -> None:
    evening.say("pr 3 Klaara")
    assert "Clara" in evening.say("nominate klaara", typed=False)


def test_a_bad_respelling_is_refused_and_the_game_goes_on(evening: Evening) -> None:
    evening.say("pr 3")
    assert evening.say("😀") == phrase("unspeakable-name", number=3)
    assert evening.say("pr 3 " + "x" * 41) == phrase("long-name", number=3, most=40)
    assert "Clara" in evening.say("n 3")


def test_the_word_that_was_chosen_names_the_player_in_play(tmp_path: Path) -> None:
    evening = with_recogniser(tmp_path)
    evening.say(", ".join(PLAYERS))
    evening.say("one", typed=False)
    evening.say("seat one")
    assert "saver" in evening.session.grammar.speakable.words()
    assert "Xaver" in evening.say("nominate saver", typed=False)


def test_a_name_that_sounds_like_another_is_asked_about_when_it_was_spoken(tmp_path: Path) -> None:
    evening = with_recogniser(tmp_path, Plan("en", "secret_dictator", 5, ("Emil", "Anna", "Hanna", "Dora", "Ben"), 1))
    asked = evening.say("nominate anna", typed=False)
    assert "Anna" in asked
    assert "Hanna" in asked
    assert evening.session.awaits_answer
    assert "Anna" in evening.say("seat two", typed=False)
    assert not evening.session.awaits_answer


def test_what_is_typed_is_never_asked_about(tmp_path: Path) -> None:
    evening = with_recogniser(tmp_path, Plan("en", "secret_dictator", 5, ("Emil", "Anna", "Hanna", "Dora", "Ben"), 1))
    evening.say("nominate anna")
    assert not evening.session.awaits_answer


def test_only_players_without_any_word_are_told_to_be_unheard(evening: Evening) -> None:
    unheard = evening.session.unheard
    (told,) = unheard(frozenset({"clara", "dora"}))
    assert "Clara" in told.text
    assert "Dora" in told.text
    evening.session.names.remember({"Clara": Note(heard="karla"), "Dora": Note(heard="")}, lambda _: None)
    assert unheard(frozenset({"clara", "dora"})) == ()
    assert "Clara" in unheard(frozenset({"clara", "karla"}))[0].text


def test_a_plan_from_the_command_line_asks_about_its_names_first(tmp_path: Path) -> None:
    evening = Evening(tmp_path, Plan("en", "secret_dictator", 5, PLAYERS, 1), begin=False)
    evening.session.names.hears = lambda *_: Hearing((Unheard("Xaver", ("saver",)),))
    (asked,) = evening.session.open(False)
    assert asked.text == phrase("ask-hearing-1", name="Xaver", number=3, first="saver")
    assert evening.say("/").startswith(phrase("listens-for-seat", name="Xaver", number=3))
    assert evening.session.view is not None


def test_without_a_recogniser_the_game_begins_at_once(tmp_path: Path) -> None:
    assert Evening(tmp_path, PLAN).session.view is not None


def sound_of(home: Path, settings: str) -> Path:
    """Return the folder of what a game with these settings sounds like."""
    home.mkdir()
    (home / "settings.yaml").write_text(settings, "utf-8")
    flags = ("--settings", str(home / "settings.yaml"), "--output", str(home / "sound"))
    ran = program(home, *GAME, *OPEN, *flags, typed="q\n")
    assert "Anna" in ran.lines[0]
    assert "Annabella" not in ran.out
    return home / "sound"


def test_the_program_says_a_name_as_the_settings_spell_it_and_prints_it_as_it_is_written(tmp_path: Path) -> None:
    needs(has_package("espeakng_loader"), "espeakng_loader")
    plain, long = (
        sound_of(tmp_path / "a", ""),
        sound_of(tmp_path / "b", "names: {Anna: {said: Annabella of Pomerania}}"),
    )
    assert (long / "table.wav").stat().st_size > (plain / "table.wav").stat().st_size + 10_000


@pytest.mark.model
def test_the_program_tells_which_names_sound_alike_where_it_listens_and_only_there(tmp_path: Path) -> None:
    needs(has_package("pocketsphinx") and has_package("espeakng_loader"), "pocketsphinx and espeakng_loader")
    with wave.open(str(tmp_path / "quiet.wav"), "wb") as file:
        file.setparams((1, 2, 16_000, 0, "NONE", ""))
        file.writeframes(bytes(32_000))
    flags = ("--players", "Anna,Hanna,Xaver,Dora,Emil", "--first", "Anna")
    told = phrase("names-alike", players=(Person("Anna"), Person("Hanna")))
    assert (
        program(tmp_path, *TYPED, *flags, "--input", str(tmp_path / "quiet.wav")).lines[0].startswith(f"table: {told}")
    )
    assert told not in program(tmp_path, *TYPED, *flags, "--new", typed="q\n").out


def test_a_respelling_at_the_table_is_written_into_the_settings(tmp_path: Path) -> None:
    program(tmp_path, *GAME, typed="pr 3 Klaara\nq\n")
    file = tmp_path / "config" / "gm_assistant" / "settings.yaml"
    assert load_settings(file).names == {"Clara": NameSettings("Klaara")}
