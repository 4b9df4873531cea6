"""An open microphone at a table at which people talk, and now and then speak to the assistant."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from random import Random

import numpy as np

from gm_assistant.dialogue.intents import Intent, NotUnderstood
from gm_assistant.dialogue.set_up import Plan
from gm_assistant.dialogue.wake import addressed, behind, wake_phrases
from gm_assistant.journal import Journals
from gm_assistant.leader import Leader
from gm_assistant.rules.model import GameOver
from gm_assistant.session import Session
from gm_assistant.settings import Settings
from gm_assistant.speakable import SpeakableGrammar
from gm_assistant.speech.ports import RECOGNIZER_RATE, Attention, Heard, HeardReason, Strictness
from gm_assistant.utterances import Outcome as Performed
from tests.benchmarks.recognition.measure import Bench
from tests.benchmarks.recognition.scores import Outcome, Score, outcome
from tests.benchmarks.recognition.sentences import CHANGING, EDITION, LANGUAGE, TABLES, Wanted, library, wording
from tests.benchmarks.recognition.sound import (
    FAR_LEVEL,
    LEVEL,
    LOUDNESS,
    ROOM_TONE,
    Condition,
    Sound,
    at_level,
    below,
    echoing,
    knocks,
    laughter,
    room_response,
)

MINUTE = 60.0
"""s of talk with one situation of the game, in which the assistant is spoken to once."""
ANSWER = 2.0
"""s that an answer takes; the microphone is shut meanwhile."""
AROUND = 24.0
"""dB of babble from the next tables below the speech at this one."""


@dataclass
class Minute:
    """What the microphone hears in a minute. `begins` and `ends` of what was said to the assistant in s."""

    sound: Sound
    wanted: Wanted
    begins: float
    ends: float


@dataclass
class TableScore:
    """What was done with an open microphone."""

    seconds: float = 0.0
    to_us: Score = field(default_factory=Score)
    false: list[str] = field(default_factory=list)
    changing: int = 0
    irreversible: int = 0

    @property
    def hours(self) -> float:
        """Return how long it was listened."""
        return self.seconds / 3600

    def per_hour(self, number: int) -> float:
        """Return how many that would be in an hour; 0 if nothing was heard."""
        return number / self.hours if self.seconds else 0.0


def minute(bench: Bench, talk: Sequence[tuple[str, str]], wanted: Wanted, phrase: str, number: int) -> Minute:
    """Return a minute of talk, near and farther away, with laughter, knocks, and one sentence to the assistant."""
    rng, random = bench.rng(f"minute {number}"), Random(bench.seed * 1000 + number)
    whole, place = np.zeros(int(MINUTE * RECOGNIZER_RATE)), int(rng.uniform(0.5, 2) * RECOGNIZER_RATE)
    moment, begins, ends = rng.uniform(10, 40) * RECOGNIZER_RATE, 0, 0
    while place < len(whole):
        if not ends and place > moment:
            piece = at_level(bench.studio.says(random.choice(bench.people), f"{phrase}, {wanted.text}"), LEVEL)
            begins, ends = place, place + len(piece)
            pause = rng.uniform(0.8, 2.0)
        else:
            piece = _aside(bench, talk, rng, random)
            # Now and then two people speak at once.
            pause = rng.uniform(-1.0, -0.3) if rng.random() < 0.15 else rng.uniform(0.1, 2.0)
        piece = piece[: len(whole) - place]
        whole[place : place + len(piece)] += piece
        place += max(len(piece) + int(pause * RECOGNIZER_RATE), RECOGNIZER_RATE // 2)
    whole += below(bench.studio.noise("babble", len(whole), rng), whole, AROUND)
    whole += rng.normal(0, ROOM_TONE, len(whole))
    return Minute(whole, wanted, begins / RECOGNIZER_RATE, ends / RECOGNIZER_RATE)


def _aside(bench: Bench, talk: Sequence[tuple[str, str]], rng: np.random.Generator, random: Random) -> Sound:
    """Return something that is not for the assistant."""
    if rng.random() < 0.08:
        return at_level(laughter(1.5, rng) if rng.random() < 0.6 else knocks(1.5, rng), LEVEL)
    speech = bench.studio.says(random.choice(bench.people), random.choice(talk)[1])
    if rng.random() < 0.4:
        return echoing(at_level(speech, FAR_LEVEL), room_response(rng))
    return at_level(speech, LEVEL + rng.uniform(-LOUDNESS, LOUDNESS))


class Evening:
    """A session at the table. Its clock is the sound that was heard."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.seconds = 0.0
        self._folder, self._seed, self._games = folder, seed, 0
        self._leader, self._random = Leader(library().pack(LANGUAGE, EDITION), Random(seed)), Random(seed)
        self.session = self._begun()

    def _begun(self) -> Session:
        self._games += 1
        names = TABLES[self._games % len(TABLES)]
        plan = Plan(LANGUAGE, EDITION, len(names), names, 1)
        session = Session(library(), plan, Journals(self._folder / str(self._games)), self._now, LANGUAGE)
        session.performed(Performed(len(session.open())))
        return session

    def _now(self) -> datetime:
        return datetime(2026, 1, 1) + timedelta(seconds=self.seconds)

    def wanted(self) -> Wanted:
        """Return what the leader says next; a new game begins where one is over, left, or stopped for a pause."""
        history = self.session.history
        if history is None or self.session.over or isinstance(history.state.phase, GameOver) or self.session.asleep:
            self.session = self._begun()
        assert self.session.history is not None
        grammar, confirms = self.session.grammar, self.session.irreversible
        intent = Intent("confirm") if confirms else self._leader.choose(self.session.history.state)
        try:
            return Wanted(wording(intent, grammar, self._random), intent, grammar, confirms)
        except StopIteration:  # nothing can be said of it here: the game is paused, for example
            self.session = self._begun()
            return self.wanted()

    def say(self, text: str) -> bool:
        """Say a sentence to the assistant; return whether anything has changed."""
        before = self._state()
        self.session.performed(Performed(len(self.session.hear(text))))
        return self._state() != before

    def pass_time(self) -> None:
        """Tell the session if it has waited long enough."""
        if self.session.seconds_left == 0:
            self.session.performed(Performed(len(self.session.time_is_up())))

    def _state(self) -> tuple[object, ...]:
        history = self.session.history
        return history and history.state, self.session.asleep, self.session.over, self.session.view


@dataclass
class OpenMicrophone:
    """Listens as the program does: behind a wake phrase, and for a while after it or after an answer without."""

    bench: Bench
    evening: Evening
    phrases: tuple[str, ...]
    follow_up: float

    def hear(self, heard_minute: Minute, score: TableScore) -> None:
        """Listen for a minute and count what is done."""
        tape, session = self.bench.ears.tape, self.evening.session
        tape.load(heard_minute.sound)
        began_evening, free_until, hit = self.evening.seconds, 0.0, False
        while True:
            began = tape.seconds
            free = math.inf if session.awaits_answer else max(0.0, free_until - began)
            heard = self._heard(free)
            self.evening.seconds = began_evening + tape.seconds
            if heard.reason is HeardReason.END_OF_INPUT:
                break
            rest = addressed(heard.text, self.phrases)
            if rest == "":
                free_until = tape.seconds + self.follow_up
            text = rest or (heard.text if rest is None and free else "")
            parsed = session.grammar.parse(text)
            if isinstance(parsed, NotUnderstood):
                self.evening.pass_time()
                continue
            confirms, changed = session.irreversible and parsed == Intent("confirm"), self.evening.say(text)
            tape.skip(ANSWER)
            free_until = tape.seconds + self.follow_up
            to_us = began + heard.speech_began < heard_minute.ends and began + heard.speech_ended > heard_minute.begins
            if to_us and not hit:
                hit = True
                score.to_us.add(
                    outcome(parsed, heard_minute.wanted.intent, CHANGING),
                    f"{heard_minute.wanted.text!r} heard as {heard.text!r}",
                )
                continue
            ratio = "" if heard.ratio is None else f" ({heard.ratio:.1f})"
            where = "without the wake phrase" if rest is None else "behind the wake phrase"
            name = parsed.name if isinstance(parsed, Intent) else "asked back"
            score.false.append(f"{'changed, ' if changed else ''}{where}, {name}: {heard.text!r}{ratio}")
            score.changing += changed
            score.irreversible += changed and confirms
        if not hit:
            score.to_us.add(Outcome.REJECTED, repr(heard_minute.wanted.text))
        score.seconds += MINUTE

    def _heard(self, free: float) -> Heard:
        plain = self.evening.session.grammar.speakable
        called = behind(self.phrases, plain)
        strictness = Strictness.IRREVERSIBLE if self.evening.session.irreversible else Strictness.OPEN
        left = self.evening.session.seconds_left
        patience = min(free or math.inf, math.inf if left is None else left)
        attention = Attention(strictness, None if patience == math.inf else patience)
        grammar = SpeakableGrammar.united((plain, called)) if free else called
        return self.bench.ears.listener.listen(grammar, lambda: False, attention)


def table(bench: Bench, talk: Sequence[tuple[str, str]], minutes: int, folder: Path) -> TableScore:
    """Return what is done in so many minutes of talk."""
    phrases = wake_phrases(library().pack(LANGUAGE, EDITION))
    evening, score = Evening(folder, bench.seed), TableScore()
    for number in range(minutes):
        wanted = evening.wanted()
        microphone = OpenMicrophone(bench, evening, phrases, Settings().follow_up)
        microphone.hear(minute(bench, talk, wanted, phrases[number % len(phrases)], number), score)
    return score


def called(bench: Bench, sentences: Sequence[Wanted], condition: Condition, number: int) -> Score:
    """Return what becomes of sentences behind a wake phrase, without other talk."""
    phrases = wake_phrases(library().pack(LANGUAGE, EDITION))
    score, rng, random = Score(), bench.rng(f"called {condition.name}"), Random(bench.seed)
    ordinary = [wanted for wanted in sentences if not wanted.irreversible]
    for place in range(number):
        wanted, speaker = random.choice(ordinary), bench.people[place % len(bench.people)]
        speech = bench.studio.says(speaker, f"{random.choice(phrases)}, {wanted.text}")
        grammar = behind(phrases, wanted.grammar.speakable)
        heard = bench.ears.heard(bench.studio.heard(speech, condition, rng), grammar, Attention(Strictness.OPEN, None))
        parsed = wanted.grammar.parse(addressed(heard.text, phrases) or "")
        loss = f"{speaker.name}: {wanted.text!r} heard as {heard.text!r} ({heard.reason}, {heard.ratio})"
        score.add(outcome(parsed, wanted.intent, CHANGING), loss, f"speaker {speaker.name}")
    return score
