"""Fold events into a state. No rules live here, and nothing is refused."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import reduce
from typing import Any

from gm_assistant.rules import events as happened
from gm_assistant.rules.edition import Edition
from gm_assistant.rules.events import Event
from gm_assistant.rules.model import (
    Cause,
    Chaos,
    DictatorFound,
    DictatorQuestion,
    Election,
    GameOver,
    GameState,
    Government,
    GovernmentFormed,
    LawLaid,
    LegislativeSession,
    Nomination,
    PlayerDown,
    Power,
    PowerPending,
    RoundOver,
    ShufflePending,
)


def begin(edition: Edition, started: happened.GameStarted) -> GameState:
    """Return the state right after the first event."""
    return GameState(
        edition=edition,
        players=started.players,
        alive=frozenset(range(1, len(started.players) + 1)),
        president=started.first,
        rotation=started.first,
        draw_pile=sum(edition.laws.values()),
        discard_pile=0,
    )


def apply(state: GameState, event: Event) -> GameState:
    """Return the state after `event`."""
    return _APPLIERS[type(event)](state, event)


def replay(edition: Edition, events: Iterable[Event]) -> GameState:
    """Return the state after all events; the first must be GameStarted."""
    first, *rest = events
    assert isinstance(first, happened.GameStarted)  # noqa: S101 - the journal checks what it reads
    return reduce(apply, rest, begin(edition, first))


def _roles_dealt(state: GameState, event: happened.RolesDealt) -> GameState:
    return replace(state, roles=event.roles)


def _nominated(state: GameState, event: happened.ChancellorNominated) -> GameState:
    return replace(state, phase=Election(event.seat))


def _vote_cast(state: GameState, event: happened.VoteCast) -> GameState:
    election = state.phase
    assert isinstance(election, Election)  # noqa: S101 - decide makes this event in no other phase
    others = tuple(vote for vote in election.votes if vote[0] != event.seat)
    return replace(state, phase=replace(election, votes=(*others, (event.seat, event.approves))))


def _elected(state: GameState, event: happened.GovernmentElected) -> GameState:
    return replace(state, tracker=0, chancellor=event.chancellor, phase=GovernmentFormed(safe=not state.danger))


def _failed(state: GameState, event: happened.ElectionFailed) -> GameState:
    return replace(state, tracker=event.tracker, phase=RoundOver())


def _asked(state: GameState, event: happened.DictatorAsked) -> GameState:
    return replace(state, phase=DictatorQuestion(event.seat, event.cause))


def _denied(state: GameState, _: happened.DictatorDenied) -> GameState:
    question = state.phase
    assert isinstance(question, DictatorQuestion)  # noqa: S101 - decide makes this event in no other phase
    elected = question.cause is Cause.DICTATOR_ELECTED
    return replace(state, phase=GovernmentFormed(safe=True) if elected else RoundOver())


def _confirmed(state: GameState, _: happened.DictatorConfirmed) -> GameState:
    question = state.phase
    assert isinstance(question, DictatorQuestion)  # noqa: S101 - decide makes this event in no other phase
    return replace(state, phase=DictatorFound(question.cause))


def _session_opened(state: GameState, event: happened.SessionOpened) -> GameState:
    return replace(state, draw_pile=state.draw_pile - event.drawn, phase=LegislativeSession(event.drawn))


def _chaos_began(state: GameState, _: happened.ChaosBegan) -> GameState:
    return replace(state, phase=Chaos())


def _enacted(state: GameState, event: happened.LawEnacted) -> GameState:
    laws = tuple((party, number + (party is event.party)) for party, number in state.enacted)
    after = replace(state, enacted=laws, phase=LawLaid(event.party, event.by_chaos))
    if event.by_chaos:
        return replace(after, draw_pile=state.draw_pile - 1, tracker=0)
    return replace(after, discard_pile=state.discard_pile + state.in_hand - 1)


def _reserved(state: GameState, _: happened.MagnifierReserved) -> GameState:
    return replace(state, magnifier_reserved=True, phase=RoundOver())


def _granted(state: GameState, event: happened.PowerGranted) -> GameState:
    still_reserved = state.magnifier_reserved and event.power is not Power.MAGNIFIER
    return replace(state, magnifier_reserved=still_reserved, phase=PowerPending(event.power))


def _used(state: GameState, event: happened.PowerUsed) -> GameState:
    if event.power is Power.MAGNIFIER:
        return replace(state, phase=Nomination())
    if event.power is Power.SPECIAL_ELECTION:
        return replace(state, special_president=event.target, phase=RoundOver())
    if event.power is Power.EXECUTION and event.target is not None:
        return replace(state, alive=state.alive - {event.target}, phase=PlayerDown(event.target))
    return replace(state, phase=RoundOver())


def _shuffle_due(state: GameState, _: happened.ShuffleDue) -> GameState:
    return replace(state, phase=ShufflePending(state.phase))


def _shuffled(state: GameState, event: happened.PilesShuffled) -> GameState:
    waiting = state.phase
    assert isinstance(waiting, ShufflePending)  # noqa: S101 - decide makes this event in no other phase
    return replace(state, draw_pile=event.draw_pile, discard_pile=0, phase=waiting.then)


def _passed_on(state: GameState, event: happened.PresidencyPassed) -> GameState:
    return replace(
        state,
        previous=Government(state.president, state.chancellor),
        president=event.president,
        rotation=state.rotation if event.special else event.president,
        chancellor=None,
        special_president=None,
        phase=Nomination(),
    )


def _won(state: GameState, event: happened.GameWon) -> GameState:
    return replace(state, phase=GameOver(event.party, event.cause))


def _abandoned(state: GameState, _: happened.GameAbandoned) -> GameState:
    return replace(state, phase=GameOver(None, Cause.ABANDONED))


_APPLIERS: dict[type, Callable[[GameState, Any], GameState]] = {
    happened.RolesDealt: _roles_dealt,
    happened.ChancellorNominated: _nominated,
    happened.VoteCast: _vote_cast,
    happened.GovernmentElected: _elected,
    happened.ElectionFailed: _failed,
    happened.DictatorAsked: _asked,
    happened.DictatorDenied: _denied,
    happened.DictatorConfirmed: _confirmed,
    happened.SessionOpened: _session_opened,
    happened.ChaosBegan: _chaos_began,
    happened.LawEnacted: _enacted,
    happened.MagnifierReserved: _reserved,
    happened.PowerGranted: _granted,
    happened.PowerUsed: _used,
    happened.ShuffleDue: _shuffle_due,
    happened.PilesShuffled: _shuffled,
    happened.PresidencyPassed: _passed_on,
    happened.GameWon: _won,
    happened.GameAbandoned: _abandoned,
}
