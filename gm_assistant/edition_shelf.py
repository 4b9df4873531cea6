"""Which edition files there are: those that come with the program, and the user's own."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from gm_assistant.edition_files import SUFFIXES, EditionFile, read_edition_file, taken
from gm_assistant.errors import EditionError, GmError


@dataclass(frozen=True)
class LeftOut:
    """A broken file."""

    path: Path
    id: str
    error: GmError

    @property
    def notice(self) -> EditionError:
        """What a table is told that wants to play another edition."""
        return EditionError("edition-left-out", file=self.path.name, path=str(self.path))


@dataclass(frozen=True)
class Shelf:
    """All edition files that can be told apart by their ids."""

    files: Mapping[str, EditionFile]
    """By id, in the order in which they were found."""
    shipped: frozenset[str]
    """The ids of those that come with the program."""
    broken: tuple[GmError, ...]
    """What is wrong with others that come with the program."""
    left_out: tuple[LeftOut, ...]
    """Others of the user's."""

    def same(self, path: Path) -> EditionFile | None:
        """Return the file in `path`, however it is written; None if it is not here."""
        return next((file for file in self.files.values() if same_file(file.path, path)), None)

    def rival(self, file: EditionFile) -> EditionError | None:
        """Return the error for a file whose id another one has; None if it is free."""
        other = self.files.get(file.id)
        return None if other is None or same_file(other.path, file.path) else taken(file, other, self.files)


def shelved(shipped: Path, users: Path | None = None, extra: Path | None = None) -> Shelf:
    """Return the edition files in two folders, and the file `extra`. What is wrong with their content comes later."""
    shelf = _filled(Shelf({}, frozenset(), (), ()), edition_files(shipped))
    shelf = Shelf(shelf.files, frozenset(shelf.files), tuple(one.error for one in shelf.left_out), ())
    paths = edition_files(users) if users else []
    if extra is not None and not any(same_file(extra, path) for path in paths):
        paths.append(extra)
    return _filled(shelf, paths)


def _filled(shelf: Shelf, paths: list[Path]) -> Shelf:
    """Return the shelf with some more files."""
    for path in paths:
        files, left_out = dict(shelf.files), list(shelf.left_out)
        try:
            file = read_edition_file(path)
        except GmError as error:
            left_out.append(LeftOut(path, path.stem, error))
        else:
            if rival := shelf.rival(file):
                left_out.append(LeftOut(path, file.id, rival))
            files.setdefault(file.id, file)
        shelf = Shelf(files, shelf.shipped, shelf.broken, tuple(left_out))
    return shelf


def edition_files(folder: Path) -> list[Path]:
    """Return the paths of the edition files in `folder`, by name; none if there is no such folder."""
    with suppress(OSError):
        return sorted(path for path in folder.iterdir() if path.suffix.lower() in SUFFIXES)
    return []


def is_file_name(text: str) -> bool:
    """Return whether somebody who was to name an edition has named a file."""
    with suppress(OSError, ValueError):
        if Path(text).is_file():
            return True
    return text.lower().endswith(SUFFIXES) or any(sign in text for sign in (os.sep, os.altsep) if sign)


def same_file(one: Path, other: Path) -> bool:
    """Return whether two paths lead to the same file."""
    with suppress(OSError, ValueError):
        return one.samefile(other)
    return one == other
