"""Names in a whole evening: corrected by the leader, called by another word, mixed up by the recogniser."""

from __future__ import annotations

from pathlib import Path

import pytest
from fakes import EMPTY_PLAN, PLAN, Evening, phrase

from gm_assistant.dialogue.hearing import Hearing, Unheard
from gm_assistant.dialogue.set_up import Plan
from gm_assistant.names import Note

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
