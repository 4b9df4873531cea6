"""A person's keyboard on a POSIX terminal."""

from __future__ import annotations

import codecs
import io
import os
import re
import select
import sys
import time
from functools import partial

from gm_assistant.pipe import left, until
from gm_assistant.terminal.editing import edited, line_editor, plainly_edited, typed
from gm_assistant.terminal.keys import END_OF_INPUT
from gm_assistant.terminal.person import PersonalKeyboard
from gm_assistant.terminal.reports import ANSWERED, ASK, BEGIN, END, KNOWS

_BEGUN = re.compile(r"\x1b(?:\[[0-?]*|O)?\Z")
_REST_OF_KEY = 0.02
"""s that the rest of a key may lag behind its escape sign; the escape key has no rest."""
_ANSWER = 0.3
"""s that a terminal gets to answer, through a slow line, too; it answers in some ms or not at all."""
_ASKED_NOTHING = ("dumb", "linux")
"""Kinds of terminal that know no such question."""


class TerminalKeyboard(PersonalKeyboard):
    """A person's keyboard on a POSIX terminal: keys come one by one and unseen, but lines are edited as usual."""

    def __init__(self, talk_keys: tuple[str, ...]) -> None:
        import termios  # noqa: PLC0415 - only POSIX has it
        import tty  # noqa: PLC0415

        super().__init__(talk_keys)
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
        self._reports = self._knows_reports()
        self._tell(BEGIN)

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
        self._tell(END)
        try:
            return edited(text, editor) if editor else plainly_edited(text)
        finally:
            self._single_keys()
            self._tell(BEGIN)

    def key(self, seconds: float | None = None) -> str | None:
        """Return one key; those that were pressed while speech played come first."""
        self._single_keys()  # who stopped us and let us go on may have made the terminal show keys
        return super().key(seconds)

    def close(self) -> None:
        """Give the terminal back as it was."""
        self._tell(END)
        self._restore()

    def _sent(self, seconds: float | None) -> str:
        """Wait for a key; return it with all that came at once with it, "" when `seconds` passed without one."""
        keys, end = "", until(seconds)
        while not keys or _BEGUN.search(keys):
            if not self._is_ready(_REST_OF_KEY if keys else left(end)):
                break
            if not (sent := os.read(self._fd, 32)):
                return keys + END_OF_INPUT
            keys += self._decoder.decode(sent)
        return keys

    def _is_ready(self, seconds: float | None) -> bool:
        """Wait until something can be read, and notice until when nothing could."""
        if select.select([self._fd], [], [], 0)[0]:
            return True
        self._talk_key.look(time.monotonic())
        ready = bool(select.select([self._fd], [], [], seconds)[0])
        self._talk_key.look(time.monotonic())
        return ready

    def _reports_repeats(self, key: str) -> bool:
        return self._reports and len(key) > 1

    def _knows_reports(self) -> bool:
        """Ask whether the terminal tells when a key is let go, if the key to talk is one of which it would tell."""
        dumb = os.environ.get("TERM", "dumb") in _ASKED_NOTHING
        if dumb or not sys.stdout or not sys.stdout.isatty() or not any(len(key) > 1 for key in self._talk):
            return False
        os.write(sys.stdout.fileno(), ASK.encode())
        told, end = "", until(_ANSWER)
        while not ANSWERED.search(told) and (more := self._sent(left(end))):
            told += more
        self._waiting = ANSWERED.sub("", KNOWS.sub("", told))
        return KNOWS.search(told) is not None

    def _tell(self, what: str) -> None:
        if self._reports:
            os.write(sys.stdout.fileno(), what.encode())
