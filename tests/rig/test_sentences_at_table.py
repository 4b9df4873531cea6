"""An answer that is spoken sentence by sentence sounds like one that was made as a whole."""

from __future__ import annotations

import numpy as np
import pytest
from hearing import outcome_of, start
from virtual_table import RATE, Samples, VirtualTable

pytestmark = pytest.mark.rig

SOUND = 100
"""Above this, a sample is no silence."""
PAUSE = 0.3
"""s. Silence that is longer lies between two sentences; those of commas are shorter, and so are stutters."""


def spoken(table: VirtualTable, how: str) -> tuple[str, float, list[float], float]:
    """Return whether it came to its end, the s that it sounded, its pauses (s), and the s until the program knew."""
    with table.recording() as heard:
        whole, known = outcome_of(start(table, "speak_script.py", "table_speaker", how))
    assert not heard.headset.any()
    first, last, pauses = told(heard.table)
    return whole, last - first, pauses, float(known) - heard.began - last


def told(sound: Samples) -> tuple[float, float, list[float]]:
    loud = np.flatnonzero(np.abs(sound.astype(np.int32)) > SOUND) / RATE
    silences = np.diff(loud)
    return loud[0], loud[-1], [float(silence) for silence in silences if silence > PAUSE]


def test_the_pauses_are_those_of_the_whole(virtual_table: VirtualTable) -> None:
    _, seconds, pauses, _ = spoken(virtual_table, "whole")
    whole, streamed, between, known = spoken(virtual_table, "sentences")
    assert whole == "True"
    assert len(pauses) == len(between)
    assert np.abs(np.subtract(pauses, between)).max() < 0.1
    assert abs(streamed - seconds) < 0.2
    assert -0.02 < known < 0.2


def test_a_sentence_that_is_made_late_is_heard_whole(virtual_table: VirtualTable) -> None:
    _, seconds, pauses, _ = spoken(virtual_table, "sentences")
    whole, late, between, _ = spoken(virtual_table, "late")
    assert whole == "True"
    assert late - sum(between) == pytest.approx(seconds - sum(pauses), abs=0.1)
    assert late > seconds


def test_a_key_in_a_pause_leaves_the_rest_unsaid(virtual_table: VirtualTable) -> None:
    whole, seconds, _, _ = spoken(virtual_table, "stopped")
    assert whole == "False"
    assert seconds < 2
