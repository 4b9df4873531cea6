"""What a leader can ask for, in the imperative. The rules may refuse it."""

from __future__ import annotations

import msgspec

from gm_assistant.rules.model import Party, Role, Seat


class _Command(msgspec.Struct, frozen=True):
    """Base of all commands."""


class DealRoles(_Command, frozen=True):
    """Tell the rules the secret roles, by seat (the shuffling happened outside)."""

    roles: tuple[Role, ...]


class NominateChancellor(_Command, frozen=True):
    """The president names a candidate."""

    seat: Seat


class CastVote(_Command, frozen=True):
    """One player's vote in a roll call; it replaces an earlier one."""

    seat: Seat
    approves: bool


class TakeSecretBallot(_Command, frozen=True):
    """The votes are taken one by one, in secret."""


class CastSecretVote(_Command, frozen=True):
    """SECRET. One player's vote in a secret ballot; it replaces an earlier one."""

    seat: Seat
    approves: bool


class DrawMissingVotes(_Command, frozen=True):
    """SECRET. The votes that chance gave to those who had not voted in time, by seat."""

    votes: tuple[tuple[Seat, bool], ...]


class ReportResult(_Command, frozen=True):
    """The outcome of the vote, without numbers."""

    passed: bool


class ReportCount(_Command, frozen=True):
    """The outcome of the vote, in numbers."""

    yes: int
    no: int


class AnswerDictatorQuestion(_Command, frozen=True):
    """What the player who was asked said."""

    is_dictator: bool


class EnactLaw(_Command, frozen=True):
    """A law is laid on its strip, by the chancellor or (in chaos) from the top of the pile."""

    party: Party


class ProposeVeto(_Command, frozen=True):
    """The chancellor wants to enact nothing."""


class AnswerVeto(_Command, frozen=True):
    """The president agrees to the veto or refuses it."""

    agrees: bool


class FinishLooking(_Command, frozen=True):
    """The president has looked at the law or the laws that the power shows."""


class Investigate(_Command, frozen=True):
    """The president has learned a player's party."""

    seat: Seat


class NameNextPresident(_Command, frozen=True):
    """The president names the next president."""

    seat: Seat


class Shoot(_Command, frozen=True):
    """The president shoots a player."""

    seat: Seat


class ShufflePiles(_Command, frozen=True):
    """Both piles were shuffled together."""


class EndGame(_Command, frozen=True):
    """The leader breaks the game off."""


Command = (
    DealRoles
    | NominateChancellor
    | CastVote
    | TakeSecretBallot
    | CastSecretVote
    | DrawMissingVotes
    | ReportResult
    | ReportCount
    | AnswerDictatorQuestion
    | EnactLaw
    | ProposeVeto
    | AnswerVeto
    | FinishLooking
    | Investigate
    | NameNextPresident
    | Shoot
    | ShufflePiles
    | EndGame
)
