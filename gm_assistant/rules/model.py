"""What the rules talk about: ids, phases of a round and the state of one game. All values are frozen."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from gm_assistant.rules.edition import Rules

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


class Office(StrEnum):
    """An office of a government."""

    PRESIDENT = "president"
    CHANCELLOR = "chancellor"


class Power(StrEnum):
    """What a field of the fascist strip gives to a president."""

    NONE = "none"
    MAGNIFIER = "magnifier"
    """The FOLLOWING president looks at the law discarded last."""
    PEEK = "peek"
    """The president looks at the next laws of the draw pile."""
    INVESTIGATE = "investigate"
    """The president learns the party of another player."""
    SPECIAL_ELECTION = "special_election"
    """The president names the next president."""
    EXECUTION = "execution"
    """The president shoots a player."""


class Setback(StrEnum):
    """What moves the election tracker on by one."""

    ELECTION = "election"
    VETO = "veto"


class Cause(StrEnum):
    """Why a game is over."""

    LAWS = "laws"
    DICTATOR_ELECTED = "dictator_elected"
    DICTATOR_SHOT = "dictator_shot"
    ABANDONED = "abandoned"


class _Value(msgspec.Struct, frozen=True):
    """Base of all frozen values here."""


class Government(_Value, frozen=True):
    """The president of a round and its elected chancellor, if there was one."""

    president: Seat
    chancellor: Seat | None


class LastLaw(_Value, frozen=True):
    """The law that was laid last, and how it came there."""

    party: Party
    number: int
    by_chaos: bool
    setbacks: tuple[Setback, ...] = ()
    """What had moved the tracker when chaos laid it."""
    veto_refused: bool = False
    """The president had refused a veto in this session."""
    lapsed: bool = False
    """Nobody was left on whom its power could be used, or no law that it could show."""


class Nomination(_Value, frozen=True):
    """The president names a candidate for chancellor."""


class Election(_Value, frozen=True):
    """Everybody alive votes on the candidate; `votes` holds those that were taken one by one."""

    candidate: Seat
    votes: tuple[tuple[Seat, bool], ...] = ()

    def count(self, approves: bool) -> int:
        """Return how many of the votes taken so far are yes (or no)."""
        return sum(vote is approves for _, vote in self.votes)


class SecretElection(_Value, frozen=True):
    """A secret ballot on the candidate. SECRET: `votes` are known to nobody but their voters until all are in."""

    candidate: Seat
    votes: tuple[tuple[Seat, bool], ...] = ()


class SecretBallot(_Value, frozen=True):
    """What the table knows of a secret ballot: who has voted."""

    candidate: Seat
    voted: tuple[Seat, ...]


class GovernmentFormed(_Value, frozen=True):
    """Passing phase: elected; `safe` says that the chancellor need not be asked (any more)."""

    safe: bool


class DictatorQuestion(_Value, frozen=True):
    """A player is asked aloud whether they are the dictator. `cause` tells how the game would end."""

    seat: Seat
    cause: Cause


class DictatorFound(_Value, frozen=True):
    """Passing phase: the player who was asked is the dictator."""

    cause: Cause


class LegislativeSession(_Value, frozen=True):
    """President and chancellor hold `in_hand` laws and choose the one to enact."""

    in_hand: int
    veto_refused: bool = False


class VetoProposed(_Value, frozen=True):
    """The chancellor wants no law; the president agrees or refuses."""

    in_hand: int


class Chaos(_Value, frozen=True):
    """Too many failed elections: the top law is turned over."""


class LawLaid(_Value, frozen=True):
    """Passing phase: a law was just laid on its strip."""

    party: Party
    by_chaos: bool


class PowerPending(_Value, frozen=True):
    """The president must use a power before the game goes on."""

    power: Power


class PlayerDown(_Value, frozen=True):
    """Passing phase: a player was just shot."""

    seat: Seat


class RoundOver(_Value, frozen=True):
    """Passing phase: nothing is left to do in this round."""


class ShufflePending(_Value, frozen=True):
    """Both piles must be shuffled together; the game goes on with the phase `then`."""

    then: Nomination | LawLaid | RoundOver


class GameOver(_Value, frozen=True):
    """The end. `winner` is None if the leader broke the game off."""

    winner: Party | None
    cause: Cause
    in_hand: int = 0
    """Laws that were in hand when the game was broken off."""


OpenPhase = (
    Nomination
    | Election
    | GovernmentFormed
    | DictatorQuestion
    | DictatorFound
    | LegislativeSession
    | VetoProposed
    | Chaos
    | LawLaid
    | PowerPending
    | PlayerDown
    | RoundOver
    | ShufflePending
    | GameOver
)
"""Phases without a secret."""

Phase = OpenPhase | SecretElection
TablePhase = OpenPhase | SecretBallot
"""The phase as the table may know it."""


class GameState(_Value, frozen=True):
    """Everything the rules know about one game at one moment."""

    rules: Rules
    players: tuple[str, ...]
    """Names in seating order: seat 1 comes first."""
    alive: frozenset[Seat]
    president: Seat
    rotation: Seat
    """The seat from which the presidency goes on clockwise (not moved by a special president)."""
    draw_pile: int
    """Laws in the draw pile."""
    discard_pile: int
    """Laws in the discard pile."""
    liberal_laws: int = 0
    """Enacted liberal laws."""
    fascist_laws: int = 0
    """Enacted fascist laws."""
    setbacks: tuple[Setback, ...] = ()
    """What has moved the election tracker since its last reset."""
    chancellor: Seat | None = None
    """The elected chancellor of this round."""
    previous: Government | None = None
    """The government that the term limits look at."""
    special_president: Seat | None = None
    """Who was named next president by the power of the same name."""
    magnifier_reserved: bool = False
    """The next president may look at the law discarded last."""
    peeked: int = 0
    """How many laws on top of the draw pile a president has seen."""
    investigated: frozenset[Seat] = frozenset()
    """Whose party a president has learned."""
    cleared: frozenset[Seat] = frozenset()
    """Who was elected chancellor in times of danger and said not to be the dictator."""
    last_law: LastLaw | None = None
    phase: Phase = Nomination()
    roles: tuple[Role, ...] | None = None
    """SECRET. By seat; None while the assistant does not know them."""

    def laws(self, party: Party) -> int:
        """Return how many laws of `party` are enacted."""
        return self.liberal_laws if party is Party.LIBERAL else self.fascist_laws

    @property
    def tracker(self) -> int:
        """The hole in which the peg stands, 0 is the start hole."""
        return len(self.setbacks)

    @property
    def in_hand(self) -> int:
        """Laws that president and chancellor hold."""
        return self.phase.in_hand if isinstance(self.phase, LegislativeSession | VetoProposed | GameOver) else 0

    @property
    def danger(self) -> bool:
        """Whether an elected dictator would win at once."""
        return self.fascist_laws >= self.rules.danger_from

    def name(self, seat: Seat) -> str:
        """Return the name of the player on `seat`."""
        return self.players[seat - 1]
