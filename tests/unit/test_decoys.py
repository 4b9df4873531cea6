from __future__ import annotations

from pathlib import Path

import pytest

from gm_assistant.assembly import _decoys
from gm_assistant.checked import checked
from gm_assistant.data import load_yaml
from gm_assistant.dialogue.grammar import Grammar
from gm_assistant.dialogue.intents import IN_PLAY
from gm_assistant.errors import LanguagePackError
from gm_assistant.library import load_library
from gm_assistant.speech.decoys import decoys_for


def test_a_word_like_one_of_the_grammar_is_no_decoy() -> None:
    candidates = ["nominate", "dominate", "chancellors", "window", "benn", "hundred"]
    assert decoys_for({"nominate", "chancellor", "ben"}, candidates) == ("window", "hundred")


def test_a_korean_syllable_counts_as_its_letters() -> None:
    assert decoys_for({"\ucde8\uc18c"}, ["\uce5c\uad6c", "\ucd5c\uc18c"]) == ("\uce5c\uad6c",)


@pytest.mark.parametrize("language", ["en", "de"])
def test_every_language_has_decoys_enough_beside_the_words_of_a_game(language: str) -> None:
    pack = load_library().pack(language, "secret_dictator")
    words = Grammar(pack, ("Anna", "Ben", "Clara", "David", "Emil"), IN_PLAY).speakable.words()
    listed = _decoys(language)
    assert 50 <= len(decoys_for(words, listed)) <= len(listed) == len(set(listed)) <= 150


def test_decoys_are_plain_words() -> None:
    korean = Path(__file__).parents[1] / "packs" / "ko" / "decoys.yaml"
    third = checked(load_yaml(korean), tuple[str, ...], "decoys.yaml", LanguagePackError, "pack-broken")
    assert all(word == word.lower() and word.isalpha() for word in (*_decoys("en"), *_decoys("de"), *third))
    assert _decoys("xx") == ()
