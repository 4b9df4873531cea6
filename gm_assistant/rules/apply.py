"""Fold events into a state. No rules live here, and nothing is refused."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import reduce
from typing import Any

from msgspec.structs import replace

from gm_assistant.rules import events as happened
from gm_assistant.rules.edition import Basis, Edition, TrackerReset
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
    LastLaw,
    LawLaid,
    LegislativeSession,
    Nomination,
    Party,
    PlayerDown,
    Power,
    PowerPending,
    RoundOver,
    Seat,
    SecretElection,
    Setback,
    ShufflePending,
    VetoProposed,
)


def begin(edition: Edition, started: happened.GameStarted) -> GameState:
    """Return the state right after the first event."""
    rules = started.rules or edition.rules_for(len(started.players))
    enacted, discarded = rules.start.enacted, rules.start.discarded
    return GameState(
        rules=rules,
        players=started.players,
        alive=frozenset(range(1, len(started.players) + 1)),
        president=started.first,
        rotation=started.first,
        draw_pile=rules.laws.total - enacted.total - discarded.total,
        discard_pile=discarded.total,
        liberal_laws=enacted.liberal,
        fascist_laws=enacted.fascist,
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
    votes = {**dict(election.votes), event.seat: event.approves}
    return replace(state, phase=Election(election.candidate, tuple(sorted(votes.items()))))


def _ballot_opened(state: GameState, _: happened.SecretBallotOpened) -> GameState:
    election = state.phase
    assert isinstance(election, Election)  # noqa: S101 - decide makes this event in no other phase
    return replace(state, phase=SecretElection(election.candidate))


def _secret_vote_cast(state: GameState, event: happened.SecretVoteCast) -> GameState:
    return _with_secret_votes(state, ((event.seat, event.approves),))


def _missing_drawn(state: GameState, event: happened.MissingVotesDrawn) -> GameState:
    return _with_secret_votes(state, event.votes)


def _with_secret_votes(state: GameState, votes: tuple[tuple[Seat, bool], ...]) -> GameState:
    ballot = state.phase
    assert isinstance(ballot, SecretElection)  # noqa: S101 - decide makes such events in no other phase
    cast = {**dict(ballot.votes), **dict(votes)}
    return replace(state, phase=SecretElection(ballot.candidate, tuple(sorted(cast.items()))))


def _published(state: GameState, event: happened.VotesPublished) -> GameState:
    ballot = state.phase
    assert isinstance(ballot, SecretElection)  # noqa: S101 - decide makes this event in no other phase
    return replace(state, phase=Election(ballot.candidate, event.votes))


def _elected(state: GameState, event: happened.GovernmentElected) -> GameState:
    resets = state.rules.tracker_resets_on is TrackerReset.ELECTION
    return replace(
        state,
        setbacks=() if resets else state.setbacks,
        chancellor=event.chancellor,
        phase=GovernmentFormed(safe=not state.danger or _known(state, event.chancellor)),
    )


def _known(state: GameState, seat: Seat) -> bool:
    """Return whether the player has said no before, and need not say it again."""
    return seat in state.cleared and not state.rules.repeated_question


def _failed(state: GameState, _: happened.ElectionFailed) -> GameState:
    return replace(state, setbacks=(*state.setbacks, Setback.ELECTION), phase=RoundOver())


def _asked(state: GameState, event: happened.DictatorAsked) -> GameState:
    return replace(state, phase=DictatorQuestion(event.seat, event.cause))


def _denied(state: GameState, _: happened.DictatorDenied) -> GameState:
    question = state.phase
    assert isinstance(question, DictatorQuestion)  # noqa: S101 - decide makes this event in no other phase
    if question.cause is Cause.DICTATOR_ELECTED:
        return replace(state, cleared=state.cleared | {question.seat}, phase=GovernmentFormed(safe=True))
    return replace(state, phase=RoundOver())


def _confirmed(state: GameState, _: happened.DictatorConfirmed) -> GameState:
    question = state.phase
    assert isinstance(question, DictatorQuestion)  # noqa: S101 - decide makes this event in no other phase
    return replace(state, phase=DictatorFound(question.cause))


def _session_opened(state: GameState, event: happened.SessionOpened) -> GameState:
    return replace(
        state,
        draw_pile=state.draw_pile - event.drawn,
        peeked=max(state.peeked - event.drawn, 0),
        phase=LegislativeSession(event.drawn),
    )


def _veto_wanted(state: GameState, _: happened.VetoWanted) -> GameState:
    return replace(state, phase=VetoProposed(state.in_hand))


def _veto_agreed(state: GameState, _: happened.VetoAgreed) -> GameState:
    return replace(
        state,
        discard_pile=state.discard_pile + state.in_hand,
        setbacks=(*state.setbacks, Setback.VETO),
        phase=RoundOver(),
    )


def _veto_refused(state: GameState, _: happened.VetoRefused) -> GameState:
    return replace(state, phase=LegislativeSession(state.in_hand, veto_refused=True))


def _chaos_began(state: GameState, _: happened.ChaosBegan) -> GameState:
    return replace(state, phase=Chaos())


def _enacted(state: GameState, event: happened.LawEnacted) -> GameState:
    party, number = event.party, event.number
    laid = {"liberal_laws": number} if party is Party.LIBERAL else {"fascist_laws": number}
    if event.by_chaos:
        return replace(
            state,
            **laid,
            draw_pile=state.draw_pile - 1,
            peeked=max(state.peeked - 1, 0),
            setbacks=(),
            last_law=LastLaw(party, number, by_chaos=True, setbacks=state.setbacks),
            phase=LawLaid(party, by_chaos=True),
        )
    session = state.phase
    refused = isinstance(session, LegislativeSession) and session.veto_refused
    resets = state.rules.tracker_resets_on is TrackerReset.ENACTMENT
    return replace(
        state,
        **laid,
        discard_pile=state.discard_pile + state.in_hand - 1,
        setbacks=() if resets else state.setbacks,
        last_law=LastLaw(party, number, by_chaos=False, veto_refused=refused),
        phase=LawLaid(party, by_chaos=False),
    )


def _reserved(state: GameState, _: happened.MagnifierReserved) -> GameState:
    return replace(state, magnifier_reserved=True, phase=RoundOver())


def _granted(state: GameState, event: happened.PowerGranted) -> GameState:
    still_reserved = state.magnifier_reserved and event.power is not Power.MAGNIFIER
    return replace(state, magnifier_reserved=still_reserved, phase=PowerPending(event.power))


def _used(state: GameState, event: happened.PowerUsed) -> GameState:
    seat = event.target
    match event.power:
        case Power.MAGNIFIER:
            return replace(state, phase=Nomination())
        case Power.PEEK:
            return replace(state, peeked=state.rules.shown(state.draw_pile), phase=RoundOver())
        case Power.INVESTIGATE if seat is not None:
            return replace(state, investigated=state.investigated | {seat}, phase=RoundOver())
        case Power.SPECIAL_ELECTION:
            return replace(state, special_president=seat, phase=RoundOver())
        case Power.EXECUTION if seat is not None:
            return replace(state, alive=state.alive - {seat}, phase=PlayerDown(seat))
        case _:
            return replace(state, phase=RoundOver())


def _lapsed(state: GameState, event: happened.PowerLapsed) -> GameState:
    law = state.last_law
    lapsed = replace(state, last_law=law and replace(law, lapsed=True))
    if event.power is Power.MAGNIFIER:  # it was kept for the next round, which has begun
        return replace(lapsed, magnifier_reserved=False)
    return replace(lapsed, phase=RoundOver())


def _shuffle_due(state: GameState, _: happened.ShuffleDue) -> GameState:
    waiting = state.phase
    assert isinstance(waiting, Nomination | LawLaid | RoundOver)  # noqa: S101 - cards are needed in no other phase
    return replace(state, phase=ShufflePending(waiting))


def _shuffled(state: GameState, event: happened.PilesShuffled) -> GameState:
    waiting = state.phase
    assert isinstance(waiting, ShufflePending)  # noqa: S101 - decide makes this event in no other phase
    return replace(state, draw_pile=event.draw_pile, discard_pile=0, peeked=0, phase=waiting.then)


def _passed_on(state: GameState, event: happened.PresidencyPassed) -> GameState:
    return replace(
        state,
        previous=_limiting(state),
        president=event.president,
        rotation=state.rotation if event.special else event.president,
        chancellor=None,
        special_president=None,
        phase=Nomination(),
    )


def _limiting(state: GameState) -> Government | None:
    """Return the government that the term limits of the next round look at."""
    limits = state.rules.term_limits
    if limits.chaos_frees and isinstance(state.phase, LawLaid) and state.phase.by_chaos:
        return None
    if limits.basis is Basis.LAST_ELECTED and state.chancellor is None:
        return state.previous
    return Government(state.president, state.chancellor)


def _won(state: GameState, event: happened.GameWon) -> GameState:
    return replace(state, phase=GameOver(event.party, event.cause))


def _abandoned(state: GameState, _: happened.GameAbandoned) -> GameState:
    return replace(state, phase=GameOver(None, Cause.ABANDONED, state.in_hand))


_APPLIERS: dict[type, Callable[[GameState, Any], GameState]] = {
    happened.RolesDealt: _roles_dealt,
    happened.ChancellorNominated: _nominated,
    happened.VoteCast: _vote_cast,
    happened.SecretBallotOpened: _ballot_opened,
    happened.SecretVoteCast: _secret_vote_cast,
    happened.MissingVotesDrawn: _missing_drawn,
    happened.VotesPublished: _published,
    happened.GovernmentElected: _elected,
    happened.ElectionFailed: _failed,
    happened.DictatorAsked: _asked,
    happened.DictatorDenied: _denied,
    happened.DictatorConfirmed: _confirmed,
    happened.SessionOpened: _session_opened,
    happened.VetoWanted: _veto_wanted,
    happened.VetoAgreed: _veto_agreed,
    happened.VetoRefused: _veto_refused,
    happened.ChaosBegan: _chaos_began,
    happened.LawEnacted: _enacted,
    happened.MagnifierReserved: _reserved,
    happened.PowerGranted: _granted,
    happened.PowerUsed: _used,
    happened.PowerLapsed: _lapsed,
    happened.ShuffleDue: _shuffle_due,
    happened.PilesShuffled: _shuffled,
    happened.PresidencyPassed: _passed_on,
    happened.GameWon: _won,
    happened.GameAbandoned: _abandoned,
}
