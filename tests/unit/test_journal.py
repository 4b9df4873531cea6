"""Games on disk: what was announced is there, what could not be written has not happened."""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec
import pytest
from fakes import (
    EMPTY_PLAN,
    GAME,
    LIBERAL_GAME,
    NAMES,
    PLAN,
    TYPED,
    Evening,
    environment,
    games,
    library,
    phrase,
    program,
)
from hypothesis import given, settings
from hypothesis import strategies as st

from gm_assistant.dialogue.set_up import Plan
from gm_assistant.errors import JournalError
from gm_assistant.journal import Heading, Journals, Sealed, load
from gm_assistant.resumption import history_of, unfinished
from gm_assistant.rules import events as happened
from gm_assistant.rules.history import Entry, Recorded, Reinstated, Retracted
from gm_assistant.rules.model import Role

NOW = datetime(2026, 5, 1, 20, 0, 0)


@pytest.fixture
def evening(tmp_path: Path) -> Evening:
    return Evening(tmp_path / "games")


def file_of(evening: Evening) -> Path:
    return max(evening.folder.glob("*.jsonl"))


@contextmanager
def something_in_the_way(path: Path) -> Iterator[None]:
    """Put a folder where a file belongs, so that not even root can write it."""
    away = path.with_name("away")
    path.rename(away)
    path.mkdir()
    yield
    path.rmdir()
    away.rename(path)


@contextmanager
def full_disk(room: int) -> Iterator[None]:
    """Let no file grow beyond `room` bytes: what goes beyond is written up to there, as on a full disk."""
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (room, limits[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)


# --- on disk before it is believed


@pytest.mark.parametrize("line", ["nominate clara", "vote passed", "undo", "redo", "correction nominate clara"])
def test_what_cannot_be_written_has_not_happened_and_can_be_said_again(evening: Evening, line: str) -> None:
    evening.say("nominate ben", "vote failed", "undo") if line in ("redo", "vote passed") else evening.say(
        "nominate ben"
    )
    if line == "nominate clara":
        evening.say("vote failed", "nominate emil", "undo")
    board = evening.board
    with something_in_the_way(file_of(evening)):
        assert evening.say(line) == phrase("journal-unwritable", path=str(file_of(evening)))
        assert evening.board == board
    evening.say(line)
    assert evening.board != board


@pytest.mark.parametrize("spare", [0, 1, 20, 60])
def test_on_a_full_disk_a_step_is_written_whole_or_not_at_all(evening: Evening, spare: int) -> None:
    board, journal = evening.board, evening.journal
    with full_disk(len(journal) + spare):
        answer = evening.say("nominate ben")
    assert answer == phrase("journal-unwritable", path=str(file_of(evening)))
    assert (evening.board, evening.journal) == (board, journal)
    evening.say("nominate clara")
    assert Evening(evening.folder, EMPTY_PLAN, resume=True).say("who is nominated") == phrase(
        "candidate-is", candidate="Clara"
    )


def test_a_correction_is_written_whole_or_not_at_all(evening: Evening) -> None:
    evening.say("nominate ben")
    board, journal = evening.board, evening.journal
    with full_disk(len(journal) + len(b'{"entry":"Retracted"}\n') + 10):
        evening.say("correction nominate clara")
    assert (evening.board, evening.journal) == (board, journal)


def test_when_the_game_cannot_begin_the_last_question_stays_open(tmp_path: Path) -> None:
    folder = tmp_path / "games"
    evening = Evening(folder, EMPTY_PLAN)
    evening.say("Anna,Ben,Clara,Dora,Emil")
    folder.write_text("in the way")
    assert evening.say("anna") == phrase("journal-unwritable", path=str(folder))
    assert evening.session.view is None
    folder.unlink()
    assert evening.say("anna").endswith(phrase("prompt-nomination"))


# --- files


def test_only_the_owner_may_read_a_game(evening: Evening) -> None:
    assert evening.folder.stat().st_mode & 0o777 == 0o700
    assert file_of(evening).stat().st_mode & 0o777 == 0o600


def test_a_loose_umask_opens_nothing(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        evening = Evening(tmp_path / "games")
    finally:
        os.umask(before)
    assert evening.folder.stat().st_mode & 0o777 == 0o700
    assert file_of(evening).stat().st_mode & 0o777 == 0o600


@pytest.mark.skipif(os.name != "posix", reason="only POSIX has these modes")
def test_a_folder_and_a_file_that_others_could_read_are_closed_to_them(tmp_path: Path) -> None:
    folder = tmp_path / "games"
    folder.mkdir()
    folder.chmod(0o755)
    evening = Evening(folder)
    assert folder.stat().st_mode & 0o777 == 0o700
    folder.chmod(0o755)
    file_of(evening).chmod(0o644)
    Evening(folder, EMPTY_PLAN, resume=True)
    assert folder.stat().st_mode & 0o777 == 0o700
    assert file_of(evening).stat().st_mode & 0o777 == 0o600


def test_two_games_in_one_second_have_two_files(tmp_path: Path) -> None:
    journals = Journals(tmp_path)
    paths = {journals.create("en", NOW).path for _ in range(5)} | {Journals(tmp_path).create("de", NOW).path}
    assert len(paths) == 6
    assert all(path.read_bytes().count(b"\n") == 1 for path in paths)


def test_the_game_that_began_last_is_the_newest_even_within_one_second(tmp_path: Path) -> None:
    for candidate in ("ben", "clara"):
        Evening(tmp_path).say(f"nominate {candidate}")
    assert Evening(tmp_path, EMPTY_PLAN, resume=True).say("who is nominated") == phrase(
        "candidate-is", candidate="Clara"
    )


# --- sealed: nobody reads a secret by accident

ROLES = (Role.LIBERAL, Role.FASCIST, Role.DICTATOR, Role.LIBERAL, Role.LIBERAL)
STARTED = Recorded((happened.GameStarted("secret_dictator", 1, NAMES, 1),))
SEATS = st.integers(1, 10)
VOTES = st.lists(st.tuples(SEATS, st.booleans()), max_size=10).map(tuple)
SECRETS = st.one_of(
    st.lists(st.sampled_from(Role), max_size=10).map(tuple).map(happened.RolesDealt),
    st.builds(happened.SecretVoteCast, SEATS, st.booleans()),
    st.builds(happened.MissingVotesDrawn, VOTES),
)
EVENTS = st.one_of(
    SECRETS, st.builds(happened.VoteCast, SEATS, st.booleans()), st.builds(happened.VotesPublished, VOTES)
)
ENTRIES = st.lists(
    st.one_of(st.lists(EVENTS, max_size=4).map(tuple).map(Recorded), st.just(Retracted()), st.just(Reinstated()))
)


def saved(folder: Path, *entries: Entry) -> Path:
    """Return the file of a game with these entries."""
    journal = Journals(folder).create("en", NOW)
    journal.append(STARTED)
    for entry in entries:
        journal.append(entry)
    return journal.path


def lines_of(path: Path) -> list[bytes]:
    return path.read_bytes().split(b"\n")[:-1]


def unseal(path: Path) -> None:
    """Write a saved game as early versions of the program did."""
    heading, *_ = lines_of(path)
    lines = (heading, *map(msgspec.json.encode, load(path).entries), b"")
    path.write_bytes(b"\n".join(lines))


@settings(deadline=None)
@given(ENTRIES)
def test_what_is_sealed_is_read_back_as_it_was(entries: list[Entry]) -> None:
    with TemporaryDirectory() as folder:
        path = saved(Path(folder), *entries)
        assert load(path).entries == (STARTED, *entries)
        unseal(path)
        assert load(path).entries == (STARTED, *entries)


@given(st.lists(EVENTS, max_size=4).map(tuple))
def test_an_entry_is_sealed_if_and_only_if_it_holds_a_secret(events: tuple[happened.Event, ...]) -> None:
    with TemporaryDirectory() as folder:
        line = lines_of(saved(Path(folder), Recorded(events)))[-1]
    secret = any(isinstance(event, happened.SECRET_EVENTS) for event in events)
    assert (b'"Sealed"' in line, b"Recorded" in line) == (secret, not secret)


def test_the_secret_events_are_those_that_say_so() -> None:
    kinds = happened.Event.__args__
    assert set(happened.SECRET_EVENTS) == {kind for kind in kinds if (kind.__doc__ or "").startswith("SECRET")}
    assert {happened.RolesDealt, happened.SecretVoteCast, happened.MissingVotesDrawn} <= set(happened.SECRET_EVENTS)


def test_no_role_and_no_name_of_a_secret_can_be_read_in_the_file(tmp_path: Path) -> None:
    path = saved(tmp_path, Recorded((happened.RolesDealt(ROLES),)))
    raw = path.read_bytes().lower()
    words = {*Role, "liberal", "fascist", "dictator", "roles", "dealt"}
    (dealt,) = (line.lower() for line in lines_of(path) if b"Sealed" in line)
    assert [word for word in words if word.encode() in dealt] == []
    assert raw.replace(b"secret_dictator", b"").count(b"dictator") == 0
    assert load(path).entries[-1] == Recorded((happened.RolesDealt(ROLES),))


def test_a_sealed_deal_looks_different_each_time_and_is_always_equally_long(tmp_path: Path) -> None:
    deals = [Recorded((happened.RolesDealt(roles),)) for roles in (ROLES, ROLES, ROLES[::-1])]
    sealed = lines_of(saved(tmp_path, *deals))[2:]
    assert len(set(sealed)) == 3
    assert len(set(map(len, sealed))) == 1


def test_a_sealed_yes_is_as_long_as_a_no(tmp_path: Path) -> None:
    votes = [Recorded((happened.SecretVoteCast(seat, approves),)) for seat in (1, 10) for approves in (True, False)]
    assert len({len(line) for line in lines_of(saved(tmp_path, *votes))[2:]}) == 1


def broken_seals() -> dict[str, bytes]:
    """Return lines that look sealed and hold no entry."""
    pad = bytes(200)
    heading = msgspec.json.encode(Heading(journal=1, language="en"))
    sealed = {
        "a pad that is too short": Sealed(b"{}", b"\0"),
        "a content that is too short": Sealed(b"", b"\0"),
        "nothing": Sealed(b"", b""),
        "no text": Sealed(b"\xff", b"\0"),
        "an unknown entry": Sealed(b'{"entry":"Dance"}', pad[:17]),
        "a heading": Sealed(heading, pad[: len(heading)]),
        "a seal in a seal": Sealed(inner := msgspec.json.encode(Sealed(b"", b"")), pad[: len(inner)]),
    }
    lines = {name: msgspec.json.encode(entry) for name, entry in sealed.items()}
    return lines | {
        "no content": b'{"entry":"Sealed","pad":""}',
        "no pad": b'{"entry":"Sealed","content":""}',
        "no base64": b'{"entry":"Sealed","content":"!","pad":"!"}',
    }


@pytest.mark.parametrize("line", broken_seals().values(), ids=broken_seals())
def test_a_broken_seal_is_named_with_its_line(tmp_path: Path, line: bytes) -> None:
    path = saved(tmp_path, Retracted())
    path.write_bytes(b"\n".join((*lines_of(path)[:2], line, *lines_of(path)[2:], b"")))
    with pytest.raises(JournalError) as error:
        load(path)
    assert (error.value.key, error.value.facts) == ("journal-broken", {"path": str(path), "line": 3})


@given(st.data())
def test_a_damaged_seal_is_named_or_read_as_something_else_but_never_a_crash(data: st.DataObject) -> None:
    with TemporaryDirectory() as folder:
        path = saved(Path(folder), Recorded((happened.RolesDealt(ROLES),)))
        whole = bytearray(path.read_bytes())
        begin = whole.index(b'{"entry":"Sealed"')
        place = data.draw(st.integers(begin, len(whole) - 2))
        whole[place] = data.draw(st.integers(0, 255).filter(lambda byte: byte not in (10, whole[place])))
        path.write_bytes(whole)
        assert told(path) in ({"path": str(path), "line": 3}, None)


def told(path: Path) -> dict[str, object] | None:
    """Return what is said of a broken game, None if it can be read."""
    try:
        load(path)
    except JournalError as error:
        return error.facts
    return None


def test_a_secret_ballot_goes_on_after_a_power_cut_though_it_was_sealed(tmp_path: Path) -> None:
    plan = Plan("en", "secret_despotar", 5, NAMES, 1)
    evening = Evening(tmp_path, plan)
    for line in ("nominate ben", "secret ballot", "y", "n"):
        evening.reply(line)
    assert evening.journal.count(b'"Sealed"') == 2
    resumed = Evening(tmp_path, EMPTY_PLAN, resume=True)
    assert resumed.session.history == evening.session.history


# --- resumed


def test_a_resumed_game_is_where_it_was(evening: Evening) -> None:
    for line in LIBERAL_GAME[:-1]:
        evening.say(line)
        board = evening.board
        assert Evening(evening.folder, EMPTY_PLAN, resume=True).board == board


def test_after_resuming_the_steps_can_be_taken_back_and_brought_again(evening: Evening) -> None:
    boards = []
    for line in ("nominate ben", "vote passed", "liberal law", "nominate clara"):
        boards.append(evening.board)
        evening.say(line)
    evening.say("undo")
    resumed = Evening(evening.folder, EMPTY_PLAN, resume=True)
    assert resumed.say("redo").startswith(phrase("redone"))
    for board in reversed(boards):
        resumed.say("undo")
        assert resumed.board == board
    assert resumed.say("undo") == phrase("nothing-to-undo")


def test_a_game_goes_on_in_the_same_file(evening: Evening) -> None:
    evening.say("nominate ben")
    before = evening.journal
    resumed = Evening(evening.folder, EMPTY_PLAN, resume=True)
    assert evening.journal == before
    resumed.say("vote passed")
    assert evening.journal.startswith(before)
    assert len(list(evening.folder.iterdir())) == 1


def test_the_saved_language_is_spoken_unless_it_is_gone(evening: Evening) -> None:
    path = file_of(evening)
    path.write_bytes(path.read_bytes().replace(b'"language":"en"', b'"language":"tlh"'))
    assert Evening(evening.folder, EMPTY_PLAN, resume=True).opening.startswith(phrase("resumed"))


# --- damaged files


def test_a_last_line_that_a_power_cut_tore_is_dropped(evening: Evening) -> None:
    evening.say("nominate ben")
    board, journal, path = evening.board, evening.journal, file_of(evening)
    evening.say("vote passed")
    whole = path.read_bytes()
    for length in range(len(journal), len(whole)):
        path.write_bytes(whole[:length])
        resumed = Evening(evening.folder, EMPTY_PLAN, resume=True)
        assert resumed.board == board
        assert path.read_bytes() == journal
    resumed.say("vote passed")
    assert path.read_bytes() == whole


@pytest.mark.parametrize("broken", [b"", b"{", b"null", b'{"entry":"Dance"}', b"\xff", b'{"entry":"Recorded"}'])
def test_a_broken_line_is_named(evening: Evening, broken: bytes) -> None:
    evening.say("nominate ben", "vote passed")
    path = file_of(evening)
    lines = path.read_bytes().split(b"\n")
    path.write_bytes(b"\n".join((*lines[:2], broken, *lines[3:])))
    with pytest.raises(JournalError) as error:
        load(path)
    assert (error.value.key, error.value.facts) == ("journal-broken", {"path": str(path), "line": 3})


@pytest.mark.parametrize(
    "line", ['{"entry":"Reinstated"}', '{"entry":"Recorded","events":[{"event":"VoteCast","seat":1,"approves":true}]}']
)
def test_an_entry_that_does_not_fit_is_named(evening: Evening, line: str) -> None:
    path = file_of(evening)
    with path.open("a") as file:
        file.write(line + "\n")
    with pytest.raises(JournalError) as error:
        history_of(load(path), library())
    assert (error.value.key, error.value.facts) == ("journal-broken", {"path": str(path), "line": 3})


def test_an_older_game_is_never_taken_for_a_broken_newer_one(tmp_path: Path) -> None:
    Evening(tmp_path)
    newer = tmp_path / "2099-01-01_00-00-00_00.jsonl"
    newer.write_bytes(b'{"entry":"Heading","journal":1,"language":"en"}\nbroken\nbroken\n')
    with pytest.raises(JournalError) as error:
        Evening(tmp_path, EMPTY_PLAN, resume=True)
    assert error.value.facts == {"path": str(newer), "line": 2}
    assert Evening(tmp_path, EMPTY_PLAN).opening == phrase("ask-count", least=5, most=10)


@pytest.mark.parametrize("name", ["2099-01-01_00-00-00_00.jsonl", "notes.jsonl", "2099-99-99_00-00-00_00.jsonl"])
@pytest.mark.parametrize("content", [b"", b'{"entry":"Heading","journal":1,"language":"en"}\n', b"my notes"])
def test_files_in_which_no_game_began_are_passed_over(tmp_path: Path, name: str, content: bytes) -> None:
    Evening(tmp_path).say("nominate ben")
    (tmp_path / name).write_bytes(content)
    assert Evening(tmp_path, EMPTY_PLAN, resume=True).opening.startswith(phrase("resumed"))


def test_a_copy_with_another_name_is_passed_over(evening: Evening) -> None:
    (evening.folder / "backup.jsonl").write_bytes(evening.journal)
    evening.say("nominate ben")
    resumed = Evening(evening.folder, EMPTY_PLAN, resume=True)
    assert resumed.say("who is nominated") == phrase("candidate-is", candidate="Ben")


def rewritten(path: Path, **changes: object) -> bytes:
    """Write the first event of a saved game anew, as an older program or another edition would have saved it."""
    heading, first, *rest = path.read_text("utf-8").splitlines()
    entry = json.loads(first)
    entry["events"][0] |= changes
    path.write_text("\n".join((heading, json.dumps(entry), *rest, "")), "utf-8")
    return path.read_bytes()


@pytest.mark.parametrize("changes", [{"version": 99, "rules": None}, {"edition": "gone"}])
def test_a_game_of_another_edition_cannot_go_on_and_says_so(evening: Evening, changes: dict[str, object]) -> None:
    path = file_of(evening)
    changed = rewritten(path, **changes)
    with pytest.raises(JournalError) as error:
        unfinished(Journals(evening.folder), library())
    assert error.value.key == "journal-wrong-edition"
    questions = Evening(evening.folder, EMPTY_PLAN)
    assert questions.opening == phrase("ask-count", least=5, most=10)
    answer = questions.say("resume")
    assert answer == phrase("journal-wrong-edition", **{k: str(v) for k, v in error.value.facts.items()})
    assert path.read_bytes() == changed


def test_a_game_goes_on_by_the_rules_it_began_with_whatever_its_edition_says_now(evening: Evening) -> None:
    evening.say("nominate ben")
    rewritten(file_of(evening), version=99)
    resumed = Evening(evening.folder, EMPTY_PLAN, resume=True)
    assert resumed.opening.startswith(phrase("resumed"))
    assert resumed.say("who is nominated") == phrase("candidate-is", candidate="Ben")


def test_a_game_that_is_over_does_not_wait(evening: Evening) -> None:
    evening.say(*LIBERAL_GAME)
    assert unfinished(Journals(evening.folder), library()) is None
    evening.say("undo")
    assert unfinished(Journals(evening.folder), library()) is not None


def test_an_entry_that_no_disk_takes_leaves_an_empty_game_to_pass_over(tmp_path: Path) -> None:
    journal = Journals(tmp_path).create("en", NOW)
    with full_disk(60), pytest.raises(JournalError):
        journal.append(Heading(journal=1, language="x" * 100))
    assert journal.path.read_bytes().count(b"\n") == 1
    assert unfinished(Journals(tmp_path), library()) is None


# --- the real program


def test_after_a_kill_the_game_goes_on_exactly_where_it_was(tmp_path: Path) -> None:
    child = subprocess.Popen(
        [sys.executable, "-m", "gm_assistant", *GAME],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=environment(tmp_path),
        text=True,
    )
    assert child.stdin is not None
    assert child.stdout is not None
    child.stdout.readline()
    said = []
    for line in ("nominate ben", "vote passed", "fascist law", "nominate clara", "undo", "anna", "read the board"):
        child.stdin.write(f"{line}\n")
        child.stdin.flush()
        said.append(child.stdout.readline())
    child.send_signal(signal.SIGKILL)
    child.wait()
    child.stdin.close()
    child.stdout.close()
    ran = program(tmp_path, *TYPED, "--resume", typed="read the board\nredo\nwho is nominated\nundo\nundo\nwhat now\n")
    assert (ran.status, ran.err) == (0, "")
    assert f"{ran.lines[1]}\n" == said[-1]
    assert ran.lines[3] == f"table: {phrase('candidate-is', candidate='Clara')}"
    assert ran.lines[6].endswith(phrase("now-session", president="Anna", chancellor="Ben", number=3, rest=2))
    assert len(games(tmp_path)) == 1


def test_a_game_that_cannot_be_resumed_is_refused_in_one_sentence(tmp_path: Path) -> None:
    program(tmp_path, *GAME, typed="nominate ben\nvote passed\n")
    (path,) = games(tmp_path)
    lines = path.read_bytes().split(b"\n")
    path.write_bytes(b"\n".join((*lines[:2], b"broken", *lines[3:])))
    ran = program(tmp_path, *TYPED, "--resume")
    assert (ran.status, ran.lines, ran.err) == (2, [phrase("journal-broken", path=str(path), line=3)], "")


def test_a_game_that_names_a_seat_which_is_not_there_is_called_broken(tmp_path: Path) -> None:
    path = tmp_path / "games" / "2026-11-30_20-15-00_00.jsonl"
    path.parent.mkdir()
    lines = [
        b'{"entry":"Heading","journal":1,"language":"en"}',
        b'{"entry":"Recorded","events":[{"event":"GameStarted","edition":"secret_dictator","version":1,'
        b'"players":["A","B","C","D","E"],"first":1}]}',
        b'{"entry":"Recorded","events":[{"event":"PresidencyPassed","president":77,"special":false}]}',
    ]
    path.write_bytes(b"\n".join(lines) + b"\n")
    with pytest.raises(JournalError, match="journal-broken") as broken:
        history_of(load(path), library())
    assert broken.value.facts["line"] == 3


def test_a_game_that_another_program_goes_on_with_takes_no_more_steps_here(tmp_path: Path) -> None:
    first = Evening(tmp_path)
    first.say("nominate ben")
    second = Evening(tmp_path, resume=True)
    second.say("vote passed", "liberal law")
    before = first.board
    assert first.say("vote failed") == phrase("journal-in-use")
    assert first.board == before
    second.say("nominate dora")
    assert Evening(tmp_path, resume=True).board == second.board


def test_a_game_begun_by_mistake_does_not_hide_the_one_that_was_played(tmp_path: Path) -> None:
    played = Evening(tmp_path)
    played.say("nominate ben", "vote passed", "fascist law")
    Evening(tmp_path)
    assert Evening(tmp_path, resume=True).board == played.board


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b'"seat":2,"approves":false', b'"seat":7,"approves":false'),
        (b'"seat":2,"approves":false', b'"seat":6,"approves":false'),
        (b'"Dora","Emil"', b'""'),
    ],
)
def test_a_game_that_somebody_has_changed_is_called_broken_and_hides_no_new_one(
    tmp_path: Path, old: bytes, new: bytes
) -> None:
    evening = Evening(tmp_path / "games", Plan("en", "secret_despotar", 5, NAMES, 1))
    for line in ("nominate ben", "secret ballot", "y", "n"):
        evening.reply(line)
    path = file_of(evening)
    unseal(path)
    whole = path.read_bytes()
    assert old in whole
    path.write_bytes(whole.replace(old, new))
    with pytest.raises(JournalError, match="journal-broken"):
        history_of(load(path), library())
    again = Evening(tmp_path / "games", PLAN)
    assert phrase("prompt-nomination") in again.opening
