"""What becomes of sentences that are meant for the assistant, and of talk that is not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from random import Random

import numpy as np

from gm_assistant.dialogue.intents import Intent, Parsed
from gm_assistant.speech.ports import Attention, Heard, Strictness
from tests.benchmarks.recognition.hearing import Ears
from tests.benchmarks.recognition.scores import Score, outcome, share
from tests.benchmarks.recognition.sentences import CHANGING, IRREVERSIBLE, Wanted, spread
from tests.benchmarks.recognition.sound import (
    BABBLE_20,
    CLEAN,
    FAR,
    Condition,
    Sound,
    Speaker,
    Studio,
    knocks,
    laughter,
)

PUSHED = Attention(Strictness.PUSHED)
IRREVERSIBLY = Attention(Strictness.IRREVERSIBLE)

TALK_CONDITIONS = (CLEAN, CLEAN, BABBLE_20, FAR)
"""Half of the talk is near and clean."""
CONFIRMATIONS = 4
"""So many things are said until the assistant no longer waits for a confirmation: twice 8 s."""


@dataclass(frozen=True)
class Bench:
    """What every measure needs."""

    studio: Studio
    ears: Ears
    people: tuple[Speaker, ...]
    seed: int

    def rng(self, name: str) -> np.random.Generator:
        """Return numbers by chance, the same for the same seed and name."""
        return np.random.default_rng([self.seed, *name.encode()])

    def random(self) -> Random:
        """Return choices by chance, the same for the same seed."""
        return Random(self.seed)


def commands(bench: Bench, sentences: list[Wanted], condition: Condition, number: int) -> Score:
    """Return what becomes of `number` sentences after a key was pressed."""
    score, rng = Score(), bench.rng(condition.name)
    for wanted, speaker in spread(sentences, bench.people, number, Random(bench.seed)):
        sound = bench.studio.heard(bench.studio.says(speaker, wanted.text), condition, rng)
        heard = bench.ears.heard(sound, wanted.grammar.speakable, IRREVERSIBLY if wanted.irreversible else PUSHED)
        found = outcome(wanted.grammar.parse(heard.text), wanted.intent, CHANGING)
        loss = f"{speaker.name}, {wanted.intent.name}: {wanted.text!r} heard as {heard.text!r} ({heard.reason}"
        loss += ")" if heard.ratio is None else f", {heard.ratio:.1f})"
        score.add(found, loss, f"speaker {speaker.name}", f"intent {wanted.intent.name}")
    return score


@dataclass
class TalkScore:
    """What became of things that were not for the assistant."""

    number: int = 0
    taken: Counter[str] = field(default_factory=Counter)
    """"any": it did something; "change": it changed something; "irreversible": it would, if that were confirmed."""
    confirmed: int = 0
    """What talk did that cannot be taken back: it was taken for a command, and more talk for its confirmation."""
    losses: list[str] = field(default_factory=list)

    def percent(self, kind: str) -> float:
        """Return the share of one kind in percent."""
        return share(self.taken[kind], self.number)

    def add(self, what: str, heard: Heard, parsed: Parsed) -> bool:
        """Count one thing that was said; return whether it was taken for what cannot be taken back."""
        self.number += 1
        if not isinstance(parsed, Intent):
            return False
        self.taken.update(["any", *["change"] * (parsed.name in CHANGING)])
        self.taken["irreversible"] += parsed.name in IRREVERSIBLE
        ratio = "" if heard.ratio is None else f" ({heard.ratio:.1f})"
        self.losses.append(f"{what} taken for {parsed.name}: {heard.text!r}{ratio}")
        return parsed.name in IRREVERSIBLE


def sounds_beside(bench: Bench, talk: Sequence[tuple[str, str]], number: int) -> Iterator[tuple[str, Sound]]:
    """Yield what is said, and its sound, of talk and some noises that are not for the assistant."""
    rng, random = bench.rng("talk"), Random(bench.seed)
    order = [talk[place % len(talk)] for place in range(number)]
    random.shuffle(order)
    for place, (kind, text) in enumerate(order):
        condition = TALK_CONDITIONS[place % len(TALK_CONDITIONS)]
        if place % 12 == 11:
            noise = laughter(2, rng) if rng.random() < 0.5 else knocks(2, rng)
            yield "noise: laughter or knocks", bench.studio.heard(noise, condition, rng)
            continue
        speaker = random.choice(bench.people)
        sound = bench.studio.heard(bench.studio.says(speaker, text), condition, rng)
        yield f"{kind}, {condition.name}, {speaker.name}: {text!r}", sound


def beside(bench: Bench, talk: Sequence[tuple[str, str]], situations: Sequence[Wanted], number: int) -> TalkScore:
    """Return what becomes of `number` things that are said after a key was pressed, but not to the assistant.

    What would be irreversible waits for its confirmation: then the next things are said to that.
    """
    score, random, waiting = TalkScore(), Random(bench.seed), 0
    asking = [wanted for wanted in situations if wanted.irreversible]
    for what, sound in sounds_beside(bench, talk, number):
        situation = random.choice(asking) if waiting and asking else random.choice(situations)
        attention = IRREVERSIBLY if situation.irreversible else PUSHED
        heard = bench.ears.heard(sound, situation.grammar.speakable, attention)
        parsed = situation.grammar.parse(heard.text)
        waiting = max(0, waiting - 1)
        if waiting and parsed == Intent("confirm"):
            score.confirmed += 1
        if score.add(what, heard, parsed):
            waiting = CONFIRMATIONS
    return score


def confirmations(bench: Bench, talk: Sequence[tuple[str, str]], asking: Sequence[Wanted], number: int) -> TalkScore:
    """Return what becomes of `number` things that are said while the assistant waits for a confirmation."""
    score, random = TalkScore(), Random(bench.seed)
    for what, sound in sounds_beside(bench, talk, number):
        situation = random.choice(asking)
        heard = bench.ears.heard(sound, situation.grammar.speakable, IRREVERSIBLY)
        parsed = situation.grammar.parse(heard.text)
        score.add(what, heard, parsed)
        score.confirmed += parsed == Intent("confirm")
    return score
