"""The questions before a game."""

from __future__ import annotations

from pathlib import Path

import pytest
from fakes import EMPTY_PLAN, NAMES, Evening, library, phrase

from gm_assistant.dialogue.messages import Message, Person
from gm_assistant.dialogue.set_up import Plan, cleaned, with_first, with_name, with_names
from gm_assistant.errors import RuleViolation
from gm_assistant.utterances import HeadsetUtterance

PACK = library().packs["en"]
EDITION = library().editions["secret_dictator"]
ALL_NAMES = ",".join(NAMES)


@pytest.fixture
def evening(tmp_path: Path) -> Evening:
    return Evening(tmp_path, EMPTY_PLAN)


def test_everything_is_asked_in_order(tmp_path: Path) -> None:
    evening = Evening(tmp_path, Plan(None, "secret_dictator"))
    assert evening.opening == phrase("ask-language")
    assert evening.say("english") == phrase("ask-count", least=5, most=10)
    assert evening.say("five") == f"{phrase('count-is', number=5)} {phrase('ask-name', number=1)}"
    for seat, name in enumerate(NAMES, 1):
        answer = evening.say(name)
        assert answer.startswith(phrase("name-is", number=seat, name=name))
    assert answer.endswith(phrase("ask-first-oldest"))
    assert evening.say("seat three").endswith(phrase("prompt-nomination"))
    assert evening.session.view is not None
    assert (evening.session.view.players, evening.session.view.president) == (NAMES, 3)


def test_the_edition_is_asked_with_the_default_one_first(tmp_path: Path) -> None:
    evening = Evening(tmp_path, Plan("en"))
    names = ("Secret Dictator", "Secret Despotar", "Secret Hitler", "Service Rat")
    assert evening.opening == phrase("ask-edition", editions=tuple(map(Person, names)))
    assert evening.say("secret dictator") == phrase("ask-count", least=5, most=10)


def test_the_language_can_be_typed_as_its_code(tmp_path: Path) -> None:
    evening = Evening(tmp_path, Plan(None, "secret_dictator"))
    assert evening.say(" EN ") == phrase("ask-count", least=5, most=10)


def test_from_the_answer_on_the_chosen_language_is_spoken(tmp_path: Path) -> None:
    if "de" not in library().packs:
        pytest.skip("there is no German")
    evening = Evening(tmp_path, Plan(None, "secret_dictator"))
    evening.say("german")
    assert evening.session.language == "de"
    german = library().phrasebook("de", None)
    assert evening.say("repeat") == german.phrase(Message("pardon"))
    assert evening.say("5").endswith(german.phrase(Message("ask-name", {"number": 1})))


def test_all_names_can_be_typed_at_once(evening: Evening) -> None:
    assert evening.say(ALL_NAMES) == f"{phrase('count-is', number=5)} {phrase('ask-first-oldest')}"


def test_a_player_can_do_without_a_name(evening: Evening) -> None:
    evening.say("five")
    assert evening.say("skip").startswith(phrase("name-is", number=1, name=phrase("seat-name", number=1)))
    evening.say("skip", "skip", "skip", "skip", "seat two")
    assert evening.say("who is president") == phrase("president-is", president=phrase("seat-name", number=2))


def test_a_name_that_is_no_common_one_can_be_typed_but_not_spoken(evening: Evening) -> None:
    evening.say("five")
    assert evening.say("Xanthippe", typed=False) == phrase("pardon")
    assert evening.say("Xanthippe").startswith(phrase("name-is", number=1, name="Xanthippe"))


def test_back_opens_the_question_before(evening: Evening) -> None:
    evening.say("five", "Anna")
    assert evening.say("undo") == f"{phrase('back-to')} {phrase('ask-name', number=1)}"
    assert evening.say("undo") == f"{phrase('back-to')} {phrase('ask-count', least=5, most=10)}"
    assert evening.say("undo").startswith(phrase("nothing-to-go-back"))
    assert evening.say("six").endswith(phrase("ask-name", number=1))


def test_help_asks_the_question_again(evening: Evening) -> None:
    assert evening.say("help") == f"{phrase('examples-set-up')} {phrase('ask-count', least=5, most=10)}"


def test_a_whispered_help_is_for_the_headset(evening: Evening) -> None:
    (utterance,) = evening.reply("whisper help")
    assert isinstance(utterance, HeadsetUtterance)


def test_no_command_of_the_game_is_understood(evening: Evening) -> None:
    assert evening.say("nominate seat two") == phrase("pardon")


def test_quit_leaves_without_a_game(evening: Evening) -> None:
    assert evening.say("quit") == phrase("bye-without-game")
    assert evening.session.over
    assert evening.journal == b""


def test_nothing_is_saved_before_the_last_answer(evening: Evening) -> None:
    evening.say(ALL_NAMES)
    assert evening.journal == b""
    evening.say("anna")
    assert evening.journal.count(b"\n") == 2


def test_resume_during_the_questions_brings_the_old_game_back(tmp_path: Path) -> None:
    Evening(tmp_path).say("nominate ben")
    evening = Evening(tmp_path, EMPTY_PLAN)
    assert ", ".join(NAMES) in evening.opening
    evening.say("five", "Zoe")
    assert evening.say("resume").startswith(phrase("resumed"))
    assert evening.say("who is nominated") == phrase("candidate-is", candidate="Ben")


def test_resume_without_an_old_game_asks_on(evening: Evening) -> None:
    assert evening.say("resume") == f"{phrase('no-game-waiting')} {phrase('ask-count', least=5, most=10)}"


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("  Anna  ", "Anna"),
        ("An\tna\n", "An na"),
        ("\u200bAnna\u202e", "Anna"),
        ("A\u00a0\u2003b", "A b"),
        ("a\u0308", "\u00e4"),
        ("\x00", ""),
    ],
)
def test_a_name_keeps_what_can_be_seen(given: str, kept: str) -> None:
    assert cleaned(given) == kept


def refused(names: tuple[str, ...]) -> tuple[str, dict[str, object]]:
    with pytest.raises(RuleViolation) as violation:
        with_names(Plan("en"), names, EDITION, PACK)
    return violation.value.key, violation.value.facts


def test_names_are_refused_with_their_seat() -> None:
    assert refused(("A", "B", " ", "D", "E")) == ("empty-name", {"number": 3})
    assert refused(("A", "B", "C", "D", "x" * 41)) == ("long-name", {"number": 5, "most": 40})
    assert refused(("A", "B", "C", "--", "E")) == ("unspeakable-name", {"number": 4})
    assert refused(("A", "seat five", "C", "D", "E")) == ("confusing-name", {"name": "seat five", "number": 2})
    assert refused(("Jo", "B", "C", "D", "JO!")) == ("doubled-name", {"name": "JO!"})
    assert refused(("A", "B")) == ("wrong-number-of-players", {"number": 2, "least": 5, "most": 10})


def test_a_name_may_be_the_number_of_its_own_seat_or_of_none() -> None:
    plan = with_names(Plan("en"), ("seat one", "player two", "3", "number nine", "99"), EDITION, PACK)
    assert plan.names == ("seat one", "player two", "3", "number nine", "99")


def test_the_longest_name_is_allowed() -> None:
    assert with_name(Plan("en", count=5), "x" * 40, PACK).names == ("x" * 40,)


@pytest.mark.parametrize(("name", "seat"), [("ben", 2), ("BEN!", 2), ("seat 2", 2), ("the fifth player", 5), ("1", 1)])
def test_the_first_president_is_a_name_or_a_seat(name: str, seat: int) -> None:
    assert with_first(Plan("en", names=NAMES), name, PACK).first == seat


@pytest.mark.parametrize("said", ["my name is Xanthippe", "My name is Xanthippe.", "the name is Xanthippe"])
def test_words_around_a_typed_name_are_left_out(tmp_path: Path, said: str) -> None:
    evening = Evening(tmp_path, Plan("en", "secret_dictator", 5))
    assert evening.say(said).startswith(phrase("name-is", number=1, name="Xanthippe"))


@pytest.mark.parametrize("said", ["what now", "who is next", "read the board"])
def test_a_sentence_of_the_game_is_no_name(tmp_path: Path, said: str) -> None:
    evening = Evening(tmp_path, Plan("en", "secret_dictator", 5))
    assert evening.say(said) == phrase("pardon")
    assert evening.say("Al").startswith(phrase("name-is", number=1, name="Al"))


def test_a_list_of_names_may_end_as_people_write_it(tmp_path: Path) -> None:
    evening = Evening(tmp_path, Plan("en", "secret_dictator"))
    assert evening.say("Anna, Ben, Clara, Dora and Emil").startswith(phrase("count-is", number=5))
    assert evening.say("Emil").startswith(phrase("started", players=tuple(map(Person, NAMES))))
