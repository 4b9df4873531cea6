"""What is said twice counts once: in every phase, in both languages, and after a resumed game too."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from fakes import Evening, library, phrase_in
from hypothesis import given, settings
from hypothesis import strategies as st
from random_play import pick
from table import every_edition
from told import NAMES, Told, early, told_game, typed

from gm_assistant.dialogue.messages import Message
from gm_assistant.dialogue.set_up import Plan
from gm_assistant.library import Library
from gm_assistant.rules import commands as do
from gm_assistant.rules import events as happened
from gm_assistant.rules.commands import CastSecretVote
from gm_assistant.rules.model import Cause, DictatorQuestion, GameOver, Party, VetoProposed

few = settings(max_examples=6, deadline=None, derandomize=True, database=None)
many_steps = st.lists(st.integers(0, 9999), min_size=20, max_size=50)
every_language = pytest.mark.parametrize("language", sorted(library().packs))
RECORDED = (Message("already-recorded"),)
TO_A_VETO = (
    *(do.NominateChancellor(2), do.ReportResult(True), do.EnactLaw(Party.FASCIST), do.FinishLooking()),
    *(do.NominateChancellor(3), do.ReportResult(True), do.AnswerDictatorQuestion(False), do.ProposeVeto()),
)


def said_twice(game: Told, numbers: list[int], language: str) -> None:
    for number in numbers:
        if isinstance(game.state.phase, GameOver):
            return
        command = pick(game.state, number)
        line = typed(command, game.state, language)
        assert game.hear(line) != RECORDED
        if isinstance(command, CastSecretVote):
            continue
        state, journal = game.state, game.evening.journal
        assert game.hear(line) == RECORDED, line
        assert (game.state, game.evening.journal) == (state, journal)


def played(edition: str, players: int, numbers: list[int], language: str, known: Library | None = None) -> None:
    with told_game(edition, players, known=known, language=language) as game:
        said_twice(game, numbers, language)


@every_language
@every_edition
@given(players=st.integers(5, 10), numbers=many_steps)
@few
def test_what_is_said_twice_counts_once(edition, language, players, numbers):
    played(edition, players, numbers, language)


@every_language
@given(players=st.integers(5, 10), numbers=many_steps)
@settings(few, max_examples=25)
def test_what_is_said_twice_counts_once_when_everything_happens_early(language, players, numbers):
    played("secret_hitler", players, numbers, language, early())


@given(players=st.integers(5, 10), numbers=many_steps)
@settings(few, max_examples=20)
def test_after_resuming_what_was_said_last_is_still_recorded(players, numbers):
    with tempfile.TemporaryDirectory() as folder:
        game = Told(Path(folder), Plan("en", "secret_hitler", players, NAMES[:players], 1), known=early())
        line = ""
        for number in numbers:
            if isinstance(game.state.phase, GameOver):
                return
            command = pick(game.state, number)
            line = typed(command, game.state)
            game.hear(line)
        if isinstance(command, CastSecretVote) or isinstance(game.state.phase, GameOver):
            return
        again = Evening(Path(folder), Plan("en"), resume=True, known=early())
        before = again.journal
        assert again.say(line) == phrase_in("secret_hitler", "already-recorded")
        assert again.journal == before


def test_after_an_undo_it_counts_again() -> None:
    with told_game("secret_hitler", 5) as game:
        for line in ("n Ben", "p", "l liberal"):
            game.hear(line)
            game.hear("undo")
            before = game.evening.journal
            assert game.hear(line) != RECORDED
            assert len(game.evening.journal) > len(before)


def test_a_correction_by_the_same_words_changes_nothing() -> None:
    with told_game("secret_hitler", 5) as game:
        game.hear("n Ben")
        before = game.evening.journal
        assert game.hear("correction nominate Ben") == RECORDED
        assert game.evening.journal == before
        game.hear("correction nominate Clara")
        before = game.evening.journal
        assert game.hear("correction nominate Clara") == RECORDED
        assert game.evening.journal == before


def test_another_way_to_say_the_same_is_the_same() -> None:
    with told_game("secret_hitler", 5) as game:
        game.hear("nominate Ben")
        assert game.hear("Ben for chancellor") == game.hear("n seat two") == RECORDED


@every_language
def test_a_yes_to_a_veto_counts_once(language: str) -> None:
    with told_game("secret_hitler", 7, known=early(), language=language) as game:
        for command in TO_A_VETO:
            game.hear(typed(command, game.state, language))
        assert isinstance(game.state.phase, VetoProposed)
        yes = typed(do.AnswerDictatorQuestion(True), game.state, language)
        assert game.hear(yes)[0].key == "veto-agreed"
        assert game.hear(yes) == game.hear(typed(do.AnswerVeto(True), game.state, language)) == RECORDED


def test_the_yes_after_the_last_secret_vote_is_the_answer_of_the_chancellor() -> None:
    with told_game("secret_hitler", 5, known=early()) as game:
        for line in ("n Ben", "p", "l fascist", "k", "n Clara", "sb", "y", "y", "y", "y", "y"):
            game.hear(line)
        assert game.state.phase == DictatorQuestion(3, Cause.DICTATOR_ELECTED)
        assert game.hear("y")[0].key == "is-dictator"


def test_in_a_secret_ballot_the_same_key_is_the_vote_of_the_next() -> None:
    with told_game("secret_despotar", 5) as game:
        for line in ("n Ben", "sb", "y", "y"):
            game.hear(line)
        steps = game.evening.session.history
        assert steps is not None
        assert [
            event.seat for step in steps.done for event in step.events if isinstance(event, happened.SecretVoteCast)
        ] == [
            1,
            2,
        ]


@pytest.mark.parametrize("first", ["yes", "no"])
def test_a_secret_vote_said_again_reveals_nothing(first: str) -> None:
    with told_game("secret_despotar", 5) as game:
        for line in ("n Ben", "sb", f"b Clara {first}"):
            game.hear(line)
        assert game.hear("b Clara yes") == game.hear("b Clara no") == game.hear(f"b Clara {first}")
