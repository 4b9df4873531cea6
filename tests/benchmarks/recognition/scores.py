"""Counting: what was made of sentences, and lines that tell whether an aim is met."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum

from gm_assistant.dialogue.intents import Intent, NotUnderstood, Parsed


class Outcome(StrEnum):
    """What became of a sentence that was meant for the assistant."""

    RIGHT = "right"
    WRONG_COMMAND = "wrong command"
    """Another meaning was taken, and it would change something."""
    WRONG_ANSWER = "wrong answer"
    """Another meaning was taken, but it changes nothing."""
    ASKED = "asked back"
    """More than one meaning, or a part of one: the assistant asks."""
    REJECTED = "rejected"
    """Nothing was understood."""


def outcome(parsed: Parsed, wanted: Intent, changing: Iterable[str]) -> Outcome:
    """Return what became of a sentence that should mean `wanted`. Intents in `changing` change something."""
    if isinstance(parsed, NotUnderstood):
        return Outcome.REJECTED
    if not isinstance(parsed, Intent):
        return Outcome.ASKED
    if parsed == wanted:
        return Outcome.RIGHT
    return Outcome.WRONG_COMMAND if parsed.name in changing else Outcome.WRONG_ANSWER


@dataclass
class Score:
    """Outcomes of sentences in one condition; `losses` tell who was not understood, how, and what was heard."""

    outcomes: Counter[Outcome] = field(default_factory=Counter)
    losses: list[str] = field(default_factory=list)
    by_group: dict[str, Counter[Outcome]] = field(default_factory=dict)

    def add(self, found: Outcome, loss: str, *groups: str) -> None:
        """Count one sentence, also for each of `groups` (its speaker, its intent)."""
        self.outcomes[found] += 1
        for group in groups:
            self.by_group.setdefault(group, Counter())[found] += 1
        if found is not Outcome.RIGHT:
            self.losses.append(f"{found}: {loss}")

    def merge(self, other: Score) -> None:
        """Count everything of another score, too."""
        self.outcomes += other.outcomes
        self.losses += other.losses
        for group, outcomes in other.by_group.items():
            self.by_group[group] = self.by_group.get(group, Counter()) + outcomes

    @property
    def number(self) -> int:
        """Return how many sentences were counted."""
        return self.outcomes.total()

    def percent(self, *outcomes: Outcome) -> float:
        """Return the share of some outcomes in percent; 0 without sentences."""
        return 100 * sum(self.outcomes[found] for found in outcomes) / self.number if self.number else 0.0

    def __str__(self) -> str:
        return ", ".join(f"{found} {self.percent(found):.1f} %" for found in Outcome) + f" of {self.number}"


def share(part: int, whole: int) -> float:
    """Return `part` of `whole` in percent; 0 of nothing."""
    return 100 * part / whole if whole else 0.0


def at_least(measure: str, value: float, aim: float, unit: str = "%") -> str:
    """Return a line for a value that should not be below its aim."""
    return _line(measure, value, f"at least {aim:g}", unit, met=value >= aim)


def at_most(measure: str, value: float, aim: float, unit: str = "%") -> str:
    """Return a line for a value that should not be above its aim."""
    return _line(measure, value, f"at most {aim:g}", unit, met=value <= aim)


def under(measure: str, value: float, aim: float, unit: str = "%") -> str:
    """Return a line for a value that should be below its aim."""
    return _line(measure, value, f"under {aim:g}", unit, met=value < aim)


def _line(measure: str, value: float, aim: str, unit: str, *, met: bool) -> str:
    after = f" {unit}" if unit else ""
    shown = f"{value:.0f}" if unit in ("times", "ms", "MB") and value >= 10 else f"{value:.2f}".rstrip("0").rstrip(".")
    return f"{measure}: {shown}{after}, aim {aim}{after}, {'met' if met else 'missed'}"
