"""A small set of sentences that shows a recogniser every pair of words that may stand side by side.

Vosk trains word pairs on the phrases that it is given, no more: a sentence that adds no new pair teaches it nothing,
and one that repeats a pair only shifts the odds. So the full product of templates and names is not needed.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from itertools import pairwise

from gm_assistant.word_machine import State, backwards

START, END = 0, 1
"""The places before the first and after the last word of a sentence."""


def covering_phrases(machine: State) -> tuple[str, ...]:
    """Return sentences of `machine` that together hold every adjacent pair of words, sentence ends included.

    Each phrase is a whole sentence, words separated by one space, none twice. There are
    never more phrases than distinct pairs. Without sentences: ().
    """
    return tuple(dict.fromkeys(_Places(machine).phrases()))


class _Places:
    """Every step of the machine as a place, and which place may follow which."""

    def __init__(self, machine: State) -> None:
        steps = [(state, word, after) for state in backwards(machine) for word, after in state.steps.items()]
        self._words = ["", "", *(word for _, word, _ in steps)]
        leaving: dict[State, list[int]] = {}
        for place, (state, _, _) in enumerate(steps, 2):
            leaving.setdefault(state, []).append(place)
        self._next = [leaving.get(machine, []), []]
        for _, _, after in steps:
            self._next.append([*leaving.get(after, []), *([END] if after.final else [])])
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
