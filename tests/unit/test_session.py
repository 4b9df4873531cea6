"""One evening: every step counts whole or not at all, and questions change nothing."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
from fakes import EMPTY_PLAN, LIBERAL_GAME, NAMES, PLAN, Evening, library, phrase

from gm_assistant.channels import Channel
from gm_assistant.dialogue.intents import COMMANDS, QUESTIONS, Intent, Slot
from gm_assistant.dialogue.messages import Message, Term
from gm_assistant.dialogue.samples import sentences_for
from gm_assistant.dialogue.set_up import Plan
from gm_assistant.errors import AudioError
from gm_assistant.manner import HIGHEST_RATE, LOWEST_RATE
from gm_assistant.utterances import HeadsetUtterance, Secret, TableUtterance

PACK = library().pack("en", None)


@pytest.fixture
def evening(tmp_path: Path) -> Evening:
    return Evening(tmp_path)


SITUATIONS = (
    *("nominate ben", "anna says yes", "4 yes 1 no", "fascist law", "nominate clara", "vote failed", "undo", "undo"),
    *("redo", "vote passed", "fascist law", "nominate dora", "vote passed", "fascist law", "looked"),
)
"""Sentences that bring a game through many situations, an undo in between."""


# --- undo and redo


def test_undo_takes_the_last_step_back_and_redo_brings_it_again(evening: Evening) -> None:
    boards = [evening.board]
    for line in LIBERAL_GAME:
        evening.say(line)
        boards.append(evening.board)
    for board in reversed(boards[:-1]):
        assert evening.say("undo").startswith(phrase("undone"))
        assert evening.board == board
    assert evening.say("undo") == phrase("nothing-to-undo")
    for board in boards[1:]:
        assert evening.say("redo").startswith(phrase("redone"))
        assert evening.board == board
    assert evening.say("redo") == phrase("nothing-to-redo")


def test_a_new_step_after_an_undo_leaves_the_redo(evening: Evening) -> None:
    evening.say("nominate ben", "undo", "nominate clara")
    assert evening.say("who is nominated") == phrase("candidate-is", candidate="Clara")


def test_nothing_is_ever_removed_from_the_journal(evening: Evening) -> None:
    before = evening.journal
    for line in ("nominate ben", "undo", "redo", "correction nominate clara"):
        evening.say(line)
        assert evening.journal.startswith(before)
        assert len(evening.journal) > len(before)
        before = evening.journal


# --- corrections


def test_a_correction_puts_another_step_in_the_place_of_the_last(evening: Evening) -> None:
    assert evening.say("nominate ben", "correction nominate clara").startswith(phrase("corrected"))
    assert evening.say("who is nominated") == phrase("candidate-is", candidate="Clara")
    evening.say("undo")
    assert evening.say("who is nominated") == phrase("no-chancellor")


WRONG_CORRECTIONS = [
    "correction nominate anna",
    "correction nominate seat nine",
    "correction four yes one no",
    "correction liberal law",
    "correction shoot ben",
    "correction bla",
    "correction undo",
    "correction who is president",
]


@pytest.mark.parametrize("line", WRONG_CORRECTIONS)
def test_a_refused_correction_changes_nothing(evening: Evening, line: str) -> None:
    evening.say("nominate ben")
    board, journal = evening.board, evening.journal
    evening.say(line)
    assert (evening.board, evening.journal) == (board, journal)
    assert evening.say("redo") == phrase("nothing-to-redo")


def test_there_is_nothing_to_correct_at_the_start(evening: Evening) -> None:
    board, journal = evening.board, evening.journal
    assert evening.say("correction nominate ben") == phrase("nothing-to-undo")
    assert (evening.board, evening.journal) == (board, journal)


def test_a_corrected_law_moves_the_laws_on_the_table(evening: Evening) -> None:
    evening.say("nominate ben", "vote passed", "liberal law", "correction fascist law")
    assert phrase("laws-liberal", number=0, missing=5) in evening.board
    assert phrase("laws-fascist", number=1, missing=5) in evening.board


# --- pause


def test_in_a_pause_questions_are_answered_and_nothing_is_done(evening: Evening) -> None:
    evening.say("nominate ben")
    board, journal = evening.board, evening.journal
    assert evening.say("pause") == phrase("paused")
    for line in ("vote passed", "correction nominate clara", "undo", "redo", "end the game"):
        assert evening.say(line) == phrase("still-paused")
    assert evening.say("who is president") == phrase("president-is", president="Anna")
    assert (evening.board, evening.journal) == (board, journal)
    assert evening.say("go on").startswith(phrase("going-on"))
    assert evening.say("vote passed").startswith(phrase("elected"))


def test_going_on_without_a_pause_says_what_must_happen(evening: Evening) -> None:
    assert evening.say("go on").startswith(phrase("not-paused"))


# --- repeat


def test_repeat_at_the_table_never_brings_up_a_whisper(evening: Evening) -> None:
    said = evening.say("nominate ben")
    whispered = (HeadsetUtterance(Secret(phrase("president-is", president="Anna"))),)
    assert evening.reply("whisper who is president") == whispered
    assert evening.reply("repeat") == (TableUtterance(said),)
    assert evening.reply("whisper repeat") == whispered
    assert evening.reply("repeat") == (TableUtterance(said),)


def test_a_whispered_repeat_never_brings_up_what_was_never_whispered(evening: Evening) -> None:
    assert evening.reply("whisper repeat") == (HeadsetUtterance(Secret(phrase("nothing-said-yet"))),)


def test_repeat_can_be_repeated(evening: Evening) -> None:
    said = evening.say("nominate ben")
    assert evening.say("repeat") == evening.say("say that again") == evening.say("repeat") == said


@pytest.mark.parametrize("line", ["slower", "faster", "louder", "quieter", "stop", "", "bla", "x" * 400])
def test_repeat_brings_what_mattered_and_not_the_talk_about_talking(evening: Evening, line: str) -> None:
    said = evening.say("nominate ben")
    evening.say(line)
    assert evening.say("repeat") == said


def test_trouble_with_a_device_is_not_repeated(evening: Evening) -> None:
    said = evening.say("nominate ben")
    evening.session.excuse(AudioError("no-microphone"))
    assert evening.say("repeat") == said


# --- questions


EXAMPLES: Mapping[str, Mapping[str, Slot]] = {
    "why_not": {"player": 2},
    "field": {"field": 3},
    "symbol": {"symbol": "execution"},
    "who_sits": {"player": 4},
    "rule": {"topic": "veto"},
}


def spoken(name: str) -> str:
    """Return the first wording of a question."""
    return sentences_for(PACK, NAMES, Intent(name, EXAMPLES.get(name, {})))[0]


@pytest.mark.parametrize("name", sorted(QUESTIONS))
def test_a_question_changes_nothing_in_any_situation(evening: Evening, name: str) -> None:
    for step in ("what now", *SITUATIONS):
        evening.say(step)
        history, journal = evening.session.history, evening.journal
        (answer,) = evening.reply(spoken(name), typed=False)
        assert isinstance(answer, TableUtterance)
        assert answer.text not in (phrase("pardon"), phrase("ambiguous"))
        assert evening.session.history is history
        assert evening.journal == journal


@pytest.mark.parametrize("name", sorted(QUESTIONS))
def test_a_whispered_question_is_answered_in_the_headset_only(evening: Evening, name: str) -> None:
    (answer,) = evening.reply(f"whisper {spoken(name)}", typed=False)
    assert isinstance(answer, HeadsetUtterance)


def test_a_command_cannot_be_whispered(evening: Evening) -> None:
    journal = evening.journal
    assert evening.say("whisper nominate ben") == phrase("pardon")
    assert evening.journal == journal


def test_what_happened_last_is_told_again(evening: Evening) -> None:
    evening.say("nominate ben")
    assert evening.say("what happened last").startswith(phrase("nominated", player="Ben"))


# --- manner


@pytest.mark.parametrize(("line", "limit"), [("slower", LOWEST_RATE), ("faster", HIGHEST_RATE)])
def test_the_rate_ends_at_a_limit_and_comes_back(evening: Evening, line: str, limit: int) -> None:
    other = {"slower": "faster", "faster": "slower"}[line]
    answers = [evening.say(line) for _ in range(30)]
    assert answers[-1] == answers[-2] == phrase(f"no-{line}")
    assert evening.session.voice(Channel.TABLE, "linux").rate == limit
    assert LOWEST_RATE <= evening.session.voice(Channel.HEADSET, "linux").rate <= HIGHEST_RATE
    assert evening.say(other) != phrase(f"no-{other}")
    assert evening.session.voice(Channel.TABLE, "linux").rate != limit


@pytest.mark.parametrize(("line", "limit"), [("louder", 1.0), ("quieter", 0.2)])
def test_the_volume_ends_at_a_limit_and_comes_back(evening: Evening, line: str, limit: float) -> None:
    other = {"louder": "quieter", "quieter": "louder"}[line]
    answers = [evening.say(line) for _ in range(10)]
    assert answers[0] == phrase(line)
    assert answers[-1] == phrase(f"no-{line}")
    assert evening.session.voice(Channel.TABLE, "linux").volume == limit
    assert evening.say(other) == phrase(other)


def test_the_manner_can_be_changed_at_any_time(tmp_path: Path) -> None:
    evening = Evening(tmp_path, EMPTY_PLAN)
    rate = evening.session.voice(Channel.TABLE, "linux").rate
    evening.say("slower")
    assert evening.session.voice(Channel.TABLE, "linux").rate < rate


# --- not understood


def test_the_second_time_there_are_examples(evening: Evening) -> None:
    assert evening.say("bla") == phrase("pardon")
    assert evening.say("blub") == "Say for example: nominate Ben, who may be chancellor, or nominate Clara."
    evening.say("who is president")
    assert evening.say("bla") == phrase("pardon")


def test_what_can_mean_two_things_is_not_guessed(tmp_path: Path) -> None:
    plan = Plan("en", "secret_dictator", 5, ("Anna", "Ben as", "Ben", "Dora", "Emil"), 1)
    evening = Evening(tmp_path, plan)
    journal = evening.journal
    assert evening.say("nominate ben as chancellor") == "Who: Ben or Ben as?"
    assert evening.journal == journal
    assert evening.say("seat three").startswith(phrase("nominated", player="Ben"))


def test_a_short_code_is_for_the_keyboard_only(evening: Evening) -> None:
    assert evening.say("n ben", typed=False) == phrase("pardon")
    assert evening.say("n ben", typed=True).startswith(phrase("nominated", player="Ben"))


# --- the end


def test_quit_keeps_the_game(evening: Evening) -> None:
    journal = evening.journal
    assert evening.say("quit") == phrase("bye")
    assert evening.session.over
    assert evening.journal == journal


def test_after_the_end_every_command_is_refused_until_it_is_undone(evening: Evening) -> None:
    evening.say(*LIBERAL_GAME)
    board, journal = evening.board, evening.journal
    assert evening.say("nominate ben") == phrase("game-is-over")
    assert (evening.board, evening.journal) == (board, journal)
    assert evening.say("undo").startswith(phrase("undone"))
    assert phrase("won-laws", party=Term("liberal"), number=5) in evening.say("liberal law")


def test_every_command_is_refused_or_written(evening: Evening) -> None:
    """No command is quietly forgotten: the journal grows exactly when the history does."""
    slots: dict[str, Slot] = {"player": 3, "yes": 3, "no": 2, "vote": "yes", "party": "liberal"}
    for name in sorted(COMMANDS - {"end_game"}):
        for chosen in ({}, {"player": 3}, {"yes": 3, "no": 2}, {"vote": "yes"}, {"player": 3, "vote": "yes"}, slots):
            for sentence in sentences_for(PACK, NAMES, Intent(name, dict(chosen)))[:1]:
                history, journal = evening.session.history, evening.journal
                evening.say(sentence)
                assert (evening.session.history is history) == (evening.journal == journal)


def test_the_plan_of_flags_begins_at_once(tmp_path: Path) -> None:
    assert Evening(tmp_path, PLAN).opening.endswith(phrase("prompt-nomination"))


# --- what people get wrong


@pytest.mark.parametrize(
    ("line", "name"), [("nominate Zora", "zora"), ("nominate seat 11", "11"), ("why not Karl Otto", "karl otto")]
)
def test_a_typed_name_that_nobody_has_is_named_and_changes_nothing(evening: Evening, line: str, name: str) -> None:
    before = evening.board
    assert evening.say(line) == phrase("no-such-player", name=name, names=", ".join(NAMES))
    assert evening.board == before


@pytest.mark.parametrize("edition", sorted(library().editions))
@pytest.mark.parametrize("language", sorted(library().packs))
def test_the_name_of_a_role_or_a_party_is_not_taken_for_a_players(tmp_path: Path, language: str, edition: str) -> None:
    evening = Evening(tmp_path, Plan(language, edition, 5, NAMES, 1))
    question = {"en": "who is", "de": "wer ist"}[language]
    book, names = library().phrasebook(language, edition), library().editions[edition].names[language]
    for called in (names[thing][form] for thing in ("liberal", "fascist") for form in ("name", "role")):
        evening.say("h")  # only the first miss is answered without examples
        assert evening.say(f"{question} {called}") == book.phrase(Message("pardon")), called
    assert evening.say(f"{question} zora") == book.phrase(
        Message("no-such-player", {"name": "zora", "names": ", ".join(NAMES)})
    )


@pytest.mark.parametrize("line", ["-3 yes 2 no", "3 yes -2 no", "v -3 2"])
def test_no_vote_is_below_zero(evening: Evening, line: str) -> None:
    evening.say("nominate ben")
    before = evening.board
    assert evening.say(line) == phrase("pardon")
    assert evening.board == before


def test_the_last_answer_of_the_set_up_can_be_taken_back(tmp_path: Path) -> None:
    evening = Evening(tmp_path, Plan("en", "secret_dictator", 5, NAMES))
    evening.say("emil is the oldest")
    assert evening.session.view is not None
    assert evening.say("undo") == f"{phrase('back-to')} {phrase('ask-first-oldest')}"
    assert evening.session.view is None
    evening.say("anna")
    assert evening.session.view is not None
    assert evening.session.view.president == 1
    assert evening.say("nominate ben", "undo", "undo").startswith(phrase("back-to"))


def test_what_was_given_by_flags_cannot_be_taken_back(evening: Evening) -> None:
    assert evening.say("undo") == phrase("nothing-to-undo")


def test_shuffling_with_laws_in_hand_is_refused_for_the_right_reason(tmp_path: Path) -> None:
    evening = Evening(tmp_path)
    for candidate in ("ben", "clara", "dora", "emil"):
        evening.say(f"nominate {candidate}", "vote passed", "liberal law")
    evening.say("nominate ben", "vote passed")
    assert evening.say("shuffled").startswith(phrase("out-of-turn-shuffle"))


@pytest.mark.parametrize(("line", "total"), [("100 yes 2 no", 102), ("999 yes 999 no", 1998), ("v 0 0", 0)])
def test_more_votes_than_players_are_counted_again(evening: Evening, line: str, total: int) -> None:
    evening.say("nominate ben")
    before = evening.board
    assert evening.say(line) == phrase("wrong-number-of-votes", total=total, number=5)
    assert evening.board == before


# --- one more game, and ties


def test_a_new_game_is_begun_with_the_same_players_once_one_is_over(evening: Evening) -> None:
    assert evening.say("new game") == phrase("game-goes-on")
    evening.say(*LIBERAL_GAME)
    assert evening.say("new game") == phrase("ask-first-oldest")
    opening = evening.say("clara")
    assert phrase("first-president", president="Clara") in opening
    state = evening.session.history.state  # type: ignore[union-attr]
    assert (state.players, state.president, state.liberal_laws, state.previous) == (NAMES, 3, 0, None)
    assert (state.alive, state.setbacks, state.investigated, state.cleared) == ({1, 2, 3, 4, 5}, (), set(), set())


def test_a_new_game_after_a_resumed_one_has_its_edition_and_its_players(tmp_path: Path) -> None:
    plan = Plan("en", "service_rat", 6, (*NAMES, "Felix"), 1)
    Evening(tmp_path, plan).say("nominate ben", "vote passed", "cat law")
    again = Evening(tmp_path, Plan("en"), resume=True)
    again.say("end the game", "new game", "felix")
    state = again.session.history.state  # type: ignore[union-attr]
    assert (state.rules.edition, state.players, state.president) == ("service_rat", plan.names, 6)


def test_a_tie_counts_as_the_edition_says(tmp_path: Path) -> None:
    plan = Plan("en", "secret_dictator", 6, (*NAMES, "Felix"), 1)
    evening = Evening(tmp_path, plan)
    evening.say("nominate ben")
    assert phrase("failed-tie", yes=3, no=3) in evening.say("it was a tie")


def test_with_an_odd_number_of_voters_there_is_no_tie(evening: Evening) -> None:
    evening.say("nominate ben")
    assert evening.say("it was a tie") == phrase("no-tie-possible", number=5)
