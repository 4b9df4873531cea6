"""An edition: the numbers, powers, limits and names of one printing of the game, read from `configs/`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

import msgspec

from gm_assistant.checked import checked
from gm_assistant.errors import EditionError
from gm_assistant.rules.model import Party, Power, Role

Count = Annotated[int, msgspec.Meta(ge=0, le=99)]
Some = Annotated[int, msgspec.Meta(ge=1, le=99)]


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
    limits = edition.players
    if limits.least > limits.most:
        raise _broken(file, "players", f"{limits.least} > {limits.most}", "least <= most")
    for count in range(limits.least, limits.most + 1):
        _check_row(edition.roles, count, "roles", file)
        _check_row(edition.powers, count, "powers", file)
        if (total := sum(edition.roles[count].values())) != count:
            raise _broken(file, f"roles.{count}", str(total), str(count))
        if (used := len(edition.powers[count])) >= edition.fields[Party.FASCIST]:
            raise _broken(file, f"powers.{count}", str(used), f"< {edition.fields[Party.FASCIST]}")


def _check_row(table: Mapping[int, Any], count: int, path: str, file: str) -> None:
    if count not in table:
        raise _broken(file, path, f"{count}?", f"{count}: ...")


def _broken(file: str, path: str, problem: str, allowed: str) -> EditionError:
    return EditionError("edition-broken", file=file, path=path, problem=problem, allowed=allowed)
