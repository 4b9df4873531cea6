"""What is meant while a game runs is done here, or asked about first if it is not clear or cannot be unsaid."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from gm_assistant.asking import Asking
from gm_assistant.confirming import read_back
from gm_assistant.dialogue.intents import (
    ANSWERS,
    COMMANDS,
    CONFIRMING,
    HELP,
    PRIVATE,
    QUESTIONS,
    VOTES,
    Ambiguous,
    Incomplete,
    Intent,
    Parsed,
)
from gm_assistant.dialogue.messages import Message, Messages, Person, Place, message
from gm_assistant.dialogue.now import now
from gm_assistant.dialogue.questions import (
    Confirm,
    Declined,
    Meant,
    OneWordOnly,
    Question,
    RollCall,
    Which,
    Whom,
    answered,
    differ_by_player,
    next_in_roll_call,
)
from gm_assistant.errors import RuleViolation
from gm_assistant.game import Game
from gm_assistant.manner import CHANGES
from gm_assistant.private_evening import PrivateEvening
from gm_assistant.pronouncing import PRONOUNCE
from gm_assistant.replies import Replies
from gm_assistant.rules.history import History, Reinstated, Retracted
from gm_assistant.rules.model import Party, Seat
from gm_assistant.rules.views import TableView
from gm_assistant.utterances import Reply

_STEERING = frozenset({"repeat", "stop", *HELP, *CHANGES})
"""They are about the talk itself: a question still waits after them."""

_IN_ROLL_CALL = frozenset({"cast_vote", "cast_votes", "undo", "redo"})
"""A roll call goes on after them."""

_MOST_CANDIDATES = 3
"""How many meanings are read out to choose from."""


class Play:
    """Gives the reply to what was parsed in a game. Raises RuleViolation or JournalError: then nothing has changed."""

    def __init__(
        self,
        replies: Replies,
        private: PrivateEvening,
        asking: Asking,
        sentence: Callable[[Intent], str],
        outside: Callable[[Intent, Game], Reply | None],
    ) -> None:
        """`sentence` words an intent; `outside` does what is not of the game itself, and returns None for the rest."""
        self._replies = replies
        self._private = private
        self._asking = asking
        self._sentence = sentence
        self._outside = outside
        self.alike: frozenset[frozenset[str]] = frozenset()
        """Pairs of players' names that a recogniser mixes up."""

    def heard(self, parsed: Parsed, game: Game, *, typed: bool) -> Reply | None:
        """Return the reply to what was understood, None if nothing was."""
        question = self._asking.question
        if isinstance(question, Whom | Which | Confirm) and parsed == Intent("undo"):
            return self._withdrawn(question, game)
        may_be_vote = game.votes_in_secret and isinstance(parsed, Intent) and parsed.name in VOTES
        asked = None if may_be_vote else question  # whether it was yes or no is nobody's business
        answer = None if asked is None else answered(asked, parsed, game.view)
        match answer:
            case Meant(intent, sure, confirmed):
                if not isinstance(question, RollCall):
                    self._asking.drop()
                return self._meant(intent, game, typed=typed, sure=sure or typed, confirmed=confirmed)
            case Declined():
                self._let_go(game)
                return self._replies.table((Message("not-done"), *now(game.view)))
            case OneWordOnly():
                return self._replies.aside(Message("confirm-both-words"))
            case Ambiguous():
                parsed = answer
            case None:
                pass
        return self._unasked(parsed, question, game, typed=typed)

    def _withdrawn(self, question: Question, game: Game) -> Reply:
        """Ask no more: nothing was done yet, so nothing is taken back."""
        self._let_go(game)
        return self._replies.aside(Message("not-done" if isinstance(question, Confirm) else "question-dropped"))

    def _let_go(self, game: Game) -> None:
        """Wait for nothing any more. A secret ballot, in which nobody could vote meanwhile, gets its whole time."""
        asked = self._asking.waits
        self._asking.drop()
        if asked and game.votes_in_secret:
            game.ballot_anew()

    def missed(self, game: Game) -> Reply | None:
        """Return the reply to silence, or to words without a meaning, while a question waits; None if none does."""
        if self._asking.question is None:
            return None
        said = self._asking.missed()
        if not self._asking.waits and game.votes_in_secret:
            game.ballot_anew()
        return self._replies.aside(*said) if not self._asking.waits else self._replies.table(said)

    def _unasked(self, parsed: Parsed, question: Question | None, game: Game, *, typed: bool) -> Reply | None:
        """Return the reply to what is no answer. A question that waits is dropped for whatever makes sense."""
        match parsed:
            case Intent(name) if name in ANSWERS - CONFIRMING:
                return self.missed(game)  # it answers something else
            case Intent():
                return self._instead(parsed, question, game, typed=typed)
            case Ambiguous(candidates) if game.votes_in_secret:
                return self._replies.aside(Message("ambiguous"))  # it may be a vote: nothing of it is said again
            case Ambiguous() | Incomplete() if game.paused:
                return self._replies.table((Message("still-paused"),))
            case Ambiguous(candidates):
                _one_must_be_possible(candidates, game)
                return self._ask(Which(candidates[:_MOST_CANDIDATES]), self._which(candidates, game.view))
            case Incomplete(intent, slot):
                _must_be_possible(intent, slot, game)
                return self._ask(Whom(intent, slot), (Message("whom") if slot == "player" else Message("which-law"),))
            case _:
                return self.missed(game)

    def _instead(self, intent: Intent, question: Question | None, game: Game, *, typed: bool) -> Reply:
        goes_on = isinstance(question, RollCall) and intent.name in _IN_ROLL_CALL | QUESTIONS
        if not goes_on and intent.name not in _STEERING:
            self._let_go(game)
        try:
            reply = self._meant(intent, game, typed=typed, sure=typed, confirmed=False)
        except RuleViolation:
            self._asking.question = question  # what is refused changes nothing, not even what waits
            raise
        waived = isinstance(question, Confirm) and not self._asking.waits
        return (*self._replies.aside(Message("not-done")), *reply) if waived else reply

    def _meant(self, intent: Intent, game: Game, *, typed: bool, sure: bool, confirmed: bool) -> Reply:
        """Do what was meant, or ask about it: which one it was, or whether it should be done."""
        if game.votes_in_secret and not game.paused and intent.name in VOTES:
            return self._voted(intent, game, typed=typed)
        if game.votes_in_secret and intent.name == PRONOUNCE:  # the next line would be said aloud, and may be a vote
            raise RuleViolation("ballot-is-secret")
        doubtful = () if sure else self._sounding_alike(intent, game)
        if doubtful:
            places = tuple(Place(game.view.name(seat), seat) for seat in map(_player, doubtful))
            return self._ask(Which(doubtful), (Message("which-player", {"players": places}),))
        said = () if confirmed else read_back(intent, game, private=self._private.headset)
        if said:
            return self._ask(Confirm(intent), said)
        reply = self._outside(intent, game)
        return reply if reply is not None else self._did(intent, game)

    def _ask(self, question: Question, prompt: Messages) -> Reply:
        waived = (Message("not-done"),) if self._asking.irreversible else ()
        return self._replies.table((*waived, *self._asking.ask(question, prompt)))

    def _which(self, candidates: tuple[Intent, ...], view: TableView) -> Messages:
        if differ_by_player(candidates):
            return (message("which-player", view, players=tuple(map(_player, candidates[:_MOST_CANDIDATES]))),)
        sentences = tuple(Person(self._sentence(intent)) for intent in candidates[:_MOST_CANDIDATES])
        return (Message("which-sentence", {"sentences": sentences}),)

    def _sounding_alike(self, intent: Intent, game: Game) -> tuple[Intent, ...]:
        """Return the command for each player who may have been meant, if it is possible for more than one."""
        if intent.name not in COMMANDS or "player" not in intent.slots or _player(intent) not in intent.by_name:
            return ()
        name = game.view.name(_player(intent))
        seats = (seat for seat, other in enumerate(game.view.players, 1) if frozenset((name, other)) in self.alike)
        others = (replace(intent, slots={**intent.slots, "player": seat}) for seat in seats)
        possible = tuple(one for one in (intent, *others) if _is_possible(one, game))
        return possible[:_MOST_CANDIDATES] if intent in possible and len(possible) > 1 else ()

    # --- what is clear

    def _did(self, intent: Intent, game: Game) -> Reply:
        if intent.name in QUESTIONS:
            return self._answered(intent, game)
        if intent.name in ("pause", "go_on"):
            return self._replies.table(game.pause() if intent.name == "pause" else game.go_on())
        if game.paused:
            return self._replies.table((Message("still-paused"),))
        if intent.name == "roll_call":
            return self._roll_call(game)
        if intent.name in PRIVATE:
            return self._private.asked(intent, game)
        before = game.history
        told = _done(intent, game)
        if isinstance(self._asking.question, RollCall):
            seat = next_in_roll_call(game.view)
            if seat is not None:
                return self._call_on(seat, _in_short(told), game)
            self._asking.drop()
        return self._told(told, before, game) if intent.name in COMMANDS else self._replies.table(told)

    def _voted(self, intent: Intent, game: Game, *, typed: bool) -> Reply:
        """Take a secret vote: by key only, and what it was is told to the headset only."""
        if not typed:
            raise RuleViolation("ballot-is-secret")
        approves, told = game.voted(intent)
        return (*self._replies.voted(approves), *self._replies.table(told))

    def _answered(self, intent: Intent, game: Game) -> Reply:
        told = self._private.adapted(game.answered(intent), game)
        if intent.whisper:
            return self._replies.headset(told)
        return self._replies.aside(*told) if intent.name in HELP else self._replies.table(told)

    def _told(self, told: Messages, before: History, game: Game) -> Reply:
        if game.history == before:
            return self._replies.table(told)
        ahead = self._replies.votes_ahead() if game.votes_in_secret else ()
        return (*self._private.told(told, game), *ahead, *self._private.of_answer(game))

    # --- a roll call

    def _roll_call(self, game: Game) -> Reply:
        """Ask for one vote after the other. Raise RuleViolation if none is taken openly now."""
        seat = next_in_roll_call(game.view)
        if seat is None:
            raise (
                RuleViolation("ballot-is-secret")
                if game.votes_in_secret
                else RuleViolation("out-of-turn", wanted="vote")
            )
        return self._call_on(seat, (Message("roll-call"),), game)

    def _call_on(self, seat: Seat, told: Messages, game: Game) -> Reply:
        call = message("next-voter", game.view, player=seat)
        return self._replies.table((*told, *self._asking.ask(RollCall(), (call,))))


def _in_short(told: Messages) -> Messages:
    """Return what a step of a roll call recorded, without what must happen next: the next player is called on."""
    short = told[:2] if told[0].key in ("undone", "redone") else told
    return tuple(one for one in short if not one.key.startswith("votes-missing"))


def _player(intent: Intent) -> Seat:
    return intent.number("player")


def _done(intent: Intent, game: Game) -> Messages:
    """Do a command, or take a step back or forward; return what is said of it."""
    if intent.name in COMMANDS:
        return game.commanded(intent)
    return game.stepped(Retracted() if intent.name == "undo" else Reinstated())


def _is_possible(intent: Intent, game: Game) -> bool:
    try:
        game.foreseen(intent)
    except RuleViolation:
        return False
    return True


def _one_must_be_possible(candidates: tuple[Intent, ...], game: Game) -> None:
    """Raise RuleViolation if all of several commands are refused: then nobody has to choose."""
    commands = [intent for intent in candidates if intent.name in COMMANDS]
    if len(commands) == len(candidates) and not any(_is_possible(one, game) for one in commands):
        game.foreseen(commands[0])


def _must_be_possible(intent: Intent, slot: str, game: Game) -> None:
    """Raise RuleViolation if a command is refused whatever fills its gap: then nothing has to be asked."""
    values = range(1, len(game.state.players) + 1) if slot == "player" else [party.value for party in Party]
    whole = [replace(intent, slots={**intent.slots, slot: value}) for value in values]
    if not any(_is_possible(one, game) for one in whole):
        game.foreseen(whole[0])
