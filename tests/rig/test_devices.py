from __future__ import annotations

import os
import shutil
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
from hearing import HERE, LOUD, answer, loud_seconds, outcome_of, play, playing, start, strength
from play_script import tone
from virtual_table import RATE, TABLE_UNDER_ANOTHER_NAME, Samples, VirtualTable

from gm_assistant.speech.folder_speaker import FolderSpeaker
from gm_assistant.speech.lately import PRE_ROLL
from gm_assistant.speech.ports import RECOGNIZER_RATE

pytestmark = pytest.mark.rig


def test_a_line_for_the_table_leaves_the_headset_digitally_silent(virtual_table: VirtualTable) -> None:
    with virtual_table.recording() as heard:
        outcome = play(virtual_table, "table_speaker", "headset", "table:440:0.6")
    assert outcome == ["True"]
    assert 0.55 < loud_seconds(heard.table) < 0.65
    assert strength(heard.table, 440) > 0.9
    assert not heard.headset.any()
    assert len(heard.headset) > RATE // 2


def test_a_whisper_leaves_the_table_digitally_silent(virtual_table: VirtualTable) -> None:
    with virtual_table.recording() as heard:
        outcome = play(virtual_table, "table_speaker", "headset, ALSA", "headset:550:0.6")
    assert outcome == ["True"]
    assert 0.55 < loud_seconds(heard.headset) < 0.65
    assert strength(heard.headset, 550) > 0.9
    assert not heard.table.any()


def test_two_lines_one_after_another_are_both_heard_whole(virtual_table: VirtualTable) -> None:
    with virtual_table.recording() as heard:
        outcome = play(virtual_table, "table_speaker", "headset", "table:440:0.4", "table:880:0.4")
    assert outcome == ["True", "True"]
    assert 0.75 < loud_seconds(heard.table) < 0.9
    assert strength(heard.table, 440) > 0.4
    assert strength(heard.table, 880) > 0.4


def test_the_channels_take_turns_and_never_mix(virtual_table: VirtualTable) -> None:
    lines = ("headset:550:0.3", "table:440:0.3", "headset:660:0.3", "table:880:0.3")
    with virtual_table.recording() as heard:
        outcome = play(virtual_table, "table_speaker", "headset", *lines)
    assert outcome == ["True"] * 4
    assert strength(heard.table, 440) + strength(heard.table, 880) > 0.9
    assert strength(heard.headset, 550) + strength(heard.headset, 660) > 0.9


@pytest.mark.parametrize("channel", ["table", "headset"])
def test_stop_ends_the_sound_and_the_next_line_is_heard(virtual_table: VirtualTable, channel: str) -> None:
    with virtual_table.recording() as heard:
        outcome = play(virtual_table, "table_speaker", "headset", f"{channel}:440:5:stop", f"{channel}:880:0.4")
    sound = heard.table if channel == "table" else heard.headset
    assert outcome == ["False", "True"]
    assert loud_seconds(sound) < 1.5
    assert strength(sound, 880) > 0.3


@pytest.mark.parametrize("headset", ["-", "no such headset", "head"])
def test_a_missing_headset_is_refused_and_nothing_is_heard_anywhere(virtual_table: VirtualTable, headset: str) -> None:
    with virtual_table.recording() as heard:
        outcome = play(virtual_table, "table_speaker", headset, "headset:440:0.5")
    assert outcome == ["headset-not-ready"]
    assert not heard.table.any()
    assert not heard.headset.any()


@pytest.mark.parametrize("headset", ["table_speaker", "table_speaker, ALSA", "default", "pulse, ALSA"])
def test_what_may_be_the_tables_own_device_is_refused_as_headset(virtual_table: VirtualTable, headset: str) -> None:
    with virtual_table.recording() as heard:
        outcome = play(virtual_table, "table_speaker", headset, "headset:440:0.5")
    assert outcome == ["headset-refused"]
    assert not heard.table.any()
    assert not heard.headset.any()


def test_the_tables_own_device_is_refused_as_headset_under_whatever_name(virtual_table: VirtualTable) -> None:
    lines = ("table:440:0.3", "headset:660:0.5", "table:440:0.3")
    with virtual_table.recording() as heard:
        outcome = play(virtual_table, "table_speaker", TABLE_UNDER_ANOTHER_NAME, *lines)
    assert outcome == ["True", "headset-refused", "True"]
    assert strength(heard.table, 660) < 1e-3


def test_a_headset_that_was_unplugged_before_the_whisper_is_refused(virtual_table: VirtualTable) -> None:
    virtual_table.unplug_headset()
    assert play(virtual_table, "table_speaker", "headset", "headset:440:0.5") == ["headset-not-ready"]


def test_a_whisper_does_not_go_on_at_the_table_when_the_headset_is_unplugged(virtual_table: VirtualTable) -> None:
    with virtual_table.recording() as heard:
        program = playing(virtual_table, "table_speaker", "headset", "headset:440:6", "table:880:0.4")
        heard.wait_for_sound("headset", LOUD)
        virtual_table.unplug_headset()
        outcome = outcome_of(program)
    assert outcome == ["headset-not-ready", "True"]
    assert strength(heard.table, 880) > 0.8
    assert loud_seconds(heard.table) < 0.6


def test_a_whisper_ends_with_the_program_that_is_killed(virtual_table: VirtualTable) -> None:
    with virtual_table.recording() as heard:
        program = playing(virtual_table, "table_speaker", "headset", "headset:440:9")
        heard.wait_for_sound("headset", LOUD)
        program.kill()
        program.communicate()
        time.sleep(1)
        again = play(virtual_table, "table_speaker", "headset", "headset:660:0.4")
    assert 0 < loud_seconds(heard.headset) < 3
    assert again == ["True"]
    assert strength(heard.headset[-RATE:], 660) > 0.9
    assert not heard.table.any()


@pytest.mark.parametrize(("channel", "key"), [("table", "table-speaker-failed"), ("headset", "headset-not-ready")])
def test_a_device_that_hangs_is_an_error_and_can_be_used_again(
    virtual_table: VirtualTable, channel: str, key: str
) -> None:
    lines = (f"{channel}:440:6", "pause:0:4", f"{channel}:880:0.4")
    program = start(virtual_table, "play_script.py", "table_speaker", "headset", *lines)
    time.sleep(2.5)
    virtual_table.freeze(3)
    assert outcome_of(program) == [key, "paused", "True"]


def test_when_the_sound_server_ends_a_screen_reader_hears_nothing_of_it(tmp_path: Path) -> None:
    with VirtualTable() as table:
        lines = ("table:440:6", "headset:440:6", "table:880:1")
        playing = start(table, "play_script.py", "table_speaker", "headset", *lines)
        listening = start(table, turns_of_listening(tmp_path))
        assert answer(listening, "6") == "open"
        time.sleep(2)
        table.crash()
        assert answer(listening) == "microphone-lost"
        assert outcome_of(listening) == []
        assert outcome_of(playing) == ["table-speaker-failed", "headset-not-ready", "table-speaker-failed"]


def test_pythons_own_complaints_are_still_printed(tmp_path: Path) -> None:
    program = tmp_path / "failing.py"
    program.write_text("from gm_assistant.speech import audio\naudio.refresh()\nraise ValueError('own complaint')\n")
    command, environment = [sys.executable, str(program)], os.environ | {"PYTHONPATH": str(HERE.parent.parent)}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert "own complaint" in done.stderr


@pytest.mark.parametrize("seconds", [0.02, 0.12, 0.6])
@pytest.mark.parametrize("channel", ["table", "headset"])
def test_a_sleeping_device_plays_the_sound_that_wakes_it(
    virtual_table: VirtualTable, channel: str, seconds: float
) -> None:
    with virtual_table.recording(letting_sleep=True) as heard:
        time.sleep(2)
        assert play(virtual_table, "table_speaker", "headset", f"{channel}:440:{seconds}") == ["True"]
    sound = heard.table if channel == "table" else heard.headset
    assert seconds - 0.01 <= loud_seconds(sound) < seconds + 0.03


def test_without_a_name_the_tables_speaker_is_the_systems_default(virtual_table: VirtualTable) -> None:
    with virtual_table.recording() as heard:
        outcome = play(virtual_table, "-", "-", "table:440:0.4")
    assert outcome == ["True"]
    assert strength(heard.table, 440) > 0.9
    assert not heard.headset.any()


def test_a_name_that_is_not_there_lists_what_is(virtual_table: VirtualTable) -> None:
    assert play(virtual_table, "no such loudspeaker", "-") == ["device-missing"]
    assert play(virtual_table, "e", "-") == ["device-ambiguous"]


def test_the_microphone_hears_what_is_spoken_into_the_room(virtual_table: VirtualTable, tmp_path: Path) -> None:
    sound = listen(virtual_table, tmp_path, before=None, after=660)
    assert 0.4 < loud_seconds(sound, RECOGNIZER_RATE) < 0.6
    assert strength(sound, 660, RECOGNIZER_RATE) > 0.9


def test_the_microphone_never_returns_what_sounded_before_it_was_opened(
    virtual_table: VirtualTable, tmp_path: Path
) -> None:
    sound = listen(virtual_table, tmp_path, before=330, after=660)
    assert strength(sound, 330, RECOGNIZER_RATE) < 0.01
    assert strength(sound, 660, RECOGNIZER_RATE) > 0.9


def test_the_microphone_returns_the_moment_before_the_key_and_nothing_older(
    virtual_table: VirtualTable, tmp_path: Path
) -> None:
    sound = listen(virtual_table, tmp_path, before=330, after=660, pause=0.0, back=PRE_ROLL)
    until_the_key = sound[: round(PRE_ROLL * RECOGNIZER_RATE)]
    assert 0.05 < loud_seconds(until_the_key, RECOGNIZER_RATE) <= PRE_ROLL
    assert strength(until_the_key, 330, RECOGNIZER_RATE) > 0.9
    assert strength(sound[len(until_the_key) :], 660, RECOGNIZER_RATE) > 0.9


def test_an_unplugged_microphone_is_lost_and_plugged_in_again_it_hears(tmp_path: Path) -> None:
    with VirtualTable() as table:
        program = start(table, turns_of_listening(tmp_path))
        assert answer(program, "3") == "open"
        table.unplug_microphone()
        assert answer(program) == "microphone-lost"
        assert answer(program, "1") == "microphone-lost"
        table.plug_microphone()
        assert answer(program, "4") == "open"
        table.speak_into_room(spoken(tmp_path / "after", 660))
        assert answer(program) == "heard"
        assert outcome_of(program) == []


def test_a_microphone_unplugged_while_it_is_shut_is_lost(tmp_path: Path) -> None:
    with VirtualTable() as table:
        program = start(table, turns_of_listening(tmp_path))
        assert answer(program, "0.5") == "open"
        assert answer(program) == "silence"
        table.unplug_microphone()
        told = answer(program, "1")  # the sound server tells of it a moment later
        assert (answer(program) if told == "open" else told) == "microphone-lost"
        assert outcome_of(program) == []


@pytest.mark.parametrize("times", [1, 3])
def test_the_microphone_hears_on_when_another_source_vanishes(
    virtual_table: VirtualTable, tmp_path: Path, times: int
) -> None:
    program = start(virtual_table, turns_of_listening(tmp_path))
    assert answer(program, "4") == "open"
    for _ in range(times):
        virtual_table.unplug_headset()  # the monitor of its sink is a source
        virtual_table.plug_headset()
    virtual_table.speak_into_room(spoken(tmp_path / "after", 660))
    assert answer(program) == "heard"
    assert outcome_of(program) == []


def test_nothing_is_left_of_a_table_whose_program_was_killed(tmp_path: Path) -> None:
    program = start_code(tmp_path / "table.py", RECORDING_FOR_EVER)
    assert program.stdout is not None
    folder = program.stdout.readline().strip()
    assert processes_with(folder)
    program.kill()
    program.communicate()
    end = time.monotonic() + 5
    while processes_with(folder) and time.monotonic() < end:
        time.sleep(0.05)
    assert processes_with(folder) == []
    shutil.rmtree(folder)


RECORDING_FOR_EVER = """\
import time
from virtual_table import VirtualTable

with VirtualTable() as table, table.recording():
    print(table.environment["HOME"], flush=True)
    time.sleep(60)
"""


def start_code(file: Path, code: str) -> subprocess.Popen[str]:
    file.write_text(code)
    environment = os.environ | {"PYTHONPATH": str(HERE) + os.pathsep + str(HERE.parent.parent)}
    return subprocess.Popen([sys.executable, str(file)], env=environment, stdout=subprocess.PIPE, text=True)


def processes_with(home: str) -> list[str]:
    """Return the commands that run in the environment of a virtual table."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if f"HOME={home}".encode() in (process / "environ").read_bytes().split(b"\0"):
                found.append((process / "cmdline").read_text())
    return found


TURNS = """\
import sys
from gm_assistant.errors import AudioError
from gm_assistant.speech.microphones import DeviceMicrophone
from gm_assistant.speech.ports import FRAME_SAMPLES, RECOGNIZER_RATE

microphone = DeviceMicrophone("microphone")
for seconds in sys.stdin:
    try:
        microphone.open()
        print("open", flush=True)
        for _ in range(int(float(seconds) * RECOGNIZER_RATE / FRAME_SAMPLES)):
            microphone.read()
        print("heard" if microphone.peak > 500 else "silence", flush=True)
    except AudioError as lost:
        print(lost.key, flush=True)
    microphone.shut()
microphone.close()
"""


def turns_of_listening(folder: Path) -> str:
    """Return a program that listens for as many seconds as each line of its input says."""
    program = folder / "turns.py"
    program.write_text(TURNS)
    return str(program)


def listen(
    table: VirtualTable, folder: Path, before: int | None, after: int, pause: float = 0.1, back: float | None = None
) -> Samples:
    """Return what the microphone hears of two tones, the first ending `pause` s before it is opened.

    With `back` what it has kept of so many s before that is heard, too.
    """
    since = () if back is None else (str(back),)
    program = start(table, "listen_script.py", "microphone", "1.6", str(folder / "heard"), *since)
    assert program.stdin is not None
    assert program.stdout is not None
    assert program.stdout.readline() == "ready\n"
    if before is not None:
        table.speak_into_room(spoken(folder / "before", before))
        time.sleep(pause)
    program.stdin.write("\n")
    program.stdin.flush()
    assert program.stdout.readline() == "open\n"
    speaking = threading.Thread(target=table.speak_into_room, args=(spoken(folder / "after", after),))
    speaking.start()
    assert outcome_of(program) == []
    speaking.join()
    return np.frombuffer((folder / "heard").read_bytes(), "<i2")


def spoken(folder: Path, hertz: int) -> Path:
    speaker = FolderSpeaker(folder)
    speaker.play(tone(hertz, 0.5), lambda: False)
    speaker.close()
    return folder / "table.wav"
