"""What is kept of the sound before a key was pressed."""

from __future__ import annotations

import numpy as np
import pytest

from gm_assistant.speech.lately import PRE_ROLL, Lately

RATE = 1_000
PIECE = 0.02
"""s."""


def heard_until(seconds: float, lately: Lately, begin: float = 0.0) -> None:
    """Let a microphone hear on; each sample is the ms at which it sounded."""
    for number in range(round(begin / PIECE), round(seconds / PIECE)):
        start = number * 20
        lately.keep(np.arange(start, start + 20, dtype=np.int16), start / RATE, RATE)


def everything(lately: Lately) -> list[int]:
    pieces = []
    while (piece := lately.next(0)) is not None:
        pieces += piece.tolist()
    return pieces


def test_a_shut_microphone_keeps_the_last_moment_only() -> None:
    lately = Lately()
    heard_until(5.0, lately)
    assert sum(len(piece.samples) for piece in lately._pieces) <= (PRE_ROLL + PIECE) * RATE
    lately.open(0.0)
    kept = everything(lately)
    assert kept == list(range(5_000 - len(kept), 5_000))
    assert PRE_ROLL * RATE <= len(kept) <= (PRE_ROLL + PIECE) * RATE


@pytest.mark.parametrize("since", [4.8, 4.807, 4.999, 5.0, 5.1])
def test_what_sounded_before_the_wanted_moment_is_never_returned(since: float) -> None:
    lately = Lately()
    heard_until(5.0, lately)
    lately.open(since)
    heard_until(6.0, lately, begin=5.0)
    assert everything(lately) == list(range(round(since * RATE), 6_000))


def test_an_open_microphone_keeps_all_until_it_is_read() -> None:
    lately = Lately()
    lately.open(0.0)
    heard_until(9.0, lately)
    assert everything(lately) == list(range(9_000))


def test_nothing_can_be_read_while_it_is_shut() -> None:
    lately = Lately()
    heard_until(1.0, lately)
    assert lately.next(0) is None


def test_shutting_forgets_what_was_not_read() -> None:
    lately = Lately()
    lately.open(0.0)
    heard_until(1.0, lately)
    lately.shut()
    heard_until(1.1, lately, begin=1.0)
    lately.open(0.0)
    assert everything(lately) == list(range(1_000, 1_100))
