"""Whole games as they are typed and answered, from the first question to the last word."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from gm_assistant.data import load_yaml
from gm_assistant.dialogue.set_up import Plan
from gm_assistant.journal import Journals
from gm_assistant.library import load_library
from gm_assistant.session import Session
from gm_assistant.utterances import HeadsetUtterance, TableUtterance

GAMES = sorted((Path(__file__).parents[1] / "games").glob("??.yaml"))
LIBRARY = load_library()
EVENING = datetime(2024, 5, 1, 20, 0)


def read(path: Path) -> dict[str, Any]:
    game: dict[str, Any] = load_yaml(path)
    assert set(game) == {"language", "opening", "turns"}
    return game


def heard(turn: dict[str, str]) -> TableUtterance | HeadsetUtterance:
    """Return what is to be heard after a turn."""
    assert set(turn) in ({"typed", "answer"}, {"typed", "whispered"}), turn
    return HeadsetUtterance(turn["whispered"]) if "whispered" in turn else TableUtterance(turn["answer"])


def test_there_is_a_whole_game_in_every_language():
    assert [path.stem for path in GAMES] == sorted(LIBRARY.packs)


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_a_whole_game_is_answered_word_for_word(path, tmp_path):
    game = read(path)
    session = Session(LIBRARY, Plan(), Journals(tmp_path), lambda: EVENING, game["language"])
    assert session.open() == (TableUtterance(game["opening"]),)
    for place, turn in enumerate(game["turns"], 1):
        assert not session.over, f"turn {place}: the game has ended"
        assert session.hear(turn["typed"], typed=True) == (heard(turn),), f"turn {place}: {turn['typed']}"
    assert session.over


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_a_whole_game_shows_everything_that_can_happen(path, tmp_path):
    game = read(path)
    session = Session(LIBRARY, Plan(), Journals(tmp_path), lambda: EVENING, game["language"])
    session.open()
    seen: set[str] = set()
    for turn in game["turns"]:
        session.hear(turn["typed"], typed=True)
        if session.history is not None:
            seen |= {type(event).__name__ for event in session.history.done[-1].events}
            seen |= {getattr(event, "power", "") for event in session.history.done[-1].events}
    assert seen >= {
        *("VoteCast", "ElectionFailed", "GovernmentElected", "ChaosBegan", "DictatorDenied", "DictatorConfirmed"),
        *("MagnifierReserved", "PilesShuffled", "GameWon"),
        *("magnifier", "peek", "special_election", "execution"),
    }
