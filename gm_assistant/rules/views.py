"""What may be known where: everything that is said at the table is made from a TableView, which has no roles."""

from __future__ import annotations

import msgspec

from gm_assistant.rules.edition import TARGETED, Rules
from gm_assistant.rules.eligibility import (
    Eligibility,
    eligible_chancellors,
    limits_lifted,
    next_president,
    president_is_free,
    targets,
)
from gm_assistant.rules.model import (
    GameOver,
    GameState,
    Government,
    LastLaw,
    Office,
    Party,
    Power,
    PowerPending,
    Role,
    Seat,
    SecretBallot,
    SecretElection,
    Setback,
    TablePhase,
)


class TableView(msgspec.Struct, frozen=True):
    """The game as everybody at the table may know it."""

    rules: Rules
    players: tuple[str, ...]
    alive: tuple[Seat, ...]
    president: Seat
    next_president: Seat
    chancellor: Seat | None
    previous: Government | None
    candidates: tuple[Eligibility, ...]
    limits_lifted: tuple[Office, ...]
    """Offices whose limits do not count in this round, for they would leave nobody."""
    president_is_free: bool
    """So few are alive that the last president may be nominated."""
    targets: tuple[Seat, ...]
    """On whom the power that is due can be used."""
    liberal_laws: int
    fascist_laws: int
    draw_pile: int
    discard_pile: int
    in_hand: int
    setbacks: tuple[Setback, ...]
    danger: bool
    rotation: Seat
    special_president: Seat | None
    magnifier_reserved: bool
    peeked: int
    investigated: tuple[Seat, ...]
    cleared: tuple[Seat, ...]
    last_law: LastLaw | None
    phase: TablePhase

    @property
    def tracker(self) -> int:
        """The hole in which the peg stands, 0 is the start hole."""
        return len(self.setbacks)

    def laws(self, party: Party) -> int:
        """Return how many laws of `party` are enacted."""
        return self.liberal_laws if party is Party.LIBERAL else self.fascist_laws

    def power_at(self, law: int) -> Power:
        """Return the power of fascist law number `law`."""
        return self.rules.power_at(law)

    @property
    def eligible(self) -> tuple[Seat, ...]:
        """Who may be chancellor now."""
        return tuple(candidate.seat for candidate in self.candidates if candidate.bar is None)

    def name(self, seat: Seat) -> str:
        """Return the name of the player on `seat`."""
        return self.players[seat - 1]


class HeadsetView(msgspec.Struct, frozen=True):
    """What the assistant knows beyond the table. Only text for the headset is made from it."""

    table: TableView
    roles: tuple[Role, ...]
    """By seat."""


class RevealedView(msgspec.Struct, frozen=True):
    """A game that is over, with everything that was secret in it."""

    table: TableView
    roles: tuple[Role, ...]
    """By seat."""


def table_view(state: GameState) -> TableView:
    """Return what the table may know of `state`: equal for any two deals of the same game."""
    return TableView(
        rules=state.rules,
        players=state.players,
        alive=tuple(sorted(state.alive)),
        president=state.president,
        next_president=next_president(state),
        chancellor=state.chancellor,
        previous=state.previous,
        candidates=eligible_chancellors(state),
        limits_lifted=limits_lifted(state),
        president_is_free=president_is_free(state),
        targets=_targets_now(state),
        liberal_laws=state.laws(Party.LIBERAL),
        fascist_laws=state.laws(Party.FASCIST),
        draw_pile=state.draw_pile,
        discard_pile=state.discard_pile,
        in_hand=state.in_hand,
        setbacks=state.setbacks,
        danger=state.danger,
        rotation=state.rotation,
        special_president=state.special_president,
        magnifier_reserved=state.magnifier_reserved,
        peeked=state.peeked,
        investigated=tuple(sorted(state.investigated)),
        cleared=tuple(sorted(state.cleared)),
        last_law=state.last_law,
        phase=_for_the_table(state),
    )


def _targets_now(state: GameState) -> tuple[Seat, ...]:
    pending = state.phase
    return targets(state, pending.power) if isinstance(pending, PowerPending) and pending.power in TARGETED else ()


def _for_the_table(state: GameState) -> TablePhase:
    phase = state.phase
    if isinstance(phase, SecretElection):
        return SecretBallot(phase.candidate, tuple(seat for seat, _ in phase.votes))
    return phase


def headset_view(state: GameState) -> HeadsetView | None:
    """Return what may be whispered; None as long as the assistant does not know the roles."""
    return None if state.roles is None else HeadsetView(table_view(state), state.roles)


def revealed_view(state: GameState) -> RevealedView | None:
    """Return what may be told after a game; None while it goes on, or if the roles are not known."""
    if state.roles is None or not isinstance(state.phase, GameOver):
        return None
    return RevealedView(table_view(state), state.roles)
