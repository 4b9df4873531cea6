"""When each sentence of several whispers ends, so that all last equally long: arithmetic on lengths in s."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, islice, pairwise
from random import Random

EASY, WIDE = 0.06, 0.15
"""How much faster or slower than by itself a voice may speak without sounding odd, and at the most."""
STRETCHED = (0.3, 0.5, 0.75, 0.9)
"""And beyond, for texts to which nothing else can be done."""

_MORE = 4
"""So many sentences more than the longest whisper has are better than speaking faster or slower than EASY."""
_SETTLING, _TOGETHER = 3, 0.1
"""So many sentences more are worth it if then the last ones begin within so many s."""
_COMPARED = 4
"""How many ways to speak in the same number of sentences are compared."""
_KEPT = 20
"""How many beginnings of a whisper are followed up at each sentence."""
_STRAIN, _WHIM = 0.2, 0.005
"""What speaking e times as fast costs, and what a reminder may cost by chance, each in s of a missed end."""


Frame = Sequence[Sequence[Sequence[float]]]
"""What could be told: for each kind of whisper, for each of its sentences, the lengths that it could have."""


@dataclass(frozen=True)
class Part:
    """How one whisper is spoken."""

    reminders: tuple[int, ...]
    """Which reminders follow its own sentences, as indices."""
    lengths: tuple[float, ...]
    """s that each sentence shall take, reminders too."""


@dataclass(frozen=True)
class _Way:
    """A rhythm, and whispers that follow it."""

    ends: tuple[float, ...]
    """When each sentence should end, without the pauses, in s."""
    parts: tuple[Part, ...]

    @property
    def gap(self) -> float:
        """Return how many s lie between the begins of the last sentences, at least TOGETHER: less is no better."""
        before = [sum(part.lengths[:-1]) for part in self.parts]
        return max(_TOGETHER, max(before) - min(before))


@dataclass(frozen=True)
class _Beginning:
    """A whisper up to some sentence."""

    cost: float
    end: float
    reminders: tuple[int, ...]


@dataclass(frozen=True)
class _Task:
    told: tuple[tuple[float, ...], ...]
    """Lengths of each whisper's own sentences."""
    reminders: tuple[float, ...]
    rounds: int
    """How often each reminder may be taken: once, if there are enough."""
    pause: float
    whims: tuple[float, ...]

    def counts(self) -> range:
        """Return all numbers of sentences that every whisper can have."""
        counts = [len(own) for own in self.told]
        return range(max(counts), min(counts) + len(self.reminders) * self.rounds + 1)


def common_rhythm(
    told: Sequence[Sequence[float]], reminders: Sequence[float], pause: float, frame: Frame = (), order: int = 0
) -> tuple[Part, ...]:
    """Return how each whisper is spoken: all with the same number of sentences and the same sum of lengths.

    `told` and `reminders` are lengths of sentences as the voice speaks them by itself, `pause` is the silence between
    two of them, all in s. Number and sum come from `frame`, if there is one, and then tell nothing about `told`. With
    another `order` other reminders are taken where that does no harm. The numbers of sentences differ only if there are
    no reminders, and the sums of lengths if besides nothing within WIDE fits.
    """
    bounds = [*dict.fromkeys(bound for kind in frame for bound in _bounds(kind))] or [tuple(own) for own in told]
    if not bounds:
        return ()
    task = _task(bounds, reminders, pause, order)
    found = (_within(task, limit, counts) for limit, counts in _limits(task))
    way = next((way for way in found if way is not None), None)
    if way is None:
        longest = max(_lasting(own, pause) / (1 + WIDE) for own in bounds)
        return tuple(_alone(own, longest, pause) for own in told)
    return tuple(_placed(task, tuple(own), way.ends) for own in told)


def _bounds(kind: Sequence[Sequence[float]]) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Return the shortest and the longest whisper of a kind."""
    return tuple(map(min, kind)), tuple(map(max, kind))


def _task(told: Sequence[tuple[float, ...]], reminders: Sequence[float], pause: float, order: int) -> _Task:
    counts = [len(own) for own in told]
    rounds = -(-(max(counts) - min(counts)) // len(reminders)) if reminders else 0
    random = Random(order)  # noqa: S311 - variety, no secret
    whims = tuple(random.uniform(0, _WHIM) for _ in reminders)
    return _Task(tuple(told), tuple(reminders), max(1, rounds), pause, whims)


def _limits(task: _Task) -> Iterator[tuple[float, range]]:
    """Yield how far the tempo may go, with the numbers of sentences to try, the best first."""
    counts = task.counts()
    yield EASY, counts[: _MORE + 1]
    yield WIDE, counts
    if task.reminders:
        yield from ((limit, counts) for limit in STRETCHED)


def _within(task: _Task, limit: float, counts: range) -> _Way | None:
    """Return how all whispers are spoken within `limit` in the smallest number of sentences with which that works.

    Some sentences more are taken if then the last ones begin together: whoever hears a murmur would tell a whisper
    that ends with a long reminder from one that ends with a short name. None if nothing fits.
    """
    first, tried = None, 0
    for count in counts:
        best = min(islice(_ways(task, count, limit), _COMPARED), key=lambda way: way.gap, default=None)
        if best is not None and best.gap <= _TOGETHER:
            return best
        first = first or best
        tried += first is not None
        if tried > _SETTLING:
            break
    return first


def _ways(task: _Task, count: int, limit: float) -> Iterator[_Way]:
    """Yield ways to speak all whispers in `count` sentences within `limit`, the best totals first."""
    beats = _beats(task, count)
    for total in _totals(task, count, limit, sum(beats)):
        ends = tuple(end * total / sum(beats) for end in accumulate(beats))
        parts = [_fitted(task, own, ends, limit) for own in dict.fromkeys(task.told)]
        whole = [part for part in parts if part is not None]
        if len(whole) == len(parts):
            yield _Way(ends, tuple(whole))


def _beats(task: _Task, count: int) -> list[float]:
    """Return how long each sentence of the common rhythm is: midway between the shortest and the longest told there."""
    usual = sorted(task.reminders)[len(task.reminders) // 3] if task.reminders else 1.0
    columns = [[own[place] for own in task.told if len(own) > place] for place in range(count)]
    return [(min(column) + max(column)) / 2 if column else usual for column in columns]


def _totals(task: _Task, count: int, limit: float, natural: float) -> Iterator[float]:
    """Yield sums of lengths that may be within reach of every whisper, the best first.

    With reminders these are such that the sound lasts whole seconds: a length in ms would tell something about the
    names in it to whoever knows all players and this program.
    """
    reaches = [_reach(task, own, count, limit) for own in task.told]
    low, high = max(low for low, _ in reaches), min(high for _, high in reaches)
    if low > high:
        return
    pauses = (count - 1) * task.pause
    if task.reminders:
        whole = (second - pauses for second in range(int(low + pauses), int(high + pauses) + 1))
        yield from sorted((total for total in whole if low <= total <= high), key=lambda total: abs(total - natural))
    yield min(max(natural, low), high)
    if task.reminders:
        yield from (low + (high - low) * step / 8 for step in range(9))


def _reach(task: _Task, own: tuple[float, ...], count: int, limit: float) -> tuple[float, float]:
    """Return the shortest and the longest that a whisper can last."""
    lengths = sorted(task.reminders * task.rounds)
    missing = count - len(own)
    shortest, longest = sum(lengths[:missing]), sum(lengths[len(lengths) - missing :])
    return (sum(own) + shortest) / (1 + limit), (sum(own) + longest) / (1 - limit)


def _fitted(task: _Task, own: tuple[float, ...], ends: tuple[float, ...], limit: float) -> Part | None:
    """Return the reminders and lengths with which a whisper's sentences end nearest to `ends`, and exactly at the last.

    None if no choice within `limit` ends there.
    """
    kept = [_Beginning(0.0, 0.0, ())]
    for place, end in enumerate(ends):
        if place < len(own):
            kept = [_longer(one, own[place], end, limit) for one in kept]
        else:
            grown = (_reminded(task, one, number, end, limit) for one in kept for number in _left(task, one))
            kept = sorted(grown, key=lambda one: (one.cost, one.reminders))[:_KEPT]
    choices = (one.reminders for one in kept)
    fitting = ((chosen, _lengths(_spoken(task, own, chosen), ends, limit)) for chosen in choices)
    return next((Part(chosen, lengths) for chosen, lengths in fitting if lengths is not None), None)


def _left(task: _Task, one: _Beginning) -> list[int]:
    """Return the reminders that may still be taken."""
    return [number for number in range(len(task.reminders)) if one.reminders.count(number) < task.rounds]


def _longer(one: _Beginning, length: float, end: float, limit: float) -> _Beginning:
    """Return a beginning with one more sentence, which is to end at `end`."""
    wanted = min(max(end - one.end, length / (1 + limit)), length / (1 - limit))
    reached = one.end + wanted
    return _Beginning(one.cost + abs(reached - end) + _STRAIN * abs(wanted / length - 1), reached, one.reminders)


def _reminded(task: _Task, one: _Beginning, number: int, end: float, limit: float) -> _Beginning:
    longer = _longer(one, task.reminders[number], end, limit)
    return _Beginning(longer.cost + task.whims[number], longer.end, (*one.reminders, number))


def _spoken(task: _Task, own: tuple[float, ...], chosen: tuple[int, ...]) -> tuple[float, ...]:
    return own + tuple(task.reminders[number] for number in chosen)


def _lengths(natural: tuple[float, ...], ends: tuple[float, ...], limit: float) -> tuple[float, ...] | None:
    """Return lengths within `limit` that follow `ends` and reach the last exactly; None if that cannot be."""
    shortest = [length / (1 + limit) for length in natural]
    longest = [length / (1 - limit) for length in natural]
    if not natural or not sum(shortest) - 1e-9 <= ends[-1] <= sum(longest) + 1e-9:
        return None
    reached = [0.0]
    for place, end in enumerate(ends):
        low = max(reached[-1] + shortest[place], ends[-1] - sum(longest[place + 1 :]))
        high = min(reached[-1] + longest[place], ends[-1] - sum(shortest[place + 1 :]))
        reached.append(min(max(end, low), high))
    return tuple(after - before for before, after in pairwise((*reached[:-1], ends[-1])))


def _placed(task: _Task, own: tuple[float, ...], ends: tuple[float, ...]) -> Part:
    """Return a whisper that follows `ends` with a tempo as near to its own as can be."""
    tries = (_fitted(task, own, ends, limit) for limit in (EASY, WIDE, *STRETCHED) if len(own) <= len(ends))
    whole = ends[-1] + (len(ends) - 1) * task.pause
    return next((part for part in tries if part is not None), None) or _alone(own, whole, task.pause)


def _lasting(own: Sequence[float], pause: float) -> float:
    return sum(own) + max(0, len(own) - 1) * pause


def _alone(own: Sequence[float], whole: float, pause: float) -> Part:
    """Return a whisper without reminders, as near to `whole` s as its tempo may bring it."""
    wanted = (whole - max(0, len(own) - 1) * pause) / (sum(own) or 1.0)
    scale = min(max(wanted, 1 / (1 + WIDE)), 1 / (1 - WIDE))
    return Part((), tuple(length * scale for length in own))
