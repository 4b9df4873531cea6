"""The words in front of a sentence for an open microphone."""

from __future__ import annotations

import pytest
from pack_samples import LIBRARY, every_language, samples_of

from gm_assistant.dialogue.grammar import Grammar
from gm_assistant.dialogue.intents import IN_PLAY
from gm_assistant.dialogue.wake import FEWEST_SYLLABLES, addressed, behind, fault, syllables, wake_phrases
from gm_assistant.speakable import Ending, SpeakableGrammar
from gm_assistant.word_machine import words

PLAYERS = ("Anna", "Ben", "Clara", "David", "Emma")
WAKE = ("hey game master", "hey game master of mine")


def speakable(language: str = "en") -> SpeakableGrammar:
    return Grammar(LIBRARY.pack(language, None), PLAYERS, IN_PLAY).speakable


@every_language
def test_each_language_has_phrases_that_are_long_enough_and_begin_no_sentence(language: str) -> None:
    pack = LIBRARY.pack(language, None)
    phrases = wake_phrases(pack)
    assert phrases
    assert [fault(pack, phrase) for phrase in phrases] == [None] * len(phrases)


def test_a_phrase_of_ones_own_takes_the_place_of_the_others() -> None:
    assert wake_phrases(LIBRARY.pack("en", None), "Dear Computer!") == ("dear computer",)


def test_behind_a_wake_phrase_every_sentence_can_be_said_and_none_without() -> None:
    woken = behind(WAKE, speakable())
    assert woken.ending("hey game master undo") is Ending.FINAL
    assert woken.ending("hey game master nominate anna") is Ending.FINAL
    assert woken.ending("hey game master of mine what now") is Ending.FINAL
    for said in ("undo", "nominate anna", "hey game", "game master undo", "hey game master hey game master undo"):
        assert woken.ending(said) is Ending.INCOMPLETE, said


def test_a_wake_phrase_can_be_said_alone_and_go_on() -> None:
    assert behind(WAKE, speakable()).ending("hey game master") is Ending.CAN_GO_ON


def test_without_a_wake_phrase_the_grammar_is_as_it_was() -> None:
    plain = speakable()
    assert behind((), plain) is plain


def test_the_words_of_a_wake_phrase_are_offered_to_the_recogniser() -> None:
    woken = behind(WAKE, speakable())
    assert words(woken.machine) == words(speakable().machine) | {"hey", "game", "master", "of", "mine"}
    assert woken.words() >= words(woken.machine)


@pytest.mark.parametrize(
    ("said", "rest"),
    [
        ("Hey, game master: undo!", "undo"),
        ("hey game master", ""),
        ("hey game master of mine, who is next?", "who is next"),
        ("hey game master of mine", ""),
        ("hey game masters undo", None),
        ("undo hey game master", None),
        ("game master undo", None),
        ("undo", None),
        ("", None),
    ],
)
def test_what_follows_the_wake_phrase_is_the_sentence(said: str, rest: str | None) -> None:
    assert addressed(said, WAKE) == rest


@pytest.mark.parametrize(
    ("language", "phrase", "number"),
    [
        *(
            ("en", *one)
            for one in (("hey game master", 4), ("hey you", 2), ("table", 2), ("okay assistant", 5), ("tsk", 1))
        ),
        *(("de", *one) for one in (("hallo spielleiterin", 6), ("hallo du", 3), ("hey du", 2), ("pst", 1))),
    ],
)
def test_syllables_are_counted(language: str, phrase: str, number: int) -> None:
    assert syllables(LIBRARY.packs[language], phrase) == number


@pytest.mark.parametrize(
    ("language", "phrase", "wrong"),
    [
        ("en", "hello computer", None),
        ("de", "guten Abend, Computer", None),
        ("en", "hey you", "short"),
        ("de", "he du", "short"),
        ("en", "?!", "words"),
        ("en", "hello computer 3", "words"),
        ("en", "who is president", "sentence"),
        ("en", "who is the current", "sentence"),
        ("en", "undo the banana", "sentence"),
        ("de", "noch einmal bitte", "sentence"),
    ],
)
def test_a_phrase_of_ones_own_is_checked(language: str, phrase: str, wrong: str | None) -> None:
    assert fault(LIBRARY.pack(language, None), phrase) == wrong


@every_language
def test_no_sentence_begins_with_a_wake_phrase(language: str) -> None:
    phrases = wake_phrases(LIBRARY.packs[language])
    for name in sorted(IN_PLAY):
        for said in samples_of(language, "secret_dictator", name):
            assert addressed(said, phrases) is None, said


def test_three_syllables_are_the_least() -> None:
    assert FEWEST_SYLLABLES == 3
