"""Taking steps back and bringing them again, and what a journal holds of them."""

from __future__ import annotations

import json

import msgspec
import pytest
from table import FASCIST, LIBERAL, NAMES, SECRET_DICTATOR, Table, roles_for

from gm_assistant.errors import RuleViolation
from gm_assistant.rules import commands as do
from gm_assistant.rules import events as happened
from gm_assistant.rules.apply import replay
from gm_assistant.rules.history import Entry, History, Recorded, Reinstated, Retracted
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
    ShufflePending,
)


def test_a_new_game_has_nothing_to_take_back():
    table = Table(7)
    with pytest.raises(RuleViolation) as refused:
        table.undo()
    assert (refused.value.key, refused.value.facts) == ("nothing-to-undo", {})
    assert table.phase == Nomination()


def test_nothing_can_be_brought_again_that_was_not_taken_back():
    with pytest.raises(RuleViolation) as refused:
        Table(7).nominate(3).redo()
    assert (refused.value.key, refused.value.facts) == ("nothing-to-redo", {})


def test_one_step_is_one_command_with_all_that_followed():
    table = Table(7).nominate(3)
    before = table.state
    table.count(7, 0)
    assert table.phase == LegislativeSession(3)
    assert table.undo().state == before
    assert table.phase == Election(3)


def test_what_was_taken_back_can_be_brought_again():
    table = Table(7).nominate(3).passed()
    after = table.state
    assert table.undo().state != after
    assert table.redo().state == after


def test_steps_are_brought_again_in_their_order():
    table = Table(7).nominate(3).passed().enact(LIBERAL)
    table.undo().undo().undo()
    assert table.phase == Nomination()
    assert table.redo().phase == Election(3)
    assert table.redo().phase == LegislativeSession(3)
    assert table.redo().state.laws(LIBERAL) == 1


def test_all_steps_can_be_taken_back_but_the_first():
    table = Table(7).nominate(3).passed()
    table.undo().undo()
    with pytest.raises(RuleViolation) as refused:
        table.undo()
    assert refused.value.key == "nothing-to-undo"


def test_a_new_step_forgets_what_was_taken_back():
    table = Table(7).nominate(3).undo().nominate(4)
    with pytest.raises(RuleViolation) as refused:
        table.redo()
    assert refused.value.key == "nothing-to-redo"
    assert table.undo().redo().phase == Election(4)


def test_a_nomination_can_be_corrected():
    table = Table(7).nominate(3).undo().nominate(4)
    assert table.all_events == (
        happened.GameStarted("secret_dictator", 1, NAMES[:7], 1, table.state.rules),
        happened.ChancellorNominated(1, 4),
    )


def test_a_refused_undo_changes_nothing():
    history = Table(7).history
    with pytest.raises(RuleViolation):
        history.after(Retracted())
    assert history == Table(7).history


def secret_votes(table, number):
    """Open a secret ballot and let the first `number` players agree."""
    table.do(do.TakeSecretBallot())
    for seat in range(1, number + 1):
        table.vote_secretly(seat, True)
    return table


BIG_STEPS = {
    "an execution": (
        lambda: Table(7).lay(fascist=3).play_round(FASCIST),
        lambda table: table.shoot(6),
        DictatorQuestion(6, Cause.DICTATOR_SHOT),
    ),
    "the end by an execution": (
        lambda: Table(7).lay(fascist=3).play_round(FASCIST).shoot(6),
        lambda table: table.answer(True),
        GameOver(Party.LIBERAL, Cause.DICTATOR_SHOT),
    ),
    "the third failure": (
        lambda: Table(7).fail_election().fail_election().nominate(4),
        lambda table: table.failed(),
        Chaos(),
    ),
    "the law of chaos": (
        lambda: Table(7).fail_election().fail_election().fail_election(),
        lambda table: table.enact(FASCIST),
        Nomination(),
    ),
    "a shuffle": (
        lambda: Table(5).lay(liberal=4).play_round(FASCIST),
        lambda table: table.shuffle(),
        Nomination(),
    ),
    "a law that makes a shuffle due": (
        lambda: Table(5).lay(liberal=4).elect(),
        lambda table: table.enact(FASCIST),
        ShufflePending(Nomination()),
    ),
    "an election won by the fascists": (
        lambda: Table(7).lay(fascist=3).nominate(6).passed(),
        lambda table: table.answer(True),
        GameOver(Party.FASCIST, Cause.DICTATOR_ELECTED),
    ),
    "the last law": (
        lambda: Table(7).lay(fascist=5).elect(),
        lambda table: table.enact(FASCIST),
        GameOver(Party.FASCIST, Cause.LAWS),
    ),
    "a named president": (
        lambda: Table(9).lay(fascist=2).play_round(FASCIST),
        lambda table: table.name_next(8),
        Nomination(),
    ),
    "a law with a magnifier": (
        lambda: Table(9).elect(),
        lambda table: table.enact(FASCIST),
        PowerPending(Power.MAGNIFIER),
    ),
    "the last vote of a roll call": (
        lambda: Table(5).nominate(3).vote(1, True).vote(2, True).vote(4, True).vote(5, False),
        lambda table: table.vote(3, True),
        LegislativeSession(3),
    ),
    "the last vote of a secret ballot": (
        lambda: secret_votes(Table(5, edition="secret_despotar").nominate(3), 4),
        lambda table: table.vote_secretly(5, False),
        LegislativeSession(3),
    ),
    "the votes that were missing": (
        lambda: secret_votes(Table(5, edition="secret_despotar").nominate(3), 4),
        lambda table: table.do(do.DrawMissingVotes(((5, True),))),
        LegislativeSession(3),
    ),
    "an agreed veto": (
        lambda: Table(7, edition="secret_hitler").lay(fascist=5).elect().propose_veto(),
        lambda table: table.answer_veto(True),
        Nomination(),
    ),
    "the refusal of a veto": (
        lambda: Table(7, edition="secret_hitler").lay(fascist=5).elect().propose_veto(),
        lambda table: table.answer_veto(False),
        LegislativeSession(3, veto_refused=True),
    ),
    "an investigation": (
        lambda: Table(7, edition="secret_hitler").lay(fascist=1).play_round(FASCIST),
        lambda table: table.investigate(6),
        Nomination(),
    ),
    "the deal": (
        lambda: Table(5),
        lambda table: table.deal(*roles_for(5)),
        Nomination(),
    ),
}


@pytest.mark.parametrize("step", BIG_STEPS)
def test_after_an_undo_everything_is_as_before(step):
    reach, play, expected = BIG_STEPS[step]
    table = reach()
    before = table.state
    after = play(table).state
    assert after.phase == expected
    assert after != before
    assert table.undo().state == before
    assert table.redo().state == after


def test_an_undone_deal_leaves_no_roles():
    assert Table(5).deal(*roles_for(5)).undo().state.roles is None


# What is stored.


def test_a_history_is_what_its_entries_say():
    table = Table(7).nominate(3).undo().nominate(4).passed().undo().redo().enact(FASCIST)
    first, *rest = table.entries
    history = History.begin(SECRET_DICTATOR, first.events)
    for entry in rest:
        history = history.after(entry)
    assert history == table.history


def test_the_events_that_count_replay_to_the_state():
    table = Table(7).lay(liberal=2, fascist=4).fail_election().undo()
    assert replay(SECRET_DICTATOR, table.all_events) == table.state


ENTRIES = [
    (Retracted(), '{"entry":"Retracted"}'),
    (Reinstated(), '{"entry":"Reinstated"}'),
    (Recorded(()), '{"entry":"Recorded","events":[]}'),
    (
        Recorded((happened.ChancellorNominated(1, 3),)),
        '{"entry":"Recorded","events":[{"event":"ChancellorNominated","president":1,"seat":3}]}',
    ),
]


@pytest.mark.parametrize(("entry", "text"), ENTRIES)
def test_entries_are_stored_under_their_names(entry, text):
    assert msgspec.json.encode(entry).decode() == text
    assert msgspec.json.decode(text, type=Entry) == entry


# Never change a line here: old journals must stay readable.
STORED = [
    (
        happened.GameStarted("secret_dictator", 1, ("Anna", "Ben"), 2),
        {"event": "GameStarted", "edition": "secret_dictator", "version": 1, "players": ["Anna", "Ben"], "first": 2},
    ),
    (
        happened.RolesDealt((Role.LIBERAL, Role.FASCIST, Role.DICTATOR)),
        {"event": "RolesDealt", "roles": ["liberal", "fascist", "dictator"]},
    ),
    (happened.ChancellorNominated(1, 3), {"event": "ChancellorNominated", "president": 1, "seat": 3}),
    (happened.VoteCast(4, approves=False), {"event": "VoteCast", "seat": 4, "approves": False}),
    (happened.SecretBallotOpened(), {"event": "SecretBallotOpened"}),
    (happened.SecretVoteCast(4, approves=True), {"event": "SecretVoteCast", "seat": 4, "approves": True}),
    (
        happened.MissingVotesDrawn(((4, True), (5, False))),
        {"event": "MissingVotesDrawn", "votes": [[4, True], [5, False]]},
    ),
    (
        happened.VotesPublished(((1, True), (2, False))),
        {"event": "VotesPublished", "votes": [[1, True], [2, False]]},
    ),
    (
        happened.GovernmentElected(1, 3, 4, 1),
        {"event": "GovernmentElected", "president": 1, "chancellor": 3, "yes": 4, "no": 1},
    ),
    (happened.ElectionFailed(2, None, None), {"event": "ElectionFailed", "tracker": 2, "yes": None, "no": None}),
    (
        happened.DictatorAsked(3, Cause.DICTATOR_ELECTED),
        {"event": "DictatorAsked", "seat": 3, "cause": "dictator_elected"},
    ),
    (happened.DictatorDenied(3), {"event": "DictatorDenied", "seat": 3}),
    (happened.DictatorConfirmed(3), {"event": "DictatorConfirmed", "seat": 3}),
    (happened.SessionOpened(1, 3, 3), {"event": "SessionOpened", "president": 1, "chancellor": 3, "drawn": 3}),
    (happened.VetoWanted(1, 3), {"event": "VetoWanted", "president": 1, "chancellor": 3}),
    (happened.VetoAgreed(1, 2), {"event": "VetoAgreed", "president": 1, "tracker": 2}),
    (happened.VetoRefused(1), {"event": "VetoRefused", "president": 1}),
    (happened.ChaosBegan(), {"event": "ChaosBegan"}),
    (
        happened.LawEnacted(Party.FASCIST, 2, by_chaos=True),
        {"event": "LawEnacted", "party": "fascist", "number": 2, "by_chaos": True},
    ),
    (happened.MagnifierReserved(), {"event": "MagnifierReserved"}),
    (
        happened.PowerGranted(Power.SPECIAL_ELECTION, 1),
        {"event": "PowerGranted", "power": "special_election", "president": 1},
    ),
    (
        happened.PowerUsed(Power.EXECUTION, 1, 5),
        {"event": "PowerUsed", "power": "execution", "president": 1, "target": 5},
    ),
    (happened.PowerLapsed(Power.INVESTIGATE), {"event": "PowerLapsed", "power": "investigate"}),
    (happened.ShuffleDue(2), {"event": "ShuffleDue", "left": 2}),
    (happened.PilesShuffled(12), {"event": "PilesShuffled", "draw_pile": 12}),
    (happened.PresidencyPassed(4, special=True), {"event": "PresidencyPassed", "president": 4, "special": True}),
    (
        happened.GameWon(Party.LIBERAL, Cause.DICTATOR_SHOT),
        {"event": "GameWon", "party": "liberal", "cause": "dictator_shot"},
    ),
    (happened.GameAbandoned(), {"event": "GameAbandoned"}),
]


@pytest.mark.parametrize(("event", "stored"), STORED)
def test_events_are_stored_under_their_names(event, stored):
    assert json.loads(msgspec.json.encode(event)) == stored
    assert msgspec.convert(stored, type=happened.Event) == event


def test_no_event_is_missing_above():
    assert {type(event) for event, _ in STORED} == set(happened.Event.__args__)


def test_an_event_of_an_unknown_name_is_not_read():
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode('{"entry":"Recorded","events":[{"event":"Coup"}]}', type=Entry)
