"""Number words and ordinals by the rules of each language (CLDR rule-based number formats)."""

from __future__ import annotations

from functools import cache

from unicode_rbnf import RbnfEngine


@cache
def _engine(language: str) -> RbnfEngine:
    return RbnfEngine.for_language(language)


def number_words(language: str, number: int) -> tuple[str, ...]:
    """Return every way to say `number`, lower case, hyphens as spaces ("twenty one")."""
    return _spelled(language, number, "spellout-numbering", "spellout-cardinal")


def counting_words(language: str, number: int) -> tuple[str, ...]:
    """Return how `number` is said behind a noun ("seat three"), without the forms that go with one ("a", "eine")."""
    return _spelled(language, number, "spellout-numbering")


def ordinal_words(language: str, number: int) -> tuple[str, ...]:
    """Return every form of the ordinal of `number` ("third"; "dritte", "dritten", ...)."""
    return _spelled(language, number, "spellout-ordinal")


@cache
def spelled(language: str, number: int, ruleset: str) -> str:
    """Return `number` spelled by one named rule set of CLDR (such as `spellout-ordinal`)."""
    return str(_engine(language).format_number(number, ruleset_names=[ruleset]).text)


@cache
def _spelled(language: str, number: int, *kinds: str) -> tuple[str, ...]:
    rulesets = [ruleset for ruleset in _engine(language).rulesets if ruleset.startswith(kinds)]
    texts = (spelled(language, number, ruleset) for ruleset in rulesets)
    return tuple(dict.fromkeys(text.replace("\u00ad", "").replace("-", " ").lower() for text in texts))
