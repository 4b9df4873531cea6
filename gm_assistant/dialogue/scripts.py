"""Longer texts that are read out in one go, computed from the view."""

from __future__ import annotations

from collections.abc import Iterator

from gm_assistant.dialogue.messages import Fact, Message, Messages, Term, message
from gm_assistant.rules.edition import Rules, StartLaws
from gm_assistant.rules.model import Party, Power, Role
from gm_assistant.rules.views import TableView


def board_set_up(view: TableView) -> Messages:
    """Return how the board is laid out at the start: powers from the first field on, laws, tracker, roles."""
    return (
        message("set-up-strips", view, number=view.rules.players),
        *powers_of_fields(view.rules),
        *start_laws(view.rules),
        message("set-up-peg", view),
        Message("set-up-tokens", role_counts(view.rules)),
    )


def role_counts(rules: Rules) -> dict[str, Fact]:
    """Return how many of each role play, as facts of a message: liberals, fascists, dictators."""
    return {f"{role}s": rules.roles.of(role) for role in Role}


def powers_of_fields(rules: Rules) -> Messages:
    """Return what each field of the fascist strip gives."""
    return tuple(_fields(rules))


def start_laws(rules: Rules) -> Messages:
    """Return where the laws lie when the game begins."""
    return tuple(_start_laws(rules))


def _fields(rules: Rules) -> Iterator[Message]:
    for field in range(1, rules.fields.fascist + 1):
        power = rules.power_at(field)
        if power is Power.NONE:
            yield Message("set-up-empty-field", {"number": field})
        else:
            yield Message("set-up-inlay", {"number": field, "power": Term(power.value)})


def _start_laws(rules: Rules) -> Iterator[Message]:
    enacted, discarded = rules.start.enacted, rules.start.discarded
    if enacted.total + discarded.total == 0:
        yield Message("set-up-laws", {"number": rules.laws.total})
        return
    yield from (Message(f"set-up-enacted-{party}", {"number": _of(enacted, party)}) for party in _lying(enacted))
    yield from (Message(f"set-up-discarded-{party}", {"number": _of(discarded, party)}) for party in _lying(discarded))
    yield Message("set-up-rest", {"number": rules.laws.total - enacted.total - discarded.total})


def _lying(laws: StartLaws) -> Iterator[Party]:
    return (party for party in Party if _of(laws, party))


def _of(laws: StartLaws, party: Party) -> int:
    return laws.liberal if party is Party.LIBERAL else laws.fascist
