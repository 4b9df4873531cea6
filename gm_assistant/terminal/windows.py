"""A person's keyboard on a Windows console."""

from __future__ import annotations

import ctypes
import time
from collections.abc import Mapping
from contextlib import suppress

from gm_assistant.pipe import left, until
from gm_assistant.terminal.keys import END_OF_INPUT, KEYS
from gm_assistant.terminal.person import PersonalKeyboard

_END = "\x1a"
_BEGUN = ("\x00", "\xe0")
"""First halves of keys without a letter. A typed \xe0 looks the same, but has no second half."""
_PAUSE = 0.01
"""s between two looks for a key."""

_SECOND_HALVES: Mapping[str, str] = {
    **dict(zip("HPKMIQ", ("up", "down", "left", "right", "page up", "page down"), strict=True)),
    **{chr(0x3B + number): f"f{1 + number}" for number in range(10)},
    "\x85": "f11",
    "\x86": "f12",
}
"""Names of keys without a letter, by what the console gives for them."""

_VIRTUAL_KEYS: Mapping[str, int] = {
    **{KEYS[f"f{1 + number}"]: 0x70 + number for number in range(12)},
    **{KEYS[name]: number for number, name in enumerate(("page up", "page down"), 0x21)},
    **{KEYS[name]: number for number, name in enumerate(("left", "up", "right", "down"), 0x25)},
    KEYS["tab"]: 0x09,
    KEYS["enter"]: 0x0D,
    KEYS["escape"]: 0x1B,
    KEYS["space"]: 0x20,
}
"""Windows' own numbers of keys."""
_IS_DOWN = 0x8000


class WindowsKeyboard(PersonalKeyboard):
    """A person's keyboard on a Windows console. The system tells whether a key is down."""

    def __init__(self, talk_keys: tuple[str, ...]) -> None:
        super().__init__(talk_keys)
        self._watched: int | None = None

    def line(self) -> str | None:
        """Return a line; a key that stopped speech is its first letter."""
        first, self._waiting = self._waiting, ""
        if first.startswith(END_OF_INPUT):
            return None
        first = first if first.isprintable() and first.strip() else ""
        print(first, end="", flush=True)
        with suppress(EOFError):
            return first + input()
        return None

    def close(self) -> None:
        """Nothing was changed."""

    def _sent(self, seconds: float | None) -> str:
        import msvcrt  # noqa: PLC0415 - only Windows has it

        end = until(seconds)
        while not msvcrt.kbhit():  # type: ignore[attr-defined,unused-ignore]
            self._look()
            if left(end) == 0:
                return ""
            time.sleep(_PAUSE)
        key: str = msvcrt.getwch()  # type: ignore[attr-defined,unused-ignore]
        if key in _BEGUN and msvcrt.kbhit():  # type: ignore[attr-defined,unused-ignore]
            half: str = msvcrt.getwch()  # type: ignore[attr-defined,unused-ignore]
            name = _SECOND_HALVES.get(half)
            return f"\x1b[{ord(half)}z" if name is None else KEYS[name]
        return END_OF_INPUT if key == _END else key.replace("\r", "\n")

    def _look(self) -> None:
        """Notice that no key has come, and whether the key to talk is still down."""
        now = time.monotonic()
        self._talk_key.look(now)
        if self._watched is not None and self._talk_key.surely_down and not _down(self._watched):
            self._talk_key.let_go(now)

    def _is_down(self, key: str) -> bool:
        """Return whether Windows says that a key is down. Through a line to another computer it never does."""
        self._watched = _virtual_key(key)
        return self._watched is not None and _down(self._watched)


def _virtual_key(key: str) -> int | None:
    if key.isalnum() and key.isascii():
        return ord(key.upper())
    return _VIRTUAL_KEYS.get(key)


def _down(number: int) -> bool:
    return bool(ctypes.windll.user32.GetAsyncKeyState(number) & _IS_DOWN)  # type: ignore[attr-defined,unused-ignore]
