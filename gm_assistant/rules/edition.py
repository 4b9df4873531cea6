"""An edition: the numbers, powers, limits and names of one printing of the game, read from `configs/`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

import msgspec

from gm_assistant.checked import checked
from gm_assistant.errors import EditionError
from gm_assistant.rules.model import Party, Power, Role

Count = Annotated[int, msgspec.Meta(ge=0, le=99)]
Some = Annotated[int, msgspec.Meta(ge=1, le=99)]
Fault = tuple[str, str, str]
"""Path of the key, what is wrong there, what is allowed."""


class PlayerLimits(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How many people can play, both ends included."""

    least: Some
    most: Some


class Edition(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One edition. Every number that a document leaves open is a field here."""

    id: str
    version: int
    players: PlayerLimits
    roles: dict[int, dict[Role, Count]]
    laws: dict[Party, Some]
    fields: dict[Party, Some]
    drawn: Some
    reshuffle_below: Some
    failed_elections_until_chaos: Some
    danger_from: Count
    powers: dict[int, tuple[Power, ...]]
    names: dict[str, dict[str, dict[str, str]]]
    """Language -> thing -> form -> words."""

    def power_at(self, players: int, law: int) -> Power:
        """Return the power of fascist law number `law` (from 1) for the number of players at the start."""
        column = self.powers[players]
        return column[law - 1] if law <= len(column) else Power.NONE


def edition_from(data: object, file: str) -> Edition:
    """Return the checked edition. `data` is the content of `file`, as YAML gives it.

    Raise EditionError("edition-broken") with file, path, what is wrong and what is allowed.
    """
    edition = checked(data, Edition, file, EditionError, "edition-broken")
    _cross_check(edition, file)
    return edition


def _cross_check(edition: Edition, file: str) -> None:
    for path, problem, allowed in _faults(edition):
        raise EditionError("edition-broken", file=file, path=path, problem=problem, allowed=allowed)


def _faults(edition: Edition) -> Iterator[Fault]:
    """Yield what types cannot check: without these, no game could be played to its end."""
    yield from _party_faults(edition)
    limits = edition.players
    if limits.least > limits.most:
        yield "players", f"{limits.least} > {limits.most}", "least <= most"
    for count in range(limits.least, limits.most + 1):
        yield from _role_faults(edition, count)
        yield from _power_faults(edition, count)
    lowest, highest = edition.drawn, sum(edition.laws.values()) - sum(edition.fields.values()) + 2
    if not lowest <= edition.reshuffle_below <= highest:
        yield "reshuffle_below", str(edition.reshuffle_below), f"{lowest} ... {highest}"


def _party_faults(edition: Edition) -> Iterator[Fault]:
    for path, table in (("laws", edition.laws), ("fields", edition.fields)):
        yield from ((path, f"{party}?", ", ".join(Party)) for party in Party if party not in table)
    for party in Party:
        if edition.laws[party] < edition.fields[party]:
            yield f"laws.{party}", str(edition.laws[party]), f">= {edition.fields[party]}"


def _role_faults(edition: Edition, count: int) -> Iterator[Fault]:
    row = edition.roles.get(count)
    if row is None:
        yield "roles", f"{count}?", f"{count}: ..."
    elif row.get(Role.DICTATOR) != 1:
        yield f"roles.{count}", f"{Role.DICTATOR}: {row.get(Role.DICTATOR, 0)}", f"{Role.DICTATOR}: 1"
    elif sum(row.values()) != count:
        yield f"roles.{count}", str(sum(row.values())), str(count)


def _power_faults(edition: Edition, count: int) -> Iterator[Fault]:
    column = edition.powers.get(count)
    if column is None:
        yield "powers", f"{count}?", f"{count}: ..."
    elif len(column) >= edition.fields[Party.FASCIST]:
        yield f"powers.{count}", str(len(column)), f"< {edition.fields[Party.FASCIST]}"
