"""What is most likely said next: for examples, short codes, and answers that are made ahead."""

from __future__ import annotations

from collections.abc import Iterator

from gm_assistant.dialogue.intents import Intent
from gm_assistant.dialogue.now import veto_possible
from gm_assistant.rules.model import (
    Chaos,
    DictatorQuestion,
    Election,
    GameOver,
    LegislativeSession,
    Nomination,
    Power,
    PowerPending,
    Seat,
    ShufflePending,
    VetoProposed,
)
from gm_assistant.rules.views import TableView

ALWAYS = (Intent("what_now"), Intent("read_board"), Intent("undo"))
"""They make sense in every situation."""

_LAWS = (Intent("law_enacted", {"party": "fascist"}), Intent("law_enacted", {"party": "liberal"}))


def likely_commands(view: TableView) -> tuple[Intent, ...]:
    """Return the commands that are possible now and can be spoken, the most likely first."""
    return tuple(_commands(view))


def likely_sentences(view: TableView, most: int = 3) -> tuple[Intent, ...]:
    """Return what helps most to be told in this situation: at most two commands, then questions."""
    commands = likely_commands(view)[:2]
    asked = (Intent("who_may_be_chancellor"),) if isinstance(view.phase, Nomination) else ()
    return (*commands[:1], *asked, *commands[1:], *ALWAYS)[:most]


def _commands(view: TableView) -> Iterator[Intent]:
    match view.phase:
        case Nomination():
            yield from (Intent("nominate", {"player": seat}) for seat in view.eligible)
        case Election(votes=()):
            yield from (Intent("vote_passed"), Intent("vote_failed"))
            yield from _counts(len(view.alive))
        case Election(votes=votes):
            voted = {seat for seat, _ in votes}
            yield from (_vote(seat, vote) for seat in view.alive if seat not in voted for vote in ("yes", "no"))
        case DictatorQuestion():
            yield from (Intent("answer_no"), Intent("answer_yes"))
        case LegislativeSession() | Chaos():
            yield from _LAWS
            if veto_possible(view):
                yield Intent("propose_veto")
        case VetoProposed():
            yield from (Intent("veto_agreed"), Intent("veto_refused"))
        case PowerPending(power):
            yield from _uses(power, view)
        case ShufflePending():
            yield Intent("shuffled")
        case GameOver():
            yield from (Intent("new_game"), Intent("quit"))
        case _:  # a secret ballot is typed, and nothing can be said between two steps
            return


def _counts(voters: int) -> Iterator[Intent]:
    """Yield the results of a vote, those near the middle first."""
    for yes in sorted(range(voters + 1), key=lambda yes: abs(2 * yes - voters - 1)):
        yield Intent("vote_count", {"yes": yes, "no": voters - yes})


def _vote(seat: Seat, vote: str) -> Intent:
    return Intent("cast_vote", {"player": seat, "vote": vote})


def _uses(power: Power, view: TableView) -> Iterator[Intent]:
    match power:
        case Power.INVESTIGATE:
            yield from (Intent("investigate", {"player": seat}) for seat in view.targets)
        case Power.SPECIAL_ELECTION:
            yield from (Intent("name_president", {"player": seat}) for seat in view.targets)
        case Power.EXECUTION:
            yield from (Intent("shoot", {"player": seat}) for seat in view.targets)
        case _:
            yield Intent("looked")
