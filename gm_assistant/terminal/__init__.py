"""Keys and lines of a terminal, plain and append-only: nothing a screen reader stumbles over."""

from __future__ import annotations

import io
import sys

from gm_assistant.terminal.keys import ERASING, KEYS, LATE, TALK, Keyboard
from gm_assistant.terminal.piped import LONGEST_LINE, PipedKeyboard
from gm_assistant.terminal.posix import TerminalKeyboard
from gm_assistant.terminal.windows import WindowsKeyboard

__all__ = (
    "ERASING",
    "KEYS",
    "LATE",
    "LONGEST_LINE",
    "TALK",
    "Keyboard",
    "PipedKeyboard",
    "TerminalKeyboard",
    "WindowsKeyboard",
    "keyboard",
)


def keyboard(talk_keys: tuple[str, ...]) -> Keyboard:
    """Return the keyboard of this process: a person's at a terminal, else lines from standard input."""
    if not sys.stdin:
        return PipedKeyboard(io.BytesIO())
    if not sys.stdin.isatty():
        return PipedKeyboard(sys.stdin.buffer)
    return WindowsKeyboard(talk_keys) if sys.platform == "win32" else TerminalKeyboard(talk_keys)
