"""Where the project's own data files are, and how any YAML file is read: as plain values, nothing executed."""

from __future__ import annotations

import re
import stat
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from gm_assistant.errors import GmError

_PACKAGE = Path(__file__).parent
LARGEST_FILE = 1_000_000
"""Bytes. No data file of ours comes near."""
LARGEST_CONTENT = 10_000
"""Values and keys. They cost far more time and memory than the bytes of a comment."""
DEEPEST = 40
"""Mappings and lists inside each other."""
LONGEST_NUMBER = 100
"""Characters of a value that is no text. Python takes ages for endless numbers in base 60."""


class DataError(GmError):
    """A data file cannot be read or is not well-formed YAML."""


@dataclass(frozen=True)
class Marked:
    """Plain values, and where they stand."""

    value: Any
    lines: Mapping[str, int]
    """Line, from 1, of each dotted path; items of a list count from 1. The path of everything is empty."""


def data_folder(name: str) -> Path:
    """Return the folder `configs` or `voices`: inside the installed package, else beside it in the repository."""
    installed = _PACKAGE / name
    return installed if installed.is_dir() else _PACKAGE.parent / name


def load_yaml(path: Path) -> Any:
    """Return the content of a YAML file as dicts, lists, strings, numbers and booleans.

    Raise DataError("file-unreadable") with file and problem, or DataError("file-broken") with line and path, too. So
    does the first for a file that can be read up to a place only. The path of a place before the first key is empty.
    """
    return parse_yaml(_text(path), str(path))


def load_marked(path: Path) -> Marked:
    """Return the content of a YAML file with its lines. Raise DataError as `load_yaml` does."""
    return parse_marked(_text(path), str(path))


def parse_yaml(text: str, file: str) -> Any:
    """Return the content of YAML text; `file` is named in errors. Raise DataError("file-broken")."""
    return _parsed(text, file, _StrictLoader.get_single_data)


def parse_marked(text: str, file: str) -> Marked:
    """Return the content of YAML text with its lines. Raise DataError("file-broken").

    A key is a whole number or the text that stands there, even if YAML would take it for a truth value or a date.
    """
    marked: Marked = _parsed(text, file, _StrictLoader.marked)
    return marked


def _text(path: Path) -> str:
    content = _content(path)
    if len(content) > LARGEST_FILE:
        raise _readable_to(path, content[:LARGEST_FILE].decode("utf-8", "replace"), f"> {LARGEST_FILE} bytes")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as broken:
        raise _readable_to(path, broken.object[: broken.start].decode(), "not UTF-8") from broken


def _content(path: Path) -> bytes:
    """Return what is in the file; of a file that is too large, one byte too many."""
    try:
        if stat.S_ISFIFO(path.stat().st_mode):  # it would be waited for
            raise DataError("file-unreadable", file=str(path), problem="FIFO")
        with path.open("rb") as file:
            return file.read(LARGEST_FILE + 1)
    except (OSError, ValueError) as broken:
        problem = (broken.strerror or "") if isinstance(broken, OSError) else str(broken)
        raise DataError("file-unreadable", file=str(path), problem=problem) from broken


def _readable_to(path: Path, text: str, problem: str) -> DataError:
    """Return the error for a file of which only the beginning, `text`, can be read."""
    place = {"line": text.count("\n") + 1, "path": _last_key(text)}
    return DataError("file-unreadable", file=str(path), problem=problem, **place)


def _last_key(text: str) -> str:
    """Return the dotted path of the last key that begins a line of YAML; empty if there is none.

    Lists do not count, and what stands in one line with a key belongs to it: the text may end anywhere.
    """
    way: list[tuple[int, str]] = []
    for line in text.removeprefix("\ufeff").split("\n"):
        before, colon, after = line.partition(":")
        key = before.lstrip(" -")
        if not colon or after[:1].strip() or not key.strip() or key[0] in "#{[":
            continue
        indent = len(before) - len(key)
        way = [(other, name) for other, name in way if other < indent]
        way.append((indent, key.strip().strip("'\"")[:LONGEST_NUMBER]))
    return ".".join(name for _, name in way)


def _parsed(text: str, file: str, read: Callable[[_StrictLoader], Any]) -> Any:
    try:
        loader = _StrictLoader(text)
    except yaml.reader.ReaderError as broken:
        before = text[: broken.position]
        place = {"line": before.count("\n") + 1, "path": _last_key(before)}
        raise DataError("file-broken", file=file, problem=broken.reason, **place) from broken
    try:
        return read(loader)
    except (yaml.YAMLError, ValueError) as broken:
        mark = getattr(broken, "problem_mark", None)
        line = mark.line + 1 if mark else loader.line + 1
        problem = (getattr(broken, "problem", None) or str(broken))[:LONGEST_NUMBER]
        raise DataError("file-broken", file=file, line=line, path=loader.path, problem=problem) from broken


class _StrictLoader(yaml.SafeLoader):
    """Plain values only: keys that stand twice or are lists, aliases and tags are errors, and so is too much of it."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self._place: list[str] = []
        self._before = ""
        self._keys: dict[int, set[str]] = {}
        self._size = 0

    @property
    def path(self) -> str:
        """The dotted path that is being read; between two keys at the top, that of the first one.

        After an error, where it is. Empty before the first key.
        """
        return ".".join(key[:LONGEST_NUMBER] for key in self._place) or self._before

    def marked(self) -> Marked:
        """Return the plain values with their lines."""
        node: Any = self.get_single_node()
        if node is None:
            return Marked(None, {"": 1})
        lines = {"": node.start_mark.line + 1}
        return Marked(self._plain(node, lines), lines)

    def compose_node(self, parent: Any, index: Any) -> Any:
        """Return the next node. `index` is the node of its key or its place in a list; keys have none."""
        if index is not None:
            self._place.append(index.value if isinstance(index, yaml.Node) else str(index + 1))
        event: Any = self.peek_event()  # type: ignore[no-untyped-call]
        self._admit(parent, index, event)
        node = super().compose_node(parent, index)
        if index is not None:
            self._before = self._place.pop()
        return node

    def construct_object(self, node: Any, deep: bool = False) -> Any:
        """Return the value of a node. Unlike PyYAML, tell the line of what is no number or date."""
        if not isinstance(node, yaml.ScalarNode):
            return super().construct_object(node, deep)
        if len(node.value) > LONGEST_NUMBER and node.tag != "tag:yaml.org,2002:str":
            raise _mistake(f"> {LONGEST_NUMBER} digits", node)
        try:
            node.value.encode()
            return super().construct_object(node, deep)
        except UnicodeError as broken:
            raise _mistake("special characters are not allowed", node) from broken
        except ValueError as broken:
            raise _mistake(str(broken), node) from broken

    def _admit(self, parent: Any, index: Any, event: Any) -> None:
        self._size += 1
        if isinstance(event, yaml.AliasEvent):
            raise _mistake("aliases are not allowed", event)
        if event.tag is not None:
            raise _mistake(f"tags are not allowed: {event.tag}", event)
        if index is None and parent is not None and not isinstance(event, yaml.ScalarEvent):
            raise _mistake("a key must be a plain word", event)
        if len(self._place) > DEEPEST:
            raise _mistake("nested too deeply", event)
        if self._size > LARGEST_CONTENT:
            raise _mistake(f"> {LARGEST_CONTENT} values", event)
        if isinstance(index, yaml.Node):
            seen = self._keys.setdefault(id(parent), set())
            if index.value in seen:
                raise _mistake(f"doubled key: {index.value[:LONGEST_NUMBER]}", index)
            seen.add(index.value)

    def _plain(self, node: Any, lines: dict[str, int]) -> Any:
        if isinstance(node, yaml.ScalarNode):
            return self.construct_object(node)
        parts = node.value if isinstance(node, yaml.MappingNode) else list(_numbered(node.value))
        content = {}
        for key, value in parts:
            self._place.append(key.value)
            lines[".".join(self._place)] = key.start_mark.line + 1
            content[int(key.value) if _NUMBER.fullmatch(key.value) else key.value] = self._plain(value, lines)
            self._place.pop()
        return content if isinstance(node, yaml.MappingNode) else list(content.values())


_NUMBER = re.compile("0|[1-9][0-9]{0,3}", re.ASCII)


def _numbered(items: list[yaml.Node]) -> Iterator[tuple[yaml.ScalarNode, yaml.Node]]:
    """Yield the items of a list as if it was a mapping from their places."""
    for place, item in enumerate(items, 1):
        yield yaml.ScalarNode("", str(place), item.start_mark), item


def _mistake(problem: str, place: Any) -> yaml.MarkedYAMLError:
    return yaml.MarkedYAMLError(problem=problem, problem_mark=place.start_mark)
