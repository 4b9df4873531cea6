"""The real program at the virtual table: what it prints, what is said to it, whether a recording holds its words."""

from __future__ import annotations

import os
import pty
import queue
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import numpy as np
import numpy.typing as npt
from virtual_table import RATE, Samples, VirtualTable

from gm_assistant.channels import Channel
from gm_assistant.library import load_library
from gm_assistant.manner import Manner
from gm_assistant.speech import earcons
from gm_assistant.speech.folder_speaker import FolderSpeaker
from gm_assistant.speech.piper_synthesizer import packaged_voice
from gm_assistant.speech.ports import Audio, Voice
from gm_assistant.speech.pyttsx3_synthesizer import SynthesizerProcess
from gm_assistant.speech.resampling import resampled, samples_of

ROOT = Path(__file__).parents[2]
GAME = (
    *("--language", "en", "--players", "Anna,Ben,Clara,Dora,Emil", "--first", "Anna"),
    *("--blind", "all", "--deal", "none"),  # then there is neither deal nor prologue
)
_FIRST_QUESTION = "Whom do you nominate?"
DEVICES = (
    *("--table-device", "table_speaker"),
    *("--headset-device", "headset"),
    *("--microphone-device", "microphone"),
)

SPACE, END_OF_INPUT = " ", "\x04"
"""Keys of a terminal."""

_PATIENCE = 75.0
"""s for whatever the program is waited for: more than any computer needs, less than for ever."""
_TONE_IS_OVER = 0.3
"""s of silence after the tone: the microphone hears by then."""
_SPEECH_IS_OVER = 1.2
"""s of silence: more than the pause between two sentences."""
THE_SAME = 0.9
"""Likeness of a recording to the sound that was played."""


class LiveEar:
    """Hears a source of the sound server all the time, and tells when it last gave a sound."""

    def __init__(self, table: VirtualTable, source: str) -> None:
        command = ["parec", f"--device={source}", "--format=s16le", f"--rate={RATE}", "--channels=1"]
        self._ear = subprocess.Popen(
            [*command, "--latency-msec=10"], env=os.environ | table.environment, stdout=subprocess.PIPE
        )
        self._pieces: list[bytes] = []
        self._times: list[float] = []
        self._last_sound = self._last_silence = time.monotonic()
        self._thread = threading.Thread(target=self._listen)
        self._thread.start()
        wait_for(lambda: bool(self._pieces))  # the sound server wakes a device that nobody listened to as late as 2 s

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._ear.terminate()
        self._thread.join()
        self._ear.wait()
        assert self._ear.stdout is not None
        self._ear.stdout.close()

    @property
    def heard(self) -> Samples:
        """Return everything so far: 16-bit mono at RATE."""
        sound = b"".join(self._pieces)
        return np.frombuffer(sound[: len(sound) // 2 * 2], "<i2")

    def time_of(self, sample: int) -> float:
        """Return when a sample came, in time.monotonic() plus the server's own constant delay."""
        end = 0
        for piece, arrived in zip(self._pieces, self._times, strict=False):
            end += len(piece) // 2
            if end > sample:
                return arrived - (end - sample) / RATE
        raise IndexError(sample)

    def first_sound_after(self, moment: float) -> float:
        """Wait for the first sound after `moment`; return when it came, on the scale of `time_of`."""
        self.wait_for_sound(moment)
        ends = np.cumsum([len(piece) // 2 for piece in self._pieces])
        first = next(number for number, arrived in enumerate(self._times) if arrived > moment)
        start = int(ends[first - 1]) if first else 0
        sounding = np.flatnonzero(self.heard[start:]) + start
        return next(sounded for sample in sounding if (sounded := self.time_of(int(sample))) > moment)

    def wait_for_sound(self, since: float) -> None:
        """Wait for a sound after `since`, in time.monotonic()."""
        wait_for(lambda: self._last_sound > since)

    def wait_for_silence(self, seconds: float) -> None:
        """Wait until there has been no sound for so long."""
        wait_for(lambda: self._last_silence - self._last_sound > seconds)

    def _listen(self) -> None:
        assert self._ear.stdout is not None
        while piece := self._ear.stdout.read1(4096):  # type: ignore[attr-defined]
            self._times.append(time.monotonic())
            self._pieces.append(piece)
            if any(piece):
                self._last_sound = time.monotonic()
            else:
                self._last_silence = time.monotonic()


class Program:
    """`gm-assistant play` as a process of its own.

    With `terminal` its keyboard is one, and the space bar stops speech and opens the microphone; without, its input is
    a pipe, and an empty line opens the microphone when the speech is over.
    """

    def __init__(self, table: VirtualTable, folder: Path, *options: str, terminal: bool = True) -> None:
        self._table = table
        self._folder = folder
        self._ear = LiveEar(table, "table_speaker.monitor")
        self._hiss = table.hissing()
        self._hiss.__enter__()
        self._keys, keyboard = pty.openpty() if terminal else os.pipe()[::-1]
        homes = {"XDG_DATA_HOME": str(folder / "data"), "XDG_CONFIG_HOME": str(folder / "config")}
        self._process = subprocess.Popen(
            [sys.executable, "-m", "gm_assistant", "play", *GAME, *options],
            env=os.environ | table.environment | homes | {"PYTHONPATH": str(ROOT)},
            stdin=keyboard,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        os.close(keyboard)
        self._lines: queue.SimpleQueue[str] = queue.SimpleQueue()
        self._printed = time.monotonic()
        self._reader = threading.Thread(target=self._read)
        self._reader.start()
        self.complaints = ""
        """What was written to standard error, once the program has ended."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.kill()
        self._process.wait()
        self._reader.join()
        os.close(self._keys)
        for pipe in (self._process.stdout, self._process.stderr):
            if pipe is not None:
                pipe.close()
        self._hiss.__exit__(kind, error, trace)
        self._ear.__exit__(kind, error, trace)

    def line(self) -> str:
        """Wait for the next printed line."""
        return self._lines.get(timeout=_PATIENCE)

    def set_up(self) -> str:
        """Wait until the first question of the game is printed; return the very first line."""
        first = line = self.line()
        while not line.endswith(_FIRST_QUESTION):
            line = self.line()
        return first

    def lines_left(self) -> list[str]:
        """Return what was printed and not asked for yet."""
        left = []
        while not self._lines.empty():
            left.append(self._lines.get())
        return left

    def press(self, keys: str) -> None:
        """Press keys, or send them down the pipe."""
        os.write(self._keys, keys.encode())

    def open_microphone(self, key: str = SPACE) -> None:
        """Press the key to talk and wait until the tone is over."""
        before = len(self._ear.heard)
        self.press(key)
        wait_for(lambda: place_of(_TONE, self._ear.heard[before:])[0] > THE_SAME)
        self._ear.wait_for_silence(_TONE_IS_OVER)

    def say(self, sentence: str) -> None:
        """Open the microphone and speak."""
        self.open_microphone()
        self.speak(sentence)

    def speak(self, sentence: str) -> None:
        """Speak into the room."""
        self._table.speak_into_room(spoken(self._folder, sentence))

    def stop_speech(self) -> None:
        """Press a key while it speaks."""
        self._ear.wait_for_sound(self._printed)
        self.press(SPACE)
        self._ear.wait_for_silence(_SPEECH_IS_OVER)

    def speak_sound(self, sound: Audio) -> None:
        """Let a person's voice be heard in the room that is no file yet."""
        self._table.speak_into_room(written(self._folder / "said" / "sound", sound))

    def wait_until_it_is_silent(self) -> None:
        """Wait until what it printed last has been spoken at the table."""
        self._ear.wait_for_sound(self._printed)
        self._ear.wait_for_silence(_SPEECH_IS_OVER)

    def interrupt(self) -> None:
        """Press Ctrl-C."""
        self._process.send_signal(signal.SIGINT)

    def ended(self) -> int:
        """Wait for the end; return the exit code."""
        code = self._process.wait(_PATIENCE)
        self._reader.join()
        assert self._process.stderr is not None
        self.complaints = self._process.stderr.read()
        return code

    def kill_children(self, library: str) -> None:
        """Kill the child processes that have loaded a native library with `library` in its path."""
        children = Path(f"/proc/{self._process.pid}/task/{self._process.pid}/children").read_text().split()
        found = [int(child) for child in children if library in Path(f"/proc/{child}/maps").read_text()]
        assert found
        for child in found:
            os.kill(child, signal.SIGKILL)

    def saved_steps(self) -> int:
        """Return how many lines the saved game has."""
        (game,) = (self._folder / "data" / "gm_assistant" / "games").iterdir()
        return len(game.read_text("utf-8").splitlines())

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._printed = time.monotonic()
            self._lines.put(line.rstrip("\n"))


def wait_for(condition: Callable[[], bool]) -> None:
    """Wait until `condition` holds."""
    end = time.monotonic() + _PATIENCE
    while not condition():
        if time.monotonic() > end:
            raise TimeoutError
        time.sleep(0.05)


def spoken(folder: Path, sentence: str) -> Path:
    """Return a sound file in which a person says `sentence`, with a bit of silence around it."""
    place = folder / "said" / sentence.replace(" ", "-")
    return place / "table.wav" if place.exists() else written(place, said_by_a_person(sentence))


def written(folder: Path, sound: Audio) -> Path:
    """Write a sound file with a bit of silence around the sound."""
    speaker = FolderSpeaker(folder)
    speaker.elapse(0.2)
    speaker.play(sound, lambda: False)
    speaker.elapse(0.2)
    speaker.close()
    return folder / "table.wav"


def words_of_the_program(text: str, channel: Channel) -> Samples:
    """Return `text` as the program speaks it on `channel`, at RATE."""
    process = SynthesizerProcess()
    try:
        return at_rate(process.synthesize(text, Manner().voice(load_library().packs["en"], channel, "linux")))
    finally:
        process.close()


def at_rate(audio: Audio) -> Samples:
    """Return the samples of `audio` at RATE."""
    return resampled(samples_of(audio), audio.rate, RATE)


def place_of(sound: Samples, recording: Samples) -> tuple[float, int]:
    """Return how alike `sound` and the best matching piece of `recording` are, and where that piece begins.

    1 is the very same samples.
    """
    if len(recording) < len(sound):
        return 0.0, 0
    wanted, heard = sound.astype(np.float64), recording.astype(np.float64)
    size = 1 << (len(heard) + len(wanted)).bit_length()
    products = np.fft.irfft(np.fft.rfft(heard, size) * np.conj(np.fft.rfft(wanted, size)), size)
    energies = np.concatenate(([0.0], np.cumsum(heard**2)))
    loudness = np.sqrt(np.maximum(energies[len(wanted) :] - energies[: -len(wanted)], 1.0))
    likeness = products[: len(loudness)] / loudness / np.sqrt((wanted**2).sum())
    return float(likeness.max()), int(likeness.argmax())


def place_of_words(words: Samples, recording: Samples) -> tuple[float, int]:
    """Do the same for speech, by its pitch and colour: espeak-ng never gives the same samples twice."""
    wanted, heard = _colours(words), _colours(recording)
    pieces = len(heard) - len(wanted) + 1
    likeness = [_alike(wanted, heard[start : start + len(wanted)]) for start in range(pieces)] or [0.0]
    best = int(np.argmax(likeness))
    return likeness[best], best * _HOP


def likeness(words: Samples, recording: Samples) -> float:
    """Return how alike `words` are to what is in `recording`: 1 if they are in there as they are.

    Long ones are looked for in pieces, and half of these count: a busy computer stutters.
    """
    pieces = np.array_split(words, max(1, len(words) // (2 * RATE)))
    return float(np.median([place_of_words(piece, recording)[0] for piece in pieces]))


_HOP = RATE // 100
"""Samples between two looks at the colour of a sound."""
_BANDS = 48
"""Of 100 Hz each."""


def _colours(sound: Samples) -> npt.NDArray[np.float64]:
    """Return how loud each band is at each moment (moments x bands), on a scale like the ear's."""
    pieces = np.lib.stride_tricks.sliding_window_view(sound, 2 * _HOP)[::_HOP] * np.hanning(2 * _HOP)
    spectrum = np.abs(np.fft.rfft(pieces, axis=1))
    bands = spectrum[:, : 2 * _BANDS].reshape(len(pieces), _BANDS, 2).sum(axis=2)
    return np.asarray(np.log1p(bands / 500))


def _alike(one: npt.NDArray[np.float64], other: npt.NDArray[np.float64]) -> float:
    """Return the correlation of two pictures of the same size."""
    first, second = one - one.mean(), other - other.mean()
    size = np.sqrt((first**2).sum() * (second**2).sum())
    return float((first * second).sum() / size) if size else 0.0


_TONE = at_rate(earcons.listening())


@cache
def _neural_voice() -> Any:
    from piper import PiperVoice  # noqa: PLC0415 - an optional package

    return PiperVoice.load(str(packaged_voice()))


def said_by_a_person(sentence: str) -> Audio:
    """Return `sentence` in the neural voice (the same each time), else in espeak-ng's."""
    if packaged_voice() is not None:
        from piper import SynthesisConfig  # noqa: PLC0415 - an optional package

        without_chance = SynthesisConfig(noise_scale=0.0, noise_w_scale=0.0)
        piece = next(iter(_neural_voice().synthesize(sentence, without_chance)))
        return Audio(piece.audio_int16_bytes, piece.sample_rate)
    process = SynthesizerProcess()
    try:
        return process.synthesize(sentence, Voice("en"))
    finally:
        process.close()
