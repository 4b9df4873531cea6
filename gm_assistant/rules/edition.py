"""An edition: the numbers, powers, limits and names of one printing of the game, read from `configs/`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from enum import StrEnum
from functools import partial
from typing import Annotated

import msgspec

from gm_assistant.checked import checked
from gm_assistant.errors import EditionError
from gm_assistant.rules.model import Office, Party, Power, Role

Count = Annotated[int, msgspec.Meta(ge=0, le=99)]
Some = Annotated[int, msgspec.Meta(ge=1, le=99)]
Id = Annotated[str, msgspec.Meta(pattern="^[a-z][a-z0-9_]*$", max_length=40)]
Fault = tuple[str, str, str]
"""Path of the key, what is wrong there, what is allowed."""

LOOKS = (Power.PEEK, Power.MAGNIFIER)
"""Powers to look at laws, before which the piles can be shuffled."""
PEG_HOLES = 3
"""Holes for the election peg of the tactile strip besides its start (document 000)."""
TARGETED = (Power.INVESTIGATE, Power.SPECIAL_ELECTION, Power.EXECUTION)
"""Powers that are used on a player."""


class TrackerReset(StrEnum):
    """What puts the election tracker back to its start (chaos always does)."""

    ELECTION = "election"
    ENACTMENT = "enactment"


class Basis(StrEnum):
    """Which government the term limits look at."""

    PREVIOUS_ROUND = "previous_round"
    """The president of the round before, and its chancellor if one was elected."""
    LAST_ELECTED = "last_elected"
    """The last government that was elected, however long ago."""


class FirstPresident(StrEnum):
    """Who is president first, unless the leader wants somebody else."""

    OLDEST = "oldest"
    DRAWN = "drawn"
    """The order of play is drawn, and its first player begins."""
    ANY = "any"


class DeadRole(StrEnum):
    """What happens to the role of a player who was shot and is not the dictator."""

    SECRET = "secret"  # noqa: S105 - no password
    SHOWN = "shown"


class Material(StrEnum):
    """What lies on the table: it decides how the board is described."""

    TACTILE = "tactile"
    PRINTED = "printed"


class PlayerLimits(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How many people can play, both ends included."""

    least: Some
    most: Some


class PerParty(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A number of laws or fields for each party."""

    liberal: Some
    fascist: Some

    def of(self, party: Party) -> int:
        """Return the number of `party`."""
        return self.liberal if party is Party.LIBERAL else self.fascist

    @property
    def total(self) -> int:
        """Both together."""
        return self.liberal + self.fascist


class RoleCounts(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How many tokens of each role are dealt."""

    liberal: Count
    fascist: Count
    dictator: Count

    def of(self, role: Role) -> int:
        """Return the number of tokens of `role`."""
        return {Role.LIBERAL: self.liberal, Role.FASCIST: self.fascist, Role.DICTATOR: self.dictator}[role]

    @property
    def total(self) -> int:
        """All together."""
        return self.liberal + self.fascist + self.dictator


class StartLaws(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Laws that do not lie in the draw pile when the game begins."""

    liberal: Count = 0
    fascist: Count = 0

    @property
    def total(self) -> int:
        """Both together."""
        return self.liberal + self.fascist


class Start(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What lies where before the first round, besides the draw pile."""

    enacted: StartLaws = StartLaws()
    discarded: StartLaws = StartLaws()


class TermLimits(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Who may not be chancellor after having governed."""

    basis: Basis
    barred: tuple[Office, ...]
    president_free_at: Count
    """With so many players alive, or fewer, the president of that government is free. 0: never."""
    chaos_frees: bool
    """Chaos frees everybody."""
    first_lifted: Office = Office.PRESIDENT
    """Whose limit falls first where the limits would leave nobody; then all fall."""


class _Common(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What does not depend on the number of players."""

    laws: PerParty
    """Laws in the whole game."""
    fields: PerParty
    """Fields of each strip; a law in the last one wins."""
    drawn: Some
    """Laws that the president draws."""
    peeked: Some
    """Laws that the power to peek shows."""
    reshuffle_below: Some
    """Both piles are shuffled together when fewer laws than this are left in the draw pile."""
    shuffle_before: tuple[Power, ...] = (Power.PEEK,)
    """Looks (peek, magnifier) before which a due shuffle is made; others come before it."""
    failed_elections_until_chaos: Some
    tracker_resets_on: TrackerReset
    tie_elects: bool
    danger_from: Count
    """From this fascist law on, an elected dictator wins at once."""
    danger_warning: bool = True
    """From then on the danger is said aloud before every vote."""
    repeated_question: bool = False
    """An elected chancellor who has said no before is asked again whether they are the dictator."""
    veto_from: Count
    """From this fascist law on, every later legislative session has the veto. 0: never."""
    repeated_veto: bool = False
    """After a refused veto the chancellor may propose another one in the same session."""
    term_limits: TermLimits
    may_target_oneself: tuple[Power, ...]
    repeated_investigation: bool
    """A player may be investigated twice."""
    role_of_the_dead: DeadRole
    first_president: FirstPresident
    secret_ballot: bool
    """Votes can be taken one by one in secret and published together."""
    vote_deadline: Annotated[int, msgspec.Meta(ge=0, le=86400)]
    """s after which missing votes of a secret ballot are drawn. 0: never."""
    material: Material


class Edition(_Common, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One edition. Every number that a document leaves open is a field here."""

    id: Id
    version: Count
    players: PlayerLimits
    roles: dict[int, RoleCounts]
    """By number of players."""
    start: dict[int, Start] = {}
    """By number of players, where it differs from all laws in the draw pile."""
    powers: dict[int, tuple[Power, ...]]
    """By number of players at the start: the power of each fascist law from the first one on."""
    dictator_knows_fascists: tuple[int, ...]
    """The numbers of players with which the dictator learns who the fascists are."""
    names: dict[str, dict[str, dict[str, str]]]
    """Language -> thing -> form -> words."""

    def rules_for(self, players: int) -> Rules:
        """Return the rules for so many players at the start."""
        common = {name: getattr(self, name) for name in _Common.__struct_fields__}
        return Rules(
            edition=self.id,
            version=self.version,
            players=players,
            roles=self.roles[players],
            start=self.start.get(players, Start()),
            powers=self.powers[players],
            dictator_knows_fascists=players in self.dictator_knows_fascists,
            **common,
        )


class Rules(_Common, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The rules of one game: those of an edition for the number of players at its start."""

    edition: Id
    version: Count
    players: Some
    roles: RoleCounts
    start: Start
    powers: tuple[Power, ...]
    dictator_knows_fascists: bool

    def power_at(self, law: int) -> Power:
        """Return the power of fascist law number `law` (from 1)."""
        return self.powers[law - 1] if 1 <= law <= len(self.powers) else Power.NONE

    def shown(self, draw_pile: int) -> int:
        """Return how many laws the power to peek shows with so many in the draw pile."""
        return min(self.peeked, draw_pile)

    def elects(self, yes: int, voters: int) -> bool:
        """Return whether `yes` of `voters` votes elect a government."""
        return yes * 2 > voters or (self.tie_elects and yes * 2 == voters)


def edition_from(data: object, file: str) -> Edition:
    """Return the checked edition. `data` is the content of `file`, as YAML gives it.

    Raise EditionError("edition-broken") with file, path, what is wrong and what is allowed.
    """
    edition = checked(data, Edition, file, EditionError, "edition-broken")
    for path, problem, allowed in faults(edition):
        raise EditionError("edition-broken", file=file, path=path, problem=problem, allowed=allowed)
    return edition


def faults(edition: Edition) -> Iterator[Fault]:
    """Yield what types cannot check: without these, no game could be played to its end."""
    for check in CHECKS:
        yield from check(edition)


def _player_faults(edition: Edition) -> Iterator[Fault]:
    limits = edition.players
    if limits.least > limits.most:
        yield "players", f"{limits.least} > {limits.most}", "least <= most"
    if limits.least < 2:
        yield "players.least", str(limits.least), ">= 2"


def _law_faults(edition: Edition) -> Iterator[Fault]:
    for party in Party:
        if edition.laws.of(party) < edition.fields.of(party):
            yield f"laws.{party}", str(edition.laws.of(party)), f">= {edition.fields.of(party)}"


_RANGES: dict[str, Callable[[Edition], tuple[int, int]]] = {
    "drawn": lambda edition: (2, edition.reshuffle_below),
    "peeked": lambda edition: (1, edition.reshuffle_below),
    "reshuffle_below": lambda edition: (edition.drawn, edition.laws.total - edition.fields.total + 2),
    "danger_from": lambda edition: (1, edition.fields.fascist),
    "veto_from": lambda edition: (0, edition.fields.fascist - 1),
}
"""Numbers that depend on others: the least and the most that each may be."""


def _range_faults(key: str, edition: Edition) -> Iterator[Fault]:
    yield from _outside(key, getattr(edition, key), *_RANGES[key](edition))


def _outside(path: str, number: int, least: int, most: int) -> Iterator[Fault]:
    if not least <= number <= most:
        yield path, str(number), f"{least} ... {most}"


_SOME_POWERS = {"shuffle_before": LOOKS, "may_target_oneself": TARGETED}
"""Lists in which only some powers make sense."""


def _list_faults(key: str, edition: Edition) -> Iterator[Fault]:
    allowed = _SOME_POWERS[key]
    yield from ((key, power, ", ".join(allowed)) for power in getattr(edition, key) if power not in allowed)


def _peg_faults(edition: Edition) -> Iterator[Fault]:
    number = edition.failed_elections_until_chaos
    if edition.material is Material.TACTILE and number > PEG_HOLES:
        yield "failed_elections_until_chaos", str(number), f"1 ... {PEG_HOLES} (material: {Material.TACTILE})"


def _role_faults(edition: Edition) -> Iterator[Fault]:
    for count in _counts(edition):
        row = edition.roles.get(count)
        if row is None:
            yield "roles", f"{count}?", f"{count}: ..."
        elif row.dictator != 1:
            yield f"roles.{count}.dictator", str(row.dictator), "1"
        elif row.total != count:
            yield f"roles.{count}", f"{row.liberal} + {row.fascist} + {row.dictator} = {row.total}", str(count)


def _power_faults(edition: Edition) -> Iterator[Fault]:
    for count in _counts(edition):
        column = edition.powers.get(count)
        if column is None:
            yield "powers", f"{count}?", f"{count}: ..."
        elif (deaths := column.count(Power.EXECUTION)) > max(count - 2, 0):
            yield f"powers.{count}", f"{deaths} {Power.EXECUTION}", f"<= {max(count - 2, 0)}"


def _column_faults(edition: Edition) -> Iterator[Fault]:
    for count in _counts(edition):
        length = len(edition.powers.get(count, ()))
        if length >= edition.fields.fascist:
            yield f"powers.{count}", str(length), f"< {edition.fields.fascist}"


def _counts(edition: Edition) -> range:
    return range(edition.players.least, edition.players.most + 1)


def _name_faults(edition: Edition) -> Iterator[Fault]:
    """Yield names of things that there are not, and words that nobody could say."""
    for language, things in edition.names.items():
        for thing, forms in things.items():
            if thing not in _NAMED:
                yield f"names.{language}.{thing}", thing, ", ".join(_NAMED)
            for form, words in forms.items():
                plain = words.replace("{n}", "")
                if form.startswith("spoken"):  # whether people could say it is looked at elsewhere
                    continue
                if not plain.strip() or "{" in plain or "}" in plain:
                    yield f"names.{language}.{thing}.{form}", words, "a, {n} a"


_NAMED = ("edition", *Office, *Role, *(power for power in Power if power is not Power.NONE))
"""Things that an edition names."""


def _start_faults(edition: Edition) -> Iterator[Fault]:
    for count, start in edition.start.items():
        for party in Party:
            enacted, discarded = getattr(start.enacted, party), getattr(start.discarded, party)
            yield from _outside(f"start.{count}.enacted.{party}", enacted, 0, edition.fields.of(party) - 1)
            rest = edition.laws.of(party) - enacted
            yield from _outside(f"start.{count}.discarded.{party}", discarded, 0, max(rest, 0))
        left = edition.laws.total - start.enacted.total - start.discarded.total
        if left < edition.reshuffle_below:
            yield f"start.{count}", str(left), f">= {edition.reshuffle_below}"


CHECKS: tuple[Callable[[Edition], Iterator[Fault]], ...] = (
    *(_player_faults, _law_faults),
    *(partial(_range_faults, key) for key in _RANGES),
    *(partial(_list_faults, key) for key in _SOME_POWERS),
    *(_peg_faults, _role_faults, _power_faults, _column_faults, _start_faults, _name_faults),
)
"""Each looks at a few keys only, so that a file with others that cannot be read is checked as far as it goes."""
