"""Games on disk: one file a game, one line an entry, nothing ever removed. On disk before it is believed.

Entries with secret events are sealed. That is no encryption, for what opens them lies beside them: it keeps a leader,
or a screen reader, that looks into the folder from learning a role by accident. Who wants to cheat can.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import msgspec

from gm_assistant.errors import JournalError
from gm_assistant.private import make_private_file, make_private_folder, private_opener
from gm_assistant.rules.events import SECRET_EVENTS, GameStarted
from gm_assistant.rules.history import Entry, Recorded


class Heading(msgspec.Struct, frozen=True, tag_field="entry", tag=True):
    """The first line of a game's file."""

    journal: int
    language: str


class Sealed(msgspec.Struct, frozen=True, tag_field="entry", tag=True):
    """An entry that nobody should read by accident: its line, each byte combined with one of `pad` (exclusive or)."""

    content: bytes
    pad: bytes


@dataclass(frozen=True)
class SavedGame:
    """A game as it stands in its file. `began` is local time."""

    path: Path
    began: datetime
    language: str
    entries: tuple[Entry, ...]

    @property
    def started(self) -> GameStarted:
        """The first event: edition, version and players."""
        return _started(self.entries, self.path)


class Journal:
    """Appends to the file of one game."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._size: int | None = None

    @property
    def path(self) -> Path:
        """The file."""
        return self._path

    def append(self, *entries: Entry | Heading) -> None:
        """Write entries through to the disk, all or none.

        Raise JournalError("journal-unwritable"), or ("journal-in-use") if another program has written to the file.
        """
        lines = b"".join(msgspec.json.encode(_sealed(entry)) + b"\n" for entry in entries)
        try:
            # Unbuffered: what the disk refused must not be tried again when the file is closed.
            with open(self._path, "ab", buffering=0, opener=private_opener) as file:
                before = file.tell()
                if self._size not in (None, before):
                    raise JournalError("journal-in-use", path=str(self._path))
                try:
                    while lines:
                        lines = lines[file.write(lines) :]
                    os.fsync(file.fileno())
                    self._size = file.tell()
                except OSError:
                    os.truncate(self._path, before)
                    raise
        except OSError as broken:
            raise JournalError("journal-unwritable", path=str(self._path)) from broken

    def erase(self) -> None:
        """Delete the file. Raise JournalError("journal-undeletable"): then it is still there, and the game can go on.

        Copies that a file system or a disk keeps by itself are out of reach of a program.
        """
        try:
            self._path.unlink()
        except OSError as broken:
            raise JournalError("journal-undeletable", path=str(self._path)) from broken


class Journals:
    """All saved games, in one folder that only its owner may read."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def create(self, language: str, now: datetime) -> Journal:
        """Return the journal of a new game. Raise JournalError("journal-unwritable")."""
        try:
            make_private_folder(self._folder)
            journal = Journal(self._new_file(now))
        except OSError as broken:
            raise JournalError("journal-unwritable", path=str(self._folder)) from broken
        journal.append(Heading(journal=1, language=language))
        return journal

    def reopen(self, game: SavedGame) -> Journal:
        """Return the journal of a saved game, ready to go on. Raise JournalError("journal-unwritable")."""
        try:
            whole = game.path.read_bytes().rfind(b"\n") + 1
            os.truncate(game.path, whole)
            make_private_folder(game.path.parent)
            make_private_file(game.path)
        except OSError as broken:
            raise JournalError("journal-unwritable", path=str(game.path)) from broken
        return Journal(game.path)

    def saved(self) -> Iterator[SavedGame]:
        """Yield the games, the newest first; files in which no game began are passed over.

        Raise JournalError("journal-broken") at a game that cannot be read: an older one is not the one that was meant.
        """
        for path in sorted(self._folder.glob("*.jsonl"), reverse=True):
            if _began(path) is not None and len(_lines(path)) > 1:
                yield load(path)

    def _new_file(self, now: datetime) -> Path:
        """Return a new, empty file of our own, even if another game begins in the same second."""
        stem = now.strftime("%Y-%m-%d_%H-%M-%S")
        for number in range(99):
            with suppress(FileExistsError):
                return _created(self._folder / f"{stem}_{number:02}.jsonl")
        return _created(self._folder / f"{stem}_99.jsonl")


def load(path: Path) -> SavedGame:
    """Return the game in `path`; a last line that a power cut left half written is dropped.

    Raise JournalError("journal-broken") with path and line.
    """
    read = tuple(_decoded(path, number, line) for number, line in enumerate(_lines(path), 1))
    began = _began(path)
    if not read or not isinstance(read[0], Heading) or began is None:
        raise JournalError("journal-broken", path=str(path), line=1)
    entries = tuple(entry for entry in read[1:] if not isinstance(entry, Heading))
    _started(entries, path)
    return SavedGame(path, began, read[0].language, entries)


def _lines(path: Path) -> list[bytes]:
    """Return the whole lines."""
    try:
        return path.read_bytes().split(b"\n")[:-1]
    except OSError as broken:
        raise JournalError("journal-broken", path=str(path), line=1) from broken


def _began(path: Path) -> datetime | None:
    """Return the time in a file's name, None if it is not the name of a game."""
    with suppress(ValueError, OverflowError, OSError):
        return datetime.strptime(path.stem[:19], "%Y-%m-%d_%H-%M-%S").astimezone()
    return None


def _decoded(path: Path, number: int, line: bytes) -> Entry | Heading:
    try:
        entry = _DECODER.decode(line)
        return _unsealed(entry) if isinstance(entry, Sealed) else entry
    except (msgspec.DecodeError, ValueError) as broken:
        raise JournalError("journal-broken", path=str(path), line=number) from broken


def _started(entries: tuple[Entry, ...], path: Path) -> GameStarted:
    first = entries[0] if entries else None
    if isinstance(first, Recorded) and first.events and isinstance(first.events[0], GameStarted):
        return first.events[0]
    raise JournalError("journal-broken", path=str(path), line=2)


def _sealed(entry: Entry | Heading) -> Entry | Heading | Sealed:
    """Return `entry`, sealed if it holds something secret. Sealed lines of one kind are equally long."""
    if not isinstance(entry, Recorded) or not any(isinstance(event, SECRET_EVENTS) for event in entry.events):
        return entry
    line = msgspec.json.encode(entry)
    line += b" " * (-len(line) % _SEALED_STEP)
    pad = secrets.token_bytes(len(line))
    return Sealed(_combined(line, pad), pad)


def _unsealed(entry: Sealed) -> Recorded:
    """Return what was sealed. Raise ValueError or msgspec.DecodeError if it is broken."""
    return _RECORDED.decode(_combined(entry.content, entry.pad))


def _combined(one: bytes, other: bytes) -> bytes:
    return bytes(left ^ right for left, right in zip(one, other, strict=True))


def _created(path: Path) -> Path:
    with open(path, "xb", opener=private_opener):
        return path


_SEALED_STEP = 64
"""Bytes to whose multiple a line is filled with blanks before it is sealed: yes is as long as no."""
_DECODER: msgspec.json.Decoder[Entry | Heading | Sealed] = msgspec.json.Decoder(Entry | Heading | Sealed)
_RECORDED = msgspec.json.Decoder(Recorded)
