"""The steps of a script before they are words: each becomes one utterance."""

from __future__ import annotations

from dataclasses import dataclass, field

from gm_assistant.dialogue.messages import HeadsetMessages, Messages
from gm_assistant.utterances import Noise, Rest


@dataclass(frozen=True, slots=True)
class Say:
    """For the table."""

    messages: Messages
    must: bool = False
    """No key stops it."""


@dataclass(frozen=True, slots=True)
class Whisper:
    """For the headset."""

    messages: HeadsetMessages = field(repr=False)
    needed: bool = True
    """False: if there is no headset, nothing is said about that."""


@dataclass(frozen=True, slots=True)
class Equal:
    """For the headset: one of several whispers that last equally long and sound alike from outside."""

    variants: tuple[HeadsetMessages, ...] = field(repr=False)
    chosen: int = field(repr=False)
    frame: tuple[tuple[HeadsetMessages, ...], ...] = field(default=(), repr=False)
    """For each kind of whisper, for each of its sentences, all that it could be in a game of these players."""
    times: int = 1
    filled: bool = True
    """Shorter variants are filled up with reminders; False: they are short enough to be evened out without."""
    needed: bool = True


@dataclass(frozen=True, slots=True)
class Ahead:
    """Time to make the sound of whispers that come later."""

    whisper: Equal


Step = Say | Whisper | Equal | Ahead | Rest | Noise
Steps = tuple[Step, ...]
