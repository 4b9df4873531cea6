"""What a terminal sends for each key, and what a keyboard can do."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Protocol

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

WHOLE_KEY = re.compile(r"\x1b(?:\[[0-?]*[@-~]|O[@-~])?|.", re.DOTALL)
"""One key of those that came at once: people type faster than we listen, and keys that are held repeat."""

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

    def interrupted(self) -> bool:
        """Return at once whether a key waits to be read that ends listening: any but the key to talk."""

    @property
    def talk_pressed(self) -> float:
        """When the key to talk was pressed last (s, monotonic clock)."""

    def held(self) -> bool:
        """Return whether the key to talk was held down when `interrupted` was asked last."""

    def finished(self) -> bool:
        """Return whether whoever speaks says so by key: it was let go after being held, or pressed a second time.

        As far as `interrupted` could tell last.
        """

    def awaited(self, seconds: float | None) -> bool:
        """Wait for a key or a line; return False when `seconds` passed without any. None waits for ever."""

    def talk_or_line(self, *, wait: bool = True, enter: bool = False, seconds: float | None = None) -> str | None:
        """Return TALK for the key to talk, or a typed line; None at the end of the input.

        LATE if no key at all is pressed for `seconds`. Without `wait` a key that means nothing is TALK too: it has done
        what it can by being pressed. With `enter` the Enter key alone is an empty line.
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


def signs(names: tuple[str, ...]) -> frozenset[str]:
    """Return what a terminal sends for keys as the settings name them."""
    return frozenset(KEYS.get(name.lower(), name) for name in names)
