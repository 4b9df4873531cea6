"""All the rules: what a command does in a state, or why it is refused."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

from gm_assistant.errors import RuleViolation
from gm_assistant.rules import commands as do
from gm_assistant.rules import events as happened
from gm_assistant.rules.apply import apply, begin
from gm_assistant.rules.commands import Command
from gm_assistant.rules.consequences import consequence
from gm_assistant.rules.edition import Edition
from gm_assistant.rules.eligibility import eligible_chancellors
from gm_assistant.rules.events import Event
from gm_assistant.rules.model import (
    Chaos,
    DictatorQuestion,
    Election,
    GameOver,
    GameState,
    LegislativeSession,
    Nomination,
    Power,
    PowerPending,
    Seat,
    ShufflePending,
)


def start(edition: Edition, players: tuple[str, ...], first: Seat) -> tuple[Event, ...]:
    """Return the events that begin a game with `players` in seating order and `first` as president.

    Raise RuleViolation for a wrong number of players, an empty or doubled name, or a seat that is not there.
    """
    least, most = edition.players.least, edition.players.most
    if not least <= len(players) <= most:
        raise RuleViolation("wrong-number-of-players", number=len(players), least=least, most=most)
    if any(not name.strip() for name in players):
        raise RuleViolation("empty-name", number=next(n for n, name in enumerate(players, 1) if not name.strip()))
    doubled = [name for name, count in Counter(name.casefold() for name in players).items() if count > 1]
    if doubled:
        raise RuleViolation("doubled-name", name=next(name for name in players if name.casefold() == doubled[0]))
    if not 1 <= first <= len(players):
        raise RuleViolation("no-such-seat", number=first, most=len(players))
    started = happened.GameStarted(edition.id, edition.version, players, first)
    return _settled(begin(edition, started), (started,))


def decide(state: GameState, command: Command) -> tuple[Event, ...]:
    """Return what `command` makes happen, with everything that follows from it.

    Raise RuleViolation(key, facts) if the rules refuse it; the facts tell why and what is possible instead.
    """
    if isinstance(state.phase, GameOver):
        raise RuleViolation("game-is-over")
    event: Event = _DECIDERS[type(command)](state, command)
    return _settled(apply(state, event), (event,))


def _settled(state: GameState, events: tuple[Event, ...]) -> tuple[Event, ...]:
    while (event := consequence(state)) is not None:
        state, events = apply(state, event), (*events, event)
    return events


def _out_of_turn(state: GameState, wanted: str) -> RuleViolation:
    return RuleViolation("out-of-turn", wanted=wanted, phase=state.phase)


def _living(state: GameState, seat: Seat) -> Seat:
    if not 1 <= seat <= len(state.players):
        raise RuleViolation("no-such-seat", number=seat, most=len(state.players))
    if seat not in state.alive:
        raise RuleViolation("player-is-dead", player=seat)
    return seat


def _target(state: GameState, seat: Seat) -> Seat:
    if _living(state, seat) == state.president:
        raise RuleViolation("not-oneself", player=seat)
    return seat


def _deal(state: GameState, command: do.DealRoles) -> Event:
    expected = state.edition.roles[len(state.players)]
    if Counter(command.roles) != Counter(expected):
        raise RuleViolation("wrong-roles")
    return happened.RolesDealt(command.roles)


def _nominate(state: GameState, command: do.NominateChancellor) -> Event:
    if not isinstance(state.phase, Nomination):
        raise _out_of_turn(state, "nominate")
    if not 1 <= command.seat <= len(state.players):
        raise RuleViolation("no-such-seat", number=command.seat, most=len(state.players))
    candidates = eligible_chancellors(state)
    bar = candidates[command.seat - 1].bar
    if bar is not None:
        possible = tuple(candidate.seat for candidate in candidates if candidate.bar is None)
        raise RuleViolation(f"barred-{bar}", player=command.seat, players=possible)
    return happened.ChancellorNominated(state.president, command.seat)


def _election(state: GameState) -> Election:
    if not isinstance(state.phase, Election):
        raise _out_of_turn(state, "vote")
    return state.phase


def _cast(state: GameState, command: do.CastVote) -> Event:
    _election(state)
    return happened.VoteCast(_living(state, command.seat), command.approves)


def _report_result(state: GameState, command: do.ReportResult) -> Event:
    election = _election(state)
    against = election.count(not command.passed)
    impossible = against * 2 >= len(state.alive) if command.passed else against * 2 > len(state.alive)
    if impossible:
        raise RuleViolation("result-contradicts-votes", yes=election.count(True), no=election.count(False))
    return _outcome(state, election, command.passed, None, None)


def _report_count(state: GameState, command: do.ReportCount) -> Event:
    election = _election(state)
    if command.yes + command.no != len(state.alive) or min(command.yes, command.no) < 0:
        raise RuleViolation("wrong-number-of-votes", total=command.yes + command.no, number=len(state.alive))
    if command.yes < election.count(True) or command.no < election.count(False):
        raise RuleViolation("result-contradicts-votes", yes=election.count(True), no=election.count(False))
    return _outcome(state, election, command.yes > command.no, command.yes, command.no)


def _outcome(state: GameState, election: Election, passed: bool, yes: int | None, no: int | None) -> Event:
    if passed:
        return happened.GovernmentElected(state.president, election.candidate, yes, no)
    return happened.ElectionFailed(state.tracker + 1, yes, no)


def _answer(state: GameState, command: do.AnswerDictatorQuestion) -> Event:
    if not isinstance(state.phase, DictatorQuestion):
        raise _out_of_turn(state, "answer")
    said = happened.DictatorConfirmed if command.is_dictator else happened.DictatorDenied
    return said(state.phase.seat)


def _enact(state: GameState, command: do.EnactLaw) -> Event:
    if not isinstance(state.phase, LegislativeSession | Chaos):
        raise _out_of_turn(state, "law")
    number = state.laws(command.party) + 1
    if number > state.edition.laws[command.party]:
        raise RuleViolation("no-such-law-left", party=command.party, number=state.edition.laws[command.party])
    return happened.LawEnacted(command.party, number, isinstance(state.phase, Chaos))


def _power(state: GameState, wanted: str, *powers: Power) -> Power:
    if not isinstance(state.phase, PowerPending) or state.phase.power not in powers:
        raise _out_of_turn(state, wanted)
    return state.phase.power


def _look(state: GameState, _: do.FinishLooking) -> Event:
    return happened.PowerUsed(_power(state, "look", Power.MAGNIFIER, Power.PEEK), state.president)


def _name_next(state: GameState, command: do.NameNextPresident) -> Event:
    power = _power(state, "name-president", Power.SPECIAL_ELECTION)
    return happened.PowerUsed(power, state.president, _target(state, command.seat))


def _shoot(state: GameState, command: do.Shoot) -> Event:
    power = _power(state, "shoot", Power.EXECUTION)
    return happened.PowerUsed(power, state.president, _target(state, command.seat))


def _shuffle(state: GameState, _: do.ShufflePiles) -> Event:
    if not isinstance(state.phase, ShufflePending):
        if state.draw_pile < state.edition.reshuffle_below:
            raise _out_of_turn(state, "shuffle")
        raise RuleViolation("no-shuffle-due", number=state.draw_pile, limit=state.edition.reshuffle_below)
    return happened.PilesShuffled(state.draw_pile + state.discard_pile)


def _end(_: GameState, __: do.EndGame) -> Event:
    return happened.GameAbandoned()


_DECIDERS: dict[type, Callable[[GameState, Any], Event]] = {
    do.DealRoles: _deal,
    do.NominateChancellor: _nominate,
    do.CastVote: _cast,
    do.ReportResult: _report_result,
    do.ReportCount: _report_count,
    do.AnswerDictatorQuestion: _answer,
    do.EnactLaw: _enact,
    do.FinishLooking: _look,
    do.NameNextPresident: _name_next,
    do.Shoot: _shoot,
    do.ShufflePiles: _shuffle,
    do.EndGame: _end,
}
