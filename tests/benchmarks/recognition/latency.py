"""From the end of speech to the first sample of the answer, in real time, beside the engine's own decision."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import numpy as np

from gm_assistant.channels import Channel
from gm_assistant.dialogue.wake import behind, wake_phrases
from gm_assistant.speech.ahead import AheadSynthesizer
from gm_assistant.speech.listener import Listener
from gm_assistant.speech.ports import FRAME_SAMPLES, RECOGNIZER_RATE, Attention, Audio, Strictness
from gm_assistant.speech.pyttsx3_synthesizer import CachedSynthesizer, SynthesizerProcess
from gm_assistant.speech.voice_activity import VoiceActivity
from gm_assistant.utterances import Outcome, Reply, TableUtterance
from tests.benchmarks.end_of_speech import (
    Spoken,
    decoder_for,
    end_of_speech,
    endpointers_decision,
    percentile,
)
from tests.benchmarks.recognition.hearing import Tape
from tests.benchmarks.recognition.measure import Bench
from tests.benchmarks.recognition.open_microphone import Evening
from tests.benchmarks.recognition.sentences import EDITION, LANGUAGE, Wanted, library
from tests.benchmarks.recognition.sound import CLEAN, to_pcm

BEFORE = 0.8
"""s from the opening of the microphone until somebody speaks."""
THINKING = 1.0
"""s at least between an answer and the next sentence: that is when likely answers are made."""
FRAME_SECONDS = FRAME_SAMPLES / RECOGNIZER_RATE


class RealTimeTape(Tape):
    """A `Tape` that runs as fast as a microphone hears. `began` is the moment (perf_counter) of its first sample."""

    began = 0.0

    def open(self, since: float | None = None) -> None:
        """Begin to run."""
        self.began = time.perf_counter()

    def read(self) -> bytes | None:
        """Return the next frame when its last sample has sounded."""
        frame = super().read()
        time.sleep(max(0.0, self.began + self.seconds - time.perf_counter()))
        return frame


@dataclass
class Delays:
    """ms from the end of speech to the first sample of the answer, of sentences that were understood."""

    ours: list[float] = field(default_factory=list)
    decision: list[float] = field(default_factory=list)
    """Until the words were there."""
    engine: list[float] = field(default_factory=list)
    """The same as `ours`, but with the decision of PocketSphinx' own `Endpointer`, in its default settings."""
    missed: int = 0

    def share_of_engine(self) -> float:
        """Return our median as a share of the engine's, in percent."""
        return 100 * percentile(self.ours, 50) / percentile(self.engine, 50)


def delays(bench: Bench, number: int, folder: Path, *, opened: bool) -> Delays:
    """Return the delays of `number` sentences of a game: after a key was pressed, or behind a wake phrase."""
    found, evening, tape = Delays(), Evening(folder, bench.seed), RealTimeTape()
    voice = AheadSynthesizer(CachedSynthesizer(SynthesizerProcess()))
    voice.synthesize("Ready.", evening.session.voice(Channel.TABLE, sys.platform))
    stage = _Stage(bench, evening, Listener(tape, bench.ears.recognizer, VoiceActivity()), tape, voice, found)
    random = Random(bench.seed)
    for _ in range(number):
        stage.perform(evening.wanted(), random, opened=opened)
    voice.close()
    return found


@dataclass
class _Stage:
    bench: Bench
    evening: Evening
    listener: Listener
    tape: RealTimeTape
    voice: AheadSynthesizer
    found: Delays

    def perform(self, wanted: Wanted, random: Random, *, opened: bool) -> None:
        """Speak one sentence, and take the time until the first sound of its answer is there."""
        phrases = wake_phrases(library().pack(LANGUAGE, EDITION)) if opened and not wanted.irreversible else ()
        phrase = random.choice(phrases) if phrases else ""
        spoken = self._spoken(f"{phrase}, {wanted.text}" if phrase else wanted.text, random)
        grammar = behind(phrases, wanted.grammar.speakable)
        self.voice.guess(self.evening.session.guesses(), self.evening.session.voice(Channel.TABLE, sys.platform))
        self.bench.ears.recognizer.ahead(grammar)
        time.sleep(THINKING)
        ordinary = Strictness.OPEN if opened else Strictness.PUSHED
        attention = Attention(Strictness.IRREVERSIBLE if wanted.irreversible else ordinary)
        heard = self.listener.listen(grammar, lambda: False, attention)
        decided = time.perf_counter()
        text = heard.text.removeprefix(phrase).strip()
        right = wanted.grammar.parse(text) == wanted.intent
        reply = self.evening.session.hear(text if right else wanted.text)
        self._first_sound(reply)
        sounds = time.perf_counter()
        self.evening.session.performed(Outcome(len(reply)))
        ended = self.tape.began + spoken.ends
        if not right:
            self.found.missed += 1
            return
        self.found.decision.append(1000 * (decided - ended))
        self.found.ours.append(1000 * (sounds - ended))
        _, quiet, computing = endpointers_decision(decoder_for(wanted.grammar.speakable), spoken)
        self.found.engine.append(quiet + computing + 1000 * (sounds - decided))

    def _spoken(self, text: str, random: Random) -> Spoken:
        speech = self.bench.studio.says(random.choice(self.bench.people), text)
        ends = BEFORE + end_of_speech(np.frombuffer(to_pcm(speech), "<i2")) / RECOGNIZER_RATE
        sound = self.bench.studio.heard(speech, CLEAN, self.bench.rng(text), before=BEFORE, after=3.0)
        self.tape.load(sound)
        return Spoken(text, Audio(b"", RECOGNIZER_RATE), np.frombuffer(to_pcm(sound), "<i2"), ends)

    def _first_sound(self, reply: Reply) -> None:
        spoken = [utterance for utterance in reply if isinstance(utterance, TableUtterance)]
        if spoken:
            first = (spoken[0].sentences or (spoken[0].text,))[0]
            self.voice.synthesize(first, self.evening.session.voice(Channel.TABLE, sys.platform))


def median_and_p95(values: Sequence[float]) -> tuple[float, float]:
    """Return both; 0 of nothing."""
    return (percentile(values, 50), percentile(values, 95)) if values else (0.0, 0.0)
