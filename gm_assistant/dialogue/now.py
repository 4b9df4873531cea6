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
    PowerPending,
    ShufflePending,
)
from gm_assistant.rules.views import TableView


def now(view: TableView) -> Messages:
    """Return who has to do what now."""
    return tuple(_now(view))


def situation(view: TableView) -> str:
    """Return the name of the situation, as it stands in the keys of the phrases."""
    match view.phase:
        case PowerPending(power):
            return f"power-{power}"
        case Nomination():
            return "nomination"
        case Election():
            return "election"
        case DictatorQuestion():
            return "question"
        case LegislativeSession():
            return "session"
        case Chaos():
            return "chaos"
        case ShufflePending():
            return "shuffle"
        case GameOver():
            return "over"
        case passing:
            raise AssertionError(passing)


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
        case DictatorQuestion(seat):
            yield message(key, view, player=seat)
        case GameOver(winner, cause):
            yield message("abandoned", view) if winner is None else _won(view, cause)
            yield message(key, view)
        case ShufflePending():
            yield message(key, view, number=view.draw_pile)
        case _:
            yield message(key, view, president=view.president, chancellor=view.chancellor or view.president)


def _won(view: TableView, cause: Cause) -> Message:
    over = view.phase
    assert isinstance(over, GameOver)  # noqa: S101 - only called in this phase
    assert over.winner is not None  # noqa: S101 - only called for a game that was won
    return message(f"won-{cause}", view, party=over.winner, number=view.edition.fields[over.winner])
