"""Who may be chancellor, and why not."""

from __future__ import annotations

import pytest
from table import FASCIST, LIBERAL, PLAYER_COUNTS, Table, same_powers

from gm_assistant.rules import commands as do
from gm_assistant.rules.eligibility import Bar, Eligibility, eligible_chancellors, limits_lifted
from gm_assistant.rules.model import Election, Government, Office, Power


def bars(table):
    """Return the reason for every seat that is barred."""
    return {player.seat: player.bar for player in eligible_chancellors(table.state) if player.bar is not None}


@pytest.mark.parametrize("players", PLAYER_COUNTS)
def test_in_the_first_round_everybody_but_the_president_may_be_chancellor(players):
    table = Table(players, first=3)
    assert table.candidates == set(range(1, players + 1)) - {3}
    assert bars(table) == {3: Bar.PRESIDENT}


def test_every_player_is_listed_in_seat_order():
    assert [player.seat for player in eligible_chancellors(Table(8, first=5).state)] == [1, 2, 3, 4, 5, 6, 7, 8]
    assert eligible_chancellors(Table(5).state)[:2] == (Eligibility(1, Bar.PRESIDENT), Eligibility(2, None))


def test_the_president_and_the_chancellor_of_the_previous_round_are_barred():
    table = Table(7).play_round(LIBERAL, chancellor=5)
    assert bars(table) == {1: Bar.WAS_PRESIDENT, 2: Bar.PRESIDENT, 5: Bar.WAS_CHANCELLOR}


def test_the_limits_last_one_round_only():
    table = Table(7).play_round(LIBERAL, chancellor=5).play_round(LIBERAL, chancellor=6)
    assert bars(table) == {2: Bar.WAS_PRESIDENT, 3: Bar.PRESIDENT, 6: Bar.WAS_CHANCELLOR}


def test_after_a_failed_election_its_president_is_barred_and_its_candidate_is_not():
    table = Table(7).fail_election(4)
    assert table.state.previous == Government(1, None)
    assert bars(table) == {1: Bar.WAS_PRESIDENT, 2: Bar.PRESIDENT}


def test_a_failed_election_frees_the_government_before_it():
    table = Table(7).play_round(LIBERAL, chancellor=5).fail_election(4)
    assert bars(table) == {2: Bar.WAS_PRESIDENT, 3: Bar.PRESIDENT}
    assert table.nominate(5).phase == Election(5)


def test_a_chancellor_who_was_the_previous_one_and_is_now_president_is_barred_as_president():
    table = Table(7).play_round(LIBERAL, chancellor=2)
    assert bars(table) == {1: Bar.WAS_PRESIDENT, 2: Bar.PRESIDENT}


@pytest.mark.parametrize(
    ("seat", "key"),
    [(1, "barred-was_president"), (2, "barred-president"), (5, "barred-was_chancellor")],
)
def test_a_barred_nomination_is_refused_with_the_reason_and_those_who_are_free(seat, key):
    refused = Table(7).play_round(LIBERAL, chancellor=5).refusal(do.NominateChancellor(seat))
    assert (refused.key, refused.facts) == (key, {"player": seat, "players": (3, 4, 6, 7)})


def test_the_dead_are_not_nominated():
    table = Table(7).lay(fascist=4)
    refused = table.refusal(do.NominateChancellor(7))
    assert refused.key == "barred-dead"
    assert refused.facts["players"] == tuple(sorted(table.candidates))
    assert 7 not in table.candidates


def test_a_dead_member_of_the_previous_government_is_barred_for_being_dead():
    table = Table(7).lay(fascist=3).play_round(FASCIST, chancellor=6).shoot(6).answer(False)
    assert bars(table) == {4: Bar.WAS_PRESIDENT, 5: Bar.PRESIDENT, 6: Bar.DEAD}


def test_chaos_leaves_the_limits_as_they_are():
    table = Table(7).fail_election().fail_election().fail_election().enact(LIBERAL)
    assert table.state.president == 4
    assert bars(table) == {3: Bar.WAS_PRESIDENT, 4: Bar.PRESIDENT}


def test_a_named_president_and_the_callers_government_are_barred():
    table = Table(9).lay(fascist=2).play_round(FASCIST, chancellor=6).name_next(8)
    assert bars(table) == {3: Bar.WAS_PRESIDENT, 6: Bar.WAS_CHANCELLOR, 8: Bar.PRESIDENT}


def test_after_a_special_round_its_own_government_is_barred():
    table = Table(9).lay(fascist=2).play_round(FASCIST, chancellor=6).name_next(8).play_round(LIBERAL, chancellor=1)
    assert bars(table) == {1: Bar.WAS_CHANCELLOR, 4: Bar.PRESIDENT, 8: Bar.WAS_PRESIDENT}


def test_a_president_twice_running_is_barred_as_the_sitting_one():
    table = Table(9).lay(fascist=2).play_round(FASCIST).name_next(4).play_round(LIBERAL, chancellor=5)
    assert table.state.previous == Government(4, 5)
    assert bars(table) == {4: Bar.PRESIDENT, 5: Bar.WAS_CHANCELLOR}


@pytest.mark.parametrize(("players", "living"), [(5, 4), (6, 5), (7, 5), (8, 6)])
def test_few_living_players_are_no_relief(players, living):
    table = Table(players).lay(fascist=5)
    previous = table.state.previous
    assert len(table.state.alive) == living
    assert bars(table)[previous.president] is Bar.WAS_PRESIDENT
    assert limits_lifted(table.state) == ()


def test_nothing_is_lifted_while_somebody_is_free():
    table = Table(5).play_round(LIBERAL, chancellor=5)
    assert limits_lifted(table.state) == ()
    assert table.candidates == {3, 4}


# If the limits leave nobody. It takes more deaths than the printed strips bring.


CROSSHAIR, SPECIAL = Power.EXECUTION, Power.SPECIAL_ELECTION


def three_left():
    """Return a table where 2, 3 and 4 live, 2 and 4 governed and 3 is to nominate."""
    table = Table(5, edition=same_powers(CROSSHAIR, CROSSHAIR))
    table.play_round(FASCIST, chancellor=2).shoot(5).answer(False)
    table.play_round(FASCIST, chancellor=4).shoot(1).answer(False)
    assert (table.state.president, table.state.previous) == (3, Government(2, 4))
    return table


def two_left():
    """Return a table where 1 and 2 live, governed together, and 1 is president once more."""
    table = Table(5, edition=same_powers(CROSSHAIR, CROSSHAIR, SPECIAL, CROSSHAIR))
    table.play_round(FASCIST, chancellor=2).shoot(5).answer(False)
    table.play_round(FASCIST, chancellor=3).shoot(4).answer(False)
    table.play_round(FASCIST, chancellor=1).name_next(1)
    table.play_round(FASCIST, chancellor=2).shoot(3).answer(False)
    assert (table.state.president, table.state.previous) == (1, Government(1, 2))
    return table


def test_if_nobody_is_left_the_limit_on_the_president_falls_first():
    table = three_left()
    assert limits_lifted(table.state) == (Office.PRESIDENT,)
    assert bars(table) == {1: Bar.DEAD, 3: Bar.PRESIDENT, 4: Bar.WAS_CHANCELLOR, 5: Bar.DEAD}
    refused = table.refusal(do.NominateChancellor(4))
    assert (refused.key, refused.facts) == ("barred-was_chancellor", {"player": 4, "players": (2,)})
    assert table.nominate(2).phase == Election(2)


def test_if_still_nobody_is_left_the_limit_on_the_chancellor_falls_too():
    table = two_left()
    assert limits_lifted(table.state) == (Office.PRESIDENT, Office.CHANCELLOR)
    assert bars(table) == {1: Bar.PRESIDENT, 3: Bar.DEAD, 4: Bar.DEAD, 5: Bar.DEAD}
    assert table.nominate(2).phase == Election(2)


@pytest.mark.parametrize(("table_of", "seat", "key"), [(three_left, 3, "president"), (two_left, 3, "dead")])
def test_the_sitting_president_and_the_dead_stay_barred_when_limits_fall(table_of, seat, key):
    assert table_of().refusal(do.NominateChancellor(seat)).key == f"barred-{key}"


def test_limits_hold_again_as_soon_as_they_leave_somebody():
    table = three_left().fail_election(2)
    assert (table.state.president, limits_lifted(table.state)) == (4, ())
    assert bars(table) == {1: Bar.DEAD, 3: Bar.WAS_PRESIDENT, 4: Bar.PRESIDENT, 5: Bar.DEAD}
