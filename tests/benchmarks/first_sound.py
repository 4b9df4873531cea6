"""How soon an answer sounds: `python -m tests.benchmarks.first_sound`.

A game is typed by a synthetic leader, with the real voice and a loudspeaker that only notes when it is given sound. For
every answer three times are taken, each in a game of its own with the same sentences:

- whole: the answer is made as one text before it sounds, as it was before answers were spoken sentence by sentence;
- sentences: the first sentence sounds while the others are made;
- ahead: likely answers were also made while people thought (THINKING s before every sentence).

Printed are median and 95th percentile in ms from the sentence to the first sample given to the device, which an open
device plays 20 ms later (measured at the virtual table), and the share of answers whose first sentence was ready.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from random import Random

import numpy as np

from gm_assistant.channels import Channel
from gm_assistant.dialogue.grammar import Grammar
from gm_assistant.dialogue.intents import IN_PLAY
from gm_assistant.dialogue.set_up import Plan
from gm_assistant.journal import Journals
from gm_assistant.leader import Leader
from gm_assistant.library import Library, load_library
from gm_assistant.mouth import Mouth
from gm_assistant.rules.model import GameOver
from gm_assistant.session import Session
from gm_assistant.speech.ahead import AheadSynthesizer
from gm_assistant.speech.ports import Audio, HeadsetAudio, Voice
from gm_assistant.speech.pyttsx3_synthesizer import CachedSynthesizer, SynthesizerProcess
from gm_assistant.utterances import Reply, TableUtterance

THINKING = 0.5
"""s between an answer and the next sentence; people take longer."""
MOST_SENTENCES = 60
PLAYERS = ("Anna", "Ben", "Clara", "Dora", "Emil", "Fred", "Greta")
SEED = 1
WAYS = ("whole", "sentences", "ahead")


@dataclass
class NotingSpeaker:
    """Notes when it is given sound, which takes no time."""

    given: list[float] = field(default_factory=list)

    def play(
        self, audio: Audio, stopped: Callable[[], bool], more: Iterable[Future[Audio]] = (), pause: float = 0.0
    ) -> bool:
        """Note the moment; then wait for the rest, as a device would."""
        self.given.append(time.perf_counter())
        for promise in more:
            promise.result()
        return True

    def whisper(self, audio: HeadsetAudio, stopped: Callable[[], bool]) -> bool:
        """Do nothing."""
        return True

    def noise(self, audio: Audio | None) -> None:
        """Do nothing."""

    def rest(self, seconds: float, stopped: Callable[[], bool]) -> bool:
        """Let no time go by."""
        return True

    def close(self) -> None:
        """Do nothing."""


class Unthinking(AheadSynthesizer):
    """Makes nothing that is only likely."""

    def guess(self, texts: Iterable[str], voice: Voice) -> None:
        """Do nothing."""


@dataclass
class Taken:
    """What one game gave."""

    seconds: list[float]
    ready: int
    """Answers whose first sentence was there already."""
    looking_ahead: list[float]
    """s that it took to find out what is likely."""


def whole(reply: Reply) -> Reply:
    """Return a reply that nobody has cut into sentences."""
    return tuple(replace(one, sentences=()) if isinstance(one, TableUtterance) else one for one in reply)


def timed(library: Library, way: str, lines: list[str] | None) -> tuple[Taken, list[str]]:
    """Play a game in one way, with the same sentences as before if there are any; return what it took, and them."""
    speaker, cached = NotingSpeaker(), CachedSynthesizer(SynthesizerProcess())
    synthesizer = AheadSynthesizer(cached) if way == "ahead" else Unthinking(cached)
    taken, said = Taken([], 0, []), list[str]()
    with tempfile.TemporaryDirectory() as folder:
        plan = Plan("en", "secret_dictator", len(PLAYERS), PLAYERS, 1)
        session = Session(library, plan, Journals(Path(folder)), datetime.now, "en", random=Random(SEED))
        mouth = Mouth(session, lambda _: None, lambda: False, synthesizer, speaker, platform=sys.platform)
        mouth.say(session.open())
        for line in lines or conversation(library, session):
            time.sleep(THINKING * (way == "ahead"))
            said.append(line)
            begun, so_far = time.perf_counter(), len(speaker.given)
            reply = session.hear(line)
            first = next((one for one in reply if isinstance(one, TableUtterance)), None)
            taken.ready += first is not None and _is_known(cached, session, first)
            mouth.say(whole(reply) if way == "whole" else reply)
            if len(speaker.given) > so_far:
                taken.seconds.append(speaker.given[so_far] - begun)
            begun = time.perf_counter()
            session.guesses()
            taken.looking_ahead.append(time.perf_counter() - begun)
    synthesizer.close()
    return taken, said


def conversation(library: Library, session: Session) -> Iterable[str]:
    """Yield what a leader says in a game, questions too, until somebody has won."""
    pack = library.pack("en", "secret_dictator")
    leader = Leader(pack, Random(SEED))
    for _ in range(MOST_SENTENCES):
        history = session.history
        assert history is not None
        if isinstance(history.state.phase, GameOver):
            return
        intent = leader.choose(history.state)
        while intent.name == "end_game":
            intent = leader.choose(history.state)
        yield leader.sentence(intent, Grammar(pack, PLAYERS, IN_PLAY))
        if session.irreversible:
            yield "yes confirm"


def _is_known(cached: CachedSynthesizer, session: Session, first: TableUtterance) -> bool:
    voice = session.voice(Channel.TABLE, sys.platform)
    return cached.known((first.sentences or (first.text,))[0], voice) is not None


def main() -> int:
    """Print the table."""
    library, lines, rows = load_library(), None, dict[str, Taken]()
    for way in WAYS:
        rows[way], lines = timed(library, way, lines)
    for way, taken in rows.items():
        median, late = (1000 * np.percentile(taken.seconds, percent) for percent in (50, 95))
        ready = 100 * taken.ready / len(taken.seconds)
        print(f"{way:10} {len(taken.seconds)} answers: {median:.0f} ms, 95 % within {late:.0f} ms, ready {ready:.0f} %")
    medians = [float(np.median(taken.seconds)) for taken in rows.values()]
    print(f"ahead takes {medians[2] / medians[0]:.2f} of whole, {medians[2] / medians[1]:.2f} of sentences")
    print(f"looking ahead takes {1000 * np.median(rows['ahead'].looking_ahead):.1f} ms, after the answer")
    return 0


if __name__ == "__main__":
    sys.exit(main())
