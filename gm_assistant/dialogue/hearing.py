"""What a recogniser makes of players' names. Plain values: whoever fills them in knows the recogniser."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Unheard:
    """A name that the recogniser cannot hear."""

    name: str
    words: tuple[str, ...] = ()
    """Words that sound like it and can be heard instead, the nearest first; perhaps none."""


@dataclass(frozen=True, slots=True)
class Hearing:
    """The names of one table. Without a recogniser there is nothing to say about any."""

    unheard: tuple[Unheard, ...] = ()
    alike: frozenset[frozenset[str]] = frozenset()
    """Pairs of names that it would mix up."""

    def rivals(self, name: str) -> frozenset[str]:
        """Return the names that may be heard in place of `name`."""
        return frozenset().union(*(pair for pair in self.alike if name in pair)) - {name}
