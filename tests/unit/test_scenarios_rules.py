"""Situations 4 to 7 of those that other implementations got wrong: chaos, limits after it, the piles."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from table import (
    EDITIONS,
    FASCIST,
    LIBERAL,
    STANDARD,
    Table,
    before_a_veto,
    every_count,
    every_edition,
    every_standard,
    house_rules,
    laws_in_all,
    numbered_fields,
    same_powers,
)

from gm_assistant.rules import commands as do
from gm_assistant.rules import events as happened
from gm_assistant.rules.edition import TrackerReset
from gm_assistant.rules.eligibility import Bar
from gm_assistant.rules.model import (
    Government,
    LastLaw,
    Nomination,
    Power,
    PowerPending,
    Setback,
    ShufflePending,
)

ELECTION = Setback.ELECTION
ANNOUNCING = (happened.PowerGranted, happened.MagnifierReserved, happened.PowerLapsed)


# 4. Chaos turns up a law on a field with a power.


@pytest.mark.parametrize(("edition", "players", "law"), numbered_fields())
def test_4_a_fascist_law_by_chaos_gives_no_power_and_it_is_known_why(edition, players, law):
    table = Table(players, edition=edition).reach(fascist=law - 1).chaos(FASCIST)
    assert table.events[0] == happened.LawEnacted(FASCIST, law, by_chaos=True)
    assert isinstance(table.events[1], happened.PresidencyPassed)
    assert table.happened(*ANNOUNCING) == []
    assert table.state.last_law == LastLaw(FASCIST, law, by_chaos=True, setbacks=(ELECTION,) * 3)
    assert table.settle().state.magnifier_reserved is False


# 5. Who may be chancellor after chaos.


def everybody_but_the_president(table):
    return table.state.alive - {table.state.president}


@every_count
@pytest.mark.parametrize("edition", ["secret_hitler", "service_rat"])
def test_5_after_chaos_everybody_but_the_candidate_for_president_is_free(edition, players):
    table = Table(players, edition=edition).play_round(LIBERAL).chaos(LIBERAL)
    assert table.state.previous is None
    assert table.candidates == everybody_but_the_president(table)


@every_count
def test_5_after_chaos_the_limits_stay_in_the_forum_edition(players):
    table = Table(players, edition="secret_despotar").play_round(LIBERAL, chancellor=5).chaos(LIBERAL)
    assert table.state.previous == Government(1, 5)
    relieved = players == 5
    president = table.state.president
    limited = {5: Bar.ELECTED_CHANCELLOR} | ({} if relieved else {1: Bar.ELECTED_PRESIDENT})
    assert table.bars == {**limited, president: Bar.PRESIDENT}


@every_count
def test_5_after_chaos_the_limits_stay_in_the_tactile_edition(players):
    table = Table(players).play_round(LIBERAL, chancellor=5).chaos(LIBERAL)
    assert table.bars == {4: Bar.WAS_PRESIDENT, table.state.president: Bar.PRESIDENT}


@every_edition
@pytest.mark.parametrize("frees", [True, False])
def test_5_a_house_rule_can_turn_it_round(edition, frees):
    limits = replace(EDITIONS[edition].term_limits, chaos_frees=frees)
    table = Table(7, edition=house_rules(edition, term_limits=limits)).play_round(LIBERAL, chancellor=7).chaos(LIBERAL)
    assert (table.candidates == everybody_but_the_president(table)) is frees


@pytest.mark.parametrize("edition", ["secret_hitler", "service_rat"])
def test_5_the_freedom_ends_with_the_next_elected_government(edition):
    table = Table(7, edition=edition).play_round(LIBERAL).chaos(LIBERAL)
    government = table.state.president
    table.play_round(LIBERAL, chancellor=7)
    assert table.state.previous == Government(government, 7)
    assert table.bars[7] is Bar.ELECTED_CHANCELLOR


@pytest.mark.parametrize("edition", ["secret_hitler", "service_rat"])
def test_5_chaos_after_a_veto_frees_the_vetoed_government_too(edition):
    table = before_a_veto(edition, players=10, resets_on=TrackerReset.ENACTMENT).propose_veto().answer_veto(True)
    table.shuffle_if_due()
    assert table.candidates < everybody_but_the_president(table)
    table.enact(LIBERAL).settle()
    assert table.candidates == everybody_but_the_president(table)


def test_5_chaos_after_a_veto_leaves_the_vetoed_government_limited_in_the_forum_edition():
    table = before_a_veto("secret_despotar", players=10, resets_on=TrackerReset.ENACTMENT)
    government = Government(table.state.president, table.state.chancellor)
    table.propose_veto().answer_veto(True)
    table.shuffle_if_due()
    assert table.enact(LIBERAL).settle().state.previous == government


# 6. A power after an earlier chaos.


@pytest.mark.parametrize(("edition", "players", "law"), [field for field in numbered_fields() if field[2] > 1])
def test_6_a_law_that_a_government_lays_after_chaos_gives_its_power(edition, players, law):
    table = Table(players, edition=edition)
    if law - 1 <= table.state.fascist_laws:
        table.chaos(LIBERAL)
    else:
        table.reach(fascist=law - 2).chaos(FASCIST)
    table.settle()
    assert table.state.fascist_laws == law - 1
    power, president = table.state.rules.power_at(law), table.state.president
    table.play_round(FASCIST)
    if power is Power.PEEK:
        table.shuffle_if_due()
    granted = table.happened(happened.PowerGranted)
    if power is Power.NONE:
        assert granted == []
    elif power is Power.MAGNIFIER:
        assert granted == [happened.PowerGranted(power, table.state.president)]
        assert table.state.president != president
    else:
        assert granted == [happened.PowerGranted(power, president)]


@every_edition
def test_6_the_fourth_law_of_a_government_after_chaos_grants_the_execution_with_seven_players(edition):
    table = Table(7, edition=edition).reach(fascist=2).chaos(FASCIST).settle().play_round(FASCIST)
    assert table.phase == PowerPending(Power.EXECUTION)


# 7. Too few laws are left.


@every_edition
@every_count
def test_7_a_session_that_leaves_two_laws_makes_a_shuffle_due_before_the_next_nomination(edition, players):
    table = Table(players, edition=edition).reach(fascist=3).drain_to(5).elect().enact(LIBERAL)
    assert [type(event) for event in table.events[-2:]] == [happened.PresidencyPassed, happened.ShuffleDue]
    assert table.phase == ShufflePending(Nomination())
    for seat in table.state.alive:
        assert table.refusal(do.NominateChancellor(seat)).key == "out-of-turn"
    enacted = table.state.liberal_laws + table.state.fascist_laws
    assert table.shuffle().events == (happened.PilesShuffled(17 - enacted),)


@every_edition
@every_count
def test_7_chaos_that_leaves_two_laws_makes_a_shuffle_due_before_the_next_nomination(edition, players):
    table = Table(players, edition=edition).reach(fascist=3).drain_to(3).chaos(FASCIST)
    assert table.events[-1] == happened.ShuffleDue(2)
    assert table.phase == ShufflePending(Nomination())
    assert laws_in_all(table.shuffle().state) == 17
    assert (table.phase, table.state.discard_pile) == (Nomination(), 0)


@every_edition
@every_count
def test_7_three_laws_are_enough(edition, players):
    table = Table(players, edition=edition).reach(fascist=3).drain_to(6).elect().enact(LIBERAL)
    assert (table.state.draw_pile, table.phase) == (3, Nomination())
    assert table.fail_election().phase == Nomination()


@every_standard
@pytest.mark.parametrize("left", [0, 1, 2, 3])
def test_7_a_veto_that_leaves_fewer_than_three_laws_makes_a_shuffle_due(edition, left):
    table = Table(7, edition=edition).reach(fascist=5).drain_to(left + 3).elect().propose_veto().answer_veto(True)
    assert table.phase == (ShufflePending(Nomination()) if left < 3 else Nomination())


PEEKS = [field for field in numbered_fields() if EDITIONS[field[0]].powers[field[1]][field[2] - 1] is Power.PEEK]


@pytest.mark.parametrize(("edition", "players", "law"), PEEKS)
def test_7_what_was_peeked_no_longer_holds_after_a_shuffle(edition, players, law):
    table = Table(players, edition=edition).reach(fascist=law - 1).drain_to(6).play_round(FASCIST).look()
    assert (table.state.draw_pile, table.state.peeked) == (3, 3)
    table.chaos(FASCIST)
    assert (table.state.draw_pile, table.state.peeked) == (2, 2)
    assert table.shuffle().state.peeked == 0


@pytest.mark.parametrize(("edition", "players", "law"), PEEKS)
def test_7_what_was_peeked_holds_until_it_is_drawn(edition, players, law):
    table = Table(players, edition=edition).reach(fascist=law - 1).play_round(FASCIST).settle()
    if table.state.peeked:
        assert table.fail_election().state.peeked == 3
    assert table.elect().state.peeked == 0


@pytest.mark.parametrize(("edition", "players", "law"), PEEKS)
def test_7_a_peek_at_laws_that_are_not_there_comes_after_the_shuffle(edition, players, law):
    table = Table(players, edition=edition).reach(fascist=law - 1).drain_to(5).play_round(FASCIST)
    assert table.events[-1] == happened.ShuffleDue(2)
    assert table.refusal(do.FinishLooking()).key == "out-of-turn"
    table.shuffle()
    assert table.phase == PowerPending(Power.PEEK)
    assert table.look().state.peeked == 3


def test_7_a_smaller_chaos_leaves_part_of_what_was_peeked():
    table = Table(7, edition=same_powers(Power.PEEK, edition=STANDARD[1])).play_round(FASCIST).look()
    assert [table.chaos(LIBERAL).state.peeked for _ in range(4)] == [2, 1, 0, 0]
