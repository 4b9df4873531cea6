"""What people say for the things of an edition: templates that every sentence of a language can take in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import prod

from gm_assistant.checked import Flaw
from gm_assistant.dialogue.wordings import normalized, tree, wordings
from gm_assistant.errors import LanguagePackError
from gm_assistant.rules.edition import Edition
from gm_assistant.speakable import Choice, Node, Reference, Sequence

_LONGEST = 200
"""Characters of a template."""
_MOST = 50
"""Wordings of a template. They multiply in sentences."""


def spoken_flaws(edition: Edition, language: str) -> Iterator[Flaw]:
    """Yield the spoken forms of names that no sentence could take in: broken, silent, too many, or with rules."""
    for thing, forms in edition.names.get(language, {}).items():
        for form, template in forms.items():
            if form.partition("_")[0] == "spoken" and not _is_sayable(template):
                yield Flaw(("names", language, thing, _place(forms, form)), template, template, "a, (a|b), a [b]")


def _place(forms: Mapping[str, str], form: str) -> str:
    """Return which form is wrong: an edition is said as it is called, unless its file says how."""
    return "name" if forms[form] == normalized(forms.get("name", "")) else form


def _is_sayable(template: str) -> bool:
    if len(template) > _LONGEST:
        return False
    try:
        return 0 < _count(tree(template, frozenset())) <= _MOST and "" not in wordings(template)
    except LanguagePackError:
        return False


def _count(node: Node) -> int:
    """Return the number of wordings; none with a rule."""
    match node:
        case str():
            return 1
        case Sequence(parts):
            return prod(map(_count, parts))
        case Choice(options):
            counts = [_count(option) for option in options]
            return sum(counts) if all(counts) else 0
        case Reference():
            return 0
