"""`gm-assistant microphone` at the virtual table: a room without anybody, a loudspeaker's monitor, a person."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest
from program_at_table import ROOT
from virtual_table import RATE, VirtualTable

from gm_assistant.dialogue.messages import Message
from gm_assistant.dialogue.samples import plain_sentence
from gm_assistant.library import load_library
from gm_assistant.microphone_check import SAID
from gm_assistant.speech.folder_speaker import FolderSpeaker
from gm_assistant.speech.ports import Audio, Voice
from gm_assistant.speech.pyttsx3_synthesizer import SynthesizerProcess

pytestmark = pytest.mark.rig

BOOK = load_library().phrasebook("de", None)
SENTENCE = plain_sentence(load_library().pack("de", None), (), SAID)


def phrase(key: str) -> str:
    return BOOK.phrase(Message(f"microphone-{key}"))


def checking(table: VirtualTable, microphone: str) -> subprocess.Popen[str]:
    """Return a check in German, for which there is no model: it takes no time to load."""
    environment = os.environ | table.environment | {"PYTHONPATH": str(ROOT)}
    flags = (
        "--language",
        "de",
        "--table-device",
        "table_speaker",
        "--microphone-device",
        microphone,
        "--patience",
        "4",
    )
    return subprocess.Popen(
        [sys.executable, "-m", "gm_assistant", "microphone", *flags],
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def told(table: VirtualTable, microphone: str) -> tuple[int, list[str]]:
    with checking(table, microphone) as program:
        printed, complaints = program.communicate(timeout=90)
    assert complaints == ""
    return program.returncode, printed.splitlines()


@contextmanager
def noise_in_the_room(table: VirtualTable, folder: Path) -> Iterator[None]:
    drawn = np.random.default_rng(1).normal(size=60 * RATE) * 32_768 * 10 ** (-60 / 20)
    file = wav(folder / "noise", Audio(np.rint(drawn).astype("<i2").tobytes(), RATE))
    player = subprocess.Popen(["paplay", "--device=room", str(file)], env=os.environ | table.environment)
    try:
        yield
    finally:
        player.kill()
        player.wait()


def wav(folder: Path, sound: Audio) -> Path:
    speaker = FolderSpeaker(folder)
    speaker.play(sound, lambda: False)
    speaker.close()
    return folder / "table.wav"


def spoken(folder: Path) -> Path:
    process = SynthesizerProcess()
    try:
        return wav(folder, process.synthesize(SENTENCE, Voice("de", rate=140, volume=0.5)))
    finally:
        process.close()


def test_a_microphone_that_gives_only_zeros_is_told(virtual_table: VirtualTable) -> None:
    status, lines = told(virtual_table, "microphone")
    assert status == 1
    assert phrase("zeros") in lines


def test_what_a_loudspeaker_plays_is_no_microphone(virtual_table: VirtualTable) -> None:
    virtual_table._run("pactl", "set-default-source", "table_speaker.monitor")
    try:
        status, lines = told(virtual_table, "default")
    finally:
        virtual_table._run("pactl", "set-default-source", "microphone")
    assert status == 1
    assert phrase("monitor") in lines


def test_a_person_is_heard_above_the_quiet(virtual_table: VirtualTable, tmp_path: Path) -> None:
    voice = spoken(tmp_path / "voice")
    with noise_in_the_room(virtual_table, tmp_path), checking(virtual_table, "microphone") as program:
        speaking = threading.Thread(target=_speak_often, args=(virtual_table, voice, program))
        lines = _lines(program, SENTENCE[1:], speaking.start)
        status = program.wait(60)
        speaking.join()
    assert phrase("well") in lines
    assert status == 0


def _lines(program: subprocess.Popen[str], awaited: str, action: Callable[[], None]) -> list[str]:
    """Return everything that is printed; do something when a line with `awaited` comes."""
    assert program.stdout is not None
    lines = []
    for line in program.stdout:
        lines.append(line.strip())
        if awaited in line:
            action()
    return lines


def _speak_often(table: VirtualTable, voice: Path, program: subprocess.Popen[str]) -> None:
    """Speak once the program listens: after its own sentence, which takes about 10 s."""
    time.sleep(9)
    while program.poll() is None:
        table.speak_into_room(voice)
        time.sleep(2)
