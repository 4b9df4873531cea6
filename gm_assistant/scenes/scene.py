"""What a scene is: a talk of its own (a prologue, a deal, a consultation) that takes over until it ends.

Scenes are values. Each word that is heard gives a turn: what is said now, and the scene to go on with.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from gm_assistant.dialogue.intents import Intent
from gm_assistant.dialogue.messages import Messages
from gm_assistant.dialogue.steps import Steps
from gm_assistant.rules.model import Role, Seat
from gm_assistant.utterances import Outcome


@dataclass(frozen=True, slots=True)
class Turn:
    """What a scene makes of something that was heard."""

    scene: Scene | None
    """The scene to go on with, None if it is over."""
    steps: Steps = ()
    entered: tuple[Role, ...] = ()
    """Roles by seat that the leader has entered, to be recorded before anything is said."""
    told: bool = False
    """The deal is over: everybody has been told, or handed a token."""
    doubtful: Seat | None = None
    """A player with whom the headset did not prove itself: the leader is told privately."""
    proven: bool = False
    """The headset has just shown that it is the right one."""
    pace: int | None = None
    """s of a pause from now on."""
    broken_off: bool = False
    """The leader has ended it: nothing that was to come after it follows by itself."""


class Scene(Protocol):
    """One talk."""

    @property
    def intents(self) -> frozenset[str]:
        """What is understood now."""

    @property
    def secret_key(self) -> bool:
        """Whether one key is awaited that nobody may see."""

    @property
    def secret_line(self) -> bool:
        """Whether lines are typed that nobody may see: somebody could type such keys too early."""

    def begun(self) -> Turn:
        """Return the first turn."""

    def heard(self, intent: Intent) -> Turn:
        """Return what comes of a sentence; an empty line (Enter alone) comes as the intent "ready"."""

    def performed(self, outcome: Outcome) -> Turn:
        """Return what comes of how far the last turn's steps came; the same scene without steps if nothing does."""

    def help(self) -> Messages:
        """Return what can be said now."""

    def left(self, done: int) -> Steps:
        """Return what must still be said if the program ends now, with `done` steps of the last turn performed."""


ALWAYS = frozenset(
    {"ready", "stop", "repeat", "help", "what_can_i_say", "what_now", "slower", "faster", "louder", "quieter", "quit"}
)
"""What is understood in every scene."""
