"""Spoken sentences out of the templates of a language pack: every option and every value of a list at least once."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping
from math import prod

from gm_assistant.dialogue.grammar import Grammar
from gm_assistant.dialogue.intents import ALL
from gm_assistant.dialogue.pack import LanguagePack
from gm_assistant.dialogue.wordings import normalized, tree
from gm_assistant.speakable import Choice, Node, Reference, Sequence

PLAYERS = ("Anna", "Ben", "Clara", "David", "Emma")
_ALL_UP_TO = 300
_MOST_TRIES = 1200

Rules = Mapping[str, Node]


def rules_of(pack: LanguagePack) -> Rules:
    """Return the rules and lists that templates refer to."""
    return Grammar(pack, PLAYERS, ALL).speakable.rules


def samples(pack: LanguagePack, template: str, rules: Rules) -> Iterator[str]:
    """Yield all sentences of a template, or enough of them to have said every word of it if there are too many."""
    node = tree(template, frozenset(name.removeprefix("list-") for name in rules))
    texts = _every(node, rules) if _count(node, rules) <= _ALL_UP_TO else _covering(node, rules)
    return (text for text in dict.fromkeys(normalized(text) for text in texts) if text)


def _count(node: Node, rules: Rules) -> int:
    match node:
        case str():
            return 1
        case Reference(rule):
            return _count(rules[rule], rules)
        case Choice(options):
            return sum(_count(option, rules) for option in options)
        case Sequence(parts):
            return prod(_count(part, rules) for part in parts)


def _every(node: Node, rules: Rules) -> Iterator[str]:
    match node:
        case str():
            yield node
        case Reference(rule):
            yield from _every(rules[rule], rules)
        case Choice(options):
            for option in options:
                yield from _every(option, rules)
        case Sequence(()):
            yield ""
        case Sequence((first, *rest)):
            for start in _every(first, rules):
                for end in _every(Sequence(tuple(rest)), rules):
                    yield f"{start} {end}"


class _Covering:
    """Says a tree again and again, each time with the options that were said least."""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self._said: Counter[tuple[tuple[int, ...], int]] = Counter()
        self._random = random.Random(0)

    def text(self, node: Node, place: tuple[int, ...] = ()) -> str:
        match node:
            case str():
                return node
            case Reference(rule):
                return self.text(self._rules[rule], place)
            case Choice(options):
                number = min(range(len(options)), key=lambda at: (self._said[place, at], self._random.random()))
                self._said[place, number] += 1
                return self.text(options[number], (*place, number))
            case Sequence(parts):
                return " ".join(self.text(part, (*place, number)) for number, part in enumerate(parts))

    def missing(self, node: Node, place: tuple[int, ...] = ()) -> bool:
        """Return whether an option of the tree has not been said yet."""
        match node:
            case str():
                return False
            case Reference(rule):
                return self.missing(self._rules[rule], place)
            case Choice(options):
                return any(
                    not self._said[place, number] or self.missing(option, (*place, number))
                    for number, option in enumerate(options)
                )
            case Sequence(parts):
                return any(self.missing(part, (*place, number)) for number, part in enumerate(parts))


def _covering(node: Node, rules: Rules) -> Iterator[str]:
    covering = _Covering(rules)
    for _ in range(_MOST_TRIES):
        yield covering.text(node)
        if not covering.missing(node):
            return
    raise AssertionError(f"not everything was said: {node}")
