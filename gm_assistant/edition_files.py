"""Edition files: where they are, what they take from each other, and every fault of one with its place."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import msgspec

from gm_assistant.checked import Flaw, flaws
from gm_assistant.data import LARGEST_FILE, DataError, load_marked
from gm_assistant.dialogue.wordings import normalized
from gm_assistant.errors import EditionError
from gm_assistant.rules.edition import CHECKS, Edition, Id

EXTENDS = "extends"
SUFFIXES = (".yaml", ".yml")
OWN = ("id", "version")
"""Keys that no file takes from another."""
_SHOWN = 80
"""So many characters of a value are shown."""


class EditionContent(Edition, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What can stand in an edition file. With `extends`, only what differs has to."""

    extends: Id | msgspec.UnsetType = msgspec.UNSET
    """The id of another edition: everything that does not stand here is taken from it."""


@dataclass(frozen=True)
class Place:
    """A line of a file."""

    file: str
    line: int


@dataclass(frozen=True)
class EditionFile:
    """The content of one file, before what it extends is looked at."""

    path: Path
    content: Mapping[Any, Any]
    lines: Mapping[str, int]

    @property
    def id(self) -> str:
        """Return the id of the edition; the name of its file if it has none."""
        own = self.content.get("id")
        return own if isinstance(own, str) else self.path.stem

    @property
    def extends(self) -> str | None:
        """Return the id of the edition that this one extends, None if it stands alone."""
        parent = self.content.get(EXTENDS)
        return parent if isinstance(parent, str) else None

    @property
    def places(self) -> dict[str, Place]:
        """Return file and line of each dotted path."""
        return {path: Place(str(self.path), line) for path, line in self.lines.items()}


class UnreadableKeyError(Exception):
    """A check asks for a key whose value cannot be read."""


class _Readable(SimpleNamespace):
    def __getattr__(self, name: str) -> object:
        raise UnreadableKeyError(name)


_FIELDS = msgspec.structs.fields(Edition)


@dataclass(frozen=True)
class MergedEdition:
    """An edition's whole content, its own and what it extends."""

    file: EditionFile
    content: Mapping[Any, Any]
    places: Mapping[str, Place]
    """File and line of each dotted path, wherever its value comes from."""

    @cached_property
    def readable(self) -> Edition:
        """What fits the types, whatever the rules say. Whoever asks it for another key gets UnreadableKeyError."""
        fits = {}
        for field in _FIELDS:
            if field.name in self.content:
                with suppress(msgspec.ValidationError):
                    fits[field.name] = msgspec.convert(self.content[field.name], field.type)
            elif not field.required:
                fits[field.name] = {} if field.default is msgspec.NODEFAULT else field.default
        return cast("Edition", _Readable(**fits))

    def fault(self, flaw: Flaw) -> EditionError:
        """Return the error for a flaw of the content: its key fits what is wrong."""
        facts = self._facts(flaw)
        if flaw.missing is not None:
            return EditionError("edition-missing-key", name=_short(_dotted(flaw.path, flaw.missing)), **facts)
        if flaw.unknown is not None:
            known = flaw.allowed if flaw.path else f"{flaw.allowed}, {EXTENDS}"
            return EditionError("edition-unknown-key", **{**facts, "allowed": _PLAINLY.get(known, known)})
        if flaw.value is None:
            return EditionError("edition-nothing-there", **{**facts, "problem": "-"})
        shown = {**facts, "problem": _shown(flaw.value)}
        if flaw.path == ("id",):
            return EditionError("edition-wrong-id", **{**shown, "allowed": "a-z, 0-9, _"})
        return EditionError("edition-wrong-value", **shown)

    def misfit(self, path: str, problem: str, allowed: str) -> EditionError:
        """Return the error for what the rules or a language find wrong: what is missing ends with a question mark."""
        way = tuple(path.split("."))
        if problem.endswith("?"):
            return self.fault(Flaw(way, None, problem, allowed, missing=problem.removesuffix("?")))
        key = "edition-roles-sum" if way[0] == "roles" and "=" in problem else "edition-misfit"
        return EditionError(key, **self._facts(Flaw(way, None, problem, allowed)))

    def _facts(self, flaw: Flaw) -> dict[str, Any]:
        path = _dotted(flaw.path, *([] if flaw.unknown is None else [flaw.unknown]))
        place = _nearest(self.places if flaw.missing is None else self.file.places, path)
        allowed = _PLAINLY.get(flaw.allowed, flaw.allowed)
        return _facts(place.file, place.line, path, flaw.problem, allowed)


_PLAINLY = {
    "bool": "true, false",
    "int": "1, 2, 3 ...",
    "str": '"..."',
    "[int]": "[1, 2, 3 ...]",
}
"""What is allowed, for people who do not know the names of types."""


def read_edition_file(path: Path) -> EditionFile:
    """Return the file in `path`. Raise EditionError if it cannot be read, or is no YAML with keys."""
    try:
        marked = load_marked(path)
    except DataError as broken:
        raise _unread(path, broken) from broken
    if not isinstance(marked.value, dict):
        facts = _facts(path, marked.lines[""], "", _shown(marked.value), ", ".join((*OWN, "...")))
        raise EditionError("edition-without-keys", **facts)
    return EditionFile(path, marked.value, marked.lines)


def _unread(path: Path, broken: DataError) -> EditionError:
    """Return the error for a file that is no YAML; for one that is no text; for one that cannot be read at all."""
    line, key, problem = broken.facts.get("line", 1), broken.facts.get("path", ""), broken.facts["problem"]
    if broken.key == "file-broken":
        facts = _facts(path, line, key, problem, "YAML")
        return EditionError("edition-no-yaml" if key else "edition-no-yaml-at-start", **facts)
    if "line" in broken.facts:
        facts = _facts(path, line, key, problem, f"UTF-8, <= {LARGEST_FILE} bytes")
        return EditionError("edition-no-text" if key else "edition-no-text-at-start", **facts)
    return EditionError("edition-unreadable", **_facts(path, line, key, problem, "YAML"))


def merged(file: EditionFile, others: Mapping[str, EditionFile]) -> MergedEdition:
    """Return `file` with everything that it takes from `others`, which stand by their ids.

    Mappings are merged key by key, everything else is replaced. Only id, version and its own name are never taken.
    Raise EditionError if it extends itself, or nothing that is there.
    """
    content: Any = {}
    places: dict[str, Place] = {}
    for one in reversed(_line_of(file, {file.id: file, **others})):
        inherited = {key: value for key, value in content.items() if key not in OWN}
        places = {path: place for path, place in places.items() if path not in OWN}
        content = _over(inherited, {key: value for key, value in one.content.items() if key != EXTENDS})
        places |= one.places
    return MergedEdition(file, _with_own_name(file, content), places)


def faults_in(edition: MergedEdition) -> list[EditionError]:
    """Return everything that is wrong with an edition, but for what the languages ask of its names."""
    found = [edition.fault(flaw) for flaw in (*flaws(edition.content, Edition), *_unprintable(edition.content))]
    readable = edition.readable
    for check in CHECKS:
        with suppress(UnreadableKeyError):
            found += [edition.misfit(*fault) for fault in check(readable)]
    return sorted(found, key=lambda fault: (fault.facts["file"] != str(edition.file.path), fault.facts["line"]))


def taken(file: EditionFile, other: EditionFile, known: Iterable[str]) -> EditionError:
    """Return the error for a file with the id of another one."""
    facts = _facts(file.path, file.lines.get("id", 1), "id", "", ", ".join(sorted(known)))
    return EditionError("edition-id-taken", edition=_short(file.id), **{**facts, "problem": str(other.path)})


def _line_of(file: EditionFile, known: Mapping[str, EditionFile]) -> list[EditionFile]:
    """Return the file, the one that it extends, the one that that extends, and so on."""
    line = [file]
    while EXTENDS in (last := line[-1]).content:
        parent = last.extends
        names = ", ".join(sorted(known.keys() - {last.id}))
        if parent is None or parent not in known:
            facts = _extends_facts(last, _shown(last.content[EXTENDS]), names)
            raise EditionError("edition-unknown-parent", **facts)
        if any(one is known[parent] for one in line):
            circle = " > ".join((*(one.id for one in line), parent))
            facts = _extends_facts(file if known[parent] is file else last, circle, names)
            raise EditionError("edition-cycle", **facts)
        line.append(known[parent])
    return line


def _with_own_name(file: EditionFile, content: dict[Any, Any]) -> dict[Any, Any]:
    """Return the content with a name of its own, not that of what it extends: without one, the id is the name."""
    names = content.get("names")
    if EXTENDS not in file.content or not isinstance(names, dict):
        return content
    called = {language: _called(file, language, things) for language, things in names.items()}
    return {**content, "names": called}


def _called(file: EditionFile, language: Any, things: Any) -> Any:
    if not isinstance(things, dict) or not isinstance(edition := things.get("edition"), dict):
        return things
    own = {form for form in edition if f"names.{language}.edition.{form}" in file.lines}
    name = edition["name"] if "name" in own else file.id.replace("_", " ").title()
    spoken = edition["spoken"] if "spoken" in own else normalized(str(name))
    return {**things, "edition": {**edition, "name": name, "spoken": spoken}}


def _extends_facts(file: EditionFile, problem: str, allowed: str) -> dict[str, Any]:
    return _facts(file.path, file.lines[EXTENDS], EXTENDS, problem, allowed)


def _facts(file: object, line: object, path: object, problem: object, allowed: object) -> dict[str, Any]:
    """Return the facts that come with every error of a file."""
    shown = {"path": _short(path), "problem": _short(problem), "allowed": _clean(allowed)}
    return {"file": str(file), "line": line, **shown}


def _over(inherited: Any, own: Any) -> Any:
    if not isinstance(inherited, dict) or not isinstance(own, dict):
        return own
    return {**inherited, **{key: _over(inherited.get(key), value) for key, value in own.items()}}


def _unprintable(content: object, path: tuple[str, ...] = ()) -> Iterator[Flaw]:
    """Yield texts with signs that a terminal would obey."""
    if isinstance(content, dict | list):
        parts = content.items() if isinstance(content, dict) else enumerate(content, 1)
        for key, value in parts:
            yield from _unprintable(value, (*path, str(key)))
    elif isinstance(content, str) and content != _clean(content):
        yield Flaw(path, content, content, '"..."')


def _dotted(path: tuple[str, ...], *more: str) -> str:
    return ".".join((*path, *more))


def _nearest(places: Mapping[str, Place], path: str) -> Place:
    while path not in places:
        path = path.rpartition(".")[0]
    return places[path]


def _shown(value: object) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    return _short(text)


def _short(text: object) -> str:
    clean = _clean(text)
    return clean if len(clean) <= _SHOWN else f"{clean[:_SHOWN]}..."


def _clean(text: object) -> str:
    return "".join(" " if unicodedata.category(sign) in ("Cc", "Cs") else sign for sign in str(text))
