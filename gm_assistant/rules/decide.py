"""All the rules: what a command does in a state, or why it is refused."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import Any
from unicodedata import normalize

from gm_assistant.errors import RuleViolation
from gm_assistant.rules import commands as do
from gm_assistant.rules import events as happened
from gm_assistant.rules.apply import apply, begin
from gm_assistant.rules.commands import Command
from gm_assistant.rules.consequences import consequence
from gm_assistant.rules.edition import Edition
from gm_assistant.rules.eligibility import eligible_chancellors, targets, untouchable
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
    Role,
    Seat,
    SecretElection,
    ShufflePending,
    VetoProposed,
)
from gm_assistant.rules.position import position, without_secrets


def start(edition: Edition, players: tuple[str, ...], first: Seat) -> tuple[Event, ...]:
    """Return the events that begin a game with `players` in seating order and `first` as president.

    Raise RuleViolation for a wrong number of players, an empty or doubled name, or a seat that is not there.
    """
    least, most = edition.players.least, edition.players.most
    if not least <= len(players) <= most:
        raise RuleViolation("wrong-number-of-players", number=len(players), least=least, most=most)
    if any(not name.strip() for name in players):
        raise RuleViolation("empty-name", number=next(n for n, name in enumerate(players, 1) if not name.strip()))
    doubled = [name for name, count in Counter(map(_plain, players)).items() if count > 1]
    if doubled:
        raise RuleViolation("doubled-name", name=next(name for name in players if _plain(name) == doubled[0]))
    if not 1 <= first <= len(players):
        raise RuleViolation("no-such-seat", number=first, most=len(players))
    started = happened.GameStarted(edition.id, edition.version, players, first, edition.rules_for(len(players)))
    return _settled(begin(edition, started), (started,))[0]


def _plain(name: str) -> str:
    return normalize("NFC", name).strip().casefold()


def decide(state: GameState, command: Command) -> tuple[Event, ...]:
    """Return what `command` makes happen, with everything that follows from it.

    Raise RuleViolation(key, facts) if the rules refuse it; the facts tell why and what is possible instead, and its
    text holds the position.
    """
    return advance(state, command)[0]


def advance(state: GameState, command: Command) -> tuple[tuple[Event, ...], GameState]:
    """Return what `decide` returns, and the state after it."""
    try:
        event = _first(state, command)
    except RuleViolation as violation:
        violation.where = partial(position, without_secrets(state))
        raise
    return _settled(apply(state, event), (event,))


def decide_all(state: GameState, commands: tuple[Command, ...]) -> tuple[Event, ...]:
    """Return what several commands make happen, one after the other: all of it or, if one is refused, nothing.

    Raise RuleViolation as `decide` does.
    """
    events: tuple[Event, ...] = ()
    for command in commands:
        happening, state = advance(state, command)
        events = (*events, *happening)
    return events


def _first(state: GameState, command: Command) -> Event:
    if isinstance(state.phase, GameOver):
        raise RuleViolation("game-is-over")
    return _DECIDERS[type(command)](state, command)


def _settled(state: GameState, events: tuple[Event, ...]) -> tuple[tuple[Event, ...], GameState]:
    while (event := consequence(state)) is not None:
        state, events = apply(state, event), (*events, event)
    return events, state


def untouched(state: GameState) -> bool:
    """Return whether nothing has been played yet, so that roles can be dealt."""
    return isinstance(state.phase, Nomination) and not (state.previous or state.last_law or state.setbacks)


def _out_of_turn(state: GameState, wanted: str) -> RuleViolation:
    return RuleViolation("out-of-turn", wanted=wanted, phase=type(state.phase).__name__)


def _living(state: GameState, seat: Seat) -> Seat:
    if not 1 <= seat <= len(state.players):
        raise RuleViolation("no-such-seat", number=seat, most=len(state.players))
    if seat not in state.alive:
        raise RuleViolation("dead-do-not-vote", player=seat)
    return seat


def _target(state: GameState, power: Power, seat: Seat) -> Seat:
    if not 1 <= seat <= len(state.players):
        raise RuleViolation("no-such-seat", number=seat, most=len(state.players))
    shield = untouchable(state, power, seat)
    if shield is not None:
        raise RuleViolation(shield.value, player=seat, players=targets(state, power))
    return seat


def _deal(state: GameState, command: do.DealRoles) -> Event:
    if not untouched(state):
        raise RuleViolation("too-late-to-deal")
    counts = Counter(command.roles)
    if len(command.roles) != len(state.players) or any(counts[role] != state.rules.roles.of(role) for role in Role):
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
    if isinstance(state.phase, SecretElection):
        raise RuleViolation("ballot-is-secret")
    if not isinstance(state.phase, Election):
        raise _out_of_turn(state, "vote")
    return state.phase


def _cast(state: GameState, command: do.CastVote) -> Event:
    election = _election(state)
    if (_living(state, command.seat), command.approves) in election.votes:
        raise RuleViolation("already-recorded")
    return happened.VoteCast(command.seat, command.approves)


def _take_secret_ballot(state: GameState, _: do.TakeSecretBallot) -> Event:
    if isinstance(state.phase, SecretElection):
        raise RuleViolation("already-recorded")
    election = _election(state)
    if not state.rules.secret_ballot:
        raise RuleViolation("no-secret-ballot")
    if election.votes:
        raise RuleViolation("votes-are-open")
    return happened.SecretBallotOpened()


def _secret_ballot(state: GameState) -> SecretElection:
    if not isinstance(state.phase, SecretElection):
        raise _out_of_turn(state, "secret-vote")
    return state.phase


def _cast_secret(state: GameState, command: do.CastSecretVote) -> Event:
    _secret_ballot(state)
    return happened.SecretVoteCast(_living(state, command.seat), command.approves)


def _draw_missing(state: GameState, command: do.DrawMissingVotes) -> Event:
    ballot = _secret_ballot(state)
    missing = sorted(state.alive - {seat for seat, _ in ballot.votes})
    if [seat for seat, _ in command.votes] != missing:
        raise RuleViolation("wrong-number-of-votes", total=len(command.votes), number=len(missing))
    return happened.MissingVotesDrawn(command.votes)


def _report_result(state: GameState, command: do.ReportResult) -> Event:
    election = _election(state)
    voters = len(state.alive)
    could_pass = state.rules.elects(voters - election.count(False), voters)
    could_fail = not state.rules.elects(election.count(True), voters)
    if not (could_pass if command.passed else could_fail):
        raise RuleViolation("result-contradicts-votes", yes=election.count(True), no=election.count(False))
    return _outcome(state, election, command.passed, None, None)


def _report_count(state: GameState, command: do.ReportCount) -> Event:
    election = _election(state)
    if command.yes + command.no != len(state.alive) or min(command.yes, command.no) < 0:
        raise RuleViolation("wrong-number-of-votes", total=command.yes + command.no, number=len(state.alive))
    if command.yes < election.count(True) or command.no < election.count(False):
        raise RuleViolation("result-contradicts-votes", yes=election.count(True), no=election.count(False))
    elected = state.rules.elects(command.yes, len(state.alive))
    return _outcome(state, election, elected, command.yes, command.no)


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
    if number > state.rules.laws.of(command.party):
        raise RuleViolation("no-such-law-left", party=command.party, number=state.rules.laws.of(command.party))
    return happened.LawEnacted(command.party, number, isinstance(state.phase, Chaos))


def _propose_veto(state: GameState, _: do.ProposeVeto) -> Event:
    if not isinstance(state.phase, LegislativeSession) or state.chancellor is None:
        raise _out_of_turn(state, "veto")
    if state.rules.veto_from == 0:
        raise RuleViolation("no-veto-here")
    if state.fascist_laws < state.rules.veto_from:
        raise RuleViolation("veto-not-yet", number=state.rules.veto_from, laws=state.fascist_laws)
    if state.phase.veto_refused and not state.rules.repeated_veto:
        raise RuleViolation("veto-was-refused", president=state.president, chancellor=state.chancellor)
    return happened.VetoWanted(state.president, state.chancellor)


def _answer_veto(state: GameState, command: do.AnswerVeto) -> Event:
    if not isinstance(state.phase, VetoProposed):
        raise _out_of_turn(state, "answer")
    if command.agrees:
        return happened.VetoAgreed(state.president, state.tracker + 1)
    return happened.VetoRefused(state.president)


def _power(state: GameState, wanted: str, *powers: Power) -> Power:
    if not isinstance(state.phase, PowerPending) or state.phase.power not in powers:
        raise _out_of_turn(state, wanted)
    return state.phase.power


def _look(state: GameState, _: do.FinishLooking) -> Event:
    return happened.PowerUsed(_power(state, "look", Power.MAGNIFIER, Power.PEEK), state.president)


def _targeted(state: GameState, wanted: str, power: Power, seat: Seat) -> Event:
    _power(state, wanted, power)
    return happened.PowerUsed(power, state.president, _target(state, power, seat))


def _investigate(state: GameState, command: do.Investigate) -> Event:
    return _targeted(state, "investigate", Power.INVESTIGATE, command.seat)


def _name_next(state: GameState, command: do.NameNextPresident) -> Event:
    return _targeted(state, "name-president", Power.SPECIAL_ELECTION, command.seat)


def _shoot(state: GameState, command: do.Shoot) -> Event:
    return _targeted(state, "shoot", Power.EXECUTION, command.seat)


def _shuffle(state: GameState, _: do.ShufflePiles) -> Event:
    if not isinstance(state.phase, ShufflePending):
        if state.draw_pile < state.rules.reshuffle_below:
            raise _out_of_turn(state, "shuffle")
        raise RuleViolation("no-shuffle-due", number=state.draw_pile, limit=state.rules.reshuffle_below)
    return happened.PilesShuffled(state.draw_pile + state.discard_pile)


def _end(_: GameState, __: do.EndGame) -> Event:
    return happened.GameAbandoned()


_DECIDERS: dict[type, Callable[[GameState, Any], Event]] = {
    do.DealRoles: _deal,
    do.NominateChancellor: _nominate,
    do.CastVote: _cast,
    do.TakeSecretBallot: _take_secret_ballot,
    do.CastSecretVote: _cast_secret,
    do.DrawMissingVotes: _draw_missing,
    do.ReportResult: _report_result,
    do.ReportCount: _report_count,
    do.AnswerDictatorQuestion: _answer,
    do.EnactLaw: _enact,
    do.ProposeVeto: _propose_veto,
    do.AnswerVeto: _answer_veto,
    do.FinishLooking: _look,
    do.Investigate: _investigate,
    do.NameNextPresident: _name_next,
    do.Shoot: _shoot,
    do.ShufflePiles: _shuffle,
    do.EndGame: _end,
}
