"""The questions before a game: a plan that is filled in step by step, and what is asked next."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import Enum
from random import Random

from gm_assistant.dialogue.grammar import player_wordings
from gm_assistant.dialogue.hearing import Unheard
from gm_assistant.dialogue.intents import Intent
from gm_assistant.dialogue.pack import LanguagePack
from gm_assistant.dialogue.wordings import normalized
from gm_assistant.errors import RuleViolation
from gm_assistant.rules.edition import Edition, FirstPresident
from gm_assistant.rules.model import Seat

LONGEST_NAME = 40
"""Characters."""


class Question(Enum):
    """What is asked, in this order."""

    LANGUAGE = "language"
    EDITION = "edition"
    COUNT = "count"
    NAME = "name"
    HEARING = "hearing"
    FIRST = "first"
    BLIND = "blind"
    DEAL = "deal"


QUESTION_INTENTS: Mapping[Question, frozenset[str]] = {
    Question.LANGUAGE: frozenset({"choose_language"}),
    Question.EDITION: frozenset({"choose_edition"}),
    Question.COUNT: frozenset({"player_count"}),
    Question.NAME: frozenset({"say_name", "no_name"}),
    Question.HEARING: frozenset({"keep_name_as"}),
    Question.FIRST: frozenset({"choose_first", "draw_first"}),
    Question.BLIND: frozenset({"is_blind", "everybody_is_blind", "nobody_is_blind"}),
    Question.DEAL: frozenset({"choose_deal"}),
}
"""Which intents answer a question."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What is known about the game to come."""

    language: str | None = None
    edition: str | None = None
    count: int | None = None
    names: tuple[str, ...] = ()
    first: Seat | None = None
    naming_blind: tuple[Seat, ...] = ()
    """Who has been named as blind so far."""
    blind: tuple[Seat, ...] | None = None
    """Who cannot see the cards, when all are named."""
    deal: str | None = None
    """How the assistant learns the roles."""
    private: bool = False
    """There is a headset to whisper into."""
    unheard: tuple[Unheard, ...] | None = None
    """Names that the recogniser cannot hear and about which nobody has decided; None: nobody has looked."""

    @property
    def question(self) -> Question | None:
        """The next question, None when everything is known."""
        missing = {
            Question.LANGUAGE: self.language is None,
            Question.EDITION: self.edition is None,
            Question.COUNT: self.count is None,
            Question.NAME: self.count is not None and len(self.names) < self.count,
            Question.HEARING: bool(self.unheard),
            Question.FIRST: self.first is None,
            Question.BLIND: self.private and self.blind is None,
            Question.DEAL: self.private and self.deal is None,
        }
        return next((question for question, open_ in missing.items() if open_), None)


def with_count(plan: Plan, count: int, edition: Edition) -> Plan:
    """Return the plan for `count` players. Raise RuleViolation("wrong-number-of-players")."""
    limits = edition.players
    if not limits.least <= count <= limits.most:
        raise RuleViolation("wrong-number-of-players", number=count, least=limits.least, most=limits.most)
    return replace(plan, count=count, names=(), unheard=None)


def with_name(plan: Plan, name: str, pack: LanguagePack) -> Plan:
    """Return the plan with the name of the next seat.

    Raise RuleViolation for a name that is empty, too long, without a letter, there already, or another seat's number.
    """
    seat, clean = len(plan.names) + 1, cleaned(name)
    if not clean:
        raise RuleViolation("empty-name", number=seat)
    if len(clean) > LONGEST_NAME:
        raise RuleViolation("long-name", number=seat, most=LONGEST_NAME)
    if not normalized(clean):
        raise RuleViolation("unspeakable-name", number=seat)
    if normalized(clean).casefold() in (normalized(other).casefold() for other in plan.names):
        raise RuleViolation("doubled-name", name=clean)
    seats = player_wordings(pack, ("",) * (plan.count or seat))
    if seats.get(normalized(clean), seat) != seat:
        raise RuleViolation("confusing-name", name=clean, number=seat)
    return replace(plan, names=(*plan.names, clean))


def with_names(plan: Plan, names: tuple[str, ...], edition: Edition, pack: LanguagePack) -> Plan:
    """Return the plan with all names in seating order. Raise RuleViolation as `with_count` and `with_name` do."""
    plan = with_count(plan, len(names), edition)
    for name in names:
        plan = with_name(plan, name, pack)
    return plan


def with_word(plan: Plan, number: int) -> Plan:
    """Return the plan in which it is decided how the first name that cannot be heard is called: 0 by seat only.

    Raise RuleViolation("no-such-word") if no word with that number was offered.
    """
    first, *others = plan.unheard or (Unheard(""),)
    if not 0 <= number <= len(first.words):
        raise RuleViolation("no-such-word", most=len(first.words))
    return replace(plan, unheard=tuple(others))


def with_first(plan: Plan, name: str, pack: LanguagePack) -> Plan:
    """Return the plan with the first president, by name or seat. Raise RuleViolation("no-such-player")."""
    return replace(plan, first=_seat(plan, name, pack))


def _seat(plan: Plan, name: str, pack: LanguagePack) -> Seat:
    seat = player_wordings(pack, plan.names).get(normalized(name))
    if seat is None:
        raise RuleViolation("no-such-player", name=cleaned(name), names=", ".join(plan.names))
    return int(seat)


def with_blind(plan: Plan, seat: Seat) -> Plan:
    """Return the plan with one more player named as blind."""
    named = tuple(sorted({*plan.naming_blind, seat}))
    return replace(plan, naming_blind=named, blind=named if len(named) == len(plan.names) else None)


def with_all_blind(plan: Plan, names: tuple[str, ...], pack: LanguagePack) -> Plan:
    """Return the plan with all the blind players, by name or seat. Raise RuleViolation("no-such-player")."""
    return replace(plan, blind=tuple(sorted({_seat(plan, name, pack) for name in names})))


def drawn(plan: Plan, random: Random, edition: Edition) -> Plan:
    """Return the plan with what chance decides: who begins, and the order of play too where the edition draws it."""
    seats = tuple(random.sample(range(1, len(plan.names) + 1), len(plan.names)))
    if edition.first_president is not FirstPresident.DRAWN:
        return replace(plan, first=seats[0])
    blind = None if plan.blind is None else tuple(new for new, seat in enumerate(seats, 1) if seat in plan.blind)
    return replace(plan, names=tuple(plan.names[seat - 1] for seat in seats), first=1, blind=blind)


def cleaned(name: str) -> str:
    """Return a name without control characters, with single spaces, in NFC."""
    plain = unicodedata.normalize("NFC", name)
    visible = "".join(" " if unicodedata.category(sign).startswith(("C", "Z")) else sign for sign in plain)
    return " ".join(visible.split())


def answered(plan: Plan, intent: Intent, edition: Edition | None, pack: LanguagePack, seat_name: str) -> Plan:
    """Return the plan after an answer. `seat_name` is what a player without a name is called."""
    match intent.name:
        case "choose_language":
            return replace(plan, language=intent.word("language"))
        case "choose_edition":
            return replace(plan, edition=intent.word("edition"))
        case "player_count":
            assert edition is not None  # noqa: S101 - asked only after the edition
            return with_count(plan, intent.number("number"), edition)
        case "say_name":
            return with_name(plan, intent.word("first_name"), pack)
        case "no_name":
            return with_name(plan, seat_name, pack)
        case "keep_name_as":
            return with_word(plan, intent.number("number"))
        case "is_blind":
            return with_blind(plan, intent.number("player"))
        case "everybody_is_blind":
            return replace(plan, blind=tuple(range(1, len(plan.names) + 1)))
        case "nobody_is_blind":  # or nobody else
            return replace(plan, blind=plan.naming_blind)
        case "choose_deal":
            return replace(plan, deal=intent.word("deal"))
        case _:
            return replace(plan, first=intent.number("player"))
