"""Playing sound at the table and in the headset, each on its own device and never on another."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable
from concurrent.futures import Future
from typing import Protocol

from gm_assistant.speech.headset_line import HeadsetLine
from gm_assistant.speech.headset_rules import refuse_table
from gm_assistant.speech.noise import LEAD_IN, led_in
from gm_assistant.speech.ports import Audio, HeadsetAudio
from gm_assistant.speech.table_line import TableLine

_POLL = 0.01
"""s between two looks at `stopped()`."""


class Line(Protocol):
    """Where one channel's sound goes."""

    def begin(self, audio: Audio) -> None:
        """Start to play."""

    def ended(self) -> bool:
        """Return whether it is over."""

    def stop(self) -> None:
        """Be silent at once."""


class StreamingLine(Line, Protocol):
    """Where one channel's sound goes that comes in pieces."""

    def add(self, audio: Audio, pause: float) -> None:
        """Play `audio`, too, `pause` s after what was begun or added last."""


class DeviceSpeaker:
    """Speaker on real devices. The table is played in this process, the headset by a child."""

    def __init__(
        self, table: str | None = None, headset: str | None = None, *, lead_in: float = LEAD_IN, trusted: bool = False
    ) -> None:
        """`table`: as in `find_device`, None for the system's default. `headset`: exact name, None for none.

        `lead_in`: s of faint noise before a whisper. `trusted`: the headset may be a built-in jack. Raise AudioError as
        `find_device` does for the table, or as `refuse_headset` does for a headset, also for one that is the table's
        own device. A headset that is not there yet is no error.
        """
        self._headset = HeadsetLine(headset, trusted=trusted)
        self._headset_name = headset
        self._lead_in = lead_in
        self._table = TableLine(table)
        self._refuse_table()

    def play(
        self, audio: Audio, stopped: Callable[[], bool], more: Iterable[Future[Audio]] = (), pause: float = 0.0
    ) -> bool:
        """Play as the Speaker protocol says; silent within 50 ms of `stopped()`, over noise within 150 ms."""
        return streamed(self._table, audio, stopped, more, pause)

    def whisper(self, audio: HeadsetAudio, stopped: Callable[[], bool]) -> bool:
        """Whisper as the Speaker protocol says; silent within 50 ms of `stopped()`."""
        self._refuse_table()
        return played(self._headset, led_in(audio.audio, self._lead_in), stopped)

    def noise(self, audio: Audio | None) -> None:
        """Begin or end the noise as the Speaker protocol says. It comes back with the next line if the device dies."""
        self._table.noise(audio)

    def rest(self, seconds: float, stopped: Callable[[], bool]) -> bool:
        """Wait as the Speaker protocol says."""
        return waited(seconds, stopped)

    def check_headset(self) -> str:
        """Return the headset's full name if it could be played on now; starts its child.

        Raise AudioError("headset-not-ready") or ("headset-refused"). Calling it early spares the first whisper 0.5 s.
        """
        return self._headset.check(self._table.device)

    def close(self) -> None:
        """Free the devices and end the headset's child."""
        self._table.close()
        self._headset.close()

    def _refuse_table(self) -> None:
        if self._headset_name is not None:
            refuse_table(self._headset_name, self._table.device)


def played(line: Line, audio: Audio, stopped: Callable[[], bool]) -> bool:
    """Play to the end or until `stopped()`; return whether it came to its end."""
    return _sounded(line, audio, stopped, line.ended)


def streamed(
    line: StreamingLine, audio: Audio, stopped: Callable[[], bool], more: Iterable[Future[Audio]], pause: float
) -> bool:
    """Play `audio`, then each of `more` as soon as it is made; otherwise as `played`. Raise what `more` raises."""
    waiting = deque(more)

    def ended() -> bool:
        while waiting and waiting[0].done():
            line.add(waiting.popleft().result(), pause)
        return not waiting and line.ended()

    return _sounded(line, audio, stopped, ended)


def _sounded(line: Line, audio: Audio, stopped: Callable[[], bool], ended: Callable[[], bool]) -> bool:
    try:
        line.begin(audio)
        while not ended():
            if stopped():
                line.stop()
                return False
            time.sleep(_POLL)
    except BaseException:
        line.stop()
        raise
    return True


def waited(seconds: float, stopped: Callable[[], bool]) -> bool:
    """Let `seconds` go by and return True, or return False as soon as `stopped()`."""
    end = time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0:
        if stopped():
            return False
        time.sleep(min(_POLL, left))
    return True
