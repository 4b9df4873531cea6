"""Whoever does what is said at the table has the board of the game: after every step, undo, redo and correction."""

from __future__ import annotations

from collections.abc import Callable

from hypothesis import given, settings
from hypothesis import strategies as st
from random_play import pick
from table import every_edition
from told import Told, corrected, early, told_game, typed

from gm_assistant.dialogue.messages import Fact, Message, Messages, Person, Term
from gm_assistant.library import Library
from gm_assistant.rules.legal import moves
from gm_assistant.rules.model import GameOver, ShufflePending
from gm_assistant.rules.views import TableView, table_view


class Board:
    """The things on the table, moved by hands that do only what they are told."""

    def __init__(self, view: TableView) -> None:
        self.strips = {"liberal": view.liberal_laws, "fascist": view.fascist_laws}
        self.draw, self.discard, self.hand = view.draw_pile, view.discard_pile, view.in_hand
        self.drawn = view.rules.drawn
        self.fingers = 0
        """Laws that were taken out of a strip and not yet put anywhere."""
        self.peg = 0
        self.sign = view.name(view.president)
        self.alive = {view.name(seat) for seat in view.alive}
        self.mixed = False
        """A shuffle was taken back, so nobody knows any more which law lay in which tray."""

    def follow(self, messages: Messages) -> None:
        """Do what is said; what comes after "taken back" is the name of the step only."""
        for before, told in zip((Message(""), *messages), messages, strict=False):
            action = _ACTIONS.get(told.key)
            if action is not None and before.key != "undone":
                action(self, told.facts)

    def from_discard(self, number: int) -> int:
        """Return so many laws taken from the smooth tray, or from wherever a shuffle has brought them."""
        found = min(number, self.discard) if self.mixed else number
        self.discard -= found
        self.draw -= number - found
        return number

    def matches(self, view: TableView) -> bool:
        """Return whether this is the board of the game."""
        alive = {view.name(seat) for seat in view.alive}
        strips = {"liberal": view.liberal_laws, "fascist": view.fascist_laws}
        if (self.strips, self.peg, self.sign, self.alive) != (strips, view.tracker, view.name(view.president), alive):
            return False
        if isinstance(view.phase, GameOver):  # nobody lays anything away any more
            return True
        lying, meant = (self.draw, self.discard), (view.draw_pile, view.discard_pile)
        self.mixed = self.mixed and lying != meant
        return (self.hand, self.fingers) == (view.in_hand, 0) and (
            sum(lying) == sum(meant) if self.mixed else lying == meant
        )


Facts = dict[str, Fact]


def number_of(facts: Facts) -> int:
    number = facts["number"]
    assert isinstance(number, int)
    assert number > 0, "nobody is asked to move nothing"
    return number


def _put(board: Board, facts: Facts) -> None:
    party = facts["party"]
    assert isinstance(party, Term)
    board.strips[party.name] += 1
    assert board.strips[party.name] == number_of(facts)
    if board.fingers:
        board.fingers -= 1
    elif board.hand:
        board.hand -= 1
    else:
        board.draw -= 1


def _take_out(board: Board, facts: Facts) -> None:
    party = facts["party"]
    assert isinstance(party, Term)
    assert board.strips[party.name] == number_of(facts)
    board.strips[party.name] -= 1
    board.fingers += 1


def _draw(board: Board, facts: Facts) -> None:
    board.draw -= number_of(facts)
    board.hand += number_of(facts)


def _back_to_hand(board: Board, facts: Facts) -> None:
    """The law that the president has laid away counts as in hand, but stays where it lies when a veto is taken back."""
    wanted = board.drawn - board.hand - board.fingers
    assert wanted - number_of(facts) in (0, 1)
    board.from_discard(wanted)
    board.hand, board.fingers = board.drawn, 0


def _law_on_top(board: Board, _: Facts) -> None:
    board.draw, board.fingers = board.draw + board.fingers, 0


def _hand_on_top(board: Board, facts: Facts) -> None:
    assert board.hand == number_of(facts)
    board.draw, board.hand = board.draw + board.hand, 0


def _discard_hand(board: Board, facts: Facts) -> None:
    assert board.hand - number_of(facts) in (0, 1)
    _lay_away(board, facts)


def _lay_away(board: Board, _: Facts) -> None:
    board.discard, board.hand = board.discard + board.hand, 0


def _shuffle(board: Board, _: Facts) -> None:
    board.draw, board.discard, board.mixed = board.draw + board.discard, 0, False


def _shuffle_back(board: Board, _: Facts) -> None:
    board.mixed = True


def _peg_on(board: Board, facts: Facts) -> None:
    board.peg += 1
    assert board.peg == number_of(facts)


def _peg(board: Board, facts: Facts) -> None:
    board.peg = number_of(facts) if "number" in facts else 0


def _sign(board: Board, facts: Facts) -> None:
    person = facts["president"]
    assert isinstance(person, Person)
    board.sign = person.name


def _down(board: Board, facts: Facts) -> None:
    person = facts["player"]
    assert isinstance(person, Person)
    board.alive.remove(person.name)


def _up(board: Board, facts: Facts) -> None:
    person = facts["player"]
    assert isinstance(person, Person)
    board.alive.add(person.name)


_ACTIONS: dict[str, Callable[[Board, Facts], None]] = {
    "put-law": _put,
    "take-law-out": _take_out,
    "session": _draw,
    "discarded-back": _back_to_hand,
    "law-on-top": _law_on_top,
    "laws-on-top": _hand_on_top,
    "laws-to-hand": _back_to_hand,
    "discard-hand": _discard_hand,
    "discard-rest": _discard_hand,
    "veto-agreed": _lay_away,
    "shuffled": _shuffle,
    "step-shuffled": _shuffle,
    "shuffle-back": _shuffle_back,
    "peg-on": _peg_on,
    "peg-to": _peg,
    "peg-to-start": _peg,
    "next-president": _sign,
    "sign-back": _sign,
    "first-president": _sign,
    "used-execution": _down,
    "alive-again": _up,
}
"""What hands do at a sentence."""


def next_line(game: Told, number: int) -> str:
    """Return an undo, a redo, a correction or a command of the game."""
    history = game.evening.session.history
    assert history is not None
    kind, choice = number % 9, number // 9
    if kind == 0 or isinstance(game.state.phase, GameOver):
        return "undo"
    if kind == 1:
        return "redo"
    if kind == 2 and len(history.done) > 1:
        basis = history.done[-2].state
        possible = list(moves(basis))
        return corrected(possible[choice % len(possible)], basis)
    return typed(pick(game.state, choice), game.state)


def played_and_followed(edition: str, players: int, numbers: list[int], known: Library | None = None) -> None:
    with told_game(edition, players, known=known) as game:
        board = Board(table_view(game.state))
        for number in numbers:
            line, before = next_line(game, number), game.state
            told = game.hear(line)
            board.follow(told)
            if board.hand and not table_view(game.state).in_hand and told[0].key not in ("undone", "redone"):
                _lay_away(board, {})  # as the chancellor was asked to do with what is not enacted
            assert board.matches(table_view(game.state)), (line, told, before, game.state)


many_steps = st.lists(st.integers(0, 9999), min_size=20, max_size=60)
few = settings(max_examples=10, deadline=None, derandomize=True, database=None)


@every_edition
@given(players=st.integers(5, 10), numbers=many_steps)
@few
def test_hands_that_do_what_is_said_have_the_board_of_the_game(edition, players, numbers):
    played_and_followed(edition, players, numbers)


@given(players=st.integers(5, 10), numbers=many_steps)
@settings(few, max_examples=40)
def test_hands_that_do_what_is_said_have_the_board_when_everything_happens_early(players, numbers):
    played_and_followed("secret_hitler", players, numbers, early())


def test_the_hands_of_these_tests_are_not_told_everything_by_chance():
    with told_game("secret_dictator", 5) as game:
        board = Board(table_view(game.state))
        board.follow(tuple(told for told in game.hear("n ben") if told.key != "session"))
        board.follow(game.hear("p")[:1])
        assert not board.matches(table_view(game.state))
        assert not isinstance(game.state.phase, ShufflePending)
