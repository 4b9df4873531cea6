"""Names are held against the rules of a language and the word list of its model."""

from __future__ import annotations

from pathlib import Path

import pytest
from fakes import library
from spoken import has_package, needs

from gm_assistant.dialogue.grammar import Grammar
from gm_assistant.dialogue.hearing import Hearing
from gm_assistant.dialogue.intents import IN_PLAY
from gm_assistant.name_hearing import NameHearing

LISTED = (
    "anna",
    "ben",
    "saver",
    "sailor",
    "maria",
    "nominate",
    "tulip",
    "garbage",
    "kaiser",
    "xavier",
    "nein",
    "tisch",
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The folder of a model that knows some words."""
    needs(has_package("espeakng_loader"), "espeakng_loader")
    (tmp_path / "graph").mkdir()
    (tmp_path / "graph" / "words.txt").write_text("".join(f"{word} 1\n" for word in LISTED), "utf-8")
    return tmp_path


def hearing(folder: Path | None, names: tuple[str, ...], language: str = "en") -> Hearing:
    return NameHearing(library(), lambda _: folder)(names, language)


def test_a_name_that_the_model_knows_is_heard(folder: Path) -> None:
    assert hearing(folder, ("Anna", "Ben", "Maria", "Anna Maria")).unheard == ()


def test_for_a_missing_name_words_of_the_model_are_offered(folder: Path) -> None:
    (unheard,) = hearing(folder, ("Anna", "Ben", "Xaver")).unheard
    assert unheard.name == "Xaver"
    assert "xavier" in unheard.words or "saver" in unheard.words
    assert {*unheard.words} <= {*LISTED}


def test_no_command_word_and_no_other_player_is_offered(folder: Path) -> None:
    words = Grammar(library().pack("en", None), (), IN_PLAY).speakable.words()
    offered = {word for one in hearing(folder, ("Anna", "Annah", "Nominato", "Bän")).unheard for word in one.words}
    assert not offered & (words | {"anna", "ben"})


def test_one_word_is_not_offered_for_two_names(folder: Path) -> None:
    first, second = hearing(folder, ("Xaver", "Xavar", "Ben")).unheard
    assert not {*first.words} & {*second.words}


def test_names_with_digits_or_of_strange_letters_are_unheard_and_nothing_breaks(folder: Path) -> None:
    found = hearing(folder, ("R2D2", "محمد", "Q", "x" * 40, "Ben"))
    assert {one.name for one in found.unheard} == {"R2D2", "محمد", "Q", "x" * 40}


def test_a_recogniser_that_learns_every_word_leaves_nothing_unheard() -> None:
    needs(has_package("espeakng_loader"), "espeakng_loader")
    found = hearing(None, ("Anna", "Hanna", "Xaver", "Ayşe"))
    assert found == Hearing(alike=frozenset({frozenset({"Anna", "Hanna"})}))


def test_a_model_that_cannot_be_read_leaves_only_the_likeness(tmp_path: Path) -> None:
    needs(has_package("espeakng_loader"), "espeakng_loader")
    assert hearing(tmp_path, ("Anna", "Hanna", "Xaver")).unheard == ()


class NoRules:
    """espeak-ng is missing."""

    closed = False

    def of(self, words: object, language: str) -> None:
        return None

    def close(self) -> None:
        self.closed = True


def test_without_espeak_nothing_is_said_about_names(folder: Path) -> None:
    rules = NoRules()
    assert NameHearing(library(), lambda _: folder, rules)(("Xaver", "Ben"), "en") == Hearing()
    assert rules.closed
