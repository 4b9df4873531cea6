"""What may come next: examples of what to say, codes to type, and answers that are likely, without any of it done."""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce
from itertools import islice

from gm_assistant.asking import Asking
from gm_assistant.confirming import read_back
from gm_assistant.dialogue.announce import announce
from gm_assistant.dialogue.answers import TABLE_ANSWERS
from gm_assistant.dialogue.intents import COMMANDS, Intent
from gm_assistant.dialogue.likely import likely_commands, likely_sentences
from gm_assistant.dialogue.messages import Message, Messages, Person
from gm_assistant.dialogue.pack import LanguagePack
from gm_assistant.dialogue.phrasebook import Phrasebook
from gm_assistant.dialogue.questions import Confirm
from gm_assistant.dialogue.samples import plain_sentence, typed_code
from gm_assistant.errors import RuleViolation
from gm_assistant.game import Game
from gm_assistant.rules.apply import apply
from gm_assistant.rules.views import TableView, table_view

MOST_GUESSES = 12
"""How many answers are made ahead at most."""

_QUESTIONS = tuple(map(Intent, ("what_now", "who_may_be_chancellor", "who_is_president", "who_is_next")))


def examples(view: TableView, pack: LanguagePack) -> tuple[Messages, Messages]:
    """Return the three likeliest sentences of the situation, and the short code of the first of them."""
    intents = likely_sentences(view)
    sentences = tuple(Person(plain_sentence(pack, view.players, intent)) for intent in intents)
    code = typed_code(pack, intents[0])
    return (Message("say-likely", {"sentences": sentences}),), (Message("type-code", {"code": code}),)


def guesses(game: Game, phrasebook: Phrasebook, asking: Asking) -> tuple[str, ...]:
    """Return the first sentences of answers that are likely next, the likeliest first; at most MOST_GUESSES."""
    texts = (phrasebook.sentences(said)[0] for said in _answers(game, asking) if said)
    return tuple(islice(dict.fromkeys(texts), MOST_GUESSES))


def _answers(game: Game, asking: Asking) -> Iterator[Messages]:
    if isinstance(asking.question, Confirm):
        yield _answer(asking.question.intent, game, confirmed=True)
        yield (Message("not-done"),)
    commands = likely_commands(game.view)
    yield from (_answer(intent, game, confirmed=False) for intent in commands[: MOST_GUESSES - len(_QUESTIONS)])
    yield from (TABLE_ANSWERS[intent.name](intent, game.view) for intent in _QUESTIONS)


def _answer(intent: Intent, game: Game, *, confirmed: bool) -> Messages:
    """Return what would be said of a command; nothing if it is none, a correction, or would be refused."""
    if intent.name not in COMMANDS or intent.correction:
        return ()
    try:
        asked = () if confirmed else read_back(intent, game, private=False)
        if asked:
            return asked
        events, view = game.foreseen(intent), game.view
        return announce(events, view, table_view(reduce(apply, events, game.state))) if events else ()
    except RuleViolation:
        return ()
