"""Where the project's own data files are, and how any YAML file is read: as plain values, nothing executed."""

from __future__ import annotations

from collections.abc import Hashable
from pathlib import Path
from typing import Any

import yaml

from gm_assistant.errors import GmError

_PACKAGE = Path(__file__).parent
LARGEST_FILE = 1_000_000
"""Bytes. No data file of ours comes near."""


class DataError(GmError):
    """A data file cannot be read or is not well-formed YAML."""


def data_folder(name: str) -> Path:
    """Return the folder `configs` or `voices`: inside the installed package, else beside it in the repository."""
    installed = _PACKAGE / name
    return installed if installed.is_dir() else _PACKAGE.parent / name


def load_yaml(path: Path) -> Any:
    """Return the content of a YAML file as dicts, lists, strings, numbers and booleans.

    Raise DataError("file-unreadable") or DataError("file-broken") with file, line and problem.
    """
    try:
        with path.open("rb") as file:
            content = file.read(LARGEST_FILE + 1)
        if len(content) > LARGEST_FILE:
            raise DataError("file-unreadable", file=str(path), problem=f"> {LARGEST_FILE} bytes")
        text = content.decode("utf-8-sig")
    except (OSError, UnicodeDecodeError) as broken:
        raise DataError("file-unreadable", file=str(path), problem=_reason(broken)) from broken
    return parse_yaml(text, str(path))


def parse_yaml(text: str, file: str) -> Any:
    """Return the content of YAML text; `file` is named in errors. Raise DataError("file-broken")."""
    try:
        return yaml.load(text, Loader=_StrictLoader)  # noqa: S506 - a SafeLoader that also refuses doubled keys
    except yaml.MarkedYAMLError as broken:
        line = broken.problem_mark.line + 1 if broken.problem_mark else 1
        raise DataError("file-broken", file=file, line=line, problem=broken.problem or "") from broken
    except yaml.reader.ReaderError as broken:
        line = text.count("\n", 0, broken.position) + 1
        raise DataError("file-broken", file=file, line=line, problem=broken.reason) from broken
    except RecursionError as broken:
        raise DataError("file-broken", file=file, line=1, problem="nested too deeply") from broken
    except (yaml.YAMLError, ValueError) as broken:
        raise DataError("file-broken", file=file, line=1, problem=str(broken)) from broken


def _reason(broken: OSError | UnicodeDecodeError) -> str:
    return broken.strerror or "" if isinstance(broken, OSError) else "not UTF-8"


class _StrictLoader(yaml.SafeLoader):
    """Plain values only: keys that stand twice or are lists, aliases and tags are errors."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Hashable, Any]:
        seen: set[object] = set()
        for key_node, _ in node.value:
            place: Any = key_node.start_mark  # PyYAML's own types do not fit together
            if not isinstance(key_node, yaml.ScalarNode):
                raise yaml.MarkedYAMLError(problem="a key must be a plain word", problem_mark=place)
            key = self.construct_object(key_node, deep=True)
            if key in seen:
                raise yaml.MarkedYAMLError(problem=f"doubled key: {key}", problem_mark=place)
            seen.add(key)
        return super().construct_mapping(node, deep)

    def compose_node(self, parent: Any, index: Any) -> Any:
        event: Any = self.peek_event()  # type: ignore[no-untyped-call]
        place: Any = event.start_mark
        if isinstance(event, yaml.AliasEvent):
            raise yaml.MarkedYAMLError(problem="aliases are not allowed", problem_mark=place)
        if event.tag is not None:
            raise yaml.MarkedYAMLError(problem=f"tags are not allowed: {event.tag}", problem_mark=place)
        return super().compose_node(parent, index)
