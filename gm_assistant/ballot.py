"""A secret ballot at one keyboard: how long it may still take, and what chance votes for those who were late."""

from __future__ import annotations

from datetime import datetime
from random import Random

from gm_assistant.rules import commands as do
from gm_assistant.rules.model import GameState, SecretElection


def ballot_runs(state: GameState) -> bool:
    """Return whether votes are being taken in secret."""
    return isinstance(state.phase, SecretElection)


def drawn_votes(state: GameState, random: Random) -> do.DrawMissingVotes:
    """Return votes that `random` gives to everybody alive who has not voted; none if no secret ballot runs."""
    if not isinstance(state.phase, SecretElection):
        return do.DrawMissingVotes(())
    missing = sorted(state.alive - {seat for seat, _ in state.phase.votes})
    return do.DrawMissingVotes(tuple((seat, random.random() < 1 / 2) for seat in missing))


def seconds_left(opened: datetime | None, now: datetime, deadline: int) -> float | None:
    """Return the s until a ballot that was opened then is closed, 0 if it is time; None without a deadline (0)."""
    if opened is None or deadline == 0:
        return None
    return max(deadline - (now - opened).total_seconds(), 0.0)
