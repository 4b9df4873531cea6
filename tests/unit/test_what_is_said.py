"""What the table is told of chaos, shuffles, danger, vetoes and the start, in the editions that have them."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from fakes import Evening, library, phrase, phrase_in
from hypothesis import given, settings
from hypothesis import strategies as st
from random_play import pick
from table import EDITIONS, every_edition
from told import NAMES, Told, early, told_game, typed

from gm_assistant.dialogue.messages import Message, Messages, Person
from gm_assistant.dialogue.set_up import Plan
from gm_assistant.rules import commands as do
from gm_assistant.rules.model import Election, GameOver, Party

STANDARD = ("secret_despotar", "secret_hitler", "service_rat")
every_standard = pytest.mark.parametrize("edition", STANDARD)
many_steps = st.lists(st.integers(0, 9999), min_size=20, max_size=60)


def keys(messages: Messages) -> list[str]:
    return [told.key for told in messages]


def said(game: Told, *lines: str) -> Messages:
    """Say lines one after the other; return the answer to the last."""
    return [game.hear(line) for line in lines][-1]


def governed(game: Told, *laws: str) -> Messages:
    """Elect governments that lay these laws, and shuffle where it is due; return what is said of the last law."""
    for law in laws:
        president = game.state.president
        for seat in range(1, len(game.state.players) + 1):
            if seat != president and keys(game.hear(f"n {game.state.name(seat)}"))[0] == "nominated":
                break
        if keys(game.hear("p"))[-1] == "ask-dictator":
            game.hear("n")
        told = game.hear(f"l {law}")
    return told


# --- chaos gives no power, and that is said


@every_standard
def test_a_law_by_chaos_is_said_to_give_no_power(edition: str) -> None:
    with told_game(edition, 10 if edition != "secret_despotar" else 8) as game:
        said(game, "n Ben", "x", "n Clara", "x", "n David")
        assert keys(said(game, "x"))[-1] == "chaos"
        first = keys(game.hear("lf"))
        assert ("no-power-by-chaos" in first) == (edition != "secret_despotar")  # with 8 the first law has none anyway
        assert not [key for key in first if key.startswith("power-")]


def test_a_law_without_a_power_needs_no_such_words() -> None:
    with told_game("secret_hitler", 5) as game:
        said(game, "n Ben", "x", "n Clara", "x", "n David", "x")
        assert "no-power-by-chaos" not in keys(game.hear("lf"))


# --- the shuffle


@every_edition
def test_a_shuffle_is_said_before_the_next_nomination(edition: str) -> None:
    with told_game(edition, 5) as game:
        told = governed(game, "liberal", "liberal", "liberal", "liberal", "fascist")
        due = next(place for place, key in enumerate(keys(told)) if key == "shuffle-due")
        assert keys(told)[due - 1] == "next-president"
        assert "prompt-nomination" not in keys(told)
        assert keys(game.hear("n Ben"))[0] == "out-of-turn-nominate"
        assert keys(game.hear("sh")) == ["shuffled", "prompt-nomination"]


def test_what_was_peeked_at_no_longer_holds_after_a_shuffle() -> None:
    with told_game("secret_hitler", 5) as game:
        governed(game, "liberal", "fascist", "fascist", "fascist")
        assert game.hear("k")[0].key == "used-looking"
        assert game.state.draw_pile == 5
        assert "peeked-is-void" not in keys(governed(game, "liberal"))  # all three were drawn and are known


def test_a_peek_is_void_where_a_shuffle_takes_the_laws_away() -> None:
    with told_game("secret_hitler", 5) as game:
        for _ in range(2):
            _chaos(game)
        governed(game, "liberal", "fascist", "fascist", "fascist")
        assert game.hear("k")[0].key == "used-looking"
        assert (game.state.draw_pile, game.state.peeked) == (3, 3)
        told = keys(_chaos(game))
        assert told.index("peeked-is-void") == told.index("shuffle-due") + 1


def _chaos(game: Told) -> Messages:
    for _ in range(3):
        _failed(game)
    return game.hear("ll")


def _failed(game: Told) -> Messages:
    for seat in range(1, len(game.state.players) + 1):
        if keys(game.hear(f"n {game.state.name(seat)}"))[0] == "nominated":
            break
    return game.hear("x")


# --- where the laws lie at the start


@pytest.mark.parametrize(
    ("players", "placed", "rest"),
    [
        (5, None, None),
        (6, Message("set-up-enacted-fascist", {"number": 1}), 16),
        (7, Message("set-up-discarded-fascist", {"number": 1}), 16),
        (8, None, None),
        (9, Message("set-up-discarded-fascist", {"number": 2}), 15),
        (10, None, None),
    ],
)
def test_the_board_of_the_forum_edition_is_laid_out_as_it_begins(players: int, placed: Message, rest: int) -> None:
    with told_game("secret_despotar", players) as game:
        told = game.opening
        if placed is None:
            assert Message("set-up-laws", {"number": 17}) in told
            assert "set-up-rest" not in keys(told)
        else:
            assert told.index(placed) == told.index(Message("set-up-rest", {"number": rest})) - 1
            assert "set-up-laws" not in keys(told)
        assert game.hear("su")[0].key == "set-up-strips"
        assert {told.key for told in game.hear("ru laws")} <= {"rule-laws", *keys(told)}


def test_an_enacted_law_at_the_start_gives_no_power_and_counts() -> None:
    with told_game("secret_despotar", 6) as game:
        assert game.hear("lc")[1] == Message("laws-fascist", {"number": 1, "missing": 5})
        assert governed(game, "fascist")[0].facts["number"] == 2


# --- danger


def dangers(told: Messages) -> list[str]:
    return [key for key in keys(told) if key.startswith("danger-")]


@every_edition
@given(players=st.integers(5, 10), numbers=many_steps)
@settings(max_examples=8, deadline=None, derandomize=True, database=None)
def test_danger_is_said_before_every_vote_from_the_law_on_that_begins_it(edition, players, numbers):
    _danger_said(edition, players, numbers)


@given(players=st.integers(5, 10), numbers=many_steps)
@settings(max_examples=25, deadline=None, derandomize=True, database=None)
def test_danger_is_said_before_every_vote_when_everything_happens_early(players, numbers):
    _danger_said("secret_hitler", players, numbers, begins=1)


def _danger_said(edition: str, players: int, numbers: list[int], begins: int = 3) -> None:
    with told_game(edition, players, known=early() if begins == 1 else None) as game:
        for number in numbers:
            if isinstance(game.state.phase, GameOver):
                return
            command = pick(game.state, number)
            told = game.do(command)
            if isinstance(command, do.NominateChancellor):
                assert isinstance(game.state.phase, Election)
                key = "danger-is-past" if command.seat in game.state.cleared else "danger-of-election"
                assert dangers(told) == ([key] if game.state.fascist_laws >= begins else [])
                assert told[1].facts.get("player", Person(NAMES[command.seat - 1])) == Person(NAMES[command.seat - 1])


# --- vetoes


def before_a_veto(game: Told) -> None:
    said(game, "n Ben", "p", "l fascist", "k", "n Clara", "p")


def test_a_session_with_a_veto_says_so() -> None:
    with told_game("secret_hitler", 7, known=early()) as game:
        before_a_veto(game)
        assert keys(game.hear("n")) == ["is-not-dictator", "session", "veto-possible"]
        assert keys(game.hear("ve")) == ["veto-wanted"]
        refused = game.hear("vn")
        assert refused == (Message("veto-refused", {"chancellor": Person("Clara")}),)
        assert keys(game.hear("ve")) == ["veto-was-refused"]
        assert "veto-possible" not in keys(game.hear("wh"))


def test_an_agreed_veto_says_where_the_laws_and_the_peg_go() -> None:
    with told_game("secret_hitler", 7, known=early()) as game:
        before_a_veto(game)
        told = said(game, "n", "ve", "vy")
        assert keys(told) == ["veto-agreed", "peg-on", "next-president", "prompt-nomination"]
        assert told[1].facts["number"] == 1


def test_a_veto_may_bring_chaos() -> None:
    with told_game("secret_hitler", 7, known=early()) as game:
        before_a_veto(game)
        said(game, "n", "ve", "vy", "n Anna")
        told = game.hear("x")
        assert keys(told) == ["failed", "peg-on", "chaos"]


@pytest.mark.parametrize("edition", ["secret_dictator", *STANDARD])
def test_a_veto_too_early_or_in_the_wrong_edition_is_refused_for_that(edition: str) -> None:
    with told_game(edition, 7) as game:
        told = said(game, "n Ben", "p", "ve")
        assert keys(told) == ["no-veto-here" if edition == "secret_dictator" else "veto-not-yet"]


# --- who begins, and the order of play


def drawn_evening(folder: Path, edition: str, seed: int) -> tuple[str, Evening]:
    evening = Evening(folder, Plan("en", edition, 7, NAMES[:7]), seed=seed)
    return evening.say("draw"), evening


@pytest.mark.parametrize("seed", range(4))
def test_the_forum_edition_draws_the_whole_order(tmp_path: Path, seed: int) -> None:
    heard, evening = drawn_evening(tmp_path, "secret_despotar", seed)
    order = tuple(NAMES[seat - 1] for seat in Random(seed).sample(range(1, 8), 7))
    assert heard.startswith(phrase_in("secret_despotar", "order-drawn", names=tuple(map(Person, order))))
    assert evening.session.view is not None
    assert (evening.session.view.players, evening.session.view.president) == (order, 1)
    assert evening.say("who sits where").startswith(phrase("seat-of", number=1, player=order[0]))


@pytest.mark.parametrize("edition", ["secret_dictator", "secret_hitler", "service_rat"])
@pytest.mark.parametrize("seed", range(3))
def test_elsewhere_only_who_begins_is_drawn(tmp_path: Path, edition: str, seed: int) -> None:
    assert EDITIONS[edition].first_president != "drawn"
    _, evening = drawn_evening(tmp_path, edition, seed)
    assert evening.session.view is not None
    first = Random(seed).sample(range(1, 8), 7)[0]
    assert (evening.session.view.players, evening.session.view.president) == (NAMES[:7], first)


def test_a_drawn_order_can_be_taken_back(tmp_path: Path) -> None:
    _, evening = drawn_evening(tmp_path, "secret_despotar", 3)
    assert evening.say("undo").startswith(phrase("back-to"))
    assert evening.session.view is None
    evening.say("clara")
    assert evening.session.view is not None
    assert (evening.session.view.players, evening.session.view.president) == (NAMES[:7], 3)


def test_a_named_first_president_keeps_the_order(tmp_path: Path) -> None:
    evening = Evening(tmp_path, Plan("en", "secret_despotar", 7, NAMES[:7]))
    assert evening.opening == phrase_in("secret_despotar", "ask-first-drawn")
    evening.say("david begins")
    assert evening.session.view is not None
    assert (evening.session.view.players, evening.session.view.president) == (NAMES[:7], 4)


def test_every_power_has_a_name_in_every_edition_that_has_it() -> None:
    for edition in library().editions.values():
        for column in edition.powers.values():
            assert {power.value for power in column} - {"none"} <= edition.names["en"].keys()


def test_the_helpers_of_these_tests_type_what_they_mean() -> None:
    with told_game("secret_hitler", 5) as game:
        assert game.do(do.NominateChancellor(2))[0] == Message("nominated", {"player": Person("Ben")})
        assert typed(do.ReportResult(True), game.state) == "p"
        assert game.do(do.ReportCount(3, 2))[0].key == "elected-count"
        assert game.do(do.EnactLaw(Party.FASCIST))[0].key == "law-enacted"
