"""A game table for the tests: seat people, say what happens, look at what followed."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import Any

import msgspec
import pytest
import yaml

from gm_assistant.errors import RuleViolation
from gm_assistant.rules import commands as do
from gm_assistant.rules.commands import Command
from gm_assistant.rules.decide import decide, start
from gm_assistant.rules.edition import Edition, TrackerReset, edition_from, faults
from gm_assistant.rules.eligibility import Bar, eligible_chancellors, next_clockwise, targets
from gm_assistant.rules.events import Event
from gm_assistant.rules.history import Entry, History, Recorded, Reinstated, Retracted
from gm_assistant.rules.model import (
    Chaos,
    DictatorQuestion,
    GameOver,
    GameState,
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
CONFIGS = Path(__file__).parents[2] / "configs"
EDITION_FILE = CONFIGS / "secret_dictator.yaml"


def merged(base: Any, changes: Any) -> Any:
    """Return `base` with what `changes` says anew, table by table."""
    if not isinstance(base, dict) or not isinstance(changes, dict):
        return changes
    return {**base, **{key: merged(base.get(key), value) for key, value in changes.items()}}


def content(name: str) -> dict[str, Any]:
    """Return what stands in an edition file and in those that it extends."""
    own = yaml.safe_load((CONFIGS / f"{name}.yaml").read_text("utf-8"))
    base = own.pop("extends", None)
    whole: dict[str, Any] = own if base is None else merged(content(base), own)
    return whole


EDITIONS: dict[str, Edition] = {
    path.stem: edition_from({"names": {}} | content(path.stem), path.name) for path in sorted(CONFIGS.glob("*.yaml"))
}
SECRET_DICTATOR = EDITIONS["secret_dictator"]
STANDARD = ("secret_despotar", "secret_hitler", "service_rat")
"""The editions with the standard powers, the veto and the limits of the last elected government."""
NAMES = ("Anna", "Ben", "Clara", "David", "Emma", "Felix", "Greta", "Hans", "Ida", "Jonas")
PLAYER_COUNTS = range(5, 11)

every_edition = pytest.mark.parametrize("edition", EDITIONS)
every_standard = pytest.mark.parametrize("edition", STANDARD)
every_count = pytest.mark.parametrize("players", PLAYER_COUNTS)


def edition_of(edition: Edition | str) -> Edition:
    """Return an edition that may be given by its id."""
    return EDITIONS[edition] if isinstance(edition, str) else edition


def house_rules(edition: Edition | str = SECRET_DICTATOR, **changes: object) -> Edition:
    """Return the edition with some fields changed; fail if its file would be refused."""
    changed = msgspec.structs.replace(edition_of(edition), **changes)
    assert list(faults(changed)) == []
    return changed


def same_powers(*powers: Power, edition: Edition | str = SECRET_DICTATOR, **changes: object) -> Edition:
    """Return the edition with one column of powers for every number of players."""
    return house_rules(edition, powers=dict.fromkeys(PLAYER_COUNTS, powers), **changes)


def roles_for(players: int, edition: Edition | str = SECRET_DICTATOR) -> tuple[Role, ...]:
    """Return the role tokens of so many players, the liberals first and the dictator last."""
    tokens = edition_of(edition).roles[players]
    return tuple(role for role in (Role.LIBERAL, Role.FASCIST, Role.DICTATOR) for _ in range(tokens.of(role)))


class Table:
    """One game. `events` are what the last command made happen."""

    def __init__(self, players: int = 7, first: Seat = 1, edition: Edition | str = SECRET_DICTATOR) -> None:
        self.edition = edition_of(edition)
        self.events: tuple[Event, ...] = start(self.edition, NAMES[:players], first)
        self.history = History.begin(self.edition, self.events)
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

    def vote_secretly(self, seat: Seat, approves: bool) -> Table:
        return self.do(do.CastSecretVote(seat, approves))

    def passed(self) -> Table:
        return self.do(do.ReportResult(True))

    def failed(self) -> Table:
        return self.do(do.ReportResult(False))

    def answer(self, is_dictator: bool) -> Table:
        return self.do(do.AnswerDictatorQuestion(is_dictator))

    def enact(self, party: Party) -> Table:
        return self.do(do.EnactLaw(party))

    def propose_veto(self) -> Table:
        return self.do(do.ProposeVeto())

    def answer_veto(self, agrees: bool) -> Table:
        return self.do(do.AnswerVeto(agrees))

    def investigate(self, seat: Seat) -> Table:
        return self.do(do.Investigate(seat))

    def look(self) -> Table:
        return self.do(do.FinishLooking())

    def name_next(self, seat: Seat) -> Table:
        return self.do(do.NameNextPresident(seat))

    def shoot(self, seat: Seat) -> Table:
        return self.do(do.Shoot(seat))

    def shuffle(self) -> Table:
        return self.do(do.ShufflePiles())

    def shuffle_if_due(self) -> Table:
        return self.shuffle() if isinstance(self.phase, ShufflePending) else self

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
        for _ in range(self.state.rules.failed_elections_until_chaos - self.state.tracker):
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
            case PowerPending(Power.INVESTIGATE):
                self.investigate(min(targets(self.state, Power.INVESTIGATE)))
            case PowerPending():
                self.look()
            case DictatorQuestion():
                self.answer(False)
            case ShufflePending():
                self.shuffle()
            case Chaos():
                self.enact(LIBERAL)
            case phase:
                pytest.fail(f"nothing is due: {phase}")

    def happened(self, *kinds: type) -> list[Event]:
        """Return the events of these kinds that the last command made happen."""
        return [event for event in self.events if isinstance(event, kinds)]

    @property
    def bars(self) -> dict[Seat, Bar]:
        """Why who may not be nominated now."""
        return {player.seat: player.bar for player in eligible_chancellors(self.state) if player.bar is not None}

    def lay(self, liberal: int = 0, fascist: int = 0) -> Table:
        """Play so many whole rounds, liberal laws first, until the next nomination."""
        for party in (*[LIBERAL] * liberal, *[FASCIST] * fascist):
            self.play_round(party).settle()
        return self

    def reach(self, liberal: int = 0, fascist: int = 0) -> Table:
        """Play whole rounds until so many laws lie on the strips; some may lie there from the start."""
        return self.lay(max(liberal - self.state.liberal_laws, 0), max(fascist - self.state.fascist_laws, 0))

    def drain_to(self, left: int) -> Table:
        """Play liberal rounds and chaos until exactly `left` laws lie in the draw pile before a nomination."""
        here = len(self.history.done)
        for chaotic in (choice for rounds in range(5) for choice in product((False, True), repeat=rounds)):
            if self.state.liberal_laws + len(chaotic) >= self.state.rules.fields.liberal:
                continue
            for by_chaos in chaotic:
                (self.chaos if by_chaos else self.play_round)(LIBERAL).settle()
            if self.state.draw_pile == left:
                return self
            while len(self.history.done) > here:
                self.undo()
        return pytest.fail(f"no way to leave {left} laws")


def laws_in_all(state: GameState) -> int:
    """Return how many laws lie anywhere."""
    return state.draw_pile + state.discard_pile + state.in_hand + state.laws(LIBERAL) + state.laws(FASCIST)


def before_a_veto(
    edition: str, players: int = 7, failures: int = 2, resets_on: TrackerReset = TrackerReset.ELECTION
) -> Table:
    """Return a table with five fascist laws, so many failed elections, and then an elected government."""
    table = Table(players, edition=house_rules(edition, tracker_resets_on=resets_on)).reach(fascist=5)
    for _ in range(failures):
        table.fail_election()
    return table.elect()


def numbered_fields(*editions: str) -> list[tuple[str, int, int]]:
    """Return edition, players and number of every fascist law that can be enacted there before the last one."""
    return [
        (edition, players, law)
        for edition in editions or EDITIONS
        for players in PLAYER_COUNTS
        for law in range(EDITIONS[edition].rules_for(players).start.enacted.fascist + 1, 6)
    ]
