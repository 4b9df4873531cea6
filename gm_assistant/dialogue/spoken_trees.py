"""What can be said as trees for a recogniser: the templates of each intent, with what people say around them.

A pack's rule becomes the rule `rule-NAME`, a list `list-NAME`. Besides them there are `before` and `after` (fillers),
`hesitation` (in front of a player) and `repair` (what is said before a second thought: "anna, no, ben"). None of these
four allows silence.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from gm_assistant.dialogue.intents import COMMANDS, QUESTIONS
from gm_assistant.dialogue.pack import Block, LanguagePack, Sentences
from gm_assistant.dialogue.talk import Words, talk_of
from gm_assistant.dialogue.wordings import choice_of, normalized, tree
from gm_assistant.speakable import SILENCE, Choice, Node, Reference, Sequence, SpeakableGrammar

MENDED = ("list-player", "list-vote", "list-party", "list-party_law")
"""What a speaker may correct in the same breath if a command ends with it."""

_PLAYER = Reference("list-player")
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

    def part(self, name: str) -> SpeakableGrammar:
        """Return all that can be said for one intent."""
        if name not in self._parts:
            sentences = tuple(_sentence(node, self._sentences, name, self._rules) for node in self._nodes(name))
            self._parts[name] = SpeakableGrammar(sentences, self._rules).without_idle_rules()
        return self._parts[name]

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
        "after": talk.after,
        "hesitation": talk.hesitations,
        "repair": talk.repairs,
    }
    return {name: _choice(words) for name, words in kinds.items() if words}


def _choice(options: tuple[Words, ...]) -> Node:
    return Choice(tuple(words[0] if len(words) == 1 else Sequence(words) for words in options))


def _sentence(node: Node, sentences: Sentences, name: str, rules: Rules) -> Node:
    if name in COMMANDS and "repair" in rules:
        node = _mended(node, rules)
    if "hesitation" in rules:
        node = _hesitant(node)
    prefixes = _prefixes(sentences, name)
    before, after = (_optional(Reference(kind)) if kind in rules else SILENCE for kind in ("before", "after"))
    return Sequence(tuple(part for part in (before, prefixes, node, after) if part != SILENCE))


def _prefixes(sentences: Sentences, name: str) -> Node:
    kind = "correction" if name in COMMANDS else "whisper" if name in QUESTIONS else None
    if kind is None:
        return SILENCE
    return _optional(choice_of(map(normalized, sentences.prefixes[kind])))


def _optional(node: Node) -> Node:
    return Choice((SILENCE, node))


def _mended(node: Node, rules: Rules) -> Node:
    """Let a second thought follow the last value of a sentence."""
    parts = node.parts if isinstance(node, Sequence) else (node,)
    for at in reversed(range(len(parts))):
        last = parts[at]
        if isinstance(last, Reference) and last.rule in MENDED:
            again = _optional(Sequence((Reference("repair"), last)))
            return Sequence((*parts[: at + 1], again, *parts[at + 1 :]))
        if not _may_be_silent(last, rules):
            break
    return node


def _hesitant(node: Node) -> Node:
    """Let a hesitation stand before each player; at the start of a sentence the fillers do that."""
    match node:
        case Sequence(parts):
            first = parts[:1]
            return Sequence((*first, *(_hesitant_inside(part) for part in parts[1:])))
        case _:
            return node


def _hesitant_inside(node: Node) -> Node:
    match node:
        case Reference() if node == _PLAYER:
            return Sequence((_optional(Reference("hesitation")), node))
        case Sequence(parts):
            return Sequence(tuple(map(_hesitant_inside, parts)))
        case Choice(options):
            return Choice(tuple(map(_hesitant_inside, options)))
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
