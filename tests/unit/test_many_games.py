"""Situation 8 of those that other implementations got wrong: thousands of random games in every edition."""

from __future__ import annotations

import os
from random import Random

from random_play import check, pick
from table import EDITIONS, NAMES, every_count, every_edition, roles_for

from gm_assistant.rules import commands as do
from gm_assistant.rules import events as happened
from gm_assistant.rules.apply import replay
from gm_assistant.rules.decide import advance, start
from gm_assistant.rules.edition import Edition
from gm_assistant.rules.events import Event
from gm_assistant.rules.model import GameOver, GameState

GAMES = int(os.environ.get("GM_ASSISTANT_RANDOM_GAMES", "400"))
"""Games per edition and number of players. 10000 are asked for; that takes some minutes."""
LONGEST = 1000


def begun(edition: Edition, players: int, chance: Random) -> tuple[GameState, list[Event]]:
    events = start(edition, NAMES[:players], chance.randint(1, players))
    state = replay(edition, events)
    roles = list(roles_for(players, edition))
    chance.shuffle(roles)
    dealt, state = advance(state, do.DealRoles(tuple(roles)))
    return state, [*events, *dealt]


def random_game(edition: Edition, players: int, chance: Random) -> tuple[GameState, list[Event]]:
    """Play one game to its end and check every state on the way."""
    state, all_events = begun(edition, players, chance)
    while not isinstance(state.phase, GameOver):
        check(state)
        events, state = advance(state, pick(state, chance.getrandbits(16)))
        assert sum(isinstance(event, happened.PowerGranted) for event in events) <= 1
        all_events += events
        assert len(all_events) < LONGEST, "the game does not end"
    check(state)
    return state, all_events


@every_edition
@every_count
def test_8_thousands_of_random_games_keep_their_balance_and_end(edition, players):
    chance = Random(f"{edition} {players}")
    endings = set()
    for _ in range(GAMES):
        state, events = random_game(EDITIONS[edition], players, chance)
        assert replay(EDITIONS[edition], events) == state
        endings.add((state.phase.winner, state.phase.cause))
    assert len(endings) == 4
