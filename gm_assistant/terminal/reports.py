"""What terminals with the keyboard protocol of kitty tell of a key: pressed, repeated, or let go.

Only that is asked for (flag 2): letters and Ctrl-C come as ever, and so the space bar tells nothing of being let go.
https://sw.kovidgoyal.net/kitty/keyboard-protocol/
"""

from __future__ import annotations

import re
from enum import Enum

ASK = "\x1b[?u\x1b[c"
"""Asks for the protocol, and then for something that every terminal answers: nobody has to wait for long."""
KNOWS = re.compile(r"\x1b\[\?\d+u")
ANSWERED = re.compile(r"\x1b\[\?[\d;]*c")
BEGIN = "\x1b[>2u"
END = "\x1b[<u"

_FUNCTION_KEY = re.compile(r"\x1b\[(\d*)(?:;(\d*)(?::([123]))?)?([~A-Z])")
_LOCKS = 64 | 128
"""Caps lock and num lock, which change no key that has no letter."""
_ONCE_SS3 = {"P": "\x1bOP", "Q": "\x1bOQ", "R": "\x1bOR", "S": "\x1bOS"}


class Happened(Enum):
    """What happened to a key."""

    PRESSED = "1"
    REPEATED = "2"
    LET_GO = "3"


def reported(key: str) -> tuple[str, Happened]:
    """Return a key as terminals without the protocol send it, and what happened to it."""
    found = _FUNCTION_KEY.fullmatch(key)
    if found is None:
        return key, Happened.LET_GO if re.fullmatch(r"\x1b\[[\d;:]*:3u", key) else Happened.PRESSED
    number, modifiers, happened, letter = found.groups()
    plain = not modifiers or not (int(modifiers) - 1) & ~_LOCKS
    return _plainly(number, letter) if plain else key, Happened(happened or "1")


def _plainly(number: str, letter: str) -> str:
    if letter == "~":
        return "\x1bOR" if number == "13" else f"\x1b[{number}~"
    return _ONCE_SS3.get(letter, f"\x1b[{letter}")
