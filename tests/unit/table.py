"""A game table for the tests: seat people, say what happens, look at what followed."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
import yaml

from gm_assistant.errors import RuleViolation
from gm_assistant.rules import commands as do
from gm_assistant.rules.commands import Command
from gm_assistant.rules.decide import decide, start
from gm_assistant.rules.edition import Edition, edition_from
from gm_assistant.rules.eligibility import eligible_chancellors, next_clockwise
from gm_assistant.rules.events import Event
from gm_assistant.rules.history import Entry, History, Recorded, Reinstated, Retracted
from gm_assistant.rules.model import (
    DictatorQuestion,
    GameOver,
    GameState,
    LegislativeSession,
    Nomination,
    Party,
    Phase,
    Power,
    PowerPending,
    Role,
    Seat,
    ShufflePending,
)

LIBERAL, FASCIST = Party.LIBERAL, Party.FASCIST
EDITION_FILE = Path(__file__).parents[2] / "configs" / "secret_dictator.yaml"
SECRET_DICTATOR: Edition = edition_from(yaml.safe_load(EDITION_FILE.read_text("utf-8")), EDITION_FILE.name)
NAMES = ("Anna", "Ben", "Clara", "David", "Emma", "Felix", "Greta", "Hans", "Ida", "Jonas")
PLAYER_COUNTS = range(5, 11)


def house_rules(**changes: object) -> Edition:
    """Return the edition with some fields changed."""
    return msgspec.structs.replace(SECRET_DICTATOR, **changes)


def same_powers(*powers: Power) -> Edition:
    """Return the edition with one column of powers for every number of players."""
    return house_rules(powers=dict.fromkeys(PLAYER_COUNTS, powers))


def roles_for(players: int) -> tuple[Role, ...]:
    """Return the role tokens of so many players, the liberals first and the dictator last."""
    tokens = SECRET_DICTATOR.roles[players]
    return tuple(role for role in (Role.LIBERAL, Role.FASCIST, Role.DICTATOR) for _ in range(tokens[role]))


class Table:
    """One game. `events` are what the last command made happen."""

    def __init__(self, players: int = 7, first: Seat = 1, edition: Edition = SECRET_DICTATOR) -> None:
        self.events: tuple[Event, ...] = start(edition, NAMES[:players], first)
        self.history = History.begin(edition, self.events)
        self.entries: list[Entry] = [Recorded(self.events)]

    @property
    def state(self) -> GameState:
        return self.history.state

    @property
    def phase(self) -> Phase:
        return self.state.phase

    @property
    def all_events(self) -> tuple[Event, ...]:
        """Everything that happened in this game and still counts."""
        return tuple(event for step in self.history.done for event in step.events)

    @property
    def candidates(self) -> set[Seat]:
        """Who may be nominated now."""
        return {player.seat for player in eligible_chancellors(self.state) if player.bar is None}

    def do(self, command: Command) -> Table:
        self.events = decide(self.state, command)
        return self._enter(Recorded(self.events))

    def undo(self) -> Table:
        return self._enter(Retracted())

    def redo(self) -> Table:
        return self._enter(Reinstated())

    def _enter(self, entry: Entry) -> Table:
        self.history = self.history.after(entry)
        self.entries.append(entry)
        return self

    def refusal(self, command: Command) -> RuleViolation:
        """Return why `command` is refused now; fail if it is not."""
        with pytest.raises(RuleViolation) as refused:
            decide(self.state, command)
        return refused.value

    # One command each.

    def deal(self, *roles: Role) -> Table:
        return self.do(do.DealRoles(roles))

    def nominate(self, seat: Seat) -> Table:
        return self.do(do.NominateChancellor(seat))

    def count(self, yes: int, no: int) -> Table:
        return self.do(do.ReportCount(yes, no))

    def vote(self, seat: Seat, approves: bool) -> Table:
        return self.do(do.CastVote(seat, approves))

    def passed(self) -> Table:
        return self.do(do.ReportResult(True))

    def failed(self) -> Table:
        return self.do(do.ReportResult(False))

    def answer(self, is_dictator: bool) -> Table:
        return self.do(do.AnswerDictatorQuestion(is_dictator))

    def enact(self, party: Party) -> Table:
        return self.do(do.EnactLaw(party))

    def look(self) -> Table:
        return self.do(do.FinishLooking())

    def name_next(self, seat: Seat) -> Table:
        return self.do(do.NameNextPresident(seat))

    def shoot(self, seat: Seat) -> Table:
        return self.do(do.Shoot(seat))

    def shuffle(self) -> Table:
        return self.do(do.ShufflePiles())

    # Whole stretches of a game.

    def elect(self, chancellor: Seat | None = None) -> Table:
        """Elect somebody who is not the dictator, by default the first who may be nominated."""
        self.nominate(chancellor or min(self.candidates)).passed()
        return self.answer(False) if isinstance(self.phase, DictatorQuestion) else self

    def fail_election(self, candidate: Seat | None = None) -> Table:
        return self.nominate(candidate or min(self.candidates)).failed()

    def play_round(self, party: Party, chancellor: Seat | None = None) -> Table:
        """Elect a government that enacts a law, and stop where somebody has to do something about it."""
        return self.elect(chancellor).enact(party)

    def chaos(self, party: Party) -> Table:
        """Let elections fail until the top law is turned over, and stop after it."""
        for _ in range(self.state.edition.failed_elections_until_chaos - self.state.tracker):
            self.fail_election()
        return self.enact(party)

    def settle(self) -> Table:
        """Do what is due in the plainest way until somebody is to be nominated or the game is over."""
        for _ in range(10):
            if isinstance(self.phase, Nomination | GameOver):
                return self
            self._settle_one()
        return pytest.fail(f"this never ends: {self.phase}")

    def _settle_one(self) -> None:
        match self.phase:
            case PowerPending(Power.EXECUTION):
                self.shoot(max(self.state.alive - {self.state.president}))
            case PowerPending(Power.SPECIAL_ELECTION):
                self.name_next(next_clockwise(self.state, self.state.president))
            case PowerPending():
                self.look()
            case DictatorQuestion():
                self.answer(False)
            case ShufflePending():
                self.shuffle()
            case phase:
                pytest.fail(f"nothing is due: {phase}")

    def lay(self, liberal: int = 0, fascist: int = 0) -> Table:
        """Play so many whole rounds, liberal laws first, until the next nomination."""
        for party in (*[LIBERAL] * liberal, *[FASCIST] * fascist):
            self.play_round(party).settle()
        return self


def laws_in_all(state: GameState) -> int:
    """Return how many laws lie anywhere."""
    in_hand = state.phase.in_hand if isinstance(state.phase, LegislativeSession) else 0
    return state.draw_pile + state.discard_pile + in_hand + state.laws(LIBERAL) + state.laws(FASCIST)
