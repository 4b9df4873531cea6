"""The prologue as it is read: it can be paused, repeated line by line, begun anew and ended, and strands nobody."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import accumulate

from gm_assistant.dialogue.intents import Intent
from gm_assistant.dialogue.messages import Message, Messages
from gm_assistant.dialogue.prologue import FASTEST_PACE, SLOWEST_PACE, Cue, prologue, way_out
from gm_assistant.dialogue.steps import Say, Steps
from gm_assistant.errors import RuleViolation
from gm_assistant.rules.views import TableView
from gm_assistant.scenes.scene import ALWAYS, Turn
from gm_assistant.utterances import Noise, Outcome, Rest

_INTENTS = ALWAYS | {"pause", "go_on", "start_again", "skip", "set_pace", "answer_yes", "answer_no"}


@dataclass(frozen=True)
class PrologueReading:
    """Before it begins everybody is asked whether they are ready."""

    view: TableView
    pace: int
    """s of a pause."""
    at: int | None = None
    """The line that comes next; None before it has begun."""
    last: int = -1
    """The line that was heard last, if only its beginning."""
    heads_up: bool = False
    """Some may have their eyes open while others have not."""
    reads: bool = False
    """The lines are being read; otherwise it waits."""
    asks: bool = False
    """All was read, and somebody may say that it went wrong."""

    intents = _INTENTS
    secret_key = secret_line = False

    @property
    def cues(self) -> tuple[Cue, ...]:
        """All lines."""
        return prologue(self.view, self.pace)

    def begun(self) -> Turn:
        """Ask whether everybody is ready."""
        return Turn(self, (Say((Message("prologue-offer"),)),))

    def heard(self, intent: Intent) -> Turn:
        """Return what comes of a sentence. Raise RuleViolation("wrong-pace")."""
        match intent.name:
            case "set_pace":
                return self._paced(intent.number("number"))
            case "start_again":
                return self._from(0)
            case "answer_yes" if self.asks:
                return self._from(0)
            case "stop" | "skip" | "ready" | "go_on" | "answer_no" if self.asks:
                return Turn(None)
            case "repeat" if self.at is not None and not self.asks:
                return self._from(self.last)
            case "skip" if self.at is None:
                return Turn(None)
            case "stop" | "skip":
                ended = Say((Message("prologue-ended"),), must=True)
                return Turn(None, (*self.left(0), ended), broken_off=intent.name == "stop")
            case "pause" | "repeat" | "answer_yes" | "answer_no":
                return Turn(self, (Say(self.help()),))
            case _:
                return self._from(self.at or 0)

    def performed(self, outcome: Outcome) -> Turn:
        """Return the end, or that a key has stopped it: then it waits."""
        if self.at is None or not self.reads:
            return Turn(self)
        parts = tuple(map(_steps, self.cues[self.at :]))
        begins = tuple(accumulate((len(part) for part in parts), initial=0))
        if outcome.done >= begins[-1]:
            return self._over()
        part = sum(outcome.done >= begin for begin in begins) - 1
        spoken = outcome.done - begins[part] > _place_of_line(parts[part])
        after = self.at + part + spoken
        if after == len(self.cues):  # a key has ended the last pause
            return self._over()
        stopped = replace(self, at=after, last=self.at + part, heads_up=self._heads_up(after, spoken), reads=False)
        return Turn(stopped, (Say((Message("prologue-paused"),)),))

    def help(self) -> Messages:
        """Return what can be said now."""
        if self.asks:
            return (Message("prologue-end"),)
        return (Message("prologue-offer" if self.at is None else "prologue-paused"),)

    def left(self, done: int) -> Steps:
        """Return the lines after which nobody has closed eyes; no key stops them."""
        if self.at is None:
            return ()
        if self.reads:
            stopped = self.performed(Outcome(done)).scene
            return stopped.left(0) if stopped else ()
        out = way_out(self.cues, max(self.at, 1), heads_up=self.heads_up)  # of the first line a beginning is enough
        return tuple(step for cue in out for step in _steps(cue, must=True))

    def _over(self) -> Turn:
        """Ask whether anything went wrong."""
        asking = replace(self, at=len(self.cues), last=len(self.cues) - 1, heads_up=False, reads=False, asks=True)
        return Turn(asking, (Say(asking.help()),))

    def _paced(self, seconds: int) -> Turn:
        if not FASTEST_PACE <= seconds <= SLOWEST_PACE:
            raise RuleViolation("wrong-pace", number=seconds, least=FASTEST_PACE, most=SLOWEST_PACE)
        paced = replace(self, pace=seconds)
        return Turn(paced, (Say((Message("pace-is", {"number": seconds}), *paced.help())),), pace=seconds)

    def _from(self, at: int) -> Turn:
        """Read on. Until it is known how far that came, heads may be up."""
        worst = max(place for place, cue in enumerate(self.cues) if cue.heads_up)
        steps = tuple(step for cue in self.cues[at:] for step in _steps(cue))
        return Turn(replace(self, at=at, last=worst, reads=True, asks=False), steps)

    def _heads_up(self, after: int, spoken: bool) -> bool:
        """Return whether heads may be up now that the lines before `after` were spoken, and perhaps half of it."""
        assert self.at is not None  # noqa: S101 - it has begun
        before = self.cues[after - 1].heads_up if after > self.at else self.heads_up
        return before if spoken else before or self.cues[after].heads_up


def _steps(cue: Cue, *, must: bool = False) -> Steps:
    """Return a line; whoever has closed eyes hears that they may open them, keys or not."""
    noise = () if cue.noise is None else (Noise(cue.noise),)
    return (*noise, Say((cue.line,), must=must or not cue.eyes_closed), Rest(cue.pause))


def _place_of_line(part: Steps) -> int:
    return next(place for place, step in enumerate(part) if isinstance(step, Say))
