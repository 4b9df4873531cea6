"""What must happen now, in full: the answer to "what now", and the second half of every refusal."""

from __future__ import annotations

from collections.abc import Iterator

from gm_assistant.dialogue.messages import Message, Messages, message
from gm_assistant.rules.model import (
    Cause,
    Chaos,
    DictatorQuestion,
    Election,
    GameOver,
    LegislativeSession,
    Nomination,
    Office,
    PowerPending,
    Seat,
    SecretBallot,
    ShufflePending,
    VetoProposed,
)
from gm_assistant.rules.views import TableView

_SITUATIONS = {
    Nomination: "nomination",
    Election: "election",
    SecretBallot: "secret-ballot",
    DictatorQuestion: "question",
    LegislativeSession: "session",
    VetoProposed: "veto",
    Chaos: "chaos",
    ShufflePending: "shuffle",
    GameOver: "over",
}


def now(view: TableView) -> Messages:
    """Return who has to do what now."""
    return tuple(_now(view))


def situation(view: TableView) -> str:
    """Return the name of the situation, as it stands in the keys of the phrases."""
    if isinstance(view.phase, PowerPending):
        return f"power-{view.phase.power}"
    return _SITUATIONS[type(view.phase)]


def next_voter(view: TableView) -> Seat:
    """Return whose turn it is in a secret ballot: the first by seat who has not voted."""
    assert isinstance(view.phase, SecretBallot)  # noqa: S101 - only asked in this phase
    voted = view.phase.voted
    return next(seat for seat in view.alive if seat not in voted)


def veto_possible(view: TableView) -> bool:
    """Return whether the chancellor may propose a veto in this session."""
    if not isinstance(view.phase, LegislativeSession):
        return False
    may_ask = view.rules.repeated_veto or not view.phase.veto_refused
    return may_ask and 0 < view.rules.veto_from <= view.fascist_laws


def lifted(view: TableView) -> Iterator[Message]:
    """Yield that limits had to fall, if they had to."""
    if view.limits_lifted:
        all_fall = len(view.limits_lifted) == len(Office)
        yield message("limits-lifted" if all_fall else f"limits-lifted-{view.limits_lifted[0]}", view)


def _now(view: TableView) -> Iterator[Message]:
    key = f"now-{situation(view)}"
    match view.phase:
        case Nomination():
            yield message(key, view, president=view.president, players=view.eligible)
        case Election(candidate, votes):
            yield message(key, view, president=view.president, candidate=candidate)
            if votes:
                voted = {seat for seat, _ in votes}
                yield message("votes-missing-of", view, players=tuple(seat for seat in view.alive if seat not in voted))
        case SecretBallot(candidate):
            yield message(key, view, candidate=candidate, president=view.president, player=next_voter(view))
        case DictatorQuestion(seat):
            yield message(key, view, player=seat)
        case GameOver(winner, cause):
            yield message("abandoned", view) if winner is None else _won(view, cause)
            yield message(key, view)
        case ShufflePending():
            yield message(key, view, number=view.draw_pile)
        case LegislativeSession(veto_refused=True):
            yield from veto_refused(view)
        case _:
            yield from _in_government(view, key)


def veto_refused(view: TableView) -> Iterator[Message]:
    """Yield what the chancellor has to do, or may do, after the president has refused a veto."""
    chancellor = view.chancellor or view.president
    yield message("veto-refused", view, chancellor=chancellor)
    if veto_possible(view):
        yield message("veto-possible-again", view, chancellor=chancellor)


def _in_government(view: TableView, key: str) -> Iterator[Message]:
    rules, chancellor = view.rules, view.chancellor or view.president
    facts = {
        "number": rules.drawn,
        "rest": rules.drawn - 1,
        "peeked": rules.shown(view.draw_pile),
        "players": view.targets,
    }
    yield message(key, view, president=view.president, chancellor=chancellor, **facts)
    if veto_possible(view):
        yield message("veto-possible", view, chancellor=chancellor)


def _won(view: TableView, cause: Cause) -> Message:
    over = view.phase
    assert isinstance(over, GameOver)  # noqa: S101 - only called in this phase
    assert over.winner is not None  # noqa: S101 - only called for a game that was won
    return message(f"won-{cause}", view, party=over.winner, number=view.rules.fields.of(over.winner))
