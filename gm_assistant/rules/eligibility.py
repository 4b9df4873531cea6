"""Who may hold an office, and why not: the rule and the spoken answer read the same values."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from gm_assistant.rules.model import GameState, Seat


class Bar(StrEnum):
    """Why a player may not be nominated as chancellor."""

    DEAD = "dead"
    PRESIDENT = "president"
    WAS_PRESIDENT = "was_president"
    WAS_CHANCELLOR = "was_chancellor"


@dataclass(frozen=True, slots=True)
class Eligibility:
    """One player and the bar, None if the player may be chancellor."""

    seat: Seat
    bar: Bar | None


def eligible_chancellors(state: GameState) -> tuple[Eligibility, ...]:
    """Return every player in seat order, with the reason why the player may not be chancellor now.

    Limits of the previous round, as the rules of the tactile edition put it. If they leave nobody, those on the
    president fall first, then all of them.
    """
    for lifted in _RELIEFS:
        players = tuple(Eligibility(seat, _bar(state, seat, lifted)) for seat in range(1, len(state.players) + 1))
        if any(player.bar is None for player in players):
            break
    return players


_RELIEFS = (frozenset[Bar](), frozenset({Bar.WAS_PRESIDENT}), frozenset({Bar.WAS_PRESIDENT, Bar.WAS_CHANCELLOR}))
"""Which limits fall, in this order, until somebody may be chancellor."""


def limits_lifted(state: GameState) -> bool:
    """Return whether limits had to fall because they would have left nobody."""
    return not any(_bar(state, seat, frozenset()) is None for seat in state.alive)


def _bar(state: GameState, seat: Seat, lifted: frozenset[Bar]) -> Bar | None:
    previous = state.previous
    reasons = {
        Bar.DEAD: seat not in state.alive,
        Bar.PRESIDENT: seat == state.president,
        Bar.WAS_PRESIDENT: previous is not None and seat == previous.president,
        Bar.WAS_CHANCELLOR: previous is not None and seat == previous.chancellor,
    }
    return next((bar for bar, holds in reasons.items() if holds and bar not in lifted), None)


def next_president(state: GameState) -> Seat:
    """Return who takes the president's sign after this round: the one named, else clockwise, the living only."""
    if state.special_president is not None:
        return state.special_president
    return next_clockwise(state, state.rotation)


def next_clockwise(state: GameState, seat: Seat) -> Seat:
    """Return the next living player clockwise from `seat`."""
    count = len(state.players)
    circle = ((seat - 1 + step) % count + 1 for step in range(1, count + 1))
    return next(other for other in circle if other in state.alive)
