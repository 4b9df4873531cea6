"""Answers to questions, each a function of the view that everybody at the table may have."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from gm_assistant.dialogue.hands import trays
from gm_assistant.dialogue.intents import Intent
from gm_assistant.dialogue.messages import Message, Messages, message
from gm_assistant.dialogue.now import lifted, now, situation
from gm_assistant.dialogue.rulebook import TOPICS
from gm_assistant.dialogue.scripts import board_set_up, role_counts
from gm_assistant.dialogue.why import (
    why_dictator,
    why_law_after_veto,
    why_no_power,
    why_over,
    why_president,
    why_shuffle,
    why_tracker,
)
from gm_assistant.rules.edition import Material
from gm_assistant.rules.model import Election, Nomination, Party, Power, PowerPending, SecretBallot
from gm_assistant.rules.views import TableView

Answer = Callable[[Intent, TableView], Messages]


def _who_may(_: Intent, view: TableView) -> Messages:
    return (*lifted(view), message("may-be-chancellor", view, players=view.eligible))


def _why_not(intent: Intent, view: TableView) -> Messages:
    seat = intent.number("player")
    bar = view.candidates[seat - 1].bar
    key = "may-be" if bar is None else f"barred-{bar}"
    return (message(key, view, player=seat, players=view.eligible, number=len(view.alive)),)


def _president(_: Intent, view: TableView) -> Messages:
    return (message("president-is", view, president=view.president),)


def _next(_: Intent, view: TableView) -> Messages:
    return (message("next-is", view, next=view.next_president),)


def _chancellor(_: Intent, view: TableView) -> Messages:
    if view.chancellor is not None:
        return (message("chancellor-is", view, chancellor=view.chancellor),)
    if isinstance(view.phase, Election | SecretBallot):
        return (message("candidate-is", view, candidate=view.phase.candidate),)
    return (message("no-chancellor", view),)


def _power_now(_: Intent, view: TableView) -> Messages:
    if isinstance(view.phase, PowerPending):
        number = view.rules.shown(view.draw_pile)
        return (message(f"power-{view.phase.power}", view, president=view.president, number=number),)
    if view.magnifier_reserved:
        return (message("power-lapsed-magnifier", view, power=Power.MAGNIFIER),)
    return (message("no-power-due", view),)


def _power_next(_: Intent, view: TableView) -> Messages:
    number = view.fascist_laws + 1
    if number > view.rules.fields.fascist:
        return (message("no-more-fields", view, party=Party.FASCIST),)
    if number == view.rules.fields.fascist:
        return (message("next-law-wins", view, party=Party.FASCIST, number=number),)
    power = view.power_at(number)
    if power is Power.NONE:
        return (message("next-law-without-power", view, number=number),)
    return message("next-law-power", view, number=number), message(f"explain-{power}", view, number=view.rules.peeked)


def _field(intent: Intent, view: TableView) -> Messages:
    party = Party(intent.word("strip")) if "strip" in intent.slots else Party.FASCIST
    number, fields = intent.number("field"), view.rules.fields.of(party)
    if not 1 <= number <= fields:
        return (message("no-such-field", view, party=party, number=number, fields=fields),)
    return tuple(_field_parts(view, party, number))


def _field_parts(view: TableView, party: Party, number: int) -> Iterator[Message]:
    laid = number <= view.laws(party)
    yield message("field-full" if laid else "field-empty", view, party=party, number=number)
    power = view.power_at(number) if party is Party.FASCIST else Power.NONE
    if power is not Power.NONE:
        yield message("inlay-under" if laid else "inlay-in", view, power=power)
    elif number == view.rules.fields.of(party):
        yield message("winning-field", view, party=party)


def _symbol(intent: Intent, view: TableView) -> Messages:
    symbol = intent.word("symbol")
    powers = {power.value for power in Power}
    there = symbol in view.rules.powers if symbol in powers else view.rules.material is Material.TACTILE
    if not there:
        return (message("no-such-symbol", view),)
    return (message(f"explain-{symbol}", view, number=view.rules.peeked),)


def _peg(_: Intent, view: TableView) -> Messages:
    left = view.rules.failed_elections_until_chaos - view.tracker
    key = "peg-at-start" if view.tracker == 0 else "peg-at" if left else "peg-at-end"
    return (message(key, view, number=view.tracker, left=left),)


def _laws(_: Intent, view: TableView) -> Messages:
    return tuple(
        message(f"laws-{party}", view, number=view.laws(party), missing=_missing(view, party)) for party in Party
    )


def _missing(view: TableView, party: Party) -> int:
    return view.rules.fields.of(party) - view.laws(party)


def _trays(_: Intent, view: TableView) -> Messages:
    return (trays(view),)


def _board(intent: Intent, view: TableView) -> Messages:
    named = isinstance(view.phase, Nomination)
    president = () if named else _president(intent, view)
    return (*_laws(intent, view), *_peg(intent, view), trays(view), *_dead(view), *president, *now(view))


def _set_up(_: Intent, view: TableView) -> Messages:
    return board_set_up(view)


def _alive(_: Intent, view: TableView) -> Messages:
    dead = _dead(view)
    if not dead:
        return (message("all-alive", view, number=len(view.players)),)
    return message("alive", view, players=view.alive), *dead


def _dead(view: TableView) -> Messages:
    dead = tuple(seat for seat in range(1, len(view.players) + 1) if seat not in view.alive)
    return (message("dead", view, players=dead),) if dead else ()


def _seating(_: Intent, view: TableView) -> Messages:
    return tuple(message("seat-of", view, number=seat, player=seat) for seat in range(1, len(view.players) + 1))


def _who_sits(intent: Intent, view: TableView) -> Messages:
    seat = intent.number("player")
    return (message("seat-of", view, number=seat, player=seat),)


def _roles(_: Intent, view: TableView) -> Messages:
    return (Message("roles", role_counts(view.rules)),)


def _rule(intent: Intent, view: TableView) -> Messages:
    return TOPICS[intent.word("topic")](view.rules)


def _investigated(_: Intent, view: TableView) -> Messages:
    seats = view.investigated
    return (message("investigated" if seats else "nobody-investigated", view, players=seats),)


def _cleared(_: Intent, view: TableView) -> Messages:
    seats = view.cleared
    return (message("cleared" if seats else "nobody-cleared", view, players=seats),)


def _now(_: Intent, view: TableView) -> Messages:
    return now(view)


def _help(_: Intent, view: TableView) -> Messages:
    return (*now(view), message("help", view))


def examples(view: TableView) -> Messages:
    """Return what can be said in this situation, by examples."""
    return (message(f"examples-{situation(view)}", view),)


def _examples(_: Intent, view: TableView) -> Messages:
    return *examples(view), message("examples-always", view)


TABLE_ANSWERS: Mapping[str, Answer] = {
    "who_may_be_chancellor": _who_may,
    "why_not": _why_not,
    "who_is_president": _president,
    "who_is_next": _next,
    "who_is_chancellor": _chancellor,
    "power_now": _power_now,
    "power_next": _power_next,
    "field": _field,
    "symbol": _symbol,
    "peg": _peg,
    "law_counts": _laws,
    "tray_counts": _trays,
    "read_board": _board,
    "set_up_board": _set_up,
    "who_is_alive": _alive,
    "seating": _seating,
    "who_sits": _who_sits,
    "role_counts": _roles,
    "rule": _rule,
    "why_no_power": why_no_power,
    "why_tracker": why_tracker,
    "why_law_after_veto": why_law_after_veto,
    "why_dictator": why_dictator,
    "why_president": why_president,
    "why_over": why_over,
    "why_shuffle": why_shuffle,
    "who_is_investigated": _investigated,
    "who_is_cleared": _cleared,
    "what_now": _now,
    "help": _help,
    "what_can_i_say": _examples,
}
"""What the table is told. None of these functions can see a role."""
