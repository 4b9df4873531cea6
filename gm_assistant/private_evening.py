"""What of an evening is private: the scene that runs, and those that follow it by themselves."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from msgspec.structs import replace

from gm_assistant.dialogue.intents import Intent
from gm_assistant.dialogue.messages import Message, Messages
from gm_assistant.dialogue.now import now
from gm_assistant.dialogue.reveal import revealed
from gm_assistant.dialogue.steps import Say, Steps
from gm_assistant.errors import RuleViolation
from gm_assistant.game import Game
from gm_assistant.replies import Replies, uninterrupted
from gm_assistant.rules.commands import DealRoles
from gm_assistant.rules.decide import decide, untouched
from gm_assistant.rules.events import RolesDealt
from gm_assistant.rules.history import History
from gm_assistant.rules.model import GameOver, GameState, Power, Seat
from gm_assistant.rules.views import revealed_view
from gm_assistant.scenes.opening import (
    Act,
    Deal,
    acts,
    answer_told,
    blind_investigation,
    blind_players,
    consultations,
    deal_scene,
    investigation_announced,
    last_deal,
    last_investigation,
    leader_knows_roles,
    private_notes,
    reading,
    role_entry,
    shuffled_roles,
    unfinished_deal,
)
from gm_assistant.scenes.scene import Scene, Turn
from gm_assistant.utterances import Outcome, Reply, TableUtterance, Utterance

DEFAULT_PACE = 4
"""s of a pause of the prologue."""

_SHOWN = f"used-{Power.INVESTIGATE}"
"""The message that has a card shown."""


@dataclass(frozen=True, slots=True)
class Times:
    """How long something may take, in s."""

    vote_deadline: int | None = None
    """A secret ballot in games that begin here, 0 for ever; with None the edition says it."""
    pace: int = DEFAULT_PACE
    """A pause of the prologue."""
    confirmation: float = 8.0
    """What cannot be unsaid is waited for so long to be confirmed, and as long once more; 0 for ever."""


class PrivateEvening:
    """Keeps the scene that runs, and what comes after it."""

    def __init__(self, replies: Replies, random: Random, pace: int) -> None:
        """`pace` is the length of a pause of the prologue in s."""
        self._replies = replies
        self._random = random
        self._pace = pace
        self._acts: tuple[Act, ...] = ()
        self._closing: Messages = ()
        self._doubtful: tuple[Seat, ...] = ()
        self._owed: Reply = ()
        """What people with closed eyes wait for, until it is said."""
        self._proven = False
        """Whether the headset was the right one when it was last asked."""
        self.headset = False
        """Whether there is one to whisper into."""
        self.scene: Scene | None = None

    def clear(self) -> None:
        """Forget everything: another game begins, or none."""
        self.scene, self._acts, self._closing, self._doubtful = None, (), (), ()
        self._proven = False

    def open(self, deal: Deal, game: Game, closing: Messages) -> Reply:
        """Begin with what comes before the first nomination; `closing` is said after it.

        Raise RuleViolation("too-late-to-deal") or JournalError: then nothing has changed.
        """
        begun = None if deal is Deal.NONE else self._dealt(deal, game)
        self.clear()
        self._closing = closing
        self._acts = acts(deal, blind_players(game.history), len(game.state.players))
        return self._began(begun) if begun else self._next_act(game)

    def waiting(self, history: History) -> Messages:
        """Return what can be asked for in a resumed game: it may have ended in the middle of a deal or a prologue."""
        state, blind = history.state, blind_players(history)
        if unfinished_deal(history):
            return (Message("deal-unfinished"),)
        dealt = (Message("roles-are-known"),) if state.roles is not None else ()
        if not untouched(state):
            return dealt
        if dealt and not leader_knows_roles(history):
            return dealt
        unknown = () if dealt or not self.headset else (Message("roles-unknown"),)
        prologue = () if len(blind) == len(state.players) else (Message("prologue-waits"),)
        return (*dealt, *unknown, *prologue, *((Message("consultations-wait"),) if dealt and blind else ()))

    def asked(self, intent: Intent, game: Game) -> Reply:
        """Return the reply to one of the private intents. Raise RuleViolation or JournalError."""
        if intent.name == "who_was_what":
            told = _revealed(game.state)
            game.final = game.state.roles is not None
            return self._replies.table(told)
        if intent.name == "read_prologue":
            if not untouched(game.state):
                raise RuleViolation("too-late-for-prologue")
            return self._began(reading(game.state, self._pace))
        if not self.headset:
            raise RuleViolation("no-headset-chosen")
        match intent.name:
            case "deal_roles":
                return self.open(_deal_meant(intent, game.history), game, ())
            case "finish_deal":
                return self._finish(game)
            case "hear_investigation":
                return self._began(last_investigation(game.history, self._random))
            case "private_notes":
                return self._began(private_notes(game.history, self._doubtful, self._random))
            case "consult_everybody":
                return self._consulted(game, tuple(sorted(game.state.alive)))
            case "consult_blind":
                return self._consulted(game, blind_players(game.history))
            case _:
                return self._consulted(game, (_asking(intent),))

    def heard(self, intent: Intent, game: Game) -> Reply:
        """Return what the scene makes of a sentence."""
        assert self.scene is not None  # noqa: S101 - only asked while one runs
        return self._turned(self.scene.heard(intent), game)

    def performed(self, outcome: Outcome, game: Game) -> Reply:
        """Return what comes of how far the last reply came; usually nothing."""
        self._owed = ()
        self._proven = self._proven and not outcome.failed
        if self.scene is None:
            return ()
        turn = self.scene.performed(outcome)
        return () if turn == Turn(self.scene) else self._turned(turn, game)

    def told(self, messages: Messages, game: Game) -> Reply:
        """Return what is said of the last step. A president who cannot see a card is called to the headset instead."""
        self._closing = ()
        visit = blind_investigation(game.history, self._random) if self.headset else None
        if visit is None:
            return self._replies.table(messages)
        place = [message.key for message in messages].index(_SHOWN) + 1
        self._closing = messages[place:]
        return (*self._replies.table(self.adapted(messages[:place], game)), *self._began(visit))

    def adapted(self, messages: Messages, game: Game) -> Messages:
        """Return `messages` about the last step without a card that is shown, if the headset tells what is on it."""
        if not self.headset or blind_investigation(game.history, self._random) is None:
            return messages
        return tuple(
            investigation_announced(game.history) if message.key == _SHOWN else message for message in messages
        )

    def of_answer(self, game: Game) -> Reply:
        """Return what the headset says of the last step: equally long whether an answer fits the deal or not.

        Nothing if the headset has not proven itself, or the leader may play, too: then only the private notes tell it.
        """
        before, after = game.history.done[-2:]
        tells = self._proven and leader_knows_roles(game.history)
        return self._replies.performed(answer_told(before.state, after.events) if tells else ())

    def left(self, done: int = 0) -> Reply:
        """Return what must still be said if the program ends after `done` utterances; the scene is over then."""
        if self.scene:
            self._owed = self._replies.performed(self.scene.left(done))
        self.clear()
        return self._owed

    def _began(self, scene: Scene) -> Reply:
        self.scene = scene
        return self._replies.performed(scene.begun().steps)

    def _turned(self, turn: Turn, game: Game) -> Reply:
        if turn.entered:
            _record(game, RolesDealt(turn.entered, leader_knows=True))
        deal = last_deal(game.history)
        if turn.told and deal:
            _record(game, replace(deal, told=True))
        self.scene = turn.scene
        self._pace = turn.pace or self._pace
        self._doubtful += (turn.doubtful,) if turn.doubtful and turn.doubtful not in self._doubtful else ()
        later = self._drops(game) if turn.broken_off else ()
        self._proven = self._proven or turn.proven
        said = self._replies.performed((*turn.steps, *later))
        self._owed = said if turn.scene is None and any(map(_must, said)) else ()
        if turn.broken_off and unfinished_deal(game.history):
            return said
        return said if turn.scene else uninterrupted((*said, *self._next_act(game)))

    def _drops(self, game: Game) -> Steps:
        """Let nothing follow by itself any more; return how to call for the consultations if they can be held."""
        waited, self._acts = Act.CONSULTATIONS in self._acts, ()
        can_come = waited and game.state.roles is not None and not unfinished_deal(game.history)
        return (Say((Message("consultations-wait"),), must=True),) if can_come else ()

    def _next_act(self, game: Game) -> Reply:
        if not self._acts:
            game.ballot_anew()
            if unfinished_deal(game.history):
                return self._replies.table((Message("deal-unfinished"),))
            closing, self._closing = self._closing, ()
            return self._replies.table(closing or now(game.view))
        act, *others = self._acts
        self._acts = tuple(others)
        match act:
            case Act.PROLOGUE:
                return self._began(reading(game.state, self._pace))
            case Act.CONSULTATIONS:
                return self._consulted(game, blind_players(game.history))

    def _dealt(self, deal: Deal, game: Game) -> Scene:
        """Record the roles before anybody hears of them. Raise RuleViolation("too-late-to-deal")."""
        roles = shuffled_roles(game.state, self._random)
        decide(game.state, DealRoles(roles))
        if deal is Deal.ENTRY:
            return role_entry(game.state, self._random)
        leader_knows = deal is Deal.ASSISTED
        _record(game, RolesDealt(roles, leader_knows, told=False))
        return deal_scene(game.state, self._random, leader_knows=leader_knows)

    def _finish(self, game: Game) -> Reply:
        """Go on with a deal that was stopped. Raise RuleViolation("no-deal-to-finish")."""
        deal = unfinished_deal(game.history)
        if deal is None:
            raise RuleViolation("no-deal-to-finish")
        how = Deal.ASSISTED if deal.leader_knows else Deal.HEADSET
        self._acts = acts(how, blind_players(game.history), len(game.state.players))
        return self._began(deal_scene(game.state, self._random, leader_knows=deal.leader_knows))

    def _consulted(self, game: Game, seats: tuple[Seat, ...]) -> Reply:
        return self._began(consultations(game.state, seats, self._random))


def _must(utterance: Utterance) -> bool:
    return isinstance(utterance, TableUtterance) and utterance.must


def _deal_meant(intent: Intent, history: History) -> Deal:
    """Return how roles are dealt now: after a deal by headset never so that the leader, who may play, hears all."""
    deal, before = Deal(intent.word("deal")), last_deal(history)
    if deal is Deal.ASSISTED and before is not None and not before.leader_knows:
        return Deal.HEADSET
    return deal


def _record(game: Game, dealt: RolesDealt) -> None:
    """Keep a deal that the rules allow. Raise RuleViolation or JournalError."""
    decide(game.state, DealRoles(dealt.roles))
    game.kept((dealt,))


def _asking(intent: Intent) -> Seat:
    """Return whose consultation is wanted. Raise RuleViolation("who-asks") if nobody was named."""
    if "player" not in intent.slots:
        raise RuleViolation("who-asks")
    return intent.number("player")


def _revealed(state: GameState) -> Messages:
    """Return who was what. Raise RuleViolation("roles-still-secret") as long as the game runs."""
    if not isinstance(state.phase, GameOver):
        raise RuleViolation("roles-still-secret")
    view = revealed_view(state)
    return revealed(view) if view else (Message("roles-never-known"),)
