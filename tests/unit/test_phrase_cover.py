from __future__ import annotations

import random
from itertools import pairwise

from fakes_speech import grammar, words
from hypothesis import given, settings
from hypothesis import strategies as st

from gm_assistant.speakable import Choice, Ending, Node, Reference, Sequence, SpeakableGrammar, ending
from gm_assistant.speech.phrase_cover import covering_phrases

PLAYERS = ["anna", "ben", "clara", *(f"{kind} {n}" for kind in ("seat", "player") for n in ("one", "two", "three"))]


def sentences(node: Node, speakable: SpeakableGrammar) -> list[tuple[str, ...]]:
    """Every sentence, in the plainest way there is."""
    match node:
        case str():
            return [(node,)]
        case Reference(rule):
            return sentences(speakable.rules[rule], speakable)
        case Choice(options):
            return [said for option in options for said in sentences(option, speakable)]
        case Sequence(parts):
            all_said: list[tuple[str, ...]] = [()]
            for part in parts:
                all_said = [(*before, *after) for before in all_said for after in sentences(part, speakable)]
            return all_said


def pairs(said: tuple[str, ...]) -> set[tuple[str, str]]:
    return set(pairwise(("", *said, ""))) if said else set()


def check(speakable: SpeakableGrammar) -> None:
    language = {said for sentence in speakable.sentences for said in sentences(sentence, speakable)}
    phrases = [tuple(phrase.split()) for phrase in covering_phrases(speakable.machine)]
    wanted = set().union(*map(pairs, language))
    assert set(phrases) <= language
    assert set().union(*map(pairs, phrases)) == wanted
    assert len(phrases) == len(set(phrases)) <= len(wanted)


def test_every_pair_is_covered_by_real_sentences_only() -> None:
    check(grammar("help", "go on", "nominate <who>", "<who> shoots <who> [now]", "[please] repeat", who=PLAYERS))


def test_sentences_that_add_no_pair_are_left_out() -> None:
    phrases = covering_phrases(grammar("<who> shoots <who>", who=["anna", "ben", "clara", "david"]).machine)
    assert len(phrases) == 4


def test_phrases_have_single_spaces_and_none_is_empty() -> None:
    phrases = covering_phrases(grammar("[please] help [now]", "[please] [now]").machine)
    assert all(phrase and phrase == " ".join(phrase.split()) for phrase in phrases)


def test_nothing_can_be_said_in_an_empty_grammar() -> None:
    assert covering_phrases(SpeakableGrammar(()).machine) == ()
    assert covering_phrases(SpeakableGrammar((Sequence(),)).machine) == ()


WORD = st.sampled_from(["a", "b", "c", "d"])
NODE = st.recursive(
    st.one_of(WORD, st.just(Reference("r"))),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3).map(lambda parts: Sequence(tuple(parts))),
        st.lists(inner, min_size=1, max_size=3).map(lambda parts: Choice(tuple(parts))),
    ),
    max_leaves=8,
)


@given(st.lists(NODE, min_size=1, max_size=4))
@settings(max_examples=200, deadline=None)
def test_any_tree_is_covered(trees: list[Node]) -> None:
    check(SpeakableGrammar(tuple(trees), {"r": Choice(("x", words("y z")))}))


def test_a_big_game_stays_small() -> None:
    chosen = random.Random(1)
    vocabulary = [f"w{number}" for number in range(300)]
    templates = set()
    while len(templates) < 600:
        said = chosen.choices(vocabulary, k=chosen.randint(1, 6))
        for _ in range(chosen.randint(0, 2)):
            said.insert(chosen.randint(0, len(said)), "<who>")
        templates.add(" ".join(said))
    numbers = [f"n{number}" for number in range(10)]
    who = [f"name{number}" for number in range(10)]
    who += [f"{kind} {number}" for kind in ("seat", "player") for number in numbers]
    big = grammar(*sorted(templates), who=who)
    phrases = covering_phrases(big.machine)
    assert len(phrases) < 10_000
    machine = big.machine
    assert all(ending(machine, phrase) is not Ending.INCOMPLETE for phrase in phrases[::50])
