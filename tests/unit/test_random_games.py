"""What holds in every game, whatever people do."""

from __future__ import annotations

import copy
from collections.abc import Iterator

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from table import FASCIST, LIBERAL, PLAYER_COUNTS, SECRET_DICTATOR, Table, laws_in_all, roles_for

from gm_assistant.errors import RuleViolation
from gm_assistant.rules import commands as do
from gm_assistant.rules.apply import replay
from gm_assistant.rules.commands import Command
from gm_assistant.rules.decide import decide
from gm_assistant.rules.events import PowerUsed
from gm_assistant.rules.history import Entry, History
from gm_assistant.rules.legal import legal_commands
from gm_assistant.rules.model import (
    DictatorQuestion,
    Election,
    GameOver,
    GameState,
    LegislativeSession,
    Nomination,
    Power,
    PowerPending,
)
from gm_assistant.rules.views import table_view

every_count = pytest.mark.parametrize("players", PLAYER_COUNTS)
games = st.lists(st.integers(0, 255), min_size=30, max_size=90)
"""Each number picks one of the commands that are legal then; after the last number the game is played out plainly."""
LONGEST = 300


def few(examples: int) -> settings:
    """Return settings for the same few examples every time."""
    return settings(max_examples=examples, deadline=None, derandomize=True, database=None)


def pick(state: GameState, number: int) -> Command:
    """Return a legal command: any, but with less luck for the liberals and fewer single votes, so that games go far."""
    match state.phase:
        case DictatorQuestion():
            return do.AnswerDictatorQuestion(number % 8 == 0)
        case LegislativeSession():
            return do.EnactLaw(LIBERAL if number % 3 == 0 else FASCIST)
        case Election(votes=()) if number % 4:
            return do.ReportResult(number % 3 > 0)
    possible = list(legal_commands(state))
    return possible[number % len(possible)]


def plainest(state: GameState) -> Command:
    """Return the first legal command that is not a single vote: playing like this comes to an end."""
    return next(command for command in legal_commands(state) if not isinstance(command, do.CastVote))


def next_command(state: GameState, numbers: list[int], step: int) -> Command:
    assert step < LONGEST, "the game does not end"
    return pick(state, numbers[step]) if step < len(numbers) else plainest(state)


def played(table: Table, numbers: list[int]) -> Iterator[GameState]:
    """Play the game to its end; yield the state before every command and the last one."""
    step = 0
    while not isinstance(table.phase, GameOver):
        yield table.state
        table.do(next_command(table.state, numbers, step))
        step += 1
    yield table.state


def thinkable(players: int) -> list[Command]:
    """Return what a leader might say at any moment, sensible or not."""
    seats = range(-1, players + 2)
    right = roles_for(players)
    return [
        *(make(seat) for make in (do.NominateChancellor, do.NameNextPresident, do.Shoot) for seat in seats),
        *(do.CastVote(seat, approves) for seat in seats for approves in (True, False)),
        *(do.ReportCount(yes, total - yes) for total in range(players + 2) for yes in range(-1, total + 2, 2)),
        *(make(said) for make in (do.ReportResult, do.AnswerDictatorQuestion) for said in (True, False)),
        *(do.EnactLaw(party) for party in (LIBERAL, FASCIST)),
        *(do.DealRoles(roles) for roles in (right, right[::-1], right[1:], ())),
        do.FinishLooking(),
        do.ShufflePiles(),
        do.EndGame(),
    ]


def outcome(state: GameState, command: Command) -> tuple[object, ...]:
    """Return the events, or the key and the facts of the refusal. Any other error fails the test."""
    try:
        return decide(state, command)
    except RuleViolation as refused:
        return (refused.key, refused.facts)


@every_count
@given(numbers=games, first=st.integers(1, 5))
@few(20)
def test_every_game_keeps_its_balance_until_it_ends(players, numbers, first):
    table = Table(players, first)
    for state in played(table, numbers):
        assert laws_in_all(state) == 17
        assert min(state.draw_pile, state.discard_pile) >= 0
        assert state.alive
        if isinstance(state.phase, Nomination):
            assert state.president in state.alive
            assert 0 <= state.tracker <= 2
            assert state.draw_pile >= 3
            assert (state.chancellor, state.special_president, state.magnifier_reserved) == (None, None, False)
            assert table.candidates
            assert table.candidates < state.alive
        if isinstance(state.phase, PowerPending):
            assert state.phase.power is not Power.NONE
            assert not state.magnifier_reserved
    shots = [event for event in table.all_events if isinstance(event, PowerUsed) and event.power is Power.EXECUTION]
    assert table.state.alive == set(range(1, players + 1)) - {shot.target for shot in shots}
    assert len(table.state.alive) == players - len(shots)
    assert replay(SECRET_DICTATOR, table.all_events) == table.state


@every_count
@given(numbers=games, back=st.integers(1, 40))
@few(5)
def test_every_step_can_be_taken_back_and_brought_again(players, numbers, back):
    table = Table(players)
    states = list(played(table, numbers))
    for done, state in enumerate(reversed(states[:-1]), 1):
        assert table.undo().state == state
        if done == back:
            assert replay(SECRET_DICTATOR, table.all_events) == state
    assert table.history.done == Table(players).history.done
    for state in states[1:]:
        assert table.redo().state == state
    assert table.history.undone == ()


@every_count
@given(numbers=games, back=st.integers(0, 20), again=st.integers(0, 20))
@few(5)
def test_a_stored_game_is_read_back_as_it_was(players, numbers, back, again):
    table = Table(players).deal(*roles_for(players))
    steps = len(list(played(table, numbers)))
    for _ in range(min(back, steps)):
        table.undo()
    for _ in range(min(back, again, steps)):
        table.redo()
    first, *rest = msgspec.json.decode(msgspec.json.encode(table.entries), type=list[Entry])
    assert [first, *rest] == table.entries
    history = History.begin(SECRET_DICTATOR, first.events)
    for entry in rest:
        history = history.after(entry)
    assert history == table.history


@every_count
@given(numbers=games)
@few(2)
def test_every_command_has_the_same_outcome_each_time_and_changes_nothing_by_itself(players, numbers):
    commands = thinkable(players)
    for state in played(Table(players), numbers):
        snapshot = copy.deepcopy(state)
        outcomes = [outcome(state, command) for command in commands]
        assert all(result[0] for result in outcomes)
        assert state == snapshot
        assert outcomes == [outcome(snapshot, command) for command in commands]


@every_count
@given(numbers=games)
@few(2)
def test_what_is_possible_is_what_is_not_refused(players, numbers):
    always = (do.DealRoles, do.EndGame)
    commands = [command for command in thinkable(players) if not isinstance(command, always)]
    for state in played(Table(players), numbers):
        possible = set(legal_commands(state))
        assert bool(possible) != isinstance(state.phase, GameOver)
        for command in commands:
            refused = isinstance(outcome(state, command)[0], str)
            assert refused == (command not in possible)


@every_count
@given(data=st.data(), numbers=games, moment=st.integers(0, 40))
@few(5)
def test_the_table_sees_the_same_game_whatever_roles_are_dealt(players, data, numbers, moment):
    deals = [data.draw(st.permutations(roles_for(players))) for _ in range(2)]
    one, other, unknown = Table(players), Table(players), Table(players)
    step = 0
    while not isinstance(unknown.phase, GameOver):
        if step == moment:
            one.deal(*deals[0])
            other.deal(*deals[1])
        command = next_command(unknown.state, numbers, step)
        for table in (one, other, unknown):
            table.do(command)
        assert table_view(one.state) == table_view(other.state) == table_view(unknown.state)
        assert one.events == other.events == unknown.events
        step += 1


@every_count
@given(data=st.data(), numbers=games)
@few(2)
def test_every_answer_is_the_same_whatever_roles_are_dealt(players, data, numbers):
    deals = [data.draw(st.permutations(roles_for(players))) for _ in range(2)]
    commands = thinkable(players)
    one, other = (Table(players).deal(*roles) for roles in deals)
    for step, state in enumerate(played(one, numbers)):
        for command in commands:
            assert outcome(state, command) == outcome(other.state, command)
        if not isinstance(state.phase, GameOver):
            other.do(next_command(other.state, numbers, step))
