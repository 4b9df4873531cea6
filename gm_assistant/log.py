"""A log file for bug reports. It never stops the game, prints nothing, and no secret gets in.

What is written: our own errors, whose key and facts hold no secret; the lines of code that led to a crash, without the
values of variables; the position, without roles. What other errors say of themselves is left out, unless it can only
name a file or a part of the code: they like to quote what they were given, be it a saved game or a secret answer.
"""

from __future__ import annotations

import logging
import platform
import sys
import traceback
from collections.abc import Iterator
from contextlib import suppress
from io import TextIOWrapper
from logging.handlers import RotatingFileHandler
from pathlib import Path

from platformdirs import user_log_path

from gm_assistant import __version__
from gm_assistant.errors import GmError
from gm_assistant.private import make_private_file, make_private_folder, private_opener

LARGEST_LOG = 500_000
"""Bytes of a log file before a new one is begun."""
OLD_LOGS = 2
LONGEST_ENTRY = 4_000
"""Signs of one line that are kept; the facts of an error can hold whatever somebody passed as a flag."""
DEEPEST_TRACEBACK = 50
"""Calls that are written of each error, the innermost."""

_NAME = "gm_assistant"
_LOG = logging.getLogger(_NAME)
_HARMLESS = (GmError, OSError, ImportError, AttributeError, NameError)
"""Errors whose text holds keys, paths and names in the code only."""


def open_log() -> Path:
    """Log into a file from now on, or nowhere if it cannot be written; return where the file belongs."""
    path = user_log_path(_NAME, appauthor=False) / "gm-assistant.log"
    _close()
    _LOG.addHandler(_handler(path))
    _LOG.setLevel(logging.INFO)
    _LOG.propagate = False
    _LOG.info("gm-assistant %s, Python %s, %s", __version__, platform.python_version(), sys.platform)
    return path


def log_error(error: GmError) -> None:
    """Write an error that was told to the players, in one line."""
    _LOG.info("%s", _one_line(str(error)))


def log_crash(error: BaseException, position: str) -> Path | None:
    """Write what went wrong, the way to it through the code, and the position of the game without its secrets.

    Return the file, None if it could not be written.
    """
    if not any(isinstance(handler, _LogFile | logging.NullHandler) for handler in _LOG.handlers):
        open_log()
    file = next((handler for handler in _LOG.handlers if isinstance(handler, _LogFile)), None)
    if file is None:
        return None
    file.lost = False
    _LOG.error("%s\n%s", _one_line(position), "\n".join(_report(error)))
    return None if file.lost else Path(file.baseFilename)


class _LogFile(RotatingFileHandler):
    """A file that only its owner may read. `lost` tells whether an entry could not be written."""

    def __init__(self, path: Path) -> None:
        self.lost = False
        super().__init__(path, maxBytes=LARGEST_LOG, backupCount=OLD_LOGS, encoding="utf-8", errors="backslashreplace")
        self.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(message)s"))

    def _open(self) -> TextIOWrapper:
        return open(self.baseFilename, "a", encoding=self.encoding, errors=self.errors, opener=private_opener)

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802, ARG002 - the name is logging's
        """Print nothing: people listen to what is printed."""
        self.lost = True


def _handler(path: Path) -> logging.Handler:
    try:
        make_private_folder(path.parent)
        log = _LogFile(path)
    except OSError:
        return logging.NullHandler()
    for file in path.parent.glob(f"{path.name}*"):
        make_private_file(file)
    return log


def _close() -> None:
    for handler in tuple(_LOG.handlers):
        _LOG.removeHandler(handler)
        with suppress(OSError):
            handler.close()


def _one_line(text: str) -> str:
    return "".join(sign if sign.isprintable() else " " for sign in text[:LONGEST_ENTRY])


def _report(error: BaseException) -> Iterator[str]:
    """Yield the lines of a traceback, the first cause first."""
    for link in reversed(tuple(_chain(error))):
        for call in traceback.format_tb(link.__traceback__, limit=-DEEPEST_TRACEBACK):
            yield call.rstrip("\n")
        kind = type(link)
        told = f": {_one_line(str(link))}" if isinstance(link, _HARMLESS) else ""
        yield f"{kind.__module__}.{kind.__qualname__}{told}"


def _chain(error: BaseException) -> Iterator[BaseException]:
    """Yield the error, then what led to each."""
    seen: set[int] = set()
    link: BaseException | None = error
    while link is not None and id(link) not in seen:
        seen.add(id(link))
        yield link
        link = link.__cause__ or (None if link.__suppress_context__ else link.__context__)
