"""A game on its way: every step is on disk before it is believed, and what is said of it comes back."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from functools import reduce
from random import Random

from gm_assistant.ballot import ballot_runs, drawn_votes, seconds_left
from gm_assistant.dialogue.announce import announce, retold, stepped
from gm_assistant.dialogue.answers import TABLE_ANSWERS
from gm_assistant.dialogue.intents import Intent
from gm_assistant.dialogue.messages import Message, Messages
from gm_assistant.dialogue.now import now
from gm_assistant.dialogue.orders import command_for, commands_for, is_echo
from gm_assistant.errors import RuleViolation
from gm_assistant.journal import Journal
from gm_assistant.rules.commands import CastSecretVote, Command
from gm_assistant.rules.decide import decide, decide_all
from gm_assistant.rules.edition import Edition
from gm_assistant.rules.events import Event, RolesDealt
from gm_assistant.rules.history import Entry, History, Recorded, Reinstated, Retracted
from gm_assistant.rules.model import GameState
from gm_assistant.rules.views import TableView, table_view


class Game:
    """The history of one game, its journal, and the clock of its secret ballots."""

    def __init__(self, history: History, journal: Journal, clock: Callable[[], datetime], random: Random) -> None:
        """`clock` gives the local time, `random` what the rules leave to chance."""
        self._journal = journal
        self._clock = clock
        self._random = random
        self._ballot_opened: datetime | None = None
        self.paused = False
        self.final = False
        """The roles were told after the end: there is no way back into the game."""
        self.history = history
        self._believe(history)

    @property
    def state(self) -> GameState:
        """Everything, also what is secret. Not for mouths."""
        return self.history.state

    @property
    def view(self) -> TableView:
        """The game as the table knows it."""
        return table_view(self.state)

    @property
    def view_before(self) -> TableView | None:
        """The game as the table knew it one step before, None at the beginning."""
        return table_view(self.history.done[-2].state) if len(self.history.done) > 1 else None

    @property
    def votes_in_secret(self) -> bool:
        """Whether a secret ballot runs."""
        return ballot_runs(self.state)

    @property
    def seconds_left(self) -> float | None:
        """The s until a secret ballot is closed, None if there is no hurry."""
        if self.paused:
            return None
        return seconds_left(self._ballot_opened, self._clock(), self.state.rules.vote_deadline)

    def time_is_up(self) -> Messages:
        """Let chance vote for those who have not; return what is said of it."""
        self._ballot_opened = self._clock()  # if it cannot be saved, there is as much time once more
        return self.decided(drawn_votes(self.state, self._random))

    def answered(self, intent: Intent) -> Messages:
        """Return the answer to a question."""
        if intent.name == "what_last":
            return retold(self.history.done[-1].events, self.view)
        return TABLE_ANSWERS[intent.name](intent, self.view)

    def commanded(self, intent: Intent) -> Messages:
        """Do what the leader says; return what is said of it. Raise RuleViolation or JournalError."""
        if intent.correction:
            self._may_take_back()
        basis = self.history.after(Retracted()) if intent.correction else self.history
        if is_echo(intent, self.history):
            return (Message("already-recorded"),)
        if intent.name == "draw_missing_votes":
            commands: tuple[Command, ...] = (drawn_votes(basis.state, self._random),)
        else:
            commands = commands_for(intent, table_view(basis.state))
        if intent.correction:
            return (Message("corrected"), *self.kept(decide_all(basis.state, commands), Retracted()))
        return self.kept(decide_all(basis.state, commands))

    def foreseen(self, intent: Intent) -> tuple[Event, ...]:
        """Return what a command would make happen; nothing if it was just recorded, or if chance has to decide.

        Nothing changes. Raise RuleViolation as `commanded` would.
        """
        if intent.correction:
            self._may_take_back()
        basis = self.history.after(Retracted()) if intent.correction else self.history
        if intent.name == "draw_missing_votes" or is_echo(intent, self.history):
            return ()
        return decide_all(basis.state, commands_for(intent, table_view(basis.state)))

    def voted(self, intent: Intent) -> tuple[bool, Messages]:
        """Take a secret vote; return what it was, for the headset, and what the table hears of it.

        Raise RuleViolation("ballot-is-secret") for anything else.
        """
        before = (Retracted(),) if intent.correction else ()
        command = command_for(intent, table_view(reduce(History.after, before, self.history).state))
        if not isinstance(command, CastSecretVote):  # what would be corrected is no secret vote
            raise RuleViolation("ballot-is-secret")
        return command.approves, self.decided(command, *before)

    def decided(self, command: Command, *before: Retracted) -> Messages:
        """Let the rules decide, keep what happens, and return what is said of it; `before` is taken back first."""
        basis = reduce(History.after, before, self.history)
        return self.kept(decide(basis.state, command), *before)

    def kept(self, events: tuple[Event, ...], *before: Retracted) -> Messages:
        """Keep what the rules have decided, and return what is said of it."""
        view = self.view
        after = reduce(History.after, before, self.history).after(Recorded(events))
        self._keep(after, *before, Recorded(events))
        return announce(events, view, self.view)

    def stepped(self, entry: Retracted | Reinstated) -> Messages:
        """Take a step back, or bring it again. Raise RuleViolation("deal-stays")."""
        if isinstance(entry, Retracted):
            self._may_take_back()
        before, after = self.history, self.history.after(entry)
        self._keep(after, entry)
        return stepped(entry, before, after)

    def pause(self) -> Messages:
        """Take nothing but "go on" from now on."""
        self.paused = True
        return (Message("paused"),)

    def go_on(self) -> Messages:
        """End the pause; a secret ballot gets its whole time anew."""
        key = "going-on" if self.paused else "not-paused"
        self.paused = False
        self.ballot_anew()
        return Message(key), *now(self.view)

    def ballot_anew(self) -> None:
        """Give a secret ballot its whole time once more: for a while nobody could vote."""
        self._ballot_opened = None
        self._believe(self.history)

    def erase(self) -> None:
        """Delete what was saved of the game. Raise JournalError("journal-undeletable"): then it is still there."""
        self._journal.erase()

    def _may_take_back(self) -> None:
        """Raise RuleViolation("deal-stays") or ("roles-were-told"): what was told cannot be untold."""
        if isinstance(self.history.done[-1].events[0], RolesDealt):
            raise RuleViolation("deal-stays")
        if self.final:
            raise RuleViolation("roles-were-told")

    def _keep(self, history: History, *entries: Entry) -> None:
        """Disk before memory: if it cannot be written, nothing has happened."""
        self._journal.append(*entries)
        self._believe(history)

    def _believe(self, history: History) -> None:
        if not ballot_runs(history.state):
            self._ballot_opened = None
        elif self._ballot_opened is None:
            self._ballot_opened = self._clock()
        self.history = history


def new_game(
    edition: Edition, events: tuple[Event, ...], journal: Journal, clock: Callable[[], datetime], random: Random
) -> Game:
    """Return a game that begins with `events`. Raise JournalError if they cannot be saved."""
    journal.append(Recorded(events))
    return Game(History.begin(edition, events), journal, clock, random)
