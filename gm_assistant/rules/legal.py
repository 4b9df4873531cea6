"""Which commands are possible now."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

from gm_assistant.rules import commands as do
from gm_assistant.rules.commands import Command
from gm_assistant.rules.decide import untouched
from gm_assistant.rules.eligibility import eligible_chancellors, targets
from gm_assistant.rules.model import (
    Chaos,
    DictatorQuestion,
    Election,
    GameOver,
    GameState,
    LegislativeSession,
    Nomination,
    Party,
    Power,
    PowerPending,
    Role,
    SecretElection,
    ShufflePending,
    VetoProposed,
)


def legal_commands(state: GameState) -> Iterator[Command]:
    """Yield every command that `decide` accepts in `state`, each once, and nothing else.

    What plays the game comes first; breaking it off comes next, and all possible deals (up to some hundred) last.
    """
    if isinstance(state.phase, GameOver):
        return
    yield from moves(state)
    yield do.EndGame()
    if untouched(state):
        yield from (do.DealRoles(roles) for roles in _deals(state))


def moves(state: GameState) -> Iterator[Command]:
    """Yield the legal commands that play the game: all but dealing roles and breaking it off."""
    moves_of = _MOVES.get(type(state.phase))
    return iter(()) if moves_of is None else moves_of(state, state.phase)


def _nominations(state: GameState, _: Nomination) -> Iterator[Command]:
    return (do.NominateChancellor(player.seat) for player in eligible_chancellors(state) if player.bar is None)


def _votes(state: GameState, election: Election) -> Iterator[Command]:
    voters, yes, no = len(state.alive), election.count(True), election.count(False)
    if state.rules.elects(voters - no, voters):
        yield do.ReportResult(passed=True)
    if not state.rules.elects(yes, voters):
        yield do.ReportResult(passed=False)
    yield from (do.ReportCount(count, voters - count) for count in range(yes, voters - no + 1))
    both = ((seat, approves) for seat in sorted(state.alive) for approves in (True, False))
    yield from (do.CastVote(*vote) for vote in both if vote not in election.votes)
    if state.rules.secret_ballot and not election.votes:
        yield do.TakeSecretBallot()


def _secret_votes(state: GameState, ballot: SecretElection) -> Iterator[Command]:
    seats = sorted(state.alive)
    yield from (do.CastSecretVote(seat, approves) for seat in seats for approves in (True, False))
    missing = [seat for seat in seats if seat not in dict(ballot.votes)]
    for votes in product((True, False), repeat=len(missing)):
        yield do.DrawMissingVotes(tuple(zip(missing, votes, strict=True)))


def _answers(_: GameState, __: DictatorQuestion) -> Iterator[Command]:
    return map(do.AnswerDictatorQuestion, (True, False))


def _laws(state: GameState, _: LegislativeSession | Chaos) -> Iterator[Command]:
    return (do.EnactLaw(party) for party in Party if state.laws(party) < state.rules.laws.of(party))


def _session(state: GameState, session: LegislativeSession) -> Iterator[Command]:
    yield from _laws(state, session)
    may_ask = state.rules.repeated_veto or not session.veto_refused
    if may_ask and 0 < state.rules.veto_from <= state.fascist_laws:
        yield do.ProposeVeto()


def _veto_answers(_: GameState, __: VetoProposed) -> Iterator[Command]:
    return map(do.AnswerVeto, (True, False))


def _uses(state: GameState, pending: PowerPending) -> Iterator[Command]:
    make = _TARGETED.get(pending.power)
    return iter((do.FinishLooking(),)) if make is None else map(make, targets(state, pending.power))


def _shuffle(_: GameState, __: ShufflePending) -> Iterator[Command]:
    yield do.ShufflePiles()


def _deals(state: GameState) -> Iterator[tuple[Role, ...]]:
    return _arranged({role: state.rules.roles.of(role) for role in Role}, len(state.players))


def _arranged(left: dict[Role, int], seats: int) -> Iterator[tuple[Role, ...]]:
    """Yield every different order of the tokens that are left."""
    if seats == 0:
        yield ()
    for role in [role for role in left if left[role]]:
        rest = {**left, role: left[role] - 1}
        yield from ((role, *others) for others in _arranged(rest, seats - 1))


_TARGETED: dict[Power, Callable[[int], Command]] = {
    Power.INVESTIGATE: do.Investigate,
    Power.SPECIAL_ELECTION: do.NameNextPresident,
    Power.EXECUTION: do.Shoot,
}

_MOVES: dict[type, Callable[[GameState, Any], Iterator[Command]]] = {
    Nomination: _nominations,
    Election: _votes,
    SecretElection: _secret_votes,
    DictatorQuestion: _answers,
    LegislativeSession: _session,
    VetoProposed: _veto_answers,
    Chaos: _laws,
    PowerPending: _uses,
    ShufflePending: _shuffle,
}
