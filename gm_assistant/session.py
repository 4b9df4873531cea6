"""One evening at one table: the only object that changes. One heard sentence goes in, one reply comes out."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from functools import partial, reduce
from random import Random, SystemRandom

from gm_assistant.ballot import ballot_runs, drawn_votes, seconds_left
from gm_assistant.channels import Channel
from gm_assistant.dialogue.announce import announce, retold, stepped
from gm_assistant.dialogue.answers import TABLE_ANSWERS, examples
from gm_assistant.dialogue.grammar import LONGEST_TEXT, Grammar
from gm_assistant.dialogue.intents import COMMANDS, IN_PLAY, QUESTIONS, Ambiguous, Intent, Parsed
from gm_assistant.dialogue.messages import Message, Messages
from gm_assistant.dialogue.now import now
from gm_assistant.dialogue.orders import command_for, is_echo
from gm_assistant.dialogue.pack import LanguagePack
from gm_assistant.dialogue.phrasebook import Phrasebook
from gm_assistant.dialogue.refusals import refusal, trouble
from gm_assistant.dialogue.scripts import board_set_up
from gm_assistant.dialogue.set_up import Plan, drawn
from gm_assistant.errors import GmError, RuleViolation
from gm_assistant.interview import again, asked, confirmed, edition_of, grammar_of, took, took_text, with_deadline
from gm_assistant.journal import Journal, Journals, SavedGame
from gm_assistant.library import Library
from gm_assistant.log import log_error
from gm_assistant.manner import CHANGES, Manner
from gm_assistant.pardon import lost_names, pardon
from gm_assistant.replies import Replies
from gm_assistant.resumption import history_of, mention_of, unfinished, waiting_game
from gm_assistant.rules.commands import CastSecretVote, Command
from gm_assistant.rules.decide import decide, start
from gm_assistant.rules.history import Entry, History, Recorded, Reinstated, Retracted
from gm_assistant.rules.position import position
from gm_assistant.rules.views import TableView, table_view
from gm_assistant.speech.ports import Voice
from gm_assistant.utterances import HeadsetUtterance, Reply

_VOTES = frozenset({"answer_yes", "answer_no", "cast_vote"})
_HELP = frozenset({"help", "what_can_i_say"})


class Session:
    """Asks for what a game needs, then keeps the game and answers."""

    def __init__(
        self,
        library: Library,
        plan: Plan,
        journals: Journals,
        clock: Callable[[], datetime],
        language: str,
        *,
        random: Random | None = None,
        vote_deadline: int | None = None,
    ) -> None:
        """Begin with `plan`. `language` is spoken until the plan has one; `clock` gives the local time.

        `random` draws what the rules leave to chance. `vote_deadline` is the s that a secret ballot may take in games
        that begin here, 0 for ever; with None the edition says it.
        """
        self._library = library
        self._journals = journals
        self._clock = clock
        self._first_language = language
        self._plans: tuple[Plan, ...] = (plan,)
        self._history: History | None = None
        self._journal: Journal | None = None
        self._grammar: Grammar | None = None
        self._manner = Manner()
        self._random = random or SystemRandom()
        self._vote_deadline = vote_deadline
        self._ballot_opened: datetime | None = None
        self._paused = False
        self._misses = 0
        self._replies = Replies(lambda: self.phrasebook)
        self.over = False
        """True as soon as the leader has left."""

    def open(self, resume: bool | None = None) -> Reply:
        """Return the first words: the first question, the board set-up, or where a saved game stands.

        With None a new game begins, and an unfinished one is mentioned.
        Raise JournalError if the game to resume needs another edition, or a new one cannot be saved.
        """
        waiting = waiting_game(self._journals, self._library, wanted=bool(resume))
        if resume and waiting is not None:
            return self._replies.table(self._resumed(waiting))
        notices: Messages = ()
        if resume:
            notices = (Message("no-game-waiting"),)
        elif resume is None and waiting is not None:
            notices = (mention_of(waiting, asking=self._plan.question is not None),)
        return self._replies.table((*notices, *self._asked_or_begun()))

    def hear(self, text: str, typed: bool = False) -> Reply:
        """Return the reply to one sentence. What is refused or fails is said, and changes nothing."""
        return self.time_is_up() if self.seconds_left == 0 else self._replied(lambda: self._heard(text, typed))

    def time_is_up(self) -> Reply:
        """Return the reply to the deadline of a secret ballot: chance votes for those who have not."""
        self._ballot_opened = self._clock()  # if it cannot be saved, there is as much time once more
        return self._replied(self._missing_votes_drawn)

    def _replied(self, reply: Callable[[], Reply]) -> Reply:
        try:
            return reply()
        except RuleViolation as violation:
            violation.where = violation.where or partial(str, self.position)
            log_error(violation)
            return self._replies.table(self._refused(violation))
        except GmError as error:
            log_error(error)
            return self._replies.table((trouble(error),))

    def _missing_votes_drawn(self) -> Reply:
        history = self._history
        return self._replies.table(self._decided(drawn_votes(history.state, self._random), history)) if history else ()

    def excuse(self, error: GmError) -> Reply:
        """Return what the table is told about a device or file that does not work. It is never repeated."""
        return self._replies.aside(trouble(error))

    def unheard(self, unknown: frozenset[str]) -> Reply:
        """Return what to say about player names with words that the recogniser does not know: nothing if none has."""
        lost = () if self._history is None else lost_names(self._history.state.players, unknown)
        return self._replies.aside(*lost) if lost else ()

    @property
    def grammar(self) -> Grammar:
        """What is understood now: the answers to the question of the set-up, or every sentence of play."""
        if self._grammar is None and self._history is None:
            self._grammar = grammar_of(self._library, self._plan, self.language)
        elif self._grammar is None and self._history is not None:
            self._grammar = Grammar(self._pack, self._history.state.players, IN_PLAY)
        assert self._grammar is not None  # noqa: S101 - one of the two was just made
        return self._grammar

    @property
    def wants_key(self) -> bool:
        """Whether a vote is awaited that nobody may see or hear: what is typed is not shown."""
        return self._history is not None and ballot_runs(self._history.state)

    @property
    def seconds_left(self) -> float | None:
        """The s until a secret ballot is closed, None if there is no hurry."""
        if self._history is None or self._paused:
            return None
        return seconds_left(self._ballot_opened, self._clock(), self._history.state.rules.vote_deadline)

    @property
    def language(self) -> str:
        """The language that is spoken now."""
        return self._plan.language or self._first_language

    @property
    def phrasebook(self) -> Phrasebook:
        """The words that are spoken now."""
        return self._library.phrasebook(self.language, self._plan.edition)

    @property
    def _pack(self) -> LanguagePack:
        return self._library.pack(self.language, self._plan.edition)

    @property
    def view(self) -> TableView | None:
        """The game as the table knows it, None before it began."""
        return None if self._history is None else table_view(self._history.state)

    @property
    def position(self) -> str:
        """The game in one line without its secrets, for a report; empty before it began."""
        return "" if self._history is None else position(self._history.state)

    @property
    def history(self) -> History | None:
        """The game with everything that is secret in it, None before it began. Not for mouths."""
        return self._history

    def voice(self, channel: Channel, platform: str) -> Voice:
        """Return how `channel` sounds now on `platform` (as `sys.platform` names it)."""
        return self._manner.voice(self._library.packs[self.language], channel, platform)

    @property
    def _plan(self) -> Plan:
        return self._plans[-1]

    # --- before the game

    def _asked_or_begun(self) -> Messages:
        return asked(self._library, self._plan, self.language) or self._begun()

    def _begun(self) -> Messages:
        plan = self._plan
        edition = with_deadline(edition_of(self._library, plan), self._vote_deadline)
        events = start(edition, plan.names, plan.first or 1)
        history = History.begin(edition, events)
        journal = self._journals.create(self.language, self._clock())
        journal.append(Recorded(events))
        self._play(history, journal)
        view = table_view(history.state)
        started, *rest = announce(events, view, view)
        return (started, Message("seats-work-too"), *board_set_up(view), *rest)

    def _resumed(self, game: SavedGame) -> Messages:
        history, journal = history_of(game, self._library), self._journals.reopen(game)
        saved_in = game.language if game.language in self._library.packs else None
        self._plans = (Plan(self._plan.language or saved_in, game.started.edition),)
        self._play(history, journal)
        return Message("resumed"), *TABLE_ANSWERS["read_board"](Intent("read_board"), table_view(history.state))

    def _play(self, history: History, journal: Journal) -> None:
        self._journal, self._grammar = journal, None
        self._believe(history)

    def _answered_set_up(self, intent: Intent) -> Messages:
        match intent.name:
            case "go_on":
                waiting = unfinished(self._journals, self._library)
                return self._resumed(waiting) if waiting else (Message("no-game-waiting"), *self._asked_or_begun())
            case "undo":
                return self._back()
            case "draw_first":
                return self._planned(drawn(self._plan, self._random, edition_of(self._library, self._plan)))
            case "help" | "what_can_i_say":
                return Message("examples-set-up"), *asked(self._library, self._plan, self.language)
            case _:
                return self._planned(took(self._library, self._plan, intent, self.language))

    def _planned(self, plan: Plan) -> Messages:
        told, before = confirmed(self._plan, plan), self._plans
        self._plans, self._grammar = (*before, plan), None
        try:
            return (*told, *self._asked_or_begun())
        except GmError:  # the game could not begin: the last question is still open
            self._plans, self._grammar = before, None
            raise

    def _back(self) -> Messages:
        if len(self._plans) == 1:
            return Message("nothing-to-go-back"), *asked(self._library, self._plan, self.language)
        self._plans, self._history, self._grammar = self._plans[:-1], None, None
        return Message("back-to"), *asked(self._library, self._plan, self.language)

    # --- one sentence

    def _heard(self, text: str, typed: bool) -> Reply:
        if not text.strip():
            view = self.view
            return self._replies.aside(*(now(view) if view and self.wants_key else (Message("nothing-heard"),)))
        parsed = self.grammar.parse(text, typed)
        if isinstance(parsed, Intent):
            self._misses = 0
            return self._meant(parsed, typed)
        if self._history is None and typed and len(text) <= LONGEST_TEXT:
            plan = took_text(self._library, self._plan, text, self.language)
            if plan is not None:
                return self._replies.table(self._planned(plan))
        return self._not_understood(text, parsed, typed)

    def _meant(self, intent: Intent, typed: bool) -> Reply:
        if intent.name == "repeat":
            return self._replies.repeated(whisper=intent.whisper)
        if intent.name == "stop":
            return self._replies.aside(Message("stopped"))
        if intent.name in CHANGES:
            self._manner, told = self._manner.changed(intent.name, self._library.packs[self.language])
            return self._replies.aside(told)
        if intent.name == "quit":
            self.over = True
            return self._replies.table((Message("bye" if self._history else "bye-without-game"),))
        if self._history is None:
            answer = self._answered_set_up(intent)
            return self._replies.headset(answer) if intent.whisper else self._replies.table(answer)
        if self.wants_key and not self._paused and intent.name in _VOTES:
            return self._voted(intent, typed, self._history)
        return self._played(intent, self._history)

    def _voted(self, intent: Intent, typed: bool, history: History) -> Reply:
        """Take a secret vote: by key only, and what it was is told to the headset only."""
        if not typed:
            raise RuleViolation("ballot-is-secret")
        before = (Retracted(),) if intent.correction else ()
        command = command_for(intent, table_view(reduce(History.after, before, history).state))
        if not isinstance(command, CastSecretVote):  # what would be corrected is no secret vote
            raise RuleViolation("ballot-is-secret")
        said = self._replies.table(self._decided(command, history, *before))
        noted = self.phrasebook.phrase(Message("vote-noted-yes" if command.approves else "vote-noted-no"))
        return HeadsetUtterance(noted, needed=False), *said

    def _played(self, intent: Intent, history: History) -> Reply:
        if intent.name in QUESTIONS:
            told = self._answered(intent, history)
            if intent.whisper:
                return self._replies.headset(told)
            return self._replies.aside(*told) if intent.name in _HELP else self._replies.table(told)
        if intent.name in ("pause", "go_on"):
            return self._replies.table(self._pause(intent.name == "pause", history))
        if self._paused:
            return self._replies.table((Message("still-paused"),))
        if intent.name in COMMANDS:
            return self._replies.table(self._commanded(intent, history))
        if intent.name == "new_game":
            return self._replies.table(self._new_game(history))
        if intent.name == "undo" and len(history.done) == 1 and len(self._plans) > 1:
            return self._replies.table(self._back())
        return self._replies.table(self._stepped(Retracted() if intent.name == "undo" else Reinstated(), history))

    def _new_game(self, history: History) -> Messages:
        self._plans = (again(self._plan, history.state),)
        self._history, self._grammar = None, None
        return self._asked_or_begun()

    def _answered(self, intent: Intent, history: History) -> Messages:
        view = table_view(history.state)
        if intent.name == "what_last":
            return retold(history.done[-1].events, view)
        return TABLE_ANSWERS[intent.name](intent, view)

    def _commanded(self, intent: Intent, history: History) -> Messages:
        basis = history.after(Retracted()) if intent.correction else history
        if is_echo(intent, history):
            return (Message("already-recorded"),)
        if intent.name == "draw_missing_votes":
            command: Command = drawn_votes(basis.state, self._random)
        else:
            command = command_for(intent, table_view(basis.state))
        if intent.correction:
            return (Message("corrected"), *self._decided(command, history, Retracted()))
        return self._decided(command, history)

    def _decided(self, command: Command, history: History, *before: Retracted) -> Messages:
        """Let the rules decide, keep what happens, and return what is said of it; `before` is taken back first."""
        basis = reduce(History.after, before, history)
        events = decide(basis.state, command)
        after = basis.after(Recorded(events))
        self._keep(after, *before, Recorded(events))
        return announce(events, table_view(history.state), table_view(after.state))

    def _stepped(self, entry: Retracted | Reinstated, history: History) -> Messages:
        after = history.after(entry)
        self._keep(after, entry)
        return stepped(entry, history, after)

    def _keep(self, history: History, *entries: Entry) -> None:
        """Disk before memory: if it cannot be written, nothing has happened."""
        assert self._journal is not None  # noqa: S101 - a game that began has a journal
        self._journal.append(*entries)
        self._believe(history)

    def _believe(self, history: History) -> None:
        if not ballot_runs(history.state):
            self._ballot_opened = None
        elif self._ballot_opened is None:
            self._ballot_opened = self._clock()
        self._history = history

    def _pause(self, pause: bool, history: History) -> Messages:
        if pause:
            self._paused = True
            return (Message("paused"),)
        key = "going-on" if self._paused else "not-paused"
        self._paused = False
        self._ballot_opened = None
        self._believe(history)
        return Message(key), *now(table_view(history.state))

    # --- what was not understood, or refused

    def _not_understood(self, text: str, parsed: Parsed, typed: bool) -> Reply:
        if self._paused:
            return self._replies.aside(Message("still-paused"))
        self._misses += not isinstance(parsed, Ambiguous)
        view = self.view if typed and not self.wants_key else None  # nothing of a secret vote is said again
        return self._replies.aside(*pardon(text, parsed, self.grammar, view, self._misses, self._examples()))

    def _examples(self) -> Messages:
        if self._history is None:
            return Message("examples-set-up"), *asked(self._library, self._plan, self.language)
        return examples(table_view(self._history.state))

    def _refused(self, violation: RuleViolation) -> Messages:
        if self._history is None:
            return (trouble(violation), *asked(self._library, self._plan, self.language))
        return refusal(violation, table_view(self._history.state))
