"""A person's keyboard on a Windows console."""

from __future__ import annotations

import time
from contextlib import suppress

from gm_assistant.pipe import left, until
from gm_assistant.terminal.keys import END_OF_INPUT, LATE, TALK, signs

_WINDOWS_END = ("\x1a", END_OF_INPUT)
_WINDOWS_BEGUN = ("\x00", "\xe0")
"""First halves of keys without a letter. A typed \xe0 looks the same; half a key must never pass for a letter."""
_WINDOWS_PAUSE = 0.02
"""s between two looks for a key."""


class WindowsKeyboard:
    """A person's keyboard on a Windows console."""

    single_keys = True

    def __init__(self, talk_keys: tuple[str, ...]) -> None:
        self._talk = frozenset(sign.replace("\n", "\r") for sign in signs(talk_keys))
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
