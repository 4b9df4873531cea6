from __future__ import annotations

import pytest
from fakes_speech import grammar, words

from gm_assistant.speakable import Choice, Ending, Reference, Sequence, SpeakableGrammar, ending

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


def test_an_unknown_word_takes_its_whole_wording_with_it() -> None:
    left = GAME.without_unknown_words(lambda word: word != "seat")
    assert ending(left.machine, "nominate anna") is Ending.FINAL
    assert ending(left.machine, "nominate seat one") is Ending.INCOMPLETE
    assert ending(left.machine, "nominate one") is Ending.INCOMPLETE


def test_an_unknown_optional_word_can_still_be_left_out() -> None:
    left = GAME.without_unknown_words(lambda word: word != "now")
    assert ending(left.machine, "we vote") is Ending.FINAL


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


def test_united_parts_say_what_all_of_them_say() -> None:
    parts = [grammar("help", "nominate <player>", player=["anna"]), grammar("nominate <player> now", player=["anna"])]
    whole = SpeakableGrammar.united(parts)
    assert whole.machine is grammar("nominate anna [now]", "help").machine
    assert (whole.words(), len(whole.sentences)) == (frozenset({"help", "nominate", "anna", "now"}), 3)


def test_saying_nothing_is_no_sentence() -> None:
    assert grammar("[now]").machine is grammar("now").machine


def test_unlikely_are_the_words_that_occur_in_asides_only() -> None:
    first = grammar(
        "<before> vote", "<prefix-correction> help", **{"before": ["so", "now"], "prefix-correction": ["i vote that"]}
    )
    second = grammar("we vote now", "that is it")
    assert first.unlikely_words == {"so", "now", "i", "that"}
    assert SpeakableGrammar.united([first, second]).unlikely_words == {"so", "i"}
    assert SpeakableGrammar.united([first, second]).behind(("i say",)).unlikely_words == {"so"}
