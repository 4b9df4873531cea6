"""Later in the game: answers held against the deal, investigations without sight, the leader's private notes."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest
from private_table import (
    ENTER,
    NAMES,
    NUMBER,
    PROVEN,
    WRONG,
    PrivateTable,
    equal_whispers,
    from_outside,
    headset_words,
    table_words,
)
from table import EDITIONS, every_edition

from gm_assistant.dialogue.messages import Person, Place
from gm_assistant.rules.model import (
    DictatorQuestion,
    Election,
    GameOver,
    LegislativeSession,
    Nomination,
    Power,
    PowerPending,
    Role,
    Seat,
    ShufflePending,
)

LEADER = (ENTER, NUMBER)
STANDARD = ("secret_despotar", "secret_hitler", "service_rat")
every_standard = pytest.mark.parametrize("edition", STANDARD)


def roles_with(edition: str, players: int, dictator: Seat) -> list[Role]:
    """Return roles by seat: the dictator there, and the fascists on the seats after."""
    fascists = EDITIONS[edition].roles[players].fascist
    near = {(dictator + step - 1) % players + 1 for step in range(1, fascists + 1)}
    return [
        Role.DICTATOR if seat == dictator else Role.FASCIST if seat in near else Role.LIBERAL
        for seat in range(1, players + 1)
    ]


def entered(folder: Path, edition: str, players: int, dictator: Seat, blind: tuple[Seat, ...] = ()) -> PrivateTable:
    """Return a table whose leader has entered the roles, before the first nomination."""
    table = PrivateTable(folder, edition, players, blind=blind, deal="entry")
    table.say(*LEADER)
    table.enter(roles_with(edition, players, dictator))
    while table.scene is not None:
        table.say("stop")
    return table


def play_to(table: PrivateTable, due: Power | None = None) -> PrivateTable:
    """Play until a power is due, or without one until somebody is asked whether they are the dictator."""
    for _ in range(60):
        phase = table.state.phase
        if isinstance(phase, DictatorQuestion) if due is None else phase == PowerPending(due):
            return table
        table.say(plain_step(table))
    raise AssertionError(table.session.position)


def plain_step(table: PrivateTable) -> str:
    """Return what is said when the first who can is nominated and every law is fascist."""
    view = table.session.view
    assert view is not None
    match table.state.phase:
        case Nomination():
            return f"nominate seat {view.eligible[0]}"
        case Election():
            return "vote passed"
        case LegislativeSession():
            return "fascist law"
        case ShufflePending():
            return "shuffled"
        case DictatorQuestion():
            return "no"
        case PowerPending(Power.EXECUTION):
            return f"shoot seat {view.targets[-1]}"
        case PowerPending(Power.INVESTIGATE):
            return f"investigate seat {view.targets[0]}"
        case PowerPending(Power.SPECIAL_ELECTION):
            return f"the next president is seat {view.targets[0]}"
        case _:
            return "looked"


# --- the answer to the question for the dictator


def answered(folder: Path, edition: str, dictator: Seat, line: str, *, shot: bool) -> tuple[PrivateTable, Seat]:
    """Return a table at which the player on that seat was asked, and has answered."""
    table = play_to(entered(folder, edition, 5, dictator))
    if shot:
        table.say("no")
        while not isinstance(table.state.phase, DictatorQuestion) or table.state.phase.seat in table.state.alive:
            table.say(plain_step(table))
    assert isinstance(table.state.phase, DictatorQuestion)
    seat = table.state.phase.seat
    table.say(line)
    return table, seat


@every_edition
@pytest.mark.parametrize("line", ["yes", "no"])
@pytest.mark.parametrize("shot", [False, True])
def test_whether_an_answer_fits_the_deal_is_told_in_the_headset_only(
    tmp_path: Path, edition: str, line: str, shot: bool
) -> None:
    outside, told = [], set()
    for dictator in range(1, 6):
        table, seat = answered(tmp_path / str(dictator), edition, dictator, line, shot=shot)
        fits = (seat == dictator) is (line == "yes")
        (*_, whisper) = equal_whispers(table.heard)
        assert whisper == table.heard[-1]
        assert headset_words(table.heard[-1:]) == (table.phrase("answer-fits" if fits else "answer-contradicts"),)
        outside.append(from_outside(table.heard))
        told.add(fits)
    assert outside == outside[:1] * 5
    assert told == {True, False}


@every_edition
def test_a_corrected_answer_is_held_against_the_deal_too(tmp_path: Path, edition: str) -> None:
    for dictator in (1, 2, 3, 4, 5):
        table, seat = answered(tmp_path / str(dictator), edition, dictator, "no", shot=False)
        reply = table.say("correction yes")
        fits = seat == dictator
        assert headset_words(reply) == (table.phrase("answer-fits" if fits else "answer-contradicts"),)
        assert isinstance(table.state.phase, GameOver)


def contradiction(folder: Path) -> tuple[PrivateTable, str]:
    """Return a table at which an answer did not fit the deal, and the leader's note about it."""
    seat = answered(folder / "before", "secret_hitler", 1, "no", shot=False)[1]
    table, _ = answered(folder / "game", "secret_hitler", seat, "no", shot=False)
    return table, table.phrase("note-contradiction", place=Place(NAMES[seat - 1], seat))


def notes(table: PrivateTable) -> str:
    """Return what the leader's private notes say."""
    told = headset_words(table.say("private notes", *LEADER))[0]
    table.say(ENTER)
    return told


def test_the_notes_tell_an_answer_that_does_not_fit_until_it_is_undone(tmp_path: Path) -> None:
    table, note = contradiction(tmp_path)
    assert note in notes(table)
    table.say("undo")
    assert note not in notes(table)
    table.say("redo")
    assert note in notes(table)
    table.say("undo", "yes")
    assert note not in notes(table)


def test_an_answer_that_fits_makes_no_note(tmp_path: Path) -> None:
    table, seat = answered(tmp_path, "secret_hitler", 2, "no", shot=False)
    assert seat != 2
    assert table.phrase("note-contradiction", place=Place(NAMES[seat - 1], seat)) not in notes(table)


def test_a_headset_that_has_not_proven_itself_hears_nothing_of_an_answer_but_the_notes_do(tmp_path: Path) -> None:
    table, note = contradiction(tmp_path)
    table.say("undo")
    again = PrivateTable(tmp_path / "game", resume=True)
    assert headset_words(again.say("no")) == ()
    assert note in notes(again)


def test_a_leader_who_may_play_too_hears_nothing_of_an_answer_but_in_the_notes(tmp_path: Path) -> None:
    """Where all were told by headset, also by a headset that has proven itself."""
    for place, line in enumerate(("yes", "no")):
        table = PrivateTable(tmp_path / str(place), "secret_hitler", 5, blind=(), deal="headset")
        table.say(*[*PROVEN, ENTER] * 5)
        assert headset_words(play_to(table).say(line)) == ()


def test_a_headset_has_to_prove_itself_anew_in_each_game(tmp_path: Path) -> None:
    table = entered(tmp_path, "secret_hitler", 5, 1)
    table.say("end the game", "new game", "anna", "by hand", "stop")
    assert table.scene is None
    assert not table.session._private._proven
    table.say("enter the roles", *LEADER)
    assert table.session._private._proven


def test_a_leader_who_has_not_heard_the_roles_hears_none_in_the_notes(tmp_path: Path) -> None:
    table = PrivateTable(tmp_path, "secret_hitler", 5, blind=(), deal="headset")
    table.say(*PROVEN, "stop")
    play_to(table).say("yes" if table.roles[table.state.phase.seat - 1] is not Role.DICTATOR else "no")
    told = notes(table)
    (contradicted,) = (
        seat for seat in range(1, 6) if told == table.phrase("note-contradiction", place=Place(NAMES[seat - 1], seat))
    )
    assert contradicted


@every_edition
def test_a_leader_who_knows_the_roles_hears_all_of_them(tmp_path: Path, edition: str) -> None:
    table = entered(tmp_path, edition, 7, 3)
    for role in Role:
        places = tuple(Place(NAMES[seat], seat + 1) for seat, other in enumerate(table.roles) if other is role)
        assert table.phrase(f"note-{role}", places=places) in notes(table)


def test_the_notes_can_be_heard_again_and_the_table_hears_none_of_them(tmp_path: Path) -> None:
    table = entered(tmp_path, "secret_dictator", 7, 3)
    first = table.say("private notes", *LEADER)
    again = table.say("repeat")
    assert headset_words(first) == headset_words(again)
    assert table_words(first) == table_words(again) == ()
    assert table_words(table.say(ENTER))[0] == table.phrase("notes-over")


# --- investigations


def investigating(folder: Path, edition: str, dictator: Seat, *, blind: bool) -> PrivateTable:
    """Return a table of nine at which Anna, the president, is about to investigate."""
    everybody = tuple(range(1, 10)) if blind else ()
    return play_to(entered(folder, edition, 9, dictator, everybody), Power.INVESTIGATE)


def target_of(table: PrivateTable) -> Seat:
    assert table.session.view is not None
    return table.session.view.targets[0]


@every_standard
def test_a_president_who_cannot_see_hears_the_party_in_the_headset_and_never_the_role(
    tmp_path: Path, edition: str
) -> None:
    outside, parties = [], set()
    for dictator in range(1, 10):
        table = investigating(tmp_path / str(dictator), edition, dictator, blind=True)
        president, target, begin = table.state.president, target_of(table), len(table.heard)
        table.say(f"investigate seat {target}")
        assert table.phrase("visit-call", name=NAMES[president - 1], seat=president) in table_words(table.heard)[-1]
        reply = table.say(*PROVEN)
        party = "liberal" if table.roles[target - 1] is Role.LIBERAL else "fascist"
        place = Place(NAMES[target - 1], target)
        assert headset_words(reply)[0] == table.phrase(f"whisper-party-{party}", place=place)
        assert [len(whisper.variants) for whisper in equal_whispers(reply)] == [2]
        parties.add(table.roles[target - 1])
        table.say(ENTER)
        assert table.scene is None
        outside.append(from_outside(table.heard[begin:]))
    assert outside == outside[:1] * 9
    assert parties == set(Role)


@every_standard
def test_what_happened_last_is_no_card_that_is_shown_to_who_cannot_see_it(tmp_path: Path, edition: str) -> None:
    table = investigating(tmp_path, edition, 5, blind=True)
    president, target = table.state.president, target_of(table)
    people = {"player": Person(NAMES[target - 1]), "president": Person(NAMES[president - 1])}
    (announced, *_) = table_words(table.say(f"investigate seat {target}"))
    assert announced == table.phrase("investigation-whispered", **people)
    (last,) = table_words(table.say("stop", "what happened last"))
    assert last.startswith(announced)
    assert table.phrase("used-investigate", **people) not in last


HEAR = "what did the investigation show"
NOT_HEARD = (
    ("skip",),
    ("stop",),
    (ENTER, "stop"),
    (ENTER, NUMBER, "stop"),
    (ENTER, WRONG, WRONG, WRONG, "stop"),
    (ENTER, WRONG, WRONG, WRONG, "skip"),
    (*PROVEN, "stop"),
    (*PROVEN, ENTER),
)
"""How the visit of a president can end."""


def party_told(table: PrivateTable, target: Seat) -> str:
    """Return how the headset tells the party of the player on that seat."""
    party = "liberal" if table.roles[target - 1] is Role.LIBERAL else "fascist"
    return table.phrase(f"whisper-party-{party}", place=Place(NAMES[target - 1], target))


def calls(table: PrivateTable, seat: Seat) -> bool:
    """Return whether that player was called at last, and told how to come."""
    called = table.phrase("visit-call", name=NAMES[seat - 1], seat=seat)
    return table_words(table.heard)[-1].endswith(f"{called} {table.phrase('visit-how')}")


@pytest.mark.parametrize("resume", [False, True])
@pytest.mark.parametrize("lines", NOT_HEARD)
def test_what_an_investigation_showed_can_be_heard_later(tmp_path: Path, lines: tuple[str, ...], resume: bool) -> None:
    table = investigating(tmp_path, "secret_hitler", 5, blind=True)
    president, target = table.state.president, target_of(table)
    table.say(f"investigate seat {target}", *lines)
    assert table.scene is None
    table = PrivateTable(tmp_path, resume=True) if resume else table
    before = table.evening.journal
    for _ in range(2):
        table.say(HEAR)
        assert calls(table, president)
        reply = table.say(*PROVEN)
        assert headset_words(reply)[0] == party_told(table, target)
        assert [len(whisper.variants) for whisper in equal_whispers(reply)] == [2]
        table.say(ENTER)
        assert table.scene is None
    assert table.evening.journal == before


@pytest.mark.parametrize("before", [(), (ENTER,), (ENTER, NUMBER), PROVEN])
def test_a_stopped_visit_says_how_to_hear_it_later_and_the_game_goes_on(
    tmp_path: Path, before: tuple[str, ...]
) -> None:
    table = investigating(tmp_path, "secret_hitler", 5, blind=True)
    table.say(f"investigate seat {target_of(table)}", *before)
    said = table_words(table.say("stop"))
    assert said[0] == table.phrase("investigation-stopped")
    assert table.phrase("prompt-nomination") in said[-1]


def test_a_president_who_hears_it_later_hears_the_own_investigation_only(tmp_path: Path) -> None:
    """Other words, and other players, get nothing of it; who is dead hears nothing more."""
    table = investigating(tmp_path, "secret_hitler", 5, blind=True)
    president, target = table.state.president, target_of(table)
    table.say(f"investigate seat {target}", "stop", HEAR)
    others = {table.phrase("visit-call", name=NAMES[seat - 1], seat=seat) for seat in range(1, 10) if seat != president}
    begin = len(table.heard)
    for seat in range(1, 10):
        table.say(f"consult seat {seat}")
    assert not any(call in words for words in table_words(table.heard[begin:]) for call in others)
    table.say("stop")
    president = play_to(table, Power.INVESTIGATE).state.president
    table.say(f"investigate seat {target_of(table)}", "stop")
    play_to(table, Power.EXECUTION)
    assert table.state.president != president
    table.say(f"shoot seat {president}", "no")
    assert president not in table.state.alive
    dead = table.phrase("visit-of-the-dead", player=NAMES[president - 1])
    said = table_words(table.say(HEAR))
    assert (said, table.scene) == ((dead,), None)


def test_it_is_the_last_investigation_that_is_heard_and_undone_ones_are_not(tmp_path: Path) -> None:
    table = investigating(tmp_path, "secret_hitler", 5, blind=True)
    first, president = target_of(table), table.state.president
    table.say(f"investigate seat {first}", "stop")
    play_to(table, Power.INVESTIGATE)
    second = target_of(table)
    assert (second, table.state.president) != (first, president)
    table.say(f"investigate seat {second}", "stop")
    assert headset_words(table.say(HEAR, *PROVEN))[0] == party_told(table, second)
    table.say(ENTER, "undo")
    assert headset_words(table.say(HEAR, *PROVEN))[0] == party_told(table, first)
    table.say(ENTER)
    for _ in table.history.done[2:]:
        table.say("undo")
    assert table_words(table.say(HEAR)) == (table.phrase("no-investigation-to-hear"),)


@pytest.mark.parametrize("deal", ["entry", "none"])
def test_a_card_that_was_shown_is_not_whispered_later(tmp_path: Path, deal: str) -> None:
    table = PrivateTable(tmp_path, "secret_hitler", 9, blind=(), deal=deal)
    if deal == "entry":
        table.say(*LEADER)
        table.enter(roles_with("secret_hitler", 9, 5))
    table.say("stop")
    assert table_words(table.say(HEAR)) == (table.phrase("no-investigation-to-hear"),)
    play_to(table, Power.INVESTIGATE).say(f"investigate seat {target_of(table)}")
    assert table_words(table.say(HEAR)) == (table.phrase("no-investigation-to-hear"),)
    assert table.scene is None


@every_standard
@pytest.mark.parametrize("resume", [False, True])
def test_where_all_were_told_by_headset_a_president_who_sees_hears_it_there_too(
    tmp_path: Path, edition: str, resume: bool
) -> None:
    """There are no cards on that table that could be shown."""
    table = PrivateTable(tmp_path, edition, 9, blind=(), deal="headset")
    table.say(*[*PROVEN, ENTER] * 9)
    play_to(table, Power.INVESTIGATE)
    table = PrivateTable(tmp_path, edition, resume=True) if resume else table
    president, target = table.state.president, target_of(table)
    people = {"player": Person(NAMES[target - 1]), "president": Person(NAMES[president - 1])}
    announced, *_ = table_words(table.say(f"investigate seat {target}"))
    assert announced == table.phrase("investigation-whispered", **people)
    assert calls(table, president)
    assert headset_words(table.say(*PROVEN))[0] == party_told(table, target)
    assert table.phrase("prompt-nomination") in table_words(table.say(ENTER))[-1]
    (last,) = table_words(table.say("what happened last"))
    assert table.phrase("used-investigate", **people) not in last
    assert headset_words(table.say(HEAR, *PROVEN))[0] == party_told(table, target)


@every_standard
def test_a_president_who_sees_is_shown_the_card(tmp_path: Path, edition: str) -> None:
    table = investigating(tmp_path, edition, 5, blind=False)
    president, target = table.state.president, target_of(table)
    reply = table.say(f"investigate seat {target}")
    people = {"player": Person(NAMES[target - 1]), "president": Person(NAMES[president - 1])}
    assert table.phrase("used-investigate", **people) in table_words(reply)[0]
    assert (headset_words(reply), table.scene) == ((), None)


@every_standard
def test_without_known_roles_the_card_is_shown(tmp_path: Path, edition: str) -> None:
    table = PrivateTable(tmp_path, edition, 9, blind=tuple(range(1, 10)), deal="none")
    target = target_of(play_to(table, Power.INVESTIGATE))
    people = {"player": Person(NAMES[target - 1]), "president": Person(NAMES[table.state.president - 1])}
    reply = table.say(f"investigate seat {target}")
    assert table.phrase("used-investigate", **people) in table_words(reply)[0]
    assert (headset_words(reply), table.scene) == ((), None)


@every_standard
@pytest.mark.parametrize("before", [(), (ENTER,), (ENTER, NUMBER), PROVEN])
def test_nobody_else_can_be_called_to_hear_what_an_investigation_shows(
    tmp_path: Path, edition: str, before: tuple[str, ...]
) -> None:
    table = investigating(tmp_path, edition, 5, blind=True)
    president = table.state.president
    table.say(f"investigate seat {target_of(table)}", *before)
    begin = len(table.heard)
    for seat in range(1, 10):
        if seat != president:
            table.say(f"consult seat {seat}")
    others = {table.phrase("visit-call", name=NAMES[seat - 1], seat=seat) for seat in range(1, 10) if seat != president}
    assert not any(call in words for words in table_words(table.heard[begin:]) for call in others)
    assert equal_whispers(table.heard[begin:]) == ()


@every_standard
@pytest.mark.parametrize("lines", [("skip",), ("stop",), (ENTER, WRONG, WRONG, WRONG, "skip")])
def test_an_investigation_that_is_not_heard_tells_nothing_and_the_game_goes_on(
    tmp_path: Path, edition: str, lines: tuple[str, ...]
) -> None:
    table = investigating(tmp_path, edition, 5, blind=True)
    begin = len(table.heard)
    table.say(f"investigate seat {target_of(table)}", *lines)
    assert equal_whispers(table.heard[begin:]) == ()
    assert table.scene is None
    assert table.phrase("prompt-nomination") in table_words(table.heard)[-1]


# --- secret votes


def test_a_visit_in_a_secret_ballot_takes_none_of_its_time(tmp_path: Path) -> None:
    table = PrivateTable(tmp_path, "secret_despotar", blind=(), deal="headset", vote_deadline=60)
    table.say("stop", "nominate ben", "secret ballot", "anna yes", "consult clara")
    assert table.session.seconds_left is None
    table.evening.clock.time += timedelta(seconds=600)
    table.say(*PROVEN, ENTER)
    assert table.session.seconds_left is not None
    assert table.session.seconds_left > 50
    assert table.session.view is not None
    assert table.session.view.phase.voted == (1,)
