"""Whole games as they are typed and answered, from the first question to the last word, in every edition."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from random import Random
from typing import Any

import pytest

from gm_assistant.data import load_yaml
from gm_assistant.dialogue.set_up import Plan
from gm_assistant.journal import Journals
from gm_assistant.library import load_library
from gm_assistant.rules.events import Event
from gm_assistant.rules.model import GameState
from gm_assistant.session import Session
from gm_assistant.utterances import EqualWhisper, HeadsetUtterance, Prepare, Reply, Secret, TableUtterance

GAMES = sorted((Path(__file__).parents[1] / "games").glob("??_*.yaml"))
LIBRARY = load_library()
EVENING = datetime(2024, 5, 1, 20, 0)

every_game = pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)


def read(path: Path) -> dict[str, Any]:
    game: dict[str, Any] = load_yaml(path)
    assert set(game) == {"language", "edition", "seed", "opening", "turns"}
    return game


def opened(game: dict[str, Any], folder: Path) -> Session:
    journals = Journals(folder)
    return Session(LIBRARY, Plan(), journals, lambda: EVENING, game["language"], random=Random(game["seed"]))


def heard(turn: dict[str, str]) -> Reply:
    """Return what is to be heard after a turn: an answer, a whisper, or what is noted for the voter and an answer."""
    assert turn.keys() - {"answer", "whispered", "noted"} == {"typed"}, turn
    assert ("noted" in turn) <= ("answer" in turn) != ("whispered" in turn), turn
    if "whispered" in turn:
        return (HeadsetUtterance(Secret(turn["whispered"])),)
    noted = (Secret(turn["noted"]),) if "noted" in turn else ()
    return (*noted, TableUtterance(turn["answer"]))


def words(reply: Reply) -> Reply:
    """Return a reply without what makes no sound, and of a repeated vote only what was chosen."""
    heard_ = (one.variants[one.chosen][0] if isinstance(one, EqualWhisper) else one for one in reply)
    return tuple(one for one in heard_ if not isinstance(one, Prepare))


def test_there_is_a_whole_game_in_every_language_and_edition() -> None:
    wanted = [f"{language}_{edition}" for language in LIBRARY.packs for edition in LIBRARY.editions]
    assert [path.stem for path in GAMES] == sorted(wanted)


@every_game
def test_a_whole_game_is_answered_word_for_word(path: Path, tmp_path: Path) -> None:
    game = read(path)
    assert path.stem == f"{game['language']}_{game['edition']}"
    session = opened(game, tmp_path)
    assert session.open() == (TableUtterance(game["opening"]),)
    for place, turn in enumerate(game["turns"], 1):
        assert not session.over, f"turn {place}: the game has ended"
        assert words(session.hear(turn["typed"], typed=True)) == heard(turn), f"turn {place}: {turn['typed']}"
    assert session.over
    assert session.view is not None
    assert session.view.rules.edition == game["edition"]


def steps(path: Path, folder: Path) -> Iterator[tuple[tuple[Event, ...], GameState]]:
    """Yield what every line of a game has made happen, and the state after it."""
    game = read(path)
    session = opened(game, folder)
    session.open()
    for turn in game["turns"]:
        before = session.history
        session.hear(turn["typed"], typed=True)
        if session.history is not None and session.history is not before:
            yield session.history.done[-1].events, session.history.state


def shown(language: str, folder: Path, *editions: str) -> set[str]:
    """Return what happens in the games of these editions: events, powers, causes of the end."""
    seen: set[str] = set()
    for edition in editions:
        path = Path(__file__).parents[1] / "games" / f"{language}_{edition}.yaml"
        for events, _ in steps(path, folder / edition):
            for event in events:
                seen |= {type(event).__name__, str(getattr(event, "power", "")), str(getattr(event, "cause", ""))}
    return seen


@pytest.mark.parametrize("language", sorted(LIBRARY.packs))
def test_the_tactile_game_shows_everything_that_can_happen(language: str, tmp_path: Path) -> None:
    assert shown(language, tmp_path, "secret_dictator") >= {
        *("VoteCast", "ElectionFailed", "GovernmentElected", "ChaosBegan", "DictatorDenied", "DictatorConfirmed"),
        *("MagnifierReserved", "PilesShuffled", "GameWon", "dictator_shot"),
        *("magnifier", "peek", "special_election", "execution"),
    }


@pytest.mark.parametrize("language", sorted(LIBRARY.packs))
def test_the_other_games_together_show_everything_that_can_happen(language: str, tmp_path: Path) -> None:
    seen = shown(language, tmp_path, "secret_despotar", "secret_hitler", "service_rat")
    assert seen >= {
        *("VetoWanted", "VetoAgreed", "VetoRefused", "SecretBallotOpened", "SecretVoteCast", "VotesPublished"),
        *("MissingVotesDrawn", "ChaosBegan", "PilesShuffled", "ElectionFailed", "DictatorDenied", "DictatorConfirmed"),
        *("investigate", "special_election", "execution", "peek"),
        *("laws", "dictator_elected"),
    }
    assert "magnifier" not in seen
