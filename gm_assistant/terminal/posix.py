"""A person's keyboard on a POSIX terminal."""

from __future__ import annotations

import codecs
import io
import os
import re
import select
import sys
from functools import partial

from gm_assistant.pipe import left, until
from gm_assistant.terminal.editing import edited, line_editor, plainly_edited, typed
from gm_assistant.terminal.keys import END_OF_INPUT, LATE, TALK, WHOLE_KEY, signs

_BEGUN = re.compile(r"\x1b(?:\[[0-9;]*|O)?\Z")
_REST_OF_KEY = 0.05
"""s that the rest of a key may lag behind its escape sign; the escape key has no rest."""


class TerminalKeyboard:
    """A person's keyboard on a POSIX terminal: keys come one by one and unseen, but lines are edited as usual."""

    single_keys = True

    def __init__(self, talk_keys: tuple[str, ...]) -> None:
        import termios  # noqa: PLC0415 - only POSIX has it
        import tty  # noqa: PLC0415

        self._talk = signs(talk_keys)
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
        text, whole, self._waiting = typed(keys)
        if text and whole:
            return text
        editor = line_editor()
        if editor:
            self._echoed_keys()
        else:
            self._restore()
        try:
            return edited(text, editor) if editor else plainly_edited(text)
        finally:
            self._single_keys()

    def talk_or_line(self, *, wait: bool = True, enter: bool = False) -> str | None:
        """Return TALK for a key to talk; any other printable key begins a line."""
        while True:
            keys = self._waiting or self._keys(None)
            key = WHOLE_KEY.findall(keys)[0]
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
        key = WHOLE_KEY.findall(self._waiting)[0]
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
        key = next(iter(WHOLE_KEY.findall(self._waiting)), "")
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
