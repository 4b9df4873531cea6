"""One person at the headset: it proves itself with a harmless number before it may tell anything else."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import Enum
from random import Random

from gm_assistant.dialogue.intents import Intent
from gm_assistant.dialogue.messages import HeadsetMessage, Message, Messages
from gm_assistant.dialogue.steps import Say, Steps, Whisper
from gm_assistant.rules.model import Seat
from gm_assistant.scenes.scene import ALWAYS

MOST_TRIES = 3
"""Wrong numbers after which a headset counts as doubtful."""

HIGHEST_NUMBER = 20
"""A number that every recogniser knows."""

INTENTS = ALWAYS | {"answer_yes", "answer_no", "say_number", "skip", "undo", "go_on"}
"""What is understood while somebody is at the headset."""

_ASSENT = frozenset({"ready", "answer_yes", "go_on"})


class Stage(Enum):
    """How far a visit is."""

    CALLED = "called"
    """The person is on the way to the headset."""
    PROVING = "proving"
    """A number has been whispered and must come back."""
    NAMED = "named"
    """A name has been whispered and must be confirmed."""
    OPEN = "open"
    """The headset is proven: this person hears it, and nobody else."""
    DOUBTFUL = "doubtful"
    """The number was wrong too often."""


@dataclass(frozen=True)
class Visit:
    """A visit of the player on `seat`, or of the leader (None)."""

    seat: Seat | None
    name: str
    random: Random = field(repr=False, compare=False)
    stage: Stage = Stage.CALLED
    number: int = field(default=0, repr=False)
    wrong: int = 0

    @property
    def call(self) -> Messages:
        """What the table hears: the same whoever comes and whatever for."""
        if self.seat is None:
            return (Message("leader-call"),)
        return (Message("visit-call", {"name": self.name, "seat": self.seat}),)

    def heard(self, intent: Intent) -> tuple[Visit, Steps]:
        """Return the visit after a word, and what is said; nothing is said any more once it is open or doubtful."""
        match self.stage:
            case Stage.CALLED if intent.name in _ASSENT:
                return self._asked()
            case Stage.PROVING if intent.name == "say_number":
                return self._tried(intent.number("number"))
            case Stage.PROVING if intent.name == "repeat":
                return self, (_number_whispered(self.number),)
            case Stage.NAMED if intent.name in _ASSENT:
                return replace(self, stage=Stage.OPEN), ()
            case Stage.NAMED if intent.name == "repeat":
                return self, (self._who,)
            case Stage.NAMED if intent.name == "answer_no":
                return self.anew()
            case Stage.PROVING:
                return self, (Say((Message("visit-number"),)),)
            case _:
                return self, (Say(self.help),)

    def anew(self) -> tuple[Visit, Steps]:
        """Return the visit at its beginning, and the call: nothing is said to whom it was not meant for."""
        return replace(self, stage=Stage.CALLED, number=0, wrong=0), (Say(self.call),)

    @property
    def help(self) -> Messages:
        """What can be said now."""
        match self.stage:
            case Stage.PROVING:
                return (Message("visit-number"),)
            case Stage.NAMED:
                return (Message("visit-confirm"),)
            case _ if self.seat is not None:
                return (*self.call, Message("visit-how"))
            case _:
                return self.call

    @property
    def _who(self) -> Whisper:
        return Whisper((HeadsetMessage("headset-name", {"name": self.name}),))

    def _asked(self) -> tuple[Visit, Steps]:
        asking = self._with_number(Stage.PROVING)
        return asking, (Say((Message("visit-number"),)), _number_whispered(asking.number))

    def _with_number(self, stage: Stage) -> Visit:
        others = [number for number in range(1, HIGHEST_NUMBER + 1) if number != self.number]
        return replace(self, stage=stage, number=self.random.choice(others))

    def _tried(self, number: int) -> tuple[Visit, Steps]:
        if number != self.number:
            return self._missed()
        if self.seat is None:
            return replace(self, stage=Stage.OPEN), ()
        return replace(self, stage=Stage.NAMED), (Say((Message("visit-confirm"),)), self._who)

    def _missed(self) -> tuple[Visit, Steps]:
        if self.wrong + 1 == MOST_TRIES:
            return replace(self, stage=Stage.DOUBTFUL), ()
        again = replace(self._with_number(Stage.PROVING), wrong=self.wrong + 1)
        return again, (Say((Message("visit-wrong-number"),)), _number_whispered(again.number))


def visit(seat: Seat | None, names: tuple[str, ...], random: Random) -> Visit:
    """Return the visit of the player on `seat`, or of the leader."""
    return Visit(seat, "" if seat is None else names[seat - 1], random)


def _number_whispered(number: int) -> Whisper:
    return Whisper((HeadsetMessage("headset-number", {"number": number}),))
