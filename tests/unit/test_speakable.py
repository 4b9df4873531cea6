from __future__ import annotations

import pytest
from fakes_speech import grammar

from gm_assistant.speakable import Ending, SpeakableGrammar, ending

GAME = grammar("help", "we vote [now]", "nominate <player>", "<player> is next", player=["anna", "seat one"])


@pytest.mark.parametrize(
    ("text", "expected"),
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
def test_a_text_stands_to_the_sentences_like_this(text: str, expected: Ending) -> None:
    assert ending(GAME.machine, text) is expected


def test_a_grammar_knows_the_words_of_its_sentences_and_rules() -> None:
    expected = "help we vote now nominate is next anna seat one"
    assert GAME.words() == frozenset(expected.split())


def test_united_parts_say_what_all_of_them_say() -> None:
    parts = [grammar("help", "nominate <player>", player=["anna"]), grammar("nominate <player> now", player=["anna"])]
    whole = SpeakableGrammar.united(parts)
    assert whole.machine is grammar("nominate anna [now]", "help").machine
    assert (whole.words(), len(whole.sentences)) == (frozenset({"help", "nominate", "anna", "now"}), 3)


def test_saying_nothing_is_no_sentence() -> None:
    assert grammar("[now]").machine is grammar("now").machine


def test_the_first_word_of_an_aside_is_marked_and_no_other() -> None:
    prefixed = grammar(
        "<prefix-correction> <before> we vote now", **{"prefix-correction": ["i vote that"], "before": ["now"]}
    )
    plain = grammar("help")
    assert prefixed.marked_machine is grammar("i* vote that now* we vote now").machine
    assert prefixed.machine is grammar("i vote that now we vote now").machine
    assert plain.marked_machine is plain.machine
    whole = SpeakableGrammar.united([prefixed, plain]).behind(("hey you",))
    expected = grammar("hey you", "hey you help", "hey you i* vote that now* we vote now")
    assert whole.marked_machine is expected.machine
