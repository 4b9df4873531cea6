"""Thousands of games without people, on several cores: what they add up to does not depend on how many."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
from collections import Counter
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from random import Random
from typing import NamedTuple

from gm_assistant.errors import GmError
from gm_assistant.rules.edition import Edition
from gm_assistant.rules.model import Cause, Party
from gm_assistant.simulation_game import Outcome, play

BLOCK = 200
"""Games that a process plays before it tells how they went."""

MOST_PROCESSES = 60 if sys.platform == "win32" else 1000
"""Windows cannot wait for more pipes at once."""

_CONTEXT = multiprocessing.get_context("spawn")


class SimulationLost(GmError):
    """A process that played games has died."""


@dataclass(frozen=True)
class Summary:
    """How many games of `players` went in which way."""

    players: int
    outcomes: Mapping[Outcome, int]

    @property
    def games(self) -> int:
        """All games together."""
        return self.total(lambda _: 1)

    def total(self, figure: Callable[[Outcome], int]) -> int:
        """Return the sum of `figure` over all games."""
        return sum(figure(outcome) * games for outcome, games in self.outcomes.items())

    def won(self, party: Party, cause: Cause | None = None) -> int:
        """Return how many games `party` has won, in all or because of `cause`."""
        return self.total(lambda outcome: outcome.winner is party and cause in (None, outcome.cause))

    def lengths(self) -> list[int]:
        """Return the number of rounds of every game, the shortest first."""
        rounds = (outcome.rounds for outcome, games in self.outcomes.items() for _ in range(games))
        return sorted(rounds)


class _Block(NamedTuple):
    players: int
    numbers: range


class _Helper(NamedTuple):
    """A process, and how many blocks it will tell about."""

    process: SpawnProcess
    pipe: Connection
    blocks: int


_Tally = tuple[int, Counter[Outcome]]
"""A number of players, and how often each outcome happened."""


def all_cores() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def simulate(
    edition: Edition, players: Sequence[int], games: int, seed: int, cores: int, progress: Callable[[int, int], None]
) -> list[Summary]:
    """Return one summary for each number of `players`, each of so many `games`.

    Every game has its own random numbers, made from `seed` and the number of the game. `progress` hears how many of
    all games are played, whenever a block of them is. Raise SimulationLost("simulation-lost") if a process dies.
    """
    numbers = [range(first, min(first + BLOCK, games)) for first in range(0, games, BLOCK)]
    blocks = [_Block(count, block) for count in players for block in numbers]
    tallies: dict[int, Counter[Outcome]] = {count: Counter() for count in players}
    done = 0
    with closing(_played(edition, seed, blocks, min(cores, len(blocks), MOST_PROCESSES))) as played:
        for count, tally in played:
            tallies[count] += tally
            done += tally.total()
            progress(done, games * len(players))
    return [Summary(count, tally) for count, tally in tallies.items()]


def _played(edition: Edition, seed: int, blocks: list[_Block], processes: int) -> Generator[_Tally, None, None]:
    """Yield what each block adds up to, in any order."""
    if processes < 2:
        yield from (_tally(edition, seed, block) for block in blocks)
        return
    helpers: list[_Helper] = []
    try:
        with _interrupts_wait():
            for first in range(processes):
                helpers.append(_started(edition, seed, blocks[first::processes]))  # noqa: PERF401 - each counts at once
        yield from _received({helper.pipe: helper.blocks for helper in helpers})
    except (EOFError, OSError) as lost:
        raise SimulationLost("simulation-lost") from lost
    finally:
        for helper in helpers:
            helper.process.kill()
        for helper in helpers:
            helper.process.join()


def _received(missing: dict[Connection, int]) -> Iterator[_Tally]:
    """Yield what comes through each pipe, as often as it is missing. Raise EOFError if it ends before."""
    while missing:
        ready = wait(list(missing))
        for pipe in [pipe for pipe in missing if pipe in ready]:
            yield pipe.recv()
            missing[pipe] -= 1
            if missing[pipe] == 0:
                del missing[pipe]


def _started(edition: Edition, seed: int, blocks: list[_Block]) -> _Helper:
    ours, theirs = _CONTEXT.Pipe(duplex=False)
    process = _CONTEXT.Process(target=_help, args=(edition, seed, blocks, theirs), daemon=True)
    process.start()
    theirs.close()
    return _Helper(process, ours, len(blocks))


def _help(edition: Edition, seed: int, blocks: list[_Block], pipe: Connection) -> None:
    """Play the blocks in a process of its own, until the one that wants to know is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with suppress(OSError):
        for block in blocks:
            pipe.send(_tally(edition, seed, block))


def _tally(edition: Edition, seed: int, block: _Block) -> _Tally:
    count = block.players
    seeds = (f"{seed}/{count}/{number}" for number in block.numbers)
    return count, Counter(play(edition, count, Random(text)) for text in seeds)  # noqa: S311 - a game, no secret


@contextmanager
def _interrupts_wait() -> Iterator[None]:
    """Keep an interrupt for later, and from the processes that are started meanwhile: they would complain aloud."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    resource_tracker.ensure_running()  # its start would let interrupts through again
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
