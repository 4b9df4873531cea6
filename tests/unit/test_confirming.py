"""What cannot be unsaid, or ends something for good, is read back and done after two words only."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path
from random import Random

import pytest
from fakes import CONFIRMED, LIBERAL_GAME, NAMES, PLAN, Evening, library, phrase, phrase_in
from private_table import PrivateTable, table_words

from gm_assistant.dialogue.intents import Intent
from gm_assistant.dialogue.messages import Term
from gm_assistant.dialogue.set_up import Plan
from gm_assistant.journal import Journals
from gm_assistant.private_evening import Times
from gm_assistant.rules.model import GameOver
from gm_assistant.session import Session
from gm_assistant.utterances import Outcome, Reply, TableUtterance

SEVEN = Plan("en", "secret_hitler", 7, ("Anna", "Ben", "Clara", "David", "Emma", "Felix", "Greta"), 1)
TO_THE_GUN = (
    *("n ben", "p", "lf", "n clara", "p", "lf", "i anna", "n david", "p", "lf", "np emma"),
    *("n felix", "p", "n", "lf"),
)
"""What is typed in a game of seven until somebody is to be shot."""


class Doubting(Evening):
    """An evening at which nothing is confirmed by itself."""

    def __init__(self, folder: Path, plan: Plan = PLAN, *before: str) -> None:
        super().__init__(folder, plan)
        for line in before:
            self.say(line)
        self.confirms = False


@pytest.fixture
def shooting(tmp_path: Path) -> Doubting:
    """A game in which a president is to shoot somebody."""
    evening = Doubting(tmp_path, SEVEN, *TO_THE_GUN)
    view = evening.session.view
    assert view is not None
    assert view.targets
    return evening


def victim(evening: Evening) -> str:
    assert evening.session.view is not None
    return evening.session.view.name(evening.session.view.targets[0])


def alive(evening: Evening) -> int:
    assert evening.session.view is not None
    return len(evening.session.view.alive)


def test_an_execution_is_read_back_and_nothing_has_happened_yet(shooting: Doubting) -> None:
    journal, name = shooting.journal, victim(shooting)
    assert shooting.say(f"shoot {name}") == f"Shoot {name}: say yes confirm, or no back."
    assert shooting.session.irreversible
    assert shooting.session.awaits_answer
    assert (alive(shooting), shooting.journal) == (7, journal)


@pytest.mark.parametrize(("line", "typed"), [("yes confirm", False), ("yes, I confirm", True), ("yc", True)])
def test_two_words_do_it(shooting: Doubting, line: str, typed: bool) -> None:
    name = victim(shooting)
    shooting.say(f"shoot {name}")
    assert shooting.say(line, typed=typed).startswith(f"{name} is shot")
    assert alive(shooting) == 6
    assert not shooting.session.irreversible


@pytest.mark.parametrize("line", ["no back", "no", "nb"])
def test_no_leaves_everything_as_it_was(shooting: Doubting, line: str) -> None:
    journal = shooting.journal
    shooting.say(f"shoot {victim(shooting)}")
    assert shooting.say(line).startswith(phrase("not-done"))
    assert (alive(shooting), shooting.journal, shooting.session.awaits_answer) == (7, journal, False)


@pytest.mark.parametrize("typed", [True, False])
def test_a_bare_yes_is_not_enough_and_says_so(shooting: Doubting, typed: bool) -> None:
    shooting.say(f"shoot {victim(shooting)}")
    assert shooting.say("yes", typed=typed) == phrase("confirm-both-words")
    assert alive(shooting) == 7
    assert shooting.session.irreversible
    shooting.say("yes confirm")
    assert alive(shooting) == 6


def test_a_question_in_between_ends_the_wait_and_is_answered(shooting: Doubting) -> None:
    shooting.say(f"shoot {victim(shooting)}")
    assert shooting.say("who is alive").startswith(phrase("not-done"))
    assert shooting.say("yes confirm", typed=True) == phrase("nothing-to-confirm")
    assert alive(shooting) == 7


def test_another_victim_takes_the_place_of_the_first(shooting: Doubting) -> None:
    assert shooting.session.view is not None
    first, second = shooting.session.view.targets[:2]
    shooting.say(f"s {first}")
    assert shooting.say(f"s {second}").startswith("Shoot")
    shooting.say(CONFIRMED)
    assert shooting.session.view.alive.count(first) == 1
    assert second not in shooting.session.view.alive


@pytest.mark.parametrize("line", ["repeat", "slower", "help", "stop"])
def test_words_about_the_talk_itself_leave_the_question_open(shooting: Doubting, line: str) -> None:
    asked = shooting.say(f"shoot {victim(shooting)}")
    answer = shooting.say(line)
    assert (answer == asked) == (line == "repeat")
    shooting.say(CONFIRMED)
    assert alive(shooting) == 6


def test_words_without_a_meaning_bring_the_question_once_more_then_it_is_dropped(shooting: Doubting) -> None:
    asked = shooting.say(f"shoot {victim(shooting)}")
    assert shooting.say("bla") == asked
    assert shooting.say("") == phrase("not-done")
    assert not shooting.session.irreversible
    assert alive(shooting) == 7


def test_undo_brings_the_shot_back_to_life(shooting: Doubting) -> None:
    name = victim(shooting)
    shooting.say(f"shoot {name}", CONFIRMED, "undo")
    assert alive(shooting) == 7


def test_the_same_shot_said_again_is_recorded_already_and_not_asked_about(shooting: Doubting) -> None:
    name = victim(shooting)
    shooting.say(f"shoot {name}", CONFIRMED)
    assert shooting.say(f"shoot {name}") == phrase("already-recorded")


def test_what_the_rules_refuse_is_refused_at_once(shooting: Doubting) -> None:
    assert shooting.session.view is not None
    assert shooting.say(f"s {shooting.session.view.president}").startswith(
        shooting.session.view.name(shooting.session.view.president)
    )
    assert not shooting.session.awaits_answer


def test_a_correction_to_another_victim_is_confirmed_too(shooting: Doubting) -> None:
    assert shooting.session.view is not None
    first, second = shooting.session.view.targets[:2]
    shooting.say(f"s {first}", CONFIRMED)
    assert shooting.say(f"correction s {second}").startswith("Shoot")
    assert second in shooting.session.view.alive
    assert shooting.say(CONFIRMED).startswith(phrase("corrected"))
    assert (first in shooting.session.view.alive, second in shooting.session.view.alive) == (True, False)


def test_the_answer_of_the_one_who_was_asked_is_read_back_alike_for_yes_and_for_no(shooting: Doubting) -> None:
    name = victim(shooting)
    shooting.say(f"shoot {name}", CONFIRMED)
    yes = shooting.say("yes i am")
    shooting.say("no back")
    no = shooting.say("no i am not")
    assert yes == f"{name} answers yes: say yes confirm, or no back."
    assert no == yes.replace("answers yes", "answers no")


def test_after_a_declined_answer_the_question_stands(shooting: Doubting) -> None:
    name = victim(shooting)
    shooting.say(f"shoot {name}", CONFIRMED, "yes i am")
    assert shooting.say("no back") == f"{phrase('not-done')} {phrase_in('secret_hitler', 'now-question', player=name)}"
    shooting.say("no i am not")
    assert shooting.say(CONFIRMED).startswith(phrase_in("secret_hitler", "is-not-dictator", player=name))


# --- the other ends


def test_the_last_law_is_read_back(tmp_path: Path) -> None:
    evening = Doubting(tmp_path, PLAN, *LIBERAL_GAME[:-1])
    assert evening.say("liberal law") == phrase("confirm-last-law", party=Term("liberal"), number=5)
    assert phrase("won-laws", party=Term("liberal"), number=5) in evening.say("yes confirm")


def test_a_law_that_ends_nothing_is_recorded_at_once(tmp_path: Path) -> None:
    evening = Doubting(tmp_path, PLAN, "n ben", "p")
    assert evening.say("liberal law").startswith(phrase("law-enacted", party=Term("liberal"), number=1))
    assert not evening.session.awaits_answer


def test_to_break_the_game_off_is_confirmed_and_to_leave_it_is_not(tmp_path: Path) -> None:
    evening = Doubting(tmp_path)
    assert evening.say("end the game") == phrase("confirm-end")
    assert evening.say("quit") == f"{phrase('not-done')} {phrase('bye')}"
    assert evening.session.over


def test_all_roles_are_told_after_two_words_and_then_freely(tmp_path: Path) -> None:
    table = PrivateTable(tmp_path, deal="headset")
    table.say("stop", "end the game")
    table.evening.confirms = False
    assert table_words(table.say("who was what")) == (table.phrase("confirm-reveal"),)
    told = table_words(table.say("yes confirm"))
    assert len(told) == 1
    assert table.phrase("confirm-reveal") not in told
    assert table_words(table.say("who was what")) == told


def test_roles_that_were_dealt_are_dealt_anew_after_two_words(tmp_path: Path) -> None:
    table = PrivateTable(tmp_path, deal="headset")
    table.say("stop")
    table.evening.confirms = False
    roles = table.roles
    assert table_words(table.say("deal by headset")) == (table.phrase("confirm-deal"),)
    assert (table.roles, table.scene) == (roles, None)
    table.say("yes confirm")
    assert table.scene is not None
    assert table.deals == 2


def test_the_first_deal_is_not_asked_about(tmp_path: Path) -> None:
    table = PrivateTable(tmp_path, deal="none", blind=())
    table.say("skip")
    table.evening.confirms = False
    table.say("deal by headset")
    assert table.deals == 1


# --- forget


def test_a_forgotten_game_is_gone_from_the_disk(tmp_path: Path) -> None:
    evening = Doubting(tmp_path, PLAN, "n ben")
    assert evening.say("forget the game") == phrase("confirm-forget")
    assert len(list(tmp_path.iterdir())) == 1
    assert evening.say("yes confirm").startswith(phrase("forgotten"))
    assert list(tmp_path.iterdir()) == []
    assert evening.session.view is None
    evening.say("clara")
    view = evening.session.view
    assert view is not None
    assert (view.players, view.president) == (NAMES, 3)


def test_a_game_that_is_not_forgotten_after_all_goes_on(tmp_path: Path) -> None:
    evening = Doubting(tmp_path, PLAN, "n ben")
    evening.say("forget the game", "no back")
    assert evening.say("vote passed").startswith("Elected.")


# --- without an answer


class Hand:
    """A clock that stands still until it is moved."""

    def __init__(self) -> None:
        self.time = datetime(2026, 5, 1, 20, 0)

    def __call__(self) -> datetime:
        return self.time

    def move(self, seconds: float) -> None:
        self.time += timedelta(seconds=seconds)


class Waiting:
    """A session whose replies are performed, and whose time passes by hand."""

    def __init__(self, folder: Path, patience: float = 8.0) -> None:
        self.hand = Hand()
        times = Times(confirmation=patience)
        self.session = Session(library(), PLAN, Journals(folder), self.hand, "en", random=Random(0), times=times)
        self.session.open()

    def say(self, line: str) -> str:
        return self.words(self.session.hear(line, typed=True))

    def words(self, reply: Reply) -> str:
        self.session.performed(Outcome(len(reply)))
        return " ".join(one.text for one in reply if isinstance(one, TableUtterance))


def test_silence_is_asked_once_more_and_then_means_no(tmp_path: Path) -> None:
    waiting = Waiting(tmp_path)
    asked = waiting.say("end the game")
    assert waiting.session.seconds_left == 8
    waiting.hand.move(8)
    assert waiting.session.seconds_left == 0
    assert waiting.words(waiting.session.time_is_up()) == asked
    assert waiting.session.seconds_left == 8
    waiting.hand.move(9)
    assert waiting.words(waiting.session.time_is_up()) == phrase("not-done")
    assert waiting.session.seconds_left is None
    assert waiting.say("yes confirm") == phrase("nothing-to-confirm")


def test_the_time_begins_when_the_question_has_been_said(tmp_path: Path) -> None:
    waiting = Waiting(tmp_path)
    reply = waiting.session.hear("end the game", typed=True)
    waiting.hand.move(30)
    assert waiting.session.seconds_left is None
    waiting.words(reply)
    assert waiting.session.seconds_left == 8


def test_whoever_has_no_hurry_is_waited_for(tmp_path: Path) -> None:
    waiting = Waiting(tmp_path, patience=0)
    waiting.say("end the game")
    waiting.hand.move(10_000)
    assert waiting.session.seconds_left is None
    waiting.say("yes confirm")
    assert waiting.session.view is not None
    assert isinstance(waiting.session.view.phase, GameOver)


def test_an_answer_that_was_begun_in_time_counts(tmp_path: Path) -> None:
    waiting = Waiting(tmp_path)
    waiting.say("end the game")
    waiting.hand.move(12)
    assert waiting.say("yes confirm") == phrase("abandoned")


def test_the_two_words_can_be_spoken_only_while_they_are_asked_for(tmp_path: Path) -> None:
    evening = Doubting(tmp_path)
    assert evening.say("yes confirm", typed=False) == phrase("pardon")
    evening.say("end the game")
    assert evening.session.grammar.parse("yes confirm") == Intent("confirm")
    assert evening.session.grammar.parse("who is president") == Intent("who_is_president")


def test_a_game_that_cannot_be_deleted_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    evening = Doubting(tmp_path, PLAN, "n ben")
    journal = evening.journal

    def refuse(_: Path) -> None:
        raise PermissionError

    monkeypatch.setattr(Path, "unlink", refuse)
    evening.say("forget the game")
    assert evening.say("yes confirm").startswith("The game in ")
    assert evening.journal == journal
    assert evening.say("vote passed").startswith("Elected.")
