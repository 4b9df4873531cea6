"""Names of many origins: whether a nomination of each is understood."""

from __future__ import annotations

from pathlib import Path
from random import Random

import yaml

from gm_assistant.dialogue.grammar import Grammar
from gm_assistant.dialogue.intents import Intent
from tests.benchmarks.recognition.measure import PUSHED, Bench
from tests.benchmarks.recognition.scores import Score, outcome
from tests.benchmarks.recognition.sentences import CHANGING, EDITION, LANGUAGE, library
from tests.benchmarks.recognition.sound import CLEAN

FILE = Path(__file__).parents[2] / "data" / "first_names.yaml"
SITUATION = frozenset({"nominate", "undo", "help", "who_is_president", "who_may_be_chancellor", "repeat"})
PLAYERS = 6


def nominations(bench: Bench, share: float) -> Score:
    """Return what becomes of "nominate NAME" for a share of the names, at tables of people of all origins.

    The voices read all names by English rules: those of people who know better sound otherwise.
    """
    random, rng, score = Random(bench.seed), bench.rng("names"), Score()
    people = [(origin, name) for origin, names in yaml.safe_load(FILE.read_text("utf-8")).items() for name in names]
    random.shuffle(people)
    chosen = people[: max(PLAYERS, round(share * len(people)) // PLAYERS * PLAYERS)]
    for start in range(0, len(chosen), PLAYERS):
        table = chosen[start : start + PLAYERS]
        grammar = Grammar(library().pack(LANGUAGE, EDITION), tuple(name for _, name in table), SITUATION)
        for seat, (origin, name) in enumerate(table, 1):
            speaker = random.choice(bench.people)
            sound = bench.studio.heard(bench.studio.says(speaker, f"nominate {name}"), CLEAN, rng)
            heard = bench.ears.heard(sound, grammar.speakable, PUSHED)
            found = outcome(grammar.parse(heard.text), Intent("nominate", {"player": seat}), CHANGING)
            score.add(found, f"{origin}, {speaker.name}: {name} heard as {heard.text!r} ({heard.ratio})", origin)
    return score
