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

MARK = "*"
"""Behind the first word of an aside in a marked machine; no word holds it."""

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
        return self._machine(lambda part: part.machine)

    @cached_property
    def brief_machine(self) -> State:
        """The same without afterthoughts."""
        return self._machine(lambda part: part.brief_machine, brief=True)

    @cached_property
    def marked_machine(self) -> State:
        """The same as `machine` with MARK behind the first word of each aside: for recognisers that weigh words."""
        return self._machine(lambda part: part.marked_machine, marks=True)

    def ending(self, text: str) -> Ending:
        """Return how `text` stands to the sentences; that it could go on with an afterthought alone does not count."""
        whole = ending(self.machine, text)
        if whole is not Ending.CAN_GO_ON:
            return whole
        return Ending.CAN_GO_ON if self.brief_machine.after(text.split()).steps else Ending.FINAL

    def _machine(self, of: Callable[[SpeakableGrammar], State], *, brief: bool = False, marks: bool = False) -> State:
        if self.parts:
            whole = united(map(of, self.parts))
            return whole if not self.wake else _said_before(self.wake, whole)
        left_out = [rule for rule in self.rules if brief and rule.startswith(AFTERTHOUGHT)]
        if (brief and not left_out) or (marks and not any(rule.startswith(ASIDES) for rule in self.rules)):
            return self.machine
        building = _Building({**self.rules, **dict.fromkeys(left_out, _NOTHING)}, marks)
        return _without_silence(united(building.before(sentence, END) for sentence in self.sentences))

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


def _said_before(phrases: tuple[str, ...], machine: State) -> State:
    rest = united((END, machine))
    return united(reduce(lambda after, word: spoken(word, after), phrase.split()[::-1], rest) for phrase in phrases)


def _marked(machine: State) -> State:
    return united(spoken(word + MARK, after) for word, after in machine.steps.items())


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

    def __init__(self, rules: Mapping[str, Node], marks: bool) -> None:
        self._rules = rules
        self._marks = marks
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
                    said = self.before(self._rules[rule], rest)
                    marked = self._marks and rule.startswith(ASIDES)
                    self._done[rule, rest] = _marked(said) if marked else said
                return self._done[rule, rest]
            case Sequence(parts):
                for part in reversed(parts):
                    rest = self.before(part, rest)
                return rest
