"""Data from a file, checked against a type: what is wrong, where, and what is allowed there."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeVar, get_args, get_origin

import msgspec
from msgspec import inspect

from gm_assistant.errors import GmError

_Checked = TypeVar("_Checked")


def checked(data: object, kind: type[_Checked], file: str, error: type[GmError], key: str) -> _Checked:
    """Return `data` as a `kind`. Raise `error(key)` with file, path, problem and allowed."""
    try:
        return msgspec.convert(data, kind)
    except msgspec.ValidationError as broken:
        path, place, problem = _culprit(data, kind, (), broken)
        allowed = ", ".join(_described(inspect.type_info(place)))
        raise error(key, file=file, path=".".join(path), problem=problem, allowed=allowed) from broken


def _culprit(
    data: object, kind: Any, path: tuple[str, ...], broken: msgspec.ValidationError
) -> tuple[tuple[str, ...], Any, str]:
    """Return the innermost place that does not fit, the type it should have, and what is wrong with it."""
    for name, value, inner in _parts(data, kind):
        deeper = path if name is None else (*path, name)
        try:
            msgspec.convert(value, inner)
        except msgspec.ValidationError as cause:
            return _culprit(value, inner, deeper, cause)
    return path, kind, str(broken).split(" - at ")[0]


def _parts(data: object, kind: Any) -> Iterator[tuple[str | None, object, Any]]:
    arguments = get_args(kind)
    if isinstance(data, dict) and isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        for field in msgspec.structs.fields(kind):
            if field.name in data:
                yield field.name, data[field.name], field.type
    elif isinstance(data, dict) and get_origin(kind) is dict:
        for key, value in data.items():
            yield None, key, arguments[0]
            yield str(key), value, arguments[1]
    elif isinstance(data, list) and get_origin(kind) is tuple:
        for place, value in enumerate(data, 1):
            yield str(place), value, arguments[0]


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
