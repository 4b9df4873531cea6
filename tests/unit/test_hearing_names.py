"""At set-up every name is held against the recogniser: what it cannot hear is asked about, what it mixes up is told."""

from __future__ import annotations

from random import Random

import pytest
from fakes import library
from first_names import first_names

from gm_assistant.dialogue.hearing import Hearing, Unheard
from gm_assistant.dialogue.intents import Intent
from gm_assistant.dialogue.messages import Message, Messages
from gm_assistant.dialogue.set_up import Plan, Question
from gm_assistant.errors import GmError, RuleViolation
from gm_assistant.names import Names, Note, Notes
from gm_assistant.setting_up import SettingUp

PLAYERS = "Anna, Hanna, Xaver, Ayşe, Emil"
FOUND = Hearing(
    (Unheard("Xaver", ("saver", "favor")), Unheard("Ayşe", ("Asia",)), Unheard("Emil")),
    frozenset({frozenset({"Anna", "Hanna"})}),
)


def hears(_: tuple[str, ...], __: str) -> Hearing:
    return FOUND


def setting_up(names: Names, plan: Plan | None = None, language: str = "en") -> SettingUp:
    return SettingUp(library(), plan or Plan(language, "secret_dictator"), language, Random(1), names)


def with_recogniser(notes: Notes | None = None) -> Names:
    names = Names(notes or {})
    names.hears = hears
    return names


def say(set_up: SettingUp, text: str) -> Messages:
    """Answer by voice."""
    parsed = set_up.grammar.parse(text)
    assert isinstance(parsed, Intent), (text, parsed)
    return set_up.answered(parsed)


def keys(messages: Messages) -> list[str]:
    return [message.key for message in messages]


def asked(set_up: SettingUp) -> Message:
    (question,) = set_up.question
    return question


def test_without_a_recogniser_nothing_is_asked_or_told() -> None:
    set_up = setting_up(Names())
    assert keys(set_up.typed(PLAYERS) or ()) == ["count-is"]
    assert set_up.plan.question is Question.FIRST


def test_each_name_that_cannot_be_heard_is_asked_about_once_all_are_known() -> None:
    set_up = setting_up(with_recogniser())
    say(set_up, "five")
    for name in PLAYERS.split(", "):
        assert set_up.plan.question is Question.NAME
        set_up.typed(name)
    facts = {"name": "Xaver", "number": 3, "first": "saver", "second": "favor"}
    assert (asked(set_up).key, asked(set_up).facts) == ("ask-hearing-2", facts)
    assert (told := say(set_up, "two"))[0].key == "listens-for"
    assert told[0].facts == {"name": "Xaver", "number": 3, "word": "favor"}
    assert asked(set_up).key == "ask-hearing-1"
    assert keys(say(set_up, "seat")) == ["listens-for-seat"]
    assert set_up.plan.question is Question.FIRST


@pytest.mark.parametrize("answer", ["seat", "by seat", "the seat", "seat three", "seat number three", "none of them"])
def test_the_seat_can_be_chosen(answer: str) -> None:
    names = with_recogniser()
    set_up = setting_up(names)
    set_up.typed(PLAYERS)
    assert keys(say(set_up, answer)) == ["listens-for-seat"]
    assert names.wordings(set_up.plan.names, "en") == {}


@pytest.mark.parametrize("answer", ["one", "number one", "the first one", "the first"])
def test_a_word_can_be_chosen_by_its_number(answer: str) -> None:
    names = with_recogniser()
    set_up = setting_up(names)
    set_up.typed(PLAYERS)
    say(set_up, answer)
    assert names.wordings(set_up.plan.names, "en") == {"saver": 3}


@pytest.mark.parametrize("answer", ["eins", "nummer eins", "die erste", "der erste", "das erste"])
def test_a_word_can_be_chosen_in_german(answer: str) -> None:
    names = with_recogniser()
    set_up = setting_up(names, language="de")
    set_up.typed(PLAYERS)
    say(set_up, answer)
    assert names.wordings(set_up.plan.names, "de") == {"saver": 3}


@pytest.mark.parametrize("answer", ["platz", "der platz", "platz drei", "platz nummer drei", "keiner davon"])
def test_the_seat_can_be_chosen_in_german(answer: str) -> None:
    set_up = setting_up(with_recogniser(), language="de")
    set_up.typed(PLAYERS)
    assert keys(say(set_up, answer)) == ["listens-for-seat"]


@pytest.mark.parametrize(("line", "key"), [("1", "listens-for"), ("2", "listens-for"), ("/", "listens-for-seat")])
def test_the_answer_can_be_typed(line: str, key: str) -> None:
    set_up = setting_up(with_recogniser())
    set_up.typed(PLAYERS)
    parsed = set_up.grammar.parse(line, typed=True)
    assert isinstance(parsed, Intent)
    assert keys(set_up.answered(parsed)) == [key]


def test_a_number_that_was_not_offered_is_refused_and_the_question_stays() -> None:
    set_up = setting_up(with_recogniser())
    set_up.typed(PLAYERS)
    with pytest.raises(RuleViolation, match="no-such-word"):
        say(set_up, "three")
    assert asked(set_up).key == "ask-hearing-2"


def test_the_word_can_be_said_for_the_player_from_then_on() -> None:
    set_up = setting_up(with_recogniser())
    set_up.typed(PLAYERS)
    say(set_up, "one")
    say(set_up, "seat")
    parsed = set_up.grammar.parse("saver is the oldest")
    assert parsed == Intent("choose_first", {"player": 3})
    assert "saver" in set_up.grammar.speakable.words()


def test_back_asks_again() -> None:
    names = with_recogniser()
    set_up = setting_up(names)
    set_up.typed(PLAYERS)
    say(set_up, "one")
    set_up.back()
    assert asked(set_up).key == "ask-hearing-2"
    say(set_up, "two")
    assert names.wordings(set_up.plan.names, "en") == {"favor": 3}


def test_names_that_are_mixed_up_are_told_once_with_advice() -> None:
    set_up = setting_up(with_recogniser())
    told = set_up.typed(PLAYERS) or ()
    assert keys(told) == ["count-is", "names-alike", "say-the-seat"]
    assert keys(say(set_up, "one")) == ["listens-for"]


def test_names_that_came_with_the_command_are_looked_at_as_well() -> None:
    plan = Plan("en", "secret_dictator", 5, tuple(PLAYERS.split(", ")), first=1)
    set_up = setting_up(with_recogniser(), plan)
    assert keys(set_up.looked_at_names()) == ["names-alike", "say-the-seat"]
    assert asked(set_up).key == "ask-hearing-2"
    assert not set_up.has_answers
    say(set_up, "one")
    say(set_up, "one")
    assert set_up.question == ()


def test_what_was_decided_on_another_evening_is_not_asked_again() -> None:
    set_up = setting_up(with_recogniser({"Xaver": Note(heard="favor"), "Ayşe": Note(heard="")}))
    set_up.typed(PLAYERS)
    assert set_up.plan.question is Question.FIRST
    assert set_up.grammar.parse("favor") == Intent("choose_first", {"player": 3})


def test_that_a_choice_cannot_be_kept_is_told_and_the_set_up_goes_on() -> None:
    def broken(_: Notes) -> None:
        raise GmError("settings-unwritable", file="x", problem="full", setting="names")

    names = Names({}, broken)
    names.hears = hears
    set_up = setting_up(names)
    set_up.typed(PLAYERS)
    assert keys(say(set_up, "one")) == ["listens-for", "settings-unwritable"]
    assert asked(set_up).key == "ask-hearing-1"


def test_another_number_of_players_is_looked_at_anew() -> None:
    set_up = setting_up(with_recogniser())
    set_up.typed(PLAYERS)
    set_up.back()
    assert set_up.plan.question is Question.COUNT
    assert keys(set_up.typed(PLAYERS) or ()) == ["count-is", "names-alike", "say-the-seat"]


@pytest.mark.parametrize("origin", first_names())
def test_the_set_up_takes_every_name(origin: str) -> None:
    listed = first_names()[origin]
    for start in range(0, len(listed) - 5, 5):
        names = listed[start : start + 5]
        set_up = setting_up(Names())
        set_up.typed(", ".join(names))
        assert len(set_up.plan.names) == 5
        assert set_up.plan.question is Question.FIRST


def test_a_dotted_capital_i_is_one_letter() -> None:
    set_up = setting_up(Names())
    set_up.typed("İpek, Ben, Clara, Dora, Emil")
    assert set_up.grammar.parse("ipek") == Intent("choose_first", {"player": 1})
    assert "ipek" in set_up.grammar.speakable.words()


@pytest.mark.parametrize("name", ["Q", "Will", "R2D2", "x" * 40, "Anna 2", "😀Benno", "O'Hara", "Jean-Luc", "محمد"])
def test_odd_names_are_taken_too(name: str) -> None:
    names = Names()
    names.hears = lambda players, _: Hearing((Unheard(players[0], ("saver",)),))
    set_up = setting_up(names)
    set_up.typed(f"{name}, Ben, Clara, Dora, Emil")
    assert set_up.plan.names[0] == name
    say(set_up, "one")
    assert set_up.grammar.parse("saver") == Intent("choose_first", {"player": 1})
