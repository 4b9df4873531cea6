"""Sentences for a meaning: the templates read the other way round."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from gm_assistant.dialogue.grammar import Values, fixed_lists, player_wordings
from gm_assistant.dialogue.intents import Intent, Slot
from gm_assistant.dialogue.pack import LanguagePack
from gm_assistant.dialogue.wordings import wordings

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
        for block in pack.sentences.intents[intent.name]
        if all(intent.slots.get(name) == value for name, value in block.slots.items())
        for template in block.sentences
        for text in _filled(pack, template, {**intent.slots}, frozenset(block.slots), lists)
    )
    return tuple(dict.fromkeys(texts))


def short_wordings(pack: LanguagePack, template: str, labels: Mapping[str, str]) -> tuple[str, ...]:
    """Return the wordings of a template without its optional words, lists as `labels` name them."""
    text = _without_rules(pack, template)
    while _OPTIONAL.search(text):
        text = _OPTIONAL.sub("", text)
    return _named(text, labels)


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
