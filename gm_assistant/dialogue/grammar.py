"""Text to meaning: one strict parser, and the tree of sentences for the recogniser, from the same templates."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cached_property, lru_cache
from typing import Any

from hassil import Intents, recognize_all
from hassil.intents import SlotList, TextSlotList
from hassil.recognize import RecognizeResult

from gm_assistant.dialogue.intents import (
    ANSWERS,
    COMMANDS,
    QUESTIONS,
    Ambiguous,
    Incomplete,
    Intent,
    NotUnderstood,
    Parsed,
    Slot,
)
from gm_assistant.dialogue.numerals import counting_words, number_words, ordinal_words
from gm_assistant.dialogue.pack import Block, LanguagePack
from gm_assistant.dialogue.spoken_trees import SpokenTrees, repeated
from gm_assistant.dialogue.talk import Talk, talk_of
from gm_assistant.dialogue.wordings import normalized, wordings
from gm_assistant.speakable import SpeakableGrammar

LONGEST_TEXT = 300
"""Characters. No sentence of any pack comes near; anything longer is not a sentence."""

_NEGATIVE = re.compile(r"(?<!\w)[-\u2212]\d")
"""No count is below zero, and without its sign it would be another number."""

_HIGHEST_SPOKEN = 20
_HIGHEST_TYPED = 999
_HIGHEST_ORDINAL = 10
_MOST_WORDS = 10
_LONGEST_STRANGER = 2
_TWO_VOTES = 4
"""Words for two players, and two votes."""
_PLAYER_SLOTS = ("player", "president")

Values = Mapping[str, Slot]
"""Plain wording -> what it means."""


class Grammar:
    """The sentences of some intents for one group of players. Immutable."""

    def __init__(
        self,
        pack: LanguagePack,
        players: tuple[str, ...],
        intents: frozenset[str],
        *,
        spoken: frozenset[str] | None = None,
        highest: int = _HIGHEST_SPOKEN,
        also: Mapping[str, int] = {},
    ) -> None:
        """`spoken`: those of `intents` that can be spoken, not only typed; None: all. `highest`: spoken number.

        `also`: more that players can be called -> seat. Names and seats come first.
        """
        self._pack = pack
        self.players = players
        """Names in seating order."""
        self.intents = intents
        """What can be meant by what is typed."""
        self.spoken = intents if spoken is None else spoken & intents
        """What can be meant by what is said."""
        self.highest = highest
        """The highest number that a recogniser is offered."""
        self._also = also
        self._lists = {**_fixed_lists(_Same(pack)), "player": {**also, **player_wordings(pack, players)}}
        self._names = frozenset(map(normalized, players))
        self._talk = _talk(_Same(pack))

    def parse(self, text: str, typed: bool = False) -> Parsed:
        """Return what `text` means; typed text may also be one of the short codes."""
        if len(text) > LONGEST_TEXT or _NEGATIVE.search(text):
            return NotUnderstood()
        if typed and (code := self._codes.get(text.strip().lower())):
            return code
        plain = normalized(text)
        for rest, prefix in self._split(plain) if typed else ():
            if prefix and (code := self._codes.get(rest)) and _allowed(code, prefix):
                return _prefixed(code, prefix)
        for texts in self._talk.readings(plain):
            found = [meant for reading in texts for meant in self._meanings(reading, typed)]
            if found:
                return _one_or_several(found)
        return self._mended(plain, typed)

    @cached_property
    def speakable(self) -> SpeakableGrammar:
        """What can be spoken as a tree, without the short codes."""
        trees = _trees(_Same(self._pack), self.players, self.highest, tuple(self._also))
        always = self.spoken - COMMANDS - ANSWERS
        now = (trees.part(name) for name in sorted(self.spoken - always))
        return SpeakableGrammar.united((*((trees.always(always),) if always else ()), *now))

    def is_of_edition(self, words: list[str]) -> bool:
        """Return whether `words` are all from names of the edition: of a role, a party, an office, a power."""
        return self._pack.edition_words.issuperset(words)

    def _mended(self, text: str, typed: bool) -> Parsed:
        """Return what a sentence with a second thought means: both, so that somebody asks."""
        for said, instead in self._talk.mended(text):
            first = self._one_command(said, typed)
            if first is None:
                continue
            words = said.split()
            heads = (" ".join(words[:end]) for end in reversed(range(len(words))))
            seconds = (self._one_command(f"{head} {instead}".strip(), typed) for head in heads)
            second = next((meant for meant in seconds if meant and _comparable(first, meant)), None)
            if second is not None and (first != second or first.slots):
                return first if first == second else Ambiguous((first, second))
        return NotUnderstood()

    def _one_command(self, text: str, typed: bool) -> Intent | None:
        for texts in self._talk.readings(text):
            found = [meant for reading in texts for meant in self._meanings(reading, typed)]
            if found:
                parsed = _one_or_several(found)
                return parsed if isinstance(parsed, Intent) and parsed.name in COMMANDS | ANSWERS else None
        return None

    def _meanings(self, text: str, typed: bool) -> Iterator[Intent | Incomplete]:
        for rest, prefix in self._split(text):
            for found in self._recognized(rest, typed):
                intent = found.intent if isinstance(found, Incomplete) else found
                if not _allowed(intent, prefix):
                    continue
                meant = _prefixed(intent, prefix)
                yield Incomplete(meant, found.slot) if isinstance(found, Incomplete) else meant

    def _split(self, text: str) -> Iterator[tuple[str, str | None]]:
        """Yield `text` as it is, and without a word in front that says what kind of sentence follows."""
        yield text, None
        for kind, texts in self._pack.sentences.prefixes.items():
            for prefix in map(normalized, texts):
                if text.startswith(f"{prefix} "):
                    yield text.removeprefix(f"{prefix} "), kind

    def _recognized(self, text: str, typed: bool) -> Iterator[Intent | Incomplete]:
        possible = self.intents if typed else self.spoken
        for result in recognize_all(text, self._hassil, slot_lists=self._slot_lists):
            metadata = result.intent_data.metadata or {}
            if result.intent.name not in possible or (metadata.get("typed") and not typed):
                continue
            for intent in _intents(result, self._names):
                yield Incomplete(intent, metadata["missing"]) if "missing" in metadata else intent

    @cached_property
    def _hassil(self) -> Intents:
        return _templates(_Same(self._pack), self.intents)

    @cached_property
    def _slot_lists(self) -> dict[str, SlotList]:
        return {**_fixed_slot_lists(_Same(self._pack)), "player": _slot_list("player", self._lists["player"])}

    @cached_property
    def _codes(self) -> dict[str, Intent]:
        """Short codes without slots: they may be signs, which the parser would drop."""
        return {
            code: Intent(name, dict(block.slots))
            for name in sorted(self.intents)
            for block in self._pack.sentences.intents[name]
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
def _fixed_lists(same: _Same) -> dict[str, Values]:
    return fixed_lists(same.pack)


@lru_cache(maxsize=64)
def _talk(same: _Same) -> Talk:
    return talk_of(same.pack.sentences)


@lru_cache(maxsize=16)
def _trees(same: _Same, players: tuple[str, ...], highest: int, also: tuple[str, ...]) -> SpokenTrees:
    called = dict.fromkeys((*player_wordings(same.pack, players), *also))
    lists: dict[str, Iterable[str]] = {**_fixed_lists(same), "player": called}
    lists["number"] = [text for number in range(highest + 1) for text in number_words(same.pack.language, number)]
    return SpokenTrees(same.pack, lists, len(players))


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


@lru_cache(maxsize=32)
def _fixed_slot_lists(same: _Same) -> dict[str, SlotList]:
    return {name: _slot_list(name, values) for name, values in _fixed_lists(same).items()}


def _slot_list(name: str, values: Values) -> SlotList:
    return TextSlotList.from_tuples(values.items(), allow_template=False, name=name)


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
    seats = _seats(_Same(pack), max(len(players), 1))
    digits = {str(seat): seat for seat in range(1, len(players) + 1)}
    names = {normalized(name): seat for seat, name in enumerate(players, 1) if normalized(name)}
    return {**digits, **seats, **names}


@lru_cache(maxsize=64)
def _seats(same: _Same, most: int) -> Values:
    """Return how the seats up to the number `most` can be called."""
    return {
        text: seat
        for seat in range(1, most + 1)
        for template in same.pack.sentences.seats
        for text in _seat_wordings(same.pack.language, template, seat)
    }


def _seat_wordings(language: str, template: str, seat: int) -> tuple[str, ...]:
    numbers = (*counting_words(language, seat), str(seat))
    filled = template.replace("{number}", f"({'|'.join(numbers)})")
    return wordings(filled.replace("{ordinal}", f"({'|'.join(ordinal_words(language, seat))})"))


def _list_values(values: Mapping[str, str]) -> Values:
    return {text: value for value, template in values.items() for text in wordings(template)}


def _data(blocks: tuple[Block, ...]) -> Iterator[dict[str, Any]]:
    for block in blocks:
        codes = [code for code in block.typed if "{" in code]
        if block.sentences:
            yield {"sentences": list(map(repeated, block.sentences)), "slots": dict(block.slots)}
        for slot, templates in block.pieces.items():
            yield {"sentences": list(templates), "slots": dict(block.slots), "metadata": {"missing": slot}}
        if codes:
            yield {"sentences": codes, "slots": dict(block.slots), "metadata": {"typed": True}}


def _intents(result: RecognizeResult, names: frozenset[str]) -> Iterator[Intent]:
    """Yield what a parse means: of votes in one go that contradict each other, both ways."""
    said = result.entities_list
    by_name = frozenset(int(one.value) for one in said if one.name in _PLAYER_SLOTS and normalized(one.text) in names)
    if result.intent.name != "cast_votes":
        slots: dict[str, Slot] = {entity.name: entity.value for entity in said}
        yield Intent(result.intent.name, slots, by_name=by_name)
        return
    if len(said) == _TWO_VOTES and all(player.text.strip().isdigit() for player in said[::2]):
        return  # "4 yes 1 no" is a count
    pairs = zip(said[::2], said[1::2], strict=True)
    votes = [(int(player.value), vote.value == "yes") for player, vote in pairs]
    for order in (votes[::-1], votes):
        last = dict(order)
        kept = tuple((seat, last[seat]) for seat in dict.fromkeys(seat for seat, _ in votes))
        yield Intent("cast_votes", votes=kept, by_name=by_name)


def _key(intent: Intent) -> tuple[object, ...]:
    return intent.name, frozenset(intent.slots.items()), intent.votes, intent.correction, intent.whisper


def _one_or_several(found: list[Intent | Incomplete]) -> Parsed:
    """Return the one meaning, or that there are several; a whole command beats a piece of one."""
    whole = {_key(meant): meant for meant in found if isinstance(meant, Intent)}
    pieces = {_key(meant.intent): meant for meant in found if isinstance(meant, Incomplete)}
    if not whole and len(pieces) == 1:
        return next(iter(pieces.values()))
    meant = tuple(whole.values()) or tuple(piece.intent for piece in pieces.values())
    return meant[0] if len(meant) == 1 else Ambiguous(meant)


def _comparable(first: Intent, second: Intent) -> bool:
    """Return whether somebody who corrects `first` may have meant `second` instead."""
    if {first.name, second.name} == {"answer_yes", "answer_no"}:
        return True
    return first.name == second.name and set(first.slots) == set(second.slots)


def _allowed(intent: Intent, prefix: str | None) -> bool:
    kinds = {"correction": COMMANDS, "whisper": QUESTIONS}
    return prefix is None or intent.name in kinds[prefix]


def _prefixed(intent: Intent, prefix: str | None) -> Intent:
    return replace(intent, correction=prefix == "correction", whisper=prefix == "whisper")
