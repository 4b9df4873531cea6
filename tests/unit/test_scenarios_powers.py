"""Situations 14 to 16, 18 and 20 of those that other implementations got wrong: danger, powers and the dead."""

from __future__ import annotations

import pytest
from table import (
    EDITIONS,
    FASCIST,
    STANDARD,
    Table,
    every_count,
    every_edition,
    house_rules,
    numbered_fields,
    roles_for,
    same_powers,
)

from gm_assistant.rules import commands as do
from gm_assistant.rules import events as happened
from gm_assistant.rules.legal import legal_commands
from gm_assistant.rules.model import (
    Cause,
    DictatorQuestion,
    GameOver,
    LegislativeSession,
    Nomination,
    Power,
    PowerPending,
)
from gm_assistant.rules.views import TableView, table_view

NONE, MAGNIFIER, PEEK, INVESTIGATE, SPECIAL, EXECUTION = Power
every_field = pytest.mark.parametrize(("edition", "players", "law"), numbered_fields())

TACTILE_COLUMNS = {
    (5, 6): (NONE, NONE, MAGNIFIER, PEEK, EXECUTION),
    (7, 8): (NONE, MAGNIFIER, PEEK, EXECUTION, EXECUTION),
    (9, 10): (MAGNIFIER, PEEK, SPECIAL, EXECUTION, EXECUTION),
}
STANDARD_COLUMNS = {
    (5, 6): (NONE, NONE, PEEK, EXECUTION, EXECUTION),
    (7, 8): (NONE, INVESTIGATE, SPECIAL, EXECUTION, EXECUTION),
    (9, 10): (INVESTIGATE, INVESTIGATE, SPECIAL, EXECUTION, EXECUTION),
}


def printed_power(edition, players, law):
    """Return what the rules print for this field."""
    columns = STANDARD_COLUMNS if edition in STANDARD else TACTILE_COLUMNS
    return next(column[law - 1] for counts, column in columns.items() if players in counts)


# 14. The dictator is elected chancellor.


def with_dictator_elected(edition, players, fascist_laws, by_chaos=False):
    """Elect a chancellor whom nobody has asked yet, with so many fascist laws enacted."""
    table = Table(players, edition=edition)
    if by_chaos:
        table.reach(fascist=fascist_laws - 1).chaos(FASCIST).settle()
    table.reach(fascist=fascist_laws)
    return table.nominate(max(table.candidates - table.state.cleared)).passed()


@every_edition
@every_count
@pytest.mark.parametrize("fascist_laws", [1, 2])
def test_14_with_two_fascist_laws_or_fewer_an_elected_dictator_just_governs(edition, players, fascist_laws):
    table = with_dictator_elected(edition, players, fascist_laws)
    assert table.state.fascist_laws == fascist_laws
    assert isinstance(table.phase, LegislativeSession)
    assert table.refusal(do.AnswerDictatorQuestion(True)).key == "out-of-turn"


@every_edition
@every_count
@pytest.mark.parametrize("by_chaos", [True, False])
@pytest.mark.parametrize("fascist_laws", [3, 4, 5])
def test_14_with_three_fascist_laws_or_more_an_elected_dictator_wins(edition, players, fascist_laws, by_chaos):
    table = with_dictator_elected(edition, players, fascist_laws, by_chaos)
    assert table.state.fascist_laws == fascist_laws
    assert table.phase == DictatorQuestion(table.state.chancellor, Cause.DICTATOR_ELECTED)
    table.answer(True)
    assert table.events[-1] == happened.GameWon(FASCIST, Cause.DICTATOR_ELECTED)
    assert table.phase == GameOver(FASCIST, Cause.DICTATOR_ELECTED)


@every_edition
@every_count
def test_14_with_three_fascist_laws_anybody_else_governs_and_is_cleared(edition, players):
    table = with_dictator_elected(edition, players, 3)
    chancellor = table.state.chancellor
    table.answer(False)
    assert isinstance(table.phase, LegislativeSession)
    assert chancellor in table.state.cleared


@every_edition
@every_count
def test_14_the_question_does_not_depend_on_the_roles_that_were_dealt(edition, players):
    roles = roles_for(players, edition)
    for shift in range(players):
        table = Table(players, edition=edition).deal(*roles[shift:], *roles[:shift]).reach(fascist=3)
        candidate = max(table.candidates)
        assert table.nominate(candidate).passed().phase == DictatorQuestion(candidate, Cause.DICTATOR_ELECTED)


@every_edition
def test_14_a_dictator_who_is_voted_down_is_not_asked(edition):
    table = Table(7, edition=edition).reach(fascist=3).fail_election()
    assert table.phase == Nomination()


@every_edition
@pytest.mark.parametrize("danger_from", [1, 2, 4, 6])
def test_14_a_house_rule_can_move_the_danger(edition, danger_from):
    table = Table(7, edition=house_rules(edition, danger_from=danger_from)).reach(fascist=2)
    table.nominate(max(table.candidates - table.state.cleared)).passed()
    assert isinstance(table.phase, DictatorQuestion) is (danger_from <= 2)


# 15. The investigation.


INVESTIGATIONS = [field for field in numbered_fields() if printed_power(*field) is INVESTIGATE]
every_investigation = pytest.mark.parametrize(("edition", "players", "law"), INVESTIGATIONS)


def test_15_the_investigation_is_where_the_editions_have_it():
    assert {(players, law) for _, players, law in INVESTIGATIONS} == {(7, 2), (8, 2), (9, 1), (9, 2), (10, 1), (10, 2)}
    assert {edition for edition, _, _ in INVESTIGATIONS} == set(STANDARD)


@every_investigation
def test_15_who_was_investigated_is_known_and_the_result_is_not(edition, players, law):
    table = Table(players, edition=edition).reach(fascist=law - 1).play_round(FASCIST)
    president = table.state.president
    assert table.phase == PowerPending(INVESTIGATE)
    table.investigate(players)
    assert table.events == (
        happened.PowerUsed(INVESTIGATE, president, players),
        happened.PresidencyPassed(president + 1, special=False),
    )
    assert players in table.state.investigated
    assert players in table_view(table.state).investigated


@every_investigation
def test_15_an_investigation_looks_the_same_for_every_role(edition, players, law):
    roles = roles_for(players, edition)
    seen = []
    for shift in range(players):
        table = Table(players, edition=edition).deal(*roles[shift:], *roles[:shift])
        table.reach(fascist=law - 1).play_round(FASCIST).investigate(players)
        seen.append((table.events, table_view(table.state)))
    assert all(one == seen[0] for one in seen)
    assert not {"party", "parties", "roles"} & set(TableView.__struct_fields__)


@pytest.mark.parametrize("edition", STANDARD)
@pytest.mark.parametrize("players", [9, 10])
def test_15_nobody_is_investigated_twice(edition, players):
    table = Table(players, edition=edition).play_round(FASCIST).investigate(players).play_round(FASCIST)
    assert table.phase == PowerPending(INVESTIGATE)
    refused = table.refusal(do.Investigate(players))
    assert (refused.key, refused.facts["player"]) == ("already-investigated", players)
    assert refused.facts["players"] == tuple(sorted(table.state.alive - {table.state.president, players}))
    assert do.Investigate(players) not in list(legal_commands(table.state))


@every_edition
def test_15_a_house_rule_can_allow_a_second_investigation(edition):
    rules = same_powers(NONE, INVESTIGATE, INVESTIGATE, edition=edition, repeated_investigation=True)
    table = Table(7, edition=rules).reach(fascist=1)
    table.play_round(FASCIST).investigate(7).play_round(FASCIST).investigate(7)
    assert table.state.investigated == {7}
    assert table.phase == Nomination()


@every_investigation
def test_15_the_president_does_not_investigate_themselves(edition, players, law):
    table = Table(players, edition=edition).reach(fascist=law - 1).play_round(FASCIST)
    assert table.refusal(do.Investigate(table.state.president)).key == "not-oneself"


@every_edition
def test_15_an_investigation_lapses_if_nobody_is_left_for_it(edition):
    table = Table(5, edition=same_powers(*(INVESTIGATE,) * 5, edition=edition))
    for president, seat in ((1, 2), (2, 1), (3, 4), (4, 3)):
        table.play_round(FASCIST)
        assert table.state.president == president
        table.investigate(seat).settle()
    table.elect().enact(FASCIST)
    assert table.events[:3] == (
        happened.LawEnacted(FASCIST, 5, by_chaos=False),
        happened.PowerLapsed(INVESTIGATE),
        happened.PresidencyPassed(1, special=False),
    )


# 16. Which column of powers counts.


@every_field
def test_16_every_field_gives_the_power_that_is_printed_for_the_players_at_the_start(edition, players, law):
    table = Table(players, edition=edition).reach(fascist=law - 1).elect()
    president = table.state.president
    table.enact(FASCIST).shuffle_if_due()
    power = printed_power(edition, players, law)
    reserved = [event for event in table.history.done[-1].events if isinstance(event, happened.MagnifierReserved)]
    if power is NONE:
        assert table.phase == Nomination()
    elif power is MAGNIFIER:
        assert table.phase == PowerPending(MAGNIFIER)
        assert len(reserved) == 1
    else:
        assert (table.phase, table.state.president, reserved) == (PowerPending(power), president, [])


DISTINCT = {
    5: (NONE, EXECUTION, PEEK, INVESTIGATE, SPECIAL),
    6: (NONE, EXECUTION, INVESTIGATE, SPECIAL, PEEK),
    7: (NONE, EXECUTION, SPECIAL, PEEK, INVESTIGATE),
    8: (NONE, EXECUTION, PEEK, SPECIAL, INVESTIGATE),
    9: (NONE, EXECUTION, INVESTIGATE, PEEK, SPECIAL),
    10: (NONE, EXECUTION, SPECIAL, INVESTIGATE, PEEK),
}


@every_edition
@every_count
@pytest.mark.parametrize("law", [3, 4, 5])
def test_16_the_column_stays_after_a_death(edition, players, law):
    table = Table(players, edition=house_rules(edition, powers=DISTINCT)).reach(fascist=law - 1).play_round(FASCIST)
    assert len(table.state.alive) == players - 1
    assert table.shuffle_if_due().phase == PowerPending(DISTINCT[players][law - 1])
    assert table.state.rules.powers == DISTINCT[players]


# 18. The dead.


def with_one_dead(edition, players, *after):
    """Return a table where the last seat was shot, before the next fascist law gives the next power of `after`."""
    table = Table(players, edition=same_powers(NONE, EXECUTION, *after, edition=edition)).reach(fascist=1)
    return table.play_round(FASCIST).shoot(players).answer(False)


@every_edition
@every_count
def test_18_the_dead_do_not_vote_and_are_not_waited_for(edition, players):
    table = with_one_dead(edition, players)
    table.nominate(min(table.candidates))
    refused = table.refusal(do.CastVote(players, True))
    assert (refused.key, refused.facts) == ("dead-do-not-vote", {"player": players})
    for seat in range(1, players):
        table.vote(seat, True)
    assert isinstance(table.phase, LegislativeSession)


@every_edition
@every_count
def test_18_the_dead_do_not_vote_in_secret_and_are_not_waited_for(edition, players):
    table = Table(players, edition=same_powers(NONE, EXECUTION, edition=edition, secret_ballot=True)).reach(fascist=1)
    table.play_round(FASCIST).shoot(players).answer(False)
    table.nominate(min(table.candidates)).do(do.TakeSecretBallot())
    refused = table.refusal(do.CastSecretVote(players, True))
    assert (refused.key, refused.facts) == ("dead-do-not-vote", {"player": players})
    everybody = tuple((seat, True) for seat in range(1, players + 1))
    assert table.refusal(do.DrawMissingVotes(everybody)).facts == {"total": players, "number": players - 1}
    assert isinstance(table.do(do.DrawMissingVotes(everybody[:-1])).phase, LegislativeSession)


@every_edition
@every_count
def test_18_the_dead_are_not_nominated(edition, players):
    table = with_one_dead(edition, players)
    assert players not in table.candidates
    assert table.refusal(do.NominateChancellor(players)).key == "barred-dead"


@every_edition
@every_count
@pytest.mark.parametrize(
    ("power", "use"),
    [(INVESTIGATE, do.Investigate), (SPECIAL, do.NameNextPresident), (EXECUTION, do.Shoot)],
)
def test_18_no_power_is_used_on_the_dead(edition, players, power, use):
    table = with_one_dead(edition, players, power).play_round(FASCIST)
    assert table.phase == PowerPending(power)
    refused = table.refusal(use(players))
    assert (refused.key, refused.facts["player"]) == ("player-is-dead", players)
    assert refused.facts["players"] == tuple(sorted(table.state.alive - {table.state.president}))
    assert use(players) not in list(legal_commands(table.state))


@every_edition
@every_count
def test_18_a_count_is_that_of_the_living(edition, players):
    table = with_one_dead(edition, players)
    table.nominate(min(table.candidates))
    assert table.refusal(do.ReportCount(players, 0)).facts == {"total": players, "number": players - 1}
    assert isinstance(table.count(players - 1, 0).phase, LegislativeSession)


# 20. The magnifier of the tactile edition.


MAGNIFIERS = [(5, 3), (6, 3), (7, 2), (8, 2), (9, 1), (10, 1)]


@pytest.mark.parametrize(("players", "law"), MAGNIFIERS)
def test_20_the_magnifier_is_due_for_the_next_president_before_the_nomination(players, law):
    table = Table(players).reach(fascist=law - 1).elect()
    president = table.state.president
    table.enact(FASCIST)
    following = president % players + 1
    assert table.events[1:] == (
        happened.MagnifierReserved(),
        happened.PresidencyPassed(following, special=False),
        happened.PowerGranted(MAGNIFIER, following),
    )
    for seat in table.candidates:
        assert table.refusal(do.NominateChancellor(seat)).key == "out-of-turn"
    assert table.look().events == (happened.PowerUsed(MAGNIFIER, following, None),)


def test_20_the_magnifier_of_a_special_president_is_due_for_the_callers_neighbour():
    table = Table(9, edition=same_powers(SPECIAL, MAGNIFIER)).play_round(FASCIST).name_next(6).play_round(FASCIST)
    assert table.events[2:] == (
        happened.PresidencyPassed(2, special=False),
        happened.PowerGranted(MAGNIFIER, 2),
    )


def test_20_the_magnifier_is_due_for_the_callers_neighbour_who_is_president_twice_running():
    table = Table(9, edition=same_powers(SPECIAL, MAGNIFIER)).play_round(FASCIST).name_next(2).play_round(FASCIST)
    assert table.events[-1] == happened.PowerGranted(MAGNIFIER, 2)


@every_count
def test_20_the_magnifier_passes_over_a_shot_player(players):
    table = Table(players, edition=same_powers(EXECUTION, MAGNIFIER)).play_round(FASCIST)
    table.shoot(3).answer(False).play_round(FASCIST)
    assert table.events[-1] == happened.PowerGranted(MAGNIFIER, 4)


def test_20_a_magnifier_by_chaos_is_due_for_nobody():
    for players, law in MAGNIFIERS:
        table = Table(players).reach(fascist=law - 1).chaos(FASCIST)
        assert table.happened(happened.MagnifierReserved, happened.PowerGranted) == []
        assert table.shuffle_if_due().phase == Nomination()


@pytest.mark.parametrize("edition", STANDARD)
def test_20_the_other_editions_have_no_magnifier(edition):
    assert all(MAGNIFIER not in column for column in EDITIONS[edition].powers.values())


def test_20_the_magnifier_comes_before_a_shuffle_that_would_take_the_law_away():
    table = Table(7).reach(fascist=1).drain_to(5).play_round(FASCIST)
    assert (table.phase, table.state.draw_pile) == (PowerPending(MAGNIFIER), 2)
    assert table.state.discard_pile > 0
    assert table.look().events[-1] == happened.ShuffleDue(2)
