"""What is to be said, before it is words: a key of the phrases, and the facts that fill its gaps."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from gm_assistant.rules.model import Office, Party, Power, Role, Seat
from gm_assistant.rules.views import TableView


@dataclass(frozen=True, slots=True)
class Person:
    """A player by name."""

    name: str


@dataclass(frozen=True, slots=True)
class Place:
    """A player by name and seat, as whoever cannot look around needs it."""

    name: str
    seat: Seat


@dataclass(frozen=True, slots=True)
class Term:
    """A thing that every edition names in its own way; the phrase chooses the form."""

    name: str


Fact = int | str | datetime | Person | Place | tuple[Person, ...] | tuple[Place, ...] | Term


@dataclass(frozen=True)
class Message:
    """One sentence or two that belong together."""

    key: str
    facts: Mapping[str, Fact] = field(default_factory=dict)


Messages = tuple[Message, ...]


@dataclass(frozen=True)
class HeadsetMessage:
    """What only the headset may hear. It is no Message: nothing that speaks at the table takes it."""

    key: str
    facts: Mapping[str, Fact] = field(default_factory=dict, repr=False)


HeadsetMessages = tuple[HeadsetMessage, ...]


def message(key: str, view: TableView, **facts: object) -> Message:
    """Return a message whose seats became people and whose ids became terms of the edition."""
    return Message(key, {name: _fact(view, name, value) for name, value in facts.items()})


def people(view: TableView, seats: Iterable[Seat]) -> tuple[Person, ...]:
    """Return the players on `seats`."""
    return tuple(Person(view.name(seat)) for seat in seats)


_SEATS = frozenset({"player", "president", "chancellor", "candidate", "next"})


def _fact(view: TableView, name: str, value: object) -> Fact:
    match value:
        case int() if name in _SEATS:
            return Person(view.name(value))
        case tuple() if name == "players":
            return people(view, value)
        case Party() | Power() | Role() | Office():
            return Term(value.value)
        case int() | str() | Person() | Term():
            return value
        case _:
            return str(value)
