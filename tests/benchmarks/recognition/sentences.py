"""What is said to the assistant, each sentence with its situation, and what is said beside it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from functools import cache
from pathlib import Path
from random import Random

import yaml

from gm_assistant.dialogue.grammar import Grammar
from gm_assistant.dialogue.intents import COMMANDS, PRIVATE, Intent
from gm_assistant.dialogue.samples import sentences_for
from gm_assistant.dialogue.set_up import Plan
from gm_assistant.journal import Journals
from gm_assistant.leader import Leader
from gm_assistant.library import Library, load_library
from gm_assistant.rules.model import GameOver
from gm_assistant.session import Session
from tests.benchmarks.recognition.sound import Speaker

TABLES = (
    ("Anna", "Ben", "Clara", "David", "Emil"),
    ("Sophie", "Lukas", "Fatima", "Marco", "Laura", "Jonas"),
    ("Mehmet", "Giulia", "Linh", "Omar", "Kasia", "Thomas", "Lena"),
)
"""Who plays; one table after the other."""

EDITION = "secret_dictator"
LANGUAGE = "en"

IRREVERSIBLE = frozenset({"shoot", "answer_yes", "answer_no", "end_game", "who_was_what", "forget"})
"""Intents that cannot be unsaid, or that end the game."""
CHANGING = COMMANDS | PRIVATE | {"undo", "redo", "new_game", "quit", "forget", "cast_votes", "sleep"}
"""Intents that change something."""


@dataclass(frozen=True)
class Wanted:
    """A sentence, what it means, and the grammar of the situation in which it is said."""

    text: str
    intent: Intent
    grammar: Grammar
    irreversible: bool = False
    """It confirms what cannot be taken back."""


@cache
def library() -> Library:
    """Return language packs and editions, loaded once."""
    return load_library()


def data(name: str) -> dict[str, list[str]]:
    """Return a list of sentences by kind from a file beside this module."""
    loaded = yaml.safe_load((Path(__file__).parent / "data" / f"{name}.yaml").read_text("utf-8"))
    return loaded if isinstance(loaded, dict) else {"": loaded}


def talk(name: str = "talk") -> list[tuple[str, str]]:
    """Return kind and text of every sentence that is not for the assistant."""
    return [(kind, text) for kind, texts in data(name).items() for text in texts]


def games(folder: Path, seed: int, sentences: int) -> list[Wanted]:
    """Return what a leader says in so many sentences of games, each wording once."""
    leader = Leader(library().pack(LANGUAGE, EDITION), Random(seed))
    found: dict[tuple[str, tuple[str, ...]], Wanted] = {}
    number = 0
    while len(found) < sentences:
        names = TABLES[number % len(TABLES)]
        plan = Plan(LANGUAGE, EDITION, len(names), names, 1)
        number += 1
        session = Session(library(), plan, Journals(folder / str(number)), datetime.now, LANGUAGE)
        session.open()
        for wanted in said(leader, session, seed + number):
            found.setdefault((wanted.text, names), wanted)
            if len(found) >= sentences:
                break
    return list(found.values())


def said(leader: Leader, session: Session, seed: int) -> list[Wanted]:
    """Return the sentences of one game, in order."""
    random, sentences = Random(seed), list[Wanted]()
    while session.history is not None and not isinstance(session.history.state.phase, GameOver):
        grammar, intent = session.grammar, leader.choose(session.history.state)
        if session.irreversible:
            intent = Intent("confirm")
        sentences.append(Wanted(wording(intent, grammar, random), intent, grammar, session.irreversible))
        session.hear(sentences[-1].text)
    return sentences


def wording(intent: Intent, grammar: Grammar, random: Random) -> str:
    """Return one wording of `intent`, drawn at random from all that are not ambiguous."""
    texts = list(sentences_for(library().pack(LANGUAGE, EDITION), grammar.players, intent))
    random.shuffle(texts)
    return next(text for text in texts if grammar.parse(text) == intent)


def spread(
    texts: list[Wanted], people: tuple[Speaker, ...], number: int, random: Random
) -> list[tuple[Wanted, Speaker]]:
    """Return `number` pairs: all sentences and all people as often as each other, in an order by chance."""
    order = random.sample(texts, len(texts))
    wanted = [order[place % len(order)] for place in range(number)]
    speakers = [people[place % len(people)] for place in range(number)]
    random.shuffle(wanted)
    random.shuffle(speakers)
    return list(zip(wanted, speakers, strict=True))
