"""What is said to words that are no sentence: why not, if that is known, else a question, examples, the keyboard."""

from __future__ import annotations

from gm_assistant.dialogue.grammar import LONGEST_TEXT, Grammar, stranger
from gm_assistant.dialogue.messages import Message, Messages
from gm_assistant.rules.views import TableView


def pardon(misses: int, examples: Messages, keyboard: Messages, *, typed: bool) -> Messages:
    """Return what is said when nothing was understood for the `misses`th time in a row.

    First a question, then examples, then the keyboard is offered. After that nothing is said any more to what was
    spoken: a tone is enough.
    """
    match misses:
        case 1:
            return (Message("pardon"),)
        case 2:
            return examples
        case 3:
            return keyboard
        case _:
            return (Message("pardon"),) if typed else ()


def refused_words(text: str, grammar: Grammar, view: TableView | None) -> Messages:
    """Return why typed words are no sentence, if that is known; with a `view` a strange name is said again."""
    if len(text) > LONGEST_TEXT:
        return (Message("too-long"),)
    if view is not None and (name := stranger(grammar, text)):
        return (Message("no-such-player", {"name": name, "names": ", ".join(view.players)}),)
    return ()
