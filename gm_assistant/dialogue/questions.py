"""Questions of the assistant that wait for an answer, and what an answer makes of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from gm_assistant.dialogue.intents import Ambiguous, Intent, Parsed
from gm_assistant.rules.model import Election, Seat
from gm_assistant.rules.views import TableView


@dataclass(frozen=True, slots=True)
class Whom:
    """Part of a command is missing: "nominate" - "Whom?" - "Ben"."""

    intent: Intent
    slot: str
    """What is missing: "player" or "party"."""


@dataclass(frozen=True, slots=True)
class Which:
    """Words that can mean several things, or a name that sounds like another one: "Anna or Ben?"."""

    candidates: tuple[Intent, ...]


@dataclass(frozen=True, slots=True)
class Confirm:
    """What was meant cannot be unsaid, or ends something for good: it is done after two words only."""

    intent: Intent


@dataclass(frozen=True, slots=True)
class RollCall:
    """Everybody alive is asked for a vote, one after the other by seat."""


Question = Whom | Which | Confirm | RollCall


@dataclass(frozen=True, slots=True)
class Meant:
    """An answer that says what was meant."""

    intent: Intent
    sure: bool = False
    """It was asked which one was meant: that is not asked again."""
    confirmed: bool = False
    """It was asked whether it should be done: that is not asked again."""


@dataclass(frozen=True, slots=True)
class Declined:
    """Somebody does not want what was to be confirmed."""


@dataclass(frozen=True, slots=True)
class OneWordOnly:
    """A bare yes is not enough for what cannot be unsaid."""


Answer = Meant | Declined | OneWordOnly | Ambiguous

_ANSWERS: dict[type, frozenset[str]] = {
    Whom: frozenset({"name_player"}),
    Which: frozenset({"name_player", "choose_number"}),
    Confirm: frozenset({"confirm", "decline", "answer_yes", "answer_no"}),
    RollCall: frozenset({"answer_yes", "answer_no", "cast_vote"}),
}


def answers(question: Question | None) -> frozenset[str]:
    """Return the intents that can answer a question; none if nothing is asked."""
    return frozenset() if question is None else _ANSWERS[type(question)]


def answered(question: Question, parsed: Parsed, view: TableView) -> Answer | None:
    """Return what words make of a question, None if they do not answer it."""
    if isinstance(parsed, Ambiguous):
        return _one_of(question, parsed, view)
    if not isinstance(parsed, Intent):
        return None
    match question:
        case Whom(intent, slot):
            return _filled(intent, slot, parsed)
        case Which(candidates):
            return _chosen(candidates, parsed)
        case Confirm(intent):
            return _confirmed(intent, parsed)
        case RollCall():
            return _voted(parsed, view)


def next_in_roll_call(view: TableView) -> Seat | None:
    """Return who is asked next for a vote: the first alive by seat without one; None if no open vote runs."""
    if not isinstance(view.phase, Election):
        return None
    voted = {seat for seat, _ in view.phase.votes}
    return next((seat for seat in view.alive if seat not in voted), None)


def last_in_roll_call(view: TableView) -> Seat | None:
    """Return whose vote was taken last; None if no open vote runs or none was taken."""
    return view.phase.votes[-1][0] if isinstance(view.phase, Election) and view.phase.votes else None


def differ_by_player(candidates: tuple[Intent, ...]) -> bool:
    """Return whether several meanings differ in nothing but the player."""
    rests = {
        (one.name, frozenset((name, slot) for name, slot in one.slots.items() if name != "player"))
        for one in candidates
    }
    return len(rests) == 1 and all("player" in one.slots for one in candidates)


def _one_of(question: Question, parsed: Ambiguous, view: TableView) -> Answer | None:
    """Return the only meaning that answers the question; several of them are still several."""
    found = [answered(question, intent, view) for intent in parsed.candidates]
    fitting = [answer for answer in found if answer is not None]
    if len(fitting) == 1:
        return fitting[0]
    meant = tuple(answer.intent for answer in fitting if isinstance(answer, Meant))
    return Ambiguous(meant) if len(meant) > 1 else None


def _filled(intent: Intent, slot: str, answer: Intent) -> Answer | None:
    if answer.name != "name_player" or slot != "player":
        return None
    slots = {**intent.slots, "player": answer.number("player")}
    return Meant(replace(intent, slots=slots, by_name=answer.by_name))


def _chosen(candidates: tuple[Intent, ...], answer: Intent) -> Answer | None:
    fitting = list(_fitting(candidates, answer))
    return Meant(fitting[0], sure=True) if len(fitting) == 1 else None


def _fitting(candidates: tuple[Intent, ...], answer: Intent) -> Iterator[Intent]:
    if answer.name == "choose_number":
        yield from candidates[answer.number("number") - 1 :][:1] if answer.number("number") > 0 else ()
    elif answer.name == "name_player":
        yield from (one for one in candidates if one.slots.get("player") == answer.number("player"))
    else:
        yield from (one for one in candidates if one == answer)


def _confirmed(intent: Intent, answer: Intent) -> Answer | None:
    match answer.name:
        case "confirm":
            return Meant(intent, sure=True, confirmed=True)
        case "decline" | "answer_no":
            return Declined()
        case "answer_yes":
            return OneWordOnly()
        case _:
            return None


def _voted(answer: Intent, view: TableView) -> Answer | None:
    seat = last_in_roll_call(view) if answer.correction else next_in_roll_call(view)
    if answer.name == "cast_vote":
        return Meant(answer, sure=answer.number("player") == seat)
    if seat is None or answer.name not in ("answer_yes", "answer_no"):
        return None
    vote = "yes" if answer.name == "answer_yes" else "no"
    return Meant(Intent("cast_vote", {"player": seat, "vote": vote}, answer.correction), sure=True)
