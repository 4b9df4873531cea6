"""Questions that wait cross with what else can happen: secret votes, undo, roll calls, sleep, what nobody could do."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest
from fakes import PLAN, Evening, phrase
from test_asking_back import history, votes

from gm_assistant.dialogue.set_up import Plan

FIVE = ("Anna", "Ben", "Clara", "Dora", "Emil")
SECRET = Plan("en", "secret_despotar", 5, FIVE, 1)


def doubting(folder: Path, plan: Plan = PLAN, deadline: int | None = None) -> Evening:
    """Return an evening at which nothing is confirmed by itself."""
    evening = Evening(folder, plan, vote_deadline=deadline)
    evening.confirms = False
    return evening


@pytest.mark.parametrize("asking", ["end the game", "forget the game"])
def test_a_secret_vote_is_taken_alike_while_something_waits_to_be_confirmed(tmp_path: Path, asking: str) -> None:
    heard = set()
    for vote in ("y", "n"):
        ballot = doubting(tmp_path / vote, SECRET)
        ballot.say("n 2", "sb", asking)
        heard.add(" ".join(one.text for one in ballot.reply(vote) if hasattr(one, "text")))
        assert not ballot.session.irreversible
    assert len(heard) == 1
    assert "Anna" in heard.pop()


@pytest.mark.parametrize("end", ["nb", "who is president", "undo"])
def test_a_secret_ballot_has_its_whole_time_after_a_question(tmp_path: Path, end: str) -> None:
    ballot = doubting(tmp_path, SECRET, deadline=60)
    ballot.say("n 2", "sb", "end the game")
    ballot.clock.time += timedelta(seconds=50)
    ballot.say(end)
    assert (ballot.session.seconds_left or 0) > 50


def test_a_vote_does_not_give_a_secret_ballot_more_time(tmp_path: Path) -> None:
    ballot = doubting(tmp_path, SECRET, deadline=60)
    ballot.say("n 2", "sb")
    ballot.clock.time += timedelta(seconds=50)
    ballot.say("y")
    assert 0 < (ballot.session.seconds_left or 0) <= 10


@pytest.mark.parametrize("asking", ["end the game", "nominate", "nominate Clara, no, Dora"])
def test_undo_withdraws_what_waits_and_takes_nothing_back(tmp_path: Path, asking: str) -> None:
    evening = doubting(tmp_path)
    evening.say("n 2", "va yes", "ll")
    before = history(evening)
    evening.say(asking)
    assert evening.session.awaits_answer
    assert evening.say("undo") in (phrase("not-done"), phrase("question-dropped"))
    assert not evening.session.awaits_answer
    assert history(evening) == before


@pytest.mark.parametrize("typed", [True, False])
def test_a_correction_in_a_roll_call_is_of_the_vote_before(tmp_path: Path, typed: bool) -> None:
    evening = doubting(tmp_path)
    evening.say("nominate ben", "roll call", "yes")
    evening.say("correction no", typed=typed)
    assert votes(evening) == {1: False}
    evening.say("yes")
    assert votes(evening) == {1: False, 2: True}


def test_nobody_chooses_between_what_is_refused_anyway(tmp_path: Path) -> None:
    evening = doubting(tmp_path)
    evening.say("nominate ben", "nominate clara, no, dora")
    assert not evening.session.awaits_answer


def test_another_question_says_that_the_first_was_not_done(tmp_path: Path) -> None:
    evening = doubting(tmp_path)
    evening.say("end the game")
    assert evening.say("nominate") == f"{phrase('not-done')} {phrase('whom')}"


def test_the_next_game_is_not_asleep(tmp_path: Path) -> None:
    evening = Evening(tmp_path)
    evening.say("go to sleep", "end the game", "new game")
    assert not evening.session.asleep


def test_blanks_around_a_line_do_not_count(tmp_path: Path) -> None:
    evening = doubting(tmp_path)
    evening.say(" " * 400 + "nominate ben")
    assert len(history(evening).done) == 2


@pytest.mark.parametrize("asking", ["end the game", "nominate"])
def test_a_question_still_waits_after_what_was_refused(tmp_path: Path, asking: str) -> None:
    evening = doubting(tmp_path)
    evening.say(asking, "shoot ben")
    assert evening.session.awaits_answer
    evening.say("yc" if asking == "end the game" else "ben")
    assert len(history(evening).done) == 2


@pytest.mark.parametrize("line", ["y", "n", "yy", "ja", "nay"])
def test_no_line_of_a_secret_ballot_is_said_aloud_as_a_name(tmp_path: Path, line: str) -> None:
    ballot = doubting(tmp_path, SECRET)
    ballot.say("n 2", "sb")
    assert ballot.say("pr 3") == ballot.say("pr 4")
    assert line not in [word.strip(".,:").lower() for word in ballot.say(line).split()]
    assert not ballot.session.names.respellings
