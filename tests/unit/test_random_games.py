"""What holds in every game, whatever people do, in every edition and under any house rules."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from itertools import islice, product

import msgspec
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from random_play import any_house_rules, check, next_command, outcome, pick, thinkable
from table import EDITIONS, PLAYER_COUNTS, Table, every_count, every_edition, roles_for

from gm_assistant.rules import commands as do
from gm_assistant.rules import events as happened
from gm_assistant.rules.apply import replay
from gm_assistant.rules.decide import advance
from gm_assistant.rules.history import Entry, History
from gm_assistant.rules.legal import legal_commands, moves
from gm_assistant.rules.model import Election, GameOver, GameState, Nomination, Power, Role, SecretElection
from gm_assistant.rules.position import parse_position, position, without_secrets
from gm_assistant.rules.views import table_view

numbers_of_a_game = st.lists(st.integers(0, 9999), min_size=30, max_size=90)
"""Each number picks one of the commands that are legal then; after the last number the game is played out plainly."""


def few(examples: int) -> settings:
    """Return settings for the same few examples every time."""
    return settings(max_examples=examples, deadline=None, derandomize=True, database=None)


@st.composite
def house_ruled_tables(draw: st.DrawFn) -> Table:
    players = draw(st.sampled_from(PLAYER_COUNTS))
    return Table(players, draw(st.integers(1, players)), draw(any_house_rules(players)))


def played(table: Table, numbers: list[int]) -> Iterator[GameState]:
    """Play the game to its end; yield the state before every command and the last one."""
    step = 0
    while not isinstance(table.phase, GameOver):
        yield table.state
        table.do(next_command(table.state, numbers, step))
        step += 1
    yield table.state


def balanced_to_the_end(table: Table, numbers: list[int]) -> None:
    everybody = set(table.state.alive)
    for state in played(table, numbers):
        check(state)
        if not isinstance(state.phase, GameOver):
            check(advance(state, do.EndGame())[1])
        assert len(table.happened(happened.PowerGranted)) <= 1
        assert len(table.happened(happened.PresidencyPassed)) <= 1
        assert len(table.happened(happened.LawEnacted)) <= 1
    used = [event for event in table.all_events if isinstance(event, happened.PowerUsed)]
    shots = [event.target for event in used if event.power is Power.EXECUTION]
    assert len(shots) == len(set(shots))
    assert table.state.alive == everybody - set(shots)
    assert table.state.investigated == {event.target for event in used if event.power is Power.INVESTIGATE}
    assert replay(table.edition, table.all_events) == table.state


@every_edition
@every_count
@given(numbers=numbers_of_a_game, first=st.integers(1, 5))
@few(8)
def test_every_game_keeps_its_balance_until_it_ends(edition, players, numbers, first):
    balanced_to_the_end(Table(players, first, edition), numbers)


@given(table=house_ruled_tables(), numbers=numbers_of_a_game)
@few(300)
def test_every_game_keeps_its_balance_under_any_house_rules(table, numbers):
    balanced_to_the_end(table, numbers)


def taken_back_and_brought_again(table: Table, numbers: list[int], back: int) -> None:
    begun = table.history
    states = list(played(table, numbers))
    whole = table.history.done
    for done, state in enumerate(reversed(states[:-1]), 1):
        assert table.undo().state == state
        assert table.history.done == whole[: len(whole) - done]
        if done == back:
            assert replay(table.edition, table.all_events) == state
    assert table.history.done == begun.done
    for state in states[1:]:
        assert table.redo().state == state
    assert (table.history.done, table.history.undone) == (whole, ())


@every_edition
@every_count
@given(numbers=numbers_of_a_game, back=st.integers(1, 40))
@few(3)
def test_every_step_can_be_taken_back_and_brought_again(edition, players, numbers, back):
    taken_back_and_brought_again(Table(players, edition=edition), numbers, back)


@given(table=house_ruled_tables(), numbers=numbers_of_a_game, back=st.integers(1, 40))
@few(60)
def test_every_step_can_be_taken_back_and_brought_again_under_any_house_rules(table, numbers, back):
    taken_back_and_brought_again(table, numbers, back)


@every_edition
@every_count
@given(numbers=numbers_of_a_game, back=st.integers(1, 40), other=numbers_of_a_game)
@few(3)
def test_a_game_goes_on_after_an_undo_as_if_nothing_had_been_done(edition, players, numbers, back, other):
    table, straight = Table(players, edition=edition), Table(players, edition=edition)
    steps = len(list(played(table, numbers))) - 1
    for step in range(max(steps - back, 0)):
        straight.do(next_command(straight.state, numbers, step))
    for _ in range(min(back, steps)):
        table.undo()
    assert list(played(table, other)) == list(played(straight, other))
    assert table.history == straight.history


@every_edition
@every_count
@given(numbers=numbers_of_a_game, back=st.integers(0, 20), again=st.integers(0, 20))
@few(3)
def test_a_stored_game_is_read_back_as_it_was(edition, players, numbers, back, again):
    table = Table(players, edition=edition).deal(*roles_for(players, edition))
    steps = len(list(played(table, numbers)))
    for _ in range(min(back, steps)):
        table.undo()
    for _ in range(min(back, again, steps)):
        table.redo()
    first, *rest = msgspec.json.decode(msgspec.json.encode(table.entries), type=list[Entry])
    assert [first, *rest] == table.entries
    history = History.begin(table.edition, first.events)
    for entry in rest:
        history = history.after(entry)
    assert history == table.history


# Positions as text.


def written_and_read(state: GameState) -> None:
    assert parse_position(position(state, secrets=True)) == state
    assert parse_position(position(state)) == without_secrets(state)
    assert position(state) == position(without_secrets(state))


@every_edition
@every_count
@given(numbers=numbers_of_a_game, dealt=st.booleans())
@few(3)
def test_every_position_is_read_as_it_was_written(edition, players, numbers, dealt):
    table = Table(players, edition=edition)
    if dealt:
        table.deal(*roles_for(players, edition))
    for state in played(table, numbers):
        written_and_read(state)


@given(table=house_ruled_tables(), numbers=numbers_of_a_game)
@few(60)
def test_every_position_under_any_house_rules_is_read_as_it_was_written(table, numbers):
    for state in played(table, numbers):
        written_and_read(state)


# What is possible.


def some(states: Iterator[GameState], every: int) -> Iterator[GameState]:
    """Yield one state in so many: asking for everything thinkable takes its time."""
    return (state for step, state in enumerate(states) if step % every == 0)


def possible_is_what_is_not_refused(table: Table, numbers: list[int]) -> None:
    for state in some(played(table, numbers), 4):
        possible = list(legal_commands(state))
        assert len(possible) == len(set(possible))
        assert bool(possible) != isinstance(state.phase, GameOver)
        assert [command for command in possible if isinstance(outcome(state, command)[0], str)] == []
        for command in thinkable(state):
            refused = isinstance(outcome(state, command)[0], str)
            assert refused == (command not in possible), command


@every_edition
@every_count
@given(numbers=numbers_of_a_game)
@few(1)
def test_what_is_possible_is_what_is_not_refused(edition, players, numbers):
    possible_is_what_is_not_refused(Table(players, edition=edition), numbers)


@given(table=house_ruled_tables(), numbers=numbers_of_a_game)
@few(20)
def test_what_is_possible_is_what_is_not_refused_under_any_house_rules(table, numbers):
    possible_is_what_is_not_refused(table, numbers)


@every_edition
@pytest.mark.parametrize("players", [5, 6, 7])
def test_the_possible_deals_are_all_that_are_not_refused(edition, players):
    state = Table(players, edition=edition).state
    accepted = [
        do.DealRoles(roles)
        for roles in product(Role, repeat=players)
        if not isinstance(outcome(state, do.DealRoles(roles))[0], str)
    ]
    possible = [command for command in legal_commands(state) if isinstance(command, do.DealRoles)]
    assert len(possible) == len(accepted)
    assert set(possible) == set(accepted)


@every_edition
@every_count
@given(numbers=numbers_of_a_game)
@few(1)
def test_every_command_has_the_same_outcome_each_time_and_changes_nothing_by_itself(edition, players, numbers):
    for state in some(played(Table(players, edition=edition), numbers), 9):
        commands = list(thinkable(state))
        snapshot = copy.deepcopy(state)
        outcomes = [outcome(state, command) for command in commands]
        assert all(result[0] for result in outcomes)
        assert state == snapshot
        assert outcomes == [outcome(snapshot, command) for command in commands]


# Secrets.


@every_edition
@every_count
@given(data=st.data(), numbers=numbers_of_a_game)
@few(3)
def test_the_table_sees_the_same_game_whatever_roles_are_dealt(edition, players, data, numbers):
    deals = [data.draw(st.permutations(roles_for(players, edition))) for _ in range(2)]
    one, other = (Table(players, edition=edition).deal(*roles) for roles in deals)
    unknown = Table(players, edition=edition)
    for step, state in enumerate(played(unknown, numbers)):
        assert table_view(one.state) == table_view(other.state) == table_view(state)
        assert position(one.state) == position(other.state) == position(state)
        assert list(moves(one.state)) == list(moves(other.state)) == list(moves(state))
        if not isinstance(state.phase, GameOver):
            command = next_command(state, numbers, step)
            assert one.do(command).events == other.do(command).events


@every_edition
@every_count
@given(data=st.data(), numbers=numbers_of_a_game)
@few(1)
def test_every_answer_is_the_same_whatever_roles_are_dealt(edition, players, data, numbers):
    deals = [data.draw(st.permutations(roles_for(players, edition))) for _ in range(2)]
    one, other = (Table(players, edition=edition).deal(*roles) for roles in deals)
    for step, state in enumerate(played(one, numbers)):
        for command in thinkable(state) if step % 9 == 0 else ():
            assert outcome(state, command) == outcome(other.state, command)
        if not isinstance(state.phase, GameOver):
            other.do(next_command(other.state, numbers, step))


def brought_to_a_ballot(table: Table, numbers: list[int]) -> bool:
    """Play at random for a while, then on until somebody is to be elected in secret; return whether it came to that."""
    for number in numbers:
        if isinstance(table.phase, GameOver):
            return False
        if isinstance(table.phase, Nomination) and number % 3 == 0:
            break
        table.do(pick(table.state, number))
    if isinstance(table.phase, Nomination):
        table.nominate(min(table.candidates))
    if table.phase != Election(getattr(table.phase, "candidate", 0)):
        return False
    table.do(do.TakeSecretBallot())
    return True


@every_edition
@every_count
@given(numbers=numbers_of_a_game, data=st.data())
@few(4)
def test_nobody_at_the_table_learns_a_secret_vote_while_the_ballot_runs(edition, players, numbers, data):
    rules = msgspec.structs.replace(EDITIONS[edition], secret_ballot=True)
    one, other = Table(players, edition=rules), Table(players, edition=rules)
    assume(brought_to_a_ballot(one, numbers))
    brought_to_a_ballot(other, numbers)
    living = sorted(one.state.alive)
    for seat in data.draw(st.lists(st.sampled_from(living[:-1]), max_size=12)):
        one.vote_secretly(seat, data.draw(st.booleans()))
        other.vote_secretly(seat, data.draw(st.booleans()))
        assert isinstance(one.phase, SecretElection)
        assert table_view(one.state) == table_view(other.state)
        assert position(one.state) == position(other.state)
        assert list(legal_commands(one.state)) == list(legal_commands(other.state))
    possible = set(legal_commands(one.state))
    for command in (command for command in thinkable(one.state) if command not in possible):
        assert outcome(one.state, command) == outcome(other.state, command)


# Echoes.


@every_edition
@every_count
@given(numbers=numbers_of_a_game)
@few(2)
def test_of_all_that_could_have_been_said_only_what_was_said_has_just_been_recorded(edition, players, numbers):
    table = Table(players, edition=edition)
    for step in range(len(numbers)):
        if isinstance(table.phase, GameOver):
            break
        said = next_command(table.state, numbers, step)
        others = [command for command in islice(moves(table.state), 100) if command != said]
        table.do(said)
        assert table.history.has_just_recorded(said)
        assert [command for command in others if table.history.has_just_recorded(command)] == []
        if said in moves(table.state):
            assert isinstance(said, do.CastSecretVote), "an echo could not be told from news"
