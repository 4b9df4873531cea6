"""What the key to talk is worth, at the virtual table (see `tests/rig`): `python -m tests.benchmarks.talk_key`.

Sentences that begin up to 0.3 s before or after the key, while the tone sounds and the microphone hears the table's
loudspeaker; the time from the key to the tone; and the time from a key to silence in the middle of an answer. The
delays of the sound server's monitors are in all figures.
"""

from __future__ import annotations

import sys
import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path

SENTENCES = {"who is next": "Ben is next.", "who is president": "Anna is president."}
WANTED = (-0.3, -0.2, -0.1, 0.0, 0.1, 0.2, 0.3)
"""s from the key to the beginning of the sentence; what it really was is measured."""
EARLIEST = -0.3
"""s before the key in which nothing may be lost."""
SILENT_WITHIN = 50.0
"""ms."""
STOPPING = ("\x1b", "\n", "\x1b[A") * 2
"""Escape, Enter, and the arrow up: keys that do nothing else."""
LAG = 0.0
"""s from the order to play a sound until it is heard, about."""

sys.path.insert(0, str(Path(__file__).parents[1] / "rig"))
import program_at_table as rig  # noqa: E402 - the rig's modules are found from now on
from test_conversation import loudspeaker_heard_by_microphone  # noqa: E402
from virtual_table import VirtualTable, missing_parts  # noqa: E402


@dataclass(frozen=True)
class Trial:
    """One sentence: how long after the key it began (s), whether it was understood, and when the tone came (ms)."""

    offset: float
    right: bool
    tone: float

    @property
    def in_time(self) -> bool:
        return self.offset >= EARLIEST


def spoken_around_the_key(
    table: VirtualTable, program: rig.Program, room: rig.LiveEar, loudspeaker: rig.LiveEar, wanted: float, text: str
) -> Trial:
    program.lines_left()
    sound = rig.said_by_a_person(text)
    file = rig.written(Path(tempfile.mkdtemp()) / "said", sound)
    before = len(room.heard)
    speaking = threading.Thread(target=table.speak_into_room, args=(file,))
    now = time.monotonic()
    start = [now + max(0.0, LAG + 0.2 + wanted), 0.0]
    pressed = now + max(0.0, LAG + 0.2 + wanted) - wanted + LAG + 0.2  # 0.2 s of silence begin the file
    time.sleep(max(0.0, start[0] - time.monotonic()))
    speaking.start()
    time.sleep(max(0.0, pressed - time.monotonic()))
    pressed = time.monotonic()
    program.press(rig.SPACE)
    line = program.line()
    speaking.join()
    program.wait_until_it_is_silent()
    heard = room.heard[before:]
    began = room.time_of(before + rig.place_of(rig.at_rate(sound), heard)[1])
    tone = loudspeaker.first_sound_after(pressed)
    return Trial(began - pressed, line == f"table: {SENTENCES[text]}", 1000 * (tone - pressed))


def silence_after_a_key(program: rig.Program, loudspeaker: rig.LiveEar, key: str) -> float:
    """Return the ms from a key in the middle of an answer to the last sound of it."""
    program.press("bo\n")
    program.line()
    loudspeaker.wait_for_sound(time.monotonic())
    time.sleep(1.0)
    pressed = time.monotonic()
    program.press(key)
    loudspeaker.wait_for_silence(1.0)
    sounding = [number for number, piece in enumerate(loudspeaker._pieces) if any(piece)]
    last = loudspeaker._times[sounding[-1]]
    time.sleep(0.5)
    return 1000 * (last - pressed)


def measured() -> tuple[list[Trial], list[float]]:
    """Return every sentence around the key, and the ms to silence."""
    with (
        tempfile.TemporaryDirectory() as folder,
        VirtualTable() as table,
        loudspeaker_heard_by_microphone(table),
        rig.LiveEar(table, "room.monitor") as room,
        rig.LiveEar(table, "table_speaker.monitor") as loudspeaker,
        rig.Program(table, Path(folder), *rig.DEVICES) as program,
    ):
        program.set_up()
        loudspeaker.wait_for_sound(time.monotonic())
        program.press("\x1b")
        loudspeaker.wait_for_silence(1.5)
        trials = [
            spoken_around_the_key(table, program, room, loudspeaker, wanted, text)
            for wanted in WANTED
            for text in SENTENCES
        ]
        stops = [silence_after_a_key(program, loudspeaker, key) for key in STOPPING]
        program.press(rig.END_OF_INPUT)
        program.ended()
    return trials, stops


def main() -> int:
    """Print the figures; return 0 if the aims are met."""
    if missing_parts():
        print(f"not measured, this is missing: {', '.join(missing_parts())}")
        return 2
    trials, stops = measured()
    for trial in sorted(trials, key=lambda one: one.offset):
        print(f"begun {1000 * trial.offset:+5.0f} ms from the key: {'right' if trial.right else 'LOST'}")
    counted = [trial for trial in trials if trial.in_time]
    lost = sum(not trial.right for trial in counted)
    tones = sorted(trial.tone for trial in trials)
    print(f"begun within 0.3 s before the key or later: {len(counted) - lost} of {len(counted)} right (aim all)")
    print(f"key to tone, ms: median {tones[len(tones) // 2]:.0f}, most {tones[-1]:.0f}")
    print(
        f"key to silence, ms: most {max(stops):.0f} (aim {SILENT_WITHIN:.0f}): {', '.join(f'{s:.0f}' for s in stops)}"
    )
    met = not lost and max(stops) <= SILENT_WITHIN
    print("aims met" if met else "aims MISSED")
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main())
