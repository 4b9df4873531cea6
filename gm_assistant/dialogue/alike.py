"""Which names sound so alike that a recogniser mixes them up."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from itertools import combinations

from gm_assistant.phones import NEAR, Phones, nearest


def alike(sounds: Mapping[str, Collection[Phones]], near: float = NEAR) -> frozenset[frozenset[str]]:
    """Return the pairs of names of which some way to say one is at most `near` from some way to say the other.

    `sounds`: name -> the ways to say it; a name without any is like no other.
    """
    pairs = combinations(sorted(sounds), 2)
    return frozenset(frozenset(pair) for pair in pairs if nearest(*(sounds[name] for name in pair)) <= near)
