"""A native engine in a child process of its own: it may crash or hang there without taking the game with it."""

from __future__ import annotations

import multiprocessing
import os
import signal
import traceback
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any

from gm_assistant.errors import GmError

_CONTEXT = multiprocessing.get_context("spawn")
_CLOSING_GRACE = 0.5
"""s that a child gets to end by itself before it is killed."""


class WorkerLost(Exception):
    """The child died, failed or kept silent past its deadline. The next call starts a fresh one."""


@dataclass(eq=False, slots=True)
class Asked:
    """A call that was begun; the worker notes its answer here."""

    method: str
    answer: tuple[str, Any] | None = None


class Worker:
    """Runs the methods of one object in a child process; the child is started at the first call.

    `build` makes the object inside the child, so it must be importable (a class, or functools.partial of one).
    """

    def __init__(self, build: Callable[[], object], deadline: float) -> None:
        self._build = build
        self._deadline = deadline
        self._process: Any = None
        self._pipe: Connection | None = None
        self._open: deque[Asked] = deque()
        self.generation = 0
        """Number of children that have ended: another one means that what they knew is forgotten."""

    def call(self, method: str, *arguments: object, deadline: float | None = None) -> Any:
        """Return what `method` returns in the child. `deadline` in s, by default the worker's own.

        Raise WorkerLost when the child is gone or silent, or the GmError that the method raised.
        """
        return self.result(self.begin(method, *arguments), deadline)

    def begin(self, method: str, *arguments: object) -> Asked:
        """Ask and return at once. Calls are answered one after the other; nobody need wait for an answer."""
        pipe, asked = self._pipe or self._start(), Asked(method)
        self._open.append(asked)
        with suppress(OSError):  # a child that is gone is noticed by whoever waits for the answer
            pipe.send((method, arguments))
        return asked

    def result(self, asked: Asked, deadline: float | None = None) -> Any:
        """Wait for the answer to `begin` and return it; raise as `call` does."""
        if asked.answer is None and asked not in self._open:
            raise WorkerLost(asked.method)
        try:
            while asked.answer is None:
                self._take_answer(self._deadline if deadline is None else deadline)
        except (EOFError, OSError) as lost:
            self.kill()
            raise WorkerLost(asked.method) from lost
        outcome, value = asked.answer
        if outcome == "refused":
            raise value
        if outcome == "failed":
            self.kill()
            raise WorkerLost(value)
        return value

    def has_answered(self, asked: Asked) -> bool:
        """Return whether `result` would return, or raise, at once."""
        try:
            while asked.answer is None and asked in self._open and self._pipe is not None and self._pipe.poll():
                self._take_answer(0.0)
        except (EOFError, OSError):
            return True
        return asked.answer is not None or asked not in self._open

    def _take_answer(self, deadline: float) -> None:
        if self._pipe is None or not self._open:
            raise EOFError
        if not self._pipe.poll(deadline):
            raise TimeoutError
        answer = self._pipe.recv()
        self._open.popleft().answer = answer

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
            self.generation += 1
            self._process.kill()
            self._process.join()
            self._process.close()
        if self._pipe is not None:
            self._pipe.close()
        self._process = self._pipe = None
        self._open.clear()

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
