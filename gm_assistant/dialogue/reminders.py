"""General sentences for everybody, whatever their role: with them a short whisper lasts as long as a long one."""

from __future__ import annotations

from gm_assistant.dialogue.messages import Message
from gm_assistant.dialogue.phrasebook import Phrasebook

REMINDERS = 16
"""How many there are."""


def reminders(phrasebook: Phrasebook) -> tuple[str, ...]:
    """Return all reminders in words, from short to long. Raise LanguagePackError as `Phrasebook.phrase` does."""
    return tuple(phrasebook.phrase(Message(f"reminder-{number}")) for number in range(1, REMINDERS + 1))
