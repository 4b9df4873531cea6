"""What follows by itself in a state, until a person has to do something."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gm_assistant.rules import events as happened
from gm_assistant.rules.eligibility import next_president, targets
from gm_assistant.rules.events import Event
from gm_assistant.rules.model import (
    Cause,
    DictatorFound,
    Election,
    GameState,
    GovernmentFormed,
    LawLaid,
    Nomination,
    Party,
    PlayerDown,
    Power,
    RoundOver,
    SecretElection,
)


def consequence(state: GameState) -> Event | None:
    """Return the next event that follows without anybody's choice, None when it is a person's turn."""
    follows = _CONSEQUENCES.get(type(state.phase))
    return None if follows is None else follows(state, state.phase)


def _counted(state: GameState, election: Election) -> Event | None:
    if len(election.votes) < len(state.alive):
        return None
    yes, no = election.count(True), election.count(False)
    if state.rules.elects(yes, len(state.alive)):
        return happened.GovernmentElected(state.president, election.candidate, yes, no)
    return happened.ElectionFailed(state.tracker + 1, yes, no)


def _published(state: GameState, ballot: SecretElection) -> Event | None:
    return happened.VotesPublished(ballot.votes) if len(ballot.votes) == len(state.alive) else None


def _formed(state: GameState, government: GovernmentFormed) -> Event:
    assert state.chancellor is not None  # noqa: S101 - a formed government has one
    if not government.safe:
        return happened.DictatorAsked(state.chancellor, Cause.DICTATOR_ELECTED)
    return happened.SessionOpened(state.president, state.chancellor, state.rules.drawn)


def _found(_: GameState, found: DictatorFound) -> Event:
    winner = Party.FASCIST if found.cause is Cause.DICTATOR_ELECTED else Party.LIBERAL
    return happened.GameWon(winner, found.cause)


def _after_law(state: GameState, laid: LawLaid) -> Event:
    number = state.laws(laid.party)
    if number == state.rules.fields.of(laid.party):
        return happened.GameWon(laid.party, Cause.LAWS)
    if laid.party is Party.LIBERAL or laid.by_chaos:
        return _passed_on(state)
    return _power_due(state, state.rules.power_at(number))


def _power_due(state: GameState, power: Power) -> Event:
    match power:
        case Power.NONE:
            return _passed_on(state)
        case Power.MAGNIFIER:
            return happened.MagnifierReserved()
        case Power.PEEK if shuffled_before(state, power):
            return happened.ShuffleDue(state.draw_pile)
        case Power.PEEK if state.draw_pile == 0:
            return happened.PowerLapsed(power)
        case Power.INVESTIGATE if not targets(state, power):
            return happened.PowerLapsed(power)
        case _:
            return happened.PowerGranted(power, state.president)


def shuffled_before(state: GameState, look: Power) -> bool:
    """Return whether the piles must be shuffled before the power to look at laws can be used."""
    return state.draw_pile < state.rules.reshuffle_below and look in state.rules.shuffle_before


def _shot(_: GameState, down: PlayerDown) -> Event:
    return happened.DictatorAsked(down.seat, Cause.DICTATOR_SHOT)


def _after_round(state: GameState, _: RoundOver) -> Event:
    if state.tracker < state.rules.failed_elections_until_chaos:
        return _passed_on(state)
    if state.draw_pile < state.rules.reshuffle_below:  # a veto has used up the pile that chaos needs
        return happened.ShuffleDue(state.draw_pile)
    return happened.ChaosBegan()


def _passed_on(state: GameState) -> Event:
    return happened.PresidencyPassed(next_president(state), special=state.special_president is not None)


def _before_cards_are_needed(state: GameState, _: Nomination) -> Event | None:
    """Put the reserved look and a due shuffle into order; a shuffle takes the discarded law away."""
    if state.magnifier_reserved and not shuffled_before(state, Power.MAGNIFIER):
        return _magnifier_due(state)
    if state.draw_pile < state.rules.reshuffle_below:
        return happened.ShuffleDue(state.draw_pile)
    return None


def _magnifier_due(state: GameState) -> Event:
    if state.discard_pile == 0:
        return happened.PowerLapsed(Power.MAGNIFIER)
    return happened.PowerGranted(Power.MAGNIFIER, state.president)


_CONSEQUENCES: dict[type, Callable[[GameState, Any], Event | None]] = {
    Election: _counted,
    SecretElection: _published,
    GovernmentFormed: _formed,
    DictatorFound: _found,
    LawLaid: _after_law,
    PlayerDown: _shot,
    RoundOver: _after_round,
    Nomination: _before_cards_are_needed,
}
