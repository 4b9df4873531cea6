"""The leader at the headset: handing out tokens, entering roles, and hearing the private notes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from gm_assistant.dialogue.intents import Intent
from gm_assistant.dialogue.messages import HeadsetMessage, HeadsetMessages, Message, Messages
from gm_assistant.dialogue.scripts import role_counts
from gm_assistant.dialogue.steps import Equal, Say, Steps, Whisper
from gm_assistant.dialogue.whispers import echo_whispers, token_whispers, tokens_fit
from gm_assistant.rules.model import Role, Seat
from gm_assistant.rules.views import HeadsetView, TableView
from gm_assistant.scenes.scene import Turn
from gm_assistant.scenes.visit import INTENTS, Stage, Visit
from gm_assistant.utterances import Outcome


@dataclass(frozen=True)
class LeaderScene:
    """What all scenes of the leader have in common: the headset proves itself first."""

    visiting: Visit

    intents = INTENTS
    secret_line = False

    @property
    def secret_key(self) -> bool:
        """Whether a role is awaited."""
        return False

    def begun(self) -> Turn:
        """Call the leader."""
        return Turn(self, (Say(self.visiting.call),))

    def heard(self, intent: Intent) -> Turn:
        """Return what comes of a word."""
        if intent.name == "stop":
            return Turn(None, (Say((self._stopped,)),), broken_off=True)
        if self.visiting.stage is Stage.OPEN:
            return self._open(intent)
        after, steps = self.visiting.heard(intent)
        if after.stage is Stage.DOUBTFUL:
            called, _ = after.anew()
            return Turn(replace(self, visiting=called), (Say((Message("leader-broken-off"),)),))
        met = replace(self, visiting=after)
        proven = after.stage is Stage.OPEN
        return Turn(met, (*steps, *met.told()) if proven else steps, proven=proven)

    def performed(self, outcome: Outcome) -> Turn:
        """Return the call once more if the headset was not ready."""
        if not outcome.failed:
            return Turn(self)
        called, call = self.visiting.anew()
        return Turn(replace(self, visiting=called), call)

    def help(self) -> Messages:
        """Return what can be said now."""
        return (self._open_help,) if self.visiting.stage is Stage.OPEN else self.visiting.help

    def left(self, done: int) -> Steps:  # noqa: ARG002 - wherever it stands
        """Nobody waits with closed eyes."""
        return ()

    _open_help = Message("visit-open")
    _stopped = Message("leader-stopped")

    def _open(self, intent: Intent) -> Turn:
        raise NotImplementedError

    def told(self) -> Steps:
        """Return what is said as soon as the headset is proven."""
        raise NotImplementedError


@dataclass(frozen=True)
class TokenDeal(LeaderScene):
    """The assistant has shuffled, and tells the leader whom to hand which token, seat by seat."""

    view: HeadsetView = field(repr=False)
    seat: Seat = 1

    _open_help = Message("deal-open")
    _stopped = Message("deal-stopped")

    def _open(self, intent: Intent) -> Turn:
        match intent.name:
            case "repeat":
                return Turn(self, self.told())
            case "undo" if self.seat > 1:
                return self._at(self.seat - 1)
            case "undo" | "say_number" | "answer_no":
                return Turn(self, (Say(self.help()),))
            case _ if self.seat == len(self.view.roles):
                return Turn(None, (Say((Message("deal-done"),)),), told=True)
            case _:
                return self._at(self.seat + 1)

    def _at(self, seat: Seat) -> Turn:
        there = replace(self, seat=seat)
        return Turn(there, there.told())

    def told(self) -> Steps:
        """Return which token comes next."""
        first = (Say((Message("deal-open"),)),) if self.seat == 1 else ()
        return (*first, Equal(*token_whispers(self.view, self.seat), filled=False))


@dataclass(frozen=True)
class RoleEntry(LeaderScene):
    """The tokens were dealt by hand; the leader enters each role by one key, which is not shown."""

    view: TableView
    roles: tuple[Role, ...] = field(default=(), repr=False)

    intents = INTENTS | {"enter_role"}
    secret_line = True
    _open_help = Message("entry-open")

    @property
    def secret_key(self) -> bool:
        """Whether a role is awaited."""
        return self.visiting.stage is Stage.OPEN

    def _open(self, intent: Intent) -> Turn:
        match intent.name:
            case "enter_role":
                return self._entered(Role(intent.word("role")))
            case "undo":
                return self._with(self.roles[:-1])
            case "repeat":
                return Turn(self, self.told())
            case _:
                return Turn(self, (Say((Message("entry-open"),)), self._asked))

    def _entered(self, role: Role) -> Turn:
        echo = Equal(*echo_whispers(role), filled=False)
        roles = (*self.roles, role)
        if len(roles) < len(self.view.players):
            return self._with(roles, echo)
        if tokens_fit(self.view.rules, roles):
            return Turn(None, (echo, Say((Message("entry-done"),))), entered=roles)
        return self._with((), echo, Say((Message("entry-wrong", role_counts(self.view.rules)),)))

    def _with(self, roles: tuple[Role, ...], *before: Equal | Say) -> Turn:
        there = replace(self, roles=roles)
        return Turn(there, (*before, *there.told()))

    def told(self) -> Steps:
        """Return whose role is asked for next."""
        return (self._asked,) if self.roles else (Say((Message("entry-open"),)), self._asked)

    @property
    def _asked(self) -> Say:
        seat = len(self.roles) + 1
        return Say((Message("entry-seat", {"name": self.view.name(seat), "seat": seat}),))


@dataclass(frozen=True)
class PrivateNotes(LeaderScene):
    """The leader hears what only the leader may hear."""

    notes: Callable[[], HeadsetMessages] = field(repr=False, compare=False)

    def _open(self, intent: Intent) -> Turn:
        if intent.name == "repeat":
            return Turn(self, self.told())
        return Turn(None, (Say((Message("notes-over"),)),))

    def told(self) -> Steps:
        """Return the notes."""
        return Whisper(self.notes()), Whisper((HeadsetMessage("visit-open"),))
