"""Situations 17, 19 and 21 of those that other implementations got wrong: votes, the start and a new start."""

from __future__ import annotations

import pytest
from table import (
    EDITIONS,
    FASCIST,
    LIBERAL,
    PLAYER_COUNTS,
    Table,
    every_count,
    every_edition,
    house_rules,
    laws_in_all,
    roles_for,
)

from gm_assistant.rules import commands as do
from gm_assistant.rules import events as happened
from gm_assistant.rules.legal import moves
from gm_assistant.rules.model import Cause, GameOver, Nomination, Power, Role

EXECUTION = Power.EXECUTION

# 17. Ties and counts.

LIVING = [(players, living) for living in (4, 6, 8, 10) for players in PLAYER_COUNTS if living <= players <= living + 3]
every_even_table = pytest.mark.parametrize(("players", "living"), LIVING)


def voting(edition, players, living, **changes):
    """Return a table of so many players, so many of whom live, in an election."""
    powers = {count: (EXECUTION,) * (players - living if count == players else 0) for count in PLAYER_COUNTS}
    table = Table(players, edition=house_rules(edition, powers=powers, start={}, **changes))
    table.lay(fascist=players - living)
    assert len(table.state.alive) == living
    return table.nominate(min(table.candidates - table.state.cleared))


def call_the_roll(table, ayes, secret=False):
    """Let as many of the living as `ayes` agree and the others not."""
    if secret:
        table.do(do.TakeSecretBallot())
    for place, seat in enumerate(sorted(table.state.alive)):
        (table.vote_secretly if secret else table.vote)(seat, place < ayes)
    return table


def elected(table):
    (outcome,) = table.happened(happened.GovernmentElected, happened.ElectionFailed)
    return isinstance(outcome, happened.GovernmentElected)


@every_edition
@every_even_table
def test_17_a_tie_fails_and_one_more_vote_elects(edition, players, living):
    half = living // 2
    assert not elected(voting(edition, players, living).count(half, half))
    assert elected(voting(edition, players, living).count(half + 1, half - 1))


@every_edition
@every_even_table
@pytest.mark.parametrize("secret", [False, True])
def test_17_a_tie_by_roll_call_fails_and_one_more_vote_elects(edition, players, living, secret):
    table = voting(edition, players, living, secret_ballot=True)
    assert not elected(call_the_roll(table, living // 2, secret))
    assert happened.ElectionFailed(1, living // 2, living // 2) in table.events
    assert elected(call_the_roll(voting(edition, players, living, secret_ballot=True), living // 2 + 1, secret))


@every_edition
@every_even_table
def test_17_a_house_rule_can_let_a_tie_elect(edition, players, living):
    half = living // 2
    assert elected(voting(edition, players, living, tie_elects=True).count(half, half))
    assert not elected(voting(edition, players, living, tie_elects=True).count(half - 1, half + 1))


@every_edition
@every_even_table
def test_17_half_noes_rule_out_that_it_passed_and_half_ayes_do_not_rule_out_that_it_failed(edition, players, living):
    table = voting(edition, players, living)
    for seat in sorted(table.state.alive)[: living // 2]:
        table.vote(seat, False)
    refused = table.refusal(do.ReportResult(True))
    assert (refused.key, refused.facts) == ("result-contradicts-votes", {"yes": 0, "no": living // 2})
    table = voting(edition, players, living)
    for seat in sorted(table.state.alive)[: living // 2]:
        table.vote(seat, True)
    assert not elected(table.failed())


@every_edition
@every_count
def test_17_only_counts_that_add_up_to_the_living_are_accepted(edition, players):
    table = Table(players, edition=edition).nominate(2)
    for yes in range(-1, players + 3):
        for no in range(-1, players + 3):
            if min(yes, no) >= 0 and yes + no == players:
                assert do.ReportCount(yes, no) in list(moves(table.state))
            else:
                refused = table.refusal(do.ReportCount(yes, no))
                assert refused.key == "wrong-number-of-votes"
                assert refused.facts == {"total": yes + no, "number": players}


@every_edition
def test_17_seven_yes_and_four_no_with_ten_alive_are_refused_with_the_right_number(edition):
    refused = Table(10, edition=edition).nominate(2).refusal(do.ReportCount(7, 4))
    assert (refused.key, refused.facts) == ("wrong-number-of-votes", {"total": 11, "number": 10})


# 19. What lies where at the start.


@every_count
@pytest.mark.parametrize("edition", ["secret_dictator", "secret_hitler", "service_rat"])
def test_19_all_laws_lie_in_the_draw_pile_at_the_start(edition, players):
    state = Table(players, edition=edition).state
    assert (state.draw_pile, state.discard_pile, state.liberal_laws, state.fascist_laws) == (17, 0, 0, 0)


@pytest.mark.parametrize(
    ("players", "drawn", "discarded", "enacted"),
    [(5, 17, 0, 0), (6, 16, 0, 1), (7, 16, 1, 0), (8, 17, 0, 0), (9, 15, 2, 0), (10, 17, 0, 0)],
)
def test_19_the_forum_edition_starts_as_its_table_says(players, drawn, discarded, enacted):
    table = Table(players, edition="secret_despotar")
    state = table.state
    assert (state.draw_pile, state.discard_pile, state.liberal_laws, state.fascist_laws) == (
        drawn,
        discarded,
        0,
        enacted,
    )
    assert laws_in_all(state) == 17
    assert (state.last_law, state.tracker, state.previous, table.phase) == (None, 0, None, Nomination())
    assert table.events == (happened.GameStarted("secret_despotar", 1, state.players, 1, state.rules),)


def test_19_the_law_at_the_start_gives_no_power_even_where_its_field_has_one():
    powers = dict.fromkeys(PLAYER_COUNTS, (EXECUTION, Power.PEEK))
    table = Table(6, edition=house_rules("secret_despotar", powers=powers))
    assert (table.state.fascist_laws, table.phase) == (1, Nomination())
    assert len(table.events) == 1
    assert table.play_round(FASCIST).events[:2] == (
        happened.LawEnacted(FASCIST, 2, by_chaos=False),
        happened.PowerGranted(Power.PEEK, 1),
    )


def test_19_with_six_players_the_third_fascist_law_comes_after_two_governments():
    table = Table(6, edition="secret_despotar").lay(fascist=2)
    assert (table.state.fascist_laws, table.state.danger) == (3, True)


def test_19_with_six_players_five_more_fascist_laws_win():
    table = Table(6, edition="secret_despotar").lay(fascist=4)
    assert table.phase == Nomination()
    assert table.play_round(FASCIST).phase == GameOver(FASCIST, Cause.LAWS)


@pytest.mark.parametrize(("players", "left", "shuffled"), [(5, 2, 12), (6, 1, 11), (7, 1, 12), (8, 2, 12), (9, 0, 12)])
def test_19_the_laws_laid_aside_at_the_start_come_into_the_game_with_the_first_shuffle(players, left, shuffled):
    table = Table(players, edition="secret_despotar").lay(liberal=4)
    assert not any(isinstance(event, happened.ShuffleDue) for event in table.all_events)
    table.play_round(FASCIST).settle()
    shuffles = [event for event in table.all_events if isinstance(event, happened.ShuffleDue | happened.PilesShuffled)]
    assert shuffles == [happened.ShuffleDue(left), happened.PilesShuffled(shuffled)]
    assert (table.state.draw_pile, table.state.discard_pile) == (shuffled, 0)


# 21. A new game in the same evening.


@every_edition
@every_count
def test_21_a_new_game_starts_clean(edition, players):
    fresh = Table(players, edition=edition).state
    used = Table(players, edition=edition).deal(*roles_for(players, edition)).reach(fascist=5).fail_election()
    assert used.state.previous is not None
    assert used.state.alive < fresh.alive
    used.reach(liberal=4).play_round(LIBERAL)
    assert isinstance(used.phase, GameOver)
    again = Table(players, edition=edition)
    assert again.state == fresh
    assert again.events == (happened.GameStarted(edition, 1, again.state.players, 1, again.state.rules),)
    state = again.state
    assert (state.roles, state.previous, state.last_law, state.setbacks) == (None, None, None, ())
    assert (state.investigated, state.cleared, state.peeked) == (frozenset(), frozenset(), 0)
    assert (state.special_president, state.magnifier_reserved, state.phase) == (None, False, Nomination())
    assert state.alive == set(range(1, players + 1))
    assert again.history.undone == ()


@every_edition
@every_count
def test_21_a_new_game_can_be_dealt_anew_and_an_old_one_cannot(edition, players):
    roles = roles_for(players, edition)
    other = roles[::-1]
    assert Table(players, edition=edition).deal(*roles).deal(*other).state.roles == other
    for played in (
        Table(players, edition=edition).nominate(2),
        Table(players, edition=edition).fail_election(),
        Table(players, edition=edition).fail_election().fail_election(),
        Table(players, edition=edition).chaos(LIBERAL),
        Table(players, edition=edition).play_round(LIBERAL),
    ):
        assert played.refusal(do.DealRoles(roles)).key == "too-late-to-deal"


@every_edition
@every_count
def test_21_the_roles_are_those_of_the_edition(edition, players):
    counts = EDITIONS[edition].roles[players]
    assert (counts.of(Role.LIBERAL), counts.of(Role.FASCIST), counts.of(Role.DICTATOR)) == (
        {5: 3, 6: 4, 7: 4, 8: 5, 9: 6 if edition == "secret_dictator" else 5, 10: 6}[players],
        {5: 1, 6: 1, 7: 2, 8: 2, 9: 2 if edition == "secret_dictator" else 3, 10: 3}[players],
        1,
    )
