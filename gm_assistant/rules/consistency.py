"""Whether a state can be one of a real game: what `parse_position` believes, and what it refuses."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

from msgspec.structs import asdict, astuple

from gm_assistant.rules import model
from gm_assistant.rules.consequences import consequence, shuffled_before
from gm_assistant.rules.edition import TARGETED
from gm_assistant.rules.eligibility import eligible_chancellors, targets
from gm_assistant.rules.model import Cause, GameState, Party, Phase, Power, Seat

_UNGOVERNED = (model.Nomination, model.Election, model.SecretElection)


def contradiction(state: GameState) -> str | None:
    """Return the first field of `state` that contradicts the others or the rules; None if all of it can be.

    Only states are believed in which it is somebody's turn, or in which the game is over.
    """
    return next((name for name, fits in _FITS.items() if not fits(state)), None)


def laws_in_all(state: GameState) -> int:
    """Return how many laws lie anywhere."""
    return state.draw_pile + state.discard_pile + state.in_hand + state.liberal_laws + state.fascist_laws


def _players_fit(state: GameState) -> bool:
    names = {name.casefold() for name in state.players if name.strip()}
    return len(names) == len(state.players) == state.rules.players


def _seats_fit(state: GameState, *seats: Seat | None) -> bool:
    return all(seat is None or 1 <= seat <= len(state.players) for seat in seats)


def _deaths_fit(state: GameState) -> bool:
    """Return whether no more players are dead than the enacted laws could have killed."""
    shots = state.rules.powers[: state.fascist_laws].count(Power.EXECUTION)
    still_due = state.phase == model.PowerPending(Power.EXECUTION)
    return _seats_fit(state, *state.alive) and len(state.players) - len(state.alive) <= shots - still_due


def _may_be_shot(state: GameState) -> bool:
    """Return whether somebody in office may be dead: the round in which it happened is not over yet."""
    return isinstance(state.phase, model.GameOver) or getattr(state.phase, "cause", None) is Cause.DICTATOR_SHOT


def _president_fits(state: GameState) -> bool:
    shot = _may_be_shot(state) and Power.EXECUTION in state.rules.may_target_oneself
    return state.president in state.alive or (shot and _seats_fit(state, state.president))


def _chancellor_fits(state: GameState) -> bool:
    phase, chancellor = _waiting(state), state.chancellor
    early = isinstance(phase, _UNGOVERNED) or phase == model.PowerPending(Power.MAGNIFIER)
    if early or chancellor is None:
        return chancellor is None and (early or isinstance(phase, model.Chaos | model.RoundOver | model.GameOver))
    shot = _may_be_shot(state) and _seats_fit(state, chancellor)
    return chancellor != state.president and (chancellor in state.alive or shot)


def _laws_fit(state: GameState, party: Party) -> bool:
    """Return whether the strip holds what lay there at the start, and is full only if that has ended the game."""
    least: int = getattr(state.rules.start.enacted, party)
    won = state.phase == model.GameOver(party, Cause.LAWS)
    return least <= state.laws(party) < state.rules.fields.of(party) + won


def _piles_fit(state: GameState) -> bool:
    return laws_in_all(state) == state.rules.laws.total


def _last_law_fits(state: GameState) -> bool:
    law, enacted = state.last_law, state.rules.start.enacted
    if law is None:
        return state.liberal_laws + state.fascist_laws == enacted.total
    tracker = state.rules.failed_elections_until_chaos if law.by_chaos else 0
    right = len(law.setbacks) == tracker and not (law.by_chaos and law.veto_refused)
    return right and law.number == state.laws(law.party) > getattr(enacted, law.party)


def _waiting(state: GameState) -> Phase:
    """Return the phase that goes on after a shuffle, if one is due."""
    return state.phase.then if isinstance(state.phase, model.ShufflePending) else state.phase


def _tracker_fits(state: GameState) -> bool:
    """Return whether the peg stands in the last hole if chaos comes, and only then."""
    limit = state.rules.failed_elections_until_chaos
    if isinstance(state.phase, model.GameOver):
        return state.tracker <= limit
    chaos = isinstance(_waiting(state), model.Chaos | model.RoundOver)
    return state.tracker == limit if chaos else state.tracker < limit


def _gives(state: GameState, power: Power) -> bool:
    """Return whether `power` is what the law that was laid last gives."""
    law = state.last_law
    earned = law is not None and law.party is Party.FASCIST and not law.by_chaos
    return earned and power is state.rules.power_at(state.fascist_laws)


def _can_draw(state: GameState) -> bool:
    return state.draw_pile >= state.rules.reshuffle_below


def _election_fits(state: GameState, election: model.Election | model.SecretElection) -> bool:
    voted = [seat for seat, _ in election.votes]
    allowed = [player.seat for player in eligible_chancellors(state) if player.bar is None]
    return election.candidate in allowed and voted == sorted(set(voted) & state.alive) and _can_draw(state)


def _question_fits(state: GameState, question: model.DictatorQuestion) -> bool:
    seat = question.seat
    if question.cause is Cause.DICTATOR_SHOT:
        return _seats_fit(state, seat) and seat not in state.alive and _gives(state, Power.EXECUTION)
    unknown = state.rules.repeated_question or seat not in state.cleared
    asked = state.danger and seat == state.chancellor and unknown
    return asked and question.cause is Cause.DICTATOR_ELECTED and _can_draw(state)


def _session_fits(state: GameState, session: model.LegislativeSession | model.VetoProposed) -> bool:
    veto = isinstance(session, model.VetoProposed) or session.veto_refused
    return session.in_hand == state.rules.drawn and (not veto or 0 < state.rules.veto_from <= state.fascist_laws)


def _pending_fits(state: GameState, pending: model.PowerPending) -> bool:
    power = pending.power
    someone = bool(targets(state, power)) or power not in TARGETED
    something = power is not Power.PEEK or state.draw_pile > 0
    there = someone and something and not shuffled_before(state, power)
    return power is not Power.NONE and there and _gives(state, power)


def _shuffle_fits(state: GameState, pending: model.ShufflePending) -> bool:
    after_law = pending.then == model.LawLaid(Party.FASCIST, by_chaos=False)
    before_peek = after_law and _gives(state, Power.PEEK) and shuffled_before(state, Power.PEEK)
    return not _can_draw(state) and (before_peek or not isinstance(pending.then, model.LawLaid))


def _magnifier_waits(state: GameState) -> bool:
    """Return whether a shuffle must come before the look that was kept for this round."""
    broken_off = isinstance(state.phase, model.GameOver) and state.phase.cause is Cause.ABANDONED
    here = broken_off or state.phase == model.ShufflePending(model.Nomination())
    return here and _gives(state, Power.MAGNIFIER) and shuffled_before(state, Power.MAGNIFIER)


def _end_fits(state: GameState, over: model.GameOver) -> bool:
    match over.cause, over.winner:
        case Cause.LAWS, Party() as winner:
            return state.laws(winner) == state.rules.fields.of(winner)
        case Cause.DICTATOR_ELECTED, Party.FASCIST:
            return state.danger and state.chancellor is not None
        case Cause.DICTATOR_SHOT, Party.LIBERAL:
            return _gives(state, Power.EXECUTION) and len(state.alive) < len(state.players)
        case cause, winner:
            return cause is Cause.ABANDONED and winner is None and over.in_hand in (0, state.rules.drawn)


def _phase_fits(state: GameState) -> bool:
    fits = _PHASES.get(type(state.phase))
    return bool(fits and fits(state, state.phase)) and consequence(state) is None


_PHASES: dict[type, Callable[[GameState, Any], bool]] = {
    model.Nomination: lambda _, __: True,
    model.Election: _election_fits,
    model.SecretElection: lambda state, ballot: state.rules.secret_ballot and _election_fits(state, ballot),
    model.DictatorQuestion: _question_fits,
    model.LegislativeSession: _session_fits,
    model.VetoProposed: _session_fits,
    model.Chaos: lambda state, _: _can_draw(state),
    model.PowerPending: _pending_fits,
    model.ShufflePending: _shuffle_fits,
    model.GameOver: _end_fits,
}
"""Those in which it is somebody's turn, or nobody's any more."""

_FITS: dict[str, Callable[[GameState], bool]] = {
    "players": _players_fit,
    "alive": _deaths_fit,
    "president": _president_fits,
    "rotation": lambda state: _seats_fit(state, state.rotation),
    "liberal_laws": lambda state: _laws_fit(state, Party.LIBERAL),
    "fascist_laws": lambda state: _laws_fit(state, Party.FASCIST),
    "draw_pile": _piles_fit,
    "setbacks": _tracker_fits,
    "chancellor": _chancellor_fits,
    "previous": lambda state: state.previous is None or _seats_fit(state, *astuple(state.previous)),
    "special_president": lambda state: state.special_president is None,  # the next round begins in the same step
    "last_law": _last_law_fits,
    "magnifier_reserved": lambda state: not state.magnifier_reserved or _magnifier_waits(state),
    "peeked": lambda state: state.peeked <= min(state.draw_pile, state.rules.peeked),
    "investigated": lambda state: _seats_fit(state, *state.investigated),
    "cleared": lambda state: _seats_fit(state, *state.cleared),
    "phase": _phase_fits,
    "roles": lambda state: state.roles is None or Counter(state.roles) == Counter(asdict(state.rules.roles)),
}
"""Whether a part agrees with the others; those that others build on come first."""
