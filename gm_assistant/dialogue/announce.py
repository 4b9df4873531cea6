"""What is said at the table after something happened: what was recorded, what follows, what hands must do."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain
from typing import Any

from gm_assistant.dialogue.messages import Message, Messages, message
from gm_assistant.rules import events as happened
from gm_assistant.rules.events import Event
from gm_assistant.rules.model import Cause, Election, Nomination, Party, Power
from gm_assistant.rules.views import TableView


def announce(events: tuple[Event, ...], lying: TableView, after: TableView) -> Messages:
    """Return what is said of `events`.

    `lying` is the board as it lies on the table (before the hands moved), `after` as it has to become.
    """
    told = [tuple(_TELLERS[type(event)](event, after)) for event in events]
    moved = next((place for place, event in enumerate(events, 1) if isinstance(event, _MOVING)), len(events))
    back = _given_back(events, lying, after)
    spoken = chain(back, *told[:moved], hand_moves(lying, after), *told[moved:], prompt(after))
    return tuple(spoken)


def recorded(events: tuple[Event, ...], view: TableView) -> Messages:
    """Return in one sentence or two what a step recorded, without its consequences."""
    return next((told for event in events if (told := tuple(_TELLERS[type(event)](event, view))[:1])), ())


def retold(events: tuple[Event, ...], view: TableView) -> Messages:
    """Return a step and everything that followed from it, without what hands had to do."""
    return tuple(chain.from_iterable(_TELLERS[type(event)](event, view) for event in events))


def taken_back(lying: TableView, after: TableView) -> Messages:
    """Return what hands must do so that the board is again as it was, after an undo or redo."""
    return (*hand_moves(lying, after), *_people_back(lying, after), *_trays_back(lying, after))


def hand_moves(lying: TableView, after: TableView) -> Iterator[Message]:
    """Yield what to do with the peg and the strips so that the board `lying` there becomes `after`."""
    yield from _laws_moved(lying, after)
    if after.tracker == lying.tracker:
        return
    if after.tracker == 0:
        yield message("peg-to-start", after)
    else:
        yield message("peg-on" if after.tracker == lying.tracker + 1 else "peg-to", after, number=after.tracker)


def prompt(view: TableView) -> Iterator[Message]:
    """Yield the shortest hint at what comes now, where the events have not said it already."""
    match view.phase:
        case Nomination():
            yield message("prompt-nomination", view)
        case Election(votes=()):
            yield message("prompt-election", view)
        case _:
            return


def _laws_moved(lying: TableView, after: TableView) -> Iterator[Message]:
    for party in Party:
        for number in range(lying.laws(party), after.laws(party), -1):
            yield message("take-law-out", after, party=party, number=number)
    for party in Party:
        for number in range(lying.laws(party) + 1, after.laws(party) + 1):
            yield message("put-law", after, party=party, number=number)
            if party is Party.FASCIST and (power := after.power_at(number)) is not Power.NONE:
                yield message("inlay-under", after, power=power)


def _people_back(lying: TableView, after: TableView) -> Iterator[Message]:
    for seat in sorted(set(after.alive) - set(lying.alive)):
        yield message("alive-again", after, player=seat)
    for seat in sorted(set(lying.alive) - set(after.alive)):
        yield message("dead-again", after, player=seat)
    if lying.president != after.president:
        yield message("sign-back", after, president=after.president)


def _given_back(events: tuple[Event, ...], lying: TableView, after: TableView) -> Iterator[Message]:
    """Yield what a correction brings back; any other step brings nothing back."""
    kinds = {type(event) for event in events}
    for seat in sorted(set(after.alive) - set(lying.alive)):
        yield message("alive-again", after, player=seat)
    if lying.president != after.president and happened.PresidencyPassed not in kinds:
        yield message("sign-back", after, president=after.president)
    if lying.in_hand and not after.in_hand and not kinds & {happened.LawEnacted, happened.GameAbandoned}:
        yield trays(after)


def _trays_back(lying: TableView, after: TableView) -> Iterator[Message]:
    if (lying.draw_pile, lying.discard_pile, lying.in_hand) != (after.draw_pile, after.discard_pile, after.in_hand):
        yield trays(after)


def trays(view: TableView) -> Message:
    """Return how many laws lie in each tray, and in hand if any are."""
    key = "trays-and-hand" if view.in_hand else "trays"
    return message(key, view, draw=view.draw_pile, discard=view.discard_pile, hand=view.in_hand)


_MOVING = (happened.GovernmentElected, happened.ElectionFailed, happened.LawEnacted)
"""After these the hands move something."""


def _nominated(event: happened.ChancellorNominated, view: TableView) -> Iterator[Message]:
    yield message("nominated", view, player=event.seat)
    if view.danger:
        yield message("danger-of-election", view, player=event.seat)


def _vote_cast(event: happened.VoteCast, view: TableView) -> Iterator[Message]:
    key = "vote-cast-yes" if event.approves else "vote-cast-no"
    yield message(key, view, player=event.seat)
    if isinstance(view.phase, Election):
        yield message("votes-missing", view, number=len(view.alive) - len(view.phase.votes))


def _elected(event: happened.GovernmentElected, view: TableView) -> Iterator[Message]:
    yield message("elected" if event.yes is None else "elected-count", view, yes=event.yes, no=event.no)


def _failed(event: happened.ElectionFailed, view: TableView) -> Iterator[Message]:
    key = "failed" if event.yes is None else "failed-tie" if event.yes == event.no else "failed-count"
    yield message(key, view, yes=event.yes, no=event.no)


def _asked(event: happened.DictatorAsked, view: TableView) -> Iterator[Message]:
    yield message("ask-dictator", view, player=event.seat)


def _denied(event: happened.DictatorDenied, view: TableView) -> Iterator[Message]:
    yield message("is-not-dictator", view, player=event.seat)


def _confirmed(event: happened.DictatorConfirmed, view: TableView) -> Iterator[Message]:
    yield message("is-dictator", view, player=event.seat)


def _session(event: happened.SessionOpened, view: TableView) -> Iterator[Message]:
    yield message("session", view, president=event.president, number=event.drawn)


def _chaos(_: happened.ChaosBegan, view: TableView) -> Iterator[Message]:
    yield message("chaos", view)


def _enacted(event: happened.LawEnacted, view: TableView) -> Iterator[Message]:
    yield message("law-enacted", view, party=event.party, number=event.number)
    if event.party is not Party.FASCIST:
        return
    if event.by_chaos and view.power_at(event.number) is not Power.NONE:
        yield message("no-power-by-chaos", view)
    if event.number == view.edition.danger_from:
        yield message("danger-begins", view)


def _granted(event: happened.PowerGranted, view: TableView) -> Iterator[Message]:
    yield message(f"power-{event.power}", view, president=event.president)


def _used(event: happened.PowerUsed, view: TableView) -> Iterator[Message]:
    if event.target is not None:
        yield message(f"used-{event.power}", view, player=event.target)
    else:
        yield message("used-looking", view)


def _shuffle_due(event: happened.ShuffleDue, view: TableView) -> Iterator[Message]:
    yield message("shuffle-due", view, number=event.left)


def _shuffled(event: happened.PilesShuffled, view: TableView) -> Iterator[Message]:
    yield message("shuffled", view, number=event.draw_pile)


def _passed_on(event: happened.PresidencyPassed, view: TableView) -> Iterator[Message]:
    yield message("next-president", view, president=event.president)
    if view.limits_lifted:
        yield message("limits-lifted", view)


def _won(event: happened.GameWon, view: TableView) -> Iterator[Message]:
    number = view.edition.fields[event.party] if event.cause is Cause.LAWS else 0
    yield message(f"won-{event.cause}", view, party=event.party, number=number)


def _abandoned(_: happened.GameAbandoned, view: TableView) -> Iterator[Message]:
    yield message("abandoned", view)


def _started(event: happened.GameStarted, view: TableView) -> Iterator[Message]:
    yield message("started", view, players=tuple(range(1, len(event.players) + 1)))
    yield message("first-president", view, president=event.first)


def _nothing(_: happened.RolesDealt | happened.MagnifierReserved, __: TableView) -> Iterator[Message]:
    """Say nothing: what was dealt is secret, and the magnifier is announced to the next president."""
    yield from ()


_TELLERS: dict[type, Callable[[Any, TableView], Iterator[Message]]] = {
    happened.GameStarted: _started,
    happened.RolesDealt: _nothing,
    happened.ChancellorNominated: _nominated,
    happened.VoteCast: _vote_cast,
    happened.GovernmentElected: _elected,
    happened.ElectionFailed: _failed,
    happened.DictatorAsked: _asked,
    happened.DictatorDenied: _denied,
    happened.DictatorConfirmed: _confirmed,
    happened.SessionOpened: _session,
    happened.ChaosBegan: _chaos,
    happened.LawEnacted: _enacted,
    happened.MagnifierReserved: _nothing,
    happened.PowerGranted: _granted,
    happened.PowerUsed: _used,
    happened.ShuffleDue: _shuffle_due,
    happened.PilesShuffled: _shuffled,
    happened.PresidencyPassed: _passed_on,
    happened.GameWon: _won,
    happened.GameAbandoned: _abandoned,
}
