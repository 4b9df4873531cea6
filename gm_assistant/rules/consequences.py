"""What follows by itself in a state, until a person has to do something."""

from __future__ import annotations

from gm_assistant.rules import events as happened
from gm_assistant.rules.eligibility import next_president
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
)


def consequence(state: GameState) -> Event | None:
    """Return the next event that follows without anybody's choice, None when it is a person's turn."""
    match state.phase:
        case Election() as election if len(election.votes) == len(state.alive):
            return _counted(state, election)
        case GovernmentFormed(safe=False):
            return happened.DictatorAsked(_chancellor(state), Cause.DICTATOR_ELECTED)
        case GovernmentFormed():
            return happened.SessionOpened(state.president, _chancellor(state), state.edition.drawn)
        case DictatorFound(cause):
            winner = Party.FASCIST if cause is Cause.DICTATOR_ELECTED else Party.LIBERAL
            return happened.GameWon(winner, cause)
        case LawLaid() as laid:
            return _after_law(state, laid)
        case PlayerDown(seat):
            return happened.DictatorAsked(seat, Cause.DICTATOR_SHOT)
        case RoundOver():
            return _after_round(state)
        case Nomination():
            return _before_cards_are_needed(state)
        case _:
            return None


def _chancellor(state: GameState) -> int:
    assert state.chancellor is not None  # noqa: S101 - a formed government has one
    return state.chancellor


def _counted(state: GameState, election: Election) -> Event:
    yes, no = election.count(True), election.count(False)
    if yes > no:
        return happened.GovernmentElected(state.president, election.candidate, yes, no)
    return happened.ElectionFailed(state.tracker + 1, yes, no)


def _after_law(state: GameState, laid: LawLaid) -> Event:
    number = state.laws(laid.party)
    if number == state.edition.fields[laid.party]:
        return happened.GameWon(laid.party, Cause.LAWS)
    power = Power.NONE
    if laid.party is Party.FASCIST and not laid.by_chaos:
        power = state.edition.power_at(len(state.players), number)
    if power is Power.NONE:
        return _passed_on(state)
    if power is Power.MAGNIFIER:
        return happened.MagnifierReserved()
    if power is Power.PEEK and state.draw_pile < state.edition.reshuffle_below:
        return happened.ShuffleDue(state.draw_pile)
    return happened.PowerGranted(power, state.president)


def _after_round(state: GameState) -> Event:
    if state.tracker == state.edition.failed_elections_until_chaos:
        return happened.ChaosBegan()
    return _passed_on(state)


def _passed_on(state: GameState) -> Event:
    return happened.PresidencyPassed(next_president(state), special=state.special_president is not None)


def _before_cards_are_needed(state: GameState) -> Event | None:
    """Put the reserved look before a shuffle, for a shuffle would take the discarded law away."""
    if state.magnifier_reserved:
        return happened.PowerGranted(Power.MAGNIFIER, state.president)
    if state.draw_pile < state.edition.reshuffle_below:
        return happened.ShuffleDue(state.draw_pile)
    return None
