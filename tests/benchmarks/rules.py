"""How fast the rules and the answers are, on one core: `python -m tests.benchmarks.rules`.

Whole games are played by drawing uniformly among `rules.legal.moves`, without roll calls and secret ballots. Drawing up
the moves is part of the time, and the time is that of the processor: other programs do not count. Beside it stands the
plainest thing a program of events could do: keep nothing but the events, and replay all of them before each command.
Both get the same commands, so their times compare. Single commands and answers are measured in the time that passes for
a person; an answer is `Session.hear` with one typed line, up to and with the journal on the disk, which gets every
command before it is answered. What the disk takes is not ours, so computing alone is told too.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from itertools import chain, cycle
from math import ceil
from pathlib import Path
from random import Random
from statistics import median
from typing import NamedTuple

from gm_assistant.dialogue.set_up import Plan
from gm_assistant.journal import Journals
from gm_assistant.library import Library, load_library
from gm_assistant.rules import commands as do
from gm_assistant.rules.apply import replay
from gm_assistant.rules.commands import Command
from gm_assistant.rules.decide import advance, decide, start
from gm_assistant.rules.edition import Edition
from gm_assistant.rules.events import Event
from gm_assistant.rules.legal import moves
from gm_assistant.rules.model import GameOver, GameState, Party
from gm_assistant.session import Session

AIM_GAMES = 1_000.0
"""Complete random games in a second on one core."""
AIM_ANSWER = 1_000.0
"""µs for one typed question or command."""

GAMES = 200
"""For each edition and number of players."""
EVENINGS = 5
"""Whole games that are typed into a session, for each edition."""
NAMES = ("Anna", "Ben", "Clara", "David", "Emma", "Felix", "Greta", "Hans", "Ida", "Jonas")

_ONE_BY_ONE = do.CastVote | do.TakeSecretBallot | do.CastSecretVote | do.DrawMissingVotes


@dataclass(frozen=True)
class Game:
    """A game as it was played. The first president sits on seat 1."""

    edition: Edition
    players: int
    commands: tuple[Command, ...]

    @property
    def opening(self) -> tuple[Event, ...]:
        return start(self.edition, NAMES[: self.players], 1)


def random_game(edition: Edition, players: int, random: Random) -> Game:
    """Return a whole game of drawn moves."""
    played: list[Command] = []
    state = replay(edition, start(edition, NAMES[:players], 1))
    while not isinstance(state.phase, GameOver):
        played.append(random.choice([move for move in moves(state) if not isinstance(move, _ONE_BY_ONE)]))
        state = advance(state, played[-1])[1]
    return Game(edition, players, tuple(played))


def with_states(game: Game) -> GameState:
    """Return the last state of a game: every command is decided in the state that is kept."""
    state = replay(game.edition, game.opening)
    for command in game.commands:
        state = advance(state, command)[1]
    return state


def with_events_only(game: Game) -> GameState:
    """Return the same: nothing but events is kept, and all of them are replayed before each command."""
    events = game.opening
    for command in game.commands:
        events = (*events, *decide(replay(game.edition, events), command))
    return replay(game.edition, events)


def seconds(work: Callable[[], object]) -> float:
    """Return how long the processor takes for `work`, in s."""
    started = time.process_time()
    work()
    return time.process_time() - started


def command_times(games: Iterable[Game]) -> list[float]:
    """Return how long each command takes with everything that follows from it, in µs."""
    times = []
    for game in games:
        state = replay(game.edition, game.opening)
        for command in game.commands:
            started = time.perf_counter_ns()
            _, state = advance(state, command)
            times.append((time.perf_counter_ns() - started) / 1_000)
    return times


QUESTIONS = (
    *("wh", "c", "cn Ben", "wp", "wn", "wc", "po", "pn", "fi 3", "pe", "lc", "tr", "bo", "al", "se", "ro", "la", "rp"),
    *("what now", "who is president", "who may be chancellor", "why not Clara", "who is next", "who is alive"),
)
"""Codes and sentences that ask something at any moment."""


def typed(command: Command) -> str:
    """Return the code that means `command`. Raise KeyError for commands that are not drawn here."""
    match command:
        case do.ReportCount(yes, no):
            return f"v {yes} {no}"
        case do.ReportResult(passed):
            return "p" if passed else "x"
        case do.AnswerDictatorQuestion(is_dictator):
            return "y" if is_dictator else "n"
        case do.EnactLaw(party):
            return "ll" if party is Party.LIBERAL else "lf"
        case do.AnswerVeto(agrees):
            return "vy" if agrees else "vn"
        case do.NominateChancellor(seat) | do.NameNextPresident(seat) | do.Investigate(seat) | do.Shoot(seat):
            return f"{CODES[type(command)]} {NAMES[seat - 1]}"
        case _:
            return CODES[type(command)]


CODES: Mapping[type, str] = {
    do.NominateChancellor: "n",
    do.NameNextPresident: "np",
    do.Investigate: "i",
    do.Shoot: "s",
    do.ProposeVeto: "ve",
    do.FinishLooking: "k",
    do.ShufflePiles: "sh",
}


class Answer(NamedTuple):
    """How long one answer took, in µs."""

    passed: float
    """Time that passed, also for the disk."""
    computed: float
    """Time of the processor."""


def answer_times(library: Library, edition: Edition, folder: Path, evenings: int) -> tuple[list[Answer], list[Answer]]:
    """Return how long the session takes to answer each question and each command of typed games."""
    questions: list[Answer] = []
    commands: list[Answer] = []
    ask = cycle(QUESTIONS)
    for evening in range(evenings):
        count = 5 + evening % 6
        plan = Plan("en", edition.id, count, NAMES[:count], 1)
        session = Session(library, plan, Journals(folder / edition.id / str(evening)), datetime.now, "en")
        session.open()
        for command in random_game(edition, count, Random(evening)).commands:
            assert session.history is not None
            expected = advance(session.history.state, command)[1]
            questions.append(answer_time(session, next(ask)))
            commands.append(answer_time(session, typed(command)))
            if session.irreversible:
                session.hear("yc", typed=True)
            assert session.history.state == expected, typed(command)
    return questions, commands


def answer_time(session: Session, line: str) -> Answer:
    """Return how long the session takes to answer a typed line."""
    passed, computed = time.perf_counter_ns(), time.process_time_ns()
    session.hear(line, typed=True)
    return Answer((time.perf_counter_ns() - passed) / 1_000, (time.process_time_ns() - computed) / 1_000)


def percentile(values: Iterable[float], share: float) -> float:
    """Return the value that `share` percent of `values` do not exceed (the nearest that really occurs)."""
    ranked = sorted(values)
    return ranked[max(0, ceil(len(ranked) * share / 100) - 1)]


def verdict(what: str, figure: float, aim: float, more_is_better: bool) -> str:
    """Return one line that tells honestly whether an aim was reached."""
    met = figure >= aim if more_is_better else figure <= aim
    bound = "at least" if more_is_better else "at most"
    return f"{what}: {figure:,.0f} (aim: {bound} {aim:,.0f}): {'met' if met else 'missed'}"


def spread(times: list[float]) -> str:
    """Return median, 95th percentile and longest of times in µs."""
    return f"median {median(times):,.1f}, p95 {percentile(times, 95):,.1f}, longest {max(times):,.1f}"


def rule_lines(editions: Mapping[str, Edition], games: int) -> Iterator[str]:
    """Yield what there is to say about the rules."""
    every: list[Game] = []
    spent = 0.0
    for name, edition in editions.items():
        counts = range(edition.players.least, edition.players.most + 1)
        started = time.process_time()
        played = [random_game(edition, count, Random(seed)) for seed in range(games) for count in counts]
        took = time.process_time() - started
        yield f"{name}: {len(played)} random games, {len(played) / took:,.0f} a second"
        spent += took
        every += played
    yield verdict("random games a second, all editions", len(every) / spent, AIM_GAMES, more_is_better=True)
    times = command_times(every)
    yield f"one command in µs, of {len(times)}: {spread(times)}"
    ours = seconds(lambda: [with_states(game) for game in every])
    theirs = seconds(lambda: [with_events_only(game) for game in every])
    yield f"the same commands again, s: {ours:.2f} with the state kept, {theirs:.2f} with events only"
    yield f"keeping the state is {theirs / ours:.1f} times as fast as replaying the events before each command"


def answer_lines(library: Library, evenings: int) -> Iterator[str]:
    """Yield what there is to say about answers to typed lines."""
    questions: list[Answer] = []
    commands: list[Answer] = []
    with tempfile.TemporaryDirectory(prefix="gm-assistant-") as name:
        for edition in library.editions.values():
            asked, told = answer_times(library, edition, Path(name), evenings)
            questions += asked
            commands += told
    for what, answers in (("question", questions), ("command", commands)):
        passed, computed = ([*times] for times in zip(*answers, strict=True))
        yield f"answer to a typed {what} in µs, of {len(answers)}: {spread(passed)}"
        yield f"of that computing in µs: {spread(computed)}"
        yield verdict(f"median answer to a typed {what}, µs", median(passed), AIM_ANSWER, more_is_better=False)
        yield verdict(f"median computing for a typed {what}, µs", median(computed), AIM_ANSWER, more_is_better=False)
        yield verdict(
            f"p95 computing for a typed {what}, µs", percentile(computed, 95), AIM_ANSWER, more_is_better=False
        )


def report(show: Callable[[str], None]) -> None:
    """Measure everything and show it line by line."""
    library = load_library()
    for line in chain(rule_lines(library.editions, GAMES), answer_lines(library, EVENINGS)):
        show(line)


if __name__ == "__main__":
    report(print)
