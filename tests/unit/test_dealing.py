"""The three deals and none: recorded before they are told, silent about roles, and recoverable at every step."""

from __future__ import annotations

import logging
import re
from pathlib import Path
from random import Random

import pytest
from private_table import (
    ENTER,
    KEYS,
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
from table import every_count, every_edition

from gm_assistant.dialogue.messages import Person, Place
from gm_assistant.dialogue.scripts import role_counts
from gm_assistant.errors import JournalError
from gm_assistant.journal import Journal
from gm_assistant.rules.events import RolesDealt
from gm_assistant.rules.history import Entry
from gm_assistant.rules.model import Role
from gm_assistant.scenes.dealing import TokenDeal
from gm_assistant.scenes.opening import last_deal
from gm_assistant.utterances import Utterance

LEADER = (ENTER, NUMBER)
"""What the leader does at the headset until something is whispered."""
every_deal = pytest.mark.parametrize("deal", ["assisted", "entry", "headset"])


def tokens(table: PrivateTable, seed: int = 0) -> list[Role]:
    """Return the tokens of the edition in some order."""
    counts = table.state.rules.roles
    every = [role for role in Role for _ in range(counts.of(role))]
    return Random(seed).sample(every, len(every))


def dealt(table: PrivateTable) -> tuple[Role, ...]:
    """Hand out the roles as the deal wants it; return what is recorded."""
    table.say(*LEADER)
    if table.state.roles is None:
        table.enter(tokens(table))
    return table.roles


def sealed_lines(table: PrivateTable) -> int:
    return table.evening.journal.count(b'"Sealed"')


def first_whisper(reply: tuple[Utterance, ...]) -> tuple[str, ...]:
    return headset_words(equal_whispers(reply)[:1])


# --- the counts


@every_deal
@every_edition
@every_count
def test_as_many_roles_are_dealt_as_the_edition_has(tmp_path: Path, deal: str, edition: str, players: int) -> None:
    table = PrivateTable(tmp_path, edition, players, deal=deal)
    roles, counts = dealt(table), table.state.rules.roles
    assert len(roles) == players
    assert {role: roles.count(role) for role in Role} == {role: counts.of(role) for role in Role}


def test_chance_deals(tmp_path: Path) -> None:
    deals = {PrivateTable(tmp_path / str(seed), deal="headset", seed=seed).roles for seed in range(8)}
    assert len(deals) > 4


def test_without_the_assistant_it_knows_nothing(tmp_path: Path) -> None:
    table = PrivateTable(tmp_path, deal="none")
    table.say("skip")
    assert table.state.roles is None
    assert table.scene is None
    assert sealed_lines(table) == 0
    assert table_words(table.say("consult anna")) == (table.phrase("roles-unknown"),)
    assert headset_words(table.say("private notes", *LEADER))[0] == table.phrase("note-none")


# --- on disk before it is told


@pytest.mark.parametrize("deal", ["assisted", "headset"])
def test_it_is_recorded_and_sealed_before_anybody_is_called(tmp_path: Path, deal: str) -> None:
    table = PrivateTable(tmp_path, deal=deal)
    assert sealed_lines(table) == 1
    assert headset_words(table.heard) == ()
    assert all(f'["{role}'.encode() not in table.evening.journal for role in Role)


def test_entered_roles_are_recorded_and_sealed_with_the_last_one(tmp_path: Path) -> None:
    table = PrivateTable(tmp_path, deal="entry")
    *roles, last = tokens(table)
    table.say(*LEADER)
    table.enter(roles)
    assert sealed_lines(table) == 0
    table.enter([last])
    assert sealed_lines(table) == 1
    assert table.roles == (*roles, last)


# --- before it


def test_help_explains_the_deals_where_one_is_asked_for(tmp_path: Path) -> None:
    table = PrivateTable(tmp_path, deal=None)
    asked, explained = table.phrase("ask-deal"), table.phrase("explain-deal")
    assert explained not in " ".join(table_words(table.opening))
    for line in ("help", "what can i say"):
        (said,) = table_words(table.say(line))
        assert f"{explained} {asked}" in said


def test_help_explains_no_deal_where_none_is_asked_for(tmp_path: Path) -> None:
    table = PrivateTable(tmp_path, blind=None, deal=None)
    assert table.phrase("explain-deal") not in table_words(table.say("help"))[0]


def test_where_nothing_private_comes_first_the_opening_is_one_answer(tmp_path: Path) -> None:
    table = PrivateTable(tmp_path, players=5, blind=(1, 2, 3, 4, 5), deal="none")
    (opening,) = table_words(table.opening)
    assert table.phrase("seats-work-too") in opening
    assert table.phrase("prompt-nomination") in opening
    assert table_words(table.say("repeat")) == (opening,)


@pytest.mark.parametrize("deal", ["assisted", "entry", "headset", "none"])
def test_where_something_private_comes_first_the_first_president_is_announced_after_it(
    tmp_path: Path, deal: str
) -> None:
    opening = table_words(PrivateTable(tmp_path, players=5, blind=(), deal=deal).opening)
    assert len(opening) == 2
    assert PrivateTable(tmp_path / "other").phrase("prompt-nomination") not in " ".join(opening)


# --- handing out tokens


@every_edition
def test_the_leader_hears_in_the_headset_who_gets_which_token(tmp_path: Path, edition: str) -> None:
    table = PrivateTable(tmp_path, edition)
    reply = table.say(*LEADER)
    for seat, role in enumerate(table.roles, 1):
        assert first_whisper(reply) == (table.phrase(f"whisper-token-{role}", place=Place(NAMES[seat - 1], seat)),)
        assert len(equal_whispers(reply)[0].variants) == len(Role)
        reply = table.say(ENTER)
    assert table.phrase("deal-done") in table_words(reply)


def test_one_can_go_back_and_hear_it_again(tmp_path: Path) -> None:
    table = PrivateTable(tmp_path)
    first = first_whisper(table.say(*LEADER))
    second = first_whisper(table.say(ENTER))
    assert first_whisper(table.say("repeat")) == second
    assert first_whisper(table.say("undo")) == first
    assert headset_words(table.say("undo")) == ()
    assert first_whisper(table.say(ENTER)) == second
    assert table.deals == 1


def test_the_hands_of_the_leader_take_the_same_words_whoever_gets_what(tmp_path: Path) -> None:
    one, other = (PrivateTable(tmp_path / str(seed), seed=seed) for seed in (0, 1))
    for table in (one, other):
        table.say(*LEADER, *[ENTER] * 7)
    assert one.roles != other.roles
    assert from_outside(one.heard) == from_outside(other.heard)


@every_deal
def test_it_can_be_stopped_and_nothing_follows_by_itself(tmp_path: Path, deal: str) -> None:
    table = PrivateTable(tmp_path, deal=deal)
    table.say(*LEADER)
    reply = table.say("stop")
    assert headset_words(reply) == ()
    assert table.scene is None
    if deal == "entry":
        assert table_words(reply)[0] == table.phrase("leader-stopped")
        assert table.phrase("prompt-nomination") in table_words(reply)[1]
        assert len(table_words(reply)) == 2
    else:
        assert table_words(reply) == (table.phrase("deal-stopped"),)


# --- stopped, and finished


two_deals = pytest.mark.parametrize("deal", ["assisted", "headset"])


def told(table: PrivateTable) -> list[bool]:
    """Return for each deal that is recorded whether everybody had been told."""
    events = (event for step in table.history.done for event in step.events)
    return [event.told for event in events if isinstance(event, RolesDealt)]


def finished(table: PrivateTable) -> tuple[Utterance, ...]:
    """Go on with a deal until everybody has been told; return what is said to the last word."""
    if isinstance(table.scene, TokenDeal):
        return table.say(*LEADER, *[ENTER] * len(table.state.players))
    return table.say(*[*PROVEN, ENTER] * len(table.state.players))


@two_deals
def test_a_deal_counts_as_told_when_everybody_has_been_told_and_not_before(tmp_path: Path, deal: str) -> None:
    table = PrivateTable(tmp_path, players=5, deal=deal)
    words = (*LEADER, *[ENTER] * 5) if deal == "assisted" else (*PROVEN, ENTER) * 5
    for line in words:
        assert told(table) == [False]
        table.say(line)
    assert told(table) == [False, True]
    assert table.deals == 1


def test_entered_roles_count_as_told_at_once(tmp_path: Path) -> None:
    table = PrivateTable(tmp_path, deal="entry")
    dealt(table)
    assert told(table) == [True]


@two_deals
@pytest.mark.parametrize("crash", [False, True])
@pytest.mark.parametrize("steps", range(6))
def test_a_deal_that_was_stopped_or_cut_off_is_finished_with_the_same_roles(
    tmp_path: Path, deal: str, crash: bool, steps: int
) -> None:
    table = PrivateTable(tmp_path, deal=deal)
    roles = table.roles
    table.say("help", *((*PROVEN, ENTER) * 2)[:steps])
    if crash:
        table = PrivateTable(tmp_path, resume=True)
        assert table.phrase("deal-unfinished") in table_words(table.opening)[0]
    else:
        assert table_words(table.say("stop")) == (table.phrase("deal-stopped"),)
    begin = len(table.heard)
    called = table.phrase("leader-call") if deal == "assisted" else table.phrase("visit-call", name="Anna", seat=1)
    assert called in table_words(table.say("finish the deal"))[-1]
    finished(table)
    assert table.roles == roles
    assert (told(table), table.deals) == ([False, True], 1)
    own = table.phrase(f"whisper-token-{roles[0]}", place=Place("Anna", 1))
    first = own if deal == "assisted" else table.phrase(f"whisper-role-{roles[0]}")
    assert first_whisper(tuple(table.heard[begin:]))[0] == first


@pytest.mark.parametrize("crash", [False, True])
def test_what_follows_a_deal_follows_it_too_when_it_is_finished_later(tmp_path: Path, crash: bool) -> None:
    table = PrivateTable(tmp_path, blind=(3,), deal="assisted")
    table.say(*LEADER, "stop")
    table = PrivateTable(tmp_path, resume=True) if crash else table
    table.say("finish the deal")
    assert table_words(finished(table))[-1] == table.phrase("prologue-offer")
    assert table.phrase("visit-call", name="Clara", seat=3) in table_words(table.say("skip"))[-1]
    last = table_words(table.say(*PROVEN, ENTER))[-1]
    assert last == table_words(table.say("what now"))[0] if crash else table.phrase("prompt-nomination") in last
    assert table.scene is None


@two_deals
def test_the_first_president_is_announced_once_a_stopped_deal_is_finished(tmp_path: Path, deal: str) -> None:
    table = PrivateTable(tmp_path, blind=(), deal=deal)
    announced = table.phrase("first-president", president=Person("Anna"))
    table.say("stop", "finish the deal")
    assert announced not in " ".join(table_words(table.heard))
    finished(table)
    if table.scene is not None:
        table.say("skip")
    assert announced in table_words(table.heard)[-1]
    assert table.phrase("prompt-nomination") in table_words(table.heard)[-1]


@two_deals
def test_what_comes_between_does_not_pass_for_the_end_of_a_deal(tmp_path: Path, deal: str) -> None:
    """Only the deal itself brings the first president; a reminder follows everything else."""
    table = PrivateTable(tmp_path, blind=(), deal=deal)
    announced = table.phrase("first-president", president=Person("Anna"))
    table.say("stop")
    for lines in (("private notes", *LEADER, ENTER), ("read the prologue", "skip"), ("consult ben", *PROVEN, ENTER)):
        reply = table.say(*lines)
        assert table.scene is None
        assert table_words(reply)[-1] == table.phrase("deal-unfinished")
    table.say("finish the deal")
    finished(table)
    if table.scene is not None:
        table.say("skip")
    assert announced in table_words(table.heard)[-1]


@two_deals
def test_what_waited_for_a_stopped_deal_is_forgotten_when_the_game_begins_without_it(tmp_path: Path, deal: str) -> None:
    table = PrivateTable(tmp_path, blind=(), deal=deal)
    table.say("stop", "nominate ben")
    after = table_words(table.say("private notes", *LEADER, ENTER))
    assert table.scene is None
    assert table.phrase("first-president", president=Person("Anna")) not in " ".join(after)
    assert table.phrase("prompt-nomination") not in after[-1]


@two_deals
def test_after_a_stop_one_can_deal_anew(tmp_path: Path, deal: str) -> None:
    deals = set()
    line = {"assisted": "deal the roles", "headset": "deal by headset"}[deal]
    for seed in range(4):
        table = PrivateTable(tmp_path / str(seed), deal=deal, seed=seed)
        first = table.roles
        table.say("stop", line)
        finished(table)
        deals.add(first == table.roles)
        assert told(table) == [False, False, True]
        assert table.deals == 2
    assert False in deals


def test_roles_that_are_entered_after_a_stop_leave_nothing_to_finish(tmp_path: Path) -> None:
    table = PrivateTable(tmp_path, deal="headset")
    table.say("stop", "enter the roles", *LEADER)
    table.enter(tokens(table, 5))
    table.say("stop")
    assert table.roles == tuple(tokens(table, 5))
    assert table_words(table.say("finish the deal")) == (table.phrase("no-deal-to-finish"),)


@pytest.mark.parametrize("deal", ["assisted", "entry", "headset", "none"])
def test_a_deal_is_finished_once_and_before_the_first_nomination(tmp_path: Path, deal: str) -> None:
    table = PrivateTable(tmp_path, deal=deal)
    nothing = (table.phrase("no-deal-to-finish"),)
    if deal in ("assisted", "headset"):
        assert table_words(table.say("stop", "nominate ben", "finish the deal")) == nothing
        table.say("undo", "finish the deal")
        finished(table)
    while table.scene is not None:
        table.say("stop")
    assert table_words(table.say("finish the deal")) == nothing
    assert table.scene is None


def test_a_deal_that_goes_on_is_not_finished_by_that_sentence(tmp_path: Path) -> None:
    table = PrivateTable(tmp_path)
    before = table.scene
    assert table_words(table.say("finish the deal")) == (table.phrase("not-in-scene"),)
    assert table.scene == before


@two_deals
def test_a_deal_whose_end_cannot_be_saved_is_not_over(tmp_path: Path, disk: FullDisk, deal: str) -> None:
    table = PrivateTable(tmp_path, players=5, blind=(), deal=deal)
    table.say(*((*LEADER, *[ENTER] * 4) if deal == "assisted" else ((*PROVEN, ENTER) * 5)[:-1]))
    disk.full = True
    table.say(ENTER)
    assert (told(table), table.scene is None) == ([False], False)
    disk.full = False
    table.say(ENTER)
    assert told(table) == [False, True]


# --- entering roles


def test_each_key_is_repeated_in_the_headset_only(tmp_path: Path) -> None:
    table = PrivateTable(tmp_path, deal="entry")
    table.say(*LEADER)
    for role in tokens(table):
        assert table.session.wants_key
        reply = table.enter([role])
        assert first_whisper(reply) == (table.phrase(f"whisper-entered-{role}"),)
        assert len(equal_whispers(reply)[0].variants) == len(Role)
    assert not table.session.wants_key


def test_what_is_typed_looks_the_same_from_outside_whatever_it_is(tmp_path: Path) -> None:
    one, other = (PrivateTable(tmp_path / name, deal="entry") for name in ("one", "other"))
    for table, seed in ((one, 1), (other, 2)):
        table.say(*LEADER)
        table.enter(tokens(table, seed))
    assert one.roles != other.roles
    assert from_outside(one.heard) == from_outside(other.heard)


def test_no_key_and_no_role_is_ever_said_at_the_table(tmp_path: Path) -> None:
    table = PrivateTable(tmp_path, deal="entry")
    table.say(*LEADER)
    said = [words for role in tokens(table) for words in table_words(table.enter([role]))[:1]]
    assert said[:-1] == [table.phrase("entry-seat", name=NAMES[seat - 1], seat=seat) for seat in range(2, 8)]
    assert said[-1] == table.phrase("entry-done")


@pytest.mark.parametrize(
    "key", ["x", "1", "ll", "liberal", "fascist", "the dictator", "é", " ", "n", "l f d", "correction l"]
)
def test_keys_that_are_no_role_are_not_repeated_and_change_nothing(tmp_path: Path, key: str) -> None:
    table = PrivateTable(tmp_path, deal="entry")
    table.say(*LEADER, "f")
    scene, before = table.scene, len(table.heard)
    for _ in range(3):
        table.say(key)
    assert headset_words(table.heard[before:]) == ()
    assert table.scene == scene
    known = (table.phrase("pardon"), table.phrase("entry-open"), table.phrase("entry-seat", name="Ben", seat=2))
    keyboard = f"{table.phrase('type-it')} {table.phrase('entry-open')}"
    assert set(table_words(table.heard[before:])) <= {*known, keyboard}


@pytest.mark.parametrize("said", ["l", "f", "d", "liberal"])
def test_roles_cannot_be_spoken(tmp_path: Path, said: str) -> None:
    table = PrivateTable(tmp_path, deal="entry")
    table.say(*LEADER)
    scene = table.scene
    assert headset_words(table.say(said, typed=False)) == ()
    assert table.scene == scene


def test_capital_letters_count_too(tmp_path: Path) -> None:
    table = PrivateTable(tmp_path, deal="entry")
    table.say(*LEADER)
    assert first_whisper(table.say("L")) == (table.phrase("whisper-entered-liberal"),)


def test_the_last_key_can_be_taken_back(tmp_path: Path) -> None:
    table = PrivateTable(tmp_path, deal="entry")
    roles = tokens(table)
    table.say(*LEADER, "d", "d")
    assert table_words(table.say("u"))[-1] == table.phrase("entry-seat", name="Ben", seat=2)
    table.say("u", "u")
    assert headset_words(table.say("repeat")) == ()
    table.enter(roles)
    assert table.roles == tuple(roles)


def test_the_keys_are_explained_once_at_a_time(tmp_path: Path) -> None:
    table = PrivateTable(tmp_path, deal="entry")
    explained = table.phrase("entry-open")
    assert table_words(table.say(*LEADER)).count(explained) == 1
    for line in (ENTER, "no", "repeat", "u"):
        assert table_words(table.say(line)).count(explained) == 1
    table.say("l")
    assert table_words(table.say(ENTER)).count(explained) == 1


@pytest.mark.parametrize("wrong", ["all liberal", "all fascist", "two dictators", "no dictator", "a fascist too many"])
def test_wrong_numbers_of_roles_are_said_without_telling_which(tmp_path: Path, wrong: str) -> None:
    table = PrivateTable(tmp_path, deal="entry")
    roles = tokens(table)
    dictator, liberal = roles.index(Role.DICTATOR), roles.index(Role.LIBERAL)
    entered = {
        "all liberal": [Role.LIBERAL] * 7,
        "all fascist": [Role.FASCIST] * 7,
        "two dictators": [Role.DICTATOR if seat == liberal else role for seat, role in enumerate(roles)],
        "a fascist too many": [Role.FASCIST if seat == liberal else role for seat, role in enumerate(roles)],
        "no dictator": [Role.LIBERAL if seat == dictator else role for seat, role in enumerate(roles)],
    }[wrong]
    table.say(*LEADER)
    reply = table.enter(entered)
    assert table_words(reply)[0] == table.phrase("entry-wrong", **role_counts(table.state.rules))
    assert table_words(reply)[-1] == table.phrase("entry-seat", name="Anna", seat=1)
    assert (table.state.roles, sealed_lines(table)) == (None, 0)
    table.enter(roles)
    assert table.roles == tuple(roles)


def test_a_headset_that_fails_in_the_middle_keeps_what_was_entered(tmp_path: Path) -> None:
    table = PrivateTable(tmp_path, deal="entry")
    roles = tokens(table)
    table.say(*LEADER)
    table.enter(roles[:3])
    reply = table.say(KEYS[roles[3]], failed=True)
    assert table_words(reply)[-1] == table.phrase("leader-call")
    assert not table.session.wants_key
    assert table_words(table.say(*LEADER))[-1] == table.phrase("entry-seat", name="Emma", seat=5)
    table.enter(roles[4:])
    assert table.roles == tuple(roles)


@every_deal
@pytest.mark.parametrize("lines", [(WRONG, WRONG, WRONG), ("stop",)])
def test_a_leader_whose_headset_is_the_wrong_one_learns_nothing(
    tmp_path: Path, deal: str, lines: tuple[str, ...]
) -> None:
    table = PrivateTable(tmp_path, deal=deal)
    reply = table.say(ENTER, *lines)
    assert equal_whispers(table.heard) == ()
    assert not table.session.wants_key
    assert headset_words(reply) == ()


# --- at the wrong time, twice, and taken back


@pytest.mark.parametrize("line", ["deal the roles", "enter the roles", "deal by headset"])
def test_after_the_first_nomination_it_is_too_late(tmp_path: Path, line: str) -> None:
    table = PrivateTable(tmp_path, deal="none")
    table.say("skip", "nominate ben")
    before = table.evening.journal
    assert table_words(table.say(line)) == (table.phrase("too-late-to-deal"),)
    assert table.scene is None
    assert table.evening.journal == before


@pytest.mark.parametrize("line", ["deal the roles", "enter the roles", "deal by headset"])
def test_a_deal_that_is_too_late_leaves_nothing_behind(tmp_path: Path, line: str) -> None:
    """What would have followed it follows nothing else, and what the leader should be told is not forgotten."""
    table = PrivateTable(tmp_path, blind=(3,), deal="headset")
    table.say(ENTER, WRONG, WRONG, WRONG, "stop", "nominate ben", line)
    reply = table.say("private notes", *LEADER)
    assert headset_words(reply)[0] == table.phrase("note-doubtful", name="Anna")
    after = table_words(table.say(ENTER))
    assert table.scene is None
    assert table.phrase("prologue-offer") not in after


@every_deal
def test_a_second_deal_counts_in_place_of_the_first(tmp_path: Path, deal: str) -> None:
    table = PrivateTable(tmp_path, deal=deal)
    dealt(table)
    table.say("stop")
    table.say({"assisted": "deal the roles", "entry": "enter the roles", "headset": "deal by headset"}[deal], ENTER)
    first = table.roles
    reply = table.say(NUMBER)
    if deal == "entry":
        table.enter(tokens(table, 5))
        assert table.roles == tuple(tokens(table, 5))
    if deal == "assisted":
        assert first_whisper(reply)[0].startswith(table.phrase(f"whisper-token-{first[0]}", place=Place("Anna", 1)))
    assert table.deals == 2


@every_deal
@pytest.mark.parametrize("line", ["undo", "correction nominate ben"])
def test_no_deal_can_be_taken_back(tmp_path: Path, deal: str, line: str) -> None:
    """What was told cannot be untold: neither after a stop, nor when it is finished, nor when the game goes on."""
    table = PrivateTable(tmp_path, deal=deal)
    roles = dealt(table)
    stays = (table.phrase("deal-stays"),)
    for way in ((), ("finish the deal", *LEADER, *[ENTER] * 7)):
        if way and deal == "assisted":
            table.say(*way)
        while table.scene is not None:
            table.say("stop")
        before = table.evening.journal
        assert table_words(table.say(line)) == stays
        assert (table.roles, table.evening.journal) == (roles, before)
    assert table_words(PrivateTable(tmp_path, resume=True).say(line)) == stays


def test_a_nomination_after_a_deal_can_be_taken_back_and_the_deal_cannot(tmp_path: Path) -> None:
    table = PrivateTable(tmp_path, deal="headset")
    roles = table.roles
    assert table_words(table.say("stop", "nominate ben", "undo"))[0].startswith(table.phrase("undone"))
    assert table_words(table.say("undo")) == (table.phrase("deal-stays"),)
    assert table.roles == roles
    table.say("redo")
    assert table_words(table.say("correction nominate clara"))[0].startswith(table.phrase("corrected"))
    assert table.roles == roles


def test_what_is_said_of_a_deal_that_stays_tells_no_role(tmp_path: Path) -> None:
    said = []
    for seed in (1, 2):
        table = PrivateTable(tmp_path / str(seed), deal="headset", seed=seed)
        table.say("stop")
        lines = ("undo", "redo", "what happened last", "repeat", "read the board")
        said.append([table_words(table.say(line)) for line in lines])
    assert said[0] == said[1]


@every_deal
def test_who_knows_the_roles_is_kept_with_them(tmp_path: Path, deal: str) -> None:
    """The leader may hear the roles again only if they were handed out or entered by the leader."""
    table = PrivateTable(tmp_path, deal=deal)
    roles = dealt(table)
    table.say("stop")
    notes = headset_words(table.say("private notes", *LEADER))[0]
    fascists = tuple(Place(NAMES[seat], seat + 1) for seat, role in enumerate(roles) if role is Role.FASCIST)
    known = deal != "headset"
    assert (table.phrase("note-fascist", places=fascists) in notes) is known
    assert (notes == table.phrase("note-none")) is not known
    again = PrivateTable(tmp_path, resume=True)
    assert headset_words(again.say("private notes", *LEADER))[0] == notes


# --- one more game


def over(table: PrivateTable) -> None:
    """Break the game off."""
    table.say("end the game")
    assert table_words(table.say("new game"))


def test_a_new_game_knows_the_blind_and_asks_for_the_deal(tmp_path: Path) -> None:
    table = PrivateTable(tmp_path, blind=(3,), deal="headset")
    table.say(ENTER, WRONG, WRONG, WRONG, "stop")
    over(table)
    reply = table.say("anna")
    assert table_words(reply)[-1].endswith(table.phrase("ask-deal"))
    reply = table.say("you deal")
    assert table.history.done[0].events[0].blind == (3,)
    assert table_words(reply)[-1] == table.phrase("leader-call")


def test_a_new_game_starts_clean(tmp_path: Path) -> None:
    """Roles, notes, investigated players and the prologue are those of the new game."""
    table = PrivateTable(tmp_path, blind=(3,), deal="headset")
    table.say(ENTER, WRONG, WRONG, WRONG, "stop")
    over(table)
    table.say("anna", "without you")
    assert table.state.roles is None
    assert table_words(table.heard)[-1] == table.phrase("prologue-offer")
    table.say("skip")
    assert headset_words(table.say("private notes", *LEADER))[0] == table.phrase("note-none")
    table.say(ENTER)
    assert table_words(table.say("consult anna")) == (table.phrase("roles-unknown"),)
    assert table.session.view.investigated == ()
    assert table_words(table.say("who was what")) == (table.phrase("roles-still-secret"),)


def test_a_new_game_is_dealt_anew(tmp_path: Path) -> None:
    deals = []
    table = PrivateTable(tmp_path, blind=(), deal="headset")
    for _ in range(4):
        deals.append(table.roles)
        table.say("stop")
        over(table)
        table.say("anna", "headset")
    assert len(set(deals)) > 1


@pytest.mark.parametrize("seed", range(5))
def test_whoever_is_blind_stays_so_when_the_order_is_drawn(tmp_path: Path, seed: int) -> None:
    table = PrivateTable(tmp_path, "secret_despotar", blind=(3, 5), deal="none", seed=seed)
    table.say("skip")
    over(table)
    table.say("by lot", "without you")
    started = table.history.done[0].events[0]
    assert {started.players[seat - 1] for seat in started.blind} == {"Clara", "Emma"}


# --- the program is closed in between


MIDDLES: dict[str, tuple[str, tuple[str, ...]]] = {
    "a token deal": ("assisted", (*LEADER, ENTER, ENTER)),
    "an entry": ("entry", (*LEADER, "l", "f")),
    "a headset deal": ("headset", (*PROVEN, ENTER, ENTER)),
    "a prologue": ("assisted", (*LEADER, *[ENTER] * 7)),
    "a consultation": ("assisted", (*LEADER, *[ENTER] * 7, "skip", *PROVEN)),
}

WAITING = {
    "a token deal": ("deal-unfinished",),
    "an entry": ("roles-unknown", "prologue-waits"),
    "a headset deal": ("deal-unfinished",),
    "a prologue": ("roles-are-known", "prologue-waits", "consultations-wait"),
    "a consultation": ("roles-are-known", "prologue-waits", "consultations-wait"),
}
"""What is said of it when the game goes on."""


@pytest.mark.parametrize("middle", MIDDLES)
def test_a_program_that_was_closed_in_the_middle_of_something_goes_on_clearly(tmp_path: Path, middle: str) -> None:
    deal, lines = MIDDLES[middle]
    table = PrivateTable(tmp_path, deal=deal)
    table.say(*lines)
    again = PrivateTable(tmp_path, resume=True)
    assert again.history == table.history
    assert again.scene is None
    assert headset_words(again.heard) == ()
    (said,) = table_words(again.opening)
    waits = " ".join(map(again.phrase, ("resumed", *WAITING[middle])))
    assert said.startswith(f"{waits} {table_words(again.say('read the board'))[0]}")


@pytest.mark.parametrize("middle", MIDDLES)
def test_what_is_said_then_is_the_same_whatever_was_dealt(tmp_path: Path, middle: str) -> None:
    deal, lines = MIDDLES[middle]
    said = []
    for seed in (1, 2):
        PrivateTable(tmp_path / str(seed), deal=deal, seed=seed).say(*lines)
        said.append(from_outside(PrivateTable(tmp_path / str(seed), resume=True).heard))
    assert said[0] == said[1]


def test_what_was_interrupted_can_be_begun_again(tmp_path: Path) -> None:
    PrivateTable(tmp_path, deal="entry").say(*LEADER, "l", "f")
    table = PrivateTable(tmp_path, resume=True)
    table.say("enter the roles", *LEADER)
    table.enter(tokens(table))
    assert table.roles == tuple(tokens(table))
    assert table_words(table.heard)[-1] == table.phrase("prologue-offer")
    table.say("skip")
    assert table.phrase("visit-call", name="Clara", seat=3) in table_words(table.heard)[-1]


@pytest.mark.parametrize(
    ("blind", "deal", "waits"),
    [
        ((), "assisted", ("roles-are-known", "prologue-waits")),
        ((1, 2, 3, 4, 5), "assisted", ("roles-are-known", "consultations-wait")),
        ((2,), "headset", ("roles-are-known",)),
        ((1, 2, 3, 4, 5), "none", ("roles-unknown",)),
    ],
)
def test_only_what_can_come_is_offered_when_a_game_goes_on(
    tmp_path: Path, blind: tuple[int, ...], deal: str, waits: tuple[str, ...]
) -> None:
    table = PrivateTable(tmp_path, players=5, blind=blind, deal=deal)
    if deal != "none":
        finished(table)
    again = PrivateTable(tmp_path, resume=True)
    said = " ".join(map(again.phrase, ("resumed", *waits)))
    assert table_words(again.opening)[0] == f"{said} {table_words(again.say('read the board'))[0]}"


def test_a_game_that_has_begun_is_not_offered_a_prologue(tmp_path: Path) -> None:
    PrivateTable(tmp_path, deal="headset").say("stop", "nominate ben")
    table = PrivateTable(tmp_path, resume=True)
    (said,) = table_words(table.opening)
    assert table.phrase("roles-are-known") in said
    assert table.phrase("prologue-waits") not in said


# --- the disk is full


class FullDisk:
    """A disk that takes nothing as long as it is full."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.full = False
        append = Journal.append

        def unless_full(journal: Journal, *entries: Entry) -> None:
            if self.full:
                raise JournalError("journal-unwritable", path=str(journal.path))
            append(journal, *entries)

        monkeypatch.setattr(Journal, "append", unless_full)


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> FullDisk:
    return FullDisk(monkeypatch)


@pytest.mark.parametrize("line", ["deal the roles", "deal by headset"])
def test_a_deal_that_cannot_be_saved_is_not_told(tmp_path: Path, disk: FullDisk, line: str) -> None:
    table = PrivateTable(tmp_path, deal="none")
    table.say("skip")
    disk.full = True
    reply = table.say(line)
    assert (headset_words(reply), table.state.roles, table.scene) == ((), None, None)
    assert len(table_words(reply)) == 1
    disk.full = False
    assert table.say(line)
    assert table.deals == 1
    assert table.scene is not None


@pytest.mark.parametrize("line", ["deal the roles", "deal by headset"])
def test_nothing_follows_a_deal_that_could_not_be_saved(tmp_path: Path, disk: FullDisk, line: str) -> None:
    table = PrivateTable(tmp_path, deal="none")
    table.say("skip")
    disk.full = True
    table.say(line)
    table.say("read the prologue")
    reply = table.say("skip")
    assert table.scene is None
    assert table.phrase("prologue-offer") not in table_words(reply)


@pytest.mark.parametrize("deal", ["you deal", "headset"])
def test_a_game_whose_deal_cannot_be_saved_has_begun_all_the_same(
    tmp_path: Path, disk: FullDisk, monkeypatch: pytest.MonkeyPatch, deal: str
) -> None:
    table = PrivateTable(tmp_path, deal=None)
    create = table.evening.session._beginning._means.journals.create

    def then_full(*arguments: object) -> Journal:
        journal = create(*arguments)
        append = journal.append

        def once(*entries: Entry) -> None:
            append(*entries)
            disk.full = True

        monkeypatch.setattr(journal, "append", once)
        return journal

    monkeypatch.setattr(table.evening.session._beginning._means.journals, "create", then_full)
    reply = table.say(deal)
    words = table_words(reply)
    assert table.phrase("seats-work-too") in words[0]
    assert table.phrase("journal-unwritable", path="").split(" in ")[0] in words[-1]
    assert table.phrase("prompt-nomination") in words[-1]
    assert (headset_words(reply), table.state.roles, table.scene) == ((), None, None)
    disk.full = False
    monkeypatch.undo()
    table.say("deal the roles")
    assert table.deals == 1


def test_entered_roles_that_cannot_be_saved_are_not_repeated_and_the_last_key_counts_again(
    tmp_path: Path, disk: FullDisk
) -> None:
    table = PrivateTable(tmp_path, deal="entry")
    *roles, last = tokens(table)
    table.say(*LEADER)
    table.enter(roles)
    disk.full = True
    reply = table.enter([last])
    assert (headset_words(reply), table.state.roles) == ((), None)
    assert table.session.wants_key
    disk.full = False
    table.enter([last])
    assert table.roles == (*roles, last)


# --- the log


def test_no_role_gets_into_the_log(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch, disk: FullDisk
) -> None:
    caplog.set_level(logging.INFO, "gm_assistant")
    monkeypatch.setattr(logging.getLogger("gm_assistant"), "propagate", True)
    logs = []
    for seed in (1, 2):
        table = PrivateTable(tmp_path / str(seed), deal="entry")
        table.say(*LEADER)
        table.enter([Role.DICTATOR] * 7)
        *roles, last = tokens(table, seed)
        table.enter(roles)
        disk.full = True
        table.enter([last])
        disk.full = False
        table.enter([last])
        table.say("skip", "stop", "who was what", "nominate anna", "nominate ben", "deal the roles", "who am i")
        logs.append(re.sub(str(tmp_path / str(seed)), "", caplog.text))
        caplog.clear()
    assert logs[0] == logs[1]
    assert "journal-unwritable" in logs[0]
    assert "too-late-to-deal" in logs[0]
    assert not any(f"{role}," in logs[0] for role in Role)


@pytest.mark.parametrize("again", ["deal the roles", "you deal", "deal again", "redeal"])
def test_after_a_deal_by_headset_the_leader_who_may_play_never_hears_all_roles(tmp_path: Path, again: str) -> None:
    table = PrivateTable(tmp_path, deal="headset")
    table.say("stop", again)
    assert table.deals == 2
    assert last_deal(table.history) == RolesDealt(table.roles, leader_knows=False, told=False)
    assert not isinstance(table.scene, TokenDeal)


def test_after_a_deal_by_the_leader_the_leader_deals_again(tmp_path: Path) -> None:
    table = PrivateTable(tmp_path, deal="assisted")
    table.say("stop", "deal again")
    assert last_deal(table.history) == RolesDealt(table.roles, leader_knows=True, told=False)
    assert isinstance(table.scene, TokenDeal)
