"""A real pseudo-terminal, as a person and a screen reader have it."""

from __future__ import annotations

import errno
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from fakes import GAME, environment, phrase

from gm_assistant.output import OutputLost, show, show_trouble
from gm_assistant.pipe import ThreadedReader
from gm_assistant.terminal import KEYS, LATE, LONGEST_LINE, TALK, PipedKeyboard, WindowsKeyboard
from gm_assistant.terminal.person import PersonalKeyboard
from gm_assistant.terminal.reports import ASK, BEGIN, END

pty = pytest.importorskip("pty")
termios = pytest.importorskip("termios")

PATIENCE = 60.0
"""s for whatever is waited for; only a test that fails needs it."""

KEYBOARD = """
import sys
from gm_assistant.terminal import TerminalKeyboard
keys = TerminalKeyboard(tuple(sys.argv[2:]))
print("ready", flush=True)
if sys.argv[1] == "pressed":
    while not keys.pressed():
        pass
    print("pressed", flush=True)
try:
    ways = {"talk": keys.talk_or_line, "any key": lambda: keys.talk_or_line(wait=False)}
    while (line := ways.get(sys.argv[1], keys.line)()) is not None:
        print(f"<{line}>", flush=True)
    print("end", flush=True)
finally:
    keys.close()
"""
"""Prints what the keyboard gives: lines, or after the key to talk."""

SECRETS = """
import sys
from gm_assistant.terminal import LATE, TerminalKeyboard
keys = TerminalKeyboard(("space",))
print("ready", flush=True)
if sys.argv[1] == "pressed":
    while not keys.pressed():
        pass
    print("pressed", flush=True)
if sys.argv[1] == "shown":
    keys.close()
if sys.argv[1] == "late":
    print(keys.key(0.2) == LATE, flush=True)
try:
    while (key := keys.key(30)) is not None:
        print(f"<{key.encode().hex()}>", flush=True)
        if sys.argv[1] == "line":
            print(f"<{keys.line()}>", flush=True)
    print("end", flush=True)
finally:
    keys.close()
"""
"""Prints secret keys as numbers, so that a letter on the screen was shown by the terminal."""


OWN_TERMINAL = """
import fcntl, os, sys, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
os.execv(sys.argv[1], sys.argv[1:])
"""
"""Becomes another program, to which the terminal sends what Ctrl-C means."""


class Person:
    """Somebody at a terminal in which a program runs."""

    def __init__(self, home: Path, *command: str, output: int | None = None, kind: str = "dumb") -> None:
        self.screen, self._inside = pty.openpty()
        self.before = self.state
        self.seen = ""
        self.child = subprocess.Popen(
            (sys.executable, "-c", OWN_TERMINAL, *command),
            stdin=self._inside,
            stdout=self._inside if output is None else output,
            stderr=self._inside,
            env=environment(home, TERM=kind, INPUTRC="/dev/null"),
            start_new_session=True,
        )

    @property
    def state(self) -> list[Any]:
        """How the terminal is set: echo, whole lines, everything."""
        return termios.tcgetattr(self._inside)  # type: ignore[no-any-return]

    def types(self, keys: str | bytes) -> None:
        os.write(self.screen, keys.encode() if isinstance(keys, str) else keys)

    def waits_for(self, text: str) -> None:
        """Read on until `text` was seen; forget everything up to it."""
        self.sees_until(text)

    def sees_until(self, text: str) -> list[str]:
        """Read on until `text` was seen; return all lines before it."""
        until = time.monotonic() + PATIENCE
        while text not in self.seen:
            assert time.monotonic() < until, f"{text!r} is not in {self.seen!r}"
            if select.select([self.screen], [], [], 0.1)[0]:
                self.seen += os.read(self.screen, 4096).decode(errors="replace")
        before, _, self.seen = self.seen.partition(text)
        return before.split("\r\n")[:-1]

    def sees_now(self) -> str:
        """Return what was seen and not waited for, after a moment as long as a keyboard's between two repeats."""
        if select.select([self.screen], [], [], 0.03)[0]:
            self.seen += os.read(self.screen, 4096).decode(errors="replace")
        return self.seen

    def leaves(self) -> int:
        """Wait for the end of the program; return its exit status."""
        until = time.monotonic() + PATIENCE
        while self.child.poll() is None:
            assert time.monotonic() < until, self.seen
            if select.select([self.screen], [], [], 0.05)[0]:
                self.seen += os.read(self.screen, 4096).decode(errors="replace")
        return self.child.returncode

    def close(self) -> None:
        if self.child.poll() is None:
            self.child.kill()
            self.child.wait()
        os.close(self.screen)
        os.close(self._inside)


@pytest.fixture
def people(tmp_path: Path) -> Iterator[Any]:
    """Return a function that seats a person at the bare keyboard."""
    seated: list[Person] = []

    def seat(*command: str, **more: Any) -> Person:
        seated.append(Person(tmp_path, *command, **more))
        return seated[-1]

    yield seat
    for person in seated:
        person.close()


def at_keyboard(people: Any, how: str, *keys: str) -> Person:
    person: Person = people(sys.executable, "-c", KEYBOARD, how, *keys)
    person.waits_for("ready")
    return person


def with_secrets(people: Any, how: str = "") -> Person:
    person: Person = people(sys.executable, "-c", SECRETS, how)
    person.waits_for("ready\r\n")
    return person


def at_game(people: Any, *flags: str) -> Person:
    person: Person = people(sys.executable, "-m", "gm_assistant", *GAME, *flags)
    person.waits_for(phrase("prompt-nomination"))
    return person


# --- the key to talk


@pytest.mark.parametrize("key", ["\x1b", "\n", "\x1b[A", "\t"])
def test_beside_an_open_microphone_a_key_without_a_meaning_waits_for_nothing(people: Any, key: str) -> None:
    person = at_keyboard(people, "any key", "space")
    person.types(key)
    person.waits_for("<talk>")


@pytest.mark.parametrize("name", [*KEYS, "x", "F5", "Page Down"])
def test_the_key_to_talk_opens_the_microphone(people: Any, name: str) -> None:
    person = at_keyboard(people, "talk", name)
    person.types(KEYS.get(name.lower(), name))
    person.waits_for(f"<{TALK}>")
    person.types("\x04")
    person.waits_for("end")
    assert person.leaves() == 0


def test_a_key_to_talk_that_is_held_talks_and_begins_no_line(people: Any) -> None:
    person = at_keyboard(people, "talk", "space")
    person.types("     ")
    person.waits_for(f"<{TALK}>")
    person.types("undo\n")
    person.waits_for("<undo>")


def test_another_key_begins_a_line_and_is_its_first_letter(people: Any) -> None:
    person = at_keyboard(people, "talk", "space")
    person.types("n")
    person.waits_for("n")
    person.types(" 3\n")
    person.waits_for("<n 3>")
    person.types(" ")
    person.waits_for(f"<{TALK}>")


def test_a_line_that_comes_at_once_is_not_lost(people: Any) -> None:
    person = at_keyboard(people, "talk", "space")
    person.types("nominate ben\nvote passed\n")
    person.waits_for("<nominate ben>")
    person.waits_for("<vote passed>")


def test_letters_of_any_alphabet_come_whole(people: Any) -> None:
    person = at_keyboard(people, "talk", "space")
    person.types("\u00e4\u00f6\u00fc\U0001f642 " * 12 + "\n")
    person.waits_for("<" + "\u00e4\u00f6\u00fc\U0001f642 " * 11)


@pytest.mark.parametrize("keys", ["\x1b[A", "\x1b[3~", "\x1bOP", "\x1b", "\x1b[1;5C", "\x7f", "\t", "\n", "\x01"])
def test_keys_that_mean_nothing_do_nothing(people: Any, keys: str) -> None:
    person = at_keyboard(people, "talk", "space")
    person.types(keys)
    person.types(" ")
    person.waits_for(f"<{TALK}>")


HOLD = """
import sys, time
from gm_assistant.terminal import TerminalKeyboard
keys = TerminalKeyboard((sys.argv[1],))
print("ready", flush=True)
try:
    while keys.talk_or_line() is not None:
        print("talk", flush=True)
        while not (keys.interrupted() or keys.held()):
            time.sleep(0.01)
        print("interrupted" if keys.interrupted() else "held", flush=True)
        while not (keys.interrupted() or keys.finished()):
            time.sleep(0.01)
        print("interrupted" if keys.interrupted() else "finished", flush=True)
    print("end", flush=True)
finally:
    keys.close()
"""
"""Prints what becomes of the key to talk while somebody listens."""


def test_repeats_of_a_held_key_neither_interrupt_nor_press_it_again(people: Any) -> None:
    person: Person = people(sys.executable, "-c", HOLD, "space")
    person.waits_for("ready")
    person.types(" ")
    person.waits_for("talk\r\n")
    while "held" not in person.sees_now():
        person.types(" ")
    for _ in range(40):
        person.types(" ")
        person.sees_now()
    assert person.sees_until("finished") == ["held"]
    person.types("\x04")
    assert person.sees_until("end") == [""]


def test_another_key_interrupts_and_is_kept(people: Any) -> None:
    person: Person = people(sys.executable, "-c", HOLD, "space")
    person.waits_for("ready")
    person.types(" ")
    person.waits_for("talk\r\n")
    person.types("\x04")
    assert person.sees_until("end") == ["interrupted", "interrupted"]


def test_a_terminal_that_knows_how_tells_when_a_foot_switch_is_let_go(people: Any) -> None:
    person: Person = people(sys.executable, "-c", HOLD, "f5", kind="xterm-kitty")
    person.waits_for(ASK)
    person.types("\x1b[?0u\x1b[?62c")
    person.waits_for(BEGIN)
    person.waits_for("ready")
    person.types("\x1b[15~")
    person.waits_for("talk\r\n")
    person.waits_for("held\r\n")
    person.types("\x1b[15;1:2~" * 3 + "\x1b[15;1:3~")
    person.waits_for("finished\r\n")
    person.types("\x04")
    person.waits_for("end")
    person.waits_for(END)
    assert person.leaves() == 0
    assert person.state == person.before


def test_a_terminal_that_knows_nothing_of_it_is_told_nothing_more_and_loses_no_key(people: Any) -> None:
    person: Person = people(sys.executable, "-c", KEYBOARD, "talk", "f5", kind="xterm")
    person.waits_for(ASK)
    person.types("n\x1b[?62c 3")
    person.waits_for("ready")
    person.types("\n")
    person.waits_for("<n 3>")
    person.types("\x04")
    assert END not in "".join(person.sees_until("end"))


def test_lines_are_edited_without_the_protocol(people: Any) -> None:
    person: Person = people(sys.executable, "-c", KEYBOARD, "talk", "f5", kind="xterm-kitty")
    person.waits_for(ASK)
    person.types("\x1b[?0u\x1b[?62c")
    person.waits_for(BEGIN)
    person.types("u")
    person.waits_for(END)
    person.types("ndo\n")
    person.waits_for(BEGIN)
    person.waits_for("<undo>")


# --- lines


def test_a_typed_line_can_be_edited(people: Any) -> None:
    person = at_keyboard(people, "line", "space")
    person.types("nominate bem\x7fn\n")
    person.waits_for("<nominate ben>")


def test_the_cursor_can_go_back_in_a_line(people: Any) -> None:
    pytest.importorskip("readline")
    person = at_keyboard(people, "line", "space")
    person.types("ominate ben\x01n\n")
    person.waits_for("<nominate ben>")


def test_a_key_that_stopped_speech_is_the_first_letter(people: Any) -> None:
    person = at_keyboard(people, "pressed", "space")
    person.types("u")
    person.waits_for("pressed")
    person.types("ndo\n")
    person.waits_for("<undo>")


@pytest.mark.parametrize("key", [" ", "\x1b", "\x1b[5~", "\n"])
def test_a_key_that_stopped_speech_and_is_no_letter_is_forgotten(people: Any, key: str) -> None:
    person = at_keyboard(people, "pressed", "space")
    person.types(key)
    person.waits_for("pressed")
    person.types("undo\n")
    person.waits_for("<undo>")


@pytest.mark.parametrize("how", ["line", "talk", "pressed"])
def test_the_end_of_input_is_ctrl_d(people: Any, how: str) -> None:
    person = at_keyboard(people, how, "space")
    person.types("\x04")
    person.waits_for("end")
    assert person.leaves() == 0
    assert person.state == person.before


def test_bytes_that_are_no_text_do_not_end_the_input(people: Any) -> None:
    person = at_keyboard(people, "line", "space")
    person.types("nominate b\u00e9n\n".encode("latin-1"))
    person.waits_for("<nominate b")
    person.types("undo\n")
    person.waits_for("<undo>")


def test_the_first_letter_is_kept_when_the_output_goes_elsewhere(people: Any) -> None:
    reading, writing = os.pipe()
    person: Person = people(sys.executable, "-c", KEYBOARD, "pressed", "space", output=writing)
    os.close(writing)
    with os.fdopen(reading) as output:
        assert output.readline() == "ready\n"
        person.types("u")
        assert output.readline() == "pressed\n"
        person.waits_for("u")
        person.types("ndo\n")
        assert output.readline() == "<undo>\n"


def test_lines_are_read_without_a_standard_output(people: Any) -> None:
    blind = "import sys\nsys.stdout, print = None, lambda text, **_: sys.stderr.write(text)\n"
    person: Person = people(sys.executable, "-c", blind + KEYBOARD, "line", "space")
    person.waits_for("ready")
    person.types("undo\n")
    person.waits_for("<undo>")


# --- secret keys


@pytest.mark.parametrize("how", ["", "pressed", "shown"])
def test_secret_keys_come_one_by_one_and_are_not_shown(people: Any, how: str) -> None:
    person = with_secrets(people, how)
    if how == "pressed":
        person.types("f")
        person.waits_for("pressed\r\n")
        person.types("\u00e4\n\x1b[5~ \x04")
    else:
        person.types("f\u00e4\n\x1b[5~ \x04")
    assert person.sees_until("end") == ["<66>", "<c3a4>", "<0a>", "<1b5b357e>", "<20>"]
    assert person.leaves() == 0
    assert person.state == person.before


def test_a_key_that_is_cut_by_the_end_of_a_read_comes_whole(people: Any) -> None:
    person = with_secrets(people)
    person.types("x" * 30 + "\x1b[5~" + "x" * 27 + "\U0001f642\x04")
    assert person.sees_until("end") == ["<78>"] * 30 + ["<1b5b357e>"] + ["<78>"] * 27 + ["<f09f9982>"]


def test_who_presses_no_key_in_time_is_late_and_can_press_it_later(people: Any) -> None:
    person = with_secrets(people, "late")
    person.waits_for("True\r\n")
    person.types("f\x04")
    assert person.sees_until("end") == ["<66>"]


def test_half_a_letter_that_came_in_time_is_not_lost(people: Any) -> None:
    person = with_secrets(people, "late")
    person.types(b"\xc3")
    person.waits_for("True\r\n")
    person.types(b"\xa4\x04")
    assert person.sees_until("end") == ["<c3a4>"]


def test_what_follows_a_secret_key_is_an_ordinary_line(people: Any) -> None:
    person = with_secrets(people, "line")
    person.types("fundo\n")
    assert person.sees_until("<undo>")[0] == "<66>"


class TypedAhead(PersonalKeyboard):
    """A person who presses a key each time that one is waited for, and then none; time does not pass."""

    def __init__(self, *keys: str) -> None:
        super().__init__(("space",))
        self.keys = list(keys)
        self.waits: list[float | None] = []

    def _sent(self, seconds: float | None) -> str:
        if self.keys:
            self.waits.append(seconds)
            return self.keys.pop(0)
        return ""

    def line(self) -> str | None:
        return "a line"

    def close(self) -> None: ...


def test_every_key_begins_the_time_anew_also_one_that_means_nothing() -> None:
    keys = TypedAhead(KEYS["up"], "\n", KEYS["f5"], "n")
    assert keys.talk_or_line(seconds=8.0) == "a line"
    assert keys.waits == pytest.approx([8.0] * 4, abs=0.5)


def test_who_presses_nothing_that_counts_is_late() -> None:
    assert TypedAhead(KEYS["up"]).talk_or_line(seconds=0.1) == LATE


# --- the real program


def test_a_game_is_played_at_a_terminal(people: Any) -> None:
    person = at_game(people)
    person.types("n ben\n")
    person.waits_for(phrase("prompt-election"))
    person.types("quit\n")
    person.waits_for(phrase("bye"))
    assert person.leaves() == 0
    assert person.state == person.before


def test_ctrl_d_leaves_and_gives_the_terminal_back(people: Any) -> None:
    person = at_game(people)
    person.types("\x04")
    assert person.leaves() == 0
    assert person.state == person.before


def test_ctrl_c_leaves_quietly_and_gives_the_terminal_back(people: Any) -> None:
    person = at_game(people)
    person.types("\x03")
    assert person.leaves() == 130
    assert "Traceback" not in person.seen
    assert person.state == person.before


def test_a_kind_kill_leaves_quietly_and_gives_the_terminal_back(people: Any) -> None:
    person = at_game(people)
    person.child.send_signal(signal.SIGTERM)
    assert person.leaves() == 143
    assert "Traceback" not in person.seen
    assert person.state == person.before


def test_a_wrong_flag_leaves_the_terminal_as_it_was(people: Any) -> None:
    person: Person = people(sys.executable, "-m", "gm_assistant", *GAME, "--language", "xx")
    assert person.leaves() == 2
    assert person.state == person.before


def test_no_screen_is_drawn(people: Any) -> None:
    """A screen reader reads what is appended; it stumbles over anything else."""
    person = at_game(people)
    person.types("n ben\n")
    person.types("\x04")
    assert person.leaves() == 0
    assert "\x1b[2J" not in person.seen
    assert "\x1b[H" not in person.seen


# --- pipes


def test_a_pipe_gives_its_lines_without_their_ends() -> None:
    keys = PipedKeyboard(BytesIO(b"one\ntwo\r\n\nlast"))
    assert [keys.line() for _ in range(5)] == ["one", "two", "", "last", None]
    assert keys.line() is None


def test_an_empty_line_of_a_pipe_is_the_key_to_talk() -> None:
    keys = PipedKeyboard(BytesIO(b"\none\n"))
    assert [keys.talk_or_line() for _ in range(3)] == [TALK, "one", None]


def test_the_rest_of_a_long_line_is_thrown_away() -> None:
    keys = PipedKeyboard(BytesIO(b"x" * (3 * LONGEST_LINE) + b"\nnext\n"))
    assert keys.line() == "x" * LONGEST_LINE
    assert keys.line() == "next"


def test_a_line_exactly_as_long_as_allowed_is_one_line() -> None:
    keys = PipedKeyboard(BytesIO(b"x" * (LONGEST_LINE - 1) + b"\nnext\n"))
    assert [len(keys.line() or ""), keys.line()] == [LONGEST_LINE - 1, "next"]


@pytest.fixture(params=["waited for by the system", "waited for by a thread"])
def pipe(request: pytest.FixtureRequest) -> Iterator[tuple[PipedKeyboard, int]]:
    """A keyboard at a pipe, and where to write into the pipe."""
    reading, writing = os.pipe()
    with os.fdopen(reading, "rb") as source:
        keys = PipedKeyboard(source)
        if request.param == "waited for by a thread":
            keys._read = ThreadedReader(reading)
        with os.fdopen(writing, "wb"):
            yield keys, writing
        while keys._read(PATIENCE):
            pass  # no thread may still read when the number of the pipe is given to another file


def test_an_open_pipe_is_late_and_loses_nothing(pipe: tuple[PipedKeyboard, int]) -> None:
    keys, writing = pipe
    assert [keys.key(0.1), keys.key(0)] == [LATE, LATE]
    os.write(writing, b" one \ntwo\nthree\n\n")
    assert [keys.key(PATIENCE), keys.line(), keys.key(), keys.talk_or_line()] == ["one", "two", "three", TALK]
    assert keys.key(0.1) == LATE


def test_half_a_line_in_a_pipe_is_kept_for_its_other_half(pipe: tuple[PipedKeyboard, int]) -> None:
    keys, writing = pipe
    os.write(writing, b"on")
    assert keys.key(0.2) == LATE
    os.write(writing, b"e\ntwo")
    assert [keys.line(), keys.key(0.1)] == ["one", LATE]


def test_a_long_line_in_a_pipe_can_be_late_too(pipe: tuple[PipedKeyboard, int]) -> None:
    keys, writing = pipe
    os.write(writing, b"x" * 2 * LONGEST_LINE)
    assert keys.key(0.2) == LATE
    os.write(writing, b"x\nnext\n")
    assert [keys.line(), keys.line()] == ["x" * LONGEST_LINE, "next"]


def test_a_line_without_an_end_is_late() -> None:
    with Path("/dev/zero").open("rb") as endless:
        assert PipedKeyboard(endless).key(0.1) == LATE


@pytest.mark.parametrize("threaded", [False, True])
def test_a_file_has_no_need_to_wait(tmp_path: Path, threaded: bool) -> None:
    (tmp_path / "lines").write_bytes(b"one\r\n\n late\nlast")
    with (tmp_path / "lines").open("rb") as source:
        keys = PipedKeyboard(source)
        if threaded:
            keys._read = ThreadedReader(source.fileno())
        assert [keys.key(PATIENCE) for _ in range(6)] == ["one", "", "late", "last", None, None]


def test_lines_in_memory_are_there_at_once() -> None:
    keys = PipedKeyboard(BytesIO(b" late\n\nlast"))
    assert [keys.key(0) for _ in range(4)] == ["late", "", "last", None]
    assert LATE != "late"


def test_the_program_s_own_input_wakes_up_in_time(tmp_path: Path) -> None:
    waiting = (
        "from gm_assistant.terminal import *; k = keyboard(()); print(k.key(.1) == LATE, flush=True); print(k.line())"
    )
    child = subprocess.Popen(
        (sys.executable, "-c", waiting), stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment(tmp_path)
    )
    with child:
        assert child.stdout is not None
        assert child.stdin is not None
        assert child.stdout.readline() == b"True\n"
        child.stdin.write(b"one\n")
        child.stdin.flush()
        assert child.stdout.readline() == b"one\n"


def test_a_pipe_never_stops_speech() -> None:
    assert not PipedKeyboard(BytesIO(b"one\n")).pressed()


@pytest.mark.parametrize("line", ["two\nlines", "two\u2028lines", "two\x1blines", "two\rlines", "two\u0085lines"])
def test_what_is_printed_is_one_plain_line(capsys: pytest.CaptureFixture[str], line: str) -> None:
    show(line)
    assert capsys.readouterr().out == "two lines\n"


def test_half_a_character_is_printed_as_something(capsys: pytest.CaptureFixture[str]) -> None:
    show("a\udcffb")
    assert capsys.readouterr().out in ("a?b\n", "a b\n")


# --- Windows


class Console:
    """Stands for `msvcrt`: keys that were pressed, half keys included."""

    def __init__(self, keys: str) -> None:
        self.keys = list(keys)

    def kbhit(self) -> bool:
        return bool(self.keys)

    def getwch(self) -> str:
        return self.keys.pop(0)


class DownKeys:
    """Stands for `ctypes.windll`: the keys that are down, by Windows' numbers."""

    def __init__(self, *down: int) -> None:
        self.down = set(down)

    @property
    def user32(self) -> DownKeys:
        return self

    def GetAsyncKeyState(self, number: int) -> int:  # noqa: N802 - Windows' own name
        return -0x8000 if number in self.down else 0


def on_windows(
    monkeypatch: pytest.MonkeyPatch, keys: str, down: DownKeys | None = None, talk_key: str = "space"
) -> WindowsKeyboard:
    monkeypatch.setitem(sys.modules, "msvcrt", Console(keys))
    monkeypatch.setattr("ctypes.windll", down or DownKeys(), raising=False)
    return WindowsKeyboard((talk_key,))


def test_secret_keys_of_windows_come_one_by_one_and_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    keys = on_windows(monkeypatch, "f\r\xe0H\x00; \x1a\x04")
    assert keys.pressed()
    wanted = ["f", "\n", KEYS["up"], KEYS["f1"], " ", None, None]
    assert [keys.key() for _ in wanted] == wanted


def test_a_letter_of_windows_that_looks_like_half_a_key_is_a_letter(monkeypatch: pytest.MonkeyPatch) -> None:
    keys = on_windows(monkeypatch, "\xe0")
    assert [keys.key(0), keys.key(0)] == ["\xe0", LATE]


@pytest.mark.parametrize(
    ("name", "sent"), [("space", " "), ("f5", "\x00?"), ("page down", "\xe0Q"), ("f12", "\xe0\x86"), ("x", "x")]
)
def test_every_key_can_talk_on_windows(monkeypatch: pytest.MonkeyPatch, name: str, sent: str) -> None:
    assert on_windows(monkeypatch, sent, talk_key=name).talk_or_line() == TALK


def test_windows_tells_while_a_key_is_down_and_when_it_is_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    down = DownKeys(0x74)
    keys = on_windows(monkeypatch, "\x00?" * 30, down, "f5")
    assert keys.talk_or_line() == TALK
    while not keys.held():
        assert not keys.interrupted()
        assert not keys.finished()
    down.down.clear()
    while not keys.finished():
        assert not keys.interrupted()
    assert not keys.held()


def test_windows_without_a_key_is_late(monkeypatch: pytest.MonkeyPatch) -> None:
    keys = on_windows(monkeypatch, "")
    assert [keys.key(0), keys.key(0.1)] == [LATE, LATE]


# --- an output that takes nothing

FULL = Path("/dev/full")


@pytest.mark.skipif(not FULL.exists(), reason="no device is always full here")
def test_a_full_disk_is_told_once_and_then_nothing_is_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    with suppress(OSError), FULL.open("w") as full:
        monkeypatch.setattr(sys, "stdout", full)
        with pytest.raises(OutputLost) as lost:
            show("one")
        assert lost.value.problem == os.strerror(errno.ENOSPC)
        show("two")


def test_a_reader_that_has_gone_is_no_problem(monkeypatch: pytest.MonkeyPatch) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    with suppress(OSError), os.fdopen(writing, "w") as pipe_to_nobody:
        monkeypatch.setattr(sys, "stdout", pipe_to_nobody)
        with pytest.raises(OutputLost) as lost:
            show("one")
        assert lost.value.problem == ""


@pytest.mark.skipif(not FULL.exists(), reason="no device is always full here")
@pytest.mark.parametrize(("errors", "printed"), [(subprocess.PIPE, b"trouble\n"), (FULL, None)])
def test_after_a_full_disk_a_program_ends_with_one_plain_line(tmp_path: Path, errors: Any, printed: bytes) -> None:
    program = """
import sys
from gm_assistant.output import OutputLost, show, show_trouble
try:
    show("one")
except OutputLost:
    show_trouble("trouble")
    sys.exit(1)
"""
    with FULL.open("wb") as full:
        done = subprocess.run(
            (sys.executable, "-c", program),
            stdout=full,
            stderr=full if errors is FULL else errors,
            env=environment(tmp_path),
            check=False,
        )
    assert (done.returncode, done.stderr) == (1, printed)


def test_trouble_is_one_plain_line_of_standard_error(capsys: pytest.CaptureFixture[str]) -> None:
    show_trouble("two\nlines")
    assert capsys.readouterr() == ("", "two lines\n")
