"""Who may hold an office or be chosen, and why not: the rule and the spoken answer read the same values."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum

import msgspec

from gm_assistant.rules.edition import Basis
from gm_assistant.rules.model import GameState, Office, Power, Seat


class Bar(StrEnum):
    """Why a player may not be nominated as chancellor."""

    DEAD = "dead"
    PRESIDENT = "president"
    WAS_PRESIDENT = "was_president"
    WAS_CHANCELLOR = "was_chancellor"
    ELECTED_PRESIDENT = "elected_president"
    ELECTED_CHANCELLOR = "elected_chancellor"


_OFFICE_BARS = {
    (Basis.PREVIOUS_ROUND, Office.PRESIDENT): Bar.WAS_PRESIDENT,
    (Basis.PREVIOUS_ROUND, Office.CHANCELLOR): Bar.WAS_CHANCELLOR,
    (Basis.LAST_ELECTED, Office.PRESIDENT): Bar.ELECTED_PRESIDENT,
    (Basis.LAST_ELECTED, Office.CHANCELLOR): Bar.ELECTED_CHANCELLOR,
}


class Eligibility(msgspec.Struct, frozen=True):
    """One player and the bar, None if the player may be chancellor."""

    seat: Seat
    bar: Bar | None


def eligible_chancellors(state: GameState) -> tuple[Eligibility, ...]:
    """Return every player in seat order, with the reason why the player may not be chancellor now.

    The limits are those of the edition. If they leave nobody, those on one office fall first, then all of them.
    """
    lifted = limits_lifted(state)
    barred = {seat: bar for office, seat, bar in _limited(state) if office not in lifted}
    return tuple(Eligibility(seat, _bar(state, seat, barred)) for seat in range(1, len(state.players) + 1))


def limits_lifted(state: GameState) -> tuple[Office, ...]:
    """Return the offices whose limits had to fall because they would have left nobody; usually none."""
    possible, limited = state.alive - {state.president}, _limited(state)
    for lifted in ((), (state.rules.term_limits.first_lifted,), tuple(Office)):
        if possible - {seat for office, seat, _ in limited if office not in lifted}:
            break
    return lifted


def president_is_free(state: GameState) -> bool:
    """Return whether so few are alive that the last president may be nominated."""
    return len(state.alive) <= state.rules.term_limits.president_free_at


def _limited(state: GameState) -> tuple[tuple[Office, Seat, Bar], ...]:
    """Return which offices of the limiting government bar whom, the president first."""
    previous, limits = state.previous, state.rules.term_limits
    if previous is None:
        return ()
    free = {Office.PRESIDENT} if president_is_free(state) else set()
    holders = ((Office.CHANCELLOR, previous.chancellor), (Office.PRESIDENT, previous.president))
    return tuple(
        (office, seat, _OFFICE_BARS[limits.basis, office])
        for office, seat in holders
        if seat is not None and office in limits.barred and office not in free
    )


def _bar(state: GameState, seat: Seat, barred: dict[Seat, Bar]) -> Bar | None:
    if seat not in state.alive:
        return Bar.DEAD
    return Bar.PRESIDENT if seat == state.president else barred.get(seat)


def targets(state: GameState, power: Power) -> tuple[Seat, ...]:
    """Return on whom the president may use `power`, in seat order."""
    return tuple(seat for seat in sorted(state.alive) if untouchable(state, power, seat) is None)


class Shield(StrEnum):
    """Why a power cannot be used on a player."""

    DEAD = "player-is-dead"
    ONESELF = "not-oneself"
    INVESTIGATED = "already-investigated"


def untouchable(state: GameState, power: Power, seat: Seat) -> Shield | None:
    """Return why `power` cannot be used on the player on `seat`, None if it can."""
    if seat not in state.alive:
        return Shield.DEAD
    if seat == state.president and power not in state.rules.may_target_oneself:
        return Shield.ONESELF
    if power is Power.INVESTIGATE and seat in state.investigated and not state.rules.repeated_investigation:
        return Shield.INVESTIGATED
    return None


def next_president(state: GameState) -> Seat:
    """Return who takes the president's sign after this round: the one named, else clockwise, the living only."""
    if state.special_president is not None and state.special_president in state.alive:
        return state.special_president
    return next_clockwise(state, state.rotation)


def next_clockwise(state: GameState, seat: Seat) -> Seat:
    """Return the next living player clockwise from `seat`."""
    return next(other for other in _circle(len(state.players), seat) if other in state.alive)


def _circle(count: int, seat: Seat) -> Iterator[Seat]:
    return ((seat - 1 + step) % count + 1 for step in range(1, count + 1))
