"""A native engine in a child process of its own: it may crash or hang there without taking the game with it."""

from __future__ import annotations

import multiprocessing
import os
import signal
import traceback
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import Any

from gm_assistant.errors import GmError

_CONTEXT = multiprocessing.get_context("spawn")
_CLOSING_GRACE = 0.5
"""s that a child gets to end by itself before it is killed."""


class WorkerLost(Exception):
    """The child died, failed or kept silent past its deadline. The next call starts a fresh one."""


class Worker:
    """Runs the methods of one object in a child process; the child is started at the first call.

    `build` makes the object inside the child, so it must be importable (a class, or functools.partial of one).
    """

    def __init__(self, build: Callable[[], object], deadline: float) -> None:
        self._build = build
        self._deadline = deadline
        self._process: Any = None
        self._pipe: Connection | None = None

    def call(self, method: str, *arguments: object, deadline: float | None = None) -> Any:
        """Return what `method` returns in the child. `deadline` in s, by default the worker's own.

        Raise WorkerLost when the child is gone or silent, or the GmError that the method raised.
        """
        pipe = self._pipe or self._start()
        try:
            pipe.send((method, arguments))
            if not pipe.poll(self._deadline if deadline is None else deadline):
                raise TimeoutError
            outcome, value = pipe.recv()
        except (EOFError, OSError) as lost:
            self.kill()
            raise WorkerLost(method) from lost
        if outcome == "refused":
            raise value
        if outcome == "failed":
            self.kill()
            raise WorkerLost(value)
        return value

    @property
    def process_id(self) -> int | None:
        """Return the child's process id, None while there is no child."""
        return None if self._process is None else int(self._process.pid)

    def close(self) -> None:
        """End the child, gently first. A later call would start a fresh one."""
        if self._pipe is not None:
            self._pipe.close()
            self._process.join(_CLOSING_GRACE)
        self.kill()

    def kill(self) -> None:
        """End the child at once."""
        if self._process is not None:
            self._process.kill()
            self._process.join()
            self._process.close()
        if self._pipe is not None:
            self._pipe.close()
        self._process = self._pipe = None

    def _start(self) -> Connection:
        ours, theirs = _CONTEXT.Pipe()
        self._process = _CONTEXT.Process(target=_serve, args=(self._build, theirs), daemon=True)
        self._process.start()
        theirs.close()
        self._pipe = ours
        return ours


def _serve(build: Callable[[], object], pipe: Connection) -> None:
    """Answer calls until the parent closes the pipe or dies."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _silence_engines()
    target: object = None
    while True:
        try:
            method, arguments = pipe.recv()
        except (EOFError, OSError):
            return
        try:
            target = target or build()
            pipe.send(("done", getattr(target, method)(*arguments)))
        except GmError as refused:
            pipe.send(("refused", refused))
        except Exception as failed:  # noqa: BLE001 - the child's border: whatever an engine throws, the parent is told
            pipe.send(("failed", _way_to(failed)))


def _way_to(error: BaseException) -> str:
    """Return the lines of code that led to an error, and its kind. What it says may quote a text that is secret."""
    return "".join(traceback.format_tb(error.__traceback__)) + type(error).__qualname__


def _silence_engines() -> None:
    """Send what native engines print to nowhere: it must not reach the user's terminal or screen reader."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1, 2):
        os.dup2(nowhere, standard)
    os.close(nowhere)
