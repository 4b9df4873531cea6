"""One stereo device with a splitter: the table hears its left channel only, the headset its right one only."""

from __future__ import annotations

import time
from collections.abc import Iterator

import numpy as np
import pytest
from conftest import complain_if_parts_are_missing
from hearing import LOUD, answer, leak, longest_gap, loud_seconds, outcome_of, play, playing, start, strength
from virtual_table import RATE, VirtualTable

pytestmark = pytest.mark.rig

MOST_LEAKED = 50
"""ms of a whisper that may be heard elsewhere when the splitter goes."""
LOUDER_THAN_NOISE = 7_000


@pytest.fixture(scope="module")
def _running_table() -> Iterator[VirtualTable]:
    complain_if_parts_are_missing()
    with VirtualTable("splitter") as table:
        yield table


@pytest.fixture
def table(_running_table: VirtualTable) -> Iterator[VirtualTable]:
    """A table with a splitter that nothing is plugged out of; the system's default is another device."""
    _running_table.plug("splitter")
    yield _running_table
    _running_table.unplug("splitter")


def played(table: VirtualTable, *lines: str) -> list[str]:
    return play(table, "splitter", "split", *lines)


def test_the_table_is_the_left_channel_and_the_headset_the_right_one(table: VirtualTable) -> None:
    with table.recording("splitter") as heard:
        assert played(table, "table:440:0.6", "pause:0:1", "headset:660:0.6") == ["True", "paused", "True"]
    left, right = heard.also["splitter"].T
    first, last = left[: len(left) // 2], right[len(right) // 2 :]
    assert (0.55 < loud_seconds(left) < 0.65, 0.55 < loud_seconds(right) < 0.65) == (True, True)
    assert (strength(first, 440) > 0.9, strength(last, 660) > 0.9) == (True, True)
    assert not left[np.flatnonzero(right)[0] :].any()
    assert not right[: np.flatnonzero(left)[-1]].any()
    assert not heard.table.any()


def test_an_answer_in_sentences_is_heard_on_the_left_with_its_pauses(table: VirtualTable) -> None:
    with table.recording("splitter") as heard:
        whole, _ = outcome_of(start(table, "speak_script.py", "splitter", "sentences", "split"))
    left, right = heard.also["splitter"].T
    silences = np.diff(np.flatnonzero(np.abs(left.astype(np.int32)) > LOUD // 5)) / RATE
    assert whole == "True"
    assert (silences > 0.3).sum() == 2
    assert silences.max() < 0.5
    assert not right.any()


def test_both_channels_at_once_stay_apart(table: VirtualTable) -> None:
    with table.recording("splitter") as heard:
        assert played(table, "both:440:1.5") == ["True"]
    left, right = heard.also["splitter"].T
    assert (strength(left, 440) > 0.9, strength(right, 660) > 0.9) == (True, True)
    assert strength(left, 660) < 1e-3
    assert strength(right, 440) < 1e-3


def test_noise_is_on_the_left_only_and_has_no_gap_while_lines_and_whispers_begin_and_end(table: VirtualTable) -> None:
    lines = ("noise:0:1", "headset:2000:0.5", "table:440:0.5", "headset:2000:5:stop", "noise:0:0", "pause:0:1")
    with table.recording("splitter") as heard:
        assert played(table, *lines) == ["noise", "True", "True", "False", "noise", "paused"]
    left, right = heard.also["splitter"].T
    print(f"longest digital silence in noise: {longest_gap(left):.1f} ms")
    assert longest_gap(left) <= 20
    assert strength(left, 2000) < 0.05
    assert strength(right, 2000) > 0.95
    assert not left[-RATE // 2 :].any()


@pytest.mark.parametrize("moment", [0.0, 0.3, 1.5])
def test_everything_ends_with_the_splitter_s_plug(table: VirtualTable, moment: float) -> None:
    with table.recording("splitter") as heard:
        program = playing(table, "splitter", "split", "noise:0:1", "headset:440:6")
        heard.wait_for_sound("splitter", LOUD)
        assert answer(program) == "noise"
        time.sleep(moment)
        table.unplug("splitter")
        outcome = outcome_of(program)
        time.sleep(0.3)
    assert outcome == ["headset-not-ready"]
    print(f"unplugged {moment} s after the beginning: {leak(heard.table):.0f} ms at another device")
    assert leak(heard.table) <= MOST_LEAKED


def test_noise_comes_back_with_the_next_line_when_the_splitter_is_there_again(table: VirtualTable) -> None:
    lines = ("noise:0:1", "table:440:6", "pause:0:2", "table:880:0.5", "pause:0:0.5", "noise:0:0")
    with table.recording() as first:
        program = playing(table, "splitter", "split", *lines)
        assert answer(program) == "noise"
        time.sleep(1)
        table.unplug("splitter")
        assert answer(program) == "table-speaker-failed"
        table.plug("splitter")
        with table.recording("splitter") as heard:
            assert outcome_of(program) == ["paused", "True", "paused", "noise"]
    left, right = heard.also["splitter"].T
    after_the_line = left[np.flatnonzero(np.abs(left) > LOUDER_THAN_NOISE)[-1] + RATE // 10 :]
    assert 0.3 < len(np.flatnonzero(after_the_line)) / RATE < 0.9
    assert not right.any()
    assert leak(first.table) <= MOST_LEAKED


def test_a_sink_with_one_channel_cannot_be_split(table: VirtualTable) -> None:
    """PortAudio takes it for a stereo device; the sound server would mix both channels into its one."""
    table.unplug("splitter")
    table.plug("splitter", channels=1)
    with table.recording("splitter") as heard:
        assert played(table, "headset:440:0.5") == ["split-refused"]
    assert not heard.also["splitter"].any()


def test_nothing_is_played_on_a_muted_splitter(table: VirtualTable) -> None:
    table.deafen("splitter", "mute")
    with table.recording("splitter") as heard:
        outcome = played(table, "headset:440:0.5", "table:440:0.5")
    assert outcome == ["headset-not-ready", "table-speaker-failed"]
    assert not heard.also["splitter"].any()


@pytest.mark.parametrize("name", ["default", "pulse", "split"])
def test_a_splitter_that_is_no_exact_device_is_refused(table: VirtualTable, name: str) -> None:
    refused = "device-missing" if name == "split" else "headset-refused"
    assert play(table, name, "split", "headset:440:0.5") == [refused]


def test_both_channels_end_with_the_program_that_is_killed(table: VirtualTable) -> None:
    with table.recording("splitter") as heard:
        program = playing(table, "splitter", "split", "noise:0:1", "headset:440:9")
        assert answer(program) == "noise"
        time.sleep(1.5)
        program.kill()
        program.communicate()
        time.sleep(1)
    assert heard.also["splitter"].any()
    assert not heard.also["splitter"][-RATE // 2 :].any()
    assert not heard.table.any()
