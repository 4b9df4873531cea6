from __future__ import annotations

import pytest
from fakes_speech import grammar, words

from gm_assistant.speakable import Automaton, Choice, Ending, Reference, Sequence, SpeakableGrammar

GAME = grammar("help", "we vote [now]", "nominate <player>", "<player> is next", player=["anna", "seat one"])


@pytest.mark.parametrize(
    ("text", "ending"),
    [
        ("", Ending.INCOMPLETE),
        ("help", Ending.FINAL),
        ("we", Ending.INCOMPLETE),
        ("we vote", Ending.CAN_GO_ON),
        ("we vote now", Ending.FINAL),
        ("we vote now now", Ending.INCOMPLETE),
        ("nominate", Ending.INCOMPLETE),
        ("nominate seat one", Ending.FINAL),
        ("nominate seat", Ending.INCOMPLETE),
        ("seat one is next", Ending.FINAL),
        ("next is anna", Ending.INCOMPLETE),
        ("help help", Ending.INCOMPLETE),
        ("  help  ", Ending.FINAL),
    ],
)
def test_a_text_stands_to_the_sentences_like_this(text: str, ending: Ending) -> None:
    assert Automaton(GAME).ending(text) is ending


def test_a_grammar_knows_the_words_of_its_sentences_and_rules() -> None:
    expected = "help we vote now nominate is next anna seat one"
    assert GAME.words() == frozenset(expected.split())


def test_an_unknown_word_takes_its_whole_wording_with_it() -> None:
    left = GAME.without_unknown_words(lambda word: word != "seat")
    automaton = Automaton(left)
    assert automaton.ending("nominate anna") is Ending.FINAL
    assert automaton.ending("nominate seat one") is Ending.INCOMPLETE
    assert automaton.ending("nominate one") is Ending.INCOMPLETE


def test_an_unknown_optional_word_can_still_be_left_out() -> None:
    left = GAME.without_unknown_words(lambda word: word != "now")
    assert Automaton(left).ending("we vote") is Ending.FINAL


def test_a_rule_without_known_words_takes_its_sentences_with_it() -> None:
    left = GAME.without_unknown_words(lambda word: word not in {"anna", "seat"})
    assert left.sentences == (words("help"), words("we vote [now]"))
    assert left.rules == {}


def test_a_rule_falls_with_the_rule_that_it_needs() -> None:
    nested = SpeakableGrammar(
        ("help", Reference("outer")), {"outer": Sequence(("the", Reference("inner"))), "inner": Choice(("x", "y"))}
    )
    left = nested.without_unknown_words(lambda word: word not in {"x", "y"})
    assert (left.sentences, left.rules) == (("help",), {})


def test_a_grammar_of_unknown_words_has_no_sentence_left() -> None:
    assert GAME.without_unknown_words(lambda _: False).sentences == ()
