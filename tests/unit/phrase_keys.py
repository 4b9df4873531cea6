"""Which phrases the code asks for, and with which facts: read from its syntax trees."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import product
from pathlib import Path

from gm_assistant.dialogue.reminders import REMINDERS
from gm_assistant.dialogue.set_up import Question
from gm_assistant.manner import CHANGES
from gm_assistant.rules.edition import LOOKS, TARGETED, DeadRole, FirstPresident
from gm_assistant.rules.eligibility import Bar, Shield
from gm_assistant.rules.model import Cause, Office, Party, Power, Role
from gm_assistant.speech.audio import Kind
from gm_assistant.speech.levels import Fault
from gm_assistant.speech.vocabulary import MOST_OFFERED

PACKAGE = Path(__file__).resolve().parents[2] / "gm_assistant"

POWERS = [power.value for power in Power if power is not Power.NONE]
SITUATIONS = [
    *("nomination", "election", "secret-ballot", "question", "session", "veto", "chaos", "shuffle", "over"),
    *(f"power-{power}" for power in POWERS),
]
SYMBOLS = [*POWERS, "pie_chart", "eagle", "figure", "tick", "cross", "notch"]
WANTED = [
    *("nominate", "vote", "secret-vote", "answer", "law", "veto"),
    *("look", "name-president", "shoot", "investigate", "shuffle"),
]
"""What `_out_of_turn` of the rules may be called with; a test compares."""

_BEGINNERS = [first.value for first in FirstPresident]
_PARTIES = [party.value for party in Party]
_ROLES = [role.value for role in Role]
_OFFICES = [office.value for office in Office]
_WON = [cause.value for cause in Cause if cause is not Cause.ABANDONED]

FAMILIES: dict[str, list[str]] = {
    "ask-*": [question.value for question in Question if question not in (Question.FIRST, Question.HEARING)],
    "ask-first-*": _BEGINNERS,
    "ask-hearing-*": [str(number) for number in range(1, MOST_OFFERED + 1)],
    "barred-*": [bar.value for bar in Bar],
    "check-*": [kind.value for kind in Kind],
    "dead-role-*": [dead.value for dead in DeadRole],
    "examples-*": SITUATIONS,
    "explain-*": SYMBOLS,
    "label-*": ["player", "number", "ordinal", "first_name"],
    "laws-*": _PARTIES,
    "limits-lifted-*": _OFFICES,
    "microphone-*": [fault.value for fault in Fault],
    "no-*": list(CHANGES),
    "note-*": _ROLES,
    "now-*": SITUATIONS,
    "out-of-turn-*": WANTED,
    "phrases-*": ["commands", "questions", "controls", "private", "answers", "scenes", "set-up-answers"],
    "power-*": POWERS,
    "power-lapsed-*": [power.value for power in (*LOOKS, Power.INVESTIGATE)],
    "reminder-*": [str(number) for number in range(1, REMINDERS + 1)],
    "reveal-*": _ROLES,
    "rule-first-*": _BEGINNERS,
    "rule-limits-*-*": [
        f"{basis}*{barred}" for basis, barred in product(("last-elected", "previous-round"), ("both", *_OFFICES))
    ],
    "rule-limits-leave-nobody-*": _OFFICES,
    "rule-shuffle-*-*": [f"{order}*{look.value}" for order, look in product(("before", "after"), LOOKS)],
    "set-up-discarded-*": _PARTIES,
    "set-up-enacted-*": _PARTIES,
    "simulation-won-*": _WON,
    "wake-phrase-*": ["words", "short", "sentence"],
    "used-*": [power.value for power in TARGETED],
    "whisper-entered-*": _ROLES,
    "whisper-party-*": _PARTIES,
    "whisper-role-*": _ROLES,
    "whisper-token-*": _ROLES,
    "won-*": _WON,
}
"""Keys that are put together when the program runs: pattern -> what can stand for the asterisk.

With two asterisks an asterisk stands between the two parts.
"""

_MESSAGES = ("Message", "HeadsetMessage")
"""They take the facts as a mapping."""

VALUES = {"shield": Shield}
"""Variables whose `value` is a key: by their name."""


_ERRORS = {
    node.name
    for path in PACKAGE.rglob("*.py")
    for node in ast.walk(ast.parse(path.read_text("utf-8")))
    if isinstance(node, ast.ClassDef) and any(getattr(base, "id", "") == "GmError" for base in node.bases)
}
"""Our own errors: their first argument is the key of a phrase."""


@dataclass(frozen=True)
class Asked:
    """A place in the code that asks for a phrase. `facts` is None where they cannot be read from the source."""

    key: str
    facts: frozenset[str] | None
    place: str


NEVER_SAID = {"out-of-turn"}
"""`refusal` says one of the family instead."""


@cache
def asked() -> list[Asked]:
    """Return every place that asks for a phrase, families with an asterisk."""
    return [found for path in sorted(PACKAGE.rglob("*.py")) for found in _Module(path).asked()]


def keys() -> set[str]:
    """Return every key that the code can ask for. Raise KeyError for a family that is not listed here."""
    return {key for found in asked() for key in expanded(found.key)} - NEVER_SAID | set(CHANGES)


def expanded(key: str) -> list[str]:
    """Return a key, or the members of a family."""
    return [_filled(key, value.split("*")) for value in FAMILIES[key]] if "*" in key else [key]


def _filled(pattern: str, parts: list[str]) -> str:
    first, *others = pattern.split("*")
    assert len(parts) == len(others), pattern
    return first + "".join(part + other for part, other in zip(parts, others, strict=True))


class _Module:
    def __init__(self, path: Path) -> None:
        self._name = path.relative_to(PACKAGE.parent).as_posix()
        self._tree = ast.parse(path.read_text("utf-8"))
        self._functions = [node for node in ast.walk(self._tree) if isinstance(node, ast.FunctionDef)]

    def asked(self) -> Iterator[Asked]:
        for call in (node for node in ast.walk(self._tree) if isinstance(node, ast.Call)):
            if not call.args or not _speaks(call):
                continue
            for key in self._keys(call.args[0], call):
                yield Asked(key, _facts(call), f"{self._name}:{call.lineno}")
        for call in (node for node in ast.walk(self._tree) if isinstance(node, ast.Call)):
            if _called(call) == "_filled" and isinstance(call.args[0], ast.Subscript):  # a phrase within a phrase
                for key in self._keys(call.args[0].slice, call):
                    yield Asked(key, _facts(call), f"{self._name}:{call.lineno}")
            if _called(call) == "checked" and isinstance(call.args[-1], ast.Constant):
                facts = frozenset({"file", "path", "problem", "allowed"})
                yield Asked(str(call.args[-1].value), facts, f"{self._name}:{call.lineno}")

    def _keys(self, node: ast.expr, call: ast.Call) -> Iterator[str]:
        match node:
            case ast.Constant(value=str(key)):
                yield key
            case ast.IfExp(body=one, orelse=other):
                yield from self._keys(one, call)
                yield from self._keys(other, call)
            case ast.JoinedStr(values=values):
                yield "".join(part.value if isinstance(part, ast.Constant) else "*" for part in values)
            case ast.Name(id=name):
                yield from self._named(name, call)
            case ast.Attribute(value=ast.Name(id=name), attr="value"):
                yield from (value.value for value in VALUES[name])

    def _named(self, name: str, call: ast.Call) -> Iterator[str]:
        """A variable of the function around the call, or a parameter of it that its callers fill."""
        around = [function for function in self._functions if call in list(ast.walk(function))][-1]
        for node in ast.walk(around):
            if isinstance(node, ast.Assign) and [getattr(target, "id", "") for target in node.targets] == [name]:
                yield from self._keys(node.value, call)
            if isinstance(node, ast.For):
                yield from self._looped(name, node, call)
        parameters = [parameter.arg for parameter in around.args.args]
        if name in parameters:
            place = parameters.index(name)
            for other in (node for node in ast.walk(self._tree) if isinstance(node, ast.Call)):
                if _called(other) == around.name and len(other.args) > place:
                    yield from self._keys(other.args[place], other)

    def _looped(self, name: str, loop: ast.For, call: ast.Call) -> Iterator[str]:
        """A variable of a loop over tuples that stand in the code."""
        match loop:
            case ast.For(target=ast.Tuple(elts=targets), iter=ast.Tuple(elts=rows)):
                for place in (at for at, target in enumerate(targets) if getattr(target, "id", "") == name):
                    for row in (row for row in rows if isinstance(row, ast.Tuple)):
                        yield from self._keys(row.elts[place], call)


def _called(call: ast.Call) -> str:
    return getattr(call.func, "id", getattr(call.func, "attr", ""))


def _speaks(call: ast.Call) -> bool:
    return _called(call) in ("message", *_MESSAGES, "GmError", *_ERRORS)


def _facts(call: ast.Call) -> frozenset[str] | None:
    if any(keyword.arg is None for keyword in call.keywords):
        return None
    if _called(call) not in (*_MESSAGES, "_filled"):
        return frozenset(str(keyword.arg) for keyword in call.keywords)
    if len(call.args) == 1:
        return frozenset()
    given = call.args[1]
    if isinstance(given, ast.Dict) and all(isinstance(key, ast.Constant) for key in given.keys):
        return frozenset(str(key.value) for key in given.keys if isinstance(key, ast.Constant))
    return None
