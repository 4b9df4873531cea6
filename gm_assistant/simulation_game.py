"""One game without people: real roles and a real deck, players who follow a few fixed habits.

It is a yardstick to compare editions with, not a model of people. The habits, and nothing else:
- a player is suspect whose latest government enacted a fascist law; those who know the fascists suspect nobody;
- everybody votes yes with a fixed chance: one for governments without a suspect and one for the others, or, among those
  who know the fascists, one for governments with a fascist or the dictator and one for the others;
- presidents nominate at random, but nobody they suspect if they can help it;
- presidents discard, and chancellors enact, what helps their side, as far as the laws in hand let them;
- the dictator plays for the liberals until an elected dictator would win;
- a chancellor proposes a veto, and a president agrees to it, when all laws passed on hurt their side;
- presidents investigate, shoot and name the next president at random, but nobody shoots themselves, and fascists do
  not shoot the dictator, as long as there is somebody else;
- everybody answers truthfully whether they are the dictator.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Any

import msgspec

from gm_assistant.rules import commands as do
from gm_assistant.rules import events as happened
from gm_assistant.rules.apply import replay
from gm_assistant.rules.commands import Command
from gm_assistant.rules.decide import advance, start
from gm_assistant.rules.edition import Edition, Rules
from gm_assistant.rules.events import Event
from gm_assistant.rules.legal import moves
from gm_assistant.rules.model import (
    Cause,
    Chaos,
    DictatorQuestion,
    Election,
    GameOver,
    LegislativeSession,
    Nomination,
    Party,
    Power,
    PowerPending,
    Role,
    Seat,
    VetoProposed,
)

YES_TO_UNSUSPECTED = 0.8
"""Chance of a yes from those who do not know the fascists, when nobody suspect governs."""
YES_TO_SUSPECTS = 0.3
"""The same when somebody suspect governs."""
YES_TO_FELLOWS = 0.8
"""Chance of a yes from those who know the fascists, when one of them or the dictator governs."""
YES_TO_STRANGERS = 0.5
"""The same when nobody of theirs governs."""


class Outcome(msgspec.Struct, frozen=True):
    """How one game went. `rounds` counts elections: every round has one."""

    winner: Party
    cause: Cause
    rounds: int
    failed_elections: int
    chaos: int
    vetoes: int
    """Those that the president agreed to."""
    shot: int


class Cards:
    """The laws on the table, each pile from its top. They follow the events of the rules."""

    def __init__(self, rules: Rules, random: Random) -> None:
        self._random = random
        self.hand: list[Party] = []
        self.discard_pile = [party for party in Party for _ in range(getattr(rules.start.discarded, party))]
        self.draw_pile = [
            party
            for party in Party
            for _ in range(
                rules.laws.of(party) - getattr(rules.start.enacted, party) - getattr(rules.start.discarded, party)
            )
        ]
        random.shuffle(self.draw_pile)

    def follow(self, event: Event) -> None:
        """Move the laws that `event` moves."""
        match event:
            case happened.SessionOpened(drawn=drawn):
                self.hand, self.draw_pile = self.draw_pile[:drawn], self.draw_pile[drawn:]
            case happened.LawEnacted(by_chaos=True):
                self.draw_pile.pop(0)
            case happened.LawEnacted(party=party):
                self.hand.remove(party)
                self._discard_hand()
            case happened.VetoAgreed():
                self._discard_hand()
            case happened.PilesShuffled():
                self.draw_pile += self.discard_pile
                self.discard_pile = []
                self._random.shuffle(self.draw_pile)
            case _:
                pass

    def passed_on(self, president: Party) -> list[Party]:
        """Return what the chancellor gets in hand: a president who plays for `president` discards one law."""
        hurting = [law for law in self.hand if law is not president]
        laws = self.hand.copy()
        laws.remove(hurting[0] if hurting else president)
        return laws

    def _discard_hand(self) -> None:
        self.discard_pile += self.hand
        self.hand = []


class SimulatedGame:
    """A game that plays itself, one command at a time. All chance comes from `random`."""

    def __init__(self, edition: Edition, players: int, random: Random) -> None:
        events = start(edition, tuple(map(str, range(1, players + 1))), random.randint(1, players))
        self.state = replay(edition, events)
        self.random = random
        rules = self.state.rules
        roles = [role for role in Role for _ in range(rules.roles.of(role))]
        random.shuffle(roles)
        self.roles = tuple(roles)
        self.cards = Cards(rules, random)
        self.suspects: frozenset[Seat] = frozenset()
        self._happened: Counter[type] = Counter()
        self._do(do.DealRoles(self.roles))

    @property
    def over(self) -> bool:
        """Whether a party has won."""
        return isinstance(self.state.phase, GameOver)

    def step(self) -> None:
        """Let whoever's turn it is do one thing."""
        decide = _HABITS.get(type(self.state.phase), _at_random)
        self._do(decide(self, self.state.phase))

    def outcome(self) -> Outcome:
        """Return how the game went, once it is over."""
        end = self.state.phase
        assert isinstance(end, GameOver)  # noqa: S101 - asked for too early
        assert end.winner is not None  # noqa: S101 - nobody here breaks a game off
        count = self._happened
        failed = count[happened.ElectionFailed]
        return Outcome(
            winner=end.winner,
            cause=end.cause,
            rounds=failed + count[happened.GovernmentElected],
            failed_elections=failed,
            chaos=count[happened.ChaosBegan],
            vetoes=count[happened.VetoAgreed],
            shot=len(self.state.players) - len(self.state.alive),
        )

    def is_fascist(self, seat: Seat) -> bool:
        """Return whether the player on `seat` is a fascist or the dictator."""
        return self.roles[seat - 1] is not Role.LIBERAL

    def side(self, seat: Seat) -> Party:
        """Return for whom the player on `seat` plays at the moment."""
        hiding = self.roles[seat - 1] is Role.DICTATOR and not self.state.danger
        return Party.FASCIST if self.is_fascist(seat) and not hiding else Party.LIBERAL

    def knows_fascists(self, seat: Seat) -> bool:
        """Return whether the player on `seat` has learned who the fascists are."""
        role = self.roles[seat - 1]
        return role is Role.FASCIST or (role is Role.DICTATOR and self.state.rules.dictator_knows_fascists)

    def chance_of_yes(self, voter: Seat, government: frozenset[Seat]) -> float:
        """Return how likely `voter` is to vote for `government`."""
        if self.knows_fascists(voter):
            return YES_TO_FELLOWS if any(map(self.is_fascist, government)) else YES_TO_STRANGERS
        return YES_TO_SUSPECTS if government & self.suspects - {voter} else YES_TO_UNSUSPECTED

    def _do(self, command: Command) -> None:
        before = self.state
        events, self.state = advance(before, command)
        for event in events:
            self.cards.follow(event)
            self._happened[type(event)] += 1
        if isinstance(command, do.EnactLaw) and before.chancellor is not None:
            government = {before.president, before.chancellor}
            others = self.suspects - government
            self.suspects = others | government if command.party is Party.FASCIST else others


def play(edition: Edition, players: int, random: Random) -> Outcome:
    """Return how one game of `players` goes; the same random numbers give the same game."""
    game = SimulatedGame(edition, players, random)
    while not game.over:
        game.step()
    return game.outcome()


def _at_random(game: SimulatedGame, _: object) -> Command:
    return game.random.choice(list(moves(game.state)))


def _nominate(game: SimulatedGame, _: Nomination) -> Command:
    possible = list(moves(game.state))
    suspects = frozenset[Seat]() if game.knows_fascists(game.state.president) else game.suspects
    wanted = [name for name in possible if isinstance(name, do.NominateChancellor) and name.seat not in suspects]
    return game.random.choice(wanted or possible)


def _vote(game: SimulatedGame, election: Election) -> Command:
    state = game.state
    government = frozenset({state.president, election.candidate})
    yes = sum(game.random.random() < game.chance_of_yes(seat, government) for seat in sorted(state.alive))
    return do.ReportCount(yes, len(state.alive) - yes)


def _answer(game: SimulatedGame, question: DictatorQuestion) -> Command:
    return do.AnswerDictatorQuestion(game.roles[question.seat - 1] is Role.DICTATOR)


def _enact(game: SimulatedGame, _: LegislativeSession) -> Command:
    chancellor = game.state.chancellor
    assert chancellor is not None  # noqa: S101 - a session has one
    own = game.side(chancellor)
    laws = game.cards.passed_on(game.side(game.state.president))
    if own in laws:
        return do.EnactLaw(own)
    veto = do.ProposeVeto()
    return veto if veto in moves(game.state) else do.EnactLaw(laws[0])


def _answer_veto(game: SimulatedGame, _: VetoProposed) -> Command:
    own = game.side(game.state.president)
    return do.AnswerVeto(own not in game.cards.passed_on(own))


def _chaos(game: SimulatedGame, _: Chaos) -> Command:
    return do.EnactLaw(game.cards.draw_pile[0])


def _use(game: SimulatedGame, pending: PowerPending) -> Command:
    possible = list(moves(game.state))
    if pending.power is not Power.EXECUTION:
        return game.random.choice(possible)
    spared = {game.state.president}
    if game.roles[game.state.president - 1] is Role.FASCIST:
        spared.add(game.roles.index(Role.DICTATOR) + 1)
    wanted = [shot for shot in possible if isinstance(shot, do.Shoot) and shot.seat not in spared]
    return game.random.choice(wanted or possible)


_HABITS: dict[type, Callable[[SimulatedGame, Any], Command]] = {
    Nomination: _nominate,
    Election: _vote,
    DictatorQuestion: _answer,
    LegislativeSession: _enact,
    VetoProposed: _answer_veto,
    Chaos: _chaos,
    PowerPending: _use,
}
