"""What a leader can ask for, in the imperative. The rules may refuse it."""

from __future__ import annotations

from dataclasses import dataclass

from gm_assistant.rules.model import Party, Role, Seat


@dataclass(frozen=True, slots=True)
class DealRoles:
    """Tell the rules the secret roles, by seat (the shuffling happened outside)."""

    roles: tuple[Role, ...]


@dataclass(frozen=True, slots=True)
class NominateChancellor:
    """The president names a candidate."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class CastVote:
    """One player's vote in a roll call; it replaces an earlier one."""

    seat: Seat
    approves: bool


@dataclass(frozen=True, slots=True)
class ReportResult:
    """The outcome of the vote, without numbers."""

    passed: bool


@dataclass(frozen=True, slots=True)
class ReportCount:
    """The outcome of the vote, in numbers."""

    yes: int
    no: int


@dataclass(frozen=True, slots=True)
class AnswerDictatorQuestion:
    """What the player who was asked said."""

    is_dictator: bool


@dataclass(frozen=True, slots=True)
class EnactLaw:
    """A law is laid on its strip, by the chancellor or (in chaos) from the top of the pile."""

    party: Party


@dataclass(frozen=True, slots=True)
class FinishLooking:
    """The president has looked at the law or the laws that the power shows."""


@dataclass(frozen=True, slots=True)
class NameNextPresident:
    """The president names the next president."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Shoot:
    """The president shoots a player."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class ShufflePiles:
    """Both piles were shuffled together."""


@dataclass(frozen=True, slots=True)
class EndGame:
    """The leader breaks the game off."""


Command = (
    DealRoles
    | NominateChancellor
    | CastVote
    | ReportResult
    | ReportCount
    | AnswerDictatorQuestion
    | EnactLaw
    | FinishLooking
    | NameNextPresident
    | Shoot
    | ShufflePiles
    | EndGame
)
