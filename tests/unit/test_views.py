"""What may be known at the table and what in the headset."""

from __future__ import annotations

import dataclasses

import pytest
from table import FASCIST, LIBERAL, NAMES, PLAYER_COUNTS, Table, roles_for

from gm_assistant.rules import commands as do
from gm_assistant.rules.eligibility import Bar, Eligibility
from gm_assistant.rules.legal import legal_commands
from gm_assistant.rules.model import (
    Cause,
    Chaos,
    DictatorQuestion,
    Election,
    GameOver,
    Government,
    LegislativeSession,
    Nomination,
    Party,
    Power,
    PowerPending,
    ShufflePending,
)
from gm_assistant.rules.views import TableView, headset_view, table_view

MOMENTS = {
    "nomination": lambda: Table(9).lay(fascist=3),
    "election": lambda: Table(9).nominate(3).vote(1, True),
    "session": lambda: Table(9).elect(),
    "chaos": lambda: Table(9).fail_election().fail_election().fail_election(),
    "question": lambda: Table(9).lay(fascist=3).nominate(2).passed(),
    "shot": lambda: Table(9).lay(fascist=3).play_round(FASCIST).shoot(9),
    "magnifier": lambda: Table(9).play_round(FASCIST),
    "peek": lambda: Table(9).lay(fascist=1).play_round(FASCIST),
    "lectern": lambda: Table(9).lay(fascist=2).play_round(FASCIST),
    "crosshair": lambda: Table(9).lay(fascist=3).play_round(FASCIST),
    "shuffle": lambda: Table(9).lay(liberal=4).play_round(FASCIST).look(),
    "end": lambda: Table(9).lay(liberal=4).play_round(LIBERAL),
}


def test_the_table_view_of_a_new_game():
    assert table_view(Table(5, first=5).state) == TableView(
        edition=Table(5).state.edition,
        players=NAMES[:5],
        alive=(1, 2, 3, 4, 5),
        president=5,
        next_president=1,
        chancellor=None,
        previous=None,
        candidates=(*(Eligibility(seat, None) for seat in (1, 2, 3, 4)), Eligibility(5, Bar.PRESIDENT)),
        limits_lifted=False,
        liberal_laws=0,
        fascist_laws=0,
        draw_pile=17,
        discard_pile=0,
        in_hand=0,
        tracker=0,
        danger=False,
        magnifier_reserved=False,
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


def test_the_table_view_lists_who_may_be_chancellor():
    view = table_view(Table(7).play_round(LIBERAL, chancellor=5).state)
    assert view.eligible == (3, 4, 6, 7)


def test_the_table_view_shows_the_peg():
    assert table_view(Table(7).fail_election().fail_election().state).tracker == 2


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
    names = {field.name for field in dataclasses.fields(TableView)}
    assert names.isdisjoint({"roles", "role"})


def test_the_moments_are_all_different_phases():
    kinds = {type(reach().phase) for reach in MOMENTS.values()}
    assert kinds == {
        Nomination,
        Election,
        LegislativeSession,
        Chaos,
        DictatorQuestion,
        PowerPending,
        ShufflePending,
        GameOver,
    }


@pytest.mark.parametrize("moment", [moment for moment in MOMENTS if moment != "end"])
def test_the_table_knows_the_same_whatever_roles_are_dealt(moment):
    roles = roles_for(9)
    unknown = MOMENTS[moment]()
    for shift in range(9):
        dealt = MOMENTS[moment]().deal(*roles[shift:], *roles[:shift])
        assert table_view(dealt.state) == table_view(unknown.state)
        assert list(legal_commands(dealt.state)) == list(legal_commands(unknown.state))


@pytest.mark.parametrize("players", PLAYER_COUNTS)
def test_the_headset_knows_the_roles_and_the_table(players):
    table = Table(players)
    assert headset_view(table.state).roles is None
    roles = roles_for(players)
    view = headset_view(table.deal(*roles).state)
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
    assert list(legal_commands(MOMENTS[moment]().state)) == possible


def test_what_is_possible_in_an_election():
    table = Table(5).nominate(3).vote(1, True).vote(2, True)
    votes = [do.CastVote(seat, approves) for seat in range(1, 6) for approves in (True, False)]
    counts = [do.ReportCount(yes, 5 - yes) for yes in (2, 3, 4, 5)]
    assert list(legal_commands(table.state)) == [*votes, *counts, do.ReportResult(True), do.ReportResult(False)]
