"""Text to meaning: one strict parser, and the tree of sentences for the recogniser, from the same templates."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cached_property, lru_cache
from typing import Any

from hassil import Intents, recognize_all
from hassil.intents import SlotList, TextSlotList
from hassil.recognize import RecognizeResult

from gm_assistant.dialogue.intents import COMMANDS, QUESTIONS, Ambiguous, Intent, NotUnderstood, Parsed, Slot
from gm_assistant.dialogue.numerals import number_words, ordinal_words
from gm_assistant.dialogue.pack import Block, LanguagePack
from gm_assistant.dialogue.wordings import choice_of, normalized, tree, wordings
from gm_assistant.speakable import SILENCE, Choice, Node, Sequence, SpeakableGrammar

LONGEST_TEXT = 300
"""Characters. No sentence of any pack comes near; anything longer is not a sentence."""

_NEGATIVE = re.compile(r"(?<!\w)[-\u2212]\d")
"""No count is below zero, and without its sign it would be another number."""

_HIGHEST_SPOKEN = 20
_HIGHEST_TYPED = 999
_HIGHEST_ORDINAL = 10
_MOST_WORDS = 10
_LONGEST_STRANGER = 2

Values = Mapping[str, Slot]
"""Plain wording -> what it means."""


class Grammar:
    """The sentences of some intents for one group of players. Immutable."""

    def __init__(self, pack: LanguagePack, players: tuple[str, ...], intents: frozenset[str]) -> None:
        self._pack = pack
        self.players = players
        """Names in seating order."""
        self.intents = intents
        """What can be meant."""
        self._intents = {name: pack.sentences.intents[name] for name in sorted(intents)}
        self._lists = {**fixed_lists(pack), "player": player_wordings(pack, players)}

    def parse(self, text: str, typed: bool = False) -> Parsed:
        """Return what `text` means; typed text may also be one of the short codes."""
        if len(text) > LONGEST_TEXT or _NEGATIVE.search(text):
            return NotUnderstood()
        if typed and (code := self._codes.get(text.strip().lower())):
            return code
        plain, prefix = self._without_prefix(normalized(text))
        if typed and prefix and (code := self._codes.get(plain)) and _allowed(code, prefix):
            return _prefixed(code, prefix)
        found = {_key(intent): intent for intent in self._meanings(plain, typed) if _allowed(intent, prefix)}
        meant = [_prefixed(intent, prefix) for intent in found.values()]
        if not meant:
            return NotUnderstood()
        return meant[0] if len(meant) == 1 else Ambiguous(tuple(meant))

    @cached_property
    def speakable(self) -> SpeakableGrammar:
        """The same sentences as a tree, without the short codes."""
        slots = frozenset(self._lists)
        rules = {f"rule-{name}": tree(template, slots) for name, template in self._pack.sentences.rules.items()}
        lists = {f"list-{name}": choice_of(values) for name, values in self._lists.items()}
        sentences = (
            Sequence((prefixes, tree(template, slots)))
            if (prefixes := self._prefix_tree(name))
            else tree(template, slots)
            for name, blocks in self._intents.items()
            for block in blocks
            for template in block.sentences
        )
        return SpeakableGrammar(tuple(sentences), {**rules, **lists}).without_idle_rules()

    def is_of_edition(self, words: list[str]) -> bool:
        """Return whether `words` are all from names of the edition: of a role, a party, an office, a power."""
        return self._pack.edition_words.issuperset(words)

    def _prefix_tree(self, name: str) -> Node | None:
        kind = "correction" if name in COMMANDS else "whisper" if name in QUESTIONS else None
        if kind is None:
            return None
        spoken = choice_of(map(normalized, self._pack.sentences.prefixes[kind]))
        return Choice((SILENCE, spoken))

    def _without_prefix(self, text: str) -> tuple[str, str | None]:
        for kind, texts in self._pack.sentences.prefixes.items():
            for prefix in map(normalized, texts):
                if text.startswith(f"{prefix} "):
                    return text.removeprefix(f"{prefix} "), kind
        return text, None

    def _meanings(self, text: str, typed: bool) -> Iterator[Intent]:
        for result in recognize_all(text, self._hassil, slot_lists=self._slot_lists):
            if typed or not (result.intent_data.metadata or {}).get("typed"):
                yield _intent(result)

    @cached_property
    def _hassil(self) -> Intents:
        return _templates(_Same(self._pack), frozenset(self._intents))

    @cached_property
    def _slot_lists(self) -> dict[str, SlotList]:
        return {
            name: TextSlotList.from_tuples(values.items(), allow_template=False, name=name)
            for name, values in self._lists.items()
        }

    @cached_property
    def _codes(self) -> dict[str, Intent]:
        """Short codes without slots: they may be signs, which the parser would drop."""
        return {
            code: Intent(name, dict(block.slots))
            for name, blocks in self._intents.items()
            for block in blocks
            for code in block.typed
            if "{" not in code
        }


class _Same:
    """A pack as a key: equal only to itself."""

    def __init__(self, pack: LanguagePack) -> None:
        self.pack = pack

    def __hash__(self) -> int:
        return id(self.pack)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and other.pack is self.pack


@lru_cache(maxsize=64)
def _templates(same: _Same, intents: frozenset[str]) -> Intents:
    """Return the templates of some intents. They are parsed when first used, and do not depend on the players."""
    sentences = same.pack.sentences
    return Intents.from_dict(
        {
            "language": same.pack.language,
            "intents": {name: {"data": list(_data(sentences.intents[name]))} for name in sorted(intents)},
            "expansion_rules": dict(sentences.rules),
        }
    )


def stranger(grammar: Grammar, text: str) -> str | None:
    """Return the words in `text` that stand where a player's name would make it a sentence; None if none do."""
    words = normalized(text).split()
    if not 1 < len(words) <= _MOST_WORDS:
        return None
    for length in range(1, _LONGEST_STRANGER + 1):
        for start in range(len(words) - length + 1):
            name = words[start : start + length]
            parsed = grammar.parse(" ".join([*words[:start], "1", *words[start + length :]]))
            if isinstance(parsed, Intent) and parsed.slots.get("player") == 1 and not grammar.is_of_edition(name):
                return " ".join(name)
    return None


def fixed_lists(pack: LanguagePack) -> dict[str, Values]:
    """Return the lists that do not depend on the players."""
    words = {name: _list_values(values) for name, values in pack.sentences.lists.items()}
    numbers = {text: n for n in range(_HIGHEST_SPOKEN + 1) for text in number_words(pack.language, n)}
    digits = {str(number): number for number in range(_HIGHEST_TYPED + 1)}
    ordinals = {text: n for n in range(1, _HIGHEST_ORDINAL + 1) for text in ordinal_words(pack.language, n)}
    names = {normalized(name): name for name in pack.first_names}
    return {**words, "number": {**numbers, **digits}, "ordinal": ordinals, "first_name": names}


def player_wordings(pack: LanguagePack, players: tuple[str, ...]) -> Values:
    """Return how each player can be called (name, seat number) -> seat."""
    seats = {
        text: seat
        for seat in range(1, max(len(players), 1) + 1)
        for template in pack.sentences.seats
        for text in _seat_wordings(pack.language, template, seat)
    }
    digits = {str(seat): seat for seat in range(1, len(players) + 1)}
    names = {normalized(name): seat for seat, name in enumerate(players, 1) if normalized(name)}
    return {**digits, **seats, **names}


def _seat_wordings(language: str, template: str, seat: int) -> tuple[str, ...]:
    numbers = (*number_words(language, seat), str(seat))
    filled = template.replace("{number}", f"({'|'.join(numbers)})")
    return wordings(filled.replace("{ordinal}", f"({'|'.join(ordinal_words(language, seat))})"))


def _list_values(values: Mapping[str, str]) -> Values:
    return {text: value for value, template in values.items() for text in wordings(template)}


def _data(blocks: tuple[Block, ...]) -> Iterator[dict[str, Any]]:
    for block in blocks:
        codes = [code for code in block.typed if "{" in code]
        if block.sentences:
            yield {"sentences": list(block.sentences), "slots": dict(block.slots)}
        if codes:
            yield {"sentences": codes, "slots": dict(block.slots), "metadata": {"typed": True}}


def _intent(result: RecognizeResult) -> Intent:
    slots: dict[str, Slot] = {name: entity.value for name, entity in result.entities.items()}
    return Intent(result.intent.name, slots)


def _key(intent: Intent) -> tuple[str, frozenset[tuple[str, Slot]]]:
    return intent.name, frozenset(intent.slots.items())


def _allowed(intent: Intent, prefix: str | None) -> bool:
    kinds = {"correction": COMMANDS, "whisper": QUESTIONS}
    return prefix is None or intent.name in kinds[prefix]


def _prefixed(intent: Intent, prefix: str | None) -> Intent:
    return Intent(intent.name, intent.slots, correction=prefix == "correction", whisper=prefix == "whisper")
