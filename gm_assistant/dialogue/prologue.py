"""The prologue: a script computed from the edition, the number of players and the pace."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from gm_assistant.dialogue.messages import Message
from gm_assistant.rules.views import TableView

SLOWEST_PACE, FASTEST_PACE = 10, 1
"""s of a pause."""


@dataclass(frozen=True, slots=True)
class Cue:
    """One line, and what follows it."""

    line: Message
    pause: float
    """s that people get to do it."""
    heads_up: bool = False
    """From this line on some have their eyes open while others have not."""
    eyes_closed: bool = True
    """After this line people still have their eyes closed."""
    noise: bool | None = None
    """Whether masking noise sounds under this line and its pause; None leaves it as it is."""


def prologue(view: TableView, pace: float) -> tuple[Cue, ...]:
    """Return the lines of the prologue (document 000; the dictator looks up too where the edition says so: 001, 002).

    `pace` is the length of its pauses in s. Noise sounds from before the first head is raised until the last is down.
    """
    return tuple(_cues(view, pace))


def way_out(cues: tuple[Cue, ...], said: int, *, heads_up: bool) -> tuple[Cue, ...]:
    """Return what must still be said if the prologue ends after `said` lines: nobody stays in the dark.

    With `heads_up` some may have their eyes open while others have not: heads go down first.
    """
    if not said or not cues[said - 1].eyes_closed:
        return ()
    up = next(place for place, cue in enumerate(cues) if not cue.eyes_closed)
    return cues[up - 1 if heads_up else up : up + 1]


def _cues(view: TableView, pace: float) -> Iterator[Cue]:
    yield Cue(Message("prologue-heads-down"), pace)
    yield Cue(Message("prologue-noise"), pace, noise=True)
    if view.rules.dictator_knows_fascists:
        yield Cue(Message("prologue-team-looks"), pace, heads_up=True, noise=True)
    else:
        yield Cue(Message("prologue-fascists-look"), pace, heads_up=True, noise=True)
        yield Cue(Message("prologue-thumb"), pace, heads_up=True, noise=True)
        yield Cue(Message("prologue-thumb-down"), pace / 2, heads_up=True, noise=True)
    yield Cue(Message("prologue-down"), pace, noise=True)
    yield Cue(Message("prologue-up"), pace / 2, eyes_closed=False, noise=False)
