"""Lines that a person edits: nothing a screen reader stumbles over."""

from __future__ import annotations

import sys
from types import ModuleType

from gm_assistant.terminal.keys import ERASING, WHOLE_KEY


def typed(keys: str) -> tuple[str, bool, str]:
    """Return the text that `keys` type, whether Enter ended it, and the keys after that."""
    text, rest = "", keys
    while rest:
        key = WHOLE_KEY.findall(rest)[0]
        rest = rest.removeprefix(key)
        if key in "\r\n" and text:
            return text, True, rest
        if key in ERASING:
            text = text[:-1]
        elif key.isprintable():
            text = (text + key).lstrip()
    return text, False, ""


def line_editor() -> ModuleType | None:
    """Return what edits lines, None if Python will not use it: it is not there, or the output goes elsewhere."""
    if not sys.stdout or not sys.stdout.isatty():
        return None
    try:
        import readline  # noqa: PLC0415 - not everywhere
    except ImportError:
        return None
    return readline


def edited(first: str, editor: ModuleType) -> str | None:
    """Return the line that a person makes of `first`; None at the end of the input."""
    editor.set_startup_hook(lambda: editor.insert_text(first))
    try:
        return input()
    except EOFError:
        return None
    finally:
        editor.set_startup_hook()


def plainly_edited(first: str) -> str | None:
    """Return the rest of a line after `first`, which can no longer be erased."""
    if first and sys.stderr:
        print(first, end="", file=sys.stderr, flush=True)
    rest = sys.stdin.readline()  # input() refuses to work without a standard output
    return first + rest.rstrip("\n") if rest else None
