"""What a language pack must hold beyond the right types: templates that compile, every intent, every prefix."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from string import Formatter
from typing import TYPE_CHECKING

from gm_assistant.dialogue.intents import ALL
from gm_assistant.dialogue.wordings import parsed, tree, wordings
from gm_assistant.errors import LanguagePackError
from gm_assistant.speakable import Choice, Node, Reference, Sequence

if TYPE_CHECKING:
    from gm_assistant.dialogue.pack import Phrases, Sentences

PREFIXES = ("correction", "whisper")
OPEN_LISTS = ("player", "number", "ordinal", "first_name")
"""Lists that the program fills: players, numbers and first names."""

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
    lists = frozenset((*sentences.lists, *OPEN_LISTS))
    for path, template in _templates(sentences):
        _check_template(file, path, template, lists, frozenset(sentences.rules))


def check_phrases(phrases: Phrases, file: str) -> None:
    """Raise LanguagePackError("pack-broken") for a phrase whose gaps are not closed or have no name."""
    for key, text in phrases.phrases.items():
        path = f"phrases.{key}"
        try:
            names = [name for _, name, _, _ in Formatter().parse(text) if name is not None]
        except ValueError as broken:
            raise _broken(file, path, str(broken), ("{fact}", "{fact:form}")) from broken
        if not text.strip() or not all(name.isidentifier() for name in names):
            raise _broken(file, path, text, ("{fact}", "{fact:form}"))


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


def _templates(sentences: Sentences) -> Iterator[_Template]:
    yield from ((f"rules.{name}", template) for name, template in sentences.rules.items())
    for name, blocks in sentences.intents.items():
        for place, block in enumerate(blocks, 1):
            codes = (code for code in block.typed if "{" in code)
            for kind, templates in (("sentences", block.sentences), ("typed", codes)):
                for number, template in enumerate(templates, 1):
                    yield f"intents.{name}.{place}.{kind}.{number}", template


def _check_plain(file: str, path: str, template: str) -> None:
    _check_template(file, path, template, frozenset(), frozenset())
    if "" in wordings(template):
        raise _broken(file, path, template, (_SIGNS,))


def _check_template(file: str, path: str, template: str, lists: frozenset[str], rules: frozenset[str]) -> None:
    try:
        node = tree(template, frozenset(parsed(template).list_names()))
    except LanguagePackError as broken:
        raise _broken(file, path, f"{template}: {broken.facts['problem']}", (_SIGNS,)) from broken
    for rule in _references(node):
        kind, _, name = rule.partition("-")
        known, shown = (lists, f"{{{name}}}") if kind == "list" else (rules, f"<{name}>")
        if name not in known:
            raise _broken(file, path, f"{template}: {shown}", known)


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
