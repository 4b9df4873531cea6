"""First names by origin, as `tests/data/first_names.yaml` lists them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

import yaml


@cache
def first_names() -> Mapping[str, tuple[str, ...]]:
    """Return origin -> names."""
    listed = yaml.safe_load((Path(__file__).parent / "data" / "first_names.yaml").read_text("utf-8"))
    return {origin: tuple(names) for origin, names in listed.items()}


def all_first_names() -> tuple[str, ...]:
    """Return every name once."""
    return tuple(dict.fromkeys(name for names in first_names().values() for name in names))
