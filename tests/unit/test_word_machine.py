from __future__ import annotations

import pickle
from itertools import product
from random import Random

import pytest

from gm_assistant.word_machine import (
    END,
    NOWHERE,
    State,
    backwards,
    from_table,
    renamed,
    spoken,
    table,
    united,
    without_unknown,
    words,
)

Sentences = frozenset[tuple[str, ...]]


def machine(*sentences: str) -> State:
    return united(reading(tuple(sentence.split())) for sentence in sentences)


def reading(said: tuple[str, ...]) -> State:
    rest = END
    for word in reversed(said):
        rest = spoken(word, rest)
    return rest


def language(state: State) -> Sentences:
    ends = frozenset({()}) if state.final else frozenset()
    longer = ((word, *rest) for word, after in state.steps.items() for rest in language(after))
    return ends | frozenset(longer)


def some_sentences(chosen: Random) -> Sentences:
    return frozenset(tuple(chosen.choices("abc", k=chosen.randint(1, 4))) for _ in range(chosen.randint(1, 12)))


@pytest.mark.parametrize("seed", range(20))
def test_a_union_reads_what_any_part_reads_and_nothing_else(seed: int) -> None:
    chosen = Random(seed)
    first, second = some_sentences(chosen), some_sentences(chosen)
    whole = united([united(map(reading, first)), united(map(reading, second))])
    assert language(whole) == first | second


@pytest.mark.parametrize("seed", range(20))
def test_the_same_sentences_in_any_order_are_the_same_machine_and_no_two_states_read_the_same(seed: int) -> None:
    chosen = Random(seed)
    said = [*some_sentences(chosen)]
    whole = united(map(reading, said))
    chosen.shuffle(said)
    one_by_one = NOWHERE
    for sentence in said:
        one_by_one = united([one_by_one, reading(sentence)])
    assert one_by_one is whole
    states = [*backwards(whole)]
    assert len({language(state) for state in states}) == len(states)


def test_many_ways_share_their_places() -> None:
    names = [f"name{number}" for number in range(50)]
    whole = machine(*(f"{verb} {name}" for verb, name in product(("nominate", "choose"), names)))
    assert len([*backwards(whole)]) == 3


def test_nothing_goes_on_after_words_that_do_not_fit() -> None:
    whole = machine("we vote", "we vote now")
    assert whole.after(["we", "vote"]).final
    assert whole.after(["we", "vote"]).steps.keys() == {"now"}
    assert whole.after(["vote"]) is whole.after(["we", "vote", "now", "now"]) is NOWHERE


def test_an_unknown_word_takes_its_sentences_with_it_and_leaves_no_dead_end() -> None:
    left = without_unknown(machine("nominate seat one", "nominate anna", "we vote"), lambda word: word != "seat")
    assert language(left) == {("nominate", "anna"), ("we", "vote")}
    assert without_unknown(machine("seat one"), lambda word: word == "seat") is NOWHERE


def test_two_words_of_the_same_name_become_one_way() -> None:
    whole = renamed(machine("call \u00e4nne", "call anne now"), lambda word: word.replace("\u00e4", "a"))
    assert language(whole) == {("call", "anne"), ("call", "anne", "now")}


def test_the_words_of_a_machine_are_those_of_its_sentences() -> None:
    assert words(machine("we vote", "help")) == {"we", "vote", "help"}
    assert words(NOWHERE) == words(END) == frozenset()


@pytest.mark.parametrize("seed", range(5))
def test_a_machine_survives_as_plain_numbers(seed: int) -> None:
    whole = united(map(reading, some_sentences(Random(seed))))
    plain = table(whole)
    assert (from_table(plain), pickle.loads(pickle.dumps(whole))) == (whole, whole)
    assert plain.states == len([*backwards(whole)])
    assert from_table(table(NOWHERE)) is NOWHERE
    assert from_table(table(END)) is END
