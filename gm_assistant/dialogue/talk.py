"""How people wrap and mend their sentences: fillers around them, hesitations within, second thoughts at the end."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby

from gm_assistant.dialogue.pack import Sentences
from gm_assistant.dialogue.pack_checks import FILLERS
from gm_assistant.dialogue.wordings import wordings

_MOST_AT_ONE_END = 4
"""Fillers. Nobody says more of them in one breath."""

Words = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Talk:
    """The fillers and the words of correction of one language, as plain words."""

    before: tuple[Words, ...] = ()
    after: tuple[Words, ...] = ()
    hesitations: tuple[Words, ...] = ()
    repairs: tuple[Words, ...] = ()

    def readings(self, text: str) -> Iterator[tuple[str, ...]]:
        """Yield `text` as it is, then with fewer and fewer of its fillers: texts of the same length together.

        Words of a sentence may look like fillers, so the first texts that mean something are the right ones.
        """
        words = tuple(text.split())
        found = {reading for part in self._ends_cut(words) for reading in (part, self._without_hesitations(part))}
        ordered = sorted(filter(None, found), key=lambda reading: (-len(reading), reading))
        for _, same in groupby(ordered, key=len):
            yield tuple(" ".join(reading) for reading in same)

    def mended(self, text: str) -> Iterator[tuple[str, str]]:
        """Yield what was said before and after each word of correction in `text` ("anna", "ben" of "anna no ben")."""
        words = text.split()
        for start in range(1, len(words) - 1):
            for repair in self.repairs:
                end = start + len(repair)
                if tuple(words[start:end]) == repair and end < len(words):
                    yield " ".join(words[:start]), " ".join(words[end:])

    def _ends_cut(self, words: Words) -> Iterator[Words]:
        ends = _cuts(words[::-1], [filler[::-1] for filler in (*self.after, *self.hesitations)])
        for start in _cuts(words, (*self.before, *self.hesitations)):
            for end in ends:
                yield words[start : len(words) - end]

    def _without_hesitations(self, words: Words) -> Words:
        kept: list[str] = []
        at = 0
        while at < len(words):
            length = _longest_here(words, at, self.hesitations)
            kept += () if length else (words[at],)
            at += length or 1
        return tuple(kept)


def talk_of(sentences: Sentences) -> Talk:
    """Return how people talk in the language of a pack."""
    fillers = {kind: _plain(sentences.fillers.get(kind, ())) for kind in FILLERS}
    return Talk(**fillers, repairs=_plain(sentences.repairs))


def _plain(templates: Iterable[str]) -> tuple[Words, ...]:
    return tuple(dict.fromkeys(tuple(text.split()) for template in templates for text in wordings(template)))


def _cuts(words: Words, fillers: Iterable[Words]) -> list[int]:
    """Return how many words may be cut off in front: none, one filler, two, and so on."""
    known, cuts, newest = tuple(fillers), {0}, {0}
    for _ in range(_MOST_AT_ONE_END):
        newest = {at + len(filler) for at in newest for filler in known if words[at : at + len(filler)] == filler}
        cuts |= newest
    return sorted(cuts)


def _longest_here(words: Words, at: int, fillers: tuple[Words, ...]) -> int:
    return max((len(filler) for filler in fillers if words[at : at + len(filler)] == filler), default=0)
