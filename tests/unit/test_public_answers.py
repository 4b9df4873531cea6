"""Two tables at which the same is said, and which differ in nothing but who is what: from outside they are the same."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from itertools import cycle
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pack_samples import samples_of
from private_table import (
    ENTER,
    KEYS,
    NAMES,
    NUMBER,
    PROVEN,
    WRONG,
    PrivateTable,
    from_outside,
    table_words,
)
from random_play import next_command, pick
from table import EDITIONS, every_edition
from told import typed

from gm_assistant.dialogue.intents import IN_PLAY, IN_SCENES, QUESTIONS, Intent
from gm_assistant.rules.decide import untouched
from gm_assistant.rules.model import GameOver, GameState, Power, PowerPending, Role
from gm_assistant.utterances import Utterance

PLAYERS = 7
BLIND = (2, 4)
SCENE_WORDS = (*PROVEN, NUMBER, ENTER, ENTER, "repeat", WRONG, "yes", "no", "undo", "skip", "stop", "help", "who am i")
ENTRY_WORDS = tuple(KEYS.values())
AT_THE_END = frozenset({"repeat", "who_was_what"})
"""What may bring up the roles when the game is over."""
ENDING = {"quit", "new_game", "forget"}
"""After these there is no pair of games any more."""
ROLES = {edition: {players: rules.roles[players] for players in range(5, 11)} for edition, rules in EDITIONS.items()}


def deals_of(edition: str, players: int, *seeds: int) -> list[list[Role]]:
    tokens = [role for role in Role for _ in range(ROLES[edition][players].of(role))]
    return [Random(seed).sample(tokens, len(tokens)) for seed in seeds]


@cache
def sentences(edition: str, intent: str) -> tuple[str, ...]:
    """Return how an intent can be said, by players whom every table has."""
    return samples_of("en", edition, intent)


class Twins:
    """Two tables of one game with two deals."""

    def __init__(self, folder: Path, edition: str, deals: Iterable[list[Role]], blind: tuple[int, ...] = BLIND) -> None:
        one, other = deals
        self.edition = edition
        self.tables = [
            PrivateTable(folder / name, edition, len(one), blind=blind, deal="entry") for name in ("one", "other")
        ]
        self.say(ENTER)
        self.say(NUMBER)
        for keys in zip(one, other, strict=True):
            self._same([table.enter([role]) for table, role in zip(self.tables, keys, strict=True)])
        assert [list(table.roles) for table in self.tables] == [one, other]

    @property
    def state(self) -> GameState:
        """One of the two states: they differ in nothing but the roles."""
        return self.tables[0].state

    @property
    def in_scene(self) -> bool:
        return self.tables[0].scene is not None

    def say(self, line: str) -> list[tuple[Utterance, ...]]:
        """Say the same at both; fail if anybody can tell them apart. Return what is said there."""
        meant = self.tables[0].session.grammar.parse(line, typed=True)
        revealing = self._is_over and isinstance(meant, Intent) and meant.name in AT_THE_END
        replies = [table.say(line) for table in self.tables]
        if not revealing:
            self._same(replies)
        return replies

    def leave_scenes(self) -> None:
        """Break off whatever private goes on."""
        while self.in_scene:
            self.say("stop")

    def play(self, command: str) -> list[tuple[Utterance, ...]]:
        """Play on, without whatever private follows."""
        replies = self.say(command)
        self.leave_scenes()
        return replies

    @property
    def _is_over(self) -> bool:
        return self.tables[0].session.history is not None and isinstance(self.state.phase, GameOver)

    def _same(self, replies: list[tuple[Utterance, ...]]) -> None:
        one, other = replies
        assert from_outside(one) == from_outside(other)
        one, other = (table.session for table in self.tables)
        assert one.grammar.intents == other.grammar.intents
        assert one.grammar.players == other.grammar.players
        assert one.view == other.view
        assert one.position == other.position
        assert self._waits(0) == self._waits(1)

    def _waits(self, place: int) -> tuple[bool, ...]:
        session = self.tables[place].session
        return session.wants_key, session.wants_line, session.takes_enter, session.over


@contextmanager
def twins(edition: str, deals: Iterable[list[Role]], blind: tuple[int, ...] = BLIND) -> Iterator[Twins]:
    with tempfile.TemporaryDirectory() as folder:
        yield Twins(Path(folder), edition, deals, blind)


def sayable(pair: Twins, intent: str) -> bool:
    """Return whether the pair stays a pair: no new deal for both, no other game, no end of the program."""
    return intent not in ENDING and not (intent == "deal_roles" and untouched(pair.state))


# --- whatever is said


@every_edition
def test_no_answer_to_any_intent_tells_the_deals_apart(tmp_path: Path, edition: str) -> None:
    """Every intent of the game is said, in many situations, while a game is played to its end and beyond."""
    luck = Random(edition)
    pair = Twins(tmp_path, edition, deals_of(edition, PLAYERS, 1, 2))
    pair.leave_scenes()
    intents = cycle(sorted(IN_PLAY, key=lambda _: luck.random()))
    said = set()
    for _ in range(3 * len(IN_PLAY)):
        intent = next(intents)
        if pair.in_scene:
            for line in (*PROVEN, luck.choice(SCENE_WORDS)):
                pair.say(line)
            pair.leave_scenes()
        if sayable(pair, intent):
            pair.say(luck.choice(sentences(edition, intent)))
            said.add(intent)
        if not pair.in_scene and not isinstance(pair.state.phase, GameOver):
            pair.say(typed(pick(pair.state, luck.randrange(100)), pair.state))
    assert said == IN_PLAY - ENDING


moments = st.tuples(st.sampled_from(("command", "command", "sentence", "word")), st.integers(0, 10_000))


@pytest.mark.parametrize("edition", EDITIONS)
@settings(max_examples=8, deadline=None)
@given(
    players=st.integers(5, 10),
    seeds=st.tuples(st.integers(0, 99), st.integers(100, 199)),
    blind=st.sampled_from(((), (1,), (2, 4), (1, 2, 3, 4, 5))),
    told=st.lists(moments, max_size=40),
)
def test_nothing_that_is_said_tells_the_deals_apart(
    edition: str, players: int, seeds: tuple[int, int], blind: tuple[int, ...], told: list[tuple[str, int]]
) -> None:
    with twins(edition, deals_of(edition, players, *seeds), blind) as pair:
        for kind, number in told:
            pair.say(next_line(pair, kind, number))


def next_line(pair: Twins, kind: str, number: int) -> str:
    """Return a legal step of the game, any sentence, or what people say at the headset."""
    if pair.tables[0].session.wants_key:
        return (*ENTRY_WORDS, "u", ".")[number % 5]
    if pair.in_scene and kind != "sentence":
        return SCENE_WORDS[number % len(SCENE_WORDS)]
    if kind == "command" and not isinstance(pair.state.phase, GameOver):
        return typed(pick(pair.state, number), pair.state)
    intents = sorted(intent for intent in IN_PLAY | IN_SCENES if intent != "enter_role" and sayable(pair, intent))
    choice = sentences(pair.edition, intents[number % len(intents)])
    return choice[number % len(choice)]


# --- the end


def played_to_its_end(pair: Twins, numbers: list[int]) -> None:
    pair.leave_scenes()
    step = 0
    while not isinstance(pair.state.phase, GameOver):
        secret = (pair.tables[0].phrase("roles-still-secret"),)
        assert [table_words(reply) for reply in pair.say("who was what")] == [secret] * 2
        pair.play(typed(next_command(pair.state, numbers, step), pair.state))
        step += 1


def revealed(table: PrivateTable) -> str:
    """Return how the roles are told."""
    told = []
    for role in Role:
        names = [name for name, other in zip(NAMES, table.roles, strict=False) if other is role]
        *most, last = names
        listed = f"{', '.join(most)}{',' * (len(most) > 1)} and {last}" if most else last
        told.append(table.phrase(f"reveal-{role}", players=listed))
    return " ".join(told)


@pytest.mark.parametrize("edition", EDITIONS)
@settings(max_examples=5, deadline=None)
@given(numbers=st.lists(st.integers(0, 10_000), max_size=60), seeds=st.tuples(st.integers(0, 9), st.integers(10, 19)))
def test_who_was_what_is_told_after_the_end_and_only_then(
    edition: str, numbers: list[int], seeds: tuple[int, int]
) -> None:
    with twins(edition, deals_of(edition, PLAYERS, *seeds)) as pair:
        played_to_its_end(pair, numbers)
        secret = (pair.tables[0].phrase("roles-still-secret"),)
        pair.say("undo")
        assert all(table_words(reply) == secret for reply in pair.say("who was what"))
        assert all(table_words(reply) == secret for reply in pair.say("repeat"))
        pair.say("redo")
        for table, reply in zip(pair.tables, pair.say("who was what"), strict=True):
            assert table_words(reply) == (revealed(table),)
        told = (pair.tables[0].phrase("roles-were-told"),)
        assert [table_words(reply) for reply in pair.say("undo")] == [told] * 2
        assert isinstance(pair.state.phase, GameOver)


@every_edition
def test_a_game_that_is_broken_off_is_over_too(tmp_path: Path, edition: str) -> None:
    pair = Twins(tmp_path, edition, deals_of(edition, PLAYERS, 1, 2))
    pair.leave_scenes()
    pair.say("end the game")
    assert [table_words(reply) for reply in pair.say("who was what")] == [(revealed(table),) for table in pair.tables]


def test_without_a_deal_nobody_was_anything(tmp_path: Path) -> None:
    table = PrivateTable(tmp_path, deal="none")
    table.say("skip")
    assert table_words(table.say("who was what")) == (table.phrase("roles-still-secret"),)
    assert table_words(table.say("end the game", "who was what")) == (table.phrase("roles-never-known"),)


# --- with roles and without


@every_edition
@pytest.mark.parametrize("deal", ["entry", "headset"])
def test_with_roles_the_table_hears_what_it_hears_without(tmp_path: Path, edition: str, deal: str) -> None:
    """Steps and questions of a whole game; only what is private may tell that roles are dealt.

    Where all were told by headset there are no cards: an investigation is whispered, and nothing else is different.
    """
    luck = Random(edition)
    dealt = PrivateTable(tmp_path / "dealt", edition, PLAYERS, blind=(), deal=deal)
    undealt = PrivateTable(tmp_path / "undealt", edition, PLAYERS, blind=(), deal="none")
    dealt.say(*PROVEN[:2])
    if deal == "entry":
        dealt.enter(deals_of(edition, PLAYERS, 1)[0])
    dealt.say("stop")
    undealt.say("skip")
    assert (dealt.scene, undealt.scene) == (None, None)
    questions = cycle(sorted(QUESTIONS - {"what_last", "repeat"}))
    steps = 0
    while not isinstance(dealt.state.phase, GameOver) or steps < len(QUESTIONS):
        lines = [luck.choice(sentences(edition, next(questions))) for _ in range(3)]
        if not isinstance(dealt.state.phase, GameOver):
            command = typed(next_command(dealt.state, [luck.randrange(10_000) for _ in range(60)], steps), dealt.state)
            lines += [command] * (command != "dm")
        for line in lines:
            investigates = dealt.state.phase == PowerPending(Power.INVESTIGATE) and line == lines[-1]
            with_roles, without = table_words(dealt.say(line)), table_words(undealt.say(line))
            if deal == "headset" and investigates:
                assert dealt.scene is not None
                assert without[0].endswith(table_words(dealt.say("stop"))[-1])
            else:
                assert with_roles == without
        steps += 1
    assert dealt.roles
    assert undealt.state.roles is None
