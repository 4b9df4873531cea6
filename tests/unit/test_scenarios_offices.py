"""Situations 9 to 13 of those that other implementations got wrong: who may govern, and who is president next."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from table import (
    EDITIONS,
    FASCIST,
    LIBERAL,
    PLAYER_COUNTS,
    STANDARD,
    Table,
    every_count,
    every_edition,
    every_standard,
    house_rules,
    same_powers,
)

from gm_assistant.rules import commands as do
from gm_assistant.rules import events as happened
from gm_assistant.rules.eligibility import Bar, next_clockwise
from gm_assistant.rules.model import Government, Office, Power

NONE, SPECIAL, EXECUTION = Power.NONE, Power.SPECIAL_ELECTION, Power.EXECUTION


# 9. Few are left alive.


def with_alive(edition, players, alive):
    """Return a table where all but `alive` players were shot, and a government whose members do not govern next."""
    powers = {count: (EXECUTION,) * (players - alive if count == players else 0) for count in PLAYER_COUNTS}
    table = Table(players, edition=house_rules(edition, powers=powers, start={}))
    table.lay(fascist=players - alive)
    neighbour = next_clockwise(table.state, table.state.president)
    return table.play_round(LIBERAL, chancellor=min(table.candidates - {neighbour})).settle()


@every_standard
@pytest.mark.parametrize("players", [7, 8, 9, 10])
def test_9_with_five_alive_the_last_president_may_be_chancellor_and_the_last_chancellor_may_not(edition, players):
    table = with_alive(edition, players, 5)
    previous = table.state.previous
    assert len(table.state.alive) == 5
    assert table.bars[previous.chancellor] is Bar.ELECTED_CHANCELLOR
    assert previous.president in table.candidates


@every_standard
@pytest.mark.parametrize("players", [7, 8, 9, 10])
def test_9_with_six_alive_both_are_barred(edition, players):
    table = with_alive(edition, players, 6)
    previous = table.state.previous
    assert len(table.state.alive) == 6
    assert table.bars[previous.chancellor] is Bar.ELECTED_CHANCELLOR
    assert table.bars[previous.president] is Bar.ELECTED_PRESIDENT


@every_standard
def test_9_the_relief_comes_with_the_shot_that_leaves_five(edition):
    table = Table(7, edition=edition).reach(fascist=4).play_round(FASCIST, chancellor=5)
    president = table.state.president
    assert len(table.state.alive) == 6
    table.shoot(6).answer(False).shuffle_if_due()
    assert len(table.state.alive) == 5
    assert president in table.candidates
    assert 5 not in table.candidates


@every_standard
@pytest.mark.parametrize(("players", "relieved"), [(5, True), (6, False), (7, False), (10, False)])
def test_9_with_five_at_the_start_the_relief_is_there_from_the_first_government_on(edition, players, relieved):
    table = Table(players, edition=edition).play_round(LIBERAL, chancellor=4)
    assert (1 in table.candidates) is relieved
    assert 4 not in table.candidates


@every_count
def test_9_the_tactile_edition_knows_no_relief(players):
    table = with_alive("secret_dictator", players, max(4, players - 5))
    previous = table.state.previous
    assert table.bars[previous.president] is Bar.WAS_PRESIDENT
    assert table.bars[previous.chancellor] is Bar.WAS_CHANCELLOR


@every_edition
@pytest.mark.parametrize("free_at", [0, 6, 7])
def test_9_a_house_rule_can_move_the_relief(edition, free_at):
    limits = replace(EDITIONS[edition].term_limits, president_free_at=free_at)
    table = Table(7, edition=house_rules(edition, term_limits=limits)).play_round(LIBERAL, chancellor=5)
    assert (1 in table.candidates) is (free_at == 7)


@every_edition
@pytest.mark.parametrize("barred", [(), (Office.PRESIDENT,), (Office.CHANCELLOR,), tuple(Office)])
def test_9_a_house_rule_can_say_which_office_is_limited(edition, barred):
    limits = replace(EDITIONS[edition].term_limits, barred=barred)
    table = Table(7, edition=house_rules(edition, term_limits=limits)).play_round(LIBERAL, chancellor=5)
    assert {1, 5} - table.candidates == {
        seat for seat, office in ((1, Office.PRESIDENT), (5, Office.CHANCELLOR)) if office in barred
    }


# 10. After a failed election.


@every_count
def test_10_in_the_tactile_edition_the_president_of_a_failed_election_is_barred_and_its_candidate_is_not(players):
    table = Table(players).fail_election(4)
    assert table.state.previous == Government(1, None)
    assert table.bars == {1: Bar.WAS_PRESIDENT, 2: Bar.PRESIDENT}
    assert 4 in table.candidates


@every_standard
@every_count
def test_10_in_the_others_a_failed_election_bars_nobody(edition, players):
    table = Table(players, edition=edition).fail_election(4)
    assert table.state.previous is None
    assert table.bars == {2: Bar.PRESIDENT}


@every_standard
@every_count
@pytest.mark.parametrize("failures", [1, 2])
def test_10_in_the_others_the_last_elected_government_stays_barred(edition, players, failures):
    table = Table(players, edition=edition).play_round(LIBERAL, chancellor=5)
    for _ in range(failures):
        table.fail_election()
    assert table.state.previous == Government(1, 5)
    assert 5 not in table.candidates
    assert (1 in table.candidates) is (players == 5)


@every_count
def test_10_in_the_tactile_edition_a_failed_election_frees_the_government_before(players):
    table = Table(players).play_round(LIBERAL, chancellor=5).fail_election()
    assert {1, 5} <= table.candidates
    assert table.bars == {2: Bar.WAS_PRESIDENT, 3: Bar.PRESIDENT}


# 11. Whom the special election can name.


SPECIAL_FIELDS = [
    (name, players) for name, rules in EDITIONS.items() for players, powers in rules.powers.items() if SPECIAL in powers
]


def at_a_special_election(edition, players, chancellor=None):
    law = EDITIONS[edition].powers[players].index(SPECIAL)
    return Table(players, edition=edition).reach(fascist=law).play_round(FASCIST, chancellor)


every_special = pytest.mark.parametrize(("edition", "players"), SPECIAL_FIELDS)


def test_11_the_special_election_is_where_the_editions_have_it():
    assert {pair for pair in SPECIAL_FIELDS if pair[0] == "secret_dictator"} == {
        ("secret_dictator", 9),
        ("secret_dictator", 10),
    }
    assert {pair for pair in SPECIAL_FIELDS if pair[0] != "secret_dictator"} == {
        (edition, players) for edition in STANDARD for players in (7, 8, 9, 10)
    }


@every_special
def test_11_nobody_names_themselves(edition, players):
    table = at_a_special_election(edition, players)
    caller = table.state.president
    refused = table.refusal(do.NameNextPresident(caller))
    assert (refused.key, refused.facts["player"]) == ("not-oneself", caller)
    assert refused.facts["players"] == tuple(sorted(table.state.alive - {caller}))


@every_edition
@every_count
def test_11_the_dead_are_not_named(edition, players):
    table = Table(players, edition=same_powers(NONE, EXECUTION, SPECIAL, edition=edition)).reach(fascist=1)
    table.play_round(FASCIST).shoot(players).answer(False).play_round(FASCIST)
    refused = table.refusal(do.NameNextPresident(players))
    assert (refused.key, refused.facts["player"]) == ("player-is-dead", players)
    assert players not in refused.facts["players"]


@every_special
def test_11_whoever_is_barred_as_chancellor_may_be_made_president(edition, players):
    table = at_a_special_election(edition, players, chancellor=players)
    assert table.name_next(players).state.president == players
    assert table.events[-1] == happened.PresidencyPassed(players, special=True)


@every_special
def test_11_every_other_living_player_can_be_named(edition, players):
    for seat in range(1, players + 1):
        table = at_a_special_election(edition, players)
        if seat != table.state.president:
            assert table.name_next(seat).state.president == seat


@every_special
@pytest.mark.parametrize("beyond", [-1, 0, 11])
def test_11_nobody_sits_where_no_seat_is(edition, players, beyond):
    refused = at_a_special_election(edition, players).refusal(do.NameNextPresident(beyond))
    assert (refused.key, refused.facts) == ("no-such-seat", {"number": beyond, "most": players})


@every_edition
def test_11_a_house_rule_can_let_the_president_name_themselves(edition):
    table = Table(7, edition=same_powers(NONE, SPECIAL, edition=edition, may_target_oneself=(SPECIAL,)))
    table.reach(fascist=1).play_round(FASCIST)
    caller = table.state.president
    assert table.name_next(caller).events[-1] == happened.PresidencyPassed(caller, special=True)
    assert table.play_round(LIBERAL).state.president == caller + 1


# 12. Who follows a special president.


def following(table, seat):
    """Return who comes after `seat` clockwise among the living."""
    living = sorted(table.state.alive)
    return next((other for other in living if other > seat), living[0])


@every_special
@pytest.mark.parametrize("outcome", ["law", "failure"])
def test_12_after_a_special_election_the_order_goes_on_from_the_caller(edition, players, outcome):
    table = at_a_special_election(edition, players)
    caller = table.state.president
    table.name_next(players)
    if outcome == "law":
        table.play_round(LIBERAL)
    else:
        table.fail_election()
    assert table.state.president == following(table, caller)
    assert happened.PresidencyPassed(following(table, caller), special=False) in table.events


@every_special
@pytest.mark.parametrize("outcome", ["law", "failure"])
def test_12_the_callers_neighbour_may_be_president_twice_running(edition, players, outcome):
    table = at_a_special_election(edition, players)
    neighbour = following(table, table.state.president)
    table.name_next(neighbour)
    if outcome == "law":
        table.play_round(LIBERAL)
    else:
        table.fail_election()
    assert table.state.president == neighbour


@every_special
def test_12_the_order_goes_on_as_ever_after_that(edition, players):
    table = at_a_special_election(edition, players)
    caller = table.state.president
    table.name_next(players).fail_election().fail_election()
    assert table.state.president == following(table, following(table, caller))


@every_special
def test_12_chaos_in_a_special_presidency_goes_on_from_the_caller(edition, players):
    law = EDITIONS[edition].powers[players].index(SPECIAL)
    table = Table(players, edition=house_rules(edition, failed_elections_until_chaos=1)).reach(fascist=law)
    table.play_round(FASCIST)
    caller = table.state.president
    table.name_next(players).fail_election().enact(LIBERAL)
    assert table.state.president == following(table, caller)


@every_standard
def test_12_a_veto_of_a_special_president_goes_on_from_the_caller(edition):
    rules = same_powers(NONE, NONE, NONE, NONE, SPECIAL, edition=edition)
    table = Table(7, edition=rules).reach(fascist=4).play_round(FASCIST)
    caller = table.state.president
    named = following(table, following(table, following(table, caller)))
    table.name_next(named).shuffle_if_due().elect().propose_veto().answer_veto(True)
    assert table.state.president == following(table, caller)


# 13. The seat to go on from has died.


@every_edition
@every_count
@pytest.mark.parametrize("victim", ["caller", "neighbour"])
def test_13_if_the_seat_to_go_on_from_has_died_the_next_living_seat_follows(edition, players, victim):
    column = (NONE, SPECIAL, EXECUTION)
    table = Table(players, edition=same_powers(*column, edition=edition)).reach(fascist=1).play_round(FASCIST)
    caller = table.state.president
    neighbour = following(table, caller)
    special = following(table, following(table, neighbour))
    table.name_next(special).play_round(FASCIST)
    table.shoot(caller if victim == "caller" else neighbour).answer(False)
    expected = neighbour if victim == "caller" else following(table, neighbour)
    assert table.state.president == expected
    assert expected in table.state.alive


@every_edition
@every_count
def test_13_the_presidency_never_goes_to_the_dead(edition, players):
    table = Table(players, edition=same_powers(NONE, EXECUTION, edition=edition)).reach(fascist=1).play_round(FASCIST)
    shot = following(table, table.state.president)
    after = following(table, shot)
    table.shoot(shot).answer(False)
    assert table.state.president == after
    presidents = [table.fail_election().settle().state.president for _ in range(players)]
    assert set(presidents) == table.state.alive


@every_edition
def test_13_a_president_who_shoots_themselves_by_a_house_rule_is_followed_by_the_next_living(edition):
    rules = same_powers(NONE, EXECUTION, edition=edition, may_target_oneself=(EXECUTION,))
    table = Table(7, edition=rules).reach(fascist=1).play_round(FASCIST)
    president = table.state.president
    table.shoot(president).answer(False)
    assert table.state.president == president + 1
    assert president not in table.state.alive
