"""Golden counts of positions, as perft gives them in chess programming: `python -m tests.unit.perft` writes them anew.

A level holds the different states that can be reached with so many commands, without dealing roles and without
breaking off. The file tests/games/perft.yaml holds the sizes of the levels, up to the depth that `TRIES` allows.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from gm_assistant.data import load_yaml
from gm_assistant.rules.apply import replay
from gm_assistant.rules.decide import advance, start
from gm_assistant.rules.edition import Edition
from gm_assistant.rules.eligibility import limits_lifted, president_is_free
from gm_assistant.rules.events import Event, PowerUsed
from gm_assistant.rules.legal import moves
from gm_assistant.rules.model import GameState, Nomination
from gm_assistant.rules.position import parse_position

FILE = Path(__file__).parents[1] / "games" / "perft.yaml"
TRIES = 60_000
"""Commands that are tried for one row of counts, at most."""

HEAD = """\
# Golden counts: how many different positions there are after 1, 2, 3 ... commands, without deals and without breaking
# off. `starts` begins with the first round of every edition and number of players. `positions` begins in the middle of
# games, some with house rules, which stand in the line; `reaches` names what must happen on the way: events, powers
# used, and two reliefs of the term limits.
# `python -m tests.unit.perft` makes the counts anew for the same starts and positions. tests/unit/test_perft.py derives
# the first ones by hand. A count that changes is a rule that changed.
"""


def opening(edition: Edition, players: int) -> GameState:
    """Return the state in which the first player nominates."""
    return replay(edition, start(edition, tuple("ABCDEFGHIJ"[:players]), 1))


def following(level: Iterable[GameState], seen: set[str]) -> set[GameState]:
    """Return the states one command after those of `level`, and put what happens on the way into `seen`."""
    after: set[GameState] = set()
    for state in level:
        for command in moves(state):
            events, then = advance(state, command)
            after.add(then)
            seen.update(_words(events, then))
    return after


def _words(events: tuple[Event, ...], state: GameState) -> Iterator[str]:
    for event in events:
        yield type(event).__name__
        if isinstance(event, PowerUsed):
            yield event.power.value
    if isinstance(state.phase, Nomination) and state.previous is not None:
        if limits_lifted(state):
            yield "limits_lifted"
        if president_is_free(state):
            yield "president_is_free"


def sizes(state: GameState, depth: int, seen: set[str]) -> list[int]:
    """Return the sizes of the first `depth` levels, and put what happens on the way into `seen`."""
    level, counts = {state}, []
    for _ in range(depth):
        level = following(level, seen)
        counts.append(len(level))
    return counts


def affordable_sizes(state: GameState) -> list[int]:
    """Return the sizes of the levels that can be made with `TRIES` commands; after an empty one comes no other."""
    level, counts, tries = {state}, [], 0
    while level and (tries := tries + sum(1 for before in level for _ in moves(before))) <= TRIES:
        level = following(level, set())
        counts.append(len(level))
    return counts


def content() -> dict[str, Any]:
    """Return what stands in the file."""
    found: dict[str, Any] = load_yaml(FILE)
    return found


def lines(editions: Mapping[str, Edition], positions: Iterable[dict[str, Any]]) -> Iterator[str]:
    """Yield the lines of the file, with counts made anew."""
    yield f"{HEAD}starts:"
    for name, edition in editions.items():
        yield f"  {name}:"
        for players in range(edition.players.least, edition.players.most + 1):
            yield f"    {players}: {affordable_sizes(opening(edition, players))}"
    yield "positions:"
    for row in positions:
        counts = affordable_sizes(parse_position(row["position"]))
        yield f"  - title: {row['title']}"
        yield f'    position: "{row["position"]}"'
        yield f"    reaches: [{', '.join(row['reaches'])}]"
        yield f"    counts: {counts}"


if __name__ == "__main__":
    from gm_assistant.library import load_library

    made = list(lines(load_library().editions, content()["positions"]))
    FILE.write_text("\n".join(made) + "\n", "utf-8")
