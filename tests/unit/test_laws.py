"""Legislative sessions, the strips and the two piles."""

from __future__ import annotations

import pytest
from table import FASCIST, LIBERAL, Table, house_rules, laws_in_all

from gm_assistant.rules import commands as do
from gm_assistant.rules import events as happened
from gm_assistant.rules.edition import PerParty
from gm_assistant.rules.model import Cause, GameOver, LegislativeSession, Nomination, Party


def test_the_president_draws_three_laws():
    table = Table(7).elect(3)
    assert table.events == (
        happened.GovernmentElected(1, 3, None, None),
        happened.SessionOpened(1, 3, 3),
    )
    assert (table.state.draw_pile, table.state.discard_pile, table.state.in_hand) == (14, 0, 3)
    assert table.phase == LegislativeSession(3)


@pytest.mark.parametrize("party", Party)
def test_one_law_is_enacted_and_two_are_discarded(party):
    table = Table(7).elect().enact(party)
    assert table.events == (
        happened.LawEnacted(party, 1, by_chaos=False),
        happened.PresidencyPassed(2, special=False),
    )
    state = table.state
    assert (state.draw_pile, state.discard_pile, state.in_hand, state.laws(party)) == (14, 2, 0, 1)
    assert laws_in_all(state) == 17


def test_a_law_lies_on_the_strip_of_its_party_only():
    state = Table(7).elect().enact(FASCIST).state
    assert (state.laws(LIBERAL), state.laws(FASCIST)) == (0, 1)
    state = Table(7).elect().enact(LIBERAL).state
    assert (state.laws(LIBERAL), state.laws(FASCIST)) == (1, 0)


def test_the_fields_of_each_strip_are_counted_from_one():
    table = Table(5)
    for party in (FASCIST, LIBERAL, LIBERAL, FASCIST, LIBERAL):
        table.play_round(party).settle()
    laws = [(event.party, event.number) for event in table.all_events if isinstance(event, happened.LawEnacted)]
    assert laws == [(FASCIST, 1), (LIBERAL, 1), (LIBERAL, 2), (FASCIST, 2), (LIBERAL, 3)]


def test_the_elected_government_is_remembered_as_the_previous_one():
    state = Table(7).play_round(LIBERAL, chancellor=5).state
    assert (state.previous.president, state.previous.chancellor, state.chancellor) == (1, 5, None)


@pytest.mark.parametrize("party", Party)
def test_no_law_is_enacted_before_a_government_is_elected(party):
    table = Table(7)
    refused = table.refusal(do.EnactLaw(party))
    assert (refused.key, refused.facts) == ("out-of-turn", {"wanted": "law", "phase": "Nomination"})
    refused = table.nominate(2).refusal(do.EnactLaw(party))
    assert (refused.key, refused.facts) == ("out-of-turn", {"wanted": "law", "phase": "Election"})


def test_a_government_enacts_one_law_only():
    assert Table(7).elect().enact(LIBERAL).refusal(do.EnactLaw(FASCIST)).key == "out-of-turn"


@pytest.mark.parametrize("command", [do.NominateChancellor(4), do.ReportResult(True), do.ShufflePiles(), do.Shoot(2)])
def test_a_session_ends_with_a_law_and_nothing_else(command):
    assert Table(7).elect().refusal(command).key in {"out-of-turn", "no-shuffle-due"}


@pytest.mark.parametrize("drawn", [2, 3, 4])
def test_a_house_rule_can_change_how_many_laws_are_drawn(drawn):
    table = Table(7, edition=house_rules(drawn=drawn, reshuffle_below=4)).elect()
    assert (table.state.draw_pile, table.state.in_hand) == (17 - drawn, drawn)
    table.enact(LIBERAL)
    assert (table.state.draw_pile, table.state.discard_pile) == (17 - drawn, drawn - 1)


def test_longer_strips_make_a_longer_game():
    table = Table(7, edition=house_rules(fields=PerParty(liberal=6, fascist=6))).lay(liberal=5)
    assert table.phase == Nomination()
    assert table.play_round(LIBERAL).phase == GameOver(LIBERAL, Cause.LAWS)


def test_the_fifth_liberal_law_wins_for_the_liberals():
    table = Table(7).lay(liberal=4)
    assert table.phase == Nomination()
    table.elect().enact(LIBERAL)
    assert table.events == (
        happened.LawEnacted(LIBERAL, 5, by_chaos=False),
        happened.GameWon(LIBERAL, Cause.LAWS),
    )
    assert table.phase == GameOver(LIBERAL, Cause.LAWS)


@pytest.mark.parametrize("players", [5, 7, 9])
def test_the_sixth_fascist_law_wins_for_the_fascists(players):
    table = Table(players).lay(fascist=5)
    assert table.phase == Nomination()
    table.elect().enact(FASCIST)
    assert table.events == (
        happened.LawEnacted(FASCIST, 6, by_chaos=False),
        happened.GameWon(FASCIST, Cause.LAWS),
    )
    assert table.phase == GameOver(FASCIST, Cause.LAWS)


@pytest.mark.parametrize(("party", "others"), [(LIBERAL, {"liberal": 4}), (FASCIST, {"fascist": 5})])
def test_chaos_can_bring_the_last_law(party, others):
    table = Table(7).lay(**others).chaos(party)
    assert table.events == (
        happened.LawEnacted(party, table.state.laws(party), by_chaos=True),
        happened.GameWon(party, Cause.LAWS),
    )


def test_four_liberal_and_five_fascist_laws_are_not_the_end():
    table = Table(7).lay(liberal=4, fascist=5)
    assert table.phase == Nomination()
    assert laws_in_all(table.state) == 17
