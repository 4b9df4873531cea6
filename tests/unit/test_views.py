"""What may be known at the table and what in the headset."""

from __future__ import annotations

from typing import get_args

import pytest
from table import FASCIST, LIBERAL, NAMES, PLAYER_COUNTS, SECRET_DICTATOR, Table, every_edition, roles_for

from gm_assistant.rules import commands as do
from gm_assistant.rules.eligibility import Bar, Eligibility
from gm_assistant.rules.legal import legal_commands, moves
from gm_assistant.rules.model import (
    Cause,
    DictatorFound,
    GameOver,
    Government,
    GovernmentFormed,
    LastLaw,
    LawLaid,
    LegislativeSession,
    Nomination,
    Party,
    Phase,
    PlayerDown,
    Power,
    RoundOver,
    SecretBallot,
    SecretElection,
    Setback,
    TablePhase,
)
from gm_assistant.rules.views import TableView, headset_view, table_view

MOMENTS = {
    "nomination": lambda table: table.lay(fascist=3),
    "election": lambda table: table.nominate(3).vote(1, True),
    "session": lambda table: table.elect(),
    "chaos": lambda table: table.fail_election().fail_election().fail_election(),
    "question": lambda table: table.lay(fascist=3).nominate(2).passed(),
    "shot": lambda table: table.lay(fascist=3).play_round(FASCIST).shoot(9),
    "magnifier": lambda table: table.play_round(FASCIST),
    "peek": lambda table: table.lay(fascist=1).play_round(FASCIST),
    "lectern": lambda table: table.lay(fascist=2).play_round(FASCIST),
    "crosshair": lambda table: table.lay(fascist=3).play_round(FASCIST),
    "shuffle": lambda table: table.lay(liberal=4).play_round(FASCIST).look(),
    "end": lambda table: table.lay(liberal=4).play_round(LIBERAL),
}
"""How a table of nine comes there in the tactile edition."""

STANDARD_MOMENTS = {
    "ballot": lambda table: table.nominate(3).do(do.TakeSecretBallot()).vote_secretly(4, True),
    "veto session": lambda table: table.lay(fascist=5).elect(),
    "veto": lambda table: table.lay(fascist=5).elect().propose_veto(),
    "veto refused": lambda table: table.lay(fascist=5).elect().propose_veto().answer_veto(False),
    "loyalty": lambda table: table.lay(fascist=1).play_round(FASCIST),
}
"""How a table of nine comes there in the forum edition."""

REACHED = {
    **{name: ("secret_dictator", reach) for name, reach in MOMENTS.items()},
    **{name: ("secret_despotar", reach) for name, reach in STANDARD_MOMENTS.items()},
}


def table_at(moment, deal=None):
    """Return a table of nine at that moment; roles are dealt before anything is played."""
    edition, reach = REACHED[moment]
    table = Table(9, edition=edition)
    return reach(table.deal(*deal) if deal else table)


def test_the_table_view_of_a_new_game():
    table = Table(5, first=5)
    assert table_view(table.state) == TableView(
        rules=SECRET_DICTATOR.rules_for(5),
        players=NAMES[:5],
        alive=(1, 2, 3, 4, 5),
        president=5,
        next_president=1,
        chancellor=None,
        previous=None,
        candidates=(*(Eligibility(seat, None) for seat in (1, 2, 3, 4)), Eligibility(5, Bar.PRESIDENT)),
        limits_lifted=(),
        president_is_free=False,
        targets=(),
        liberal_laws=0,
        fascist_laws=0,
        draw_pile=17,
        discard_pile=0,
        in_hand=0,
        setbacks=(),
        danger=False,
        rotation=5,
        special_president=None,
        magnifier_reserved=False,
        peeked=0,
        investigated=(),
        cleared=(),
        last_law=None,
        phase=Nomination(),
    )


def test_the_table_view_of_a_game_under_way():
    table = Table(7).lay(liberal=1, fascist=4).fail_election().elect()
    view = table_view(table.state)
    assert view.alive == (1, 2, 3, 4, 5, 6)
    assert (view.president, view.next_president, view.chancellor) == (1, 2, table.state.chancellor)
    assert view.previous == Government(6, None)
    assert (view.liberal_laws, view.fascist_laws) == (1, 4)
    assert (view.laws(LIBERAL), view.laws(FASCIST)) == (1, 4)
    assert (view.draw_pile, view.discard_pile, view.in_hand) == (9, 0, 3)
    assert (view.tracker, view.danger, view.phase) == (0, True, LegislativeSession(3))
    assert view.last_law == LastLaw(FASCIST, 4, by_chaos=False)
    assert view.cleared == tuple(sorted(table.state.cleared))


def test_the_table_view_lists_who_may_be_chancellor():
    view = table_view(Table(7).play_round(LIBERAL, chancellor=5).state)
    assert view.eligible == (3, 4, 6, 7)


def test_the_table_view_shows_the_peg_and_what_moved_it():
    view = table_view(Table(7).fail_election().fail_election().state)
    assert (view.tracker, view.setbacks) == (2, (Setback.ELECTION, Setback.ELECTION))
    vetoed = Table(7, edition="secret_hitler").lay(fascist=5).elect().propose_veto().answer_veto(True)
    assert table_view(vetoed.state).setbacks == (Setback.VETO,)


def test_the_table_view_tells_what_chaos_laid_and_why():
    view = table_view(Table(7).chaos(FASCIST).state)
    assert view.last_law == LastLaw(FASCIST, 1, by_chaos=True, setbacks=(Setback.ELECTION,) * 3)


def test_the_table_view_tells_on_whom_a_power_can_be_used():
    assert table_view(table_at("lectern").state).targets == (1, 2, 4, 5, 6, 7, 8, 9)
    assert table_view(table_at("peek").state).targets == ()
    assert table_view(table_at("nomination").state).targets == ()
    loyalty = table_at("loyalty")
    assert len(loyalty.state.investigated) == 1
    assert table_view(loyalty.state).targets == tuple(
        sorted(loyalty.state.alive - {loyalty.state.president} - loyalty.state.investigated)
    )


def test_the_table_view_of_a_secret_ballot_tells_who_has_voted_and_not_how():
    yes = Table(5, edition="secret_despotar").nominate(3).do(do.TakeSecretBallot()).vote_secretly(4, True)
    no = Table(5, edition="secret_despotar").nominate(3).do(do.TakeSecretBallot()).vote_secretly(4, False)
    assert table_view(yes.state).phase == SecretBallot(3, voted=(4,))
    assert table_view(yes.state) == table_view(no.state)
    assert yes.state != no.state


@pytest.mark.parametrize(("fascist_laws", "danger"), [(0, False), (2, False), (3, True), (5, True)])
def test_the_danger_is_public_from_three_fascist_laws_on(fascist_laws, danger):
    assert table_view(Table(7).lay(liberal=3, fascist=fascist_laws).state).danger is danger


def test_the_table_view_knows_names_and_powers():
    view = table_view(Table(9).state)
    assert [view.name(seat) for seat in (1, 5, 9)] == ["Anna", "Emma", "Ida"]
    assert view.power_at(3) is Power.SPECIAL_ELECTION
    assert view.power_at(6) is Power.NONE


def test_the_powers_of_the_table_view_stay_those_of_the_start():
    view = table_view(Table(7).lay(fascist=4).state)
    assert len(view.alive) == 6
    assert view.power_at(2) is Power.MAGNIFIER


def test_the_state_knows_names():
    assert [Table(5).state.name(seat) for seat in (1, 5)] == ["Anna", "Emma"]


def test_the_next_president_is_the_next_living_player():
    table = Table(7).lay(fascist=3).play_round(FASCIST)
    assert table_view(table.state).next_president == 5
    assert table_view(table.shoot(5).state).next_president == 6


def test_during_a_special_presidency_the_next_is_the_callers_neighbour():
    table = Table(9).lay(fascist=2).play_round(FASCIST).name_next(8)
    assert table_view(table.state).next_president == 4


# Secrets.


def test_the_table_view_has_no_place_for_roles():
    assert set(TableView.__struct_fields__) >= {"phase", "players"}
    assert set(TableView.__struct_fields__).isdisjoint({"roles", "role"})


def test_the_table_view_has_no_place_for_a_secret_vote():
    assert SecretElection not in get_args(TablePhase)
    assert "votes" not in SecretBallot.__struct_fields__


def test_the_moments_show_every_phase_in_which_somebody_has_to_do_something():
    kinds = {type(table_at(moment).phase) for moment in REACHED}
    passing = {GovernmentFormed, DictatorFound, LawLaid, PlayerDown, RoundOver}
    assert kinds == set(get_args(Phase)) - passing


@pytest.mark.parametrize("moment", REACHED)
def test_the_table_knows_the_same_whatever_roles_are_dealt(moment):
    roles = roles_for(9, REACHED[moment][0])
    unknown = table_at(moment)
    for shift in range(9):
        dealt = table_at(moment, deal=(*roles[shift:], *roles[:shift]))
        assert dealt.state.roles == (*roles[shift:], *roles[:shift])
        assert table_view(dealt.state) == table_view(unknown.state)
        assert list(legal_commands(dealt.state)) == list(legal_commands(unknown.state))


@pytest.mark.parametrize("players", PLAYER_COUNTS)
def test_the_headset_knows_the_roles_and_the_table(players):
    table = Table(players)
    assert headset_view(table.state) is None
    roles = roles_for(players)
    view = headset_view(table.deal(*roles).state)
    assert view is not None
    assert view.roles == roles
    assert view.table == table_view(table.state)


@pytest.mark.parametrize("party", Party)
def test_the_end_is_public(party):
    table = Table(7)
    table = table.lay(liberal=4) if party is LIBERAL else table.lay(fascist=5)
    assert table_view(table.play_round(party).state).phase == GameOver(party, Cause.LAWS)


# What is possible now.


@pytest.mark.parametrize(
    ("moment", "possible"),
    [
        ("nomination", [do.NominateChancellor(seat) for seat in (2, 5, 6, 7, 8, 9)]),
        ("session", [do.EnactLaw(LIBERAL), do.EnactLaw(FASCIST)]),
        ("veto session", [do.EnactLaw(LIBERAL), do.EnactLaw(FASCIST), do.ProposeVeto()]),
        ("veto", [do.AnswerVeto(True), do.AnswerVeto(False)]),
        ("veto refused", [do.EnactLaw(LIBERAL), do.EnactLaw(FASCIST)]),
        ("loyalty", [do.Investigate(seat) for seat in (1, 3, 4, 5, 6, 7, 8, 9)]),
        ("chaos", [do.EnactLaw(LIBERAL), do.EnactLaw(FASCIST)]),
        ("question", [do.AnswerDictatorQuestion(True), do.AnswerDictatorQuestion(False)]),
        ("shot", [do.AnswerDictatorQuestion(True), do.AnswerDictatorQuestion(False)]),
        ("magnifier", [do.FinishLooking()]),
        ("peek", [do.FinishLooking()]),
        ("lectern", [do.NameNextPresident(seat) for seat in (1, 2, 4, 5, 6, 7, 8, 9)]),
        ("crosshair", [do.Shoot(seat) for seat in (1, 2, 3, 5, 6, 7, 8, 9)]),
        ("shuffle", [do.ShufflePiles()]),
        ("end", []),
    ],
)
def test_what_is_possible_in_each_moment(moment, possible):
    state = table_at(moment).state
    assert list(moves(state)) == possible
    assert list(legal_commands(state)) == ([*possible, do.EndGame()] if possible else [])


def test_what_is_possible_in_an_election():
    table = Table(5).nominate(3).vote(1, True).vote(2, True)
    assert list(moves(table.state)) == [
        *(do.ReportResult(passed) for passed in (True, False)),
        *(do.ReportCount(yes, 5 - yes) for yes in (2, 3, 4, 5)),
        do.CastVote(1, False),
        do.CastVote(2, False),
        *(do.CastVote(seat, approves) for seat in (3, 4, 5) for approves in (True, False)),
    ]


def test_an_outcome_that_the_votes_rule_out_is_not_possible():
    possible = list(moves(Table(5).nominate(3).vote(1, True).vote(2, True).vote(4, True).state))
    assert do.ReportResult(True) in possible
    assert do.ReportResult(False) not in possible
    possible = list(moves(Table(6).nominate(3).vote(1, False).vote(2, False).vote(4, False).state))
    assert do.ReportResult(False) in possible
    assert do.ReportResult(True) not in possible


def test_what_is_possible_in_a_secret_ballot():
    table = Table(5, edition="secret_despotar").nominate(3).do(do.TakeSecretBallot())
    for seat in (1, 2, 4):
        table.vote_secretly(seat, True)
    assert list(moves(table.state)) == [
        *(do.CastSecretVote(seat, approves) for seat in range(1, 6) for approves in (True, False)),
        *(do.DrawMissingVotes(((3, one), (5, other))) for one in (True, False) for other in (True, False)),
    ]


@every_edition
def test_a_secret_ballot_is_possible_where_the_edition_has_it_and_no_vote_is_open(edition):
    table = Table(5, edition=edition).nominate(3)
    assert (do.TakeSecretBallot() in moves(table.state)) is table.edition.secret_ballot
    assert do.TakeSecretBallot() not in moves(table.vote(1, True).state)


@pytest.mark.parametrize(("players", "deals"), [(5, 20), (6, 30), (7, 105), (10, 840)])
def test_every_deal_is_possible_once_before_anything_was_played(players, deals):
    table = Table(players, edition="secret_hitler")
    possible = [command for command in legal_commands(table.state) if isinstance(command, do.DealRoles)]
    assert len(possible) == len(set(possible)) == deals
    table.nominate(2)
    assert not any(isinstance(command, do.DealRoles) for command in legal_commands(table.state))
