"""Words on their way to one channel. The two kinds cannot be exchanged: a type checker refuses."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TableUtterance:
    """Everybody may hear it, and it may be printed."""

    text: str


@dataclass(frozen=True, slots=True)
class HeadsetUtterance:
    """Only whoever wears the headset may hear it; it is never printed unless the user insists."""

    text: str
    needed: bool = True
    """False: if there is no headset, nothing is said about that."""


Utterance = TableUtterance | HeadsetUtterance
Reply = tuple[Utterance, ...]
"""What the assistant says to one sentence."""
