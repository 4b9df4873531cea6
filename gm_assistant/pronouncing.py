"""How the voice says a name can be corrected: the leader types the name as it shall be read."""

from __future__ import annotations

from gm_assistant.dialogue.grammar import LONGEST_TEXT, Grammar
from gm_assistant.dialogue.intents import Intent
from gm_assistant.dialogue.messages import Message, Messages
from gm_assistant.dialogue.refusals import trouble
from gm_assistant.dialogue.set_up import LONGEST_NAME, cleaned
from gm_assistant.dialogue.wordings import normalized
from gm_assistant.errors import GmError, RuleViolation
from gm_assistant.names import Names
from gm_assistant.rules.model import Seat

PRONOUNCE = "pronounce"
"""The intent."""


class Pronouncing:
    """Waits for a respelling once it was asked for."""

    def __init__(self, names: Names) -> None:
        self._names = names
        self._seat: Seat | None = None

    @property
    def waits(self) -> bool:
        """Whether a respelling is awaited: then a line without anything in it says something."""
        return self._seat is not None

    def asked(self, intent: Intent, players: tuple[str, ...]) -> Messages:
        """Return the request to type how a player's name is said."""
        self._seat = intent.number("player")
        return (Message("ask-spelling", {"name": players[self._seat - 1]}),)

    def heard(self, text: str, grammar: Grammar, *, typed: bool) -> Messages | None:
        """Return what is said to a typed line if it is a respelling, awaited or behind the words that ask for it.

        None if it is none: then nothing is awaited any more. Raise RuleViolation for one that cannot be said.
        """
        seat, self._seat = self._seat, None
        if not typed or len(text) > LONGEST_TEXT:
            return None
        direct = _asked_and_answered(text, grammar)
        if direct is not None:
            return self._respelled(*direct, grammar.players)
        if seat is None or _is_sentence(text, grammar):
            return None
        return self._respelled(seat, text, grammar.players)

    def _respelled(self, seat: Seat, text: str, players: tuple[str, ...]) -> Messages:
        """Let the voice say a name as `text`, and say it at once. That it cannot be kept is only told."""
        name, spelling = players[seat - 1], cleaned(text)
        if len(spelling) > LONGEST_NAME:
            raise RuleViolation("long-name", number=seat, most=LONGEST_NAME)
        if spelling and not normalized(spelling):
            raise RuleViolation("unspeakable-name", number=seat)
        told: Messages = (Message("name-is", {"number": seat, "name": spelling or name}),)
        try:
            self._names.pronounce(name, spelling)
        except GmError as error:
            told = (*told, trouble(error))
        return told


def _asked_and_answered(text: str, grammar: Grammar) -> tuple[Seat, str] | None:
    """Return seat and respelling of a line that has both ("pr 3 Shivawn"); the longest name that fits counts."""
    words = text.split()
    if isinstance(grammar.parse(text, typed=True), Intent):
        return None
    for end in range(len(words) - 1, 0, -1):
        parsed = grammar.parse(" ".join(words[:end]), typed=True)
        if isinstance(parsed, Intent) and parsed.name == PRONOUNCE:
            return parsed.number("player"), " ".join(words[end:])
    return None


def _is_sentence(text: str, grammar: Grammar) -> bool:
    return isinstance(grammar.parse(text, typed=True), Intent)
