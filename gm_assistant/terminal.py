"""Keys and lines of a terminal, plain and append-only: nothing a screen reader stumbles over."""

from __future__ import annotations

import codecs
import io
import os
import re
import select
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from types import ModuleType
from typing import BinaryIO, Protocol

from gm_assistant.pipe import left, reader, until

LONGEST_LINE = 20_000
"""Bytes of one line that are looked at; the rest of a longer line is thrown away."""

KEYS: Mapping[str, str] = {
    "space": " ",
    "enter": "\n",
    "tab": "\t",
    "escape": "\x1b",
    "page up": "\x1b[5~",
    "page down": "\x1b[6~",
    "left": "\x1b[D",
    "right": "\x1b[C",
    "up": "\x1b[A",
    "down": "\x1b[B",
    "f1": "\x1bOP",
    "f2": "\x1bOQ",
    "f3": "\x1bOR",
    "f4": "\x1bOS",
    "f5": "\x1b[15~",
    "f6": "\x1b[17~",
    "f7": "\x1b[18~",
    "f8": "\x1b[19~",
    "f9": "\x1b[20~",
    "f10": "\x1b[21~",
    "f11": "\x1b[23~",
    "f12": "\x1b[24~",
}
"""What a terminal sends for the keys that have a name in the settings."""

END_OF_INPUT = "\x04"
"""What a terminal sends for Ctrl-D."""

ERASING = ("\x7f", "\b")
_KEY = re.compile(r"\x1b(?:\[[0-9;]*[@-~]|O[@-~])?|.", re.DOTALL)
"""One key of those that came at once: people type faster than we listen, and keys that are held repeat."""
_BEGUN = re.compile(r"\x1b(?:\[[0-9;]*|O)?\Z")
_REST_OF_KEY = 0.05
"""s that the rest of a key may lag behind its escape sign; the escape key has no rest."""

TALK = "talk"
"""The key to talk was pressed (or, without a terminal, an empty line came)."""

LATE = "late\n"
"""No key came in time. No key is called so, and no line without its end."""


class Keyboard(Protocol):
    """Where keys and typed lines come from."""

    single_keys: bool
    """Whether `key` gives one key at a time, not whole lines."""

    def pressed(self) -> bool:
        """Return at once whether a key waits to be read: speech stops for it."""

    def line(self) -> str | None:
        """Wait for a typed line; None at the end of the input."""

    def talk_or_line(self, *, wait: bool = True, enter: bool = False) -> str | None:
        """Return TALK for the key to talk, or a typed line; None at the end of the input.

        Without `wait` a key that means nothing is TALK too: it has done what it can by being pressed. With `enter` the
        Enter key alone is an empty line.
        """

    def key(self, seconds: float | None = None) -> str | None:
        """Wait for one key that is neither shown nor kept, for secrets; None at the end of the input.

        Return the key (without a terminal: the next line, stripped), or LATE when `seconds` passed without one.
        """

    def forget(self) -> None:
        """Drop every key that was pressed by now: it was meant for something that is over."""

    def forget_stop(self) -> None:
        """Drop the key that has stopped the speech, unless it begins a line or opens the microphone."""

    def close(self) -> None:
        """Give the terminal back as it was."""


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

    def line(self) -> str | None:
        """Return the next line without its end, wrong bytes replaced; None at the end of the input."""
        self._whole(None)
        if not self._unread:
            return None
        line, _, self._unread = self._unread.partition(b"\n")
        return line[:LONGEST_LINE].decode("utf-8", errors="replace").rstrip("\r\n")

    def talk_or_line(self, *, wait: bool = True, enter: bool = False) -> str | None:  # noqa: ARG002 - it has no keys
        """Return TALK for an empty line unless it is Enter alone, else the line."""
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


class TerminalKeyboard:
    """A person's keyboard on a POSIX terminal: keys come one by one and unseen, but lines are edited as usual."""

    single_keys = True

    def __init__(self, talk_keys: tuple[str, ...]) -> None:
        import termios  # noqa: PLC0415 - only POSIX has it
        import tty  # noqa: PLC0415

        self._talk = _signs(talk_keys)
        self._waiting = ""
        self._decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")
        if isinstance(sys.stdin, io.TextIOWrapper):
            sys.stdin.reconfigure(errors="replace")
        self._fd = sys.stdin.fileno()
        self._restore = partial(termios.tcsetattr, self._fd, termios.TCSANOW, termios.tcgetattr(self._fd))
        self._single_keys = partial(tty.setcbreak, self._fd, termios.TCSANOW)
        self._single_keys()
        echoed = termios.tcgetattr(self._fd)
        echoed[3] |= termios.ECHO
        # readline edits lines by itself. If the terminal did so even for a moment, a Ctrl-D in it would be lost.
        self._echoed_keys = partial(termios.tcsetattr, self._fd, termios.TCSANOW, echoed)

    def pressed(self) -> bool:
        """Return at once whether a key was pressed; it is kept for the next line."""
        self._waiting = self._waiting or self._keys(0)
        return bool(self._waiting)

    def line(self) -> str | None:
        """Return a line that the person edits as usual; a key that stopped speech is its first letter."""
        keys, self._waiting = self._waiting, ""
        if keys.startswith(END_OF_INPUT):
            return None
        text, whole, self._waiting = _typed(keys)
        if text and whole:
            return text
        readline = _readline()
        if readline:
            self._echoed_keys()
        else:
            self._restore()
        try:
            return _edited(text, readline) if readline else _plainly_edited(text)
        finally:
            self._single_keys()

    def talk_or_line(self, *, wait: bool = True, enter: bool = False) -> str | None:
        """Return TALK for a key to talk; any other printable key begins a line."""
        while True:
            keys = self._waiting or self._keys(None)
            key = _KEY.findall(keys)[0]
            self._waiting = keys.removeprefix(key)
            if key in self._talk:
                while self._waiting.startswith(key):
                    self._waiting = self._waiting.removeprefix(key)
                return TALK
            if key == END_OF_INPUT:
                return None
            if enter and key in "\r\n":
                return ""
            if key.isprintable():
                self._waiting = keys
                return self.line()
            if not wait:
                return TALK

    def key(self, seconds: float | None = None) -> str | None:
        """Return one key; those that were pressed while speech played come first."""
        self._single_keys()  # who stopped us and let us go on may have made the terminal show keys
        self._waiting = self._waiting or self._keys(seconds)
        if not self._waiting:
            return LATE
        key = _KEY.findall(self._waiting)[0]
        self._waiting = self._waiting.removeprefix(key)
        return None if key == END_OF_INPUT else key.replace("\r", "\n")

    def forget(self) -> None:
        """Drop every key that was pressed by now, but for the end of the input."""
        self.pressed()
        while more := self._keys(0):
            self._waiting += more
        self._waiting = END_OF_INPUT if END_OF_INPUT in self._waiting else ""

    def forget_stop(self) -> None:
        """Drop a key that neither begins a line nor opens the microphone."""
        key = next(iter(_KEY.findall(self._waiting)), "")
        if key not in self._talk and key != END_OF_INPUT and not key.isprintable():
            self._waiting = self._waiting.removeprefix(key)

    def close(self) -> None:
        """Give the terminal back as it was."""
        self._restore()

    def _keys(self, seconds: float | None) -> str:
        """Wait for a key; return it with all that came at once with it, "" when `seconds` passed without one."""
        keys, end = "", until(seconds)
        while not keys or _BEGUN.search(keys):
            if not select.select([self._fd], [], [], _REST_OF_KEY if keys else left(end))[0]:
                break
            if not (sent := os.read(self._fd, 32)):
                return keys + END_OF_INPUT
            keys += self._decoder.decode(sent)
        return keys


_WINDOWS_END = ("\x1a", END_OF_INPUT)
_WINDOWS_BEGUN = ("\x00", "\xe0")
"""First halves of keys without a letter. A typed \xe0 looks the same; half a key must never pass for a letter."""
_WINDOWS_PAUSE = 0.02
"""s between two looks for a key."""


class WindowsKeyboard:
    """A person's keyboard on a Windows console."""

    single_keys = True

    def __init__(self, talk_keys: tuple[str, ...]) -> None:
        self._talk = frozenset(sign.replace("\n", "\r") for sign in _signs(talk_keys))
        self._waiting = ""

    def pressed(self) -> bool:
        """Return at once whether a key was pressed; it is kept for the next line."""
        import msvcrt  # noqa: PLC0415 - only Windows has it

        if not self._waiting and msvcrt.kbhit():  # type: ignore[attr-defined,unused-ignore]
            self._waiting = msvcrt.getwch()  # type: ignore[attr-defined,unused-ignore]
        return bool(self._waiting)

    def line(self) -> str | None:
        """Return a line; a key that stopped speech is its first letter."""
        first, self._waiting = self._waiting, ""
        if first in _WINDOWS_END:
            return None
        first = first if first.isprintable() and first.strip() else ""
        print(first, end="", flush=True)
        with suppress(EOFError):
            return first + input()
        return None

    def talk_or_line(self, *, wait: bool = True, enter: bool = False) -> str | None:
        """Return TALK for a key to talk; any other printable key begins a line."""
        import msvcrt  # noqa: PLC0415

        while True:
            self._waiting = self._waiting or msvcrt.getwch()  # type: ignore[attr-defined,unused-ignore]
            if self._waiting in self._talk:
                self._waiting = ""
                return TALK
            if self._waiting.isprintable() or self._waiting in _WINDOWS_END:
                return self.line()
            key, self._waiting = self._waiting, ""
            if enter and key == "\r":
                return ""
            if not wait:
                return TALK

    def key(self, seconds: float | None = None) -> str | None:
        """Return one key; the one that was pressed while speech played comes first."""
        import msvcrt  # noqa: PLC0415

        end = until(seconds)
        while not self.pressed():
            if left(end) == 0:
                return LATE
            time.sleep(_WINDOWS_PAUSE)
        key, self._waiting = self._waiting, ""
        if key in _WINDOWS_BEGUN:
            key += msvcrt.getwch()  # type: ignore[attr-defined,unused-ignore]
        return None if key in _WINDOWS_END else key.replace("\r", "\n")

    def forget(self) -> None:
        """Drop every key that was pressed by now, but for the end of the input."""
        while self.pressed() and self._waiting not in _WINDOWS_END:
            self._waiting = ""

    def forget_stop(self) -> None:
        """Drop a key that neither begins a line nor opens the microphone."""
        ends = self._waiting in _WINDOWS_END
        if self._waiting not in self._talk and not ends and not self._waiting.isprintable():
            self._waiting = ""

    def close(self) -> None:
        """Nothing was changed."""


def keyboard(talk_keys: tuple[str, ...]) -> Keyboard:
    """Return the keyboard of this process: a person's at a terminal, else lines from standard input."""
    if not sys.stdin:
        return PipedKeyboard(io.BytesIO())
    if not sys.stdin.isatty():
        return PipedKeyboard(sys.stdin.buffer)
    return WindowsKeyboard(talk_keys) if sys.platform == "win32" else TerminalKeyboard(talk_keys)


def _signs(names: tuple[str, ...]) -> frozenset[str]:
    return frozenset(KEYS.get(name.lower(), name) for name in names)


def _typed(keys: str) -> tuple[str, bool, str]:
    """Return the text that `keys` type, whether Enter ended it, and the keys after that."""
    text, rest = "", keys
    while rest:
        key = _KEY.findall(rest)[0]
        rest = rest.removeprefix(key)
        if key in "\r\n" and text:
            return text, True, rest
        if key in ERASING:
            text = text[:-1]
        elif key.isprintable():
            text = (text + key).lstrip()
    return text, False, ""


def _readline() -> ModuleType | None:
    """Return what edits lines, None if Python will not use it: it is not there, or the output goes elsewhere."""
    if not sys.stdout or not sys.stdout.isatty():
        return None
    try:
        import readline  # noqa: PLC0415 - not everywhere
    except ImportError:
        return None
    return readline


def _edited(first: str, readline: ModuleType) -> str | None:
    readline.set_startup_hook(lambda: readline.insert_text(first))
    try:
        return input()
    except EOFError:
        return None
    finally:
        readline.set_startup_hook()


def _plainly_edited(first: str) -> str | None:
    """Return the rest of a line after `first`, which can no longer be erased."""
    if first and sys.stderr:
        print(first, end="", file=sys.stderr, flush=True)
    rest = sys.stdin.readline()  # input() refuses to work without a standard output
    return first + rest.rstrip("\n") if rest else None
