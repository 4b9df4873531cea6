"""A command that is heard twice: `has_just_recorded` tells an echo from something new."""

from __future__ import annotations

import pytest
from table import EDITIONS, FASCIST, LIBERAL, Table, roles_for

from gm_assistant.rules import commands as do
from gm_assistant.rules.commands import Command

FORUM, STANDARD = "secret_despotar", "secret_hitler"


def ballot(votes=0):
    """Return a table of five in a secret ballot after so many votes for the government."""
    table = Table(5, edition=FORUM).nominate(3).do(do.TakeSecretBallot())
    for seat in range(1, votes + 1):
        table.vote_secretly(seat, True)
    return table


MISSING = do.DrawMissingVotes(((4, True), (5, False)))

# What was reached, what is then said twice, and what would be something else.
SAID_TWICE = {
    "the deal": (lambda: Table(5), do.DealRoles(roles_for(5)), do.DealRoles(roles_for(5)[::-1])),
    "a nomination": (lambda: Table(7), do.NominateChancellor(3), do.NominateChancellor(4)),
    "an open vote": (lambda: Table(7).nominate(3), do.CastVote(4, True), do.CastVote(4, False)),
    "an open vote of another": (lambda: Table(7).nominate(3), do.CastVote(4, True), do.CastVote(5, True)),
    "the last open vote": (
        lambda: Table(5).nominate(3).vote(1, True).vote(2, True).vote(3, True).vote(4, False),
        do.CastVote(5, False),
        do.CastVote(5, True),
    ),
    "a secret ballot": (
        lambda: Table(5, edition=FORUM).nominate(3),
        do.TakeSecretBallot(),
        do.ReportResult(True),
    ),
    "a secret vote": (ballot, do.CastSecretVote(4, True), do.CastSecretVote(4, False)),
    "the last secret vote": (lambda: ballot(4), do.CastSecretVote(5, True), do.CastSecretVote(5, False)),
    "the missing votes": (lambda: ballot(3), MISSING, do.DrawMissingVotes(((4, False), (5, True)))),
    "the one missing vote": (lambda: ballot(4), do.DrawMissingVotes(((5, True),)), do.CastSecretVote(5, True)),
    "that it passed": (lambda: Table(7).nominate(3), do.ReportResult(True), do.ReportResult(False)),
    "that it failed": (lambda: Table(7).nominate(3), do.ReportResult(False), do.ReportCount(3, 4)),
    "the count": (lambda: Table(7).nominate(3), do.ReportCount(5, 2), do.ReportCount(6, 1)),
    "the third failure": (
        lambda: Table(7).fail_election().fail_election().nominate(4),
        do.ReportResult(False),
        do.ReportResult(True),
    ),
    "the answer of the chancellor": (
        lambda: Table(7).lay(fascist=3).nominate(6).passed(),
        do.AnswerDictatorQuestion(False),
        do.AnswerDictatorQuestion(True),
    ),
    "a law": (lambda: Table(7).elect(), do.EnactLaw(FASCIST), do.EnactLaw(LIBERAL)),
    "the law of chaos": (
        lambda: Table(7).fail_election().fail_election().fail_election(),
        do.EnactLaw(LIBERAL),
        do.EnactLaw(FASCIST),
    ),
    "the last law": (lambda: Table(7).lay(liberal=4).elect(), do.EnactLaw(LIBERAL), do.EnactLaw(FASCIST)),
    "a veto": (
        lambda: Table(7, edition=STANDARD).lay(fascist=5).elect(),
        do.ProposeVeto(),
        do.EnactLaw(LIBERAL),
    ),
    "the answer to a veto": (
        lambda: Table(7, edition=STANDARD).lay(fascist=5).elect().propose_veto(),
        do.AnswerVeto(True),
        do.AnswerVeto(False),
    ),
    "the refusal of a veto": (
        lambda: Table(7, edition=STANDARD).lay(fascist=5).elect().propose_veto(),
        do.AnswerVeto(False),
        do.AnswerVeto(True),
    ),
    "a look": (lambda: Table(9).lay(fascist=1).play_round(FASCIST), do.FinishLooking(), do.Shoot(2)),
    "a look at the discarded law": (lambda: Table(9).play_round(FASCIST), do.FinishLooking(), do.Shoot(2)),
    "an investigation": (
        lambda: Table(7, edition=STANDARD).lay(fascist=1).play_round(FASCIST),
        do.Investigate(6),
        do.Investigate(7),
    ),
    "the next president": (
        lambda: Table(9).lay(fascist=2).play_round(FASCIST),
        do.NameNextPresident(8),
        do.NameNextPresident(7),
    ),
    "a shot": (lambda: Table(7).lay(fascist=3).play_round(FASCIST), do.Shoot(6), do.Shoot(7)),
    "the answer of who was shot": (
        lambda: Table(7).lay(fascist=3).play_round(FASCIST).shoot(6),
        do.AnswerDictatorQuestion(True),
        do.AnswerDictatorQuestion(False),
    ),
    "a shuffle": (lambda: Table(5).lay(liberal=4).play_round(FASCIST), do.ShufflePiles(), do.NominateChancellor(2)),
    "the end": (lambda: Table(7), do.EndGame(), do.NominateChancellor(2)),
}
every_echo = pytest.mark.parametrize("said", SAID_TWICE)


def recorded(table, command):
    return table.history.has_just_recorded(command)


def test_every_command_is_among_these():
    assert {type(command) for _, command, _ in SAID_TWICE.values()} == set(Command.__args__)


@every_echo
def test_what_was_said_last_has_just_been_recorded(said):
    reach, command, _ = SAID_TWICE[said]
    assert recorded(reach().do(command), command)


@every_echo
def test_what_was_not_said_yet_has_not(said):
    reach, command, _ = SAID_TWICE[said]
    assert not recorded(reach(), command)


@every_echo
def test_something_else_has_not(said):
    reach, command, other = SAID_TWICE[said]
    assert not recorded(reach().do(command), other)


@every_echo
def test_what_was_taken_back_has_not_and_what_was_brought_again_has(said):
    reach, command, _ = SAID_TWICE[said]
    table = reach().do(command)
    assert not recorded(table.undo(), command)
    assert recorded(table.redo(), command)


@every_echo
def test_an_echo_is_told_before_the_rules_would_accept_it_a_second_time(said):
    reach, command, _ = SAID_TWICE[said]
    table = reach().do(command)
    before = table.history
    assert recorded(table, command)
    assert table.history == before


def test_the_step_before_the_last_is_no_echo():
    table = Table(7).nominate(3).passed()
    assert not recorded(table, do.NominateChancellor(3))
    assert recorded(table.undo(), do.NominateChancellor(3))


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_new_game_has_recorded_nothing(edition):
    table = Table(7, edition=edition)
    for command in (do.NominateChancellor(2), do.EndGame(), do.DealRoles(roles_for(7)), do.EnactLaw(LIBERAL)):
        assert not recorded(table, command)


def test_the_same_law_in_the_next_round_is_news_until_it_is_recorded():
    table = Table(7).elect().enact(LIBERAL)
    assert recorded(table, do.EnactLaw(LIBERAL))
    table.elect()
    assert not recorded(table, do.EnactLaw(LIBERAL))
    assert recorded(table.enact(LIBERAL), do.EnactLaw(LIBERAL))


def test_a_vote_that_was_changed_and_changed_back_is_an_echo_of_the_last_only():
    table = Table(7).nominate(3).vote(1, True).vote(1, False)
    assert recorded(table, do.CastVote(1, False))
    assert not recorded(table, do.CastVote(1, True))
