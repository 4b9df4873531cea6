"""YAML files and settings: plain values only, and every mistake is told with its place."""

from __future__ import annotations

import os
from pathlib import Path

import msgspec
import pytest
from fakes import TYPED, environment, library, phrase, program

from gm_assistant.cli import main
from gm_assistant.data import LARGEST_FILE, DataError, Marked, load_yaml, parse_marked, parse_yaml
from gm_assistant.dialogue.messages import Message
from gm_assistant.dialogue.phrasebook import Phrasebook
from gm_assistant.errors import LanguagePackError
from gm_assistant.settings import NameSettings, Settings, SettingsError, load_settings

BROKEN = {
    "doubled key": ("a: 1\nb: 2\na: 3\n", 3, "doubled key: a"),
    "doubled key deep inside": ("a:\n  - b: {c: 1, c: 2}\n", 2, "doubled key: c"),
    "alias": ("a: &x [1]\nb: *x\n", 2, "aliases"),
    "many aliases": ("a: &a [x,x]\nb: &b [*a,*a]\nc: [*b,*b]\n", 2, "aliases"),
    "object": ("a: !!python/object/apply:os.system [reboot]\n", 1, "tags"),
    "name of an object": ("\na: !!python/name:os.system\n", 2, "tags"),
    "own tag": ("a: !mine 1\n", 1, "tags"),
    "tag that does not fit": ("a: !!bool perhaps\n", 1, "tags"),
    "time that is none": ("\na: 2001-99-99\n", 2, "month"),
    "tab": ("a:\n\tb: 1\n", 2, "\\t"),
    "list as a key": ("a: 1\n? [b]\n: 2\n", 2, "key"),
    "map as a key": ("{{a: 1}: 2}\n", 1, "key"),
    "open bracket": ("a: [1, 2\n", 2, "expected"),
    "open quote": ("a: 'b\n", 2, "end of stream"),
    "two documents": ("a: 1\n---\nb: 2\n", 2, "document"),
    "NUL": ("a: 1\nb: \x00\n", 2, "special characters"),
    "deep lists": ("[" * 20_000, 1, "deep"),
    "deep maps": ("{a: " * 20_000, 1, "deep"),
    "deep lines": ("- " * 20_000, 1, "deep"),
    "deep lines with values": ("".join("\n" + " " * depth + "a:" for depth in range(300)), 43, "deep"),
    "number without end": ("\na: " + "9" * 5_000, 2, "digits"),
    "number without end in base 60": ("\na: 1" + ":1" * 400_000, 2, "digits"),
    "too many values": ("- a\n" * 200_000, 10_000, "values"),
    "half of a sign": ('\na: "\\ud800"', 2, "special characters"),
    "no sign at all": ('\na: "\\U00110000"', 2, "chr()"),
}


@pytest.mark.parametrize(("text", "line", "problem"), BROKEN.values(), ids=BROKEN)
def test_a_mistake_is_told_with_file_line_and_problem(text: str, line: int, problem: str) -> None:
    with pytest.raises(DataError) as error:
        parse_yaml(text, "mine.yaml")
    facts = error.value.facts
    assert (error.value.key, facts["file"], facts["line"]) == ("file-broken", "mine.yaml", line)
    assert problem in str(facts["problem"])


PATHS = {
    "at the top": ("a: 1\na: 2", "a"),
    "in a list": ("a:\n  - b: {c: 1, c: 2}\n", "a.1.b.c"),
    "unfinished": ("a:\n  5: {b: [1, 2", "a.5.b"),
    "alias": ("a: {b: &x [1], c: *x}", "a.c"),
    "number": ("a: {b: [1, " + "9" * 5_000 + "]}", "a.b.2"),
    "nowhere": ("]", ""),
    "not even text": ("a: {b: \x00}", "a"),
    "after a key": ("a: {b: 1}\nc 2\nd: 3\n", "a"),
    "in the first key": ("a 1\nb: 2\n", ""),
    "a tab below a key": ("a: 1\nb:\n\tc: 1\n", "b"),
    "a list as a key": ("a: 1\n? [b]\n: 2\n", "a"),
    "a sign that is none, deep inside": ("a:\n  - b: 1\n    c:\n      'd': 1\n  # e: 1\n  f: \x01", "a.f"),
    "a sign that is none, at the start": ("# a: 1\n{b: 1}\n\x01", ""),
}


@pytest.mark.parametrize(("text", "path"), PATHS.values(), ids=PATHS)
def test_a_mistake_is_told_with_the_key_that_was_being_read(text: str, path: str) -> None:
    with pytest.raises(DataError) as error:
        parse_marked(text, "mine.yaml")
    assert error.value.facts["path"] == path


def test_everything_that_was_read_comes_with_its_line() -> None:
    marked = parse_marked("# mine\na: 1\n\nb:\n  c: [x,\n   y]\n  d:\n    - {e: 2}\n", "mine.yaml")
    assert marked.value == {"a": 1, "b": {"c": ["x", "y"], "d": [{"e": 2}]}}
    lines = {"": 2, "a": 2, "b": 4, "b.c": 5, "b.c.1": 5, "b.c.2": 6, "b.d": 7, "b.d.1": 8, "b.d.1.e": 8}
    assert marked.lines == lines


def test_an_empty_text_is_nothing_in_its_first_line() -> None:
    assert parse_marked("# nothing\n", "mine.yaml") == Marked(None, {"": 1})


def test_keys_with_lines_are_whole_numbers_or_the_text_that_stands_there() -> None:
    text = "{yes: 1, on: 2, ~: 3, 5: 4, '6': 5, 007: 6, 1.5: 7, 2001-01-01: 8, 12345: 9, -1: 10, <<: 11}"
    keys = ["yes", "on", "~", 5, 6, "007", "1.5", "2001-01-01", "12345", "-1", "<<"]
    assert list(parse_marked(text, "mine.yaml").value) == keys


def test_nothing_is_executed(tmp_path: Path) -> None:
    with pytest.raises(DataError):
        parse_yaml(
            f"!!python/object/apply:pathlib.Path.touch [!!python/object/apply:pathlib.Path ['{tmp_path}/x']]", "f"
        )
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "content",
    [b"a: \xc3\xbc\nb: [1, 2]\n", b"\xef\xbb\xbfa: \xc3\xbc\nb: [1, 2]\n", b"a: \xc3\xbc\r\nb: [1, 2]\r\n"],
    ids=["plain", "byte order mark", "Windows line ends"],
)
def test_a_file_may_come_from_any_editor(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "mine.yaml"
    path.write_bytes(content)
    assert load_yaml(path) == {"a": "\u00fc", "b": [1, 2]}


UNREADABLE = {
    "another encoding": ("a: \u00fc".encode("latin-1"), "not UTF-8", 1, "a"),
    "another encoding further down": (
        "\ufeffa: 1\nb:\n  c: \u00fc\n  \u00fc".encode() + b"\xfc: 1",
        "not UTF-8",
        4,
        "b.c",
    ),
    "UTF-16": ("a: 1".encode("utf-16"), "not UTF-8", 1, ""),
    "too large": (b"# " + b"x" * LARGEST_FILE, str(LARGEST_FILE), 1, ""),
    "too large, with keys": (b"a: 1\nb:\n - c: |\n   " + "\u00fc".encode() * LARGEST_FILE, str(LARGEST_FILE), 4, "b.c"),
    "too large and no text": (b"a: \xff\n" * LARGEST_FILE, str(LARGEST_FILE), LARGEST_FILE // 5 + 1, "a"),
}


@pytest.mark.parametrize(("content", "problem", "line", "key"), UNREADABLE.values(), ids=UNREADABLE)
def test_a_file_that_is_no_text_is_told_with_the_place(
    tmp_path: Path, content: bytes, problem: str, line: int, key: str
) -> None:
    path = tmp_path / "mine.yaml"
    path.write_bytes(content)
    with pytest.raises(DataError) as error:
        load_yaml(path)
    assert (error.value.key, error.value.facts["file"]) == ("file-unreadable", str(path))
    assert problem in str(error.value.facts["problem"])
    assert (error.value.facts["line"], error.value.facts["path"]) == (line, key)


def test_a_file_without_end_is_not_read_for_ever() -> None:
    if not Path("/dev/zero").exists():
        pytest.skip("there is no file without end")
    with pytest.raises(DataError) as error:
        load_yaml(Path("/dev/zero"))
    assert error.value.key == "file-unreadable"


@pytest.mark.parametrize("name", ["nowhere", "folder", "x" * 5_000])
def test_a_file_that_is_not_there_is_told(tmp_path: Path, name: str) -> None:
    (tmp_path / "folder").mkdir()
    with pytest.raises(DataError) as error:
        load_yaml(tmp_path / name)
    assert error.value.key == "file-unreadable"
    assert error.value.facts["problem"]


# --- settings


def settings(folder: Path, text: str) -> Settings:
    path = folder / "settings.yaml"
    path.write_text(text)
    return load_settings(path)


def test_without_a_file_the_settings_are_the_defaults(tmp_path: Path) -> None:
    assert load_settings(tmp_path / "nowhere.yaml") == Settings()


def test_a_file_that_was_asked_for_must_be_there(tmp_path: Path) -> None:
    with pytest.raises(DataError) as error:
        load_settings(tmp_path / "nowhere.yaml", wanted=True)
    assert error.value.key == "file-unreadable"


@pytest.mark.parametrize("text", ["", "\n", "# nothing\n", "---\n", "null\n", "{}\n"])
def test_an_empty_file_says_nothing(tmp_path: Path, text: str) -> None:
    assert settings(tmp_path, text) == Settings()


NAMES = {"Siobhan": NameSettings(said="Shivawn", heard="")}


def test_every_setting_can_be_written(tmp_path: Path) -> None:
    text = """
table_device: "USB Audio, ALSA"
headset_device: "Headset, ALSA"
microphone_device: "Table Mic, ALSA"
talk_keys: [space, f5]
open_microphone: true
hold_off: 1
patience: 0
pace: 7
confirmation_time: 0
vote_deadline: 90
models: {de: /models/de}
wake_phrases: {en: dear assistant}
follow_up: 3
names: {Siobhan: {said: Shivawn, heard: ""}}
trust_headset: true
split_device: "Splitter, ALSA"
headset_lead_in: 0
noise_volume: 1
"""
    devices = ("USB Audio, ALSA", "Headset, ALSA", "Table Mic, ALSA")
    sound = {"trust_headset": True, "split_device": "Splitter, ALSA", "headset_lead_in": 0.0, "noise_volume": 1.0}
    times = {
        "hold_off": 1.0,
        "patience": 0.0,
        "pace": 7,
        "confirmation_time": 0.0,
        "vote_deadline": 90,
        "follow_up": 3.0,
    }
    words = {"models": {"de": "/models/de"}, "wake_phrases": {"en": "dear assistant"}, "names": NAMES}
    wanted = Settings(*devices, ("space", "f5"), open_microphone=True, **times, **words, **sound)
    assert settings(tmp_path, text) == wanted


WRONG = {
    "unknown key": ("tabel_device: x", "", "tabel_device", "table_device"),
    "number for a name": ("table_device: 5", "table_device", "int", "str"),
    "one key for a list": ("talk_keys: space", "talk_keys", "str", "[str]"),
    "number in a list": ("talk_keys: [space, 5]", "talk_keys.2", "int", "str"),
    "word for yes or no": ("open_microphone: perhaps", "open_microphone", "str", "bool"),
    "word for a time": ("hold_off: long", "hold_off", "str", "0 ... 10"),
    "negative time": ("hold_off: -1", "hold_off", "0", "0 ... 10"),
    "time without end": ("hold_off: .inf", "hold_off", "10", "0 ... 10"),
    "time that is no number": ("patience: .nan", "patience", "0", "0 ... 3600"),
    "list for models": ("models: [de]", "models", "array", "str: str"),
    "number for a model": ("models: {de: 5}", "models.de", "int", "str"),
    "a list": ("[]", "", "array", "table_device"),
    "a word": ("hello", "", "str", "table_device"),
    "no": ("no", "", "bool", "table_device"),
}


@pytest.mark.parametrize(("text", "path", "problem", "allowed"), WRONG.values(), ids=WRONG)
def test_a_wrong_setting_is_told_with_its_place_and_what_is_allowed(
    tmp_path: Path, text: str, path: str, problem: str, allowed: str
) -> None:
    with pytest.raises(SettingsError) as error:
        settings(tmp_path, text)
    facts = error.value.facts
    assert (error.value.key, facts["file"], facts["path"]) == ("settings-broken", str(tmp_path / "settings.yaml"), path)
    assert problem in str(facts["problem"])
    assert allowed in str(facts["allowed"])


def test_the_program_reads_the_settings_of_its_user_and_tells_what_is_wrong(tmp_path: Path) -> None:
    file = tmp_path / "config" / "gm_assistant" / "settings.yaml"
    file.parent.mkdir(parents=True)
    file.write_text("talk_keys: space")
    ran = program(tmp_path, *TYPED)
    facts = {"file": str(file), "path": "talk_keys", "problem": "Expected `array`, got `str`", "allowed": "[str]"}
    assert (ran.status, ran.lines, ran.err) == (2, [phrase("settings-broken", **facts)], "")


@pytest.mark.parametrize("keys", ["[f99]", "['']", "[space, spcae]"])
def test_a_key_that_does_not_exist_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], keys: str
) -> None:
    file = tmp_path / "keys.yaml"
    file.write_text(f"talk_keys: {keys}")
    for name, value in environment(tmp_path).items():
        monkeypatch.setenv(name, value)
    assert main((*TYPED, "--settings", str(file))) == 2
    out, err = capsys.readouterr()
    assert (out.count("\n"), err) == (1, "")
    assert "page down" in out


@pytest.mark.parametrize(
    ("text", "problem"), [(None, "pardon?"), ("No {gap}.", "gap?"), ("No {liberal:form}.", "form?"), ("{0", "expected")]
)
def test_a_phrase_that_cannot_be_said_is_an_error_with_its_place(text: str | None, problem: str) -> None:
    pack = library().packs["en"]
    phrases = {key: words for key, words in pack.phrases.phrases.items() if key != "pardon"}
    if text is not None:
        phrases["pardon"] = text
    broken = msgspec.structs.replace(pack, phrases=msgspec.structs.replace(pack.phrases, phrases=phrases))
    book = Phrasebook(broken, next(iter(library().editions.values())).names["en"])
    with pytest.raises(LanguagePackError, match="pack-broken") as error:
        book.phrase(Message("pardon"))
    assert (error.value.facts["file"], error.value.facts["path"]) == ("en/phrases.yaml", "phrases.pardon")
    assert problem in str(error.value.facts["problem"])


def test_a_pipe_is_no_data_file_and_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.yaml")
    with pytest.raises(DataError) as refused:
        load_yaml(tmp_path / "pipe.yaml")
    assert refused.value.key == "file-unreadable"


def test_a_pipe_among_the_user_s_editions_is_left_out(tmp_path: Path) -> None:
    folder = tmp_path / "config" / "gm_assistant" / "editions"
    folder.mkdir(parents=True)
    os.mkfifo(folder / "pipe.yaml")
    ran = program(tmp_path, "editions", "--language", "en")
    assert (ran.status, ran.err) == (0, "")
    assert any("pipe.yaml" in line for line in ran.lines)
