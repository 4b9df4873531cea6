"""Files and folders that only their owner may read. Where a system or a disk has no such modes, it is tried only."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path


def private_opener(path: str, flags: int) -> int:
    """Open for `open(..., opener=private_opener)`: a file that is new has mode 0600, whatever the umask."""
    return os.open(path, flags, 0o600)


def make_private_folder(folder: Path) -> None:
    """Make `folder` with mode 0700, or give it that mode if it is there and ours. Raise OSError if it cannot be."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    _set_mode(folder, 0o700)


def make_private_file(path: Path) -> None:
    """Give a file that is there the mode 0600 if it is ours."""
    if path.is_file():  # and no device such as /dev/null
        _set_mode(path, 0o600)


def _set_mode(path: Path, mode: int) -> None:
    with suppress(OSError):
        if os.name == "posix" and path.stat().st_uid == os.geteuid():
            path.chmod(mode)
