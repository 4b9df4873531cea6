"""The assistant asks: whom, which one, and for one vote after the other; votes come in one go, too."""

from __future__ import annotations

from pathlib import Path

import pytest
from fakes import PLAN, Evening, phrase
from test_confirming import TO_THE_GUN

from gm_assistant.dialogue.intents import Intent
from gm_assistant.dialogue.set_up import Plan
from gm_assistant.rules.history import History
from gm_assistant.rules.model import Election
from gm_assistant.rules.views import TableView

ALIKE = Plan("en", "secret_dictator", 5, ("Anna", "Hanna", "Ben", "Dora", "Emil"), 5)


@pytest.fixture
def evening(tmp_path: Path) -> Evening:
    return Evening(tmp_path, PLAN)


@pytest.fixture
def election(evening: Evening) -> Evening:
    """Ben is nominated; nobody has voted."""
    evening.say("nominate ben")
    return evening


def view(evening: Evening) -> TableView:
    assert evening.session.view is not None
    return evening.session.view


def history(evening: Evening) -> History:
    assert evening.session.history is not None
    return evening.session.history


def votes(evening: Evening) -> dict[int, bool]:
    phase = view(evening).phase
    assert isinstance(phase, Election)
    return dict(phase.votes)


# --- whom


@pytest.mark.parametrize("typed", [True, False])
@pytest.mark.parametrize("answer", ["Ben", "seat two", "the second player", "nominate Ben"])
def test_a_command_in_pieces_is_completed(evening: Evening, answer: str, typed: bool) -> None:
    assert evening.say("nominate", typed=typed) == phrase("whom")
    assert evening.session.awaits_answer
    assert evening.say(answer, typed=typed).startswith(phrase("nominated", player="Ben"))
    assert not evening.session.awaits_answer


def test_a_name_alone_means_nothing_as_long_as_nobody_was_asked(evening: Evening) -> None:
    assert evening.say("Ben") == phrase("pardon")


def test_what_cannot_be_done_now_is_refused_and_not_asked_about(evening: Evening) -> None:
    assert evening.say("investigate").startswith("Nobody can be investigated now")
    assert not evening.session.awaits_answer


def test_a_law_without_its_colour_is_asked_about(election: Evening) -> None:
    election.say("vote passed")
    assert election.say("law enacted") == phrase("which-law")
    assert election.say("liberal").startswith("First liberal law.")


def test_any_other_sentence_is_understood_instead(evening: Evening) -> None:
    evening.say("nominate")
    assert evening.say("who is president") == phrase("president-is", president="Anna")
    assert evening.say("Ben") == phrase("pardon")


def test_the_question_comes_once_more_and_is_then_dropped(evening: Evening) -> None:
    evening.say("nominate")
    assert evening.say("bla") == phrase("whom")
    assert evening.say("bla") == phrase("question-dropped")
    assert evening.say("bla") == phrase("pardon")


def test_silence_brings_the_question_once_more_too(evening: Evening) -> None:
    evening.say("nominate")
    assert evening.say("", typed=False) == phrase("whom")
    assert evening.say("Ben", typed=False).startswith(phrase("nominated", player="Ben"))


def test_a_pause_ends_the_question(evening: Evening) -> None:
    evening.say("nominate", "pause")
    assert evening.say("nominate") == phrase("still-paused")
    evening.say("go on")
    assert evening.say("Ben") == phrase("pardon")


# --- which


def test_who_corrects_a_sentence_in_the_same_breath_is_asked(evening: Evening) -> None:
    assert evening.say("nominate Clara, no, Ben") == "Who: Clara or Ben?"
    assert len(history(evening).done) == 1
    assert evening.say("Ben").startswith(phrase("nominated", player="Ben"))


@pytest.mark.parametrize(
    ("answer", "name"), [("the first one", "Clara"), ("the second one", "Ben"), ("seat 3", "Clara")]
)
def test_which_one_can_be_answered_by_its_place(evening: Evening, answer: str, name: str) -> None:
    evening.say("nominate Clara, no, Ben")
    assert evening.say(answer).startswith(phrase("nominated", player=name))


def test_a_player_who_was_not_offered_is_no_answer(evening: Evening) -> None:
    asked = evening.say("nominate Clara, no, Ben")
    assert evening.say("Dora") == asked
    assert evening.say("the third one") == phrase("question-dropped")


def test_other_second_thoughts_are_read_out_as_sentences(election: Evening) -> None:
    election.say("vote passed")
    assert election.say("liberal, no, fascist") == "Which one: liberal law or fascist law?"
    assert election.say("the second one").startswith("First fascist law.")


def test_names_that_sound_alike_are_asked_about_when_they_are_spoken(tmp_path: Path) -> None:
    evening = Evening(tmp_path, ALIKE)
    evening.session._play.alike = frozenset({frozenset({"Anna", "Hanna"})})
    assert evening.say("nominate Hanna", typed=False) == "Who: Hanna on seat 2 or Anna on seat 1?"
    assert evening.say("Hanna", typed=False).startswith(phrase("nominated", player="Hanna"))
    evening.say("undo")
    assert evening.say("nominate Hanna", typed=True).startswith(phrase("nominated", player="Hanna"))
    evening.say("undo")
    assert evening.say("nominate seat two", typed=False).startswith(phrase("nominated", player="Hanna"))


def test_a_name_is_not_asked_about_if_the_other_one_cannot_be_meant(tmp_path: Path) -> None:
    evening = Evening(tmp_path, Plan("en", "secret_dictator", 5, ALIKE.names, 1))
    evening.session._play.alike = frozenset({frozenset({"Anna", "Hanna"})})
    assert evening.say("nominate Hanna", typed=False).startswith(phrase("nominated", player="Hanna"))


# --- one vote after the other


def test_a_roll_call_asks_everybody_alive(election: Evening) -> None:
    assert election.say("roll call") == f"{phrase('roll-call')} {phrase('next-voter', player='Anna')}"
    said = [election.say(vote, typed=False) for vote in ("yes", "no", "Clara yes", "yes")]
    assert said == [
        f"Yes from Anna. {phrase('next-voter', player='Ben')}",
        f"No from Ben. {phrase('next-voter', player='Clara')}",
        f"Yes from Clara. {phrase('next-voter', player='Dora')}",
        f"Yes from Dora. {phrase('next-voter', player='Emil')}",
    ]
    assert election.say("yes", typed=False).startswith("Yes from Emil. Elected, 4 to 1.")
    assert not election.session.awaits_answer


def test_undo_in_a_roll_call_takes_one_vote_back_and_asks_for_it_again(election: Evening) -> None:
    election.say("roll call", "yes", "no")
    assert election.say("undo") == f"Taken back: No from Ben. {phrase('next-voter', player='Ben')}"
    election.say("yes")
    assert votes(election) == {1: True, 2: True}


def test_a_question_does_not_end_a_roll_call(election: Evening) -> None:
    election.say("roll call", "yes", "who is president")
    election.say("no")
    assert votes(election) == {1: True, 2: False}


def test_a_command_ends_a_roll_call(election: Evening) -> None:
    election.say("roll call", "yes")
    assert election.say("vote failed").startswith("Not elected.")
    assert not election.session.awaits_answer


def test_a_roll_call_goes_on_where_votes_are_missing(election: Evening) -> None:
    election.say("Anna yes", "Ben no")
    assert election.say("roll call").endswith(phrase("next-voter", player="Clara"))


def test_without_a_vote_there_is_no_roll_call(evening: Evening) -> None:
    assert evening.say("roll call").startswith("There is nothing to vote on now.")


def test_a_roll_call_that_is_not_answered_is_dropped_calmly(election: Evening) -> None:
    election.say("roll call")
    assert election.say("", typed=False) == phrase("next-voter", player="Anna")
    assert election.say("", typed=False) == phrase("question-dropped")
    assert votes(election) == {}


# --- votes in one go


def test_votes_in_one_go_are_counted_at_once(election: Evening) -> None:
    told = election.say("Anna yes, Ben no, Clara yes, Dora yes and Emil no", typed=False)
    assert told.startswith("Elected, 3 to 2.")
    assert "from" not in told.partition("Give")[0]


def test_votes_in_one_go_are_one_step(election: Evening) -> None:
    before = history(election)
    election.say("Anna yes, Ben no, Clara yes, Dora yes, Emil no")
    assert election.say("undo").startswith("Taken back: 5 votes.")
    assert history(election).done == before.done


def test_votes_that_are_missing_are_named(election: Evening) -> None:
    told = election.say("Anna yes, Ben no, Clara yes")
    assert told == "Yes: Anna and Clara. No: Ben. Votes missing: Dora and Emil."
    assert votes(election) == {1: True, 2: False, 3: True}
    assert election.say("what happened last") == "Yes: Anna and Clara. No: Ben."


def test_votes_in_one_go_add_to_those_that_are_recorded(election: Evening) -> None:
    election.say("Anna yes, Ben no")
    assert election.say("Ben no, Clara yes, Dora yes, Emil no").startswith("Elected, 3 to 2.")


def test_the_same_votes_twice_count_once(election: Evening) -> None:
    election.say("Anna yes, Ben no")
    steps = len(history(election).done)
    assert election.say("Anna yes, Ben no") == phrase("already-recorded")
    assert len(history(election).done) == steps


def test_votes_with_one_that_cannot_be_change_nothing(tmp_path: Path) -> None:
    plan = Plan("en", "secret_hitler", 7, ("Anna", "Ben", "Clara", "David", "Emma", "Felix", "Greta"), 1)
    evening = Evening(tmp_path, plan)
    evening.say(*TO_THE_GUN, "shoot greta", "no", "n ben")
    journal = evening.journal
    assert evening.say("Anna yes, Greta no").startswith("Greta is dead and has no vote.")
    assert (votes(evening), evening.journal) == ({}, journal)


def test_a_correction_of_votes_in_one_go_takes_all_of_them_back(election: Evening) -> None:
    election.say("Anna yes, Ben no, Clara yes")
    assert election.say("correction Anna no, Ben no").startswith(phrase("corrected"))
    assert votes(election) == {1: False, 2: False}


def test_votes_in_one_go_are_no_secret_votes(tmp_path: Path) -> None:
    evening = Evening(tmp_path, Plan("en", "secret_despotar", 5, ("Anna", "Ben", "Clara", "Dora", "Emil"), 1))
    evening.say("n ben", "sb")
    steps = len(history(evening).done)
    evening.say("Anna yes, Ben no, Clara yes")
    assert len(history(evening).done) == steps


def test_a_second_thought_in_a_secret_ballot_is_not_read_out(tmp_path: Path) -> None:
    evening = Evening(tmp_path, Plan("en", "secret_despotar", 5, ("Anna", "Ben", "Clara", "Dora", "Emil"), 1))
    evening.say("n ben", "sb")
    said = evening.say("Anna yes, no, no")
    assert "yes" not in said.lower().split()
    assert not evening.session.awaits_answer


def test_what_was_asked_can_be_heard_again(evening: Evening) -> None:
    asked = evening.say("nominate Clara, no, Ben")
    assert evening.say("repeat") == asked
    assert evening.session.grammar.parse("the first one") == Intent("choose_number", {"number": 1})
