"""What can be said as trees for a recogniser: the templates of each intent, with what people say around them.

A pack's rule becomes the rule `rule-NAME`, a list `list-NAME`. Besides them there are `before` (fillers), `hesitation`
(in front of a player) and the afterthoughts: `after-filler`, `after-second` (what is said before a second thought:
"anna, no, ben") and `after-NUMBER` (words at the end that may be left out); `prefix-KIND`
makes a correction or a whisper of the sentence. None of these allows silence.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import partial

from gm_assistant.dialogue.intents import COMMANDS, QUESTIONS
from gm_assistant.dialogue.pack import Block, LanguagePack, Sentences
from gm_assistant.dialogue.talk import Words, talk_of
from gm_assistant.dialogue.wordings import choice_of, normalized, tree
from gm_assistant.speakable import AFTERTHOUGHT, SILENCE, Choice, Node, Reference, Sequence, SpeakableGrammar

MENDED = ("list-player", "list-vote", "list-party", "list-party_law")
"""What a speaker may correct in the same breath if a command ends with it."""

_PLAYER = Reference("list-player")
_HESITATION = "hesitation"
_PREFIX = "prefix-"
_FILLER = f"{AFTERTHOUGHT}filler"
_SECOND = f"{AFTERTHOUGHT}second"
_VOTES = "<another_vote>"
_MOST_PLAYERS = 10
_FEWEST_VOTES = 2

Rules = Mapping[str, Node]


def repeated(template: str, players: int = _MOST_PLAYERS) -> str:
    """Return a template with `<another_vote>` as often as so many players can need it."""
    more = ""
    for _ in range(players - _FEWEST_VOTES):
        more = f"[{_VOTES} {more}]" if more else f"[{_VOTES}]"
    return template.replace(_VOTES, f"{_VOTES} {more}".strip())


class SpokenTrees:
    """What can be said for each intent by one group of players. Each part is made once."""

    def __init__(self, pack: LanguagePack, lists: Mapping[str, Iterable[str]], players: int) -> None:
        """Take the wordings of every list; those with a digit can only be typed."""
        self._sentences = pack.sentences
        self._players = players
        self._slots = frozenset(lists)
        self._rules = {
            **{f"rule-{rule}": tree(template, self._slots) for rule, template in pack.sentences.rules.items()},
            **{f"list-{name}": choice_of(texts) for name, texts in lists.items()},
            **_around(pack.sentences),
        }
        self._parts: dict[str, SpeakableGrammar] = {}
        self._together: dict[frozenset[str], SpeakableGrammar] = {}
        self._ends: dict[Node, str] = {}

    def part(self, name: str) -> SpeakableGrammar:
        """Return all that can be said for one intent."""
        if name not in self._parts:
            sentences = tuple(map(partial(self._sentence, name), self._nodes(name)))
            rules = {**self._rules, **{rule: node for node, rule in self._ends.items()}}
            self._parts[name] = SpeakableGrammar(sentences, rules).without_idle_rules()
        return self._parts[name]

    def always(self, names: frozenset[str]) -> SpeakableGrammar:
        """Return all that can be said for intents that are possible together most of the time, made once."""
        if names not in self._together:
            self._together[names] = SpeakableGrammar.united(self.part(name) for name in sorted(names))
        return self._together[names]

    def _sentence(self, name: str, node: Node) -> Node:
        """Return a sentence with all that may stand around its words."""
        start, middle = self._optional("before"), list(_parts(node))
        end: list[Node] = []
        while len(middle) > 1 and self._adds_nothing(middle[-1]):
            end.insert(0, middle.pop())
        prefixes = _prefixes(name)
        again = self._second(middle[-1]) if name in COMMANDS else SILENCE
        hesitant = middle if _HESITATION not in self._rules else [*middle[:1], *map(_hesitant, middle[1:])]
        parts = (start, prefixes, *hesitant, again, self._end(end), self._optional(_FILLER))
        return Sequence(tuple(part for part in parts if part != SILENCE))

    def _optional(self, rule: str) -> Node:
        return _optional(Reference(rule)) if rule in self._rules else SILENCE

    def _second(self, last: Node) -> Node:
        """Return what may follow the last value of a command: another one instead."""
        if _SECOND not in self._rules or not isinstance(last, Reference) or last.rule not in MENDED:
            return SILENCE
        return _optional(Sequence((Reference(_SECOND), last)))

    def _end(self, parts: list[Node]) -> Node:
        """Return words at the end that may be left out, as an afterthought."""
        if not parts:
            return SILENCE
        node = parts[0] if len(parts) == 1 else Sequence(tuple(parts))
        rule = self._ends.setdefault(node, f"{AFTERTHOUGHT}{len(self._ends)}")
        return _optional(Reference(rule))

    def _adds_nothing(self, node: Node) -> bool:
        return _may_be_silent(node, self._rules) and not _has_list(node, self._rules)

    def _nodes(self, name: str) -> Iterator[Node]:
        for block in self._sentences.intents[name]:
            for template in (*block.sentences, *pieces_of(block)):
                yield tree(repeated(template, self._players), self._slots)


def pieces_of(block: Block) -> tuple[str, ...]:
    """Return the templates of a block that lack a slot."""
    return tuple(template for templates in block.pieces.values() for template in templates)


def _around(sentences: Sentences) -> Rules:
    talk = talk_of(sentences)
    kinds = {
        "before": (*talk.before, *talk.hesitations),
        _FILLER: talk.after,
        _HESITATION: talk.hesitations,
        _SECOND: talk.repairs,
    }
    around: Rules = {name: _choice(words) for name, words in kinds.items() if words}
    return {
        **around,
        **{f"{_PREFIX}{kind}": choice_of(map(normalized, texts)) for kind, texts in sentences.prefixes.items()},
    }


def _choice(options: tuple[Words, ...]) -> Node:
    return Choice(tuple(words[0] if len(words) == 1 else Sequence(words) for words in options))


def _prefixes(name: str) -> Node:
    kind = "correction" if name in COMMANDS else "whisper" if name in QUESTIONS else None
    if kind is None:
        return SILENCE
    return _optional(Reference(f"{_PREFIX}{kind}"))


def _optional(node: Node) -> Node:
    return Choice((SILENCE, node))


def _parts(node: Node) -> tuple[Node, ...]:
    return node.parts if isinstance(node, Sequence) else (node,)


def _hesitant(node: Node) -> Node:
    """Let a hesitation stand before each player."""
    match node:
        case Reference() if node == _PLAYER:
            return Sequence((_optional(Reference(_HESITATION)), node))
        case Sequence(parts):
            return Sequence(tuple(map(_hesitant, parts)))
        case Choice(options):
            return Choice(tuple(map(_hesitant, options)))
        case _:
            return node


def _may_be_silent(node: Node, rules: Rules) -> bool:
    match node:
        case Sequence(parts):
            return all(_may_be_silent(part, rules) for part in parts)
        case Choice(options):
            return any(_may_be_silent(option, rules) for option in options)
        case Reference(rule):
            return rule in rules and _may_be_silent(rules[rule], rules)
        case str():
            return False


def _has_list(node: Node, rules: Rules) -> bool:
    match node:
        case Sequence(parts) | Choice(parts):
            return any(_has_list(part, rules) for part in parts)
        case Reference(rule):
            return rule.startswith("list-") or (rule in rules and _has_list(rules[rule], rules))
        case str():
            return False
