"""Whatever happens to the headset, nothing of a whisper is heard anywhere else."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np
import pytest
from hearing import LOUD, answer, leak, longest_gap, loud_seconds, outcome_of, play, playing, strength
from virtual_table import RATE, Recording, VirtualTable

pytestmark = pytest.mark.rig

LOUDER_THAN_NOISE = 7_000
MOST_LEAKED = 50
"""ms of a whisper that may reach the table when the headset goes."""


def test_a_line_at_the_table_and_a_whisper_at_once_stay_apart(virtual_table: VirtualTable) -> None:
    with virtual_table.recording() as heard:
        outcome = play(virtual_table, "table_speaker", "headset", "both:440:1.5")
    assert outcome == ["True"]
    assert (strength(heard.table, 440) > 0.9, strength(heard.headset, 660) > 0.9) == (True, True)
    assert strength(heard.table, 660) < 1e-3
    assert strength(heard.headset, 440) < 1e-3


def test_noise_at_the_table_and_a_whisper_stay_apart(virtual_table: VirtualTable) -> None:
    lines = ("noise:0:1", "pause:0:0.5", "headset:2000:1.0", "noise:0:0")
    with virtual_table.recording() as heard:
        outcome = play(virtual_table, "table_speaker", "headset", *lines)
    assert outcome == ["noise", "paused", "True", "noise"]
    assert strength(heard.headset, 2000) > 0.99
    assert strength(heard.table, 2000) < 0.05
    assert not heard.headset[: RATE // 4].any()


def test_noise_has_no_gap_while_lines_begin_and_end(virtual_table: VirtualTable) -> None:
    lines = ("noise:0:1", "table:440:0.5", "pause:0:0.3", "table:660:5:stop", "table:880:0.3", "noise:0:0", "pause:0:1")
    with virtual_table.recording() as heard:
        outcome = play(virtual_table, "table_speaker", "headset", *lines)
    assert outcome == ["noise", "True", "paused", "False", "True", "noise", "paused"]
    sounding = heard.table[np.flatnonzero(heard.table)[0] : np.flatnonzero(heard.table)[-1]]
    print(f"longest digital silence in {len(sounding) / RATE:.1f} s of noise: {longest_gap(heard.table):.1f} ms")
    assert longest_gap(heard.table) <= 20
    assert len(sounding) > 1.5 * RATE
    assert not heard.table[-RATE // 2 :].any()
    assert strength(sounding, 440) > 0.1
    assert strength(sounding, 880) > 0.05


def test_noise_comes_back_when_the_loudspeaker_is_there_again(virtual_table: VirtualTable) -> None:
    lines = ("noise:0:1", "table:440:6", "pause:0:4", "table:880:0.5", "pause:0:0.5", "noise:0:0")
    with virtual_table.recording() as heard:
        program = playing(virtual_table, "table_speaker", "headset", *lines)
        heard.wait_for_sound("table_speaker", LOUDER_THAN_NOISE)
        virtual_table.freeze(3)
        outcome = outcome_of(program)
    assert outcome == ["noise", "table-speaker-failed", "paused", "True", "paused", "noise"]
    assert heard.table[-RATE // 2 :].any()


@pytest.mark.parametrize("moment", [0.0, 0.8, 2.5])
def test_a_whisper_ends_with_the_headset_s_plug_at_every_moment(virtual_table: VirtualTable, moment: float) -> None:
    """The first moments lie in the lead-in."""
    outcome, heard = disturbed(virtual_table, moment, virtual_table.unplug_headset)
    assert outcome == ["headset-not-ready"]
    print(f"unplugged {moment} s after the beginning: {leak(heard.table):.0f} ms at the table")
    assert leak(heard.table) <= MOST_LEAKED


@pytest.mark.parametrize("moment", [0.3, 1.5])
def test_a_whisper_that_is_led_to_the_table_ends(virtual_table: VirtualTable, moment: float) -> None:
    outcome, heard = disturbed(virtual_table, moment, lambda: virtual_table.move_streams("table_speaker"))
    assert outcome == ["headset-not-ready"]
    print(f"moved {moment} s after the beginning: {leak(heard.table):.0f} ms at the table")
    assert leak(heard.table) <= MOST_LEAKED


def test_a_whisper_goes_on_in_the_headset_when_the_system_chooses_another_default_device(
    virtual_table: VirtualTable,
) -> None:
    outcome, heard = disturbed(virtual_table, 1.5, lambda: virtual_table.make_default("room"))
    assert outcome == ["True"]
    assert not heard.table.any()
    assert 3.9 < loud_seconds(heard.headset) < 4.1


def test_a_whisper_ends_when_the_system_s_default_device_is_no_longer_the_headset_but_the_table(
    virtual_table: VirtualTable,
) -> None:
    """What plays on the default device is led to the next one, as if it had not been given by name."""
    virtual_table.make_default("headset")
    outcome, heard = disturbed(virtual_table, 1.5, lambda: virtual_table.make_default("table_speaker"))
    assert outcome == ["headset-not-ready"]
    print(f"another default device 1.5 s after the beginning: {leak(heard.table):.0f} ms at the table")
    assert leak(heard.table) <= MOST_LEAKED


def disturbed(table: VirtualTable, moment: float, action: Callable[[], object]) -> tuple[list[str], Recording]:
    """Do something so many s after the beginning of a whisper; return its outcome, and what was heard."""
    with table.recording() as heard:
        program = playing(table, "table_speaker", "headset", "headset:440:4")
        heard.wait_for_sound("headset")
        time.sleep(moment)
        action()
        outcome = outcome_of(program)
        time.sleep(0.3)
    return outcome, heard


def test_a_headset_that_goes_between_two_whispers_is_refused_until_it_is_back(virtual_table: VirtualTable) -> None:
    whisper = "headset:440:0.4"
    with virtual_table.recording() as heard:
        program = playing(
            virtual_table, "table_speaker", "headset", whisper, "pause:0:2", whisper, "pause:0:2", whisper
        )
        assert answer(program) == "True"
        virtual_table.unplug_headset()
        assert [answer(program), answer(program)] == ["paused", "headset-not-ready"]
        virtual_table.plug_headset()
        assert outcome_of(program) == ["paused", "True"]
    assert not heard.table.any()


def test_a_headset_that_is_called_otherwise_is_refused(virtual_table: VirtualTable) -> None:
    whisper = "headset:440:0.4"
    with virtual_table.recording() as heard:
        program = playing(virtual_table, "table_speaker", "headset", whisper, "pause:0:2", whisper)
        assert answer(program) == "True"
        virtual_table.unplug_headset()
        virtual_table.plug("new_headset")
        assert outcome_of(program) == ["paused", "headset-not-ready"]
    virtual_table.unplug("new_headset")
    assert not heard.table.any()


def test_a_second_device_of_the_same_name_hears_nothing_also_when_the_first_one_goes(
    virtual_table: VirtualTable,
) -> None:
    virtual_table.plug("headset")
    try:
        with virtual_table.recording("headset.2") as heard:
            program = playing(virtual_table, "table_speaker", "headset", "headset:440:4", "headset:440:0.4")
            heard.wait_for_sound("headset", LOUD)
            virtual_table.unplug_first("headset")
            outcome = outcome_of(program)
            time.sleep(0.3)
    finally:
        virtual_table.unplug("headset")
    assert outcome == ["headset-not-ready", "headset-not-ready"]
    assert max(leak(heard.table), leak(heard.also["headset.2"].max(axis=1))) <= MOST_LEAKED


@pytest.mark.parametrize("how", ["mute", "turn_down"])
def test_nothing_is_spoken_into_a_muted_headset(virtual_table: VirtualTable, how: str) -> None:
    whisper = "headset:440:0.4"
    virtual_table.deafen("headset", how)
    with virtual_table.recording() as heard:
        program = playing(virtual_table, "table_speaker", "headset", whisper, "pause:0:2", whisper)
        assert answer(program) == "headset-not-ready"
        virtual_table.undeafen("headset")
        assert outcome_of(program) == ["paused", "True"]
    assert not heard.table.any()
    assert 0.35 < loud_seconds(heard.headset) < 0.45


@pytest.mark.parametrize("how", ["mute", "turn_down"])
def test_a_whisper_ends_when_its_headset_is_muted(virtual_table: VirtualTable, how: str) -> None:
    outcome, heard = disturbed(virtual_table, 1.5, lambda: virtual_table.deafen("headset", how))
    virtual_table.undeafen("headset")
    assert outcome == ["headset-not-ready"]
    assert not heard.table.any()


def test_a_whisper_goes_on_when_its_headset_is_turned_down(virtual_table: VirtualTable) -> None:
    outcome, heard = disturbed(virtual_table, 1.5, lambda: virtual_table.turn_to("headset", "60%"))
    virtual_table.undeafen("headset")
    assert outcome == ["True"]
    assert 3.9 < loud_seconds(heard.headset) < 4.1


def test_a_whisper_begins_with_faint_noise_and_nothing_else(virtual_table: VirtualTable) -> None:
    with virtual_table.recording() as heard:
        assert play(virtual_table, "table_speaker", "headset", "headset:440:0.5") == ["True"]
    first, loud = np.flatnonzero(heard.headset)[0], np.flatnonzero(np.abs(heard.headset) > LOUD)[0]
    assert 0.75 < (loud - first) / RATE < 0.85
    assert longest_gap(heard.headset) < 5
