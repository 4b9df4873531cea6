"""Which commands are possible now."""

from __future__ import annotations

from collections.abc import Iterator

from gm_assistant.errors import RuleViolation
from gm_assistant.rules import commands as do
from gm_assistant.rules.commands import Command
from gm_assistant.rules.decide import decide
from gm_assistant.rules.model import GameState, Party


def legal_commands(state: GameState) -> Iterator[Command]:
    """Yield every command that `decide` accepts in `state`, except dealing roles and breaking the game off."""
    for command in _thinkable(state):
        try:
            decide(state, command)
        except RuleViolation:
            continue
        yield command


def _thinkable(state: GameState) -> Iterator[Command]:
    seats = range(1, len(state.players) + 1)
    for make in (do.NominateChancellor, do.NameNextPresident, do.Shoot):
        yield from map(make, seats)
    yield from (do.CastVote(seat, approves) for seat in seats for approves in (True, False))
    yield from (do.ReportCount(yes, len(state.alive) - yes) for yes in range(len(state.alive) + 1))
    yield from map(do.ReportResult, (True, False))
    yield from map(do.AnswerDictatorQuestion, (True, False))
    yield from map(do.EnactLaw, Party)
    yield from (do.FinishLooking(), do.ShufflePiles())
