"""What is known about players' names beside their spelling: how the voice says them and what the recogniser hears."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from gm_assistant.dialogue.hearing import Hearing, Unheard
from gm_assistant.dialogue.messages import Message, Messages, Person
from gm_assistant.dialogue.numerals import number_words
from gm_assistant.dialogue.wordings import normalized
from gm_assistant.rules.model import Seat
from gm_assistant.settings import NameSettings, Settings, chosen_names

LONGEST_NUMBER = 9
"""Digits that are said as a number; nobody says more."""

_NUMBER = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class Note:
    """What somebody has chosen for one name."""

    said: str = ""
    """How the voice shall spell it to itself; "": as it is written."""
    heard: str | None = None
    """The word that the recogniser listens for as well; "": none, by seat only. None: nobody was asked."""


Notes = Mapping[str, Note]
"""By name."""

Hears = Callable[[tuple[str, ...], str], Hearing]
"""Gives what the recogniser of a language makes of names."""


def _nothing_to_keep(_: Notes) -> None:
    return


class Names:
    """The notes of one evening, and what the recogniser makes of the names. Changes are kept for the next evening."""

    def __init__(self, notes: Notes = {}, keep: Callable[[Notes], None] = _nothing_to_keep) -> None:  # noqa: B006 - read only
        """`keep` is given all notes after each change; it may raise GmError, and then the change holds all the same."""
        self._notes = dict(notes)
        self._keep = keep
        self._known: dict[tuple[tuple[str, ...], str], Hearing] = {}
        self.hears: Hears | None = None
        """What asks the recogniser; None without one."""

    def hearing(self, players: tuple[str, ...], language: str) -> Hearing:
        """Return what the recogniser makes of the players' names, but for those about which somebody has decided."""
        if self.hears is None:
            return Hearing()
        if (players, language) not in self._known:
            self._known[players, language] = self.hears(players, language)
        found = self._known[players, language]
        return replace(found, unheard=tuple(filter(self._is_open, found.unheard)))

    def wordings(self, players: tuple[str, ...], language: str) -> dict[str, Seat]:
        """Return what players can be called besides their names and seats -> seat.

        That is the word that was chosen for a name, how the voice says it, and a name with its digits as words.
        """
        return {
            wording: seat
            for seat, name in enumerate(players, 1)
            for text in (*self._chosen(name), _without_digits(name, language))
            if (wording := normalized(text)) and wording != normalized(name)
        }

    def lost(self, players: tuple[str, ...], unknown: frozenset[str], language: str) -> Messages:
        """Return which players the recogniser cannot hear by any name, if it does not know the words `unknown`.

        Whoever has chosen the seat only is not told so again. Nothing if there is nobody.
        """
        called = {seat for text, seat in self.wordings(players, language).items() if unknown.isdisjoint(text.split())}
        lost = tuple(
            Person(name)
            for seat, name in enumerate(players, 1)
            if not unknown.isdisjoint(normalized(name).split())
            and seat not in called
            and self._notes.get(name, Note()).heard != ""
        )
        return (Message("names-cannot-be-heard", {"names": lost}),) if lost else ()

    def respelled(self, text: str) -> str:
        """Return `text` for the voice: with each name spelled as somebody wants to hear it."""
        said = {name: note.said for name, note in self._notes.items() if note.said}
        if not said:
            return text
        longest_first = "|".join(map(re.escape, sorted(said, key=len, reverse=True)))
        return re.sub(rf"(?<!\w)({longest_first})(?!\w)", lambda found: said[found[1]], text)

    def remember(self, notes: Notes, keep: Callable[[Notes], None]) -> None:
        """Begin with the notes of other evenings; `keep` as for the constructor."""
        self._notes, self._keep = dict(notes), keep

    @property
    def respellings(self) -> frozenset[tuple[str, str]]:
        """Every name that is said in another way than it is written, with that way."""
        return frozenset((name, note.said) for name, note in self._notes.items() if note.said)

    def pronounce(self, name: str, spelling: str) -> None:
        """Let the voice say `name` as `spelling` is read; "" as it is written. Raise what `keep` raises."""
        self._note(name, replace(self._notes.get(name, Note()), said=spelling if spelling != name else ""))

    def listen_for(self, name: str, word: str) -> None:
        """Let the recogniser listen for `word` instead of `name`; "" for the seat only. Raise what `keep` raises."""
        self._note(name, replace(self._notes.get(name, Note()), heard=word))

    def _note(self, name: str, note: Note) -> None:
        notes = {**self._notes, name: note}
        self._notes = {name: note for name, note in notes.items() if note != Note()}
        self._keep(self._notes)

    def _chosen(self, name: str) -> tuple[str, ...]:
        note = self._notes.get(name, Note())
        return note.heard or "", note.said

    def _is_open(self, unheard: Unheard) -> bool:
        return self._notes.get(unheard.name, Note()).heard is None


def _without_digits(name: str, language: str) -> str:
    """Return a name as a recogniser can hear it: "R2" -> "R two"."""
    return _NUMBER.sub(lambda digits: f" {number_words(language, int(digits[0][:LONGEST_NUMBER]))[0]} ", name)


def remember(names: Names, settings: Settings, file: Path) -> None:
    """Begin with what `settings` know about names; changes are written to the settings `file`."""
    notes = {name: Note(one.said, one.heard) for name, one in settings.names.items()}

    def keep(changed: Notes) -> None:
        chosen_names(file, {name: NameSettings(note.said, note.heard) for name, note in changed.items()})

    names.remember(notes, keep)
