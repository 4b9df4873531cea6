"""Longer texts that are read out in one go, computed from the view."""

from __future__ import annotations

from collections.abc import Iterator

from gm_assistant.dialogue.messages import Fact, Message, Messages, message
from gm_assistant.rules.model import Party, Power, Role
from gm_assistant.rules.views import TableView


def board_set_up(view: TableView) -> Messages:
    """Return how the board is laid out at the start: inlays from the notch, laws, peg."""
    return tuple(_board_set_up(view))


def role_counts(view: TableView) -> dict[str, Fact]:
    """Return how many of each role play, as facts of a message: liberals, fascists, dictators."""
    counts = view.edition.roles[len(view.players)]
    return {f"{role}s": counts[role] for role in Role}


def _board_set_up(view: TableView) -> Iterator[Message]:
    yield message("set-up-strips", view, number=len(view.players))
    yield from _inlays(view)
    yield message("set-up-laws", view, number=sum(view.edition.laws.values()))
    yield message("set-up-peg", view)
    yield Message("set-up-tokens", role_counts(view))


def _inlays(view: TableView) -> Iterator[Message]:
    for field in range(1, view.edition.fields[Party.FASCIST] + 1):
        power = view.power_at(field)
        if power is Power.NONE:
            yield message("set-up-empty-field", view, number=field)
        else:
            yield message("set-up-inlay", view, number=field, power=power)
