"""Bytes of a file or a pipe, waited for as long as one likes, on every system."""

from __future__ import annotations

import os
import select
import time
from collections.abc import Callable
from functools import partial
from queue import Empty, Queue
from threading import Thread
from typing import BinaryIO

Read = Callable[[float | None], bytes | None]
"""Waits so many s (None: for ever) for bytes and returns them: b"" at the end of the input, None if none came."""

CHUNK = 65_536
"""Bytes that are taken at once."""


def reader(source: BinaryIO) -> Read:
    """Return what reads the bytes of `source`, past its own buffer."""
    try:
        file = source.fileno()
    except OSError:  # it lies in memory: nothing to wait for
        return lambda _: source.read(CHUNK)
    return partial(_when_ready, file) if os.name == "posix" else ThreadedReader(file)


def until(seconds: float | None) -> float | None:
    """Return when `seconds` will have passed (monotonic clock); None for never."""
    return None if seconds is None else time.monotonic() + seconds


def left(end: float | None) -> float | None:
    """Return the s that are left until `end`, at least 0; None if it never comes."""
    return None if end is None else max(end - time.monotonic(), 0.0)


class ThreadedReader:
    """Reads where the system cannot wait for a pipe and a time at once: a thread waits for the pipe."""

    def __init__(self, file: int) -> None:
        self._file = file
        self._chunks: Queue[bytes] = Queue(1)
        self._thread = Thread(target=self._work, daemon=True)

    def __call__(self, seconds: float | None) -> bytes | None:
        """See `Read`."""
        if self._thread.ident is None:
            self._thread.start()
        try:
            chunk = self._chunks.get(timeout=seconds)
        except Empty:
            return None
        if not chunk:
            self._chunks.put(b"")
        return chunk

    def _work(self) -> None:
        chunk = b"?"
        while chunk:
            try:
                chunk = os.read(self._file, CHUNK)
            except OSError:  # the other end broke off
                chunk = b""
            self._chunks.put(chunk)


def _when_ready(file: int, seconds: float | None) -> bytes | None:
    return os.read(file, CHUNK) if select.select([file], [], [], seconds)[0] else None
