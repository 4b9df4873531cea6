"""Private consultations: one by one the players come to the headset, and nobody can tell one visit from another."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from gm_assistant.dialogue.intents import Intent
from gm_assistant.dialogue.messages import HeadsetMessage, Message, Messages
from gm_assistant.dialogue.steps import Ahead, Equal, Say, Step, Steps, Whisper
from gm_assistant.errors import RuleViolation
from gm_assistant.rules.model import Seat
from gm_assistant.rules.views import TableView
from gm_assistant.scenes.scene import Turn
from gm_assistant.scenes.visit import INTENTS, Stage, Visit, visit
from gm_assistant.utterances import Outcome

_TIMES = 2
"""How often a whisper is given unasked."""


@dataclass(frozen=True)
class Consultation:
    """`visiting` is there or called; `waiting` come afterwards, in this order."""

    view: TableView
    visiting: Visit
    waiting: tuple[Seat, ...]
    told: Callable[[Seat], Equal] = field(repr=False, compare=False)
    """What each is told."""
    closing: Message
    """What the table hears at the end."""
    stopped: Message
    """What the table hears if the leader stops."""
    for_all: bool = True
    """Others may be called, too; what an investigation shows is for the president only."""
    deals: bool = False
    """These visits are the deal."""

    secret_key = secret_line = False

    @property
    def intents(self) -> frozenset[str]:
        """What is understood now."""
        return INTENTS | {"consult"} if self.for_all else INTENTS

    def begun(self) -> Turn:
        """Call the first one; all whispers are made before, so that nobody's takes time."""
        assert self.visiting.seat is not None  # noqa: S101 - the leader is not consulted
        return Turn(self, (Ahead(self.told(self.visiting.seat)), Say(self._invitation)))

    def heard(self, intent: Intent) -> Turn:
        """Return what comes of a word. Raise RuleViolation("visit-of-the-dead")."""
        match intent.name:
            case "stop":
                return Turn(None, (Say((self.stopped,)),), broken_off=True)
            case "skip":
                return self._next(())
            case "consult" if "player" in intent.slots:
                return self._called(intent.number("player"))
            case "undo":
                return self._anew()
            case _:
                pass
        if self.visiting.stage is Stage.OPEN:
            return self._open(intent)
        return self._visited(*self.visiting.heard(intent))

    def performed(self, outcome: Outcome) -> Turn:
        """Return the call once more if the headset was not ready."""
        if not outcome.failed:
            return Turn(self)
        return self._anew()

    def help(self) -> Messages:
        """Return what can be said now."""
        return (Message("visit-open"),) if self.visiting.stage is Stage.OPEN else self.visiting.help

    def left(self, done: int) -> Steps:  # noqa: ARG002 - wherever it stands
        """Nobody waits with closed eyes."""
        return ()

    @property
    def _invitation(self) -> Messages:
        """What the table hears first; how it goes is told at length only where several come."""
        return (Message("visits-begin"), *self.visiting.call) if self.waiting else self.visiting.help

    def _visited(self, after: Visit, steps: Steps) -> Turn:
        if after.stage is Stage.DOUBTFUL:
            called, _ = after.anew()
            said = Say((Message("visit-broken-off", {"name": after.name}),))
            return Turn(replace(self, visiting=called), (said,), doubtful=after.seat)
        if after.stage is Stage.OPEN:
            return Turn(replace(self, visiting=after), self._whispered(_TIMES), proven=True)
        return Turn(replace(self, visiting=after), steps)

    def _open(self, intent: Intent) -> Turn:
        if intent.name in ("repeat", "consult"):  # "who am i" is a wish to hear it again
            return Turn(self, self._whispered(1))
        return self._next((Say((Message("visit-over", {"name": self.visiting.name}),)),))

    def _whispered(self, times: int) -> tuple[Step, ...]:
        assert self.visiting.seat is not None  # noqa: S101 - the leader is not consulted
        equal = self.told(self.visiting.seat)
        return replace(equal, times=times), Whisper((HeadsetMessage("visit-open"),))

    def _next(self, before: Steps) -> Turn:
        if not self.waiting:
            return Turn(None, (*before, Say((self.closing,))), told=self.deals)
        following, *others = self.waiting
        return self._with(following, tuple(others), before)

    def _called(self, seat: Seat) -> Turn:
        """Call somebody out of turn; whoever was called before comes afterwards."""
        if seat not in self.view.alive:
            raise RuleViolation("visit-of-the-dead", player=seat)
        before = [] if self.visiting.stage is Stage.OPEN or self.visiting.seat is None else [self.visiting.seat]
        waiting = tuple(other for other in (*before, *self.waiting) if other != seat)
        return self._with(seat, waiting)

    def _with(self, seat: Seat, waiting: tuple[Seat, ...], before: Steps = ()) -> Turn:
        called, call = visit(seat, self.view.players, self.visiting.random).anew()
        return Turn(replace(self, visiting=called, waiting=waiting), (*before, *call))

    def _anew(self) -> Turn:
        called, call = self.visiting.anew()
        return Turn(replace(self, visiting=called), call)
