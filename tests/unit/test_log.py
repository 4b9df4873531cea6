"""The log file for bug reports: what stands in it, what never does, and that it never gets in the way."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
from collections.abc import Iterator
from functools import partial, reduce
from pathlib import Path

import msgspec
import pytest
from fakes import NAMES, Evening, environment
from workers import Calculator

from gm_assistant.dialogue.set_up import Plan
from gm_assistant.errors import AudioError, GmError, JournalError, RuleViolation
from gm_assistant.log import DEEPEST_TRACEBACK, LARGEST_LOG, LONGEST_ENTRY, OLD_LOGS, log_crash, log_error, open_log
from gm_assistant.rules.apply import apply
from gm_assistant.rules.events import ChancellorNominated, RolesDealt, SecretBallotOpened, SecretVoteCast
from gm_assistant.rules.model import Role
from gm_assistant.rules.position import position
from gm_assistant.speech.worker import Worker, WorkerLost

POSITION = "secret_dictator/1 round 3"
SECRET = "dora-is-the-dictator"


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A user without a log, who gets the package's logger back as it was."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    logger = logging.getLogger("gm_assistant")
    before = logger.handlers[:], logger.level, logger.propagate
    logger.handlers = []
    yield tmp_path
    for handler in logger.handlers:
        handler.close()
    logger.handlers, logger.level, logger.propagate = before


def raised(error: BaseException, cause: BaseException | None = None) -> BaseException:
    """Return an error that was really raised."""
    with pytest.raises(type(error)) as caught:
        raise_knowing(SECRET, error, cause)
    return caught.value


def raise_knowing(secret: str, error: BaseException, cause: BaseException | None) -> None:
    """Raise an error where a variable holds a secret."""
    try:
        if cause is not None:
            raise cause
    finally:
        assert secret
        raise error


def written(path: Path) -> list[str]:
    """Return the lines after the first, which names versions."""
    return path.read_text(encoding="utf-8").splitlines()[1:]


# --- what is written


def test_the_log_begins_with_the_versions(home: Path) -> None:
    path = open_log()
    assert home in path.parents
    assert f"Python {'.'.join(map(str, sys.version_info[:3]))}, {sys.platform}" in path.read_text(encoding="utf-8")


def test_an_error_is_one_line_with_its_key_and_its_facts() -> None:
    path = open_log()
    log_error(GmError("player-is-dead", player=3))
    (line,) = written(path)
    assert line.endswith(" INFO player-is-dead(player=3)")


def test_a_refused_command_is_logged_with_its_position() -> None:
    path = open_log()
    refused = RuleViolation("out-of-turn", wanted="vote")
    refused.where = lambda: POSITION
    log_error(refused)
    assert written(path)[0].endswith(f"out-of-turn(wanted='vote') at {POSITION}")


def test_no_fact_can_begin_a_line_of_its_own() -> None:
    path = open_log()
    refused = RuleViolation("no-such-player", name="a\nb\u2028c\x1b[2J")
    refused.where = lambda: "one\ntwo"
    log_error(refused)
    assert len(written(path)) == 1
    assert "\x1b" not in written(path)[0]


def test_a_fact_that_is_endless_is_cut() -> None:
    path = open_log()
    log_error(GmError("wav-missing", path="x" * 10 * LONGEST_ENTRY))
    assert len(written(path)[0]) < LONGEST_ENTRY + 100


def test_signs_that_are_no_text_are_written_all_the_same() -> None:
    path = open_log()
    log_error(GmError("wav-missing", path="Zo\u00eb \udcff"))
    assert "Zo\u00eb" in written(path)[0]


def test_a_crash_is_logged_with_the_way_to_it_and_the_position() -> None:
    path = open_log()
    assert log_crash(raised(ZeroDivisionError()), POSITION) == path
    lines = written(path)
    assert lines[0].endswith(f" ERROR {POSITION}")
    assert "test_log.py" in lines[1]
    assert any("in raise_knowing" in line for line in lines)
    assert lines[-1] == "builtins.ZeroDivisionError"


def test_a_crash_before_the_log_was_opened_is_logged() -> None:
    path = log_crash(raised(ZeroDivisionError()), "")
    assert path is not None
    assert "ZeroDivisionError" in path.read_text(encoding="utf-8")


def test_what_led_to_a_crash_stands_before_it() -> None:
    path = open_log()
    log_crash(raised(KeyError("x"), OSError(28, "No space left on device", "games")), POSITION)
    kinds = [line for line in written(path) if line.startswith("builtins.")]
    assert kinds == ["builtins.OSError: [Errno 28] No space left on device: 'games'", "builtins.KeyError"]


def test_errors_that_led_to_each_other_are_written_once() -> None:
    path = open_log()
    first, second = KeyError(), IndexError()
    first.__context__, second.__context__ = second, first
    log_crash(first, POSITION)
    assert [line for line in written(path) if line.startswith("builtins.")] == [
        "builtins.IndexError",
        "builtins.KeyError",
    ]


def test_of_a_deep_crash_the_innermost_calls_are_written() -> None:
    def deeper(count: int) -> int:
        return 1 // count if not count else deeper(count - 1) + (count % 2)

    path = open_log()
    try:
        deeper(500)
    except ZeroDivisionError as error:
        log_crash(error, POSITION)
    assert len(written(path)) < 4 * DEEPEST_TRACEBACK


# --- what is never written


class Roles(msgspec.Struct):
    roles: dict[str, int]


def quoting_errors() -> list[BaseException]:
    """Return errors of other people's code that repeat what they were given."""
    found: list[BaseException] = [AssertionError(f"unreachable, but got: {SECRET}"), TypeError(SECRET)]
    for quote in (
        lambda: int(SECRET),
        lambda: {}[SECRET],
        lambda: [].remove(SECRET),
        lambda: msgspec.json.decode(b'{"roles": "%b"}' % SECRET.encode(), type=Roles),
        (SECRET.encode() + b"\xff").decode,
        f"\udcff{SECRET}".encode,
    ):
        with pytest.raises((LookupError, ValueError, msgspec.MsgspecError)) as quoting:
            quote()
        found.append(quoting.value)
    return found


@pytest.mark.parametrize("error", quoting_errors(), ids=lambda error: type(error).__name__)
def test_no_secret_gets_into_the_log(error: BaseException) -> None:
    path = open_log()
    error.add_note(SECRET)
    log_crash(raised(error), POSITION)
    log_crash(raised(JournalError("journal-broken", path="games", line=3), error), POSITION)
    assert "journal-broken(path='games', line=3)" in path.read_text(encoding="utf-8")
    assert SECRET not in path.read_text(encoding="utf-8")


def test_what_was_to_be_spoken_when_an_engine_failed_does_not_get_into_the_log() -> None:
    path = open_log()
    worker = Worker(partial(Calculator, 0), deadline=30)
    with pytest.raises(WorkerLost) as lost:
        worker.call("quote", SECRET)
    worker.close()
    log_crash(lost.value, POSITION)
    log_crash(raised(AudioError("voice-failed", language="en"), lost.value), POSITION)
    assert "voice-failed(language='en')" in path.read_text(encoding="utf-8")
    assert SECRET not in path.read_text(encoding="utf-8")


def test_the_position_in_the_log_is_the_same_whatever_the_secrets_are(tmp_path: Path) -> None:
    path = open_log()
    history = Evening(tmp_path / "games", Plan("en", "secret_despotar", 5, NAMES, 1)).session.history
    assert history is not None
    roles = (Role.DICTATOR, Role.FASCIST, *[Role.LIBERAL] * 3)
    for dealt, approves in ((roles, True), (roles[::-1], False)):
        events = (RolesDealt(dealt), ChancellorNominated(1, 2), SecretBallotOpened(), SecretVoteCast(1, approves))
        log_crash(raised(ZeroDivisionError()), position(reduce(apply, events, history.state)))
    one, other = (line.partition(" ERROR ")[2] for line in written(path) if " ERROR " in line)
    assert one == other
    assert "phase=SecretElection" in one
    assert " roles=" not in one


# --- it never gets in the way


@pytest.mark.skipif(os.name != "posix", reason="only POSIX has these modes")
def test_only_its_owner_may_read_the_log() -> None:
    path = open_log()
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.parent.stat().st_mode & 0o777 == 0o700


@pytest.mark.skipif(os.name != "posix", reason="only POSIX has these modes")
def test_logs_that_others_could_read_are_closed_to_them() -> None:
    path = open_log()
    old = path.with_name(f"{path.name}.1")
    old.touch()
    for file, mode in ((path, 0o644), (old, 0o644), (path.parent, 0o755)):
        file.chmod(mode)
    open_log()
    assert [file.stat().st_mode & 0o777 for file in (path, old, path.parent)] == [0o600, 0o600, 0o700]


def test_opened_twice_every_line_is_written_once() -> None:
    open_log()
    path = open_log()
    log_error(GmError("bye"))
    assert len([line for line in written(path) if line.endswith("bye()")]) == 1


def test_old_logs_make_room() -> None:
    path = open_log()
    for _ in range(4 * LARGEST_LOG // LONGEST_ENTRY):
        log_error(GmError("x" * LONGEST_ENTRY))
    logs = sorted(path.parent.iterdir())
    assert len(logs) == 1 + OLD_LOGS
    assert all(log.stat().st_size <= LARGEST_LOG for log in logs)
    assert {log.stat().st_mode & 0o077 for log in logs} == {0} or os.name != "posix"


@pytest.mark.parametrize("in_the_way", ["file", "folder"])
def test_without_a_place_for_the_log_nothing_is_logged_or_printed(
    home: Path, capfd: pytest.CaptureFixture[str], in_the_way: str
) -> None:
    path = open_log()
    path.unlink()
    if in_the_way == "folder":
        path.mkdir()
    else:
        path.parent.rmdir()
        path.parent.write_text("in the way")
    assert open_log() == path
    log_error(GmError("bye"))
    assert log_crash(raised(ZeroDivisionError()), POSITION) is None
    assert capfd.readouterr() == ("", "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device is always full here")
def test_a_full_disk_stays_unnoticed_until_the_end_of_the_program(home: Path) -> None:
    logging_on_a_full_disk = """
from pathlib import Path
from gm_assistant.errors import GmError
from gm_assistant.log import log_crash, log_error, open_log
path = open_log()
path.unlink()
path.symlink_to("/dev/full")
open_log()
for _ in range(100):
    log_error(GmError("x" * 1000))
print(log_crash(ZeroDivisionError(), ""))
"""
    done = subprocess.run(
        (sys.executable, "-X", "dev", "-c", logging_on_a_full_disk),
        capture_output=True,
        env=environment(home),
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, b"None\n", b"")


def test_the_next_crash_after_a_full_disk_is_logged(home: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = open_log()
    (handler,) = logging.getLogger("gm_assistant").handlers
    handler.handleError(logging.makeLogRecord({}))
    assert log_crash(raised(ZeroDivisionError()), POSITION) == path
    assert capfd.readouterr() == ("", "")


def test_nothing_is_printed(capfd: pytest.CaptureFixture[str]) -> None:
    log_error(GmError("bye"))
    open_log()
    log_error(GmError("bye"))
    log_crash(raised(ZeroDivisionError()), POSITION)
    assert capfd.readouterr() == ("", "")
