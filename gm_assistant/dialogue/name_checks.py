"""Whether an edition has every name, in every form, that the phrases and sentences of a language ask for."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain
from string import Formatter

from gm_assistant.dialogue.pack import LanguagePack
from gm_assistant.dialogue.pack_checks import OFFICES, POWERS, THINGS, plurals
from gm_assistant.dialogue.spoken_names import EDITION_LISTS, spoken_form
from gm_assistant.rules.edition import Edition, Fault
from gm_assistant.rules.model import Party, Power

_RULE = re.compile(r"<(\w+)>")
_LIST = re.compile(r"\{(\w+)")
_Form = tuple[str, str]
"""Thing and form."""


def name_faults(pack: LanguagePack, edition: Edition) -> Iterator[Fault]:
    """Yield every name that `edition` lacks in the language of `pack`: path, the missing form, what may stand there."""
    names = edition.names.get(pack.language)
    if names is None:
        yield "names", f"{pack.language}?", ", ".join(sorted({*edition.names, pack.language}))
        return
    for thing, form in sorted({*_spoken_forms(pack, edition), *_phrase_forms(pack, edition)}):
        there = names.get(thing, {})
        if form not in there:
            yield f"names.{pack.language}.{thing}", f"{form}?", ", ".join(sorted({*there, form}))


def _phrase_forms(pack: LanguagePack, edition: Edition) -> Iterator[_Form]:
    powers = _powers(edition)
    phrases = {**pack.phrases.phrases, **pack.phrases.materials.get(edition.material, {})}
    for text in phrases.values():
        for _, fact, form, _ in Formatter().parse(text):
            if fact is not None:
                yield from _wanted_forms(pack.language, powers, fact, form or "")


def _spoken_forms(pack: LanguagePack, edition: Edition) -> Iterator[_Form]:
    """Yield what the sentences ask of the edition's names."""
    sentences = pack.sentences
    blocks = (block for blocks in sentences.intents.values() for block in blocks)
    texts = (text for block in blocks for text in (*block.sentences, *block.typed, *chain(*block.pieces.values())))
    templates = [*sentences.rules.values(), *texts]
    text = " ".join(templates)
    for name in set(_LIST.findall(text)) & set(EDITION_LISTS[1:]):
        yield from ((party, spoken_form(name.partition("_")[2])) for party in Party)
    for name in set(_RULE.findall(text)) - set(sentences.rules):
        thing, _, form = name.partition("_")
        yield thing, spoken_form(form)
    yield "edition", spoken_form("")
    yield from ((power, spoken_form("")) for power in _powers(edition))


def _wanted_forms(language: str, powers: frozenset[Power], fact: str, form: str) -> Iterator[_Form]:
    """Yield what a phrase asks of the edition's names in one of its gaps."""
    if "." in form:
        thing, _, noun = form.partition(".")
        yield from ((thing, f"{noun}_{category}") for category in plurals(language))
        return
    kinds: dict[str, list[str]] = {"party": sorted(Party), "power": sorted(powers)}
    named = bool(form) if fact in OFFICES else fact in THINGS
    things = kinds.get(fact, [fact] if named and (fact not in POWERS or fact in powers) else [])
    yield from ((thing, form or "name") for thing in things)


def _powers(edition: Edition) -> frozenset[Power]:
    return frozenset(power for column in edition.powers.values() for power in column) - {Power.NONE}
