"""What may be known where: everything that is said at the table is made from a TableView, which has no roles."""

from __future__ import annotations

from dataclasses import dataclass

from gm_assistant.rules.edition import Edition
from gm_assistant.rules.eligibility import Eligibility, eligible_chancellors, limits_lifted, next_president
from gm_assistant.rules.model import GameState, Government, Party, Phase, Power, Role, Seat


@dataclass(frozen=True, slots=True)
class TableView:
    """The game as everybody at the table may know it."""

    edition: Edition
    players: tuple[str, ...]
    alive: tuple[Seat, ...]
    president: Seat
    next_president: Seat
    chancellor: Seat | None
    previous: Government | None
    candidates: tuple[Eligibility, ...]
    limits_lifted: bool
    liberal_laws: int
    fascist_laws: int
    draw_pile: int
    discard_pile: int
    in_hand: int
    tracker: int
    danger: bool
    magnifier_reserved: bool
    phase: Phase

    def laws(self, party: Party) -> int:
        """Return how many laws of `party` are enacted."""
        return self.liberal_laws if party is Party.LIBERAL else self.fascist_laws

    def power_at(self, law: int) -> Power:
        """Return the power of fascist law number `law`."""
        return self.edition.power_at(len(self.players), law)

    @property
    def eligible(self) -> tuple[Seat, ...]:
        """Who may be chancellor now."""
        return tuple(candidate.seat for candidate in self.candidates if candidate.bar is None)

    def name(self, seat: Seat) -> str:
        """Return the name of the player on `seat`."""
        return self.players[seat - 1]


@dataclass(frozen=True, slots=True)
class HeadsetView:
    """What the assistant knows beyond the table. Only text for the headset is made from it."""

    table: TableView
    roles: tuple[Role, ...] | None


def table_view(state: GameState) -> TableView:
    """Return what the table may know of `state`: equal for any two deals of the same game."""
    return TableView(
        edition=state.edition,
        players=state.players,
        alive=tuple(sorted(state.alive)),
        president=state.president,
        next_president=next_president(state),
        chancellor=state.chancellor,
        previous=state.previous,
        candidates=eligible_chancellors(state),
        limits_lifted=limits_lifted(state),
        liberal_laws=state.laws(Party.LIBERAL),
        fascist_laws=state.laws(Party.FASCIST),
        draw_pile=state.draw_pile,
        discard_pile=state.discard_pile,
        in_hand=state.in_hand,
        tracker=state.tracker,
        danger=state.danger,
        magnifier_reserved=state.magnifier_reserved,
        phase=state.phase,
    )


def headset_view(state: GameState) -> HeadsetView:
    """Return what may be whispered."""
    return HeadsetView(table_view(state), state.roles)
