"""A secret ballot: a key for each player, and nobody at the table learns a vote before all are in."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from collections.abc import Iterable
from datetime import timedelta
from pathlib import Path
from random import Random

import pytest
from fakes import (
    PLAYERS,
    Evening,
    FakeKeyboard,
    FakeSpeaker,
    FakeSynthesizer,
    ListedEars,
    environment,
    library,
    no_fallback,
)
from fakes import phrase_in as worded
from hypothesis import given, settings
from hypothesis import strategies as st
from told import with_rules

from gm_assistant.channels import Channel
from gm_assistant.dialogue.messages import Person
from gm_assistant.dialogue.set_up import Plan
from gm_assistant.ears import Words
from gm_assistant.errors import AudioError
from gm_assistant.library import Library
from gm_assistant.mouth import Mouth
from gm_assistant.rules import events as happened
from gm_assistant.rules.model import SecretElection
from gm_assistant.talking import talk
from gm_assistant.terminal import LATE
from gm_assistant.utterances import EqualWhisper, HeadsetUtterance, Prepare, Reply, Secret, TableUtterance

EDITION = "secret_despotar"
NAMES = ("Anna", "Ben", "Clara", "Dora", "Emil")
PLAN = Plan("en", EDITION, 5, NAMES, 1)


def phrase(key: str, **facts: object) -> str:
    return worded(EDITION, key, **facts)  # type: ignore[arg-type]


def table_lines(reply: Reply) -> list[str]:
    return [utterance.text for utterance in reply if isinstance(utterance, TableUtterance)]


def ballot(folder: Path, **more: object) -> Evening:
    """Return an evening at which a secret ballot on Ben has just been opened."""
    evening = Evening(folder, PLAN, **more)  # type: ignore[arg-type]
    evening.say("nominate ben", "secret ballot")
    assert evening.session.wants_line
    return evening


def cast(evening: Evening) -> tuple[tuple[int, bool], ...]:
    """Return the votes as only the journal knows them."""
    assert evening.session.history is not None
    phase = evening.session.history.state.phase
    assert isinstance(phase, SecretElection)
    return phase.votes


def names(*chosen: str) -> tuple[Person, ...]:
    return tuple(map(Person, chosen))


# --- voting


def test_everybody_votes_with_one_key_in_seat_order(tmp_path: Path) -> None:
    evening = ballot(tmp_path)
    for voter, following, key in zip(NAMES, NAMES[1:], "yynn", strict=False):
        *_, said = evening.reply(key)
        assert said.text == f"{phrase('has-voted', player=voter)} {phrase('next-voter', player=following)}"
    last = evening.say("y")
    assert phrase("votes-yes", players=names("Anna", "Ben", "Emil")) in last
    assert phrase("votes-no", players=names("Clara", "Dora")) in last
    assert phrase("elected-count", yes=3, no=2) in last
    assert not evening.session.wants_line


def test_the_dead_do_not_vote(tmp_path: Path) -> None:
    evening = Evening(tmp_path, PLAN)
    for name in ("ben", "clara", "dora"):
        evening.say(f"nominate {name}", "vote passed", "fascist law", "looked")
    evening.say("nominate emil", "vote passed", "no", "fascist law", "shoot anna", "no")
    assert evening.session.view is not None
    assert evening.session.view.alive == (2, 3, 4, 5)
    evening.say("nominate ben", "secret ballot")
    for name in ("Ben", "Clara", "Dora"):
        assert phrase("has-voted", player=name) in evening.say("y")
    assert phrase("elected-count", yes=4, no=0) in evening.say("y")


BETWEEN = (
    "what now",
    "what happened",
    "repeat",
    "help",
    "what can i say",
    "who is chancellor",
    "",
    "bla",
    "read the board",
)

votes_of_five = st.lists(st.booleans(), min_size=4, max_size=4)
said_between = st.lists(st.sampled_from((*BETWEEN, "undo", "redo", "secret ballot", "vote passed")), max_size=8)


@given(one=votes_of_five, other=votes_of_five, between=said_between)
@settings(max_examples=40, deadline=None, derandomize=True, database=None)
def test_the_table_hears_the_same_whatever_is_voted(tmp_path_factory, one, other, between):
    lines = [list(heard_of(tmp_path_factory.mktemp("game"), votes, between)) for votes in (one, other)]
    assert lines[0] == lines[1]


def heard_of(folder: Path, votes: list[bool], between: list[str]) -> Iterable[list[str]]:
    evening, between = ballot(folder), list(between)
    for vote in votes:
        yield table_lines(evening.reply("y" if vote else "n"))
        if between:
            yield table_lines(evening.reply(between.pop()))
            if not evening.session.wants_line:
                return


def test_all_lines_of_the_table_are_the_same_until_the_last_vote(tmp_path: Path) -> None:
    heard = []
    for place, votes in enumerate(("yyyy", "nnnn", "ynny")):
        folder = tmp_path / str(place)
        evening = ballot(folder)
        heard.append([table_lines(evening.reply(line)) for key in votes for line in (key, *BETWEEN)])
    assert heard[0] == heard[1] == heard[2]


def test_who_votes_hears_it_in_the_headset_only(tmp_path: Path) -> None:
    evening = ballot(tmp_path)
    whispered, said = evening.reply("y")
    noted = tuple((Secret(phrase(f"vote-noted-{vote}")),) for vote in ("yes", "no"))
    assert whispered == EqualWhisper(noted, chosen=0, times=1, needed=False)
    assert isinstance(said, TableUtterance)
    assert evening.reply("n")[0] == EqualWhisper(noted, chosen=1, times=1, needed=False)


def test_the_sound_of_both_votes_is_made_before_the_first_one(tmp_path: Path) -> None:
    evening = Evening(tmp_path, PLAN)
    evening.say("nominate ben")
    *_, ahead = evening.reply("secret ballot")
    assert isinstance(ahead, Prepare)
    assert ahead.whisper.variants == evening.reply("y")[0].variants


def test_a_whispered_repeat_does_not_bring_the_vote_back(tmp_path: Path) -> None:
    evening = ballot(tmp_path)
    evening.say("y")
    assert evening.reply("whisper repeat") == (HeadsetUtterance(Secret(phrase("nothing-said-yet"))),)


@pytest.mark.parametrize("line", ["yes", "no", "ben says yes", "clara no"])
def test_a_spoken_vote_is_refused_and_recorded_nowhere(tmp_path: Path, line: str) -> None:
    evening = ballot(tmp_path)
    before = evening.journal
    assert evening.say(line, typed=False) == phrase("ballot-is-secret")
    assert (cast(evening), evening.journal) == ((), before)


@pytest.mark.parametrize("line", ["vote passed", "3 yes 2 no", "everybody says yes"])
def test_an_open_result_is_refused(tmp_path: Path, line: str) -> None:
    evening = ballot(tmp_path)
    before = evening.journal
    assert evening.say(line) == phrase("ballot-is-secret")
    assert evening.journal == before


def test_a_vote_is_changed_by_its_typed_code(tmp_path: Path) -> None:
    evening = ballot(tmp_path)
    evening.say("y", "y")
    noted, said = evening.reply("b anna no")
    assert noted.variants[noted.chosen] == (Secret(phrase("vote-noted-no")),)
    assert said.text == f"{phrase('has-voted', player='Anna')} {phrase('next-voter', player='Clara')}"
    assert cast(evening) == ((1, False), (2, True))


def test_undo_goes_back_vote_by_vote(tmp_path: Path) -> None:
    evening = ballot(tmp_path)
    evening.say("y", "n")
    assert evening.say("undo").startswith(f"{phrase('undone')} {phrase('has-voted', player='Ben')}")
    assert cast(evening) == ((1, True),)
    evening.say("undo")
    assert cast(evening) == ()
    assert evening.say("undo").startswith(phrase("undone"))
    assert not evening.session.wants_line
    assert evening.say("redo").startswith(phrase("redone"))
    assert evening.session.wants_line


def test_the_journal_keeps_the_votes_for_its_owner_only(tmp_path: Path) -> None:
    evening = ballot(tmp_path)
    evening.say("y")
    assert b"SecretVoteCast" not in evening.journal
    (path,) = tmp_path.glob("*.jsonl")
    if os.name == "posix":
        assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_in_a_pause_keys_are_no_votes(tmp_path: Path) -> None:
    evening = ballot(tmp_path)
    evening.say("pause")
    assert evening.say("y") == phrase("still-paused")
    assert cast(evening) == ()
    evening.say("go on")
    assert evening.session.wants_line


def test_an_edition_without_it_takes_no_secret_ballot(tmp_path: Path) -> None:
    evening = Evening(tmp_path)
    evening.say("nominate ben")
    assert evening.say("secret ballot") == worded("secret_dictator", "no-secret-ballot")
    assert not evening.session.wants_line


# --- the deadline


def drawn(seed: int, missing: tuple[int, ...]) -> tuple[tuple[int, bool], ...]:
    chance = Random(seed)
    return tuple((seat, chance.random() < 1 / 2) for seat in missing)


def last_drawn(evening: Evening) -> tuple[tuple[int, bool], ...]:
    assert evening.session.history is not None
    event = evening.session.history.done[-1].events[0]
    assert isinstance(event, happened.MissingVotesDrawn)
    return event.votes


def with_deadline(seconds: int) -> Library:
    return with_rules(EDITION, vote_deadline=seconds)


def test_without_a_deadline_there_is_no_hurry(tmp_path: Path) -> None:
    evening = ballot(tmp_path)
    assert evening.session.seconds_left is None
    evening.clock.time += timedelta(days=1)
    evening.say("y")
    assert cast(evening) == ((1, True),)


def test_the_deadline_is_that_of_the_edition(tmp_path: Path) -> None:
    left = ballot(tmp_path, known=with_deadline(60)).session.seconds_left
    assert left is not None
    assert 50 < left < 60


@pytest.mark.parametrize(("argument", "least", "most"), [(600, 590, 600), (10, 5, 10)])
def test_the_session_s_deadline_goes_before_the_edition_s(tmp_path: Path, argument: int, least: int, most: int) -> None:
    left = ballot(tmp_path, known=with_deadline(60), vote_deadline=argument).session.seconds_left
    assert left is not None
    assert least < left < most


def test_a_deadline_of_zero_is_none(tmp_path: Path) -> None:
    assert ballot(tmp_path, known=with_deadline(60), vote_deadline=0).session.seconds_left is None


@pytest.mark.parametrize("seed", range(4))
def test_what_is_late_is_no_vote_but_chance_votes(tmp_path: Path, seed: int) -> None:
    evening = ballot(tmp_path, vote_deadline=60, seed=seed)
    evening.say("y", "n")
    evening.clock.time += timedelta(seconds=60)
    said = evening.say("y")
    assert said.startswith(phrase("votes-drawn", players=names("Clara", "Dora", "Emil")))
    assert last_drawn(evening) == drawn(seed, (3, 4, 5))


def test_the_leader_can_end_the_ballot(tmp_path: Path) -> None:
    evening = ballot(tmp_path, seed=7)
    evening.say("y")
    assert evening.say("time is up").startswith(phrase("votes-drawn", players=names(*NAMES[1:])))
    assert last_drawn(evening) == drawn(7, (2, 3, 4, 5))


def test_after_resuming_the_time_begins_anew(tmp_path: Path) -> None:
    ballot(tmp_path, vote_deadline=60).say("y")
    again = Evening(tmp_path, Plan("en"), resume=True, seed=3)
    assert again.session.wants_line
    left = again.session.seconds_left
    assert left is not None
    assert left > 50
    again.clock.time += timedelta(seconds=60)
    again.say("y")
    assert last_drawn(again) == drawn(3, (2, 3, 4, 5))


# --- keys, ears and mouth


class Booth:
    """A session in the middle of a secret ballot, with a keyboard, a mouth and perhaps a headset."""

    def __init__(self, folder: Path, *keys: str, headset: bool = True, **more: object) -> None:
        self.evening = Evening(folder, PLAN, begin=False, **more)  # type: ignore[arg-type]
        self.keyboard = FakeKeyboard(*keys)
        self.printed: list[str] = []
        self.speaker = FakeSpeaker()
        if not headset:
            self.speaker.broken[Channel.HEADSET] = AudioError("headset-not-ready")
        self.synthesizer = FakeSynthesizer()
        self.mouth = Mouth(
            self.evening.session, self.printed.append, lambda: False, self.synthesizer, self.speaker, platform="linux"
        )

    def talk(self, *lines: str) -> None:
        ears = ListedEars([Words(line, typed=False) for line in lines])
        talk(self.evening.session, self.mouth, ears, self.keyboard, no_fallback, resume=False)


OPENING = ("nominate ben", "secret ballot")


@pytest.mark.parametrize("headset", [True, False])
def test_nothing_of_a_vote_is_printed_or_sounds_at_the_table(tmp_path: Path, headset: bool) -> None:
    printed, sounded = [], []
    for place, keys in enumerate(("yyyy", "nnnn")):
        booth = Booth(tmp_path / str(place), *keys, headset=headset)
        booth.talk(*OPENING)
        printed.append(booth.printed)
        texts = [
            booth.synthesizer.text_of(audio) for channel, audio in booth.speaker.played if channel is Channel.TABLE
        ]
        sounded.append(texts)
    assert printed[0] == printed[1]
    assert sounded[0] == sounded[1]
    assert phrase("headset-not-ready") not in " ".join(printed[0])


def test_talk_ends_the_ballot_when_nobody_presses_a_key(tmp_path: Path) -> None:
    booth = Booth(tmp_path, "y", LATE, vote_deadline=60, seed=5)
    booth.talk(*OPENING)
    assert last_drawn(booth.evening) == drawn(5, (2, 3, 4, 5))
    assert booth.keyboard.patience[0] is not None
    assert 0 < booth.keyboard.patience[1] < booth.keyboard.patience[0] <= 60  # type: ignore[operator]
    assert phrase("votes-drawn", players=names(*NAMES[1:])) in booth.printed[-1]


def test_talk_waits_for_ever_without_a_deadline(tmp_path: Path) -> None:
    booth = Booth(tmp_path, *"yyyyy")
    booth.talk(*OPENING, "fascist law")
    assert booth.keyboard.patience == [None] * 5
    assert "fascist law" in booth.printed[-1].lower()


def test_a_pipe_that_stays_open_and_silent_is_outvoted_by_chance(tmp_path: Path) -> None:
    """The real program, with an edition of the user's own."""
    editions = tmp_path / "config" / "gm_assistant" / "editions"
    editions.mkdir(parents=True)
    own = "id: hasty\nversion: 1\nextends: secret_despotar\nvote_deadline: 1\nnames:\n"
    own += "".join(f"  {name}:\n    edition: {{name: Hasty, spoken: hasty}}\n" for name in sorted(library().packs))
    (editions / "hasty.yaml").write_text(own)
    flags = ("play", "--language", "en", "--input", "keyboard", "--output", "text", "--edition", "hasty")
    with subprocess.Popen(
        [sys.executable, "-m", "gm_assistant", *flags, *PLAYERS, "--first", "Anna"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=environment(tmp_path),
        cwd=tmp_path,
        text=True,
    ) as ran:
        assert ran.stdin is not None
        assert ran.stdout is not None
        ran.stdin.write("nominate ben\nsecret ballot\ny\n")
        ran.stdin.flush()
        lines = [next(ran.stdout).rstrip("\n") for _ in range(6)]
        ran.stdin.close()
        assert ran.wait(30) == 0
    assert lines[3:5] == [
        f"headset: {phrase('headset-hidden')}",
        f"table: {phrase('has-voted', player='Anna')} {phrase('next-voter', player='Ben')}",
    ]
    assert lines[5].startswith(f"table: {phrase('votes-drawn', players=names(*NAMES[1:]))}")


@pytest.mark.parametrize("said", ["correction anna no", "correction 1 yes", "correction yes"])
def test_a_correction_before_the_first_vote_is_refused_and_not_said(tmp_path: Path, said: str) -> None:
    evening = ballot(tmp_path)
    assert evening.say(said) == phrase("ballot-is-secret")
    assert cast(evening) == ()


@pytest.mark.parametrize(
    "typed", ["no no", "yes yes", "anna yes yes", "against against", "whisper yes", "anna in favour no"]
)
def test_what_is_typed_in_a_ballot_is_never_said_again(tmp_path: Path, typed: str) -> None:
    evening = ballot(tmp_path)
    assert evening.say(typed) == phrase("pardon")
    assert cast(evening) == ()


def test_the_deadline_is_said_when_the_ballot_opens(tmp_path: Path) -> None:
    evening = Evening(tmp_path, PLAN, vote_deadline=90)
    evening.say("nominate ben")
    assert phrase("rule-deadline", number=90) in evening.say("secret ballot")
    assert phrase("rule-deadline", number=90) in evening.say("is there a deadline")


def test_while_the_game_is_paused_no_vote_is_taken(tmp_path: Path) -> None:
    evening = ballot(tmp_path)
    evening.say("pause")
    assert evening.session.wants_line
    assert evening.session.seconds_left is None
    assert evening.say("y") == evening.say("bla") == phrase("still-paused")
    assert cast(evening) == ()
    evening.say("go on", "y")
    assert cast(evening) == ((1, True),)
