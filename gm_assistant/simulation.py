"""What `gm-assistant simulate` tells to those who write editions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import sqrt
from statistics import median_low
from time import monotonic
from typing import NamedTuple

from gm_assistant.dialogue.messages import Fact, Message, Term
from gm_assistant.dialogue.phrasebook import Phrasebook
from gm_assistant.errors import RuleViolation
from gm_assistant.rules.edition import Edition
from gm_assistant.rules.model import Cause, Party
from gm_assistant.simulation_cores import Summary, all_cores, simulate
from gm_assistant.simulation_game import Outcome

MOST_GAMES = 1_000_000
MOST_CORES = 1_000
HIGHEST_SEED = 999_999_999
SECONDS_BETWEEN_NEWS = 5.0
SURE = 1.96
"""Standard errors within which 19 of 20 results lie."""


class Order(NamedTuple):
    """What is to be simulated."""

    players: tuple[int, ...]
    games: int
    seed: int
    cores: int


def order_from(edition: Edition, players: str | None, games: str, seed: str, cores: str | None) -> Order:
    """Return what the flags of the command ask for; without `players` every number of players of the edition.

    Raise RuleViolation("option-needs-number") for what is no number, or too low or too high.
    """
    least, most = edition.players.least, edition.players.most
    counts = range(least, most + 1) if players is None else (_number("--players", players, least, most),)
    return Order(
        tuple(counts),
        _number("--games", games, 1, MOST_GAMES),
        _number("--seed", seed, 0, HIGHEST_SEED),
        all_cores() if cores is None else _number("--cores", cores, 1, MOST_CORES),
    )


def _number(option: str, text: str, least: int, most: int) -> int:
    written = text.isascii() and text.isdecimal() and len(text) <= len(str(most))
    if not written or not least <= int(text) <= most:
        raise RuleViolation("option-needs-number", option=option, value=text[:20], least=least, most=most)
    return int(text)


def report(edition: Edition, order: Order, phrasebook: Phrasebook, show: Callable[[str], None]) -> None:
    """Simulate what was ordered and show plain lines: now and then how far it is, at the end the figures.

    Raise SimulationLost as `simulate` does.
    """

    def tell(done: int, total: int) -> None:
        show(phrasebook.phrase(Message("simulation-progress", {"done": done, "total": total})))

    summaries = simulate(edition, order.players, order.games, order.seed, order.cores, NowAndThen(tell, monotonic))
    for line in simulation_lines(summaries, phrasebook):
        show(line)


class NowAndThen:
    """Passes on how far a run is, not more often than anybody wants to hear it, and never its end."""

    def __init__(self, tell: Callable[[int, int], None], clock: Callable[[], float]) -> None:
        self._tell = tell
        self._clock = clock
        self._told = clock()

    def __call__(self, done: int, total: int) -> None:
        """Take note that `done` of `total` games are played."""
        now = self._clock()
        if done < total and now - self._told >= SECONDS_BETWEEN_NEWS:
            self._told = now
            self._tell(done, total)


def simulation_lines(summaries: Sequence[Summary], phrasebook: Phrasebook) -> Iterator[str]:
    """Yield what to show: a line for each figure of a single summary, or for several a line with all figures of each.

    The last two lines tell how far to trust the figures.
    """
    games = summaries[0].games
    yield phrasebook.phrase(Message("simulation-head", {"edition": Term("edition"), "games": games}))
    for summary in summaries:
        figures = [Message("simulation-players", {"number": summary.players}), *_figures(summary)]
        yield from map(phrasebook.phrase, figures) if len(summaries) == 1 else (phrasebook.say(figures),)
    yield phrasebook.phrase(_figure("simulation-precision", SURE * 100 * sqrt(0.25 / games)))
    yield phrasebook.phrase(Message("simulation-caveat"))


def _figures(summary: Summary) -> Iterator[Message]:
    for party in Party:
        yield _figure("simulation-won", _share(summary, party), party=Term(party.value))
        for cause in Cause:
            if summary.won(party, cause):
                yield _figure(f"simulation-won-{cause}", _share(summary, party, cause), party=Term(party.value))
    rounds = summary.lengths()
    yield _figure("simulation-rounds", sum(rounds) / len(rounds))
    yield Message("simulation-spread", {"least": rounds[0], "most": rounds[-1], "median": median_low(rounds)})
    failed = summary.total(lambda game: game.failed_elections)
    yield _figure("simulation-failed", 100 * failed / sum(rounds))
    yield _figure("simulation-chaos", _in_100_games(summary, lambda game: game.chaos))
    yield _figure("simulation-vetoes", _in_100_games(summary, lambda game: game.vetoes))
    yield _figure("simulation-shot", _in_100_games(summary, lambda game: game.shot))


def _share(summary: Summary, party: Party, cause: Cause | None = None) -> float:
    return 100 * summary.won(party, cause) / summary.games


def _in_100_games(summary: Summary, figure: Callable[[Outcome], int]) -> float:
    return 100 * summary.total(figure) / summary.games


def _figure(key: str, figure: float, **facts: Fact) -> Message:
    """Return a message with a figure of one decimal: the phrase knows the sign that its language puts between."""
    whole, tenths = divmod(round(10 * figure), 10)
    return Message(key, {"whole": whole, "tenths": tenths, **facts})
