"""One evening at one table: the only object that changes. One heard sentence goes in, one reply comes out."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from functools import partial
from random import Random, SystemRandom

from gm_assistant.asking import Asking
from gm_assistant.beginning import Beginning, Means
from gm_assistant.channels import Channel
from gm_assistant.dialogue.grammar import LONGEST_TEXT, Grammar
from gm_assistant.dialogue.intents import CONFIRMING, HELP, IN_PLAY, Ambiguous, Intent, NotUnderstood, Parsed
from gm_assistant.dialogue.messages import Message, Messages
from gm_assistant.dialogue.now import now
from gm_assistant.dialogue.phrasebook import Phrasebook
from gm_assistant.dialogue.questions import answers
from gm_assistant.dialogue.refusals import refusal, trouble
from gm_assistant.dialogue.samples import plain_sentence
from gm_assistant.dialogue.set_up import Plan
from gm_assistant.dialogue.situation import spoken_intents
from gm_assistant.errors import GmError, JournalError, RuleViolation
from gm_assistant.foresight import examples, guesses
from gm_assistant.game import Game
from gm_assistant.journal import Journals
from gm_assistant.library import Library
from gm_assistant.log import log_error
from gm_assistant.manner import CHANGES, Manner
from gm_assistant.names import Names
from gm_assistant.playing import Play
from gm_assistant.private_evening import PrivateEvening, Times
from gm_assistant.pronouncing import Pronouncing
from gm_assistant.replies import Replies, uninterrupted
from gm_assistant.rules.history import History
from gm_assistant.rules.position import position
from gm_assistant.rules.views import TableView
from gm_assistant.scenes.opening import Deal
from gm_assistant.setting_up import SettingUp
from gm_assistant.speech.ports import Voice
from gm_assistant.understanding import Understanding
from gm_assistant.utterances import Outcome, Reply, Tone


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
        self._manner = Manner()
        times, random = times or Times(), random or SystemRandom()
        self.names = Names()
        self._pronouncing = Pronouncing(self.names)
        self._set_up = SettingUp(library, plan, language, random, self.names)
        self._understanding = Understanding(self.names)
        self._replies = Replies(lambda: self.phrasebook)
        self._private = PrivateEvening(self._replies, random, times.pace)
        self._private.headset = plan.private
        means = Means(library, journals, clock, random, times.vote_deadline)
        self._beginning = Beginning(self._set_up, means, self._anew, self._private.waiting)
        self._asking = Asking(clock, times.confirmation)
        self._play = Play(self._replies, self._private, self._asking, self._sentence, self._outside)
        self.over = False
        """True as soon as the leader has left."""
        self.asleep = False
        """True while nothing that is spoken counts but the words to wake up; typed lines count as ever."""

    def may_whisper(self) -> None:
        """Ask about private things too: there is a headset. To be called before `open`."""
        self._set_up.may_whisper()
        self._private.headset = True

    def open(self, resume: bool | None = None) -> Reply:
        """Return the first words: the first question, the board set-up, or where a saved game stands.

        With None a new game begins, and an unfinished one is mentioned.
        Raise JournalError if the game to resume needs another edition, or a new one cannot be saved.
        """
        return (*self._replies.table(self._beginning.first_words(resume)), *self._opened())

    def hear(self, text: str, typed: bool = False) -> Reply:
        """Return the reply to one sentence. What is refused or fails is said, and changes nothing."""
        late = not self.irreversible and self.seconds_left == 0
        return self.time_is_up() if late else self._replied(lambda: self._heard(text.strip(), typed))

    def misheard(self) -> Reply:
        """Return the reply to speech that was surely meant for the assistant, but fits nothing that can be said."""
        if self.asleep:
            return ()
        return self._replied(lambda: self._missed() or self._not_understood("", typed=False))

    def time_is_up(self) -> Reply:
        """Return the reply to a deadline: a confirmation is asked for once more, then it counts as declined.

        In a secret ballot chance votes for those who have not.
        """
        game = self._game
        if game is None:
            return ()
        if self.irreversible:
            return self._replied(lambda: self._missed() or ())
        return self._replied(lambda: self._replies.table(game.time_is_up()))

    def performed(self, outcome: Outcome) -> Reply:
        """Return what is to be said after a reply that came so far; usually nothing."""
        game = self._game
        self._asking.said()
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
        lost = () if self._game is None else self.names.lost(self._game.state.players, unknown, self.language)
        return self._replies.aside(*lost) if lost else ()

    def guesses(self) -> tuple[str, ...]:
        """Return the first sentences of answers that are likely to come next, the likeliest first; at most 12.

        Nothing changes, and no answer for the headset is among them.
        """
        return () if self._game is None or self._private.scene else guesses(self._game, self.phrasebook, self._asking)

    @property
    def grammar(self) -> Grammar:
        """What is understood now: answers to the question of the set-up, or the sentences of play or of a scene.

        While the assistant waits for an answer to a question of its own, the answers belong to it as well.
        """
        if self._game is None:
            return self._understanding.of_set_up(lambda: self._set_up.grammar)
        game, pack, scene = self._game, self._set_up.pack, self._private.scene
        if scene:
            return self._understanding.of_scene(pack, game.state.players, scene.intents)
        return self._understanding.of_game(pack, game.view, answers(self._asking.question), self._spoken(game))

    def _spoken(self, game: Game) -> frozenset[str]:
        """Return what can be spoken now: answers to a question that waits, and what makes sense in the situation."""
        asked = answers(self._asking.question)
        return spoken_intents(game.view, game.view_before, answers=asked, paused=game.paused, asleep=self.asleep)

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
        return self._private.scene is not None or self._pronouncing.waits

    @property
    def awaits_answer(self) -> bool:
        """Whether the assistant has asked something: whom, which one, whether it is certain, or for a vote."""
        return self._asking.question is not None

    @property
    def irreversible(self) -> bool:
        """Whether a confirmation is awaited: what is said now cannot be unsaid."""
        return self._asking.irreversible

    @property
    def seconds_left(self) -> float | None:
        """The s until a confirmation counts as declined or a secret ballot is closed, None if there is no hurry.

        For a confirmation they begin when it has been asked for (`performed`), and with every time that it is.
        """
        if self._game is None or self._private.scene:
            return None
        return self._asking.seconds_left if self.irreversible else self._game.seconds_left

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

    def _opened(self) -> Reply:
        """Begin what comes before the first nomination of a game that has just begun, if something does.

        If it cannot be saved, the game has begun all the same, and it can be asked for again.
        """
        waits = self._beginning.waiting_words()
        if self._game is None or waits is None:
            return ()
        try:
            return self._private.open(Deal(self._set_up.plan.deal or Deal.NONE), self._game, waits)
        except JournalError as error:
            log_error(error)
            return self._replies.table((trouble(error), *waits))

    # --- one sentence

    def _heard(self, text: str, typed: bool) -> Reply:
        if self._private.scene and self._game:
            return self._in_scene(text, typed, self._game)
        told = self._pronouncing.heard(text, self.grammar, typed=typed) if self._game else None
        if told is not None:
            self._understanding.forget()
            return self._replies.table(told)
        parsed = self.grammar.parse(text, typed)
        if self.asleep and not typed:
            return self._woken() if parsed == Intent("wake_up") else ()
        if not text:
            nothing = now(self.view) if self.view and self.wants_line else (Message("nothing-heard"),)
            return self._missed() or self._replies.aside(*nothing)
        if self._game is None:
            return self._heard_in_set_up(text, parsed, typed)
        reply = self._play.heard(parsed, self._game, typed=typed)
        if reply is None:
            return self._not_understood(text, typed)
        if not isinstance(parsed, NotUnderstood):
            self._understanding.understood()
        return reply

    def _heard_in_set_up(self, text: str, parsed: Parsed, typed: bool) -> Reply:
        if isinstance(parsed, Intent):
            self._understanding.understood()
            steering = self._steered(parsed)
            if steering is not None:
                return steering
            answer = self._beginning.answered(parsed)
            return self._replies.headset(answer) if parsed.whisper else self._replies.table(answer)
        told = self._set_up.typed(text) if typed and len(text) <= LONGEST_TEXT else None
        if told is not None:
            return self._replies.table(self._beginning.planned(told))
        return (
            self._replies.aside(Message("ambiguous"))
            if isinstance(parsed, Ambiguous)
            else self._not_understood(text, typed)
        )

    def _in_scene(self, text: str, typed: bool, game: Game) -> Reply:
        """Return what a scene makes of a sentence; Enter alone says that somebody is ready."""
        parsed = self.grammar.parse(text, typed) if text or not typed else Intent("ready")
        if not isinstance(parsed, Intent) or (parsed.name == "enter_role" and not typed):
            in_play = Grammar(self._set_up.pack, game.state.players, IN_PLAY)
            if not self.wants_key and isinstance(in_play.parse(text, typed), Intent):
                return self._replies.aside(Message("not-in-scene"))
            return self._not_understood("", typed)
        self._understanding.understood()
        steering = self._steered(parsed)
        if steering is not None:
            return steering
        return self._private.heard(parsed, game)

    def _steered(self, intent: Intent) -> Reply | None:
        """Return the reply to what is understood everywhere in the same way; None for everything else."""
        if intent.name == "repeat" and not self._private.scene:
            return self._replies.repeated(whisper=intent.whisper)
        if intent.name == "stop" and not self._private.scene:
            return self._replies.aside(Message("stopped"))
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

    def _outside(self, intent: Intent, game: Game) -> Reply | None:
        """Do what is not of the game itself; return None for everything else."""
        steering = self._steered(intent)
        if steering is not None:
            return steering
        if intent.name in CONFIRMING:
            return self._replies.aside(Message("nothing-to-confirm"))
        if intent.name == "wake_up":
            return self._woken()
        if game.paused:
            return None
        match intent.name:
            case "sleep":
                self.asleep = True
                return self._replies.aside(Message("asleep"))
            case "pronounce":
                return self._replies.table(self._pronouncing.asked(intent, game.view.players))
            case "new_game":
                return self._replies.table(self._beginning.new_game(game))
            case "forget":
                return self._replies.table(self._beginning.forgotten(game))
            case "undo" if len(game.history.done) == 1 and self._set_up.has_answers:
                return self._replies.table(self._beginning.back())
            case _:
                return None

    def _woken(self) -> Reply:
        key = "awake" if self.asleep else "was-awake"
        self.asleep = False
        return self._replies.aside(Message(key))

    @property
    def _game(self) -> Game | None:
        return self._beginning.game

    def _anew(self) -> None:
        """Let go of everything that was about another game, or another question of the set-up."""
        self._understanding.forget()
        self._asking.drop()
        self.asleep = False
        self._private.clear()
        if self._game is not None:
            self._play.alike = self.names.hearing(self._game.view.players, self.language).alike

    # --- what was not understood, or refused

    def _missed(self) -> Reply | None:
        """Return the question that waits, once more or for the last time; None if none does."""
        return None if self._private.scene or self._game is None else self._play.missed(self._game)

    def _not_understood(self, text: str, typed: bool) -> Reply:
        scene = self._private.scene
        if self._game and self._game.paused and not scene:
            return self._replies.aside(Message("still-paused"))
        view = self.view if typed and not self.wants_line and not scene else None  # nothing secret is said again
        said = self._understanding.missed(text, self.grammar, view, *self._examples(), typed=typed)
        return self._replies.aside(*said) if said else (Tone(),)

    def _examples(self) -> tuple[Messages, Messages]:
        """Return what can be said now, by examples, and what can be typed instead."""
        if self._private.scene or self._game is None:
            helped = self._private.scene.help() if self._private.scene else self._set_up.help
            return helped, (Message("type-it"), *helped)
        return examples(self._game.view, self._set_up.pack)

    def _sentence(self, intent: Intent) -> str:
        """Return the shortest wording of an intent, to be read out."""
        return plain_sentence(self._set_up.pack, self._game.view.players if self._game else (), intent)

    def _refused(self, violation: RuleViolation) -> Messages:
        if self._game is None:
            return (trouble(violation), *self._set_up.question)
        return refusal(violation, self._game.view)
