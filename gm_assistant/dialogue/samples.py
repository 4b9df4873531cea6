"""Sentences for a meaning: the templates read the other way round."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from gm_assistant.dialogue.grammar import Values, fixed_lists, player_wordings
from gm_assistant.dialogue.intents import Intent, Slot
from gm_assistant.dialogue.pack import Block, LanguagePack
from gm_assistant.dialogue.wordings import normalized, wordings

_RULE = re.compile(r"<(\w+)>")
_LIST = re.compile(r"\{(\w+)(?::(\w+))?\}")
_OPTIONAL = re.compile(r"\[[^\[\]]*\]|\(\s*\)")
_IMPOSSIBLE = "unfillableslot"
"""Stands where a template wants a slot that the meaning does not have; no such sentence is returned."""


def sentences_for(pack: LanguagePack, players: tuple[str, ...], intent: Intent) -> tuple[str, ...]:
    """Return every spoken wording of `intent` with exactly its slots, in the pack's order."""
    lists = {**fixed_lists(pack), "player": player_wordings(pack, players)}
    texts = (
        text
        for block in _fitting(pack, intent)
        for template in block.sentences
        for text in _filled(pack, template, {**intent.slots}, frozenset(block.slots), lists)
    )
    return tuple(dict.fromkeys(texts))


def plain_sentence(pack: LanguagePack, players: tuple[str, ...], intent: Intent) -> str:
    """Return the first wording of `intent` without its optional words, with players by their names; "" if none is."""
    if intent.votes:
        votes = [Intent("cast_vote", {"player": seat, "vote": "yes" if yes else "no"}) for seat, yes in intent.votes]
        return ", ".join(plain_sentence(pack, players, vote) for vote in votes)
    lists = {**fixed_lists(pack), "player": {normalized(name): seat for seat, name in enumerate(players, 1)}}
    for block in _fitting(pack, intent):
        for template in block.sentences:
            short = _shortened(_without_rules(pack, template))
            for text in _filled(pack, short, {**intent.slots}, frozenset(block.slots), lists):
                return _with_names(text, players)
    return ""


def typed_code(pack: LanguagePack, intent: Intent) -> str:
    """Return a short code for `intent`, with players by their seats; "" if it has none."""
    lists = fixed_lists(pack)
    for block in _fitting(pack, intent):
        for code in block.typed:
            slots = {found[2] or found[1]: found for found in _LIST.finditer(code)}
            if {*slots, *block.slots} == set(intent.slots):
                return _LIST.sub(lambda found: _typed_word(lists, found[1], intent.slots[found[2] or found[1]]), code)
    return ""


def _typed_word(lists: Mapping[str, Values], name: str, value: Slot) -> str:
    if isinstance(value, int):
        return str(value)
    return next(text for text, meant in lists[name].items() if meant == value)


def _fitting(pack: LanguagePack, intent: Intent) -> Iterator[Block]:
    """Yield the blocks whose fixed slots are those of `intent`."""
    for block in pack.sentences.intents[intent.name]:
        if all(intent.slots.get(name) == value for name, value in block.slots.items()):
            yield block


def _with_names(text: str, players: tuple[str, ...]) -> str:
    """Return a sentence in which the players' names are spelt as they are."""
    for name in players:
        text = re.sub(rf"\b{re.escape(normalized(name))}\b", lambda _, name=name: name, text)  # type: ignore[misc]
    return text


def _shortened(template: str) -> str:
    while _OPTIONAL.search(template):
        template = _OPTIONAL.sub("", template)
    return template


def short_wordings(pack: LanguagePack, template: str, labels: Mapping[str, str]) -> tuple[str, ...]:
    """Return the wordings of a template without its optional words, lists as `labels` name them."""
    return _named(_shortened(_without_rules(pack, template)), labels)


def every_wording(pack: LanguagePack, template: str, labels: Mapping[str, str]) -> tuple[str, ...]:
    """Return all wordings of a template, lists as `labels` name them."""
    return _named(_without_rules(pack, template), labels)


def _named(template: str, labels: Mapping[str, str]) -> tuple[str, ...]:
    marked = _LIST.sub(lambda found: f"slot{found[1]}slot", template)
    return tuple(_labelled(plain, labels) for plain in wordings(marked))


def _labelled(text: str, labels: Mapping[str, str]) -> str:
    for name, label in labels.items():
        text = text.replace(f"slot{name.replace('_', ' ')}slot", label)
    return text


def _filled(
    pack: LanguagePack, template: str, slots: dict[str, Slot], fixed: frozenset[str], lists: Mapping[str, Values]
) -> Iterator[str]:
    used = set(fixed)

    def words(found: re.Match[str]) -> str:
        slot = found[2] or found[1]
        used.add(slot)
        if slot not in slots:
            return _IMPOSSIBLE
        values = lists[found[1]]
        spoken = [text for text, value in values.items() if value == slots[slot] and not _has_digit(text)]
        return f"({'|'.join(spoken)})"

    text = _LIST.sub(words, _without_rules(pack, template))
    if used >= set(slots):
        yield from (plain for plain in wordings(text) if _IMPOSSIBLE not in plain)


def _without_rules(pack: LanguagePack, template: str) -> str:
    text = template
    while _RULE.search(text):
        text = _RULE.sub(lambda found: f"({pack.sentences.rules[found[1]]})", text)
    return text


def _has_digit(text: str) -> bool:
    return any(sign.isdigit() for sign in text)
