"""What the tests of the language packs share: every language with every edition, its sentences and its phrases."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from datetime import datetime
from functools import cache
from random import Random
from string import Formatter
from typing import Any

import pytest
from phrase_keys import POWERS, asked, expanded
from spoken_samples import PLAYERS, Rules, rules_of, samples
from table import Table, roles_for

from gm_assistant.dialogue.grammar import Grammar
from gm_assistant.dialogue.intents import ALL, CONFIRMING, IN_ANY_SET_UP, IN_PLAY
from gm_assistant.dialogue.messages import Fact, Message, Person, Place, Term
from gm_assistant.dialogue.phrasebook import Phrasebook
from gm_assistant.dialogue.set_up import QUESTION_INTENTS
from gm_assistant.library import load_library
from gm_assistant.rules.commands import DealRoles
from gm_assistant.rules.model import Office, Party
from gm_assistant.scenes.dealing import PrivateNotes, RoleEntry, TokenDeal
from gm_assistant.scenes.opening import consultations
from gm_assistant.scenes.prologue_reading import PrologueReading

LIBRARY = load_library()
LANGUAGES = sorted(LIBRARY.packs)
EDITIONS = sorted(LIBRARY.editions)
PACKS = list(itertools.product(LANGUAGES, EDITIONS))
SCENE_INTENTS = {
    "in the prologue": PrologueReading.intents,
    "in a consultation": consultations(Table(5).do(DealRoles(roles_for(5))).state, (1,), Random(0)).intents,
    "while tokens are dealt": TokenDeal.intents,
    "while roles are entered": RoleEntry.intents,
    "in the private notes": PrivateNotes.intents,
}
MOMENT_INTENTS = {
    "in play": IN_PLAY | CONFIRMING,
    **SCENE_INTENTS,
    **{f"asked for {question.value}": IN_ANY_SET_UP | answers for question, answers in QUESTION_INTENTS.items()},
}
"""Sets of intents that are understood together."""

every_language = pytest.mark.parametrize("language", LANGUAGES)
every_pack = pytest.mark.parametrize(("language", "edition"), PACKS)


# Sentences.


@cache
def grammar_for(language: str, edition: str, intents: frozenset[str]) -> Grammar:
    return Grammar(LIBRARY.pack(language, edition), PLAYERS, intents)


@cache
def rules_for(language: str, edition: str) -> Rules:
    return rules_of(LIBRARY.pack(language, edition))


@cache
def samples_of(language: str, edition: str, intent: str) -> tuple[str, ...]:
    """Return sentences of an intent; every template and every word of it comes."""
    rules, pack = rules_for(language, edition), LIBRARY.pack(language, edition)
    templates = (template for block in pack.sentences.intents[intent] for template in block.sentences)
    return tuple(dict.fromkeys(text for template in templates for text in samples(pack, template, rules)))


def all_samples(language: str, edition: str, intents: frozenset[str] = ALL) -> Iterator[tuple[str, str]]:
    """Yield intent and sentence."""
    for name in sorted(intents):
        yield from ((name, text) for text in samples_of(language, edition, name))


def pieces_of(language: str, edition: str) -> Iterator[tuple[str, str, str]]:
    """Yield intent, missing slot and words of commands in pieces."""
    rules, pack = rules_for(language, edition), LIBRARY.pack(language, edition)
    for name, blocks in pack.sentences.intents.items():
        for slot, template in (
            (slot, text) for block in blocks for slot, texts in block.pieces.items() for text in texts
        ):
            yield from ((name, slot, text) for text in samples(pack, template, rules))


def typed_samples(language: str, edition: str, intents: frozenset[str]) -> Iterator[tuple[str, str]]:
    """Yield intent and short code."""
    rules, pack = rules_for(language, edition), LIBRARY.pack(language, edition)
    for name in sorted(intents):
        for code in (code for block in pack.sentences.intents[name] for code in block.typed):
            yield from ((name, text) for text in (samples(pack, code, rules) if "{" in code else (code,)))


# Phrases.

BARE = {"headset-hidden", "phrases-codes", "phrases-role-keys", "place", "seat-name", *expanded("label-*")}
"""Pieces that stand inside or beside other text: no sentences."""

NUMBERS = (0, 1, 2, 5)
PEOPLE = {"player", "president", "chancellor", "candidate", "next"}
TEXTS = {
    *("name", "names", "file", "path", "problem", "allowed", "template", "language", "edition", "device"),
    *("available", "reason", "codes", "line", "share", "words", "option", "value", "part", "code", "sentence", "text"),
}
_OFFICES = {office.value for office in Office}
_NAMED = {"dictator", *(party.value for party in Party), *POWERS}
"""Things of an edition that no message brings: a gap with such a name is always the edition's."""


def powers_of(edition: str) -> set[str]:
    """Return the powers that some number of players has."""
    columns = LIBRARY.editions[edition].powers.values()
    return {power.value for column in columns for power in column} & set(POWERS)


@cache
def phrases_of(language: str, edition: str) -> dict[str, str]:
    """Return the phrases that can be said with an edition: with its material's words, without powers it lacks."""
    phrases = LIBRARY.packs[language].phrases
    texts = {**phrases.phrases, **phrases.materials.get(LIBRARY.editions[edition].material, {})}
    lacking = set(POWERS) - powers_of(edition)
    return {key: text for key, text in texts.items() if not lacking & {fact for fact, _ in forms(text)}}


def forms(text: str) -> list[tuple[str, str]]:
    """Return the gaps of a phrase, each with the form that it asks for."""
    return [(fact, form or "") for _, fact, form, _ in Formatter().parse(text) if fact is not None]


def gaps(text: str) -> set[str]:
    """Return the facts that a message must bring."""
    named = {fact for fact, form in forms(text) if fact in _NAMED or (form and fact in (*_OFFICES, "edition"))}
    return {fact for fact, form in forms(text) if fact not in named or (not form and fact in _OFFICES)}


def given(key: str) -> set[str]:
    """Return the facts that come with a key at any place in the code, as far as its source tells."""
    return {fact for found in asked() if key in expanded(found.key) for fact in found.facts or ()}


def values_of(fact: str, edition: str) -> list[Any]:
    objects: dict[str, list[Any]] = {
        "party": [Term(party.value) for party in Party],
        "power": [Term(power) for power in sorted(powers_of(edition))],
        "players": [tuple(map(Person, PLAYERS)), (Person("Anna"),)],
        "name": ["(name)", "Anna"],
        "place": [Place("Anna", 1)],
        "places": [(Place("Anna", 1),), (Place("Anna", 1), Place("Ben", 2), Place("Clara", 3))],
        "names": ["Anna, Ben, Clara", tuple(map(Person, PLAYERS))],
        "editions": [(Person("Secret Dictator"),), (Person("Secret Dictator"), Person("Secret Hitler"))],
        "sentences": [(Person("veto"),)],
        "when": [datetime(2026, 11, 30, 20, 15)],
    }
    if fact in objects:
        return objects[fact]
    if fact in PEOPLE:
        return [Person("Anna")]
    return [f"({fact})"] if fact in TEXTS else list(NUMBERS)


@cache
def book_of(language: str, edition: str) -> Phrasebook:
    return LIBRARY.phrasebook(language, edition)


@cache
def rendered(language: str, edition: str, key: str) -> tuple[str, ...]:
    """Return a phrase filled with sample facts of every kind."""
    names = sorted(gaps(phrases_of(language, edition)[key]))
    filled = itertools.product(*(values_of(name, edition) for name in names))
    facts: Iterator[dict[str, Fact]] = (dict(zip(names, values, strict=True)) for values in filled)
    return tuple(dict.fromkeys(book_of(language, edition).phrase(Message(key, given)) for given in facts))


def said(language: str, edition: str) -> Iterator[tuple[str, str]]:
    """Yield key and text of every phrase that can be said with an edition, filled in all ways."""
    for key in phrases_of(language, edition):
        yield from ((key, text) for text in rendered(language, edition, key))
