"""Private consultations: who is called when, what must happen before anything is told, and what whom is told."""

from __future__ import annotations

import tempfile
from itertools import pairwise
from pathlib import Path

import pytest
from fakes import FakeKeyboard, FakeSpeaker, FakeSynthesizer
from hypothesis import given, settings
from hypothesis import strategies as st
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
from table import EDITIONS, every_count, every_edition

from gm_assistant.channels import Channel
from gm_assistant.dialogue.messages import Place
from gm_assistant.errors import AudioError
from gm_assistant.mouth import Mouth
from gm_assistant.rules.model import Role, Seat
from gm_assistant.talking import perform
from gm_assistant.utterances import EqualWhisper, Utterance

EVERYBODY = (1, 2, 3, 4, 5)


@pytest.fixture
def table(tmp_path: Path) -> PrivateTable:
    """Five players who are told all by headset; Anna is called."""
    return PrivateTable(tmp_path, players=5, blind=(2, 4), deal="headset")


def call(table: PrivateTable, seat: Seat) -> str:
    return table.phrase("visit-call", name=NAMES[seat - 1], seat=seat)


def called(table: PrivateTable, reply: tuple[Utterance, ...]) -> Seat | None:
    """Return who is called at the end of a reply."""
    words = table_words(reply)[-1]
    return next((seat for seat in range(1, len(table.state.players) + 1) if words.endswith(call(table, seat))), None)


def comes_alone(table: PrivateTable, reply: tuple[Utterance, ...]) -> Seat | None:
    """Return who is called at the end of a reply and told how to come, with nobody after."""
    seats = range(1, len(table.state.players) + 1)
    words, how = table_words(reply)[-1], table.phrase("visit-how")
    return next((seat for seat in seats if words.endswith(f"{call(table, seat)} {how}")), None)


def told_a_secret(reply: tuple[Utterance, ...]) -> bool:
    return bool(equal_whispers(reply))


# --- who comes when


def test_they_come_in_the_order_of_their_seats(table: PrivateTable) -> None:
    assert called(table, table.opening) == 1
    assert [called(table, table.say(*PROVEN, ENTER)) for _ in EVERYBODY] == [2, 3, 4, 5, None]
    assert table.phrase("visits-done") in table_words(table.heard)
    assert table.scene is None


def test_they_may_come_as_they_like_and_nobody_is_forgotten(table: PrivateTable) -> None:
    assert called(table, table.say("consult david")) == 4
    order = [called(table, table.say(*PROVEN, ENTER)) for _ in EVERYBODY]
    assert order == [1, 2, 3, 5, None]


def test_whoever_was_called_and_did_not_come_is_called_afterwards(table: PrivateTable) -> None:
    table.say(ENTER, NUMBER)
    assert called(table, table.say("consult emma")) == 5
    assert called(table, table.say(*PROVEN, ENTER)) == 1


def test_somebody_who_was_told_already_may_come_again(table: PrivateTable) -> None:
    table.say(*PROVEN, ENTER)
    assert called(table, table.say("consult anna")) == 1
    assert equal_whispers(table.say(*PROVEN))[0].chosen == 0
    assert called(table, table.say(ENTER)) == 2


def test_somebody_can_be_left_out(table: PrivateTable) -> None:
    assert [called(table, table.say("skip")) for _ in EVERYBODY] == [2, 3, 4, 5, None]
    assert not told_a_secret(tuple(table.heard))


@pytest.mark.parametrize("before", [(), (ENTER,), (ENTER, NUMBER), PROVEN])
def test_it_can_be_ended_at_any_time(table: PrivateTable, before: tuple[str, ...]) -> None:
    if before:
        table.say(*before)
    reply = table.say("stop")
    assert table_words(reply) == (table.phrase("deal-stopped"),)
    assert not told_a_secret(reply)
    assert table.scene is None
    assert comes_alone(table, table.say("consult ben")) == 2
    table.say(*before, *["stop"] * (not before))
    if before:
        assert table_words(table.say("stop"))[0] == table.phrase("visits-stopped")
    assert table.scene is None


@pytest.mark.parametrize("before", [(), (ENTER,), (ENTER, NUMBER), PROVEN])
def test_undo_calls_the_same_person_once_more(table: PrivateTable, before: tuple[str, ...]) -> None:
    if before:
        table.say(*before)
    assert called(table, table.say("undo")) == 1
    assert table.deals == 1
    assert told_a_secret(table.say(*PROVEN))


def test_only_the_blind_are_called_where_the_others_see(tmp_path: Path) -> None:
    table = PrivateTable(tmp_path, blind=(2, 4), deal="assisted")
    table.say(ENTER, NUMBER, *[ENTER] * 7)
    assert called(table, table.say("skip")) == 2
    assert called(table, table.say(*PROVEN, ENTER)) == 4
    assert called(table, table.say(*PROVEN, ENTER)) is None


def test_the_call_is_the_same_for_everybody_but_for_the_name(table: PrivateTable) -> None:
    calls = [table_words(table.say("skip"))[-1] for _ in range(4)]
    assert [words.replace(NAMES[seat], "").replace(str(seat + 1), "") for seat, words in enumerate(calls, 1)] == [
        table.phrase("visit-call", name="", seat=0).replace("0", "")
    ] * 4


def test_how_to_come_is_said_first(table: PrivateTable) -> None:
    assert table_words(table.opening)[-1] == f"{table.phrase('visits-begin')} {call(table, 1)}"


def test_whoever_comes_alone_hears_nothing_of_others(table: PrivateTable) -> None:
    table.say("stop")
    reply = table.say("consult ben")
    assert table_words(reply) == (f"{call(table, 2)} {table.phrase('visit-how')}",)
    assert table_words(table.say("help")) == table_words(table.say("what now")) == table_words(reply)


def test_help_says_how_to_come_to_whoever_is_called(table: PrivateTable) -> None:
    for line in ("help", "what now"):
        assert comes_alone(table, table.say(line)) == 1


@pytest.mark.parametrize("before", [(), (ENTER,), (ENTER, NUMBER), PROVEN])
def test_a_sentence_of_play_comes_later_and_changes_nothing(table: PrivateTable, before: tuple[str, ...]) -> None:
    if before:
        table.say(*before)
    scene, journal = table.scene, table.evening.journal
    for line in ("nominate ben", "read the board", "finish the deal", "new game"):
        assert table_words(table.say(line)) == (table.phrase("not-in-scene"),)
    assert (table.scene, table.evening.journal) == (scene, journal)


# --- before anything is told


def test_nothing_secret_is_said_before_the_name_is_confirmed(table: PrivateTable) -> None:
    for line in (ENTER, NUMBER):
        assert not told_a_secret(table.say(line))
    assert told_a_secret(table.say(ENTER))


def test_the_number_comes_first_then_the_name_and_both_in_the_headset_only(table: PrivateTable) -> None:
    number = table.say(ENTER)
    assert table_words(number) == (table.phrase("visit-number"),)
    assert len(headset_words(number)) == 1
    name = table.say(NUMBER)
    assert table_words(name) == (table.phrase("visit-confirm"),)
    assert headset_words(name) == (table.phrase("headset-name", name="Anna"),)


@pytest.mark.parametrize("wrong", [1, 2])
def test_a_wrong_number_brings_a_new_one(table: PrivateTable, wrong: int) -> None:
    numbers = [headset_words(table.say(ENTER))]
    for _ in range(wrong):
        reply = table.say(WRONG)
        assert table_words(reply) == (table.phrase("visit-wrong-number"),)
        numbers.append(headset_words(reply))
    assert all(one != other for one, other in pairwise(numbers))
    assert told_a_secret(table.say(NUMBER, ENTER))


def test_after_three_wrong_numbers_nothing_is_told(table: PrivateTable) -> None:
    reply = table.say(ENTER, WRONG, WRONG, WRONG)
    assert table_words(reply) == (table.phrase("visit-broken-off", name="Anna"),)
    assert headset_words(reply) == ()
    assert not told_a_secret(table.say(NUMBER))


def test_after_three_wrong_numbers_one_can_try_again_or_go_on_without(table: PrivateTable) -> None:
    table.say(ENTER, WRONG, WRONG, WRONG)
    assert told_a_secret(table.say(*PROVEN))
    assert called(table, table.say(ENTER)) == 2
    table.say(ENTER, WRONG, WRONG, WRONG)
    assert called(table, table.say("skip")) == 3


def test_wrong_numbers_are_not_counted_over_visits(table: PrivateTable) -> None:
    table.say(ENTER, WRONG, WRONG, "undo")
    assert table_words(table.say(ENTER, WRONG)) == (table.phrase("visit-wrong-number"),)


def test_the_leader_is_told_privately_whose_number_was_wrong(table: PrivateTable) -> None:
    note = table.phrase("note-doubtful", name="Anna")
    table.say(ENTER, WRONG, WRONG, WRONG, ENTER, WRONG, WRONG, WRONG, "stop")
    reply = table.say("private notes", ENTER, NUMBER)
    assert headset_words(reply)[0] == note
    assert note not in " ".join(table_words(table.heard))


def test_without_a_doubtful_headset_there_is_no_such_note(table: PrivateTable) -> None:
    table.say("stop")
    assert headset_words(table.say("private notes", ENTER, NUMBER))[0] == table.phrase("note-none")


def test_the_leader_s_own_number_wrong_three_times_tells_nothing(table: PrivateTable) -> None:
    table.say("stop")
    reply = table.say("private notes", ENTER, WRONG, WRONG, WRONG)
    assert table_words(reply) == (table.phrase("leader-broken-off"),)
    assert headset_words(reply) == ()
    assert len(headset_words(table.say(ENTER, NUMBER))) == 2


def test_whoever_is_not_the_one_who_was_called_says_no_and_the_call_comes_again(table: PrivateTable) -> None:
    reply = table.say(ENTER, NUMBER, "no")
    assert table_words(reply) == (call(table, 1),)
    assert headset_words(reply) == ()
    assert not told_a_secret(table.say(ENTER, NUMBER))
    assert told_a_secret(table.say("yes"))


@pytest.mark.parametrize("early", ["yes", "repeat", "go on", ENTER])
def test_words_that_come_too_early_tell_nothing(table: PrivateTable, early: str) -> None:
    for line in (*[early] * 6, ENTER, WRONG, *[early] * 6):
        assert not told_a_secret(table.say(line))


def test_number_and_name_can_be_heard_again(table: PrivateTable) -> None:
    assert headset_words(table.say(ENTER)) == headset_words(table.say("repeat"))
    assert headset_words(table.say(NUMBER)) == headset_words(table.say("repeat"))


# --- what is told


def test_it_is_told_twice_and_once_more_when_asked(table: PrivateTable) -> None:
    (twice,) = equal_whispers(table.say(*PROVEN))
    (once,) = equal_whispers(table.say("repeat"))
    (again,) = equal_whispers(table.say("repeat"))
    assert (twice.times, once.times, again.times) == (2, 1, 1)
    assert (once.variants[once.chosen], once.frame) == (twice.variants[twice.chosen], twice.frame)


def test_who_am_i_at_the_headset_is_a_wish_to_hear_it_again(table: PrivateTable) -> None:
    (twice,) = equal_whispers(table.say(*PROVEN))
    (once,) = equal_whispers(table.say("who am i"))
    assert (once.chosen, once.times) == (twice.chosen, 1)


@pytest.mark.parametrize("before", [(), (ENTER,), (ENTER, NUMBER)])
def test_who_am_i_before_the_headset_is_proven_tells_nothing(table: PrivateTable, before: tuple[str, ...]) -> None:
    if before:
        table.say(*before)
    assert not told_a_secret(table.say("who am i"))
    assert table.scene is not None


def test_later_one_hears_the_same_again(table: PrivateTable) -> None:
    """Also when others have died and laws were enacted."""
    table.say(*[*PROVEN, ENTER] * 5)
    first = equal_whispers(table.heard)
    assert len(first) == 5
    table.say("nominate ben", "vote passed", "liberal law")
    for seat in EVERYBODY:
        assert equal_whispers(table.say(f"consult {NAMES[seat - 1]}", *PROVEN)) == (first[seat - 1],)
        table.say(ENTER)
    assert table.scene is None


def test_the_table_hears_the_same_whoever_comes(table: PrivateTable) -> None:
    visits = []
    for _ in EVERYBODY:
        before = len(table.heard)
        table.say(*PROVEN, "repeat")
        visits.append(from_outside(table.heard[before:]))
        table.say(ENTER)
    assert visits == visits[:1] * 5


def test_whoever_asks_who_they_are_must_say_their_name(table: PrivateTable) -> None:
    table.say("stop")
    assert table_words(table.say("who am i")) == (table.phrase("who-asks"),)
    assert table.scene is None


def test_without_blind_players_there_is_nobody_to_call_by_that_name(tmp_path: Path) -> None:
    table = PrivateTable(tmp_path, players=5, blind=(), deal="headset")
    table.say("stop")
    assert table_words(table.say("consultations")) == (table.phrase("nobody-to-consult"),)


def test_a_player_who_is_not_there_is_not_called(table: PrivateTable) -> None:
    assert table_words(table.say("consult seat nine")) == (table.phrase("pardon"),)
    assert comes_alone(table, table.say("consult otto")) == 1
    assert told_a_secret(table.say(*PROVEN))


def killed(folder: Path, deal: str = "headset") -> PrivateTable:
    """Return a table of five at which Emma has been shot."""
    table = PrivateTable(folder, "secret_hitler", 5, blind=(5,), deal=deal)
    table.say("stop" if deal == "headset" else "skip")
    for _ in range(4):
        president = table.state.president
        chancellor = min(one.seat for one in table.session.view.candidates if one.bar is None and one.seat != 5)
        assert chancellor != president
        table.say(f"nominate seat {chancellor}", "vote passed")
        if table.session.view.fascist_laws >= 3:
            table.say("no")
        table.say("fascist law")
        if table.session.view.fascist_laws == 3:
            table.say("looked")
    table.say("shoot emma", "no")
    assert table.state.alive == {1, 2, 3, 4}
    return table


def test_the_dead_are_told_nothing_more(tmp_path: Path) -> None:
    table = killed(tmp_path)
    dead = table.phrase("visit-of-the-dead", player="Emma")
    assert table_words(table.say("consult emma")) == (dead,)
    assert table_words(table.say("consultations")) == (dead,)
    assert called(table, table.say("consult everybody")) == 1
    assert table_words(table.say("consult emma")) == (dead,)
    assert [called(table, table.say(*PROVEN, ENTER)) for _ in range(4)] == [2, 3, 4, None]


def test_without_roles_nobody_is_called(tmp_path: Path) -> None:
    table = PrivateTable(tmp_path, deal="none")
    table.say("skip")
    for line in ("consult anna", "consultations", "consult everybody"):
        assert table_words(table.say(line)) == (table.phrase("roles-unknown"),)
        assert table.scene is None


# --- the headset fails


@pytest.mark.parametrize("before", [(), (ENTER,), (ENTER, NUMBER), PROVEN])
def test_a_headset_that_is_not_ready_leads_back_to_the_call(table: PrivateTable, before: tuple[str, ...]) -> None:
    following = (*PROVEN, "repeat")[len(before)]
    if before:
        table.say(*before)
    reply = table.say(following, failed=True)
    assert called(table, reply) == 1
    assert not told_a_secret(table.say(ENTER))
    assert told_a_secret(table.say(NUMBER, ENTER))


class Wearer:
    """The same table with a mouth, and a headset that can be broken."""

    def __init__(self, table: PrivateTable, keyboard: FakeKeyboard | None = None) -> None:
        self.table = table
        self.speaker = FakeSpeaker()
        self.synthesizer = FakeSynthesizer()
        self.keyboard = keyboard or FakeKeyboard()
        self.printed: list[str] = []
        self.mouth = Mouth(
            table.session,
            self.printed.append,
            self.keyboard.pressed,
            self.synthesizer,
            self.speaker,
            platform="linux",
        )

    def hear(self, *lines: str) -> list[str]:
        """Return what is printed about the last line."""
        for line in lines:
            self.printed.clear()
            perform(self.table.session, self.mouth, self.keyboard, self.table.session.hear(line, typed=True))
        return list(self.printed)

    def number(self) -> str:
        return str(self.table.scene.visiting.number)


@pytest.mark.parametrize("stage", range(4))
@pytest.mark.parametrize("key", ["headset-not-ready", "device-failed"])
def test_what_cannot_be_whispered_is_said_nowhere(table: PrivateTable, stage: int, key: str) -> None:
    wearer = Wearer(table)
    for place in range(stage):
        wearer.hear(wearer.number() if place == 1 else ENTER)
    following = ("", wearer.number(), "", "repeat")[stage]
    wearer.speaker.broken[Channel.HEADSET] = AudioError(key, device="Headset", reason="test")
    wearer.speaker.played.clear()
    printed = wearer.hear(following)
    assert [channel for channel, _ in wearer.speaker.played if channel is Channel.HEADSET] == []
    assert f"table: {table.phrase('headset-not-ready')}" in printed
    assert printed[-1] == f"table: {call(table, 1)}"
    assert all(line.startswith("table: ") for line in printed)
    wearer.speaker.broken.clear()
    assert wearer.hear(ENTER)[-1] == f"headset: {table.phrase('headset-hidden')}"


def test_keys_that_were_pressed_during_a_whisper_mean_nothing(table: PrivateTable) -> None:
    keyboard = Impatient()
    wearer = Wearer(table, keyboard)
    wearer.hear(ENTER)
    wearer.hear(wearer.number())
    assert keyboard.forgotten == 0
    wearer.hear(ENTER)
    assert keyboard.forgotten == 1


class Impatient(FakeKeyboard):
    """Counts how often what was pressed early is dropped."""

    forgotten = 0

    def forget(self) -> None:
        self.forgotten += 1


# --- contents: "Who learns what"


def places(table: PrivateTable, role: Role, without: Seat = 0) -> tuple[Place, ...]:
    return tuple(
        Place(NAMES[seat - 1], seat) for seat, other in enumerate(table.roles, 1) if other is role and seat != without
    )


def expected(table: PrivateTable, seat: Seat) -> tuple[str, ...]:
    """Return what the player on `seat` learns by the table of the edition's document."""
    role, players = table.roles[seat - 1], len(table.roles)
    own = table.phrase(f"whisper-role-{role}")
    fascists, dictator = places(table, Role.FASCIST, without=seat), places(table, Role.DICTATOR)
    if role is Role.FASCIST:
        fellows = table.phrase("whisper-fellows", places=fascists) if fascists else table.phrase("whisper-alone")
        return own, fellows, table.phrase("whisper-dictator", places=dictator)
    if role is Role.DICTATOR and table.edition != "secret_dictator" and players <= 6:
        return own, table.phrase("whisper-team", places=fascists)
    return own, table.phrase("whisper-no-names")


def check_everybody(table: PrivateTable) -> None:
    """Fail unless everybody is told what they may know, in a whisper that could have been any other."""
    outside = set()
    for seat in range(1, len(table.roles) + 1):
        reply = table.say(*PROVEN)
        (whisper,) = equal_whispers(reply)
        assert headset_words(reply)[:-1] == expected(table, seat)
        outside.add((len(whisper.variants), whisper.frame, whisper.reminders, whisper.times))
        table.say(ENTER)
    assert len(outside) == 1
    assert table.scene is None


@every_edition
@every_count
def test_everybody_learns_what_the_edition_says_and_nothing_else(tmp_path: Path, edition: str, players: int) -> None:
    table = PrivateTable(tmp_path, edition, players, blind=(), deal="headset", seed=players)
    check_everybody(table)


@settings(max_examples=25, deadline=None)
@given(data=st.data(), edition=st.sampled_from(sorted(EDITIONS)), players=st.integers(5, 10))
def test_everybody_learns_it_whatever_was_dealt(data: st.DataObject, edition: str, players: int) -> None:
    counts = EDITIONS[edition].roles[players]
    tokens = [role for role in Role for _ in range(counts.of(role))]
    with tempfile.TemporaryDirectory() as folder:
        table = PrivateTable(Path(folder), edition, players, blind=tuple(range(1, players + 1)), deal="entry")
        table.say(ENTER, NUMBER)
        table.enter(data.draw(st.permutations(tokens)))
        check_everybody(table)


@every_edition
@every_count
def test_the_length_of_a_whisper_comes_from_what_every_deal_could_tell(
    tmp_path: Path, edition: str, players: int
) -> None:
    """The frame is the same for two deals, and has room for every sentence that one of them brings."""
    whispers = []
    for seed in (1, 2):
        table = PrivateTable(tmp_path / str(seed), edition, players, blind=(), deal="headset", seed=seed)
        whispers += equal_whispers(table.say(*PROVEN))
    assert whispers[0].frame == whispers[1].frame
    kinds = {tuple(len(sentence) > 0 for sentence in kind) for kind in whispers[0].frame}
    for whisper in whispers:
        assert {(True,) * len(variant) for variant in whisper.variants} <= kinds


def test_no_table_line_of_a_visit_holds_anything_that_was_whispered(table: PrivateTable) -> None:
    table.say(*[*PROVEN, "repeat", ENTER] * 5)
    secrets = {
        words
        for utterance in table.heard
        if isinstance(utterance, EqualWhisper)
        for variant in utterance.variants
        for words in (secret.reveal() for secret in variant)
    }
    assert secrets
    assert not any(words in said for said in table_words(table.heard) for words in secrets)
