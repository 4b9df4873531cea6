"""The real program as people start it: flags, keyboard, printed lines, exit status."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import wave
from pathlib import Path

import pytest
from fakes import GAME, LIBERAL_GAME, NAMES, OPEN, PLAYERS, TYPED, Ran, environment, games, library, phrase, program

from gm_assistant.cli import main
from gm_assistant.dialogue.messages import Message, Person, Term
from gm_assistant.terminal import KEYS

LONG = "x" * 10_000
EDITIONS = ", ".join(library().editions)


def is_refused_in_one_sentence(ran: Ran, sentence: str) -> bool:
    return (ran.status, ran.lines, ran.err) == (2, [sentence], "")


def begins(names: str) -> str:
    return phrase("started", players=names)


def president(name: str) -> str:
    return phrase("president-is", president=name)


# --- a game


def test_a_whole_game_is_played_by_keyboard(tmp_path: Path) -> None:
    ran = program(tmp_path, *GAME, typed="\n".join((*LIBERAL_GAME, "yes confirm", "quit")) + "\n")
    assert ran.status == 0
    assert ran.err == ""
    assert ran.lines[0].startswith(f"table: {begins('Anna, Ben, Clara, Dora, and Emil')}")
    assert phrase("won-laws", party=Term("liberal"), number=5) in ran.lines[-2]
    assert ran.lines[-1] == f"table: {phrase('bye')}"


def test_each_sentence_gets_one_line(tmp_path: Path) -> None:
    sentences = ["n ben", "whisper who is president", "", "what", "v 9 9", "undo", "help", "++", "repeat", "quit"]
    ran = program(tmp_path, *GAME, typed="\n".join(sentences))
    assert len(ran.lines) == 1 + len(sentences)
    assert all(line.startswith(("table: ", "headset: ")) for line in ran.lines)


def test_everything_is_asked_that_no_flag_says(tmp_path: Path) -> None:
    answers = [
        "english",
        "secret dictator",
        "five players",
        "Anna",
        "skip",
        "Clara",
        "Dora",
        "Emil",
        "seat two",
        "who is president",
    ]
    ran = program(tmp_path, "play", "--input", "keyboard", "--output", "text", typed="\n".join(answers))
    assert ran.status == 0
    assert ran.lines[0] == f"table: {phrase('ask-language')}"
    assert begins("Anna, Player 2, Clara, Dora, and Emil") in ran.lines[-2]
    assert ran.lines[-1] == f"table: {president('Player 2')}"


def test_what_the_headset_hears_is_hidden(tmp_path: Path) -> None:
    ran = program(tmp_path, *GAME, typed="whisper who is president\n")
    assert ran.lines[-1] == f"headset: {phrase('headset-hidden')}"
    assert "Anna" not in ran.lines[-1]


def test_what_the_headset_hears_can_be_shown(tmp_path: Path) -> None:
    ran = program(tmp_path, *GAME, *OPEN, "--show-headset", typed="skip\nwhisper who is president\n")
    assert ran.lines[-1] == f"headset: {president('Anna')}"


def test_empty_input_ends_well(tmp_path: Path) -> None:
    ran = program(tmp_path, *GAME)
    assert (ran.status, ran.err, len(ran.lines)) == (0, "", 1)


def test_a_last_line_without_an_end_counts(tmp_path: Path) -> None:
    assert program(tmp_path, *GAME, typed="who is president").lines[-1] == f"table: {president('Anna')}"


def test_windows_line_ends_are_understood(tmp_path: Path) -> None:
    assert program(tmp_path, *GAME, typed="who is president\r\n").lines[-1] == f"table: {president('Anna')}"


def test_german_is_spoken(tmp_path: Path) -> None:
    if "de" not in library().packs:
        pytest.skip("there is no German")
    flags = ("play", "--language", "de", "--input", "keyboard", "--output", "text")
    ran = program(tmp_path, *flags, *PLAYERS, "--first", "Anna", typed="\n")
    assert ran.status == 0
    assert "Anna, Ben, Clara, Dora und Emil" in ran.lines[0]


@pytest.mark.parametrize("first", ["BEN", "seat two"])
def test_the_first_president_is_given_by_name_or_seat(tmp_path: Path, first: str) -> None:
    ran = program(tmp_path, *TYPED, *PLAYERS, "--first", first, typed="who is president\n")
    assert ran.lines[-1] == f"table: {president('Ben')}"


def test_the_edition_is_given(tmp_path: Path) -> None:
    ran = program(tmp_path, *GAME, "--edition", "service_rat", typed="how many of each role\n")
    assert ran.status == 0
    assert begins("Anna, Ben, Clara, Dora, and Emil") in ran.lines[0]
    assert "rat" in ran.lines[1]


def test_names_may_look_like_anything_with_letters(tmp_path: Path) -> None:
    names = ("yes", "undo", "{player}", "[x] <y>", "Jürgen (Opa)")
    ran = program(tmp_path, *TYPED, "--players", ",".join(names), "--first", "1", typed="who sits where\nn undo\n")
    assert ran.status == 0
    assert all(name in ran.lines[1] for name in names)
    assert phrase("nominated", player=Person("undo")) in ran.lines[2]


def test_signs_that_nobody_can_see_leave_a_name(tmp_path: Path) -> None:
    players = "\ufeffAn\x01na\u200f,B,C,D,E"
    ran = program(tmp_path, *TYPED, "--players", players, "--first", "1", typed="who is president\n")
    assert ran.lines[-1] == f"table: {president('An na')}"


# --- new and resumed games


def test_a_game_is_resumed(tmp_path: Path) -> None:
    program(tmp_path, *GAME, typed="nominate ben\n")
    ran = program(tmp_path, *TYPED, "--resume", typed="vote passed\n")
    assert ran.lines[0].startswith(f"table: {phrase('resumed')}")
    assert ran.lines[1].startswith(f"table: {phrase('elected')}")
    assert len(games(tmp_path)) == 1


def test_a_game_can_be_resumed_by_a_word(tmp_path: Path) -> None:
    program(tmp_path, *GAME, typed="nominate ben\n")
    ran = program(tmp_path, *TYPED, typed="resume\nvote passed\n")
    assert ", ".join(NAMES) in ran.lines[0]
    assert ran.lines[1].startswith(f"table: {phrase('resumed')}")
    assert ran.lines[2].startswith(f"table: {phrase('elected')}")


def test_new_says_nothing_about_the_old_game(tmp_path: Path) -> None:
    program(tmp_path, *GAME, typed="nominate ben\n")
    ran = program(tmp_path, *GAME, "--new")
    assert ran.lines[0].startswith(f"table: {begins('Anna, Ben, Clara, Dora, and Emil')}")
    assert len(games(tmp_path)) == 2


def test_without_a_game_to_resume_a_new_one_is_set_up(tmp_path: Path) -> None:
    ran = program(tmp_path, *TYPED, "--resume")
    assert ran.status == 0
    assert ran.lines[0].startswith(f"table: {phrase('no-game-waiting')}")


def test_a_game_that_is_over_is_not_resumed(tmp_path: Path) -> None:
    program(tmp_path, *GAME, typed="end the game\nyes confirm\n")
    assert program(tmp_path, *TYPED, "--resume").lines[0].startswith(f"table: {phrase('no-game-waiting')}")


# --- wrong flags


_LISTED = ", ".join(NAMES)
_KEYS = ", ".join(KEYS)
_LANGUAGES = ", ".join(library().packs)

WRONG_FLAGS = {
    "no players": (("--players", ""), phrase("wrong-number-of-players", number=1, least=5, most=10)),
    "four players": (("--players", "A,B,C,D"), phrase("wrong-number-of-players", number=4, least=5, most=10)),
    "eleven players": (
        ("--players", "A,B,C,D,E,F,G,H,I,J,K"),
        phrase("wrong-number-of-players", number=11, least=5, most=10),
    ),
    "empty name": (("--players", "A, ,C,D,E"), phrase("empty-name", number=2)),
    "invisible name": (("--players", "A,\x01\u202e,C,D,E"), phrase("empty-name", number=2)),
    "doubled name": (("--players", "Anna,Ben,Clara,Dora,Anna"), phrase("doubled-name", name="Anna")),
    "doubled but for the case": (("--players", "Anna,Ben,Clara,Dora,aNNA"), phrase("doubled-name", name="aNNA")),
    "doubled but for the accents' bytes": (
        ("--players", "A,B,C,\u00c1nna,a\u0301NNA"),
        phrase("doubled-name", name="\u00e1NNA"),
    ),
    "another seat": (("--players", "seat two,B,C,D,E"), phrase("confusing-name", name="seat two", number=1)),
    "another seat's number": (("--players", "2,B,C,D,E"), phrase("confusing-name", name="2", number=1)),
    "another seat's place": (
        ("--players", "A,the first player,C,D,E"),
        phrase("confusing-name", name="the first player", number=2),
    ),
    "long name": (("--players", f"{LONG},B,C,D,E"), phrase("long-name", number=1, most=40)),
    "name of dots": (("--players", "...,B,C,D,E"), phrase("unspeakable-name", number=1)),
    "name without a letter": (("--players", "\U0001f642,B,C,D,E"), phrase("unspeakable-name", number=1)),
    "unknown first": ((*PLAYERS, "--first", "Zoe"), phrase("no-such-player", name="Zoe", names=_LISTED)),
    "first on no seat": ((*PLAYERS, "--first", "6"), phrase("no-such-player", name="6", names=_LISTED)),
    "empty first": ((*PLAYERS, "--first", ""), phrase("no-such-player", name="", names=_LISTED)),
    "long first": ((*PLAYERS, "--first", LONG), phrase("no-such-player", name=LONG[:80], names=_LISTED)),
    "first of two lines": ((*PLAYERS, "--first", "a\nb"), phrase("no-such-player", name="a b", names=_LISTED)),
    "unknown blind": ((*PLAYERS, "--blind", "Ben,Zoe"), phrase("no-such-player", name="Zoe", names=_LISTED)),
    "blind without players": (("--blind", "all"), phrase("blind-needs-players")),
    "first without players": (("--first", "Anna"), phrase("first-needs-players")),
    "unknown edition": (("--edition", "go"), phrase("no-such-edition", name="go", names=EDITIONS)),
    "long edition": (("--edition", LONG), phrase("no-such-edition", name=LONG[:80], names=EDITIONS)),
    "unknown language": (("--language", "xx"), phrase("no-such-language", name="xx", names=_LANGUAGES)),
    "language that is a path": (("--language", "../en"), phrase("no-such-language", name="../en", names=_LANGUAGES)),
    "escape sequence": (("--language", "x\x1b[2J"), phrase("no-such-language", name="x [2J", names=_LANGUAGES)),
    "unknown key": (("--talk-key", "f99"), phrase("no-such-key", name="f99", names=_KEYS)),
    "no key": (("--talk-key", ""), phrase("no-such-key", name="", names=_KEYS)),
    "no settings": (
        ("--settings", "nowhere.yaml"),
        phrase("file-unreadable", file="nowhere.yaml", problem="No such file or directory"),
    ),
    "long settings": (("--settings", LONG), phrase("file-unreadable", file=LONG, problem="File name too long")),
    "no sound file": (("--input", "nowhere.wav"), phrase("wav-missing", path="nowhere.wav")),
    "long sound file": (("--input", LONG), phrase("wav-missing", path=LONG)),
}


@pytest.mark.parametrize(
    ("blind", "seats"), [("all", [1, 2, 3, 4, 5]), ("none", []), ("nobody", []), ("Emil,2", [2, 5])]
)
def test_who_is_blind_and_how_roles_are_dealt_can_be_given_as_flags(
    tmp_path: Path, blind: str, seats: list[int]
) -> None:
    ran = program(tmp_path, *GAME, "--blind", blind, "--deal", "headset", "--show-headset", typed="stop\nquit\n")
    assert ran.status == 0
    assert f"table: {phrase('deal-stopped')}" in ran.lines
    (saved,) = games(tmp_path)
    started = json.loads(saved.read_bytes().splitlines()[1])["events"][0]
    assert started.get("blind", []) == seats


@pytest.mark.parametrize(("flags", "sentence"), WRONG_FLAGS.values(), ids=WRONG_FLAGS)
def test_wrong_flags_are_refused_in_one_sentence(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    flags: tuple[str, ...],
    sentence: str,
) -> None:
    for name, value in environment(tmp_path).items():
        monkeypatch.setenv(name, value)
    assert main((*TYPED, *flags)) == 2
    assert capsys.readouterr() == (f"{sentence}\n", "")
    assert games(tmp_path) == []


def test_a_wrong_flag_ends_the_program_with_two(tmp_path: Path) -> None:
    ran = program(tmp_path, *TYPED, "--players", f"{LONG},B,C,D,E")
    assert is_refused_in_one_sentence(ran, phrase("long-name", number=1, most=40))


def test_bytes_that_are_no_text_are_no_name(tmp_path: Path) -> None:
    ran = program(tmp_path, *TYPED, *PLAYERS, "--first", b"\xff\xfe")
    assert is_refused_in_one_sentence(ran, phrase("no-such-player", name="", names=_LISTED))


def test_an_error_speaks_the_language_that_was_asked_for(tmp_path: Path) -> None:
    if "de" not in library().packs:
        pytest.skip("there is no German")
    ran = program(tmp_path, *TYPED, "--language", "de", "--players", "A,B")
    german = library().phrasebook("de", None)
    facts = {"number": 2, "least": 5, "most": 10}
    assert is_refused_in_one_sentence(ran, german.phrase(Message("wrong-number-of-players", facts)))


@pytest.mark.parametrize(
    "flags", [(), ("dance",), ("play", "--dance"), ("play", "--new", "--resume"), ("rehearse", "--seed", "x")]
)
def test_flags_that_do_not_exist_show_the_usage(tmp_path: Path, flags: tuple[str, ...]) -> None:
    ran = program(tmp_path, *flags)
    assert ran.status == 2
    assert ran.err.startswith("usage: gm-assistant")
    assert "Traceback" not in ran.err


def test_a_sound_file_that_is_none_is_refused(tmp_path: Path) -> None:
    (tmp_path / "english.wav").write_text("not a sound")
    ran = program(tmp_path, "play", "--language", "en", "--output", "text", "--input", "english.wav")
    assert is_refused_in_one_sentence(ran, phrase("wav-broken", path="english.wav"))


# --- output


def test_a_folder_as_output_gets_two_sound_files_of_the_same_length(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "sound"
    flags = ("play", "--language", "en", "--input", "keyboard", "--output", str(folder), *PLAYERS, "--first", "Anna")
    ran = program(tmp_path, *flags, *OPEN, typed="skip\nwhisper who is president\nquit\n")
    assert (ran.status, ran.err) == (0, "")
    lengths = []
    for name in ("table.wav", "headset.wav"):
        with wave.open(str(folder / name)) as sound:
            assert (sound.getnchannels(), sound.getsampwidth()) == (1, 2)
            assert any(sound.readframes(sound.getnframes()))
            lengths.append(sound.getnframes())
    assert lengths[0] == lengths[1]
    assert (folder / "headset.wav").stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("folder", ["file", "file/below", LONG], ids=["file", "below a file", "long"])
def test_a_folder_that_cannot_be_written_is_refused(tmp_path: Path, folder: str) -> None:
    (tmp_path / "file").write_text("in the way")
    ran = program(tmp_path, "play", "--language", "en", "--input", "keyboard", "--output", folder)
    assert is_refused_in_one_sentence(ran, phrase("folder-unusable", path=folder))


def test_games_that_cannot_be_saved_are_refused(tmp_path: Path) -> None:
    folder = tmp_path / "data" / "gm_assistant" / "games"
    folder.parent.mkdir(parents=True)
    folder.write_text("in the way")
    ran = program(tmp_path, *GAME)
    assert is_refused_in_one_sentence(ran, phrase("journal-unwritable", path=str(folder)))


@pytest.mark.parametrize("command", [GAME, ("phrases", "--language", "en")])
def test_an_output_that_is_closed_early_ends_the_program_quietly(tmp_path: Path, command: tuple[str, ...]) -> None:
    child = subprocess.Popen(
        [sys.executable, "-m", "gm_assistant", *command],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(tmp_path),
    )
    assert child.stdout is not None
    assert child.stdout.readline()
    child.stdout.close()
    child.stdout = None
    _, errors = child.communicate(b"who is president\n" * 1000, timeout=120)
    assert (child.returncode, errors) == (0, b"")


@pytest.mark.parametrize("closed", ["<&-", ">&-"])
def test_the_program_lives_without_standard_input_or_output(tmp_path: Path, closed: str) -> None:
    if os.name != "posix":
        pytest.skip("a POSIX shell closes it")
    command = f'exec "$@" {closed}'
    done = subprocess.run(
        ["/bin/sh", "-c", command, "sh", sys.executable, "-m", "gm_assistant", *GAME],
        input=b"",
        capture_output=True,
        env=environment(tmp_path),
        timeout=120,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")


def test_a_terminal_that_knows_only_ascii_still_gets_every_line(tmp_path: Path) -> None:
    ascii_only = environment(tmp_path, PYTHONIOENCODING="ascii")
    players = ("--players", "Zoë,Ben,Clara,Dora,Emil", "--first", "1")
    ran = program(tmp_path, *TYPED, *players, typed="who is president\n", variables=ascii_only)
    assert (ran.status, ran.err) == (0, "")
    assert ran.lines[-1] == f"table: {president('Zo?')}"


def test_phrases_are_plain_lines(tmp_path: Path) -> None:
    ran = program(tmp_path, "phrases", "--language", "en")
    assert (ran.status, ran.err) == (0, "")
    assert "nominate NAME" in ran.lines


def test_what_is_saved_holds_the_names_as_they_were_given(tmp_path: Path) -> None:
    program(tmp_path, *GAME)
    (journal,) = games(tmp_path)
    started = json.loads(journal.read_text().splitlines()[1])["events"][0]
    assert started["players"] == list(NAMES)
