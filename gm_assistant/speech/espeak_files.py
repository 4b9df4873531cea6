"""Where the espeak-ng is that comes as a Python package: the only module that touches espeakng_loader."""

from __future__ import annotations

from pathlib import Path


def espeak_files() -> tuple[str, Path]:
    """Return the library's file and the folder that holds its data folder.

    Raise ImportError, OSError or RuntimeError where the package is missing or broken.
    """
    import espeakng_loader  # noqa: PLC0415 - it may be missing

    return espeakng_loader.get_library_path(), Path(espeakng_loader.get_data_path()).parent
