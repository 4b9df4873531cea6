"""What is said to words that are no sentence: why not, if that is known, else a question, then examples."""

from __future__ import annotations

from gm_assistant.dialogue.grammar import LONGEST_TEXT, Grammar, stranger
from gm_assistant.dialogue.intents import Ambiguous, Parsed
from gm_assistant.dialogue.messages import Message, Messages, Person
from gm_assistant.dialogue.wordings import normalized
from gm_assistant.rules.views import TableView


def pardon(
    text: str, parsed: Parsed, grammar: Grammar, view: TableView | None, misses: int, examples: Messages
) -> Messages:
    """Return what to say to typed or heard `text`. From the second of several `misses` on, `examples` are given."""
    if isinstance(parsed, Ambiguous):
        return (Message("ambiguous"),)
    if len(text) > LONGEST_TEXT:
        return (Message("too-long"),)
    if view is not None and (name := stranger(grammar, text)):
        return (Message("no-such-player", {"name": name, "names": ", ".join(view.players)}),)
    return (Message("pardon"),) if misses < 2 else (Message("pardon-again"), *examples)


def lost_names(players: tuple[str, ...], unknown: frozenset[str]) -> Messages:
    """Return which players' names have words that the recogniser does not know; nothing if none has."""
    lost = tuple(Person(name) for name in players if unknown.intersection(normalized(name).split()))
    return (Message("names-cannot-be-heard", {"names": lost}),) if lost else ()
