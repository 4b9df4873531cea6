"""The two places where something can be heard."""

from __future__ import annotations

from enum import StrEnum


class Channel(StrEnum):
    """TABLE is heard by everybody, HEADSET by whoever wears the headset."""

    TABLE = "table"
    HEADSET = "headset"
