"""Lines from a file or a pipe in place of a keyboard."""

from __future__ import annotations

import time
from typing import BinaryIO

from gm_assistant.pipe import left, reader, until
from gm_assistant.terminal.keys import LATE, TALK

LONGEST_LINE = 20_000
"""Bytes of one line that are looked at; the rest of a longer line is thrown away."""


class PipedKeyboard:
    """Lines from a file or a pipe. Nothing that waits there stops speech: all of it was sent ahead."""

    single_keys = False

    def __init__(self, source: BinaryIO) -> None:
        """Nobody else may have begun to read `source`: what is read ahead is kept here."""
        self._read = reader(source)
        self._unread = b""
        self._ended = False

    def pressed(self) -> bool:
        """Return False: a pipe has no keys."""
        return False

    def interrupted(self) -> bool:
        """Return False."""
        return False

    held = finished = interrupted

    @property
    def talk_pressed(self) -> float:
        """Return the present: an empty line is the press."""
        return time.monotonic()

    def awaited(self, seconds: float | None) -> bool:
        """Return whether a whole line, or the end of the input, came in time."""
        return self._whole(seconds)

    def line(self) -> str | None:
        """Return the next line without its end, wrong bytes replaced; None at the end of the input."""
        self._whole(None)
        if not self._unread:
            return None
        line, _, self._unread = self._unread.partition(b"\n")
        return line[:LONGEST_LINE].decode("utf-8", errors="replace").rstrip("\r\n")

    def talk_or_line(
        self,
        *,
        wait: bool = True,  # noqa: ARG002 - it has no keys
        enter: bool = False,
        seconds: float | None = None,
    ) -> str | None:
        """Return TALK for an empty line unless it is Enter alone, else the line; LATE if none is whole in time."""
        if not self._whole(seconds):
            return LATE
        line = self.line()
        return TALK if line == "" and not enter else line

    def forget(self) -> None:
        """Keep everything: all of it was sent ahead."""

    forget_stop = forget

    def key(self, seconds: float | None = None) -> str | None:
        """Return the next line, stripped; LATE if it is not whole in time: what came of it is kept."""
        if not self._whole(seconds):
            return LATE
        line = self.line()
        return None if line is None else line.strip()

    def close(self) -> None:
        """Nothing was changed."""

    def _whole(self, seconds: float | None) -> bool:
        """Read until a line is whole or the input has ended; return False if `seconds` passed before."""
        end = until(seconds)
        wait = left(end)
        while not self._ended and b"\n" not in self._unread:
            if (sent := self._read(wait)) is None:
                return False
            self._ended = not sent
            self._unread = self._unread[:LONGEST_LINE] + sent
            wait = left(end)
            if wait == 0 and b"\n" not in sent:
                return self._ended
        return True
