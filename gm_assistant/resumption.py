"""Saved games that can go on."""

from __future__ import annotations

from gm_assistant.dialogue.messages import Fact, Message
from gm_assistant.dialogue.now import now
from gm_assistant.errors import JournalError, RuleViolation
from gm_assistant.journal import Journals, SavedGame
from gm_assistant.library import Library
from gm_assistant.rules.consistency import contradiction
from gm_assistant.rules.history import History, Recorded
from gm_assistant.rules.model import GameOver
from gm_assistant.rules.views import table_view

_UNFIT = (
    RuleViolation,
    AssertionError,
    LookupError,
    TypeError,
    ValueError,
    AttributeError,
    StopIteration,
    RuntimeError,
)
"""What entries raise that no program of ours has written in this order."""


def unfinished(journals: Journals, library: Library) -> SavedGame | None:
    """Return the game that was played last, None if it is over. Raise JournalError if it cannot go on.

    Games in which nothing was recorded yet do not hide it: whoever starts anew by mistake has lost nothing.
    """
    untouched: SavedGame | None = None
    for game in journals.saved():
        history = history_of(game, library)
        if len(history.done) > 1 or history.undone:
            return untouched if isinstance(history.state.phase, GameOver) else game
        untouched = untouched or game
    return untouched


def waiting_game(journals: Journals, library: Library, *, wanted: bool) -> SavedGame | None:
    """Return the game that can go on. One that cannot is no reason not to begin another, unless it is `wanted`.

    Raise JournalError then.
    """
    try:
        return unfinished(journals, library)
    except JournalError:
        if wanted:
            raise
        return None


def mention_of(game: SavedGame, *, asking: bool) -> Message:
    """Return that a game waits, and how to go on with it: by a word only while questions are `asking`."""
    facts: dict[str, Fact] = {"names": ", ".join(game.started.players), "when": game.began}
    return Message("game-waiting" if asking else "game-waiting-elsewhere", facts)


def history_of(game: SavedGame, library: Library) -> History:
    """Return the history of a saved game. Raise JournalError if its edition is not there or its entries do not fit."""
    started = game.started
    edition = library.editions.get(started.edition)
    if edition is None or (started.rules is None and edition.version != started.version):
        raise JournalError("journal-wrong-edition", edition=started.edition, version=started.version)
    first = game.entries[0]
    assert isinstance(first, Recorded)  # noqa: S101 - checked when the file was read
    history: History | None = None
    for line, entry in enumerate(game.entries, 2):
        try:
            history = history.after(entry) if history else History.begin(edition, first.events)
            now(table_view(history.state))  # whoever edited the file may have named a seat that is not there
            if contradiction(history.state):
                raise JournalError("journal-broken", path=str(game.path), line=line)
        except _UNFIT as broken:
            raise JournalError("journal-broken", path=str(game.path), line=line) from broken
    assert history is not None  # noqa: S101 - a saved game has an entry
    return history
