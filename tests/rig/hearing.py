"""Programs that play at the virtual table, and what was heard there."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
from virtual_table import RATE, Samples, VirtualTable

HERE = Path(__file__).parent
LOUD = 500
"""Above this, a sample is no faint noise."""


def start(table: VirtualTable, script: str, *arguments: str) -> subprocess.Popen[str]:
    """Run the code under test as a program of its own: PortAudio reads the environment once only."""
    environment = os.environ | table.environment | {"PYTHONPATH": str(HERE.parent.parent)}
    command = [sys.executable, str(HERE / script), *arguments]
    return subprocess.Popen(
        command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def playing(table: VirtualTable, table_speaker: str, headset: str, *lines: str) -> subprocess.Popen[str]:
    """Return a program that plays the lines of `play_script.py`."""
    return start(table, "play_script.py", table_speaker, headset, *lines)


def play(table: VirtualTable, table_speaker: str, headset: str, *lines: str) -> list[str]:
    """Return the outcome of each line."""
    return outcome_of(playing(table, table_speaker, headset, *lines))


def outcome_of(program: subprocess.Popen[str]) -> list[str]:
    """Return what it printed for each line; a screen reader must not hear more than that."""
    printed, complaints = program.communicate(timeout=60)
    assert complaints == ""
    return printed.split()


def answer(program: subprocess.Popen[str], line: str | None = None) -> str:
    """Return the next line that it prints, after `line` if there is one."""
    assert program.stdin is not None
    assert program.stdout is not None
    if line is not None:
        program.stdin.write(f"{line}\n")
        program.stdin.flush()
    return program.stdout.readline().strip()


def loud_seconds(sound: Samples, rate: int = RATE) -> float:
    """Return for how long there was sound, counted in pieces of 5 ms."""
    return float((_peaks(sound, rate // 200) > LOUD).sum() / 200)


def leak(sound: Samples) -> float:
    """Return for how many ms there was anything but digital silence, from the first such sample to the last."""
    places = np.flatnonzero(sound)
    return float((places[-1] - places[0] + 1) / RATE * 1000) if len(places) else 0.0


def longest_gap(sound: Samples) -> float:
    """Return the longest digital silence between two samples that are not, in ms."""
    places = np.flatnonzero(sound)
    return float((np.diff(places).max() - 1) / RATE * 1000)


def strength(sound: Samples, hertz: float, rate: int = RATE) -> float:
    """Return the share of the sound's energy that lies within 20 Hz of `hertz`."""
    spectrum = np.abs(np.fft.rfft(sound.astype(np.float64))) ** 2
    near = np.abs(np.fft.rfftfreq(len(sound), 1 / rate) - hertz) < 20
    return float(spectrum[near].sum() / spectrum.sum())


def _peaks(sound: Samples, length: int) -> Samples:
    """Return the largest sample of each piece of `length` samples."""
    pieces = sound[: len(sound) // length * length].reshape(-1, length)
    peaks: Samples = np.abs(pieces.astype(np.int32)).max(axis=1)
    return peaks
