"""A whole game spoken into one sound file, heard by the real program in place of a microphone."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
import wave
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gm_assistant.speech.piper_synthesizer import packaged_voice
from gm_assistant.speech.ports import Audio, Voice
from gm_assistant.speech.pyttsx3_synthesizer import SynthesizerProcess
from gm_assistant.speech.resampling import Samples, resampled, samples_of

pytestmark = pytest.mark.model

ROOT = Path(__file__).parents[2]
PLAYERS = ("--players", "Anna,Ben,Clara,Dora,Emil", "--first", "Anna", "--blind", "all", "--deal", "none")
GAME = ("--language", "en", *PLAYERS)
PAUSE = 1.5
WITHOUT_CHANCE = {"noise_scale": 0.0, "noise_w_scale": 0.0}
"""Left to itself, the neural voice says everything a bit differently each time."""
SENTENCES = (
    "who may be chancellor",
    "nominate ben",
    "four yes one no",
    "liberal law",
    "what comes next",
    "nominate seat three",
    "the vote failed",
    "undo that",
    "the vote passed",
    "the law is liberal",
    "nominate dora",
    "five yes zero no",
    "liberal law",
    "nominate emil",
    "the vote passed",
    "liberal law",
    "why not dora",
    "nominate anna",
    "the vote passed",
    "liberal law",
    "yes confirm",
    "quit the program",
)


@pytest.fixture(scope="module")
def rate_and_sentences() -> tuple[int, list[Samples]]:
    """The sentences spoken by the neural voice (the same each time), else by espeak-ng."""
    missing = importlib.util.find_spec("pocketsphinx") is None
    if missing:
        explain = pytest.fail if os.environ.get("GM_ASSISTANT_REQUIRE_RIG") == "1" else pytest.skip
        explain("pocketsphinx is not installed")
    sounds = [spoken(sentence) for sentence in SENTENCES]
    return sounds[0].rate, [samples_of(sound) for sound in sounds]


@cache
def neural_voice() -> Any:
    from piper import PiperVoice  # noqa: PLC0415 - an optional package

    return PiperVoice.load(str(packaged_voice()))


def spoken(sentence: str) -> Audio:
    if packaged_voice() is not None:
        from piper import SynthesisConfig  # noqa: PLC0415 - an optional package

        piece = next(iter(neural_voice().synthesize(sentence, SynthesisConfig(**WITHOUT_CHANCE))))
        return Audio(piece.audio_int16_bytes, piece.sample_rate)
    process = SynthesizerProcess()
    sound = process.synthesize(sentence, Voice("en"))
    process.close()
    return sound


def written(path: Path, rate: int, sentences: list[Samples], wanted: int, channels: int) -> Path:
    """Write one sound file with all sentences and a pause after each."""
    pause = np.zeros(int(PAUSE * wanted), np.int16)
    pieces = [piece for sentence in sentences for piece in (resampled(sentence, rate, wanted), pause)]
    with wave.open(str(path), "wb") as file:
        file.setparams((channels, 2, wanted, 0, "NONE", ""))
        file.writeframes(np.repeat(np.concatenate((pause, *pieces)), channels).astype("<i2").tobytes())
    return path


def played(folder: Path, *options: str, typed: str = "") -> list[str]:
    """Return the lines that a whole run printed."""
    homes = {"XDG_DATA_HOME": str(folder / "data"), "XDG_CONFIG_HOME": str(folder / "config")}
    done = subprocess.run(
        [sys.executable, "-m", "gm_assistant", "play", *GAME, *options],
        env=os.environ | homes | {"PYTHONPATH": str(ROOT)},
        input=typed,
        check=False,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.stderr == ""
    assert done.returncode == 0
    return done.stdout.splitlines()


@pytest.mark.parametrize(("rate", "channels"), [(16_000, 1), (44_100, 2)], ids=["16 kHz mono", "44.1 kHz stereo"])
def test_a_game_in_one_sound_file_is_played_as_if_it_were_typed(
    tmp_path: Path, rate_and_sentences: tuple[int, list[Samples]], rate: int, channels: int
) -> None:
    game = written(tmp_path / "game.wav", *rate_and_sentences, rate, channels)
    heard = played(tmp_path / "heard", "--input", str(game), "--output", str(tmp_path / "sounds"))
    lines = "".join(f"{sentence}\n" for sentence in SENTENCES)
    typed = played(tmp_path / "typed", "--input", "keyboard", "--output", "text", typed=lines)
    assert heard == typed
    assert "The liberals win with 5 laws. The game is over." in heard[-2]


def test_the_sound_of_a_game_is_as_long_as_question_and_answer_together(
    tmp_path: Path, rate_and_sentences: tuple[int, list[Samples]]
) -> None:
    rate, sentences = rate_and_sentences
    game = written(tmp_path / "game.wav", rate, sentences[:1], 16_000, 1)
    assert len(played(tmp_path, "--input", str(game), "--output", str(tmp_path / "sounds"))) == 2
    table, headset = (sound_of(tmp_path / "sounds" / f"{channel}.wav") for channel in ("table", "headset"))
    assert len(table) == len(headset)
    assert not headset.any()
    spoken = np.flatnonzero(table)
    asked = int(len(sentences[0]) / rate * 22_050)
    assert (np.diff(spoken) > asked).sum() == 1


def sound_of(path: Path) -> Samples:
    with wave.open(str(path)) as file:
        return np.frombuffer(file.readframes(file.getnframes()), "<i2")
