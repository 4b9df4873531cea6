"""How equal the whispers of a game are: `python -m tests.benchmarks.whispers`.

For every language and edition players are whispered their roles by the voice of the headset: 5, 7 and 10 of them, with
short and with long names; then which token a seat is handed. Everything is measured on the sound: lengths and loudness
of the whispers of one game, where their sentences end (silence longer than 0.25 s lies between two), and how long it
takes to make them all. The worst game counts. Between two games the lengths differ a little, for whatever reason the
voice has not to say the same sentence twice in the same time.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import log10
from random import Random

import numpy as np

from gm_assistant.channels import Channel
from gm_assistant.dialogue.messages import HeadsetMessages
from gm_assistant.dialogue.phrasebook import Phrasebook
from gm_assistant.dialogue.reminders import reminders
from gm_assistant.dialogue.whispers import role_frame, role_whispers, token_whispers
from gm_assistant.library import Library, load_library
from gm_assistant.manner import Manner
from gm_assistant.rules.apply import replay
from gm_assistant.rules.commands import DealRoles
from gm_assistant.rules.decide import advance, start
from gm_assistant.rules.edition import Edition
from gm_assistant.rules.model import Role
from gm_assistant.rules.views import HeadsetView, headset_view
from gm_assistant.speech.equal_whispers import Frame, Speak, equal_whispers
from gm_assistant.speech.ports import Audio, Synthesizer, Voice
from gm_assistant.speech.pyttsx3_synthesizer import SynthesizerProcess
from gm_assistant.speech.resampling import samples_of
from gm_assistant.utterances import Secret

AIM_LENGTH = 50.0
"""ms between the shortest and the longest whisper of a game."""
AIM_LOUDNESS = 1.0
"""dB between the softest and the loudest."""

PLAYERS = (5, 7, 10)
SHORT = ("Anna", "Ben", "Clara", "David", "Emma", "Felix", "Greta", "Hans", "Ida", "Jonas")
LONG = tuple(f"{name} {name}-Maximiliane von Hohenstein" for name in SHORT)

_SILENT = 0.003
"""Of the peak."""
_PAUSE = 0.25
"""s. What is shorter lies inside a sentence."""


def dealt(edition: Edition, names: Sequence[str], seed: int) -> HeadsetView:
    """Return what the assistant knows once roles are dealt by chance."""
    rules = edition.rules_for(len(names))
    roles = [role for role in Role for _ in range(rules.roles.of(role))]
    Random(seed).shuffle(roles)
    state = advance(replay(edition, start(edition, tuple(names), 1)), DealRoles(tuple(roles)))[1]
    view = headset_view(state)
    assert view is not None
    return view


def pauses(audio: Audio) -> list[tuple[float, float]]:
    """Return where each silence between two sentences begins and ends, in s."""
    loudness = np.abs(samples_of(audio).astype(np.int32))
    silent = np.concatenate(([False], loudness <= _SILENT * loudness.max(initial=0), [False]))
    turns = np.flatnonzero(np.diff(silent)) / audio.rate
    found = zip(turns[::2].tolist(), turns[1::2].tolist(), strict=True)
    return [(begin, end) for begin, end in found if end - begin > _PAUSE and begin > 0 and end < audio.seconds]


def decibels(audio: Audio) -> float:
    """Return the loudness (root mean square) in dB below full scale."""
    return 20 * log10(float(np.sqrt(np.mean(samples_of(audio).astype(np.float64) ** 2))) / 32_768)


@dataclass(frozen=True)
class Game:
    """The whispers of one game as they were measured."""

    whispers: tuple[Audio, ...]
    computing: float
    """s to make all of them."""

    @property
    def lengths(self) -> float:
        """Return the spread of the lengths in ms."""
        return 1_000 * spread([whisper.seconds for whisper in self.whispers])

    @property
    def loudness(self) -> float:
        """Return the spread of the loudness in dB."""
        return spread([decibels(whisper) for whisper in self.whispers])

    @property
    def counts(self) -> set[int]:
        """Return the numbers of sentences."""
        return {len(pauses(whisper)) + 1 for whisper in self.whispers}

    @property
    def ends(self) -> list[float]:
        """Return for each sentence but the last the spread of its end in ms; nothing if the numbers differ."""
        found = [[begin for begin, _ in pauses(whisper)] for whisper in self.whispers]
        return [1_000 * spread(column) for column in zip(*found, strict=True)] if len(self.counts) == 1 else []


def spread(values: Sequence[float]) -> float:
    """Return the largest less the smallest."""
    return max(values) - min(values)


def speaking(synthesizer: Synthesizer, voice: Voice) -> Speak:
    """Return how the headset's voice speaks at a tempo."""
    return lambda text, tempo: synthesizer.synthesize(text, replace(voice, rate=round(voice.rate * tempo)))


@dataclass(frozen=True)
class Teller:
    """Whispers in one language and edition."""

    library: Library
    edition: Edition
    language: str
    synthesizer: Synthesizer

    def roles(self, names: Sequence[str], seed: int) -> Game:
        """Return what the players of one deal are told in their consultations."""
        view = dealt(self.edition, names, seed)
        frame = tuple(tuple(map(self._sentences, kind)) for kind in role_frame(view.table))
        return self._whispered(map(self._sentences, role_whispers(view)), reminders(self._book), frame)

    def tokens(self, names: Sequence[str], seat: int) -> Game:
        """Return which token the leader could be told to hand to `seat`."""
        could, _ = token_whispers(dealt(self.edition, names, 1), seat)
        return self._whispered(map(self._sentences, could), (), ())

    @property
    def _book(self) -> Phrasebook:
        return self.library.phrasebook(self.language, self.edition.id)

    def _sentences(self, messages: HeadsetMessages) -> tuple[Secret, ...]:
        return tuple(self._book.secret((message,)) for message in messages)

    def _whispered(self, told: Iterable[tuple[Secret, ...]], fillers: tuple[str, ...], frame: Frame) -> Game:
        voice = Manner().voice(self.library.packs[self.language], Channel.HEADSET, sys.platform)
        started = time.perf_counter()
        made = equal_whispers(tuple(told), fillers, speaking(self.synthesizer, voice), frame)
        return Game(tuple(whisper.audio for whisper in made), time.perf_counter() - started)


def line(title: str, games: Sequence[Game]) -> str:
    """Return what there is to say about some games."""
    ends = [_first_middle_last(game.ends) for game in games]
    worst = ", ".join(f"{max(column):,.0f}" for column in zip(*ends, strict=True))
    return (
        f"{title}: spread of lengths {max(game.lengths for game in games):.2f} ms, "
        f"of loudness {max(game.loudness for game in games):.3f} dB, "
        f"of the ends of the first, middle and last but one sentence {worst} ms; "
        f"sentences {', '.join(str(max(game.counts)) for game in games)}, "
        f"s {', '.join(f'{game.whispers[0].seconds:.2f}' for game in games)}, "
        f"made in {', '.join(f'{game.computing:.1f}' for game in games)} s"
    )


def _first_middle_last(ends: list[float]) -> tuple[float, float, float]:
    return (ends[0], max(ends[1:-1], default=0.0), ends[-1]) if ends else (0.0, 0.0, 0.0)


def verdict(what: str, figure: float, aim: float) -> str:
    """Return one line that tells honestly whether an aim was reached."""
    return f"{what}: {figure:.3f} (aim: at most {aim:g}): {'met' if figure <= aim else 'missed'}"


def lines(library: Library, synthesizer: Synthesizer, players: Sequence[int]) -> Iterator[str]:
    """Yield what there is to say about every language and edition, the aims last."""
    every: list[Game] = []
    counts = ", ".join(map(str, players))
    for language, edition in product(library.packs, library.editions.values()):
        teller = Teller(library, edition, language, synthesizer)
        for kind, people in (("short names", SHORT), ("long names", LONG)):
            games = [teller.roles(people[:count], seed=count) for count in players]
            yield line(f"{language} {edition.id}, roles, {kind}, {counts} players", games)
            tokens = [teller.tokens(people[: players[0]], seat) for seat in (1, players[0])]
            yield line(f"{language} {edition.id}, tokens, {kind}", tokens)
            every += (*games, *tokens)
    unequal = sum(len(game.counts) > 1 for game in every)
    yield f"games whose whispers differ in the number of sentences: {unequal} of {len(every)}"
    yield verdict("largest spread of lengths, ms", max(game.lengths for game in every), AIM_LENGTH)
    yield verdict("largest spread of loudness, dB", max(game.loudness for game in every), AIM_LOUDNESS)


def report(show: Callable[[str], None]) -> None:
    """Measure everything and show it line by line."""
    synthesizer = SynthesizerProcess()
    try:
        for text in lines(load_library(), synthesizer, PLAYERS):
            show(text)
    finally:
        synthesizer.close()


if __name__ == "__main__":
    report(print)
