"""How a game comes to the table: question by question, from a saved one, or once more with the same people."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from random import Random

from gm_assistant.dialogue.announce import announce
from gm_assistant.dialogue.answers import TABLE_ANSWERS
from gm_assistant.dialogue.intents import Intent
from gm_assistant.dialogue.messages import Message, Messages
from gm_assistant.dialogue.scripts import board_set_up
from gm_assistant.dialogue.set_up import Plan
from gm_assistant.errors import GmError
from gm_assistant.game import Game, new_game
from gm_assistant.interview import again, first_events, once_more, with_deadline
from gm_assistant.journal import Journals, SavedGame
from gm_assistant.library import Library
from gm_assistant.resumption import history_of, mention_of, unfinished, waiting_game
from gm_assistant.rules.history import History
from gm_assistant.rules.views import table_view
from gm_assistant.scenes.opening import blind_players, follows, prologue_hint
from gm_assistant.setting_up import SettingUp


@dataclass(frozen=True, slots=True)
class Means:
    """What a game begins with, besides the answers."""

    library: Library
    journals: Journals
    clock: Callable[[], datetime]
    random: Random
    vote_deadline: int | None
    """Of secret ballots in s; None as the edition says."""


class Beginning:
    """Keeps the game that is played, once it has begun."""

    def __init__(
        self,
        set_up: SettingUp,
        means: Means,
        changed: Callable[[], None],
        waiting: Callable[[History], Messages],
    ) -> None:
        """Call `changed` whenever there is another game or another question.

        `waiting` tells what can be asked for in a game that is resumed.
        """
        self._set_up = set_up
        self._means = means
        self._changed = changed
        self._waiting = waiting
        self._waits: Messages | None = None
        self.game: Game | None = None

    def first_words(self, resume: bool | None) -> Messages:
        """Return the first question, the board set-up, or where a saved game stands.

        With None a new game begins, and an unfinished one is mentioned. Raise JournalError as `Session.open` does.
        """
        waiting = waiting_game(self._means.journals, self._means.library, wanted=bool(resume))
        if resume and waiting is not None:
            return self._resumed(waiting)
        about_names = self._set_up.looked_at_names()
        notices: Messages = ()
        if resume:
            notices = (Message("no-game-waiting"),)
        elif resume is None and waiting is not None:
            notices = (mention_of(waiting, asking=self._set_up.plan.question is not None),)
        return (*notices, *about_names, *self.asked_or_begun())

    def waiting_words(self) -> Messages | None:
        """Return, once, what is said after everything that comes before the first nomination; None if nothing comes."""
        waits, self._waits = self._waits, None
        return waits

    def asked_or_begun(self) -> Messages:
        """Return the next question, or the words with which the game begins. Raise JournalError if it cannot."""
        return self._set_up.question or self._begun()

    def _begun(self) -> Messages:
        plan = self._set_up.plan
        edition = with_deadline(self._set_up.edition, self._means.vote_deadline)
        events = first_events(edition, plan)
        journal = self._means.journals.create(self._set_up.language, self._means.clock())
        game = new_game(edition, events, journal, self._means.clock, self._means.random)
        self._take_up(game)
        view = game.view
        begun, *rest = announce(events, view, view)
        opening = (begun, Message("seats-work-too"), *board_set_up(view))
        if follows(plan):
            self._waits = tuple(rest)
            return opening
        return (*opening, *prologue_hint(plan), *rest)

    def _resumed(self, saved: SavedGame) -> Messages:
        history, journal = history_of(saved, self._means.library), self._means.journals.reopen(saved)
        language = saved.language if saved.language in self._means.library.packs else None
        plan = self._set_up.plan
        self._set_up.begin(Plan(plan.language or language, saved.started.edition, private=plan.private))
        self._take_up(Game(history, journal, self._means.clock, self._means.random))
        board = TABLE_ANSWERS["read_board"](Intent("read_board"), table_view(history.state))
        return Message("resumed"), *self._waiting(history), *board

    def answered(self, intent: Intent) -> Messages:
        """Return what is said to an answer to a question of the set-up. Raise RuleViolation or JournalError."""
        match intent.name:
            case "go_on":
                waiting = unfinished(self._means.journals, self._means.library)
                return self._resumed(waiting) if waiting else (Message("no-game-waiting"), *self.asked_or_begun())
            case "undo":
                return self.back()
            case "help" | "what_can_i_say":
                return self._set_up.help
            case _:
                return self.planned(self._set_up.answered(intent))

    def planned(self, told: Messages) -> Messages:
        """Ask on, or begin. If the game cannot begin, the last question is still open."""
        self._changed()
        try:
            return (*told, *self.asked_or_begun())
        except GmError:
            self._set_up.back()
            self._changed()
            raise

    def back(self) -> Messages:
        """Take the last answer back, also if the game has begun with it."""
        self._take_up(None)
        return self._set_up.went_back()

    def new_game(self, game: Game) -> Messages:
        """Set up one more game of the same people. Raise RuleViolation("game-goes-on")."""
        self._set_up.begin(again(self._set_up.plan, game.state, blind_players(game.history)))
        self._take_up(None)
        return self.asked_or_begun()

    def forgotten(self, game: Game) -> Messages:
        """Delete a game with everything that is secret in it, and set up another one of the same people.

        Raise JournalError if it cannot be deleted: then it goes on.
        """
        game.erase()
        self._set_up.begin(once_more(self._set_up.plan, game.state, blind_players(game.history)))
        self._take_up(None)
        return Message("forgotten"), *self.asked_or_begun()

    def _take_up(self, game: Game | None) -> None:
        self.game = game
        self._changed()
