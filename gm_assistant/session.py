"""One evening at one table: the only object that changes. One heard sentence goes in, one reply comes out."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from functools import partial
from random import Random, SystemRandom

from gm_assistant.channels import Channel
from gm_assistant.dialogue.announce import announce
from gm_assistant.dialogue.answers import TABLE_ANSWERS, examples
from gm_assistant.dialogue.grammar import LONGEST_TEXT, Grammar
from gm_assistant.dialogue.intents import HELP, IN_PLAY, Intent, Parsed
from gm_assistant.dialogue.messages import Message, Messages
from gm_assistant.dialogue.now import now
from gm_assistant.dialogue.phrasebook import Phrasebook
from gm_assistant.dialogue.refusals import refusal, trouble
from gm_assistant.dialogue.scripts import board_set_up
from gm_assistant.dialogue.set_up import Plan
from gm_assistant.errors import GmError, JournalError, RuleViolation
from gm_assistant.game import Game, new_game
from gm_assistant.interview import again, first_events, with_deadline
from gm_assistant.journal import Journals, SavedGame
from gm_assistant.library import Library
from gm_assistant.log import log_error
from gm_assistant.manner import CHANGES, Manner
from gm_assistant.pardon import lost_names
from gm_assistant.playing import Play
from gm_assistant.private_evening import PrivateEvening, Times
from gm_assistant.replies import Replies, uninterrupted
from gm_assistant.resumption import history_of, mention_of, unfinished, waiting_game
from gm_assistant.rules.history import History
from gm_assistant.rules.position import position
from gm_assistant.rules.views import TableView, table_view
from gm_assistant.scenes.opening import Deal, blind_players, follows, prologue_hint
from gm_assistant.setting_up import SettingUp
from gm_assistant.speech.ports import Voice
from gm_assistant.understanding import Understanding
from gm_assistant.utterances import Outcome, Reply


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
        times: Times | None = None,
    ) -> None:
        """Begin with `plan`. `language` is spoken until the plan has one; `clock` gives the local time.

        `random` draws what the rules leave to chance.
        """
        self._library = library
        self._journals = journals
        self._clock = clock
        self._game: Game | None = None
        self._waits: Messages | None = None
        self._times = times or Times()
        self._manner = Manner()
        self._random = random or SystemRandom()
        self._set_up = SettingUp(library, plan, language, self._random)
        self._understanding = Understanding()
        self._replies = Replies(lambda: self.phrasebook)
        self._private = PrivateEvening(self._replies, self._random, self._times.pace)
        self._private.headset = plan.private
        self._play = Play(self._replies, self._private)
        self.over = False
        """True as soon as the leader has left."""

    def may_whisper(self) -> None:
        """Ask about private things too: there is a headset. To be called before `open`."""
        self._set_up.may_whisper()
        self._private.headset = True

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
            notices = (mention_of(waiting, asking=self._set_up.plan.question is not None),)
        return (*self._replies.table((*notices, *self._asked_or_begun())), *self._opened())

    def hear(self, text: str, typed: bool = False) -> Reply:
        """Return the reply to one sentence. What is refused or fails is said, and changes nothing."""
        return self.time_is_up() if self.seconds_left == 0 else self._replied(lambda: self._heard(text, typed))

    def time_is_up(self) -> Reply:
        """Return the reply to the deadline of a secret ballot: chance votes for those who have not."""
        game = self._game
        return self._replied(lambda: self._replies.table(game.time_is_up())) if game else ()

    def performed(self, outcome: Outcome) -> Reply:
        """Return what is to be said after a reply that came so far; usually nothing."""
        game = self._game
        return self._replied(lambda: self._private.performed(outcome, game)) if game else ()

    def left(self, done: int = 0) -> Reply:
        """Return what must still be said if the program ends after `done` utterances: nobody is left in the dark."""
        return self._private.left(done)

    def _replied(self, reply: Callable[[], Reply]) -> Reply:
        try:
            said = reply()
            return (*said, *self._opened())
        except RuleViolation as violation:
            violation.where = violation.where or partial(str, self.position)
            log_error(violation)
            refused = self._refused(violation)
            return self._replies.aside(*refused) if self._private.scene else self._replies.table(refused)
        except GmError as error:
            log_error(error)
            return self._replies.table((trouble(error),))

    def excuse(self, error: GmError) -> Reply:
        """Return what the table is told about a device or file that does not work. It is never repeated."""
        return self._replies.aside(trouble(error))

    def unheard(self, unknown: frozenset[str]) -> Reply:
        """Return what to say about player names with words that the recogniser does not know: nothing if none has."""
        lost = () if self._game is None else lost_names(self._game.state.players, unknown)
        return self._replies.aside(*lost) if lost else ()

    @property
    def grammar(self) -> Grammar:
        """What is understood now: answers to the question of the set-up, or the sentences of play or of a scene."""
        if self._game is None:
            return self._understanding.of_set_up(lambda: self._set_up.grammar)
        intents = self._private.scene.intents if self._private.scene else IN_PLAY
        return self._understanding.of_game(self._set_up.pack, self._game.state.players, intents)

    @property
    def wants_line(self) -> bool:
        """Whether something secret is awaited, such as a vote: what is typed is not shown."""
        scene = self._private.scene
        return scene.secret_line if scene else self._game is not None and self._game.votes_in_secret

    @property
    def wants_key(self) -> bool:
        """Whether a single key is awaited that nobody may see."""
        return self._private.scene is not None and self._private.scene.secret_key

    @property
    def takes_enter(self) -> bool:
        """Whether an empty line says something: in scenes, that somebody is ready."""
        return self._private.scene is not None

    @property
    def seconds_left(self) -> float | None:
        """The s until a secret ballot is closed, None if there is no hurry."""
        return None if self._game is None or self._private.scene else self._game.seconds_left

    @property
    def language(self) -> str:
        """The language that is spoken now."""
        return self._set_up.language

    @property
    def phrasebook(self) -> Phrasebook:
        """The words that are spoken now."""
        return self._set_up.phrasebook

    @property
    def view(self) -> TableView | None:
        """The game as the table knows it, None before it began."""
        return None if self._game is None else self._game.view

    @property
    def position(self) -> str:
        """The game in one line without its secrets, for a report; empty before it began."""
        return "" if self._game is None else position(self._game.state)

    @property
    def history(self) -> History | None:
        """The game with everything that is secret in it, None before it began. Not for mouths."""
        return None if self._game is None else self._game.history

    def voice(self, channel: Channel, platform: str) -> Voice:
        """Return how `channel` sounds now on `platform` (as `sys.platform` names it)."""
        return self._manner.voice(self._library.packs[self.language], channel, platform)

    # --- before the game

    def _asked_or_begun(self) -> Messages:
        return self._set_up.question or self._begun()

    def _begun(self) -> Messages:
        plan = self._set_up.plan
        edition = with_deadline(self._set_up.edition, self._times.vote_deadline)
        events = first_events(edition, plan)
        journal = self._journals.create(self.language, self._clock())
        game = new_game(edition, events, journal, self._clock, self._random)
        self._take_up(game)
        view = game.view
        begun, *rest = announce(events, view, view)
        opening = (begun, Message("seats-work-too"), *board_set_up(view))
        if follows(plan):
            self._waits = tuple(rest)
            return opening
        return (*opening, *prologue_hint(plan), *rest)

    def _opened(self) -> Reply:
        """Begin what comes before the first nomination of a game that has just begun, if something does.

        If it cannot be saved, the game has begun all the same, and it can be asked for again.
        """
        if self._game is None or self._waits is None:
            return ()
        waits, self._waits = self._waits, None
        try:
            return self._private.open(Deal(self._set_up.plan.deal or Deal.NONE), self._game, waits)
        except JournalError as error:
            log_error(error)
            return self._replies.table((trouble(error), *waits))

    def _resumed(self, saved: SavedGame) -> Messages:
        history, journal = history_of(saved, self._library), self._journals.reopen(saved)
        language = saved.language if saved.language in self._library.packs else None
        plan = self._set_up.plan
        self._set_up.begin(Plan(plan.language or language, saved.started.edition, private=plan.private))
        self._take_up(Game(history, journal, self._clock, self._random))
        board = TABLE_ANSWERS["read_board"](Intent("read_board"), table_view(history.state))
        return Message("resumed"), *self._private.waiting(history), *board

    def _take_up(self, game: Game) -> None:
        self._private.clear()
        self._game = game
        self._understanding.forget()

    def _answered_set_up(self, intent: Intent) -> Messages:
        match intent.name:
            case "go_on":
                waiting = unfinished(self._journals, self._library)
                return self._resumed(waiting) if waiting else (Message("no-game-waiting"), *self._asked_or_begun())
            case "undo":
                return self._back()
            case "help" | "what_can_i_say":
                return self._set_up.help
            case _:
                return self._planned(self._set_up.answered(intent))

    def _planned(self, told: Messages) -> Messages:
        """Ask on, or begin. If the game cannot begin, the last question is still open."""
        self._understanding.forget()
        try:
            return (*told, *self._asked_or_begun())
        except GmError:
            self._set_up.back()
            self._understanding.forget()
            raise

    def _back(self) -> Messages:
        self._leave_game()
        return self._set_up.went_back()

    # --- one sentence

    def _heard(self, text: str, typed: bool) -> Reply:
        if self._private.scene and self._game:
            return self._in_scene(text, typed, self._game)
        if not text.strip():
            view = self.view
            return self._replies.aside(*(now(view) if view and self.wants_line else (Message("nothing-heard"),)))
        parsed = self.grammar.parse(text, typed)
        if isinstance(parsed, Intent):
            self._understanding.understood()
            return self._meant(parsed, typed)
        if self._game is None and typed and len(text) <= LONGEST_TEXT:
            told = self._set_up.typed(text)
            if told is not None:
                return self._replies.table(self._planned(told))
        return self._not_understood(text, parsed, typed)

    def _in_scene(self, text: str, typed: bool, game: Game) -> Reply:
        """Return what a scene makes of a sentence; Enter alone says that somebody is ready."""
        parsed = self.grammar.parse(text, typed) if text.strip() or not typed else Intent("ready")
        if not isinstance(parsed, Intent) or (parsed.name == "enter_role" and not typed):
            in_play = Grammar(self._set_up.pack, game.state.players, IN_PLAY)
            if not self.wants_key and isinstance(in_play.parse(text, typed), Intent):
                return self._replies.aside(Message("not-in-scene"))
            return self._not_understood("", parsed, typed)
        self._understanding.understood()
        steering = self._steered(parsed)
        if steering is not None:
            return steering
        return self._private.heard(parsed, game)

    def _meant(self, intent: Intent, typed: bool) -> Reply:
        if intent.name == "repeat":
            return self._replies.repeated(whisper=intent.whisper)
        if intent.name == "stop":
            return self._replies.aside(Message("stopped"))
        steering = self._steered(intent)
        if steering is not None:
            return steering
        if self._game is None:
            answer = self._answered_set_up(intent)
            return self._replies.headset(answer) if intent.whisper else self._replies.table(answer)
        return self._played(intent, self._game, typed)

    def _steered(self, intent: Intent) -> Reply | None:
        """Return the reply to what is understood everywhere in the same way; None for everything else."""
        if intent.name in CHANGES:
            self._manner, told = self._manner.changed(intent.name, self._library.packs[self.language])
            return self._replies.aside(told)
        if intent.name == "quit":
            self.over = True
            key = "bye" if self._game else "bye-without-game"
            return uninterrupted((*self.left(), *self._replies.table((Message(key),))))
        if intent.name in HELP | {"what_now"} and self._private.scene:
            return self._replies.aside(*self._private.scene.help())
        return None

    def _played(self, intent: Intent, game: Game, typed: bool) -> Reply:
        """Do what is meant; what leaves the game is done here, everything else in the game."""
        if not game.paused and intent.name == "new_game":
            return self._replies.table(self._new_game(game))
        if not game.paused and intent.name == "undo" and len(game.history.done) == 1 and self._set_up.has_answers:
            return self._replies.table(self._back())
        return self._play.did(intent, game, typed=typed)

    def _new_game(self, game: Game) -> Messages:
        self._set_up.begin(again(self._set_up.plan, game.state, blind_players(game.history)))
        self._leave_game()
        return self._asked_or_begun()

    def _leave_game(self) -> None:
        self._private.clear()
        self._game = None
        self._understanding.forget()

    # --- what was not understood, or refused

    def _not_understood(self, text: str, parsed: Parsed, typed: bool) -> Reply:
        scene = self._private.scene
        if self._game and self._game.paused and not scene:
            return self._replies.aside(Message("still-paused"))
        view = self.view if typed and not self.wants_line and not scene else None  # nothing secret is said again
        return self._replies.aside(*self._understanding.missed(text, parsed, view, self._examples()))

    def _examples(self) -> Messages:
        if self._private.scene:
            return self._private.scene.help()
        if self._game is None:
            return self._set_up.help
        return examples(self._game.view)

    def _refused(self, violation: RuleViolation) -> Messages:
        if self._game is None:
            return (trouble(violation), *self._set_up.question)
        return refusal(violation, self._game.view)
