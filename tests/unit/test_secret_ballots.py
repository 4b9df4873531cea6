"""Votes that are taken one by one in secret and published together."""

from __future__ import annotations

import pytest
from table import Table, every_count, every_edition, house_rules

from gm_assistant.rules import commands as do
from gm_assistant.rules import events as happened
from gm_assistant.rules.model import Election, LegislativeSession, Nomination, SecretElection


def ballot(players=5, edition="secret_despotar"):
    return Table(players, edition=house_rules(edition, secret_ballot=True)).nominate(3).do(do.TakeSecretBallot())


def test_a_secret_ballot_is_opened_on_the_candidate():
    table = ballot()
    assert table.events == (happened.SecretBallotOpened(),)
    assert table.phase == SecretElection(3)


@pytest.mark.parametrize("edition", ["secret_dictator", "secret_hitler", "service_rat"])
def test_an_edition_without_secret_ballots_refuses_one(edition):
    refused = Table(5, edition=edition).nominate(3).refusal(do.TakeSecretBallot())
    assert (refused.key, refused.facts) == ("no-secret-ballot", {})


def test_a_ballot_cannot_become_secret_once_a_vote_is_open():
    refused = Table(5, edition="secret_despotar").nominate(3).vote(1, True).refusal(do.TakeSecretBallot())
    assert (refused.key, refused.facts) == ("votes-are-open", {})


def test_a_secret_ballot_is_opened_once():
    assert ballot().refusal(do.TakeSecretBallot()).key == "already-recorded"


@pytest.mark.parametrize(
    "command", [do.CastVote(1, True), do.ReportResult(True), do.ReportResult(False), do.ReportCount(3, 2)]
)
def test_during_a_secret_ballot_nothing_is_told_openly(command):
    assert ballot().refusal(command).key == "ballot-is-secret"


@pytest.mark.parametrize("command", [do.CastSecretVote(1, True), do.DrawMissingVotes(((1, True),))])
def test_there_is_no_secret_vote_outside_a_secret_ballot(command):
    table = Table(5, edition="secret_despotar")
    refused = table.refusal(command)
    assert (refused.key, refused.facts) == ("out-of-turn", {"wanted": "secret-vote", "phase": "Nomination"})
    assert table.nominate(3).refusal(command).key == "out-of-turn"


@pytest.mark.parametrize("seat", [-1, 0, 6])
def test_nobody_votes_secretly_from_a_seat_that_is_not_there(seat):
    refused = ballot().refusal(do.CastSecretVote(seat, True))
    assert (refused.key, refused.facts) == ("no-such-seat", {"number": seat, "most": 5})


@every_edition
@every_count
def test_all_votes_are_published_with_the_last_one(edition, players):
    table = ballot(players, edition)
    for seat in range(1, players):
        assert table.vote_secretly(seat, True).events == (happened.SecretVoteCast(seat, True),)
    table.vote_secretly(players, False)
    votes = (*((seat, True) for seat in range(1, players)), (players, False))
    assert table.events == (
        happened.SecretVoteCast(players, False),
        happened.VotesPublished(votes),
        happened.GovernmentElected(1, 3, players - 1, 1),
        happened.SessionOpened(1, 3, 3),
    )


def test_a_secret_ballot_without_a_majority_fails():
    table = ballot()
    for seat in (5, 3, 1, 2, 4):
        table.vote_secretly(seat, seat > 3)
    assert table.events[1:3] == (
        happened.VotesPublished(((1, False), (2, False), (3, False), (4, True), (5, True))),
        happened.ElectionFailed(1, 2, 3),
    )
    assert table.phase == Nomination()


def test_a_player_who_votes_secretly_again_replaces_the_first_vote():
    table = ballot().vote_secretly(2, True).vote_secretly(2, False)
    assert table.phase == SecretElection(3, ((2, False),))


def test_the_same_secret_vote_again_is_not_refused_for_a_refusal_would_tell_it():
    table = ballot().vote_secretly(2, True)
    before = table.state
    assert table.vote_secretly(2, True).state == before


def test_missing_votes_are_drawn_and_published_with_the_others():
    table = ballot().vote_secretly(2, True).vote_secretly(4, False)
    table.do(do.DrawMissingVotes(((1, True), (3, True), (5, False))))
    assert table.events[:3] == (
        happened.MissingVotesDrawn(((1, True), (3, True), (5, False))),
        happened.VotesPublished(((1, True), (2, True), (3, True), (4, False), (5, False))),
        happened.GovernmentElected(1, 3, 3, 2),
    )
    assert table.phase == LegislativeSession(3)


@pytest.mark.parametrize("seats", [(), (1, 3), (1, 3, 5, 2), (5, 3, 1), (1, 3, 4), (1, 1, 3)])
def test_votes_are_drawn_for_exactly_those_who_have_not_voted(seats):
    table = ballot().vote_secretly(2, True).vote_secretly(4, False)
    refused = table.refusal(do.DrawMissingVotes(tuple((seat, True) for seat in seats)))
    assert (refused.key, refused.facts) == ("wrong-number-of-votes", {"total": len(seats), "number": 3})


def test_the_next_election_begins_without_votes_and_openly():
    table = ballot()
    for seat in range(1, 6):
        table.vote_secretly(seat, False)
    assert table.nominate(4).phase == Election(4)
