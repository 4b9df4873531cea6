"""What the program prints: plain lines, one after the other, and nothing else."""

from __future__ import annotations

import errno
import sys
from typing import TextIO


class OutputLost(BrokenPipeError):
    """Standard output takes no more. `problem` is the system's word for it, "" if its reader has just gone."""

    def __init__(self, problem: str) -> None:
        super().__init__(problem)
        self.problem = problem


def show(line: str) -> None:
    """Print one plain line at once. What the terminal cannot show is replaced, never an error.

    Raise OutputLost, once: nothing is printed any more after it.
    """
    try:
        _print(line, sys.stdout)
    except OSError as lost:
        sys.stdout = None  # else it would be tried again, loudly, at the end of the program
        reader_gone = lost.errno in (errno.EPIPE, errno.EINVAL)  # EINVAL: Windows
        raise OutputLost("" if reader_gone else lost.strerror or "") from lost


def show_trouble(line: str) -> None:
    """Print one plain line to standard error, if it can still be printed there."""
    try:
        _print(line, sys.stderr)
    except OSError:
        sys.stderr = None


def _print(line: str, output: TextIO | None) -> None:
    if not output:
        return
    encoding = output.encoding or "utf-8"
    plain = "".join(sign if sign.isprintable() else " " for sign in line)
    print(plain.encode(encoding, errors="replace").decode(encoding), file=output, flush=True)
