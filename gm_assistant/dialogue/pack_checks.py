"""What a language pack must hold beyond the right types: templates that compile, every intent, every prefix."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import chain
from string import Formatter
from typing import TYPE_CHECKING

from babel import Locale

from gm_assistant.dialogue.intents import ALL
from gm_assistant.dialogue.spoken_names import EDITION_LISTS, SPOKEN_THINGS
from gm_assistant.dialogue.wordings import parsed, tree, wordings
from gm_assistant.errors import LanguagePackError
from gm_assistant.rules.edition import Material
from gm_assistant.rules.model import Office, Party, Power
from gm_assistant.speakable import Choice, Node, Reference, Sequence

if TYPE_CHECKING:
    from gm_assistant.dialogue.pack import LanguagePack, Phrases, Sentences

PREFIXES = ("correction", "whisper")
FILLERS = ("before", "after", "hesitations")
"""What people say in front of a sentence, behind it, and anywhere."""

OPEN_LISTS = ("player", "number", "ordinal", "first_name", *EDITION_LISTS)
"""Lists that the program fills: players, numbers, first names, and the edition's names for laws."""

OFFICES = tuple(Office)
POWERS = tuple(power for power in Power if power is not Power.NONE)
THINGS = ("edition", "dictator", *Party, *POWERS)
"""What a phrase may name without a fact. An office has a form: without one it is the person who holds it."""

_KINDS = ("party", "power")
"""Facts that are things of the edition."""

_GAPS = ("{fact}", "{fact:form}")
_SIGNS = "(a|b) [a] <rule> {list}"
_Template = tuple[str, str]
"""Where a template stands, and the template."""


def check_sentences(sentences: Sentences, language: str, file: str) -> None:
    """Raise LanguagePackError("pack-broken") with file, path, problem and what is allowed."""
    if sentences.language != language:
        raise _broken(file, "language", sentences.language, (language,))
    _check_keys(file, "intents", sentences.intents, ALL)
    _check_keys(file, "prefixes", sentences.prefixes, PREFIXES)
    for path, template in _plain_templates(sentences):
        _check_plain(file, path, template)
    if unknown := sorted(set(sentences.fillers) - set(FILLERS)):
        raise _broken(file, f"fillers.{unknown[0]}", unknown[0], FILLERS)
    lists = frozenset((*sentences.lists, *OPEN_LISTS))
    for path, template in _templates(sentences):
        _check_template(file, path, template, lists, frozenset(sentences.rules))


def check_phrases(phrases: Phrases, language: str, file: str) -> None:
    """Raise LanguagePackError("pack-broken") for a gap that is not closed or asks for a form that there is not."""
    for name, forms in phrases.forms.items():
        if missing := sorted(plurals(language) - set(forms)):
            raise _broken(file, f"forms.{name}", f"{missing[0]}?", {*plurals(language), "zero"})
    known = {*phrases.forms, *phrases.ordinals, "or"}
    for path, text in _texts(phrases):
        for fact, form in _gaps(file, path, text):
            if form and "." not in form and fact not in (*OFFICES, *THINGS, *_KINDS) and form not in known:
                raise _broken(file, path, f"{{{fact}:{form}}}", known)
    for material, texts in phrases.materials.items():
        if material not in tuple(Material):
            raise _broken(file, "materials", material, Material)
        if unknown := sorted(set(texts) - set(phrases.phrases)):
            raise _broken(file, f"materials.{material}.{unknown[0]}", unknown[0], phrases.phrases)


def _texts(phrases: Phrases) -> Iterator[tuple[str, str]]:
    yield from ((f"phrases.{key}", text) for key, text in phrases.phrases.items())
    for material, texts in phrases.materials.items():
        yield from ((f"materials.{material}.{key}", text) for key, text in texts.items())


def _gaps(file: str, path: str, text: str) -> list[tuple[str, str]]:
    try:
        gaps = [(fact, form or "") for _, fact, form, _ in Formatter().parse(text) if fact is not None]
    except ValueError as broken:
        raise _broken(file, path, str(broken), _GAPS) from broken
    if not text.strip() or not all(fact.isidentifier() for fact, _ in gaps):
        raise _broken(file, path, text, _GAPS)
    return gaps


def check_same_phrases(pack: LanguagePack, reference: LanguagePack) -> None:
    """Raise LanguagePackError("pack-broken") if `pack` lacks a phrase that `reference` has."""
    if missing := sorted(set(reference.phrases.phrases) - set(pack.phrases.phrases)):
        raise _broken(f"{pack.language}/phrases.yaml", f"phrases.{missing[0]}", "?", (missing[0],))


@cache
def plurals(language: str) -> frozenset[str]:
    """Return the plural categories that a language has for whole numbers."""
    return frozenset(str(Locale.parse(language).plural_form(number)) for number in range(1, 100))


def _check_keys(file: str, path: str, found: Mapping[str, object], wanted: Iterable[str]) -> None:
    if missing := sorted(set(wanted) - set(found)):
        raise _broken(file, path, f"{missing[0]}?", wanted)
    if unknown := sorted(set(found) - set(wanted)):
        raise _broken(file, f"{path}.{unknown[0]}", unknown[0], wanted)


def _plain_templates(sentences: Sentences) -> Iterator[_Template]:
    """Templates that must do without rules and lists (a seat has its number)."""
    for name, values in sentences.lists.items():
        yield from ((f"lists.{name}.{value}", template) for value, template in values.items())
    for number, template in enumerate(sentences.seats, 1):
        filled = template.replace("{number}", "number").replace("{ordinal}", "ordinal")
        yield f"seats.{number}", filled
    for kind, templates in {**sentences.fillers, "repairs": sentences.repairs, "wake": sentences.wake}.items():
        yield from ((f"{kind}.{number}", template) for number, template in enumerate(templates, 1))


def _templates(sentences: Sentences) -> Iterator[_Template]:
    yield from ((f"rules.{name}", template) for name, template in sentences.rules.items())
    for name, blocks in sentences.intents.items():
        for place, block in enumerate(blocks, 1):
            codes = (code for code in block.typed if "{" in code)
            pieces = chain.from_iterable(block.pieces.values())
            for kind, templates in (("sentences", block.sentences), ("typed", codes), ("pieces", pieces)):
                for number, template in enumerate(templates, 1):
                    yield f"intents.{name}.{place}.{kind}.{number}", template


def _check_plain(file: str, path: str, template: str) -> None:
    _check_template(file, path, template, frozenset(), frozenset())
    if any(_references(tree(template, frozenset()))) or "" in wordings(template):
        raise _broken(file, path, template, (_SIGNS,))


def _check_template(file: str, path: str, template: str, lists: frozenset[str], rules: frozenset[str]) -> None:
    try:
        node = tree(template, frozenset(parsed(template).list_names()))
    except LanguagePackError as broken:
        raise _broken(file, path, f"{template}: {broken.facts['problem']}", (_SIGNS,)) from broken
    for rule in _references(node):
        kind, _, name = rule.partition("-")
        known, shown = (lists, f"{{{name}}}") if kind == "list" else (rules, f"<{name}>")
        named_by_edition = kind == "rule" and name.partition("_")[0] in SPOKEN_THINGS
        if name not in known and not named_by_edition:
            raise _broken(file, path, f"{template}: {shown}", known or (_SIGNS,))


def _references(node: Node) -> Iterator[str]:
    match node:
        case Reference(rule):
            yield rule
        case Choice(parts) | Sequence(parts):
            for part in parts:
                yield from _references(part)
        case str():
            return


def _broken(file: str, path: str, problem: str, allowed: Iterable[str]) -> LanguagePackError:
    return LanguagePackError("pack-broken", file=file, path=path, problem=problem, allowed=", ".join(sorted(allowed)))
