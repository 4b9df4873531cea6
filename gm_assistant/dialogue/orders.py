"""Intents to commands of the rules."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from gm_assistant.dialogue.intents import Intent
from gm_assistant.dialogue.now import next_voter
from gm_assistant.errors import RuleViolation
from gm_assistant.rules import commands as do
from gm_assistant.rules.commands import Command
from gm_assistant.rules.events import MissingVotesDrawn
from gm_assistant.rules.history import History
from gm_assistant.rules.model import Election, Party, SecretBallot, SecretElection, VetoProposed
from gm_assistant.rules.views import TableView, table_view


def command_for(intent: Intent, view: TableView) -> Command:
    """Return the one command that a leader's intent means, except for the drawing of votes, which needs chance.

    Raise RuleViolation("not-the-president").
    """
    return _COMMANDS[intent.name](intent, view)


def commands_for(intent: Intent, view: TableView) -> tuple[Command, ...]:
    """Return the commands that an intent means: one for each vote that is not recorded yet if they come in one go.

    Raise RuleViolation("not-the-president") or ("already-recorded").
    """
    if intent.name != "cast_votes":
        return (command_for(intent, view),)
    known = view.phase.votes if isinstance(view.phase, Election) else ()
    votes = tuple(vote for vote in intent.votes if vote not in known)
    if not votes:
        raise RuleViolation("already-recorded")
    return tuple(do.CastVote(*vote) for vote in votes)


def is_echo(intent: Intent, history: History) -> bool:
    """Return whether the last step is what `intent` meant when it was taken: a repeated word must not count twice."""
    if len(history.done) == 1:
        return False
    before = history.done[-2].state
    if intent.name == "draw_missing_votes":
        return isinstance(history.done[-1].events[0], MissingVotesDrawn)
    if isinstance(before.phase, SecretElection):  # "yes" after the last secret vote answers the next question
        return False
    try:
        return history.has_just_recorded(*commands_for(intent, table_view(before)))
    except RuleViolation:
        return False


def _nominate(intent: Intent, view: TableView) -> Command:
    if "president" in intent.slots and intent.number("president") != view.president:
        raise RuleViolation("not-the-president", player=intent.number("president"), president=view.president)
    return do.NominateChancellor(intent.number("player"))


def _unanimous(intent: Intent, view: TableView) -> Command:
    voters = len(view.alive)
    return do.ReportCount(voters, 0) if intent.word("vote") == "yes" else do.ReportCount(0, voters)


def _tied(_: Intent, view: TableView) -> Command:
    half, odd = divmod(len(view.alive), 2)
    if odd and isinstance(view.phase, Election):
        raise RuleViolation("no-tie-possible", number=len(view.alive))
    return do.ReportCount(half, half)


def _vote(intent: Intent, view: TableView) -> Command:
    seat, approves = intent.number("player"), intent.word("vote") == "yes"
    return (do.CastSecretVote if isinstance(view.phase, SecretBallot) else do.CastVote)(seat, approves)


def _answer(approves: bool, view: TableView) -> Command:
    """Return what yes or no means now: to a veto, in a secret ballot, or to the question for the dictator."""
    if isinstance(view.phase, VetoProposed):
        return do.AnswerVeto(approves)
    if isinstance(view.phase, SecretBallot):
        return do.CastSecretVote(next_voter(view), approves)
    return do.AnswerDictatorQuestion(approves)


_COMMANDS: Mapping[str, Callable[[Intent, TableView], Command]] = {
    "nominate": _nominate,
    "vote_passed": lambda *_: do.ReportResult(passed=True),
    "vote_failed": lambda *_: do.ReportResult(passed=False),
    "vote_tied": _tied,
    "vote_count": lambda intent, _: do.ReportCount(intent.number("yes"), intent.number("no")),
    "vote_unanimous": _unanimous,
    "cast_vote": _vote,
    "take_secret_ballot": lambda *_: do.TakeSecretBallot(),
    "law_enacted": lambda intent, _: do.EnactLaw(Party(intent.word("party"))),
    "shuffled": lambda *_: do.ShufflePiles(),
    "looked": lambda *_: do.FinishLooking(),
    "name_president": lambda intent, _: do.NameNextPresident(intent.number("player")),
    "propose_veto": lambda *_: do.ProposeVeto(),
    "veto_agreed": lambda *_: do.AnswerVeto(agrees=True),
    "veto_refused": lambda *_: do.AnswerVeto(agrees=False),
    "investigate": lambda intent, _: do.Investigate(intent.number("player")),
    "shoot": lambda intent, _: do.Shoot(intent.number("player")),
    "answer_yes": lambda _, view: _answer(True, view),
    "answer_no": lambda _, view: _answer(False, view),
    "end_game": lambda *_: do.EndGame(),
}
