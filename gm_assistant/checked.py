"""Data from a file, checked against a type: what is wrong, where, and what is allowed there."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, TypeVar, get_args, get_origin

import msgspec
from msgspec import inspect

from gm_assistant.errors import GmError

_Checked = TypeVar("_Checked")
_Path = tuple[str, ...]


@dataclass(frozen=True)
class Flaw:
    """One place where data does not fit its type."""

    path: _Path
    """Keys on the way to what does not fit; for a key, to what it stands in, or should."""
    value: object
    problem: str
    allowed: str
    missing: str | None = None
    """The key that is not there."""
    unknown: str | None = None
    """The key that nothing is known about."""


def checked(data: object, kind: type[_Checked], file: str, error: type[GmError], key: str) -> _Checked:
    """Return `data` as a `kind`. Raise `error(key)` with file, path, problem and allowed."""
    try:
        return msgspec.convert(data, kind)
    except msgspec.ValidationError as broken:
        flaw = next(flaws(data, kind))
        raise error(key, file=file, path=".".join(flaw.path), problem=flaw.problem, allowed=flaw.allowed) from broken


def flaws(data: object, kind: Any, path: _Path = ()) -> Iterator[Flaw]:
    """Yield everything in `data` that keeps it from being a `kind`, the innermost places first."""
    try:
        msgspec.convert(data, kind)
    except msgspec.ValidationError as broken:
        inner = [flaw for part in _parts(data, kind) for flaw in flaws(part[1], part[2], (*path, part[0]))]
        found = [*inner, *_key_flaws(data, kind, path)]
        yield from found or [Flaw(path, data, str(broken).split(" - at ")[0], _allowed(kind))]


def _parts(data: object, kind: Any) -> Iterator[tuple[str, object, Any]]:
    """Yield name, value and type of everything that `data` holds as a `kind`."""
    arguments = get_args(kind)
    if isinstance(data, dict) and _is_struct(kind):
        for field in msgspec.structs.fields(kind):
            if field.name in data:
                yield field.name, data[field.name], field.type
    elif isinstance(data, dict) and get_origin(kind) is dict:
        yield from ((str(key), value, arguments[1]) for key, value in data.items() if _fits(key, arguments[0]))
    elif isinstance(data, list) and get_origin(kind) is tuple:
        yield from ((str(place), value, arguments[0]) for place, value in enumerate(data, 1))


def _key_flaws(data: object, kind: Any, path: _Path) -> Iterator[Flaw]:
    if isinstance(data, dict) and _is_struct(kind):
        fields, known = {field.name: field for field in msgspec.structs.fields(kind)}, _allowed(kind)
        for key in data:
            if key not in fields:
                yield Flaw(path, data, f"Object contains unknown field `{key}`", known, unknown=str(key))
        for name, field in fields.items():
            if field.required and name not in data:
                yield Flaw(path, data, f"Object missing required field `{name}`", _allowed(field.type), missing=name)
    elif isinstance(data, dict) and get_origin(kind) is dict:
        for key in data:
            for flaw in flaws(key, get_args(kind)[0], path):
                yield Flaw(path, key, flaw.problem, flaw.allowed, unknown=str(key))


def _fits(value: object, kind: Any) -> bool:
    return not any(flaws(value, kind))


def _is_struct(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, msgspec.Struct)


def _allowed(kind: Any) -> str:
    return ", ".join(_described(inspect.type_info(kind)))


def _described(place: inspect.Type) -> list[str]:
    match place:
        case inspect.StructType(fields=fields):
            return [field.encode_name for field in fields]
        case inspect.EnumType(cls=values):
            return [str(value.value) for value in values]
        case inspect.IntType(ge=int(lowest), le=int(highest)) | inspect.FloatType(ge=lowest, le=highest) if highest:
            return [f"{lowest} ... {highest}"]
        case inspect.DictType(key_type=keys, value_type=inner):
            return [f"{' | '.join(_described(keys))}: {' | '.join(_described(inner))}"]
        case inspect.VarTupleType(item_type=inner):
            return [f"[{' | '.join(_described(inner))}]"]
        case inspect.UnionType(types=kinds):
            return [text for kind in kinds for text in _described(kind)]
        case _:
            return [type(place).__name__.removesuffix("Type").lower()]
