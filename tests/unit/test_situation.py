"""What can be said in a situation: every command that the rules allow, and none that they did not allow just now."""

from __future__ import annotations

from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pack_samples import LANGUAGES, LIBRARY, every_language, samples_of
from random_play import next_command
from table import FASCIST, PLAYER_COUNTS, Table

from gm_assistant.dialogue.grammar import Grammar
from gm_assistant.dialogue.intents import (
    ANSWERS,
    COMMANDS,
    CONTROLS,
    IN_PLAY,
    PRIVATE,
    QUESTIONS,
    Intent,
    NotUnderstood,
)
from gm_assistant.dialogue.samples import sentences_for
from gm_assistant.dialogue.situation import highest_number, spoken_intents
from gm_assistant.leader import intent_for
from gm_assistant.rules import commands as do
from gm_assistant.rules.commands import Command
from gm_assistant.rules.legal import legal_commands, moves
from gm_assistant.rules.model import GameOver, GameState
from gm_assistant.rules.views import TableView, table_view
from gm_assistant.speakable import Ending, ending

STANDARD, FORUM = "secret_hitler", "secret_despotar"
NAMES = ("Anna", "Ben", "Clara", "David", "Emma", "Frank", "Gerda", "Hugo", "Ida", "Jonas")
OPEN = {"vote_passed", "vote_failed", "vote_tied", "vote_count", "vote_unanimous", "cast_vote", "cast_votes"}

SITUATIONS = {
    "a nomination": (lambda: Table(7), {"nominate"}),
    "a vote": (lambda: Table(7).nominate(3), OPEN),
    "a vote with one voice": (lambda: Table(7).nominate(3).vote(1, True), OPEN),
    "a vote that may be secret": (lambda: Table(5, edition=FORUM).nominate(3), OPEN | {"take_secret_ballot"}),
    "a vote that is open already": (lambda: Table(5, edition=FORUM).nominate(3).vote(1, True), OPEN),
    "a secret ballot": (
        lambda: Table(5, edition=FORUM).nominate(3).do(do.TakeSecretBallot()),
        {"cast_vote", "answer_yes", "answer_no", "draw_missing_votes"},
    ),
    "the question for the dictator": (
        lambda: Table(7).lay(fascist=3).nominate(6).passed(),
        {"answer_yes", "answer_no"},
    ),
    "a session": (lambda: Table(7).elect(), {"law_enacted"}),
    "a session with a veto": (
        lambda: Table(7, edition=STANDARD).lay(fascist=5).elect(),
        {"law_enacted", "propose_veto"},
    ),
    "a veto": (
        lambda: Table(7, edition=STANDARD).lay(fascist=5).elect().propose_veto(),
        {"veto_agreed", "veto_refused", "answer_yes", "answer_no"},
    ),
    "chaos": (lambda: Table(7).fail_election().fail_election().fail_election(), {"law_enacted"}),
    "a look": (lambda: Table(9).lay(fascist=1).play_round(FASCIST), {"looked"}),
    "an investigation": (lambda: Table(7, edition=STANDARD).lay(fascist=1).play_round(FASCIST), {"investigate"}),
    "a special election": (lambda: Table(9).lay(fascist=2).play_round(FASCIST), {"name_president"}),
    "an execution": (lambda: Table(7).lay(fascist=3).play_round(FASCIST), {"shoot"}),
    "a shuffle": (lambda: Table(5).lay(liberal=4).play_round(FASCIST), {"shuffled"}),
}


@pytest.mark.parametrize("phase", SITUATIONS)
def test_every_phase_hears_its_own_commands_and_no_other(phase: str) -> None:
    make, commands = SITUATIONS[phase]
    view = table_view(make().state)
    assert spoken_intents(view) & COMMANDS == (commands | {"end_game"}) & IN_PLAY


def test_after_the_end_nothing_can_be_commanded_but_the_roles_can_be_told() -> None:
    over = table_view(Table(7).do(do.EndGame()).state)
    assert not spoken_intents(over) & COMMANDS
    assert "who_was_what" in spoken_intents(over)
    assert "who_was_what" not in spoken_intents(table_view(Table(7).state))
    assert "new_game" in spoken_intents(over)


def test_what_was_possible_one_step_before_is_still_heard() -> None:
    before, now = table_view(Table(7).state), table_view(Table(7).nominate(3).state)
    assert "nominate" not in spoken_intents(now)
    assert "nominate" in spoken_intents(now, before)


@pytest.mark.parametrize("phase", SITUATIONS)
def test_questions_and_steering_are_always_heard(phase: str) -> None:
    spoken = spoken_intents(table_view(SITUATIONS[phase][0]().state))
    assert spoken >= QUESTIONS
    assert spoken >= (CONTROLS - {"wake_up", "roll_call"}) & IN_PLAY


def test_a_roll_call_is_heard_where_there_is_an_open_vote() -> None:
    for phase, (make, commands) in SITUATIONS.items():
        wanted = "cast_votes" in commands and "roll_call" in IN_PLAY
        assert ("roll_call" in spoken_intents(table_view(make().state))) == wanted, phase


def test_private_things_are_heard_where_they_are_possible() -> None:
    view = table_view(Table(7).state)
    assert spoken_intents(view, private=frozenset()) & PRIVATE == set()
    assert spoken_intents(view, private=frozenset({"consult", "who_was_what"})) & PRIVATE == {"consult"}
    assert "hear_investigation" not in spoken_intents(view)
    investigated = Table(7, edition=STANDARD).lay(fascist=1).play_round(FASCIST).do(do.Investigate(6))
    assert "hear_investigation" in spoken_intents(table_view(investigated.state))


def test_answers_are_heard_only_while_the_assistant_asks() -> None:
    view = table_view(Table(7).state)
    assert not spoken_intents(view) & ANSWERS
    asked = frozenset({"confirm", "decline", "answer_yes"})
    assert spoken_intents(view, answers=asked) - spoken_intents(view) == asked


def test_in_a_pause_nothing_can_be_commanded() -> None:
    spoken = spoken_intents(table_view(Table(7).state), paused=True)
    assert not spoken & (COMMANDS | PRIVATE)
    assert "go_on" in spoken


def test_who_sleeps_hears_nothing_but_that_it_shall_wake_up() -> None:
    assert spoken_intents(table_view(Table(7).state), asleep=True) == {"wake_up"}


# The grammar of a situation.


@cache
def grammar(language: str, edition: str, players: int, spoken: frozenset[str], highest: int) -> Grammar:
    pack = LIBRARY.pack(language, edition)
    return Grammar(pack, NAMES[:players], IN_PLAY, spoken=spoken, highest=highest)


def grammar_in(view: TableView, language: str, edition: str, before: TableView | None = None) -> Grammar:
    return grammar(language, edition, len(view.players), spoken_intents(view, before), highest_number(view))


def can_be_said(text: str, spoken: Grammar) -> bool:
    return ending(spoken.speakable.machine, text) is not Ending.INCOMPLETE


@every_language
def test_what_is_not_possible_now_is_typed_but_not_said(language: str) -> None:
    nominating = grammar_in(table_view(Table(7).state), language, "secret_dictator")
    said = samples_of(language, "secret_dictator", "vote_passed")[0]
    assert nominating.parse(said) == NotUnderstood()
    assert nominating.parse(said, typed=True) == Intent("vote_passed")
    assert not can_be_said(said, nominating)


@every_language
def test_who_may_not_be_named_can_be_named_all_the_same(language: str) -> None:
    """Else a recogniser would take the name for another one."""
    view = table_view(Table(5).state)
    nominating = grammar_in(view, language, "secret_dictator")
    assert view.president not in view.eligible
    president = Intent("nominate", {"player": view.president})
    texts = sentences_for(LIBRARY.pack(language, "secret_dictator"), NAMES[:5], president)
    assert any(can_be_said(text, nominating) and nominating.parse(text) == president for text in texts)


@pytest.mark.parametrize(("players", "highest"), [(5, 6), (7, 7), (10, 10)])
def test_spoken_numbers_go_to_the_number_of_players_or_of_fields(players: int, highest: int) -> None:
    view = table_view(Table(players).nominate(3).state)
    voting = grammar_in(view, "en", "secret_dictator")
    words = ("five", "six", "seven", "eight", "nine", "ten", "eleven")
    heard = [number for number, word in enumerate(words, 5) if can_be_said(f"{word} yes one no", voting)]
    assert heard == list(range(5, highest + 1))
    assert voting.parse("20 yes 1 no", typed=True) == Intent("vote_count", {"yes": 20, "no": 1})


# Random games.


def said_of(command: Command) -> Intent:
    """Return the intent of a command, also of those that nobody but a key may say."""
    match command:
        case do.CastSecretVote(seat, approves):
            return Intent("cast_vote", {"player": seat, "vote": "yes" if approves else "no"})
        case do.DrawMissingVotes():
            return Intent("draw_missing_votes")
        case _:
            return intent_for(command)


def legal_kinds(state: GameState) -> set[str]:
    """Return the kinds of every legal command by the rules, with other ways to say the same."""
    kinds = {said_of(command).name for command in legal_commands(state) if not isinstance(command, do.DealRoles)}
    kinds |= OPEN if kinds & OPEN - {"cast_vote"} else set()
    kinds |= {"answer_yes", "answer_no"} if kinds & {"veto_agreed"} or "draw_missing_votes" in kinds else set()
    return kinds


@cache
def wordings_of(
    language: str, edition: str, players: int, name: str, slots: frozenset[tuple[str, object]]
) -> list[str]:
    intent = Intent(name, dict(slots))  # type: ignore[arg-type]
    return list(sentences_for(LIBRARY.pack(language, edition), NAMES[:players], intent))


@given(
    edition=st.sampled_from(sorted(LIBRARY.editions)),
    language=st.sampled_from(LANGUAGES),
    players=st.sampled_from(PLAYER_COUNTS),
    numbers=st.lists(st.integers(0, 9999), min_size=10, max_size=40),
)
@settings(max_examples=12, deadline=None, derandomize=True, database=None)
def test_in_every_game_each_legal_command_can_be_said_and_no_other_kind(
    edition: str, language: str, players: int, numbers: list[int]
) -> None:
    table = Table(players, edition=edition)
    before: TableView | None = None
    legal_before: set[str] = set()
    for step in range(len(numbers)):
        view = table_view(table.state)
        spoken = grammar_in(view, language, edition, before)
        legal = legal_kinds(table.state)
        assert spoken.spoken & COMMANDS == (legal | legal_before) & IN_PLAY
        for command in {said_of(command).name: command for command in moves(table.state)}.values():
            meant = said_of(command)
            texts = wordings_of(language, edition, players, meant.name, frozenset(meant.slots.items()))
            text = texts[numbers[step] % len(texts)]
            assert can_be_said(text, spoken), text
            assert spoken.parse(text) == meant, text
        if isinstance(table.phase, GameOver):
            return
        before, legal_before = view, legal
        table.do(next_command(table.state, numbers, step))
