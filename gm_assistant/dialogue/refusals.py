"""Why something was refused, and what is possible instead."""

from __future__ import annotations

from gm_assistant.dialogue.messages import Fact, Message, Messages, message
from gm_assistant.dialogue.now import now
from gm_assistant.errors import GmError, RuleViolation
from gm_assistant.rules.views import TableView


def refusal(violation: RuleViolation, view: TableView) -> Messages:
    """Return why the rules refuse a command, and what must happen instead."""
    if violation.key == "out-of-turn":
        return message(f"out-of-turn-{violation.facts['wanted']}", view), *now(view)
    facts = {"number": len(view.alive), **violation.facts}  # how many are alive matters for some limits
    return (message(violation.key, view, **facts),)


def trouble(error: GmError) -> Message:
    """Return what to say about an error that has nothing to do with the game's state."""
    return Message(error.key, {name: _plain(value) for name, value in error.facts.items()})


def _plain(value: object) -> Fact:
    if isinstance(value, int):
        return value
    return ", ".join(map(str, value)) if isinstance(value, tuple | list) else str(value)
