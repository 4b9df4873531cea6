"""Who was what, told when the game is over."""

from __future__ import annotations

from gm_assistant.dialogue.messages import Message, Messages, Person
from gm_assistant.rules.model import Role
from gm_assistant.rules.views import RevealedView


def revealed(view: RevealedView) -> Messages:
    """Return who had which role."""
    return tuple(Message(f"reveal-{role}", {"players": _players(view, role)}) for role in Role if role in view.roles)


def _players(view: RevealedView, role: Role) -> tuple[Person, ...]:
    return tuple(Person(view.table.name(seat)) for seat, other in enumerate(view.roles, 1) if other is role)
