"""What the recognition takes of the computer: seconds of the processor and memory, of a program and its children."""

from __future__ import annotations

import os
import subprocess
import sys
import time
import wave
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from gm_assistant.speakable import SpeakableGrammar
from gm_assistant.speech.ports import RECOGNIZER_RATE, Attention, Recognizer
from tests.benchmarks.recognition.hearing import Ears
from tests.benchmarks.recognition.sentences import EDITION, LANGUAGE, TABLES, Wanted
from tests.benchmarks.recognition.sound import Sound, to_pcm

MEGABYTE = 2**20
_POLL = 0.2
"""s between two looks at the memory."""


def family(process: int) -> tuple[int, ...]:
    """Return a process and all that descend from it, as far as they still live. Linux only."""
    found, open_ = [process], [process]
    while open_:
        for tasks in Path(f"/proc/{open_.pop()}/task").glob("*/children"):
            try:
                children = [int(number) for number in tasks.read_text().split()]
            except OSError:
                continue
            found += children
            open_ += children
    return tuple(found)


def processor_seconds(processes: Sequence[int]) -> float:
    """Return the s of processor that `processes` have used since they began."""
    return sum(map(_processor_seconds, processes))


def _processor_seconds(process: int) -> float:
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def memory(process: int) -> int:
    """Return the bytes of memory of a process; what it shares with others counts in parts. 0 if it has gone."""
    try:
        lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0
    return sum(int(line.split()[1]) * 1024 for line in lines if line.startswith("Pss:"))


def children_memory() -> int:
    """Return the bytes of memory of all processes that descend from this one."""
    return sum(memory(process) for process in family(os.getpid())[1:])


def real_time_factor(ears: Ears, heard: Sequence[tuple[Wanted, Sound]], attention: Attention) -> float:
    """Return the s of processor, of all processes, for each s that is listened."""
    ears.heard(heard[0][1], heard[0][0].grammar.speakable, attention)
    before, listened = processor_seconds(family(os.getpid())), ears.seconds
    for wanted, sound in heard:
        ears.heard(sound, wanted.grammar.speakable, attention)
    return (processor_seconds(family(os.getpid())) - before) / (ears.seconds - listened)


@dataclass
class Rebuilding:
    """ms until the recogniser was ready for a situation of the game."""

    first: list[float] = field(default_factory=list)
    """The first one of each table: the people's names are new as well. Nobody waits, the game begins."""
    fresh: list[float] = field(default_factory=list)
    known: list[float] = field(default_factory=list)


def rebuilding(recognizer: Recognizer, sentences: Sequence[Wanted]) -> Rebuilding:
    """Return the times for all situations, in their order. Nothing may have been prepared before."""
    other, found, tables = SpeakableGrammar(("help",)), Rebuilding(), set[tuple[str, ...]]()
    for grammar in {id(wanted.grammar): wanted.grammar for wanted in sentences}.values():
        for kept in (found.fresh if grammar.players in tables else found.first, found.known):
            recognizer.prepare(other)
            began = time.perf_counter()
            recognizer.prepare(grammar.speakable)
            kept.append(1000 * (time.perf_counter() - began))
        tables.add(grammar.players)
    return found


def program_memory(sounds: Sequence[Sound], folder: Path) -> dict[int, int]:
    """Return the most bytes that the real program took at once while it heard `sounds`, by process: itself first."""
    file = folder / "said.wav"
    with wave.open(str(file), "wb") as opened:
        opened.setnchannels(1)
        opened.setsampwidth(2)
        opened.setframerate(RECOGNIZER_RATE)
        opened.writeframes(b"".join(map(to_pcm, sounds)))
    command = [sys.executable, "-m", "gm_assistant", "play", "--new", "--deal", "none", "--blind", "none"]
    command += ["--language", LANGUAGE, "--edition", EDITION, "--players", ",".join(TABLES[0]), "--first", TABLES[0][0]]
    command += ["--input", str(file), "--output", str(folder / "out")]
    homes = {name: str(folder / name) for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME")}
    program = subprocess.Popen(command, env=os.environ | homes, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    most: dict[int, int] = {}
    while program.poll() is None:
        now = {process: memory(process) for process in family(program.pid)}
        if sum(now.values()) > sum(most.values()):
            most = now
        time.sleep(_POLL)
    if program.returncode:
        raise RuntimeError(f"the program ended with {program.returncode}")
    return most
