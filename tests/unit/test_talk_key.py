"""Whether the key to talk was tapped or is held, from what terminals tell of it."""

from __future__ import annotations

import pytest

from gm_assistant.terminal.keys import KEYS, WHOLE_KEY
from gm_assistant.terminal.reports import Happened, reported
from gm_assistant.terminal.talk_key import LAST_SOUND, LET_GO_AFTER, LONGEST_TAP, TalkKey

MOMENT = 0.032
"""s between two looks at the keys: a frame of the microphone."""


def pressed(*again: float, until: float) -> TalkKey:
    """Return a key that was pressed at 10 s, gave further signs at these times, and was looked at until then."""
    key = TalkKey()
    key.press(10.0)
    looked_at(key, *again, until=until)
    return key


def looked_at(key: TalkKey, *again: float, until: float) -> None:
    signs, now = list(again), key.pressed_at
    while now < until:
        now += MOMENT
        key.look(now)
        while signs and signs[0] <= now:
            key.again(now)
            signs.pop(0)


def repeats(first: float, last: float, rate: float) -> list[float]:
    return [first + number / rate for number in range(int((last - first) * rate) + 1)]


def test_a_key_that_was_tapped_is_neither_held_nor_says_that_the_sentence_is_over() -> None:
    key = pressed(until=18.0)
    assert not key.held
    assert not key.finished


@pytest.mark.parametrize("rate", [8, 11, 15, 30, 60])
@pytest.mark.parametrize("delay", [0.2, 0.5, 1.0])
def test_a_key_that_repeats_is_held_and_finishes_when_the_repeats_end(rate: float, delay: float) -> None:
    signs = repeats(10 + delay, 13.0, rate)
    held = pressed(*signs, until=signs[-1])
    assert held.held
    assert not held.finished
    let_go = pressed(*signs, until=signs[-1] + LET_GO_AFTER + 2 * MOMENT)
    assert not let_go.held
    assert let_go.finished


def test_a_second_press_finishes_the_sentence() -> None:
    assert not pressed(11.5, until=11.5).finished
    second = pressed(11.5, until=11.5 + LET_GO_AFTER + 2 * MOMENT)
    assert second.finished
    assert not second.held


@pytest.mark.parametrize("rate", [8, 11, 30])
def test_every_repeat_of_a_key_that_is_stuck_is_the_same_press(rate: float) -> None:
    key = TalkKey()
    key.press(10.0)
    for sign in repeats(10.2, 70.0, rate):
        key.look(sign)
        assert key.still_the_same
        key.again(sign)


def test_a_press_after_a_pause_is_a_new_one() -> None:
    assert not pressed(until=10.5).still_the_same
    assert not pressed(*repeats(10.2, 12.0, 30), until=12.5).still_the_same


def test_nobody_has_looked_is_no_pause() -> None:
    key = pressed(*repeats(10.2, 12.0, 30), until=12.0)
    assert key.still_the_same


def test_another_key_ends_the_repeats() -> None:
    key = pressed(*repeats(10.2, 12.0, 30), until=12.0)
    key.other()
    assert not key.still_the_same


def surely_down(*, until: float, let_go: float | None = None) -> TalkKey:
    key = TalkKey()
    key.press(10.0, surely_down=True)
    key.look(let_go or until)
    if let_go is not None:
        key.let_go(let_go)
        key.look(until)
    return key


def test_where_letting_go_is_told_a_longer_press_is_held_and_finishes_at_once() -> None:
    assert surely_down(until=10 + LONGEST_TAP + MOMENT).held
    let_go = surely_down(let_go=12.0, until=12.0 + LAST_SOUND + MOMENT)
    assert not let_go.held
    assert let_go.finished


def test_where_letting_go_is_told_a_tap_is_only_a_tap() -> None:
    assert not surely_down(until=10 + LONGEST_TAP - MOMENT).held
    tapped = surely_down(let_go=10.1, until=18.0)
    assert not tapped.held
    assert not tapped.finished


def test_where_letting_go_is_told_a_second_press_finishes_too() -> None:
    tapped = surely_down(let_go=10.1, until=11.0)
    tapped.again(11.0)
    tapped.look(11.0 + LET_GO_AFTER + MOMENT)
    assert tapped.finished


def test_a_second_press_counts_although_nobody_told_that_the_key_was_let_go() -> None:
    lost = surely_down(until=11.0)
    lost.again(11.0)
    lost.look(11.0 + LET_GO_AFTER + MOMENT)
    assert lost.finished
    assert not lost.held


# --- what terminals with the protocol of kitty send


@pytest.mark.parametrize("name", [name for name, sign in KEYS.items() if len(sign) > 1])
def test_a_key_without_the_protocol_is_as_it_was(name: str) -> None:
    assert reported(KEYS[name]) == (KEYS[name], Happened.PRESSED)


@pytest.mark.parametrize(
    ("sent", "name", "happened"),
    [
        ("\x1b[15;1:3~", "f5", Happened.LET_GO),
        ("\x1b[15;1:2~", "f5", Happened.REPEATED),
        ("\x1b[15;129:1~", "f5", Happened.PRESSED),
        ("\x1b[15;129~", "f5", Happened.PRESSED),
        ("\x1b[P", "f1", Happened.PRESSED),
        ("\x1b[1;1:3P", "f1", Happened.LET_GO),
        ("\x1b[13;1:3~", "f3", Happened.LET_GO),
        ("\x1b[1;1:3A", "up", Happened.LET_GO),
        ("\x1b[6;65:3~", "page down", Happened.LET_GO),
    ],
)
def test_what_happened_to_a_key_is_told_apart_from_the_key(sent: str, name: str, happened: Happened) -> None:
    assert WHOLE_KEY.findall(sent) == [sent]
    assert reported(sent) == (KEYS[name], happened)


@pytest.mark.parametrize("sent", ["a", "\n", "\x1b", "\x1b[1;5C", "\x1b[15;5~", "\x1b[24;80R"])
def test_other_keys_stay_what_they_are(sent: str) -> None:
    assert reported(sent) == (sent, Happened.PRESSED)


def test_letting_go_of_a_key_with_a_number_of_the_protocol_is_no_key() -> None:
    assert reported("\x1b[27;1:3u")[1] is Happened.LET_GO
