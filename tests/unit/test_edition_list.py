"""`gm-assistant editions`: the list, the check of a file, the rules to read, the schema; and editions in a game."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
from fakes import NAMES, ROOT, TYPED, environment, games, library, phrase, program

from gm_assistant.cli import main
from gm_assistant.dialogue.refusals import trouble
from gm_assistant.edition_list import check_lines
from gm_assistant.edition_schema import edition_schema
from gm_assistant.library import DEFAULT_EDITION, faults_of

HOUSE = "id: house\nversion: 1\nextends: secret_dictator\nnames: {en: {edition: {name: House Rules}}}\n"
BROKEN = HOUSE + "drawn: three\ncolour: red\n"
SHIPPED = sorted(path.stem for path in (ROOT / "configs").glob("*.yaml"))
WITHOUT_EDITION = ("play", "--language", "en", "--input", "keyboard", "--output", "text")
FLAGS = ("--players", ",".join(NAMES), "--first", "Anna")


@dataclass
class Home:
    """A user's own computer."""

    folder: Path
    run: Callable[[Sequence[str]], tuple[int, list[str]]]

    @property
    def editions(self) -> Path:
        """The folder of the user's editions."""
        return self.folder / "config" / "gm_assistant" / "editions"

    def write(self, text: str, name: str = "house.yaml") -> Path:
        """Write an edition file."""
        self.editions.mkdir(parents=True, exist_ok=True)
        path = self.editions / name
        path.write_text(text, "utf-8")
        return path


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Home:
    for name, value in environment(tmp_path).items():
        monkeypatch.setenv(name, value)
    monkeypatch.chdir(tmp_path)

    def run(arguments: Sequence[str]) -> tuple[int, list[str]]:
        status = main(arguments)
        out, err = capsys.readouterr()
        assert err == ""
        return status, out.splitlines()

    return Home(tmp_path, run)


def told(path: Path, home: Home) -> list[str]:
    """Return a line for each fault of a file."""
    book = library().phrasebook("en", None)
    return [book.phrase(trouble(fault)) for fault in faults_of(path, library().packs, users=home.editions)]


def line(name: str, edition: str, file: Path, extends: str | None = None) -> str:
    """Return the line of an edition for five to ten players."""
    parent = "" if extends is None else f" {phrase('editions-extends', edition=extends)}"
    return phrase("editions-line", name=name, least=5, most=10, edition=edition, file=str(file)) + parent


# --- the list


@pytest.mark.parametrize("command", [("editions",), ("editions", "list")])
def test_all_editions_are_listed_the_default_one_first(home: Home, command: tuple[str, ...]) -> None:
    status, lines = home.run(command)
    assert (status, len(lines)) == (0, len(SHIPPED))
    assert lines[0] == line("Secret Dictator", DEFAULT_EDITION, ROOT / "configs" / "secret_dictator.yaml")
    assert all(any(name in text for text in lines) for name in SHIPPED)


def test_the_editions_of_a_user_are_listed_with_what_they_extend(home: Home) -> None:
    path = home.write(HOUSE)
    assert home.run(["editions"])[1][len(SHIPPED) :] == [line("House Rules", "house", path, "secret_dictator")]


def test_a_broken_file_is_told_in_one_line_of_the_list(home: Home) -> None:
    path = home.write(BROKEN)
    status, lines = home.run(["editions"])
    assert (status, lines[len(SHIPPED) :]) == (0, told(path, home)[:1])


def test_the_list_speaks_the_language_that_was_asked_for(home: Home) -> None:
    for command in (["editions", "--language", "de"], ["editions", "list", "--language", "de"]):
        assert "Spieler" in home.run(command)[1][0]


def test_a_language_that_is_not_there_is_refused(home: Home) -> None:
    known = ", ".join(library().packs)
    assert home.run(["editions", "--language", "xx"]) == (2, [phrase("no-such-language", name="xx", names=known)])


# --- the check


def test_a_whole_file_is_told_in_one_line(home: Home) -> None:
    path = home.write(HOUSE)
    assert home.run(["editions", "check", str(path)]) == (0, [phrase("editions-whole", file=str(path))])


@pytest.mark.parametrize("name", SHIPPED)
def test_a_shipped_file_is_whole(home: Home, name: str) -> None:
    assert home.run(["editions", "check", str(ROOT / "configs" / f"{name}.yaml")])[0] == 0


def test_every_fault_is_a_line(home: Home) -> None:
    path = home.write(BROKEN)
    status, lines = home.run(["editions", "check", str(path)])
    assert (status, lines) == (1, told(path, home))
    facts = {"file": str(path), "line": 5, "path": "drawn", "problem": "three", "allowed": "1 ... 99"}
    assert lines[0] == phrase("edition-wrong-value", **facts)
    assert "colour" in lines[1]


def test_a_file_outside_of_the_folder_is_checked_too(home: Home) -> None:
    (home.folder / "mine.yaml").write_text(BROKEN)
    assert home.run(["editions", "check", "mine.yaml"])[0] == 1


@pytest.mark.parametrize("name", ["nowhere.yaml", ".", "x" * 5_000])
def test_a_file_that_cannot_be_read_is_refused(home: Home, name: str) -> None:
    status, lines = home.run(["editions", "check", name])
    assert (status, len(lines)) == (2, 1)
    assert name in lines[0]


@pytest.mark.parametrize("language", sorted(library().packs))
def test_every_kind_of_fault_has_words_in_every_language(home: Home, language: str) -> None:
    texts = [
        *("", "id: [", HOUSE + "x: 1", HOUSE + "drawn:", HOUSE + "drawn: x", HOUSE.replace("house", "My")),
        *(HOUSE + "roles: {5: {liberal: 4}}", HOUSE + "drawn: 1", HOUSE + "players: {most: 11}"),
        *(HOUSE.replace("secret_dictator", name) for name in ("nothing", "house")),
        HOUSE.replace("house", "secret_dictator"),
    ]
    for text in texts:
        path = home.write(text)
        lines, whole = check_lines(library().packs, language, path, home.editions)
        assert not whole
        assert all(str(path) in one or "secret_dictator.yaml" in one for one in lines)


# --- the rules and the schema


def test_the_rules_of_an_edition_are_printed(home: Home) -> None:
    status, lines = home.run(["editions", "show", DEFAULT_EDITION])
    assert (status, "Secret Dictator" in lines[0]) == (0, True)
    of_seven = home.run(["editions", "show", DEFAULT_EDITION, "--players", "7"])[1]
    assert 1 < len(of_seven) < len(lines)


def test_the_rules_in_a_file_are_printed(home: Home) -> None:
    (home.folder / "mine.yaml").write_text(HOUSE)
    status, lines = home.run(["editions", "show", "mine.yaml", "--language", "en"])
    assert (status, "House Rules" in lines[0]) == (0, True)


@pytest.mark.parametrize("players", [0, 4, 11, -1])
def test_there_are_no_rules_for_a_number_that_cannot_play(home: Home, players: int) -> None:
    sentence = phrase("wrong-number-of-players", number=players, least=5, most=10)
    assert home.run(["editions", "show", DEFAULT_EDITION, "--players", str(players)]) == (2, [sentence])


def test_the_rules_of_an_edition_that_is_not_there_are_refused(home: Home) -> None:
    names = ", ".join(library().editions)
    assert home.run(["editions", "show", "go"]) == (2, [phrase("no-such-edition", name="go", names=names)])


def test_the_schema_is_printed_as_json(home: Home) -> None:
    status, lines = home.run(["editions", "schema"])
    assert (status, json.loads("\n".join(lines))) == (0, edition_schema())


# --- editions in a game


def test_a_game_is_played_by_an_edition_of_the_user(home: Home) -> None:
    home.write(HOUSE)
    ran = program(home.folder, *TYPED, "--edition", "house", *FLAGS, typed="who is president\n")
    assert (ran.status, ran.err) == (0, "")
    assert "Anna" in ran.lines[-1]
    assert '"house"' in games(home.folder)[0].read_text("utf-8")


def test_a_game_is_played_and_resumed_by_a_file(home: Home) -> None:
    (home.folder / "mine.yaml").write_text(HOUSE.replace("house", "mine"))
    flags = (*TYPED, "--edition", "mine.yaml")
    assert program(home.folder, *flags, *FLAGS, typed="nominate ben\n").status == 0
    ran = program(home.folder, *flags, "--resume", typed="vote passed\n")
    assert ran.lines[0].startswith(f"table: {phrase('resumed')}")


def test_a_broken_file_of_the_user_is_a_notice_when_a_game_begins(home: Home) -> None:
    path = home.write(BROKEN)
    ran = program(home.folder, *TYPED, "--edition", DEFAULT_EDITION, *FLAGS)
    assert ran.status == 0
    assert ran.lines[0] == f"table: {phrase('edition-left-out', file='house.yaml', path=str(path))}"
    assert len(ran.lines) == 2


@pytest.mark.parametrize("name", ["house", "house.yaml"])
def test_a_broken_file_that_is_chosen_is_refused_in_one_sentence(home: Home, name: str) -> None:
    path = home.write(BROKEN)
    wanted = name if name == "house" else str(path)
    assert home.run([*TYPED, "--edition", wanted, *FLAGS]) == (2, told(path, home)[:1])
    assert games(home.folder) == []


def test_a_file_that_is_not_there_is_refused_in_one_sentence(home: Home) -> None:
    sentence = phrase("edition-unreadable", file="nowhere.yaml", line=1, problem="No such file or directory")
    assert home.run([*TYPED, "--edition", "nowhere.yaml", *FLAGS]) == (2, [sentence])
    assert home.run(["rehearse", "--out", "x", "--edition", "nowhere.yaml"]) == (2, [sentence])


def test_without_an_edition_and_players_the_set_up_asks_for_it(home: Home) -> None:
    ran = program(home.folder, *WITHOUT_EDITION)
    asked = phrase("ask-edition", editions=())[:10]
    assert ran.lines[0].startswith(f"table: {asked}")


def test_without_an_edition_but_with_players_it_is_the_default_one(home: Home) -> None:
    ran = program(home.folder, *WITHOUT_EDITION, *FLAGS)
    assert phrase("set-up-strips", number=5) in ran.lines[0]
