"""A small set of sentences that shows a recogniser every pair of words that may stand side by side.

Vosk trains word pairs on the phrases that it is given, no more: a sentence that adds no new pair teaches it nothing,
and one that repeats a pair only shifts the odds. So the full product of templates and names is not needed.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from itertools import pairwise

from gm_assistant.speakable import Choice, Node, Reference, Sequence, SpeakableGrammar

START, END = 0, 1
"""The places before the first and after the last word of a sentence."""


def covering_phrases(grammar: SpeakableGrammar) -> tuple[str, ...]:
    """Return sentences of `grammar` that together hold every adjacent pair of words, sentence ends included.

    Each phrase is a whole sentence, words separated by one space, none twice, in the order of the grammar. There are
    never more phrases than distinct pairs. Without sentences: ().
    """
    return tuple(dict.fromkeys(_Places(grammar).phrases()))


class _Places:
    """Every word of every sentence as a place of its own, and which place may follow which."""

    def __init__(self, grammar: SpeakableGrammar) -> None:
        self._rules = grammar.rules
        self._words = ["", ""]
        self._next: list[list[int]] = [[], []]
        for sentence in grammar.sentences:
            self._link(self._walk(sentence, [START]), END)
        self._before = self._reversed()
        self._from_start = _nearer(START, self._next)
        self._to_end = _nearer(END, self._before)

    def phrases(self) -> Iterator[str]:
        """Give one sentence for each pair that no sentence before it had."""
        missing = {self._pair(here, after): (here, after) for here, after in self._links()}
        while missing:
            here, after = next(iter(missing.values()))
            path = [*self._extended(here, self._before, self._from_start, missing)][::-1]
            path += self._extended(after, self._next, self._to_end, missing)
            for pair in self._pairs(path):
                missing.pop(pair, None)
            yield " ".join(self._words[place] for place in path[1:-1])

    def _walk(self, node: Node, ends: list[int]) -> list[int]:
        """Append `node` behind each place of `ends`; return the places at which it may end."""
        match node:
            case str():
                return self._word(node, ends)
            case Reference(rule):
                return self._walk(self._rules[rule], ends)
            case Choice(options):
                return [*dict.fromkeys(end for option in options for end in self._walk(option, ends))]
            case Sequence(parts):
                for part in parts:
                    ends = self._walk(part, ends)
                return ends

    def _word(self, word: str, ends: list[int]) -> list[int]:
        self._words.append(word)
        self._next.append([])
        place = len(self._words) - 1
        self._link(ends, place)
        return [place]

    def _link(self, ends: list[int], place: int) -> None:
        for end in ends:
            if (end, place) != (START, END):
                self._next[end].append(place)

    def _links(self) -> Iterator[tuple[int, int]]:
        return ((here, after) for here, follow in enumerate(self._next) for after in follow)

    def _reversed(self) -> list[list[int]]:
        before: list[list[int]] = [[] for _ in self._next]
        for here, after in self._links():
            before[after].append(here)
        return before

    def _pair(self, here: int, after: int) -> tuple[str, str]:
        return self._words[here], self._words[after]

    def _pairs(self, path: list[int]) -> Iterator[tuple[str, str]]:
        return (self._pair(here, after) for here, after in pairwise(path))

    def _extended(
        self, place: int, steps: list[list[int]], shortest: list[int], missing: dict[tuple[str, str], tuple[int, int]]
    ) -> Iterator[int]:
        """Go on from `place` to the sentence's end, over missing pairs where there are any, else the short way."""
        forwards = steps is self._next
        yield place
        while place not in (START, END):
            fresh = (
                step for step in steps[place] if self._pair(*((place, step) if forwards else (step, place))) in missing
            )
            place = next(fresh, shortest[place])
            yield place


def _nearer(goal: int, back: list[list[int]]) -> list[int]:
    """Return for each place its next place on a shortest way to `goal`; `back` lists who is one step away."""
    step = [goal] * len(back)
    seen, queue = {goal}, deque([goal])
    while queue:
        here = queue.popleft()
        for place in back[here]:
            if place not in seen:
                seen.add(place)
                step[place] = here
                queue.append(place)
    return step
