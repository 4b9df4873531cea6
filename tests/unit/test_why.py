"""Answers to "why": at every moment of a game they say what is true of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from fakes import library
from hypothesis import given, settings
from hypothesis import strategies as st
from random_play import next_command
from table import EDITIONS, FASCIST, LIBERAL, STANDARD, Table, every_edition, house_rules

from gm_assistant.dialogue.answers import TABLE_ANSWERS
from gm_assistant.dialogue.intents import Intent
from gm_assistant.dialogue.messages import Messages, Person, Term
from gm_assistant.dialogue.refusals import refusal
from gm_assistant.dialogue.rulebook import TOPICS
from gm_assistant.errors import RuleViolation
from gm_assistant.rules import commands as do
from gm_assistant.rules import events as happened
from gm_assistant.rules.decide import decide
from gm_assistant.rules.edition import Edition, TrackerReset
from gm_assistant.rules.model import (
    Chaos,
    Election,
    GameOver,
    GameState,
    Nomination,
    Party,
    Power,
    PowerPending,
    SecretElection,
    Setback,
    ShufflePending,
)
from gm_assistant.rules.views import table_view

numbers_of_a_game = st.lists(st.integers(0, 9999), min_size=30, max_size=80)
few = settings(max_examples=10, deadline=None, derandomize=True, database=None)


def played(table: Table, numbers: list[int]) -> Iterator[GameState]:
    step = 0
    while not isinstance(table.phase, GameOver):
        yield table.state
        table.do(next_command(table.state, numbers, step))
        step += 1
    yield table.state


def answer(name: str, state: GameState, **slots: int | str) -> Messages:
    return TABLE_ANSWERS[name](Intent(name, slots), table_view(state))


def keys(messages: Messages) -> tuple[str, ...]:
    return tuple(told.key for told in messages)


def whole_games(check: Callable[[Table, GameState], None]) -> Callable[..., None]:
    """Return a test that checks every state of random games in every edition."""

    @every_edition
    @given(numbers=numbers_of_a_game, players=st.integers(5, 10))
    @few
    def test(edition: str, players: int, numbers: list[int]) -> None:
        table = Table(players, edition=edition)
        for state in played(table, numbers):
            check(table, state)

    return test


# --- nominations


def _not_what_is_refused(_: Table, state: GameState) -> None:
    for seat in range(1, len(state.players) + 1):
        (told,) = answer("why_not", state, player=seat)
        assert told.facts["player"] == Person(state.name(seat))
        if not isinstance(state.phase, Nomination):
            continue
        try:
            decide(state, do.NominateChancellor(seat))
        except RuleViolation as refused:
            (said,) = refusal(refused, table_view(state))
            assert said.key == told.key
            assert said.facts.items() <= told.facts.items()
            assert state.name(seat) in library().phrasebook("en", state.rules.edition).phrase(said)
        else:
            assert told.key == "may-be"


test_why_not_says_what_the_rules_would_say = whole_games(_not_what_is_refused)


# --- the tracker


def _counted_setbacks(_: Table, state: GameState) -> None:
    told, rule = answer("why_tracker", state), TOPICS["tracker"](state.rules)
    counted = told[: -len(rule)]
    assert told == (*counted, *rule)
    elections, vetoes = state.setbacks.count(Setback.ELECTION), state.setbacks.count(Setback.VETO)
    said = {told.key: told.facts.get("number") for told in counted}
    wanted = {"tracker-stands": state.tracker, "tracker-elections": elections, "tracker-vetoes": vetoes}
    assert said == ({key: number for key, number in wanted.items() if number} or {"tracker-at-start": None})


test_the_setbacks_are_counted_as_they_happened = whole_games(_counted_setbacks)


def test_a_veto_and_a_failed_election_are_told_apart() -> None:
    table = Table(7, edition="secret_hitler").reach(fascist=5).elect()
    table.propose_veto().answer_veto(agrees=True).settle().fail_election()
    assert [(told.key, told.facts["number"]) for told in answer("why_tracker", table.state)[:3]] == [
        ("tracker-stands", 2),
        ("tracker-elections", 1),
        ("tracker-vetoes", 1),
    ]


# --- powers


def _reason_of_the_last_law(table: Table, state: GameState) -> None:
    told = answer("why_no_power", state)
    if isinstance(state.phase, PowerPending):
        assert told == answer("what_now", state)
        return
    laws = [event for event in table.all_events if isinstance(event, happened.LawEnacted)]
    assert keys(told) == (_wanted_reason(state, laws),)


def _wanted_reason(state: GameState, laws: list[happened.LawEnacted]) -> str:
    if state.magnifier_reserved:
        return "magnifier-reserved"
    if not laws:
        return "no-power-without-law"
    if laws[-1].party is Party.LIBERAL:
        return "no-power-by-liberal-law"
    if laws[-1].by_chaos:
        return "no-power-by-chaos-law"
    power = state.rules.power_at(laws[-1].number)
    return "no-power-on-field" if power is Power.NONE else "power-was-used"


test_why_no_power_speaks_of_the_law_that_was_laid_last = whole_games(_reason_of_the_last_law)


def test_why_no_power_names_the_field_and_the_number_of_players() -> None:
    table = Table(7, edition="secret_hitler").play_round(FASCIST)
    (told,) = answer("why_no_power", table.state)
    assert (told.key, told.facts["number"], told.facts["count"]) == ("no-power-on-field", 1, 7)


# --- laws and vetoes


def _law_after_veto(table: Table, state: GameState) -> None:
    told = answer("why_law_after_veto", state)
    law = state.last_law
    if Setback.VETO in state.setbacks:
        assert [(one.key, one.facts["number"]) for one in told] == [("veto-without-law", state.tracker)]
    elif law is not None and Setback.VETO in law.setbacks:
        assert law.by_chaos
        assert keys(told) == ("law-after-veto",)
        assert told[0].facts == {"number": state.rules.failed_elections_until_chaos, "party": Term(law.party.value)}
    elif law is not None and law.veto_refused:
        assert keys(told) == ("law-after-refused-veto",)
    elif isinstance(state.phase, Chaos) or (law is not None and law.by_chaos):
        assert [(one.key, one.facts["number"]) for one in told] == [
            ("law-by-chaos", state.rules.failed_elections_until_chaos)
        ]
    else:
        assert told[0].key == "there-was-no-veto"
        assert told[1:] == TOPICS["veto"](state.rules)


test_a_law_after_a_veto_is_explained_by_what_happened = whole_games(_law_after_veto)


def vetoed_into_chaos(edition: Edition | str) -> Table:
    table = Table(7, edition=edition).reach(fascist=5)
    for _ in range(2):
        table.fail_election()
    return table.elect().propose_veto().answer_veto(agrees=True).shuffle_if_due()


def test_a_veto_that_led_to_chaos_explains_the_law() -> None:
    table = vetoed_into_chaos(house_rules("secret_hitler", tracker_resets_on=TrackerReset.ENACTMENT))
    assert table.phase == Chaos()
    assert keys(answer("why_law_after_veto", table.state)) == ("veto-without-law",)
    table.enact(LIBERAL)
    (told,) = answer("why_law_after_veto", table.state)
    assert (told.key, told.facts["number"], told.facts["party"]) == ("law-after-veto", 3, Term("liberal"))


@pytest.mark.parametrize("edition", STANDARD)
def test_a_refused_veto_explains_the_law(edition: str) -> None:
    table = Table(7, edition=edition).reach(fascist=5).elect()
    table.propose_veto().answer_veto(agrees=False).enact(LIBERAL).settle()
    assert keys(answer("why_law_after_veto", table.state)) == ("law-after-refused-veto",)


# --- the rest


def _reason_of_the_shuffle(_: Table, state: GameState) -> None:
    told = answer("why_shuffle", state)
    if isinstance(state.phase, ShufflePending):
        assert told == answer("what_now", state)
        assert told[0].facts["number"] == state.draw_pile < state.rules.reshuffle_below
    else:
        assert [(one.key, one.facts) for one in told] == [
            ("no-shuffle-due", {"number": state.draw_pile, "limit": state.rules.reshuffle_below})
        ]


test_why_shuffle_counts_the_pile = whole_games(_reason_of_the_shuffle)


def _reason_of_the_end(_: Table, state: GameState) -> None:
    told = answer("why_over", state)
    over = isinstance(state.phase, GameOver)
    assert (told[0].key == "not-over") == (not over)
    assert told[0 if over else 1 :] == answer("what_now", state)
    if isinstance(state.phase, GameOver) and state.phase.winner is not None:
        assert told[0].key == f"won-{state.phase.cause}"
        assert told[0].facts["party"] == Term(state.phase.winner.value)


test_why_over_says_who_won_and_how = whole_games(_reason_of_the_end)


def _reason_for_the_president(table: Table, state: GameState) -> None:
    (told,) = answer("why_president", state)
    passed = [event for event in table.all_events if isinstance(event, happened.PresidencyPassed)]
    if passed and passed[-1].special:
        assert told.key == "president-by-choice"
    elif isinstance(state.phase, Nomination | Election | SecretElection):
        assert told.key == ("president-by-order" if passed else "president-by-start")
    else:  # once a chancellor is elected, the state does not tell the first round from a later one
        assert told.key in ("president-by-order", "president-by-start")


test_why_president_says_how_the_sign_came_there = whole_games(_reason_for_the_president)


@pytest.mark.parametrize("edition", STANDARD)
def test_after_a_special_election_it_goes_on_from_who_called_it(edition: str) -> None:
    table = Table(7, edition=edition).lay(fascist=2).play_round(FASCIST)
    assert table.phase == PowerPending(Power.SPECIAL_ELECTION)
    caller, chosen = table.state.president, (table.state.president + 2) % 7 + 1
    table.name_next(chosen)
    (told,) = answer("why_president", table.state)
    assert told.facts == {"president": Person(table.state.name(chosen)), "player": Person(table.state.name(caller))}


def test_who_asks_for_another_president_hears_who_it_is_first() -> None:
    state = Table(7).state
    assert keys(answer("why_president", state, player=2)) == ("president-is", "president-by-start")
    assert keys(answer("why_president", state, player=1)) == ("president-by-start",)


def _known_people(_: Table, state: GameState) -> None:
    (investigated,), (cleared,) = answer("who_is_investigated", state), answer("who_is_cleared", state)
    for told, seats, none in (
        (investigated, state.investigated, "nobody-investigated"),
        (cleared, state.cleared, "nobody-cleared"),
    ):
        assert (told.key == none) == (not seats)
        assert told.facts["players"] == tuple(Person(state.name(seat)) for seat in sorted(seats))


test_whoever_was_investigated_or_cleared_is_named = whole_games(_known_people)


@every_edition
@pytest.mark.parametrize("players", [5, 6, 7, 10])
def test_why_the_dictator_knows_nobody_follows_the_edition(edition: str, players: int) -> None:
    state = Table(players, edition=edition).state
    told = answer("why_dictator", state)
    knows = players in EDITIONS[edition].dictator_knows_fascists
    assert ("rule-dictator-knows" in keys(told)) == knows
    assert ("rule-dictator-does-not-know" in keys(told)) == (not knows)
