"""What happened, in the past tense: the only thing that is stored. Never rename a class or a field here."""

from __future__ import annotations

import msgspec

from gm_assistant.rules.edition import Rules
from gm_assistant.rules.model import Cause, Party, Power, Role, Seat


class _Stored(msgspec.Struct, frozen=True, tag_field="event", tag=True):
    """Base of all events: stored with the name of its class."""


class GameStarted(_Stored, frozen=True, omit_defaults=True):
    """The first event of every game. `version` is the edition file's.

    `rules` are those the game began with: it goes on by them even if the file changes. (None in games saved by early
    versions of the program.)
    """

    edition: str
    version: int
    players: tuple[str, ...]
    first: Seat
    rules: Rules | None = None
    blind: tuple[Seat, ...] = ()
    """Who cannot see the cards; the rules do not ask."""


class RolesDealt(_Stored, frozen=True, omit_defaults=True):
    """SECRET. The roles by seat."""

    roles: tuple[Role, ...]
    leader_knows: bool = False
    """The leader has heard or entered them, and may hear them again."""
    told: bool = True
    """Everybody has been told, or handed a token; False as long as a deal goes on."""


class ChancellorNominated(_Stored, frozen=True):
    """The president named a candidate."""

    president: Seat
    seat: Seat


class VoteCast(_Stored, frozen=True):
    """One vote of a roll call."""

    seat: Seat
    approves: bool


class SecretBallotOpened(_Stored, frozen=True):
    """The votes are taken one by one, in secret."""


class SecretVoteCast(_Stored, frozen=True):
    """SECRET. One vote of a secret ballot."""

    seat: Seat
    approves: bool


class MissingVotesDrawn(_Stored, frozen=True):
    """SECRET until published. The votes that chance gave to those who had not voted in time."""

    votes: tuple[tuple[Seat, bool], ...]


class VotesPublished(_Stored, frozen=True):
    """All votes of a secret ballot, for everybody to know."""

    votes: tuple[tuple[Seat, bool], ...]


class GovernmentElected(_Stored, frozen=True):
    """The vote passed. Numbers are None if only the result was told."""

    president: Seat
    chancellor: Seat
    yes: int | None = None
    no: int | None = None


class ElectionFailed(_Stored, frozen=True):
    """The vote failed; `tracker` is the new position of the peg."""

    tracker: int
    yes: int | None = None
    no: int | None = None


class DictatorAsked(_Stored, frozen=True):
    """A player must say whether they are the dictator."""

    seat: Seat
    cause: Cause


class DictatorDenied(_Stored, frozen=True):
    """The player who was asked is not the dictator."""

    seat: Seat


class DictatorConfirmed(_Stored, frozen=True):
    """The player who was asked is the dictator."""

    seat: Seat


class SessionOpened(_Stored, frozen=True):
    """The president draws laws."""

    president: Seat
    chancellor: Seat
    drawn: int


class VetoWanted(_Stored, frozen=True):
    """The chancellor wants to enact nothing."""

    president: Seat
    chancellor: Seat


class VetoAgreed(_Stored, frozen=True):
    """All laws in hand are discarded; `tracker` is the new position of the peg."""

    president: Seat
    tracker: int


class VetoRefused(_Stored, frozen=True):
    """The chancellor must enact a law."""

    president: Seat


class ChaosBegan(_Stored, frozen=True):
    """Too many elections failed: the top law counts."""


class LawEnacted(_Stored, frozen=True):
    """A law lies on its strip; `number` is its field, counted from the notch."""

    party: Party
    number: int
    by_chaos: bool


class MagnifierReserved(_Stored, frozen=True):
    """The next president may look at the law discarded last."""


class PowerGranted(_Stored, frozen=True):
    """The president must use a power now."""

    power: Power
    president: Seat


class PowerUsed(_Stored, frozen=True):
    """The power was used; `target` is a seat where it needs one."""

    power: Power
    president: Seat
    target: Seat | None = None


class PowerLapsed(_Stored, frozen=True):
    """Nobody is left on whom the power could be used, or no law that it could show."""

    power: Power


class ShuffleDue(_Stored, frozen=True):
    """Too few laws are left in the draw pile."""

    left: int


class PilesShuffled(_Stored, frozen=True):
    """Both piles were made into a new draw pile of `draw_pile` laws."""

    draw_pile: int


class PresidencyPassed(_Stored, frozen=True):
    """A new round begins."""

    president: Seat
    special: bool


class GameWon(_Stored, frozen=True):
    """A party has won."""

    party: Party
    cause: Cause


class GameAbandoned(_Stored, frozen=True):
    """The leader broke the game off."""


Event = (
    GameStarted
    | RolesDealt
    | ChancellorNominated
    | VoteCast
    | SecretBallotOpened
    | SecretVoteCast
    | MissingVotesDrawn
    | VotesPublished
    | GovernmentElected
    | ElectionFailed
    | DictatorAsked
    | DictatorDenied
    | DictatorConfirmed
    | SessionOpened
    | VetoWanted
    | VetoAgreed
    | VetoRefused
    | ChaosBegan
    | LawEnacted
    | MagnifierReserved
    | PowerGranted
    | PowerUsed
    | PowerLapsed
    | ShuffleDue
    | PilesShuffled
    | PresidencyPassed
    | GameWon
    | GameAbandoned
)

SECRET_EVENTS = (RolesDealt, SecretVoteCast, MissingVotesDrawn)
"""Events that somebody at the table must not know of: what prints, logs or saves events keeps them from being read."""
