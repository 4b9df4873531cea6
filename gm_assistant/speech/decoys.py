"""Ordinary words beside a grammar: talk among people is heard as these instead of as the words of the game."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Iterable

from rapidfuzz.distance import Levenshtein

_NEAR = 2
"""Letters by which a decoy must differ from every word of the grammar at least, and one more."""


def decoys_for(grammar: Collection[str], candidates: Iterable[str]) -> tuple[str, ...]:
    """Return those of `candidates` that are like no word of `grammar`: who says such a word shall not be rejected.

    Letters are compared without their marks combined, so that a Korean syllable counts as two or three.
    """
    taken = [unicodedata.normalize("NFD", word) for word in grammar]
    return tuple(word for word in candidates if not _is_near(unicodedata.normalize("NFD", word), taken))


def _is_near(word: str, taken: list[str]) -> bool:
    return any(Levenshtein.distance(word, other, score_cutoff=_NEAR) <= _NEAR for other in taken)
