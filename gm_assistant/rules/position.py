"""A whole position as one line of text, and back: for logs, bug reports and tests (as FEN does it for chess).

The line begins with the edition's id and version. `name=value` parts follow: the state, without what is as it was at
the start, and then the rules of this game, so that a house rule travels along and no file is needed to read the line.
`-` is nothing. Values in a part are separated by `,`, values in those by `:`, and values in those by `.`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from enum import Enum
from functools import cache
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints
from urllib.parse import unquote_to_bytes

from msgspec import Struct, ValidationError, convert, to_builtins
from msgspec.structs import replace

from gm_assistant.errors import RuleViolation
from gm_assistant.rules import model
from gm_assistant.rules.consistency import contradiction
from gm_assistant.rules.edition import Edition, PlayerLimits, Rules, faults
from gm_assistant.rules.model import GameState

_SEPARATORS = ",:."
_NOTHING = "-"
_TRUTHS = {True: "yes", False: "no"}
_RULES = "rules."
_HEADING = (f"{_RULES}edition", f"{_RULES}version")
_NUMBER = re.compile("0|[1-9][0-9]{0,5}")
_WORDS = re.compile(rf"(?!-$)(?:[^\s%={_SEPARATORS}]|%[0-9A-Fa-f]{{2}})+")
_SECRETS = ("roles=", "phase=SecretElection")
_LIMITS = get_type_hints(Rules, include_extras=True)
_MOST = 99
"""Values in one part; no rule allows more."""
_LONGEST = 60


def position(state: GameState, secrets: bool = False) -> str:
    """Return `state` as one line. Roles and the votes of a secret ballot are left out unless `secrets`."""
    rules, known = state.rules, _defaults(GameState)
    values = _values(state if secrets else without_secrets(state))
    parts = [f"{name}={_text(kind, value, 0)}" for name, kind, value in values[1:] if value != known.get(name, ...)]
    numbers = [(f"{_RULES}{name}", _text(kind, value, 0)) for name, kind, value in _values(rules)]
    lasting = [f"{name}={text}" for name, text in numbers if name not in _HEADING]
    return " ".join([f"{rules.edition}/{rules.version}", *parts, *lasting])


def parse_position(text: str) -> GameState:
    """Return the state that `position` made into `text`.

    Raise RuleViolation("position-broken") with the first part that cannot be read or contradicts the others, also if
    nobody is to do anything in that state and the game is not over.
    """
    parts = _parts(text)
    rules = Rules(**{name: _rule(name, parts) for name in Rules.__struct_fields__})
    for path, _, _ in faults(_edition(rules)):
        raise _broken(parts, _RULES + path.partition(".")[0])
    known = _defaults(GameState)
    given = [name for name in GameState.__struct_fields__[1:] if name in parts or name not in known]
    state = GameState(rules, **{name: _field(GameState, name, name, parts) for name in given})
    name = contradiction(state)
    if name is not None:
        raise _broken(parts, name)
    return state


def without_secrets(state: GameState) -> GameState:
    """Return `state` as if nobody had told the roles, or voted yet in the secret ballot that is going on."""
    phase = state.phase
    hidden = model.SecretElection(phase.candidate) if isinstance(phase, model.SecretElection) else phase
    return replace(state, roles=None, phase=hidden)


@cache
def _kinds(struct: type[Struct]) -> dict[str, Any]:
    """Return the type of every field."""
    hints = get_type_hints(struct, localns={"Rules": Rules})
    return {name: hints[name] for name in struct.__struct_fields__}


@cache
def _defaults(struct: type[Struct]) -> dict[str, object]:
    fields, defaults = struct.__struct_fields__, struct.__struct_defaults__
    return dict(zip(fields[len(fields) - len(defaults) :], defaults, strict=True))


def _values(struct: Struct) -> list[tuple[str, Any, Any]]:
    return [(name, kind, getattr(struct, name)) for name, kind in _kinds(type(struct)).items()]


def _text(kind: Any, value: Any, depth: int) -> str:
    """Return the text of a value of the type `kind`; what is in it is separated by the sign for `depth`."""
    if value is None:
        return _NOTHING
    if isinstance(value, bool):
        return _TRUTHS[value]
    if isinstance(value, Enum):
        return str(value.value)
    if isinstance(value, int):
        return str(value)
    if isinstance(value, str):
        return "".join(map(_readable, value)) if value != _NOTHING else _escaped(value)
    return _SEPARATORS[depth].join(_inner(kind, value, depth + 1)) or _NOTHING


def _inner(kind: Any, value: Any, depth: int) -> list[str]:
    if isinstance(value, Struct):
        name = [type(value).__name__] if len(_structs(kind)) > 1 else []
        return name + [_text(inner, part, depth) for _, inner, part in _values(value)]
    members = sorted(value) if isinstance(value, frozenset) else value
    return [_text(inner, part, depth) for inner, part in zip(_members(kind, len(members)), members, strict=True)]


def _readable(sign: str) -> str:
    return sign if sign.isprintable() and _WORDS.match(f"{sign}_") else _escaped(sign)


def _escaped(sign: str) -> str:
    return "".join(f"%{byte:02X}" for byte in sign.encode(errors="surrogatepass"))


def _broken(parts: dict[str, str], name: str) -> RuleViolation:
    if name in _HEADING:
        return _refused("/".join(parts[half] for half in _HEADING))
    return _refused(f"{name}={parts[name]}" if name in parts else name)


def _refused(part: str) -> RuleViolation:
    """Return the error with the part, but without what is secret in it."""
    hidden = next((secret for secret in _SECRETS if part.startswith(secret)), part)
    return RuleViolation("position-broken", part=hidden[:_LONGEST])


def _parts(text: str) -> dict[str, str]:
    """Return the text of every part by its name; the heading counts as two."""
    heading, *rest = text.split() or [""]
    edition, slash, version = heading.partition("/")
    if not slash:
        raise _refused(heading)
    parts = dict(zip(_HEADING, (edition, version), strict=True))
    known = {*GameState.__struct_fields__[1:], *(_RULES + name for name in Rules.__struct_fields__)}
    for part in rest:
        name, sign, value = part.partition("=")
        if not sign or name not in known or name in parts:
            raise _refused(part)
        parts[name] = value
    return parts


def _field(struct: type[Struct], field: str, name: str, parts: dict[str, str]) -> Any:
    try:
        return _value(_kinds(struct)[field], parts[name], 0)
    except (KeyError, ValueError):
        raise _broken(parts, name) from None


def _rule(field: str, parts: dict[str, str]) -> Any:
    """Return one of the rules, within the limits that an edition has for it."""
    value = _field(Rules, field, _RULES + field, parts)
    try:
        return convert(to_builtins(value), _LIMITS[field])
    except ValidationError:
        raise _broken(parts, _RULES + field) from None


def _value(kind: Any, text: str, depth: int) -> Any:
    """Return what `_text` made into `text`. Raise ValueError, or KeyError for an unknown name."""
    kinds = get_args(kind) if get_origin(kind) in (Union, UnionType) else (kind,)
    if NoneType in kinds and text == _NOTHING:
        return None
    if len(structs := _structs(kind)) > 1:
        name, *texts = text.split(_SEPARATORS[depth])
        return _struct({struct.__name__: struct for struct in structs}[name], texts, depth + 1)
    (kind,) = (kind for kind in kinds if kind is not NoneType)
    return _single(kind, text) if isinstance(kind, type) and kind in _SINGLE else _compound(kind, text, depth)


def _compound(kind: Any, text: str, depth: int) -> Any:
    texts = [] if text == _NOTHING else text.split(_SEPARATORS[depth], _MOST)
    if not (container := get_origin(kind)):
        return kind(text) if issubclass(kind, Enum) else _struct(kind, texts, depth + 1)
    members = _members(kind, len(texts))
    made = container(_value(inner, part, depth + 1) for inner, part in zip(members, texts, strict=True))
    if len(made) < len(texts):  # doubled in a set
        raise ValueError(text)
    return made


def _struct(kind: Any, texts: list[str], depth: int) -> Any:
    return kind(*(_value(inner, text, depth) for inner, text in zip(_kinds(kind).values(), texts, strict=True)))


def _single(kind: type, text: str) -> Any:
    shape, made = _SINGLE[kind]
    if not shape.fullmatch(text):
        raise ValueError(text)
    return made(text)


def _structs(kind: Any) -> list[Any]:
    return [each for each in get_args(kind) if isinstance(each, type) and issubclass(each, Struct)]


def _members(kind: Any, count: int) -> list[Any]:
    """Return the types of `count` members of a tuple or set (for a tuple of a fixed length: of all that it has)."""
    group = next(each for each in (kind, *get_args(kind)) if get_origin(each) in (tuple, frozenset))
    inner = get_args(group)
    return [inner[0]] * count if get_origin(group) is frozenset or ... in inner else list(inner)


_SINGLE: dict[type, tuple[re.Pattern[str], Callable[[str], object]]] = {
    bool: (re.compile("yes|no"), {word: truth for truth, word in _TRUTHS.items()}.__getitem__),
    int: (_NUMBER, int),
    str: (_WORDS, lambda text: unquote_to_bytes(text.encode(errors="surrogatepass")).decode(errors="surrogatepass")),
}


def _edition(rules: Rules) -> Edition:
    """Return an edition for this number of players only, so that the rules are checked as those of a file are."""
    count = rules.players
    own = {name: getattr(rules, name) for name in Rules.__struct_fields__ if name in Edition.__struct_fields__}
    columns: dict[str, Any] = {name: {count: own[name]} for name in ("roles", "start", "powers")}
    knows = (count,) if rules.dictator_knows_fascists else ()
    limits = {"players": PlayerLimits(count, count), "dictator_knows_fascists": knows}
    return Edition(id=rules.edition, names={}, **{**own, **columns, **limits})
