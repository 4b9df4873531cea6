"""Three failed elections in a row, and the draw pile running out."""

from __future__ import annotations

import pytest
from table import FASCIST, LIBERAL, PLAYER_COUNTS, Table, house_rules, laws_in_all, same_powers

from gm_assistant.rules import commands as do
from gm_assistant.rules import events as happened
from gm_assistant.rules.model import (
    Chaos,
    LegislativeSession,
    Nomination,
    Party,
    Power,
    PowerPending,
    ShufflePending,
)

# Chaos.


def test_two_failed_elections_are_no_chaos():
    table = Table(7).fail_election().fail_election()
    assert (table.state.tracker, table.phase) == (2, Nomination())


@pytest.mark.parametrize("players", PLAYER_COUNTS)
def test_the_third_failed_election_in_a_row_is_chaos(players):
    table = Table(players).fail_election().fail_election().fail_election()
    assert table.events == (happened.ElectionFailed(3, None, None), happened.ChaosBegan())
    assert (table.state.tracker, table.state.president, table.phase) == (3, 3, Chaos())


def test_a_third_failure_by_roll_call_is_chaos_too():
    table = Table(5).fail_election().fail_election().nominate(4)
    for seat in range(1, 6):
        table.vote(seat, False)
    assert table.events[-2:] == (happened.ElectionFailed(3, 0, 5), happened.ChaosBegan())


@pytest.mark.parametrize("party", Party)
def test_chaos_enacts_the_top_law_and_the_game_goes_on(party):
    table = Table(7).fail_election().fail_election().fail_election().enact(party)
    assert table.events == (
        happened.LawEnacted(party, 1, by_chaos=True),
        happened.PresidencyPassed(4, special=False),
    )
    state = table.state
    assert (state.tracker, state.draw_pile, state.discard_pile, state.laws(party)) == (0, 16, 0, 1)
    assert state.phase == Nomination()


def test_failures_count_anew_after_chaos():
    table = Table(7).chaos(LIBERAL)
    assert table.fail_election().state.tracker == 1
    assert table.fail_election().state.tracker == 2
    assert table.fail_election().phase == Chaos()


def test_failures_that_are_not_in_a_row_are_no_chaos():
    table = Table(7).fail_election().fail_election().play_round(LIBERAL).fail_election().fail_election()
    assert (table.state.tracker, table.phase) == (2, Nomination())


@pytest.mark.parametrize(
    "command", [do.NominateChancellor(5), do.ReportResult(True), do.ShufflePiles(), do.AnswerDictatorQuestion(False)]
)
def test_in_chaos_the_top_law_must_be_turned_first(command):
    table = Table(7).fail_election().fail_election().fail_election()
    assert table.refusal(command).key in {"out-of-turn", "no-shuffle-due"}


def test_chaos_after_a_special_election_goes_on_from_the_caller():
    table = Table(9, edition=same_powers(Power.SPECIAL_ELECTION, failed_elections_until_chaos=1))
    table.play_round(FASCIST).name_next(6).fail_election()
    assert table.phase == Chaos()
    assert table.enact(LIBERAL).events[-1] == happened.PresidencyPassed(2, special=False)


def test_a_house_rule_can_move_chaos():
    table = Table(7, edition=house_rules(failed_elections_until_chaos=2)).fail_election()
    assert table.phase == Nomination()
    assert table.fail_election().phase == Chaos()


# Shuffling.


def test_fewer_than_three_laws_make_a_shuffle_due_before_the_next_nomination():
    table = Table(5).lay(liberal=4)
    assert (table.state.draw_pile, table.state.discard_pile, table.phase) == (5, 8, Nomination())
    table.play_round(FASCIST)
    assert table.events == (
        happened.LawEnacted(FASCIST, 1, by_chaos=False),
        happened.PresidencyPassed(1, special=False),
        happened.ShuffleDue(2),
    )
    assert table.phase == ShufflePending(Nomination())


def test_both_piles_become_the_new_draw_pile_without_the_enacted_laws():
    table = Table(5).lay(liberal=4).play_round(FASCIST).shuffle()
    assert table.events == (happened.PilesShuffled(12),)
    assert (table.state.draw_pile, table.state.discard_pile, table.phase) == (12, 0, Nomination())
    assert laws_in_all(table.state) == 17


def three_laws_left():
    """Return a table with three laws in the draw pile, before a nomination."""
    table = Table(10).lay(liberal=2, fascist=2).chaos(LIBERAL).chaos(FASCIST)
    assert (table.state.draw_pile, table.state.discard_pile, table.phase) == (3, 8, Nomination())
    return table


def test_exactly_three_laws_are_enough():
    table = three_laws_left()
    assert table.phase == Nomination()
    assert table.elect().phase == LegislativeSession(3)
    assert table.state.draw_pile == 0


def test_a_draw_pile_that_is_used_up_is_made_anew():
    table = three_laws_left().elect().enact(LIBERAL)
    assert table.events[-1] == happened.ShuffleDue(0)
    assert table.shuffle().events == (happened.PilesShuffled(10),)


def test_chaos_that_leaves_two_laws_makes_a_shuffle_due():
    table = three_laws_left().chaos(FASCIST)
    assert table.events == (
        happened.LawEnacted(FASCIST, 4, by_chaos=True),
        happened.PresidencyPassed(4, special=False),
        happened.ShuffleDue(2),
    )
    assert table.shuffle().events == (happened.PilesShuffled(10),)


def test_a_failed_election_needs_no_shuffle():
    table = three_laws_left().fail_election()
    assert table.phase == Nomination()


def test_nobody_is_nominated_before_the_shuffle():
    table = Table(5).lay(liberal=4).play_round(FASCIST)
    refused = table.refusal(do.NominateChancellor(min(table.candidates)))
    assert (refused.key, refused.facts["wanted"]) == ("out-of-turn", "nominate")


def test_a_shuffle_that_is_not_due_is_refused_with_the_number_that_is_left():
    refused = Table(7).play_round(LIBERAL).refusal(do.ShufflePiles())
    assert (refused.key, refused.facts) == ("no-shuffle-due", {"number": 14, "limit": 3})


def test_one_shuffle_is_enough():
    table = Table(5).lay(liberal=4).play_round(FASCIST).shuffle()
    assert table.refusal(do.ShufflePiles()).key == "no-shuffle-due"


def test_a_shot_player_is_out_before_the_piles_are_shuffled():
    table = Table(7).lay(liberal=1, fascist=3).play_round(FASCIST)
    assert (table.state.draw_pile, table.phase) == (2, PowerPending(Power.EXECUTION))
    table.shoot(1).answer(False)
    assert table.events == (
        happened.DictatorDenied(1),
        happened.PresidencyPassed(6, special=False),
        happened.ShuffleDue(2),
    )


def test_the_next_president_is_named_before_the_piles_are_shuffled():
    table = Table(9).lay(liberal=2, fascist=2).play_round(FASCIST)
    assert (table.state.draw_pile, table.phase) == (2, PowerPending(Power.SPECIAL_ELECTION))
    table.name_next(9)
    assert table.events[-1] == happened.ShuffleDue(2)
    assert table.shuffle().state.president == 9


def test_a_winning_law_needs_no_shuffle():
    table = Table(5).lay(liberal=4).play_round(LIBERAL)
    assert table.state.draw_pile == 2
    assert not any(isinstance(event, happened.ShuffleDue) for event in table.events)


def test_a_house_rule_can_move_the_shuffle():
    table = Table(7, edition=house_rules(reshuffle_below=8)).lay(liberal=3)
    assert (table.state.draw_pile, table.phase) == (8, Nomination())
    assert table.chaos(LIBERAL).events[-1] == happened.ShuffleDue(7)
