"""Saved games that can go on."""

from __future__ import annotations

from gm_assistant.errors import JournalError, RuleViolation
from gm_assistant.journal import Journals, SavedGame
from gm_assistant.library import Library
from gm_assistant.rules.history import History, Recorded
from gm_assistant.rules.model import GameOver


def unfinished(journals: Journals, library: Library) -> SavedGame | None:
    """Return the newest saved game if it is not over and its edition is there, else None."""
    newest = next(journals.saved(), None)
    if newest is None:
        return None
    try:
        state = history_of(newest, library).state
    except JournalError:
        return None
    return None if isinstance(state.phase, GameOver) else newest


def history_of(game: SavedGame, library: Library) -> History:
    """Return the history of a saved game. Raise JournalError if its edition is not there or its entries do not fit."""
    started, (first, *rest) = game.started, game.entries
    edition = library.editions.get(started.edition)
    if edition is None or edition.version != started.version:
        raise JournalError("journal-wrong-edition", edition=started.edition, version=started.version)
    assert isinstance(first, Recorded)  # noqa: S101 - checked when the file was read
    history = History.begin(edition, first.events)
    for line, entry in enumerate(rest, 3):
        try:
            history = history.after(entry)
        except (RuleViolation, AssertionError, KeyError) as broken:
            raise JournalError("journal-broken", path=str(game.path), line=line) from broken
    return history
