"""The list of everything one can say."""

from __future__ import annotations

import pytest
from fakes import NAMES, library, phrase, phrase_in

from gm_assistant.dialogue.grammar import Grammar, fixed_lists
from gm_assistant.dialogue.intents import ALL, Ambiguous, Intent, NotUnderstood
from gm_assistant.library import DEFAULT_EDITION
from gm_assistant.phrase_list import phrase_lines

LANGUAGES = sorted(library().packs)
EDITIONS = sorted(library().editions)
CHAPTERS = (
    *("phrases-commands", "phrases-questions", "phrases-controls"),
    *("phrases-private", "phrases-answers", "phrases-scenes", "phrases-set-up-answers"),
)


@pytest.fixture(scope="module")
def english() -> list[str]:
    return list(phrase_lines(library(), "en"))


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_line_is_plain(language: str, edition: str) -> None:
    lines = list(phrase_lines(library(), language, edition))
    assert all(line.strip() == line and line.isprintable() and line for line in lines)
    assert not any(sign in line for line in lines for sign in "{}[]<>|_")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_every_chapter(language: str) -> None:
    book = library().phrasebook(language, None)
    lines = list(phrase_lines(library(), language))
    places = [lines.index(book._pack.phrases.phrases[chapter]) for chapter in CHAPTERS]
    assert places == sorted(places)


def test_the_chapters_come_in_order_after_the_introduction(english: list[str]) -> None:
    assert english[0] == phrase("phrases-intro")
    places = [english.index(phrase(chapter)) for chapter in CHAPTERS]
    assert places == sorted(places)
    assert places[0] == 1


def test_names_and_numbers_stand_in_capitals(english: list[str]) -> None:
    assert "nominate NAME" in english
    assert "NUMBER yes NUMBER no" in english


def test_the_short_codes_of_every_intent_are_there(english: list[str]) -> None:
    starts = (phrase("phrases-codes", codes=""), phrase("phrases-role-keys", codes=""))
    listed = {
        code
        for start in starts
        for line in english
        if line.startswith(start)
        for code in line.removeprefix(start).split(", ")
    }
    for name, blocks in library().packs["en"].sentences.intents.items():
        for code in (code for block in blocks for code in block.typed):
            assert "{" in code or code in listed, f"{name}: {code}"


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_listed_sentence_is_understood(edition: str) -> None:
    """Whoever says what the list says is understood: names and numbers filled in."""
    grammar = Grammar(library().pack("en", edition), NAMES, ALL)
    headings = {phrase(chapter) for chapter in (*CHAPTERS, "phrases-intro")}
    codes = (phrase("phrases-codes", codes=""), phrase_in(edition, "phrases-role-keys", codes=""))
    lines = set(phrase_lines(library(), "en", edition))
    if edition != DEFAULT_EDITION:
        lines -= set(phrase_lines(library(), "en", DEFAULT_EDITION))
    assert lines
    for line in lines:
        if line not in headings and not line.startswith(codes):
            assert isinstance(grammar.parse(filled(line, edition)), Intent | Ambiguous), line


def test_the_names_of_an_edition_stand_in_its_list() -> None:
    assert "rat catcher NAME" in set(phrase_lines(library(), "en", "service_rat"))
    assert not any("rat catcher" in line for line in phrase_lines(library(), "en", "secret_hitler"))


def filled(line: str, edition: str) -> str:
    """Return a line with one thing in the place of every label and every choice."""
    words = {"first_name": "Anna", "player": "Ben", "number": "three", "ordinal": "third"}
    for label, word in words.items():
        line = line.replace(phrase(f"label-{label}"), word)
    for values in fixed_lists(library().pack("en", edition)).values():
        first: dict[object, str] = {}
        for text, value in values.items():
            first.setdefault(value, text)
        line = line.replace(" / ".join(first.values()), next(iter(first.values())))
    return line


def test_nonsense_is_not_listed(english: list[str]) -> None:
    grammar = Grammar(library().pack("en", None), NAMES, ALL)
    assert isinstance(grammar.parse("nominate the board"), NotUnderstood)
    assert "nominate the board" not in english
