"""Situations 1 to 3 of those that other implementations got wrong: the veto."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from table import (
    FASCIST,
    LIBERAL,
    Table,
    before_a_veto,
    every_count,
    every_edition,
    every_standard,
    house_rules,
    laws_in_all,
)

from gm_assistant.rules import commands as do
from gm_assistant.rules import events as happened
from gm_assistant.rules.edition import TrackerReset
from gm_assistant.rules.eligibility import Bar
from gm_assistant.rules.legal import legal_commands
from gm_assistant.rules.model import (
    Chaos,
    Government,
    LastLaw,
    LegislativeSession,
    Nomination,
    Party,
    Setback,
    ShufflePending,
    VetoProposed,
)

ELECTION, VETO = Setback.ELECTION, Setback.VETO
resets = pytest.mark.parametrize("resets_on", TrackerReset)


# 1. A veto after failed elections.


@every_standard
@every_count
def test_1_where_an_election_resets_the_tracker_a_veto_after_two_failures_is_the_first_setback(edition, players):
    table = before_a_veto(edition, players).propose_veto().answer_veto(True)
    assert (table.state.tracker, table.state.setbacks) == (1, (VETO,))
    assert table.phase in (Nomination(), ShufflePending(Nomination()))
    assert table.events[0] == happened.VetoAgreed(table.state.previous.president, 1)
    assert table.happened(happened.ChaosBegan, happened.LawEnacted) == []


@every_standard
@every_count
def test_1_where_an_enactment_resets_the_tracker_a_veto_after_two_failures_is_chaos(edition, players):
    table = before_a_veto(edition, players, resets_on=TrackerReset.ENACTMENT)
    assert table.state.tracker == 2
    table.propose_veto().answer_veto(True)
    assert (table.state.tracker, table.state.setbacks) == (3, (ELECTION, ELECTION, VETO))
    assert table.events[0] == happened.VetoAgreed(table.state.president, 3)
    table.shuffle_if_due()
    assert table.phase == Chaos()
    assert table.enact(LIBERAL).state.last_law == LastLaw(
        LIBERAL, table.state.liberal_laws, by_chaos=True, setbacks=(ELECTION, ELECTION, VETO)
    )
    assert table.state.tracker == 0


@every_standard
@resets
@pytest.mark.parametrize("failures", [0, 1])
def test_1_a_veto_after_fewer_failures_is_no_chaos(edition, resets_on, failures):
    table = before_a_veto(edition, failures=failures, resets_on=resets_on).propose_veto().answer_veto(True)
    assert table.state.tracker == (1 if resets_on is TrackerReset.ELECTION else failures + 1)
    assert isinstance(table.phase, Nomination | ShufflePending)


@every_standard
@resets
def test_1_a_law_after_two_failures_leaves_no_setback_behind(edition, resets_on):
    table = before_a_veto(edition, resets_on=resets_on).enact(LIBERAL)
    assert table.state.tracker == 0


@every_standard
def test_1_three_vetoes_in_a_row_are_chaos_only_where_an_enactment_resets(edition):
    for resets_on in TrackerReset:
        table = before_a_veto(edition, failures=0, resets_on=resets_on).propose_veto().answer_veto(True).settle()
        for _ in range(2):
            table.elect().propose_veto().answer_veto(True)
            table.shuffle_if_due()
        assert (table.phase == Chaos()) is (resets_on is TrackerReset.ENACTMENT)
        assert table.state.setbacks == ((VETO,) if resets_on is TrackerReset.ELECTION else (VETO,) * 3)


@every_standard
@every_count
def test_1_a_veto_discards_all_laws_in_hand_and_enacts_nothing(edition, players):
    table = before_a_veto(edition, players)
    before = table.state
    table.propose_veto()
    assert (table.phase, table.state.in_hand) == (VetoProposed(3), 3)
    table.answer_veto(True)
    after = table.state
    assert (after.liberal_laws, after.fascist_laws) == (before.liberal_laws, before.fascist_laws)
    assert (after.draw_pile, after.discard_pile) == (before.draw_pile, before.discard_pile + 3)
    assert laws_in_all(after) == 17


@every_standard
def test_1_a_vetoed_government_was_elected_and_is_limited(edition):
    table = before_a_veto(edition, players=10)
    government = Government(table.state.president, table.state.chancellor)
    table.propose_veto().answer_veto(True)
    assert table.state.previous == government
    assert table.bars[government.chancellor] is Bar.ELECTED_CHANCELLOR
    assert table.bars[government.president] is Bar.ELECTED_PRESIDENT


@every_count
def test_1_the_tactile_edition_has_no_veto(players):
    table = Table(players).reach(fascist=5).elect()
    refused = table.refusal(do.ProposeVeto())
    assert (refused.key, refused.facts) == ("no-veto-here", {})
    assert do.ProposeVeto() not in list(legal_commands(table.state))


@every_standard
@pytest.mark.parametrize("laws", [2, 3, 4])
def test_1_the_veto_comes_with_the_fifth_fascist_law_and_not_before(edition, laws):
    table = Table(7, edition=edition).reach(fascist=laws).elect()
    refused = table.refusal(do.ProposeVeto())
    assert (refused.key, refused.facts) == ("veto-not-yet", {"number": 5, "laws": laws})


@every_standard
@every_count
def test_1_the_veto_comes_too_if_chaos_laid_the_fifth_fascist_law(edition, players):
    table = Table(players, edition=edition).reach(fascist=4).chaos(FASCIST).settle().elect().propose_veto()
    assert table.events == (happened.VetoWanted(table.state.president, table.state.chancellor),)


# 2. Chaos after a veto that used up the draw pile.


def veto_on_a_used_up_pile(edition, left, players=7):
    """Return a table in a session with so many laws left in the draw pile; a veto will be the third setback."""
    rules = house_rules(edition, tracker_resets_on=TrackerReset.ENACTMENT)
    table = Table(players, edition=rules).reach(fascist=5).drain_to(left + 3)
    table.fail_election().fail_election().elect()
    assert (table.state.draw_pile, table.state.tracker) == (left, 2)
    return table


@every_standard
@pytest.mark.parametrize("party", Party)
@pytest.mark.parametrize("players", [5, 6, 7, 9, 10])
def test_2_chaos_by_veto_with_two_laws_left_enacts_exactly_one_law_after_a_shuffle(edition, party, players):
    table = veto_on_a_used_up_pile(edition, 2, players).propose_veto()
    president, laws = table.state.president, table.state.liberal_laws + table.state.fascist_laws
    table.answer_veto(True)
    assert table.events == (happened.VetoAgreed(president, 3), happened.ShuffleDue(2))
    table.shuffle()
    assert table.events == (happened.PilesShuffled(17 - laws), happened.ChaosBegan())
    table.enact(party)
    assert [type(event) for event in table.happened(happened.LawEnacted)] == [happened.LawEnacted]
    assert table.state.liberal_laws + table.state.fascist_laws == laws + 1
    assert laws_in_all(table.state) == 17


@every_standard
def test_2_chaos_by_veto_has_one_next_president_who_is_the_next_clockwise(edition):
    table = veto_on_a_used_up_pile(edition, 2).propose_veto()
    president = table.state.president
    table.answer_veto(True).shuffle().enact(LIBERAL)
    following = next(seat for seat in [*range(president + 1, 8), *range(1, 8)] if seat in table.state.alive)
    assert table.happened(happened.PresidencyPassed) == [happened.PresidencyPassed(following, special=False)]
    assert (table.state.tracker, table.state.chancellor) == (0, None)


@every_standard
@pytest.mark.parametrize("left", [0, 1, 2, 3])
def test_2_chaos_by_veto_is_shuffled_for_only_if_fewer_than_three_laws_are_left(edition, left):
    table = veto_on_a_used_up_pile(edition, left).propose_veto().answer_veto(True)
    if left < 3:
        assert table.phase.then is not None
        assert table.refusal(do.EnactLaw(LIBERAL)).key == "out-of-turn"
        table.shuffle()
    assert table.phase == Chaos()
    assert laws_in_all(table.enact(LIBERAL).state) == 17


# 3. A refused veto.


@every_standard
@every_count
def test_3_after_a_refused_veto_the_chancellor_still_chooses(edition, players):
    table = before_a_veto(edition, players).propose_veto()
    before = table.state
    table.answer_veto(False)
    assert table.events == (happened.VetoRefused(before.president),)
    assert table.phase == LegislativeSession(3, veto_refused=True)
    assert table.state == replace(before, phase=table.phase)
    assert set(legal_commands(table.state)) == {do.EnactLaw(LIBERAL), do.EnactLaw(FASCIST), do.EndGame()}
    assert table.enact(LIBERAL).state.last_law.veto_refused is True


@every_standard
@every_count
def test_3_a_second_proposal_in_the_same_session_is_refused_with_the_reason(edition, players):
    table = before_a_veto(edition, players).propose_veto().answer_veto(False)
    refused = table.refusal(do.ProposeVeto())
    assert refused.key == "veto-was-refused"
    assert refused.facts == {"president": table.state.president, "chancellor": table.state.chancellor}


@every_standard
def test_3_a_later_session_may_have_a_proposal_again(edition):
    table = before_a_veto(edition).propose_veto().answer_veto(False).enact(LIBERAL).settle().elect()
    assert table.propose_veto().phase == VetoProposed(3)
    assert table.answer_veto(True).state.setbacks == (VETO,)


@every_standard
def test_3_while_a_veto_waits_for_its_answer_nothing_is_enacted(edition):
    table = before_a_veto(edition).propose_veto()
    for command in (do.EnactLaw(LIBERAL), do.ProposeVeto(), do.NominateChancellor(1), do.ReportResult(True)):
        assert table.refusal(command).key == "out-of-turn"


@every_edition
@pytest.mark.parametrize("agrees", [True, False])
def test_3_a_veto_that_was_not_proposed_is_not_answered(edition, agrees):
    refused = Table(7, edition=edition).reach(fascist=5).elect().refusal(do.AnswerVeto(agrees))
    assert (refused.key, refused.facts) == ("out-of-turn", {"wanted": "answer", "phase": "LegislativeSession"})


@every_standard
def test_3_there_is_no_veto_in_chaos(edition):
    table = Table(7, edition=edition).reach(fascist=5).fail_election().fail_election().fail_election()
    assert table.phase == Chaos()
    assert table.refusal(do.ProposeVeto()).key == "out-of-turn"
