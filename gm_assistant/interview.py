"""The questions of the set-up with their words: pure functions of the library and the plan so far."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

import msgspec
from babel import Locale

from gm_assistant.dialogue.grammar import Grammar
from gm_assistant.dialogue.intents import IN_ANY_SET_UP, IN_PLAY, Intent
from gm_assistant.dialogue.messages import Fact, Message, Messages, Person
from gm_assistant.dialogue.pack import LanguagePack
from gm_assistant.dialogue.samples import every_wording
from gm_assistant.dialogue.set_up import (
    QUESTION_INTENTS,
    Plan,
    Question,
    answered,
    with_all_blind,
    with_first,
    with_name,
    with_names,
)
from gm_assistant.errors import RuleViolation
from gm_assistant.library import Library
from gm_assistant.rules.decide import start
from gm_assistant.rules.edition import Edition
from gm_assistant.rules.events import Event
from gm_assistant.rules.model import GameOver, GameState, Seat


def edition_of(library: Library, plan: Plan) -> Edition:
    """Return the edition of the plan; before one is chosen, the default one."""
    return library.edition(plan.edition)


def first_events(edition: Edition, plan: Plan) -> tuple[Event, ...]:
    """Return the events that begin the game of a plan that is complete. Raise RuleViolation as `start` does."""
    started, *others = start(edition, plan.names, plan.first or 1)
    return (msgspec.structs.replace(started, blind=plan.blind or ()), *others)


def with_deadline(edition: Edition, seconds: int | None) -> Edition:
    """Return the edition with another deadline for secret ballots, in s; unchanged with None."""
    return edition if seconds is None else msgspec.structs.replace(edition, vote_deadline=seconds)


def again(plan: Plan, state: GameState, blind: tuple[Seat, ...]) -> Plan:
    """Return the plan for one more game of the same players. Raise RuleViolation("game-goes-on") if one goes on."""
    if not isinstance(state.phase, GameOver):
        raise RuleViolation("game-goes-on")
    return once_more(plan, state, blind)


def once_more(plan: Plan, state: GameState, blind: tuple[Seat, ...]) -> Plan:
    """Return the plan for one more game of the same players, whether this one is over or not."""
    known = blind if plan.private else None
    names = state.players
    return Plan(plan.language, state.rules.edition, len(names), names, unheard=(), blind=known, private=plan.private)


def grammar_of(library: Library, plan: Plan, language: str, also: Mapping[str, Seat]) -> Grammar:
    """Return what can be said to the next question. `also`: more that players can be called."""
    expected = QUESTION_INTENTS[plan.question] if plan.question else frozenset[str]()
    return Grammar(library.pack(language, plan.edition), plan.names, expected | IN_ANY_SET_UP, also=also)


def asked(library: Library, plan: Plan, language: str) -> Messages:
    """Return the next question; nothing if the plan is complete."""
    if plan.question is None:
        return ()
    key = f"ask-{plan.question.value}"
    if plan.question is Question.FIRST:
        key = f"ask-first-{edition_of(library, plan).first_president}"
    if plan.question is Question.HEARING and plan.unheard:
        key = f"ask-hearing-{len(plan.unheard[0].words)}"
    return (Message(key, _question_facts(library, plan, language)),)


def _question_facts(library: Library, plan: Plan, language: str) -> dict[str, Fact]:
    match plan.question:
        case Question.EDITION:
            return {
                "editions": tuple(Person(one.names[language]["edition"]["name"]) for one in library.editions.values())
            }
        case Question.COUNT:
            limits = edition_of(library, plan).players
            return {"least": limits.least, "most": limits.most}
        case Question.NAME:
            return {"number": len(plan.names) + 1}
        case Question.HEARING if plan.unheard:
            unheard = plan.unheard[0]
            words = dict(zip(("first", "second", "third"), unheard.words, strict=False))
            return {"name": unheard.name, "number": plan.names.index(unheard.name) + 1, **words}
        case _:
            return {}


def took(library: Library, plan: Plan, intent: Intent, language: str) -> Plan:
    """Return the plan after a spoken or typed answer. Raise RuleViolation if it does not fit."""
    pack = library.pack(language, plan.edition)
    seat_name = library.phrasebook(language, plan.edition).phrase(Message("seat-name", {"number": len(plan.names) + 1}))
    return answered(plan, intent, edition_of(library, plan), pack, seat_name)


def took_text(library: Library, plan: Plan, text: str, language: str) -> Plan | None:
    """Return the plan after typed text that is no sentence: a name, or all names with commas; None if it is neither.

    Raise RuleViolation if a name or their number does not fit.
    """
    pack = library.pack(language, plan.edition)
    if isinstance(Grammar(pack, plan.names, IN_PLAY).parse(text), Intent):
        return None
    if plan.question is Question.COUNT and "," in text:
        return with_names(plan, listed_names(pack, text), edition_of(library, plan), pack)
    if plan.question is Question.NAME and "," in text and not plan.names:
        return with_names(plan, listed_names(pack, text), edition_of(library, plan), pack)
    if plan.question is Question.NAME:
        return with_name(plan, without_opening(pack, text), pack)
    if plan.question is Question.FIRST:
        return with_first(plan, text, pack)
    if plan.question is Question.BLIND:
        return with_all_blind(plan, listed_names(pack, text), pack)
    if plan.question is Question.LANGUAGE and text.strip().lower() in library.packs:
        return replace(plan, language=text.strip().lower())
    return None


def listed_names(pack: LanguagePack, text: str) -> tuple[str, ...]:
    """Return the names of a list as people write it: commas, and perhaps the word before the last one."""
    _, last_word, _ = re.split(r"\{\d\}", Locale.parse(pack.language).list_patterns["standard"]["2"])
    *names, last = text.split(",")
    first, word, second = last.rpartition(last_word)
    return (*names, first, second) if word and first.strip() else (*names, last)


def without_opening(pack: LanguagePack, text: str) -> str:
    """Return a name without the words around it that the pack knows ("my name is ...")."""
    said = text.strip().rstrip(".!")
    templates = (template for block in pack.sentences.intents["say_name"] for template in block.sentences)
    arounds = (around for template in templates for around in every_wording(pack, template, {"first_name": "{}"}))
    for around in sorted(arounds, key=len, reverse=True):
        before, _, after = around.partition("{}")
        if (before or after) and _is_around(said, before, after):
            return said[len(before) : len(said) - len(after)]
    return text


def _is_around(said: str, before: str, after: str) -> bool:
    plain = said.lower()
    return plain.startswith(before) and plain.endswith(after) and len(plain) > len(before) + len(after)


def confirmed(before: Plan, after: Plan) -> Messages:
    """Return what an answer was taken as, in short; nothing where the next words make it plain."""
    if len(after.names) == len(before.names) + 1:
        return (Message("name-is", {"number": len(after.names), "name": after.names[-1]}),)
    if sorted(after.names) == sorted(before.names) and after.names != before.names:
        return (Message("order-drawn", {"names": tuple(map(Person, after.names))}),)
    if after.names != before.names:
        return (Message("count-is", {"number": len(after.names)}),)
    if after.count != before.count and after.count is not None:
        return (Message("count-is", {"number": after.count}),)
    if after.naming_blind != before.naming_blind and after.blind is None:
        return (Message("blind-so-far", {"players": _people(after, after.naming_blind)}),)
    if after.blind is not None and before.blind is None:
        key = "blind-are" if after.blind else "nobody-is-blind"
        return (Message(key, {"players": _people(after, after.blind)}),)
    return ()


def _people(plan: Plan, seats: tuple[Seat, ...]) -> tuple[Person, ...]:
    return tuple(Person(plan.names[seat - 1]) for seat in seats)
