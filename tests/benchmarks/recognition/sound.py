"""Synthetic speech, noise and rooms: the same for the same seed. Sound is mono at RECOGNIZER_RATE, full scale 1.0.

Speaking is slow, so what was spoken once is kept in a folder. Without piper or espeak-ng their speakers are missing.
"""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import wave
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from io import BytesIO
from pathlib import Path

import numpy as np
import numpy.typing as npt

from gm_assistant.speech.piper_synthesizer import PiperSynthesizer, packaged_voice
from gm_assistant.speech.ports import RECOGNIZER_RATE, Audio, Voice
from gm_assistant.speech.resampling import resampled, samples_of

Sound = npt.NDArray[np.float64]

FULL_SCALE = 32_768
LEVEL = -26.0
"""dBFS of speech close to the microphone, while somebody speaks."""
LOUDNESS = 6.0
"""dB by which people are louder or softer than that."""
FAR_LEVEL = -34.0
ROOM_TONE = 20 / FULL_SCALE
"""Standard deviation of the noise of a quiet room."""

_FRAME = 320
"""Samples in 20 ms."""
_ACTIVE = 30.0
"""dB below the loudest frame: softer frames are pauses."""
_MARGIN = 0.1
"""s that are kept around what was spoken."""
_VERSION = "1"
"""Another one makes everything be spoken anew."""


@dataclass(frozen=True)
class Speaker:
    """Somebody who speaks. `voice` is one of espeak-ng, empty for the neural voice."""

    name: str
    voice: str = ""
    speed: float = 1.0
    pitch: float = 1.0
    """Of the neural voice; its colour goes along, as with a smaller person."""


PEOPLE = (
    Speaker("joe"),
    Speaker("joe fast", speed=1.25),
    Speaker("joe slow", speed=0.85),
    Speaker("joe deep", pitch=0.88),
    Speaker("joe middle", pitch=1.1),
    Speaker("joe high", pitch=1.22, speed=1.05),
    Speaker("joe deep and fast", pitch=0.93, speed=1.15),
    Speaker("espeak us", "en-us"),
    Speaker("espeak us f3", "en-us+f3"),
    Speaker("espeak us m3", "en-us+m3", speed=1.1),
    Speaker("espeak gb", "en-gb", speed=0.95),
    Speaker("espeak gb f2", "en-gb+f2"),
    Speaker("espeak gb m7", "en-gb+m7", speed=1.1),
)
"""Speak to the assistant, and among each other."""

BABBLERS = (
    Speaker("babble 1", pitch=0.95, speed=1.1),
    Speaker("babble 2", pitch=1.16, speed=1.15),
    Speaker("babble 3", pitch=0.84, speed=1.0),
    Speaker("babble 4", pitch=1.05, speed=0.92),
    Speaker("babble 5", "en-us+f4", speed=1.05),
    Speaker("babble 6", "en-gb+m4", speed=1.1),
)
"""All speak at once, a bit away."""

KOREANS = tuple(
    Speaker(f"espeak {voice} {speed}", voice, speed)
    for voice in ("ko+m3", "ko+f3", "ko", "ko+m7")
    for speed in (0.9, 1.0)
)


@dataclass(frozen=True)
class Condition:
    """How something comes to the microphone. `below`: dB of the noise below the speech; none without `noise`."""

    name: str
    noise: str = ""
    below: float = 0.0
    far: bool = False


CLEAN = Condition("clean")
BABBLE_20 = Condition("babble 20 dB", "babble", 20)
BABBLE_10 = Condition("babble 10 dB", "babble", 10)
FAR = Condition("far in the room", "babble", 20, far=True)
CONDITIONS = (
    CLEAN,
    BABBLE_20,
    BABBLE_10,
    FAR,
    Condition("babble 5 dB", "babble", 5),
    Condition("music 20 dB", "music", 20),
    Condition("music 10 dB", "music", 10),
    Condition("music 5 dB", "music", 5),
)


def decibels(ratio: float) -> float:
    """Return a ratio of amplitudes in dB."""
    return float(20 * np.log10(max(ratio, 1e-9)))


def factor(db: float) -> float:
    """Return dB as a ratio of amplitudes."""
    return float(10 ** (db / 20))


def rms(sound: Sound) -> float:
    """Return the root of the mean square."""
    return float(np.sqrt(np.mean(np.square(sound)))) if len(sound) else 0.0


def active_rms(speech: Sound) -> float:
    """Return the root mean square of `speech` without its pauses."""
    frames = speech[: len(speech) // _FRAME * _FRAME].reshape(-1, _FRAME)
    powers = np.mean(np.square(frames), axis=1) if len(frames) else np.zeros(1)
    return float(np.sqrt(np.mean(powers[powers >= powers.max() * factor(-_ACTIVE) ** 2])))


def at_level(speech: Sound, level: float) -> Sound:
    """Return `speech` as loud as `level` dBFS while somebody speaks; silence stays silence."""
    loudness = active_rms(speech)
    return speech * (factor(level) / loudness) if loudness else speech


def below(noise: Sound, speech: Sound, db: float) -> Sound:
    """Return `noise` that is so many dB below `speech`."""
    loudness = rms(noise)
    return noise * (active_rms(speech) * factor(-db) / loudness) if loudness else noise


def room_response(rng: np.random.Generator, reverberation: float = 0.45, direct: float = 2.0) -> Sound:
    """Return the answer of a room to a click.

    `reverberation`: s until the echo has fallen by 60 dB. `direct`: dB of the direct sound above all of the echo.
    """
    moments = np.arange(int(1.2 * reverberation * RECOGNIZER_RATE)) / RECOGNIZER_RATE
    echo = rng.normal(size=len(moments)) * 10 ** (-3 * moments / reverberation)
    echo[: int(0.003 * RECOGNIZER_RATE)] = 0
    echo *= factor(-direct) / np.sqrt(np.sum(np.square(echo)))
    echo[0] = 1.0
    return echo


def echoing(sound: Sound, response: Sound) -> Sound:
    """Return `sound` in a room, with the echo that goes on after its end."""
    length = len(sound) + len(response) - 1
    size = 1 << (length - 1).bit_length()
    return np.fft.irfft(np.fft.rfft(sound, size) * np.fft.rfft(response, size), size)[:length]


def music(seconds: float, rng: np.random.Generator) -> Sound:
    """Return chords that are struck and fade, a bass and drums."""
    whole = np.zeros(int(seconds * RECOGNIZER_RATE))
    beat = int(0.45 * RECOGNIZER_RATE)
    moments = np.arange(beat * 2) / RECOGNIZER_RATE
    fading = np.minimum(1, moments / 0.01) * np.exp(-3 * moments)
    for number, start in enumerate(range(0, len(whole), beat)):
        root = 110 * 2 ** (rng.choice([0, 3, 5, 7, 10]) / 12)
        notes = [root / 2, *(root * 2 ** (step / 12) for step in (12, 15 + number // 8 % 2, 19, 24))]
        struck = sum(np.sin(2 * np.pi * n * note * moments) / n**1.3 for note in notes for n in range(1, 7)) * fading
        drum = rng.normal(size=len(moments)) * np.exp(-(60 if number % 2 else 25) * moments) * 2
        piece = (struck + drum)[: len(whole) - start]
        whole[start : start + len(piece)] += piece
    return whole / np.abs(whole).max()


def knocks(seconds: float, rng: np.random.Generator) -> Sound:
    """Return a few knocks on a table."""
    whole = np.zeros(int(seconds * RECOGNIZER_RATE))
    moments = np.arange(int(0.12 * RECOGNIZER_RATE)) / RECOGNIZER_RATE
    for _ in range(int(rng.integers(2, 6))):
        thump = np.sin(2 * np.pi * rng.uniform(90, 250) * moments) + 0.5 * rng.normal(size=len(moments))
        start = int(rng.integers(0, len(whole) - len(moments)))
        whole[start : start + len(moments)] += thump * np.exp(-50 * moments) * rng.uniform(0.3, 1)
    return whole / np.abs(whole).max()


def laughter(seconds: float, rng: np.random.Generator) -> Sound:
    """Return bursts of a voice-like sound with breath, as of somebody who laughs: "ha ha ha"."""
    whole = np.zeros(int(seconds * RECOGNIZER_RATE))
    moments = np.arange(int(0.13 * RECOGNIZER_RATE)) / RECOGNIZER_RATE
    hump = np.sin(np.pi * moments / moments[-1]) ** 2
    base, start = rng.uniform(140, 320), 0
    while start + len(moments) < len(whole):
        pitch = base * rng.uniform(0.85, 1.15) * (1 - 0.3 * start / len(whole))
        voiced = sum(
            np.sin(2 * np.pi * n * pitch * moments) * np.exp(-(((n * pitch - 800) / 700) ** 2)) for n in range(1, 20)
        )
        burst = hump * (voiced + 0.3 * rng.normal(size=len(moments)))
        whole[start : start + len(moments)] += burst * rng.uniform(0.5, 1)
        start += int(rng.uniform(0.16, 0.24) * RECOGNIZER_RATE)
    return whole / np.abs(whole).max()


def to_pcm(sound: Sound) -> bytes:
    """Return 16-bit little-endian samples; what is too loud is clipped."""
    return (sound * FULL_SCALE).clip(-FULL_SCALE, FULL_SCALE - 1).astype("<i2").tobytes()


def trimmed(sound: Sound) -> Sound:
    """Return `sound` with not more than a short margin before and after what is above -45 dB of its peak."""
    loud = np.flatnonzero(np.abs(sound) > factor(-45) * np.abs(sound).max(initial=0))
    margin = int(_MARGIN * RECOGNIZER_RATE)
    return sound[max(0, loud[0] - margin) : loud[-1] + margin] if len(loud) else sound[:0]


def available(people: Iterable[Speaker]) -> tuple[Speaker, ...]:
    """Return those who can speak on this computer."""
    neural, program = packaged_voice(), shutil.which("espeak-ng")
    return tuple(speaker for speaker in people if (program if speaker.voice else neural))


class Studio:
    """Speaks, and keeps what was spoken in `folder`."""

    def __init__(self, folder: Path, babble: Sequence[str]) -> None:
        """`babble`: sentences that the people around speak."""
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = folder
        self._babble = tuple(babble)

    def says(self, speaker: Speaker, text: str) -> Sound:
        """Return `text` in a silent room, at LEVEL."""
        key = hashlib.sha256(repr((_VERSION, speaker, text)).encode()).hexdigest()[:24]
        file = self._folder / f"{key}.npy"
        if not file.exists():
            spoken = self._neural(speaker, text) if not speaker.voice else _espeak(speaker, text)
            unfinished = file.with_suffix(".tmp.npy")
            np.save(unfinished, np.frombuffer(to_pcm(trimmed(at_level(spoken, LEVEL))), "<i2"))
            unfinished.replace(file)
        return np.load(file).astype(np.float64) / FULL_SCALE

    def heard(
        self, speech: Sound, condition: Condition, rng: np.random.Generator, before: float = 0.6, after: float = 9.0
    ) -> Sound:
        """Return what the microphone hears, with so many s of the room before and after the speech.

        People are not equally loud. The noise goes on after the speech, as at a table: a listener must stop by itself.
        """
        level = FAR_LEVEL if condition.far else LEVEL + rng.uniform(-LOUDNESS, LOUDNESS)
        spoken = at_level(speech, level)
        if condition.far:
            spoken = echoing(spoken, room_response(rng))
        whole = np.pad(spoken, (int(before * RECOGNIZER_RATE), int(after * RECOGNIZER_RATE)))
        if condition.noise:
            whole = whole + below(self.noise(condition.noise, len(whole), rng), spoken, condition.below)
        return whole + rng.normal(0, ROOM_TONE, len(whole))

    def noise(self, kind: str, length: int, rng: np.random.Generator) -> Sound:
        """Return so many samples of `babble` or `music`, from anywhere in it."""
        source = self._all_babble if kind == "babble" else self._all_music
        start = int(rng.integers(0, len(source)))
        return np.resize(np.roll(source, -start), length)

    @cached_property
    def _all_babble(self) -> Sound:
        """As long as the shortest of the babblers speaks, without pauses between the sentences."""
        voices = []
        for number, speaker in enumerate(available(BABBLERS)):
            turned = [*self._babble[number * 5 % len(self._babble) :], *self._babble][: len(self._babble)]
            voices.append(np.concatenate([self.says(speaker, text) for text in turned]))
        return np.sum([voice[: min(map(len, voices))] for voice in voices], axis=0)

    @cached_property
    def _all_music(self) -> Sound:
        return music(60, np.random.default_rng(5))

    def _neural(self, speaker: Speaker, text: str) -> Sound:
        rate = max(80, min(449, round(165 * speaker.speed / speaker.pitch)))
        audio = self._synthesizer.synthesize(text, Voice("en", rate=rate))
        return _sound(Audio(audio.pcm, round(audio.rate * speaker.pitch)))

    @cached_property
    def _synthesizer(self) -> PiperSynthesizer:
        file = packaged_voice()
        assert file is not None
        return PiperSynthesizer(file)


def _espeak(speaker: Speaker, text: str) -> Sound:
    program = shutil.which("espeak-ng")
    assert program is not None
    command = [program, "-v", speaker.voice, "-s", str(round(155 * speaker.speed)), "--stdout", text]
    with wave.open(BytesIO(subprocess.run(command, capture_output=True, check=True).stdout)) as file:
        pcm = file.readframes(file.getnframes())
        return _sound(Audio(pcm[: len(pcm) // 2 * 2], file.getframerate()))


def _sound(audio: Audio) -> Sound:
    return resampled(samples_of(audio), audio.rate, RECOGNIZER_RATE).astype(np.float64) / FULL_SCALE
