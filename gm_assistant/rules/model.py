"""What the rules talk about: ids, phases of a round and the state of one game. All values are frozen."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gm_assistant.rules.edition import Edition

Seat = int
"""A place at the table, counted from 1 clockwise."""


class Party(StrEnum):
    """What a law, and a player's allegiance, belongs to."""

    LIBERAL = "liberal"
    FASCIST = "fascist"


class Role(StrEnum):
    """The secret token of one player."""

    LIBERAL = "liberal"
    FASCIST = "fascist"
    DICTATOR = "dictator"


class Power(StrEnum):
    """What a field of the fascist strip gives to a president."""

    NONE = "none"
    MAGNIFIER = "magnifier"
    """The FOLLOWING president looks at the law discarded last."""
    PEEK = "peek"
    """The president looks at the next three laws."""
    SPECIAL_ELECTION = "special_election"
    """The president names the next president."""
    EXECUTION = "execution"
    """The president shoots a player."""


class Cause(StrEnum):
    """Why a game is over."""

    LAWS = "laws"
    DICTATOR_ELECTED = "dictator_elected"
    DICTATOR_SHOT = "dictator_shot"
    ABANDONED = "abandoned"


@dataclass(frozen=True, slots=True)
class Government:
    """The president of a round and its elected chancellor, if there was one."""

    president: Seat
    chancellor: Seat | None


@dataclass(frozen=True, slots=True)
class Nomination:
    """The president names a candidate for chancellor."""


@dataclass(frozen=True, slots=True)
class Election:
    """Everybody alive votes on the candidate; `votes` holds those that were taken one by one."""

    candidate: Seat
    votes: tuple[tuple[Seat, bool], ...] = ()

    def count(self, approves: bool) -> int:
        """Return how many of the votes taken so far are yes (or no)."""
        return sum(vote is approves for _, vote in self.votes)


@dataclass(frozen=True, slots=True)
class GovernmentFormed:
    """Passing phase: elected; `safe` says that the chancellor need not be asked (any more)."""

    safe: bool


@dataclass(frozen=True, slots=True)
class DictatorQuestion:
    """A player is asked aloud whether they are the dictator. `cause` tells how the game would end."""

    seat: Seat
    cause: Cause


@dataclass(frozen=True, slots=True)
class DictatorFound:
    """Passing phase: the player who was asked is the dictator."""

    cause: Cause


@dataclass(frozen=True, slots=True)
class LegislativeSession:
    """President and chancellor hold `in_hand` laws and choose the one to enact."""

    in_hand: int


@dataclass(frozen=True, slots=True)
class Chaos:
    """Too many failed elections: the top law is turned over."""


@dataclass(frozen=True, slots=True)
class LawLaid:
    """Passing phase: a law was just laid on its strip."""

    party: Party
    by_chaos: bool


@dataclass(frozen=True, slots=True)
class PowerPending:
    """The president must use a power before the game goes on."""

    power: Power


@dataclass(frozen=True, slots=True)
class PlayerDown:
    """Passing phase: a player was just shot."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class RoundOver:
    """Passing phase: nothing is left to do in this round."""


@dataclass(frozen=True, slots=True)
class ShufflePending:
    """Both piles must be shuffled together; the game goes on with the phase `then`."""

    then: Phase


@dataclass(frozen=True, slots=True)
class GameOver:
    """The end. `winner` is None if the leader broke the game off."""

    winner: Party | None
    cause: Cause


Phase = (
    Nomination
    | Election
    | GovernmentFormed
    | DictatorQuestion
    | DictatorFound
    | LegislativeSession
    | Chaos
    | LawLaid
    | PowerPending
    | PlayerDown
    | RoundOver
    | ShufflePending
    | GameOver
)


@dataclass(frozen=True, slots=True)
class GameState:
    """Everything the rules know about one game at one moment."""

    edition: Edition
    players: tuple[str, ...]
    """Names in seating order: seat 1 comes first."""
    alive: frozenset[Seat]
    president: Seat
    rotation: Seat
    """The seat from which the presidency goes on clockwise (not moved by a special president)."""
    draw_pile: int
    """Laws in the draw pile (the rough tray)."""
    discard_pile: int
    """Laws in the discard pile (the smooth tray)."""
    enacted: tuple[tuple[Party, int], ...] = ((Party.LIBERAL, 0), (Party.FASCIST, 0))
    tracker: int = 0
    """Failed elections in a row: the hole in which the peg stands, 0 is the start hole."""
    chancellor: Seat | None = None
    """The elected chancellor of this round."""
    previous: Government | None = None
    """The government of the previous round."""
    special_president: Seat | None = None
    """Who was named next president by the power of the same name."""
    magnifier_reserved: bool = False
    """The next president may look at the law discarded last."""
    phase: Phase = Nomination()
    roles: tuple[Role, ...] | None = None
    """SECRET. By seat; None while the assistant does not know them."""

    def laws(self, party: Party) -> int:
        """Return how many laws of `party` are enacted."""
        return dict(self.enacted)[party]

    @property
    def in_hand(self) -> int:
        """Laws that president and chancellor hold."""
        return self.phase.in_hand if isinstance(self.phase, LegislativeSession) else 0

    @property
    def danger(self) -> bool:
        """Whether an elected dictator would win at once."""
        return self.laws(Party.FASCIST) >= self.edition.danger_from

    def name(self, seat: Seat) -> str:
        """Return the name of the player on `seat`."""
        return self.players[seat - 1]
