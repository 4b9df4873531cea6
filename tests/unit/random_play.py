"""Random games: which command comes next, what must hold in every state, and which editions there could be."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from hypothesis import assume
from hypothesis import strategies as st
from msgspec.structs import replace
from table import EDITIONS, FASCIST, LIBERAL, laws_in_all, roles_for

from gm_assistant.errors import RuleViolation
from gm_assistant.rules import commands as do
from gm_assistant.rules.commands import Command
from gm_assistant.rules.decide import decide
from gm_assistant.rules.edition import (
    LOOKS,
    TARGETED,
    Basis,
    Edition,
    Material,
    PerParty,
    Start,
    StartLaws,
    TermLimits,
    TrackerReset,
    faults,
)
from gm_assistant.rules.eligibility import eligible_chancellors
from gm_assistant.rules.legal import moves
from gm_assistant.rules.model import (
    DictatorQuestion,
    Election,
    GameOver,
    GameState,
    LegislativeSession,
    Nomination,
    Office,
    Party,
    Power,
    PowerPending,
    Seat,
    SecretElection,
)

# Playing.


def pick(state: GameState, number: int) -> Command:
    """Return a legal command: any, but with less luck for the liberals and fewer single votes, so that games go far."""
    match state.phase:
        case DictatorQuestion():
            return do.AnswerDictatorQuestion(number % 8 == 0)
        case LegislativeSession() if number % 5:
            return do.EnactLaw(LIBERAL if number % 3 == 0 else FASCIST)
        case Election(votes=()) if state.rules.secret_ballot and number % 5 == 1:
            return do.TakeSecretBallot()
        case Election(votes=()) if number % 4:
            return do.ReportResult(number % 3 > 0)
        case SecretElection():
            return secret_vote(state, state.phase, number)
    possible = list(moves(state))
    return possible[number % len(possible)]


def secret_vote(state: GameState, ballot: SecretElection, number: int) -> Command:
    living = sorted(state.alive)
    if number % 11 == 0:
        missing = [seat for seat in living if seat not in dict(ballot.votes)]
        return do.DrawMissingVotes(tuple((seat, bool(number >> place & 1)) for place, seat in enumerate(missing)))
    return do.CastSecretVote(living[number % len(living)], number % 3 > 0)


def plainest(state: GameState) -> Command:
    """Return the first possible move that is not a single vote: playing like this comes to an end."""
    if isinstance(state.phase, SecretElection):
        return secret_vote(state, state.phase, 0)
    return next(moves(state))


def next_command(state: GameState, numbers: list[int], step: int) -> Command:
    assert step < 400, "the game does not end"
    return pick(state, numbers[step]) if step < len(numbers) else plainest(state)


# What holds everywhere.


def check(state: GameState) -> None:
    """Fail unless `state` is one that a game can be in when somebody has to do something."""
    rules = state.rules
    assert laws_in_all(state) == rules.laws.total
    assert min(state.draw_pile, state.discard_pile) >= 0
    assert all(state.laws(party) <= rules.fields.of(party) for party in Party)
    assert 0 <= state.peeked <= state.draw_pile
    assert len(state.alive) >= 2
    assert isinstance(state.phase, GameOver) or next(moves(state), None) is not None
    if isinstance(state.phase, PowerPending):
        assert state.phase.power is not Power.NONE
        assert not state.magnifier_reserved
    if isinstance(state.phase, Nomination):
        check_nomination(state)


def check_nomination(state: GameState) -> None:
    assert state.president in state.alive
    assert 0 <= state.tracker < state.rules.failed_elections_until_chaos
    assert state.draw_pile >= state.rules.reshuffle_below
    assert (state.chancellor, state.special_president, state.magnifier_reserved) == (None, None, False)
    candidates = {player.seat for player in eligible_chancellors(state) if player.bar is None}
    assert candidates
    assert candidates <= state.alive - {state.president}


def outcome(state: GameState, command: Command) -> tuple[object, ...]:
    """Return the events, or the key and the facts of the refusal. Any other error fails the test."""
    try:
        return decide(state, command)
    except RuleViolation as refused:
        return (refused.key, refused.facts)


def thinkable(state: GameState) -> Iterator[Command]:
    """Yield what a leader might say at any moment, sensible or not; every command that could ever be legal is here."""
    players = len(state.players)
    seats = range(-1, players + 2)
    for make in (do.NominateChancellor, do.NameNextPresident, do.Shoot, do.Investigate):
        yield from (make(seat) for seat in seats)
    for vote in (do.CastVote, do.CastSecretVote):
        yield from (vote(seat, approves) for seat in seats for approves in (True, False))
    for answer in (do.ReportResult, do.AnswerDictatorQuestion, do.AnswerVeto):
        yield from (answer(said) for said in (True, False))
    yield from (do.ReportCount(yes, len(state.alive) - yes + wrong) for yes in seats for wrong in (-1, 0, 1))
    yield from (do.EnactLaw(party) for party in Party)
    yield from (make() for make in (do.TakeSecretBallot, do.ProposeVeto, do.FinishLooking, do.ShufflePiles, do.EndGame))
    yield from thinkable_deals(state)
    yield from thinkable_draws(state)


def thinkable_deals(state: GameState) -> Iterator[Command]:
    right = roles_for(len(state.players), state.rules.edition)
    yield from (do.DealRoles(roles) for roles in (right, right[::-1], right[1:], (*right, right[0]), ()))


def thinkable_draws(state: GameState) -> Iterator[Command]:
    """Yield votes for those who have not voted yet, for one more and one less, and in the wrong order."""
    votes = state.phase.votes if isinstance(state.phase, SecretElection) else ()
    missing: list[Seat] = [seat for seat in sorted(state.alive) if seat not in dict(votes)]
    for seats in (missing, missing[1:], missing[::-1] if len(missing) > 1 else [], [*missing, len(state.players) + 1]):
        for drawn in product((True, False), repeat=min(len(seats), 3)):
            yield do.DrawMissingVotes(tuple(zip(seats, (*drawn, *[True] * (len(seats) - len(drawn))), strict=True)))


# Editions that could be.


@st.composite
def any_house_rules(draw: st.DrawFn, players: int) -> Edition:
    """Draw an edition whose file would be accepted, for games of so many players."""
    base = EDITIONS[draw(st.sampled_from(sorted(EDITIONS)))]
    fields = PerParty(draw(st.integers(1, 7)), draw(st.integers(1, 7)))
    laws = PerParty(fields.liberal + draw(st.integers(0, 3)), fields.fascist + draw(st.integers(0, 6)))
    drawn = draw(st.integers(2, 4))
    reshuffle_below = draw(st.integers(drawn, 8))
    offices = st.lists(st.sampled_from(Office), unique=True).map(tuple)
    basis, first = draw(st.sampled_from(Basis)), draw(st.sampled_from(Office))
    limits = TermLimits(basis, draw(offices), draw(st.integers(0, 10)), draw(st.booleans()), first)
    column = draw(st.lists(st.sampled_from(Power), max_size=max(fields.fascist - 1, 0)))
    aside = [StartLaws(draw(st.integers(0, 2)), draw(st.integers(0, 2))) for _ in range(2)]
    edition = replace(
        base,
        fields=fields,
        laws=laws,
        drawn=drawn,
        reshuffle_below=reshuffle_below,
        peeked=draw(st.integers(1, reshuffle_below)),
        start={players: Start(*aside)} if draw(st.booleans()) else {},
        shuffle_before=draw(st.lists(st.sampled_from(LOOKS), unique=True).map(tuple)),
        failed_elections_until_chaos=draw(st.integers(1, 3 if base.material is Material.TACTILE else 4)),
        tracker_resets_on=draw(st.sampled_from(TrackerReset)),
        tie_elects=draw(st.booleans()),
        danger_from=draw(st.integers(1, fields.fascist)),
        danger_warning=draw(st.booleans()),
        repeated_question=draw(st.booleans()),
        veto_from=draw(st.integers(0, fields.fascist - 1)),
        repeated_veto=draw(st.booleans()),
        term_limits=limits,
        powers={**dict.fromkeys(base.powers, ()), players: tuple(column)},
        may_target_oneself=draw(st.lists(st.sampled_from(TARGETED), unique=True).map(tuple)),
        repeated_investigation=draw(st.booleans()),
        secret_ballot=draw(st.booleans()),
    )
    assume(not list(faults(edition)))
    return edition
