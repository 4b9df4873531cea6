"""What can be said now, as a small tree: made from the sentence templates, read by every recogniser.

The tree is neutral: `dialogue` makes it from hassil templates, `speech` turns it into a JSGF grammar or into
the phrase list of a Vosk grammar. All words are lower case, in NFC, without digits or punctuation.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property, reduce
from itertools import chain

from gm_assistant.word_machine import END, State, spoken, united


@dataclass(frozen=True, slots=True)
class Sequence:
    """All parts, one after the other. Without parts: nothing is said."""

    parts: tuple[Node, ...] = ()


@dataclass(frozen=True, slots=True)
class Choice:
    """Exactly one of the options."""

    options: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Reference:
    """A named rule of the same grammar (the player names, the numbers, ...)."""

    rule: str


Node = str | Sequence | Choice | Reference
"""A `str` is one single word."""

SILENCE = Sequence()

AFTERTHOUGHT = "after-"
"""Begins the name of a rule whose words add nothing to a sentence that is whole without: "please", or "no, Ben"."""

ASIDES = ("before", "hesitation", f"{AFTERTHOUGHT}filler", f"{AFTERTHOUGHT}second", "prefix-")
"""How rules begin whose words are rarely said: whoever hears them in a noise is more likely wrong than right."""

_NOTHING = Choice(())
"""It cannot be said."""


@dataclass(frozen=True)
class SpeakableGrammar:
    """Every sentence that can be said now, with the rules that they refer to."""

    sentences: tuple[Node, ...]
    rules: Mapping[str, Node] = field(default_factory=dict)
    parts: tuple[SpeakableGrammar, ...] = field(default=(), compare=False, repr=False)
    """What it was united of: each part's machine is made once, however often it is united with others."""
    wake: tuple[str, ...] = field(default=(), compare=False, repr=False)
    """Words that must be said in front of each sentence of the one part, or alone."""

    def behind(self, wake: tuple[str, ...]) -> SpeakableGrammar:
        """Return the same sentences with one of the phrases `wake` in front of each, or such a phrase alone.

        Without phrases: as it is.
        """
        if not wake:
            return self
        front: Node = Choice(tuple(Sequence(tuple(phrase.split())) for phrase in wake))
        sentences = (front, *(Sequence((front, sentence)) for sentence in self.sentences))
        return SpeakableGrammar(sentences, self.rules, (self,), wake)

    @classmethod
    def united(cls, parts: Iterable[SpeakableGrammar]) -> SpeakableGrammar:
        """Return the grammar of all sentences of `parts`. Rules of the same name must be the same."""
        kept = tuple(parts)
        rules = {name: node for part in kept for name, node in part.rules.items()}
        return cls(tuple(chain.from_iterable(part.sentences for part in kept)), rules, kept)

    @cached_property
    def machine(self) -> State:
        """The smallest machine that reads the sentences; the empty one is none of them."""
        return self._machine(brief=False)

    @cached_property
    def brief_machine(self) -> State:
        """The same without afterthoughts."""
        return self._machine(brief=True)

    def ending(self, text: str) -> Ending:
        """Return how `text` stands to the sentences; that it could go on with an afterthought alone does not count."""
        whole = ending(self.machine, text)
        if whole is not Ending.CAN_GO_ON:
            return whole
        return Ending.CAN_GO_ON if self.brief_machine.after(text.split()).steps else Ending.FINAL

    def _machine(self, *, brief: bool) -> State:
        if self.parts:
            whole = united(part.brief_machine if brief else part.machine for part in self.parts)
            return whole if not self.wake else _said_before(self.wake, whole)
        left_out = [rule for rule in self.rules if brief and rule.startswith(AFTERTHOUGHT)]
        if brief and not left_out:
            return self.machine
        building = _Building({**self.rules, **dict.fromkeys(left_out, _NOTHING)})
        return _without_silence(united(building.before(sentence, END) for sentence in self.sentences))

    @cached_property
    def unlikely_words(self) -> frozenset[str]:
        """Words that occur in asides only."""
        return self.words() - self.usual_words

    @cached_property
    def usual_words(self) -> frozenset[str]:
        """Words that occur outside of asides."""
        if self.parts:
            front = frozenset(chain.from_iterable(phrase.split() for phrase in self.wake))
            return front.union(*(part.usual_words for part in self.parts))
        told = {rule for rule in self.rules if not rule.startswith(ASIDES)}
        nodes = [*self.sentences, *(self.rules[rule] for rule in told)]
        return frozenset(chain.from_iterable(map(_words, nodes)))

    def words(self) -> frozenset[str]:
        """Return every word that occurs in a sentence or a rule."""
        return frozenset(chain.from_iterable(_words(node) for node in (*self.sentences, *self.rules.values())))

    def without_idle_rules(self) -> SpeakableGrammar:
        """Return the grammar less the rules that no sentence refers to, directly or through another rule."""
        used: set[str] = set()
        open_ = set(chain.from_iterable(map(_references, self.sentences)))
        while open_:
            used |= open_
            open_ = set(chain.from_iterable(_references(self.rules[rule]) for rule in open_)) - used
        return SpeakableGrammar(self.sentences, {name: node for name, node in self.rules.items() if name in used})

    def without_unknown_words(self, knows: Callable[[str], bool]) -> SpeakableGrammar:
        """Return the grammar less every wording that has a word for which `knows(word)` is false.

        A whole option falls, never a word out of the middle of one. The result may have no sentence left.
        """
        rules = {name: _pruned(node, knows) for name, node in self.rules.items()}
        empty = {name for name, node in rules.items() if node is None}
        kept = {name: node for name, node in rules.items() if node is not None}
        while True:
            kept = {name: node for name, node in kept.items() if name not in empty}
            fallen = {name for name, node in kept.items() if _without(node, empty) is None}
            if not fallen:
                break
            empty |= fallen
        rest = {name: pruned for name, node in kept.items() if (pruned := _without(node, empty)) is not None}
        sentences = (_pruned(sentence, knows) for sentence in self.sentences)
        known = tuple(node for node in sentences if node is not None)
        trimmed = (_without(node, empty) for node in known)
        return SpeakableGrammar(tuple(node for node in trimmed if node is not None), rest)


def _said_before(phrases: tuple[str, ...], machine: State) -> State:
    rest = united((END, machine))
    return united(reduce(lambda after, word: spoken(word, after), phrase.split()[::-1], rest) for phrase in phrases)


def _without_silence(machine: State) -> State:
    return united(spoken(word, rest) for word, rest in machine.steps.items())


def _words(node: Node) -> Iterator[str]:
    match node:
        case str():
            yield node
        case Sequence(parts):
            yield from chain.from_iterable(map(_words, parts))
        case Choice(options):
            yield from chain.from_iterable(map(_words, options))
        case Reference():
            return


def _references(node: Node) -> Iterator[str]:
    match node:
        case Reference(rule):
            yield rule
        case Sequence(nodes) | Choice(nodes):
            yield from chain.from_iterable(map(_references, nodes))
        case str():
            return


def _pruned(node: Node, knows: Callable[[str], bool]) -> Node | None:
    return _filtered(node, lambda leaf: isinstance(leaf, Reference) or knows(leaf))


def _without(node: Node, missing: set[str]) -> Node | None:
    return _filtered(node, lambda leaf: isinstance(leaf, str) or leaf.rule not in missing)


def _filtered(node: Node, keeps: Callable[[str | Reference], bool]) -> Node | None:
    match node:
        case Sequence(parts):
            kept = [_filtered(part, keeps) for part in parts]
            whole = tuple(part for part in kept if part is not None)
            return Sequence(whole) if len(whole) == len(kept) else None
        case Choice(options):
            left = tuple(option for part in options if (option := _filtered(part, keeps)) is not None)
            return Choice(left) if left else None
        case _:
            return node if keeps(node) else None


class Ending(Enum):
    """How a text that was heard so far stands to the sentences of a grammar."""

    INCOMPLETE = "incomplete"
    """No sentence yet: more words must follow, or it fits nothing."""
    CAN_GO_ON = "can go on"
    """A whole sentence, but a longer one begins with the same words."""
    FINAL = "final"
    """A whole sentence, and no longer one begins with it."""


def ending(machine: State, text: str) -> Ending:
    """Return how `text` (words separated by spaces) stands to the sentences of `machine`."""
    words = text.split()
    here = machine.after(words)
    if not words or not here.final:
        return Ending.INCOMPLETE
    return Ending.CAN_GO_ON if here.steps else Ending.FINAL


class _Building:
    """Turns trees into machines: what follows first, then what stands in front of it."""

    def __init__(self, rules: Mapping[str, Node]) -> None:
        self._rules = rules
        self._done: dict[tuple[str, State], State] = {}

    def before(self, node: Node, rest: State) -> State:
        """Return the machine of `node` followed by `rest`."""
        match node:
            case str():
                return spoken(node, rest)
            case Choice(options):
                return united([self.before(option, rest) for option in options])
            case Reference(rule):
                if (rule, rest) not in self._done:
                    self._done[rule, rest] = self.before(self._rules[rule], rest)
                return self._done[rule, rest]
            case Sequence(parts):
                for part in reversed(parts):
                    rest = self.before(part, rest)
                return rest
