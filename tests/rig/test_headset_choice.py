"""Choosing the headset with real devices and the real voice: the number sounds in one place only."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from random import Random

import numpy as np
import pytest
from program_at_table import likeness, words_of_the_program
from virtual_table import RATE, Samples, VirtualTable

from gm_assistant.channels import Channel
from gm_assistant.dialogue.messages import Message
from gm_assistant.headset_choice import distinct_numbers
from gm_assistant.library import load_library
from gm_assistant.settings import load_settings

pytestmark = pytest.mark.rig

ROOT = Path(__file__).parents[2]
SEED = 5
HEADSET = "headset, ALSA"
BOOK = load_library().phrasebook("en", None)


def phrase(key: str, **facts: str | int) -> str:
    return BOOK.phrase(Message(key, facts))


def choose(table: VirtualTable, home: Path, *flags: str, typed: str = "") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "gm_assistant", "headset", "--language", "en", "--table-device", "table_speaker"]
    homes = {"XDG_CONFIG_HOME": str(home / "config"), "XDG_STATE_HOME": str(home / "state")}
    return subprocess.run(
        [*command, *flags],
        env=os.environ | table.environment | homes | {"PYTHONPATH": str(ROOT)},
        input=typed,
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )


def sounding(sound: Samples) -> np.ndarray:
    """Return for each piece of 20 ms whether there was any sound."""
    pieces = sound[: len(sound) // (RATE // 50) * (RATE // 50)].reshape(-1, RATE // 50)
    return np.asarray(pieces.any(axis=1))


def test_the_headset_says_its_number_and_the_table_none_and_the_device_is_stored(
    virtual_table: VirtualTable, tmp_path: Path
) -> None:
    listed = choose(virtual_table, tmp_path, "--list")
    possible = [
        name for name in (HEADSET, "microphone, ALSA") if phrase("choose-possible", device=name) in listed.stdout
    ]
    assert HEADSET in possible
    assert phrase("choose-impossible", device="table_speaker, ALSA") in listed.stdout
    file = tmp_path / "config" / "gm_assistant" / "settings.yaml"
    file.parent.mkdir(parents=True)
    file.write_text("hold_off: 0.3  # mine\n")
    numbers = distinct_numbers(len(possible), Random(SEED))
    number = numbers[possible.index(HEADSET)]
    with virtual_table.recording() as heard:
        ran = choose(virtual_table, tmp_path, "--seed", str(SEED), typed=f"{number}\nn\n")
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout.splitlines()[-1] == phrase("choose-done", device=HEADSET, path=str(file))
    assert file.read_text() == f'hold_off: 0.3  # mine\nheadset_device: "{HEADSET}"\n'
    assert load_settings(file).headset_device == HEADSET

    words = {
        one: words_of_the_program(phrase("choose-number", digits=", ".join(one)), Channel.HEADSET) for one in numbers
    }
    alike = {one: likeness(sound, heard.headset) for one, sound in words.items()}
    assert max(alike, key=lambda one: alike[one]) == number
    assert alike[number] > 0.9
    assert likeness(words[number], heard.table) < 0.9
    table, headset = sounding(heard.table), sounding(heard.headset)
    both = min(len(table), len(headset))
    assert not (table[:both] & headset[:both]).any()
