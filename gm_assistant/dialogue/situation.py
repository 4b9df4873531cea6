"""What can be said in a situation of the game: what a recogniser listens for, and nothing else."""

from __future__ import annotations

from gm_assistant.dialogue.intents import ANSWERS, COMMANDS, CONTROLS, IN_PLAY, PRIVATE, QUESTIONS
from gm_assistant.dialogue.now import veto_possible
from gm_assistant.rules.model import (
    Chaos,
    DictatorQuestion,
    Election,
    GameOver,
    LegislativeSession,
    Nomination,
    Party,
    Power,
    PowerPending,
    SecretBallot,
    ShufflePending,
    TablePhase,
    VetoProposed,
)
from gm_assistant.rules.views import TableView

OPEN_VOTES = frozenset(
    {"vote_passed", "vote_failed", "vote_tied", "vote_count", "vote_unanimous", "cast_vote", "cast_votes"}
)
"""What can be said of an open vote."""

YES_OR_NO = frozenset({"answer_yes", "answer_no"})

_PLAIN: dict[type, frozenset[str]] = {
    Nomination: frozenset({"nominate"}),
    SecretBallot: YES_OR_NO | {"cast_vote", "draw_missing_votes"},
    DictatorQuestion: YES_OR_NO,
    VetoProposed: YES_OR_NO | {"veto_agreed", "veto_refused"},
    Chaos: frozenset({"law_enacted"}),
    ShufflePending: frozenset({"shuffled"}),
    GameOver: frozenset(),
}

_USES = {Power.INVESTIGATE: "investigate", Power.SPECIAL_ELECTION: "name_president", Power.EXECUTION: "shoot"}

_WHILE_IT_GOES_ON = PRIVATE - {"who_was_what"}


def spoken_intents(
    view: TableView,
    before: TableView | None = None,
    *,
    private: frozenset[str] = PRIVATE,
    answers: frozenset[str] = frozenset(),
    paused: bool = False,
    asleep: bool = False,
) -> frozenset[str]:
    """Return what can be said now, by kind. Of a legal kind everything can be said, also what will be refused.

    `before` is the game one step before: what was legal then may be said once more, as a correction or as an echo.
    `private`: what is possible of the private intents; `answers`: those to an open question of the assistant.
    """
    if asleep:
        return frozenset({"wake_up"})
    steering = CONTROLS - {"wake_up", "roll_call"}
    if paused:
        return (QUESTIONS | steering) & IN_PLAY
    commands = commands_now(view) | (commands_now(before) if before else frozenset())
    roll_call = {"roll_call"} if isinstance(view.phase, Election) else frozenset()
    secrets = private & possible_secrets(view)
    return ((commands | QUESTIONS | steering | roll_call | secrets) & IN_PLAY) | (answers & (ANSWERS | COMMANDS))


def commands_now(view: TableView) -> frozenset[str]:
    """Return the kinds of command that the rules allow now."""
    over = isinstance(view.phase, GameOver)
    return _of_phase(view.phase, view) | (frozenset() if over else frozenset({"end_game"}))


def possible_secrets(view: TableView) -> frozenset[str]:
    """Return the private intents that make sense now, as far as the table's view tells."""
    if isinstance(view.phase, GameOver):
        return frozenset({"who_was_what", "private_notes"})
    return _WHILE_IT_GOES_ON if view.investigated else _WHILE_IT_GOES_ON - {"hear_investigation"}


def highest_number(view: TableView) -> int:
    """Return the highest number that anybody has to say: a count of votes, or a field of a strip."""
    return max(len(view.players), *(view.rules.fields.of(party) for party in Party))


def _of_phase(phase: TablePhase, view: TableView) -> frozenset[str]:
    match phase:
        case Election(votes=votes):
            secret = {"take_secret_ballot"} if view.rules.secret_ballot and not votes else frozenset()
            return OPEN_VOTES | secret
        case LegislativeSession():
            return frozenset({"law_enacted", "propose_veto"} if veto_possible(view) else {"law_enacted"})
        case PowerPending(power):
            return frozenset({_USES.get(power, "looked")})
        case _:
            return _PLAIN.get(type(phase), frozenset())
