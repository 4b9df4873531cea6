"""The JSON Schema of edition files, made of the same definitions that check them: editors help with it."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator
from contextlib import suppress
from itertools import pairwise
from typing import Any, get_args

import msgspec

from gm_assistant.edition_files import OWN, EditionContent
from gm_assistant.rules import edition

_COUNT = "^[1-9][0-9]?$"
"""A number of players, as a key."""


def edition_schema() -> dict[str, Any]:
    """Return the schema. Whether an edition can be played is checked by the program only."""
    schema = msgspec.json.decode(msgspec.json.encode(msgspec.json.schema(EditionContent)))
    for name, definition in schema["$defs"].items():
        _describe(definition, getattr(edition, name, EditionContent))
    whole = schema["$defs"][EditionContent.__name__]
    for field in msgspec.structs.fields(EditionContent):
        if get_args(field.type)[:1] == (int,) and "additionalProperties" in (table := whole["properties"][field.name]):
            table["patternProperties"] = {_COUNT: table.pop("additionalProperties")}
            table["additionalProperties"] = False
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}


def _describe(definition: dict[str, Any], kind: type) -> None:
    """Put in what the docstrings tell, and leave open what another edition can give."""
    notes = dict(_notes(kind))
    for name, field in definition.get("properties", {}).items():
        if name in notes:
            field["description"] = notes[name]
    needed = definition.pop("required", [])
    if kind is EditionContent:
        definition |= {"if": {"required": ["extends"]}, "then": {"required": [*OWN]}, "else": {"required": needed}}
    elif "enum" in definition and notes:
        told = (f"{name.lower()}: {note}" for name, note in notes.items())
        definition["description"] = " ".join((definition["description"], *told))


def _notes(kind: type) -> Iterator[tuple[str, str]]:
    """Yield each name in a class that a docstring follows, with its text; nothing if the source is not there."""
    for one in reversed(kind.__mro__):
        if not one.__module__.startswith(__package__):
            continue
        with suppress(OSError, TypeError, SyntaxError, ValueError):
            (body,) = ast.parse(inspect.getsource(one)).body
            for statement, note in pairwise(getattr(body, "body", ())):
                target = getattr(statement, "target", None) or next(iter(getattr(statement, "targets", ())), None)
                text = ast.literal_eval(note.value) if isinstance(note, ast.Expr) else None
                if isinstance(target, ast.Name) and isinstance(text, str):
                    yield target.id, text
