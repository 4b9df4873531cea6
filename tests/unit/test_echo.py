"""Our own words are not taken for somebody else's, and an answer in our words is not taken for ours."""

from __future__ import annotations

import pytest

from gm_assistant.echo import Said

SAID = Said("Chancellor can be Clara, Dora, or Emil.", ended=10.0, gate=10.4)
ASKED = Said("Anna or Ben?", ended=10.0, gate=10.4)


@pytest.mark.parametrize("heard", ["clara dora or emil", "chancellor can be", "chancellor can be ben"])
def test_words_that_were_just_said_are_our_own(heard: str) -> None:
    assert SAID.is_echo(heard, 10.5, answers=False)
    assert not SAID.is_echo(heard, 11.6, answers=False)


@pytest.mark.parametrize("heard", ["nominate clara", "who is chancellor", "undo", ""])
def test_another_sentence_is_not_our_own_although_it_has_a_word_of_ours(heard: str) -> None:
    assert not SAID.is_echo(heard, 10.5, answers=False)


@pytest.mark.parametrize("answer", ["anna", "ben"])
def test_an_answer_to_our_question_is_in_words_of_the_question(answer: str) -> None:
    assert not ASKED.is_echo(answer, 10.7, answers=True)


def test_the_end_of_our_question_that_sounds_on_is_no_answer() -> None:
    assert ASKED.is_echo("ben", 10.42, answers=True)
    assert not ASKED.is_echo("anna", 10.42, answers=True)


def test_nothing_was_said_yet() -> None:
    assert not Said("", 10.0, 10.4).is_echo("undo", 10.5, answers=False)
