"""A game as the list of its steps: what undo takes back and redo brings again."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import reduce

import msgspec

from gm_assistant.errors import RuleViolation
from gm_assistant.rules.apply import apply, replay
from gm_assistant.rules.commands import Command
from gm_assistant.rules.decide import decide_all
from gm_assistant.rules.edition import Edition
from gm_assistant.rules.events import Event
from gm_assistant.rules.model import GameState


class Recorded(msgspec.Struct, frozen=True, tag_field="entry", tag=True):
    """One command's events."""

    events: tuple[Event, ...]


class Retracted(msgspec.Struct, frozen=True, tag_field="entry", tag=True):
    """The last step that still counts was taken back."""


class Reinstated(msgspec.Struct, frozen=True, tag_field="entry", tag=True):
    """The step that was taken back last counts again."""


Entry = Recorded | Retracted | Reinstated
"""What a journal holds, one after the other; nothing is ever removed from it."""


@dataclass(frozen=True, slots=True)
class Step:
    """One command's events and the state after them."""

    events: tuple[Event, ...]
    state: GameState


@dataclass(frozen=True, slots=True)
class History:
    """The steps that count, and those that were taken back (the last one taken back comes last)."""

    done: tuple[Step, ...]
    undone: tuple[Step, ...] = ()

    @classmethod
    def begin(cls, edition: Edition, events: tuple[Event, ...]) -> History:
        """Return the history of a game that has just begun; `events` come from `start`."""
        return cls((Step(events, replay(edition, events)),))

    @property
    def state(self) -> GameState:
        """The state after the last step that counts."""
        return self.done[-1].state

    def has_just_recorded(self, *commands: Command) -> bool:
        """Return whether the last step that counts is just these commands: an echo must not count twice."""
        if len(self.done) == 1:
            return False
        try:
            return decide_all(self.done[-2].state, commands) == self.done[-1].events
        except RuleViolation:
            return False

    def after(self, entry: Entry) -> History:
        """Return the history with one more entry.

        Raise RuleViolation if there is nothing to take back or to bring again.
        """
        match entry:
            case Recorded(events):
                return History((*self.done, Step(events, reduce(apply, events, self.state))))
            case Retracted():
                if len(self.done) == 1:
                    raise RuleViolation("nothing-to-undo")
                return History(self.done[:-1], (*self.undone, self.done[-1]))
            case Reinstated():
                if not self.undone:
                    raise RuleViolation("nothing-to-redo")
                return replace(self, done=(*self.done, self.undone[-1]), undone=self.undone[:-1])
