"""Sentences as the smallest machine that reads them word after word. Machines are values: equal ones are the same.

A state is all that can still be said from there on. Two states with the same rest of every sentence are one object, so
the machine of a grammar is minimal, united machines share their parts, and equality is identity.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from weakref import WeakValueDictionary


class State:
    """A place between two words. Made by the functions of this module only; never changed."""

    __slots__ = ("__weakref__", "final", "steps")

    final: bool
    """Whether a sentence may end here."""
    steps: dict[str, State]
    """Which place each possible next word leads to. From every place some sentence's end can be reached."""

    def __reduce__(self) -> tuple[Callable[[Table], State], tuple[Table]]:
        return from_table, (table(self),)

    def after(self, words: Iterable[str]) -> State:
        """Return the place after `words`; NOWHERE if no sentence goes on like this."""
        here = self
        for word in words:
            here = here.steps.get(word, NOWHERE)
        return here


_known: WeakValueDictionary[tuple[bool, tuple[tuple[str, int], ...]], State] = WeakValueDictionary()
"""Its keys name states by their address: each is held by the very state that the entry is for."""


def _state(final: bool, steps: dict[str, State]) -> State:
    alive = {word: steps[word] for word in sorted(steps) if steps[word] is not NOWHERE}
    key = final, tuple((word, id(state)) for word, state in alive.items())
    state = _known.get(key)
    if state is None:
        state = State()
        state.final, state.steps = final, alive
        _known[key] = state
    return state


NOWHERE = State()
"""From here no sentence's end can be reached: the machine of no sentence at all."""
NOWHERE.final, NOWHERE.steps = False, {}
_known[False, ()] = NOWHERE
END = _state(True, {})
"""Nothing more can be said: the machine of the empty sentence."""


def spoken(word: str, rest: State) -> State:
    """Return the machine that reads `word` and then what `rest` reads."""
    return _state(False, {word: rest})


def united(machines: Iterable[State]) -> State:
    """Return the machine that reads what any of `machines` reads."""
    return _united(machines, {})


def _united(machines: Iterable[State], done: dict[frozenset[State], State]) -> State:
    states = frozenset(machines) - {NOWHERE}
    if len(states) < 2:
        return next(iter(states), NOWHERE)
    if states not in done:
        ways: dict[str, list[State]] = {}
        for state in states:
            for word, after in state.steps.items():
                ways.setdefault(word, []).append(after)
        steps = {word: after[0] if len(after) == 1 else _united(after, done) for word, after in ways.items()}
        done[states] = _state(any(state.final for state in states), steps)
    return done[states]


def without_unknown(machine: State, knows: Callable[[str], bool]) -> State:
    """Return the machine less every sentence that holds a word for which `knows(word)` is false."""
    return _renamed(machine, lambda word: word if knows(word) else None)


def renamed(machine: State, name: Callable[[str], str | None]) -> State:
    """Return the machine with another word in place of each; None takes every sentence with the word out."""
    return _renamed(machine, name)


def _renamed(machine: State, name: Callable[[str], str | None]) -> State:
    done: dict[State, State] = {}
    names: dict[str, str | None] = {}
    for state in backwards(machine):
        ways: dict[str, list[State]] = {}
        for word, after in state.steps.items():
            if word not in names:
                names[word] = name(word)
            other = names[word]
            if other is not None:
                ways.setdefault(other, []).append(done[after])
        done[state] = _state(state.final, {word: united(after) for word, after in ways.items()})
    return done[machine]


def backwards(machine: State) -> Iterator[State]:
    """Give each state once, after all those that its words lead to; `machine` last."""
    seen: set[State] = set()
    open_: list[tuple[State, bool]] = [(machine, False)]
    while open_:
        state, followed = open_.pop()
        if followed:
            yield state
        elif state not in seen:
            seen.add(state)
            open_.append((state, True))
            open_.extend((after, False) for after in state.steps.values() if after not in seen)


def words(machine: State) -> frozenset[str]:
    """Return every word that occurs in a sentence."""
    return frozenset(word for state in backwards(machine) for word in state.steps)


@dataclass(frozen=True, slots=True)
class Table:
    """A machine as plain numbers, for engines and pipes. State 0 is the beginning."""

    states: int
    final: tuple[int, ...]
    words: tuple[str, ...]
    steps: tuple[tuple[int, int, int], ...]
    """From, to, place of the word in `words`."""


def table(machine: State) -> Table:
    """Return `machine` as plain numbers."""
    numbers = {state: number for number, state in enumerate(reversed([*backwards(machine)]))}
    places: dict[str, int] = {}
    steps = tuple(
        (number, numbers[after], places.setdefault(word, len(places)))
        for state, number in numbers.items()
        for word, after in state.steps.items()
    )
    return Table(len(numbers), tuple(n for state, n in numbers.items() if state.final), tuple(places), steps)


def from_table(plain: Table) -> State:
    """Return the machine that `table` made `plain` of."""
    ways: list[dict[str, int]] = [{} for _ in range(plain.states)]
    for start, end, word in plain.steps:
        ways[start][plain.words[word]] = end
    final, made = frozenset(plain.final), [NOWHERE] * plain.states
    for number in reversed(range(plain.states)):
        made[number] = _state(number in final, {word: made[end] for word, end in ways[number].items()})
    return made[0]
