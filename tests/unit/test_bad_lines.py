"""Lines that no person should type: each gets one short answer, and the game stays as it was."""

from __future__ import annotations

from pathlib import Path

import pytest
from fakes import EMPTY_PLAN, GAME, Evening, conversation, games, phrase, program

LONGEST_ANSWER = 1_000
"""Characters. The whole board and what must happen now, with ten long names, stays below."""

NONSENSE = {
    "nothing": "",
    "blanks": " \t  ",
    "nonsense": "colourless green ideas sleep furiously",
    "punctuation": "?!... --- ,,, ;;",
    "one sign": "|",
    "control characters": "\x01\x02\x1b[31m\x7f",
    "NUL bytes": "nominate\x00\x00",
    "only NUL bytes": "\x00\x00\x00",
    "emoji": "\U0001f642\U0001f44d\U0001f3fd",
    "right to left": "\u202enominate nobody\u202c",
    "another alphabet": "\u043d\u043e\u043c\u0438\u043d\u0438\u0440\u0443\u044e",
    "combining signs": "a" + "\u0301" * 200,
    "template with a list": "nominate {player}",
    "list alone": "{player}",
    "optional word": "[x]",
    "rule": "<chancellor>",
    "open bracket": "(nominate|propose",
    "closed bracket": "nominate)}]>",
    "format string": "{0} {number:laws} %s %(x)s ${x}",
    "regular expression": "(a+)+$",
    "path": "../../etc/passwd",
    "yaml": "!!python/object:os.system",
    "json": '{"entry": "Retracted"}',
    "shell": "; rm -rf / ; $(reboot)",
    "10,000 characters": "nominate ben " * 770,
    "10,000 of one character": "x" * 10_000,
    "300 characters": "x" * 300,
    "many commas": "," * 250,
    "unknown name": "nominate zoe",
    "unknown seat": "nominate seat twelve",
    "seat zero": "nominate seat zero",
    "two names": "nominate ben and clara",
    "the president": "nominate anna",
    "out of turn: vote": "four yes one no",
    "out of turn: law": "liberal law",
    "out of turn: shot": "shoot ben",
    "out of turn: answer": "yes i am",
    "out of turn: looked": "looked",
    "out of turn: next president": "the next president is ben",
    "out of turn: shuffle": "the piles are shuffled",
    "correction of nothing": "correction nominate ben",
    "correction of nonsense": "correction bla",
    "correction alone": "correction",
    "whispered command": "whisper nominate ben",
    "whisper alone": "whisper",
    "undo of nothing": "undo",
    "redo of nothing": "redo",
    "set-up answer": "seven players",
    "number alone": "5",
}


@pytest.fixture
def evening(tmp_path: Path) -> Evening:
    return Evening(tmp_path)


@pytest.mark.parametrize("line", NONSENSE.values(), ids=NONSENSE)
@pytest.mark.parametrize("typed", [True, False], ids=["typed", "spoken"])
def test_a_line_that_cannot_be_done_changes_nothing(evening: Evening, line: str, typed: bool) -> None:
    board, journal = evening.board, evening.journal
    answer = evening.say(line, typed=typed)
    assert 0 < len(answer) <= LONGEST_ANSWER
    assert answer.isprintable()
    assert answer[-1] in ".?!"
    assert (evening.board, evening.journal) == (board, journal)
    assert evening.say("nominate ben") == f"{phrase('nominated', player='Ben')} {phrase('prompt-election')}"


VOTES = ["five yes one no", "v 99 99", "0 yes 0 no", "nineteen to zero", "v 4 4", "3 yes 3 no", "b 6 yes", "v -1 6"]


@pytest.mark.parametrize("line", VOTES)
def test_votes_that_cannot_be_change_nothing(evening: Evening, line: str) -> None:
    evening.say("nominate ben", "anna says no")
    board, journal = evening.board, evening.journal
    assert 0 < len(evening.say(line)) <= LONGEST_ANSWER
    assert (evening.board, evening.journal) == (board, journal)
    assert evening.say("4 yes 1 no").startswith(phrase("elected-count", yes=4, no=1))


def test_a_result_against_the_votes_so_far_changes_nothing(evening: Evening) -> None:
    evening.say("nominate ben", "anna says no", "ben says no", "clara says no")
    board, journal = evening.board, evening.journal
    assert evening.say("vote passed") == phrase("result-contradicts-votes", yes=0, no=3)
    assert evening.say("everybody says yes") == phrase("result-contradicts-votes", yes=0, no=3)
    assert (evening.board, evening.journal) == (board, journal)


SET_UP_NONSENSE = {
    name: line
    for name, line in NONSENSE.items()
    if not name.startswith(("set-up", "number alone")) and name != "one sign"
}


@pytest.mark.parametrize("line", SET_UP_NONSENSE.values(), ids=SET_UP_NONSENSE)
def test_the_number_of_players_is_asked_until_it_is_one(tmp_path: Path, line: str) -> None:
    evening = Evening(tmp_path, EMPTY_PLAN)
    answer = evening.say(line)
    assert 0 < len(answer) <= LONGEST_ANSWER
    assert evening.session.view is None
    assert evening.journal == b""
    assert evening.say("five players").startswith(phrase("count-is", number=5))


@pytest.mark.parametrize("line", ["four players", "eleven", "0", "99", "A,B", "A,B,C,D,,F", "A,a,B,C,D", "2,A,B,C,D"])
def test_a_wrong_number_of_players_or_wrong_names_are_refused_and_asked_again(tmp_path: Path, line: str) -> None:
    evening = Evening(tmp_path, EMPTY_PLAN)
    assert evening.say(line).endswith(phrase("ask-count", least=5, most=10))
    assert evening.say("Anna,Ben,Clara,Dora,Emil").endswith(phrase("ask-first-oldest"))


@pytest.mark.parametrize(
    "name", ["\x00", "\U0001f642", "...", "x" * 41, "x" * 299, "Anna", "aNNA", "seat three", "\u202e"]
)
def test_a_name_that_cannot_be_is_refused_and_asked_again(tmp_path: Path, name: str) -> None:
    evening = Evening(tmp_path, EMPTY_PLAN)
    evening.say("five players", "Anna")
    answer = evening.say(name)
    assert answer.endswith(phrase("ask-name", number=2))
    assert 0 < len(answer) <= LONGEST_ANSWER
    assert evening.say("Ben").startswith(phrase("name-is", number=2, name="Ben"))


@pytest.mark.parametrize("line", ["zoe", "seat nine", "nobody", "{player}", "", "6", "x" * 10_000, "\x00"])
def test_the_first_president_is_asked_until_it_is_a_player(tmp_path: Path, line: str) -> None:
    evening = Evening(tmp_path, EMPTY_PLAN)
    evening.say("Anna,Ben,Clara,Dora,Emil")
    assert 0 < len(evening.say(line)) <= LONGEST_ANSWER
    assert evening.session.view is None
    assert phrase("first-president", president="Clara") in evening.say("clara")


def test_bytes_that_are_no_text_get_an_answer_like_any_nonsense(tmp_path: Path) -> None:
    evening = Evening(tmp_path, begin=False)
    printed = conversation(evening, b"\xff\xfe\x80\n\xc3\x28\nwho is president\n")
    assert printed[1] == f"table: {phrase('pardon')}"
    assert printed[3] == f"table: {phrase('president-is', president='Anna')}"
    assert len(printed) == 4


def test_a_line_of_five_million_characters_is_one_line(tmp_path: Path) -> None:
    evening = Evening(tmp_path, begin=False)
    printed = conversation(evening, b"x" * 5_000_000 + b"\nwho is president\n" + b"y" * 5_000_000)
    assert len(printed) == 4
    assert printed[1] == printed[3] == f"table: {phrase('too-long')}"
    assert printed[2] == f"table: {phrase('president-is', president='Anna')}"


def test_the_real_program_takes_all_of_it_and_goes_on(tmp_path: Path) -> None:
    lines = [line.encode() for line in NONSENSE.values()]
    lines += [b"\xff\xfe\x80", b"x" * 5_000_000, "nominate b\u00e9n".encode("latin-1")]
    board = b"read the board"
    ran = program(tmp_path, *GAME, typed=b"\n".join((board, *lines, board, b"nominate ben", b"quit")))
    assert (ran.status, ran.err) == (0, "")
    assert len(ran.lines) == len(lines) + 5
    assert all(line.startswith("table: ") and line.isprintable() for line in ran.lines)
    assert max(map(len, ran.lines[1:])) <= LONGEST_ANSWER
    assert ran.lines[1] == ran.lines[-3]
    assert len(games(tmp_path)[0].read_bytes().splitlines()) == 3
