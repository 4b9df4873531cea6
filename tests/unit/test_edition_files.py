"""Edition files: what they take from each other, where they may lie, and how every mistake is told with its place."""

from __future__ import annotations

import json
import os
import shutil
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import jsonschema
import msgspec
import pytest
import yaml
from fakes import ROOT, library
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gm_assistant.data import load_yaml
from gm_assistant.dialogue.refusals import trouble
from gm_assistant.edition_schema import edition_schema
from gm_assistant.edition_shelf import is_file_name
from gm_assistant.errors import EditionError, GmError
from gm_assistant.library import DEFAULT_EDITION, Library, faults_of, load_library, load_packs
from gm_assistant.rules.edition import Edition, edition_from
from gm_assistant.rules.model import Power
from gm_assistant.settings import editions_folder

SHIPPED = sorted((ROOT / "configs").glob("*.yaml"))
WHOLE = (ROOT / "configs" / "secret_dictator.yaml").read_text("utf-8")
HOUSE = "id: house\nversion: 1\nextends: secret_dictator\n"
FACTS = {"file", "line", "path", "problem", "allowed"}


@dataclass
class Desk:
    """A folder of shipped editions with one in it, and a user's folder."""

    configs: Path
    users: Path

    def write(self, text: str, name: str = "house.yaml") -> Path:
        """Write a file into the user's folder."""
        path = self.users / name
        path.write_text(text, "utf-8")
        return path

    def faults(self, text: str, name: str = "house.yaml") -> list[EditionError]:
        """Return all faults of a file of the user's."""
        return faults_of(self.write(text, name), {}, self.configs, self.users)

    def fault(self, text: str, name: str = "house.yaml") -> EditionError:
        """Return the only fault of a file."""
        (fault,) = self.faults(text, name)
        assert set(fault.facts) >= FACTS
        return fault

    def library(self, extra: Path | None = None) -> Library:
        """Return what is there, without any language."""
        nobody = self.users.parent / "voices"
        nobody.mkdir(exist_ok=True)
        return load_library(nobody, self.configs, self.users, extra)

    def edition(self, text: str) -> Edition:
        """Return the edition in a file of the user's."""
        self.write(text)
        return self.library().editions["house"]


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return _desk(tmp_path)


def _desk(folder: Path) -> Desk:
    for name in ("configs", "users"):
        (folder / name).mkdir(exist_ok=True)
    shutil.copy(ROOT / "configs" / "secret_dictator.yaml", folder / "configs")
    return Desk(folder / "configs", folder / "users")


def place(error: GmError) -> tuple[object, ...]:
    """Return name of the file, line and path."""
    return Path(str(error.facts["file"])).name, error.facts["line"], error.facts["path"]


def line_of(text: str, beginning: str) -> int:
    """Return the number of the line that begins so."""
    return next(number for number, line in enumerate(text.split("\n"), 1) if line.startswith(beginning))


# --- the shipped files


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_a_shipped_edition_is_whole_in_every_language(path: Path) -> None:
    assert faults_of(path, load_packs()) == []


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_a_shipped_edition_has_its_id_as_its_name(path: Path) -> None:
    assert load_yaml(path)["id"] == path.stem


def test_the_default_edition_is_shipped_and_stands_first() -> None:
    library = load_library()
    assert next(iter(library.editions)) == DEFAULT_EDITION
    assert set(library.editions) == {path.stem for path in SHIPPED}
    assert library.edition(None) is library.editions[DEFAULT_EDITION]


# --- extends


def test_an_edition_takes_everything_from_the_one_that_it_extends(desk: Desk) -> None:
    shipped, edition = desk.library().editions[DEFAULT_EDITION], desk.edition(HOUSE)
    assert edition == msgspec.structs.replace(shipped, id="house", names=edition.names)
    assert edition.names["en"]["liberal"] == shipped.names["en"]["liberal"]


@pytest.mark.parametrize(
    ("names", "name", "spoken"),
    [
        ("", "My House", "my house"),
        ("names: {en: {edition: {name: Anna's Rules!}}}\n", "Anna's Rules!", "anna's rules"),
        ("names: {en: {edition: {spoken: ours}}}\n", "My House", "ours"),
        ("names: {en: {edition: {name: Ours, spoken: ours}}}\n", "Ours", "ours"),
    ],
)
def test_an_edition_is_never_called_like_the_one_that_it_extends(
    desk: Desk, names: str, name: str, spoken: str
) -> None:
    desk.write(HOUSE.replace("id: house", "id: my_house") + names)
    called = desk.library().editions["my_house"].names["en"]["edition"]
    assert (called["name"], called["spoken"]) == (name, spoken)


def test_mappings_are_merged_key_by_key(desk: Desk) -> None:
    shipped = desk.library().editions[DEFAULT_EDITION]
    edition = desk.edition(HOUSE + "names: {en: {edition: {name: House}}}\nterm_limits: {chaos_frees: true}\n")
    assert edition.names["en"]["edition"]["name"] == "House"
    assert edition.names["en"]["liberal"] == shipped.names["en"]["liberal"]
    assert edition.names["de"]["liberal"] == shipped.names["de"]["liberal"]
    assert edition.term_limits == msgspec.structs.replace(shipped.term_limits, chaos_frees=True)


def test_lists_are_replaced(desk: Desk) -> None:
    edition = desk.edition(HOUSE + "powers: {5: [execution]}\n")
    assert edition.powers[5] == (Power.EXECUTION,)
    assert len(edition.powers[6]) == 5


def test_editions_extend_in_a_chain(desk: Desk) -> None:
    desk.write("id: middle\nversion: 7\nextends: secret_dictator\nveto_from: 4\npeeked: 2\n", "middle.yaml")
    edition = desk.edition("id: house\nversion: 2\nextends: middle\npeeked: 1\n")
    assert (edition.id, edition.version, edition.veto_from, edition.peeked, edition.drawn) == ("house", 2, 4, 1, 3)


def test_an_edition_can_stand_alone(desk: Desk) -> None:
    assert desk.edition(WHOLE.replace("id: secret_dictator", "id: house")).id == "house"


@pytest.mark.parametrize("key", ["id", "version"])
def test_id_and_version_are_never_taken_from_another(desk: Desk, key: str) -> None:
    text = "".join(line for line in HOUSE.splitlines(keepends=True) if not line.startswith(key))
    fault = desk.fault("# mine\n" + text)
    assert (fault.key, fault.facts["name"]) == ("edition-missing-key", key)
    assert place(fault) == ("house.yaml", 2, "")


@pytest.mark.parametrize("parent", ["secret", "5", "[secret_dictator]", "true", "~", "", "2001-01-01", "'a\\nb'"])
def test_an_unknown_parent_is_told_with_those_that_there_are(desk: Desk, parent: str) -> None:
    fault = desk.fault(f"id: house\nversion: 1\nextends: {parent}\n")
    assert (fault.key, place(fault)) == ("edition-unknown-parent", ("house.yaml", 3, "extends"))
    assert fault.facts["allowed"] == "secret_dictator"


def test_the_unknown_parent_of_a_parent_is_told_where_it_stands(desk: Desk) -> None:
    desk.write("id: middle\nversion: 1\n\nextends: nothing\n", "middle.yaml")
    assert place(desk.fault("id: house\nversion: 1\nextends: middle\n")) == ("middle.yaml", 4, "extends")


def test_a_file_that_extends_itself_is_a_cycle(desk: Desk) -> None:
    fault = desk.fault("id: house\nversion: 1\nextends: house\n")
    assert (fault.key, place(fault)) == ("edition-cycle", ("house.yaml", 3, "extends"))
    assert fault.facts["problem"] == "house > house"


def test_a_cycle_is_told_in_the_file_that_is_looked_at(desk: Desk) -> None:
    desk.write("id: b\nversion: 1\nextends: c\n", "b.yaml")
    desk.write("id: c\nversion: 1\n\n\nextends: house\n", "c.yaml")
    fault = desk.fault("id: house\nversion: 1\nextends: b\n")
    assert (fault.key, place(fault)) == ("edition-cycle", ("house.yaml", 3, "extends"))
    assert fault.facts["problem"] == "house > b > c > house"


def test_a_cycle_further_up_is_told_where_it_closes(desk: Desk) -> None:
    desk.write("id: b\nversion: 1\nextends: c\n", "b.yaml")
    desk.write("id: c\nversion: 1\n\nextends: b\n", "c.yaml")
    fault = desk.fault("id: house\nversion: 1\nextends: b\n")
    assert (fault.key, place(fault)) == ("edition-cycle", ("c.yaml", 4, "extends"))


def test_all_editions_of_a_cycle_are_left_out(desk: Desk) -> None:
    desk.write("id: b\nversion: 1\nextends: c\n", "b.yaml")
    desk.write("id: c\nversion: 1\nextends: b\n", "c.yaml")
    library = desk.library()
    assert list(library.editions) == [DEFAULT_EDITION]
    assert [one.error.key for one in library.left_out] == ["edition-cycle"] * 2


# --- where faults are


FAULTS = {
    "wrong word": ("role_of_the_dead: gone", "edition-wrong-value", 4, "role_of_the_dead", "gone", "secret, shown"),
    "wrong type": ("drawn: three", "edition-wrong-value", 4, "drawn", "three", "1 ... 99"),
    "truth for a number": ("drawn: yes", "edition-wrong-value", 4, "drawn", "true", "1 ... 99"),
    "number for a truth": ("tie_elects: 1", "edition-wrong-value", 4, "tie_elects", "1", "true, false"),
    "number for a text": (
        "names: {en: {edition: {name: 5}}}",
        "edition-wrong-value",
        4,
        "names.en.edition.name",
        "5",
        "",
    ),
    "part of a number": ("drawn: 2.5", "edition-wrong-value", 4, "drawn", "2.5", "1 ... 99"),
    "no number": ("drawn: .nan", "edition-wrong-value", 4, "drawn", "NaN", "1 ... 99"),
    "number without end": ("drawn: .inf", "edition-wrong-value", 4, "drawn", "Infinity", "1 ... 99"),
    "large number": ("drawn: 9999999999999999999999", "edition-wrong-value", 4, "drawn", "9999", "1 ... 99"),
    "enormous number": (f"drawn: {'9' * 5000}", "edition-no-yaml", 4, "drawn", "digits", "YAML"),
    "enormous number in base 60": (f"drawn: 1{':1' * 5000}", "edition-no-yaml", 4, "drawn", "digits", "YAML"),
    "below zero": ("danger_from: -1", "edition-wrong-value", 4, "danger_from", "-1", "0 ... 99"),
    "date": ("version: 2001-01-01", "edition-no-yaml", 4, "version", "doubled key: version", "YAML"),
    "date that is none": ("drawn: 2001-99-99", "edition-no-yaml", 4, "drawn", "month", "YAML"),
    "nothing": ("drawn:", "edition-nothing-there", 4, "drawn", "-", "1 ... 99"),
    "item of a list": (
        "powers:\n  5:\n    - peek\n    - telescope",
        "edition-wrong-value",
        7,
        "powers.5.2",
        "telescope",
        "peek",
    ),
    "list for a mapping": ("players: [5, 10]", "edition-wrong-value", 4, "players", "[5, 10]", "least, most"),
    "mapping for a list": ("may_target_oneself: {}", "edition-wrong-value", 4, "may_target_oneself", "{}", "execution"),
    "unknown key": ("\ncolour: red", "edition-unknown-key", 5, "colour", "colour", "extends"),
    "unknown key inside": ("players:\n  best: 7", "edition-unknown-key", 5, "players.best", "best", "least, most"),
    "unknown power as a key": ("yes: 1", "edition-unknown-key", 4, "yes", "yes", "drawn"),
    "on": ("on: 1", "edition-unknown-key", 4, "on", "on", "drawn"),
    "null as a key": ("~: 1", "edition-unknown-key", 4, "~", "~", "drawn"),
    "number as a key": ("7: 1", "edition-unknown-key", 4, "7", "7", "drawn"),
    "half a number as a key": ("1.5: 1", "edition-unknown-key", 4, "1.5", "1.5", "drawn"),
    "word for a number of players": (
        "roles: {seven: {liberal: 4}}",
        "edition-unknown-key",
        4,
        "roles.seven",
        "int",
        "1, 2",
    ),
    "enormous number of players": (
        "roles: {99999: {liberal: 4}}",
        "edition-unknown-key",
        4,
        "roles.99999",
        "int",
        "1, 2",
    ),
    "doubled key": ("drawn: 3\ndrawn: 3", "edition-no-yaml", 5, "drawn", "doubled key", "YAML"),
    "doubled key inside": (
        "roles:\n  5: {}\n  6: {}\n  5: {}",
        "edition-no-yaml",
        7,
        "roles.5",
        "doubled key: 5",
        "YAML",
    ),
    "doubled key in quotes": ("roles: {5: {}, '5': {}}", "edition-no-yaml", 4, "roles.5", "doubled key: 5", "YAML"),
    "tag": ("roles:\n  5: !!python/object/apply:os.system [reboot]", "edition-no-yaml", 5, "roles.5", "tags", "YAML"),
    "alias": ("roles: {5: &a {}, 6: *a}", "edition-no-yaml", 4, "roles.6", "aliases", "YAML"),
    "merge key": ("<<: {drawn: 3}", "edition-unknown-key", 4, "<<", "<<", "drawn"),
    "list as a key": ("? [a]\n: 1", "edition-no-yaml", 4, "", "a key must be a plain word", "YAML"),
    "open bracket": ("powers: {5: [peek", "edition-no-yaml", 5, "powers.5", "expected", "YAML"),
    "tab": ("roles:\n\t5: {}", "edition-no-yaml", 5, "roles", "\\t", "YAML"),
    "deep nesting": (f"names: {'[' * 5000}", "edition-no-yaml", 4, "names.1", "nested too deeply", "YAML"),
    "half of a sign": (
        'names: {en: {edition: {name: "\\ud800"}}}',
        "edition-no-yaml",
        4,
        "names.en",
        "special",
        "YAML",
    ),
    "sign that a terminal obeys": (
        'names: {en: {edition: {name: "a\\e[2J"}}}',
        "edition-wrong-value",
        4,
        "names.en.edition.name",
        "a [2J",
        "",
    ),
    "roles that do not add up": ("roles:\n  7: {liberal: 5}", "edition-roles-sum", 5, "roles.7", "5 + 2 + 1 = 8", "7"),
    "two dictators": ("roles:\n  5:\n    dictator: 2", "edition-misfit", 6, "roles.5.dictator", "2", "1"),
    "more least than most": ("players: {least: 11}", "edition-misfit", 4, "players", "11 > 10", "least <= most"),
    "bad id": ("", "edition-wrong-id", 1, "id", "My House!", "a"),
}


@pytest.mark.parametrize("wrong", FAULTS)
def test_a_fault_is_told_with_file_line_key_problem_and_what_is_allowed(wrong: str, desk: Desk) -> None:
    text, key, line, path, problem, allowed = FAULTS[wrong]
    start = HOUSE.replace("id: house", 'id: "My House!"') if wrong == "bad id" else HOUSE
    faults = desk.faults(f"{start}{text}\n")
    found = faults[0]
    assert found.key == key
    assert place(found)[:2] == ("house.yaml", line)
    assert str(found.facts["path"]).startswith(path)
    assert problem in str(found.facts["problem"])
    assert allowed in str(found.facts["allowed"])
    assert set(found.facts) >= FACTS


def test_a_missing_row_is_told_where_the_table_is_or_else_at_the_top(desk: Desk) -> None:
    rows = "roles:\n  5: {liberal: 3}\npowers:\n  5: [peek]\n"
    faults = desk.faults("# mine\n" + HOUSE + rows + "players: {most: 11}\n")
    assert [(fault.facts["name"], *place(fault)) for fault in faults] == [
        ("roles.11", "house.yaml", 5, "roles"),
        ("powers.11", "house.yaml", 7, "powers"),
    ]
    faults = desk.faults("# mine\n" + HOUSE + "players: {most: 11}\n")
    assert [place(fault)[1] for fault in faults] == [2, 2]


def test_a_missing_key_is_told_at_the_mapping_that_lacks_it(desk: Desk) -> None:
    text = WHOLE.replace("id: secret_dictator", "id: house").replace("  basis: previous_round", "  # basis:")
    fault = desk.fault(text)
    assert (fault.key, fault.facts["name"]) == ("edition-missing-key", "term_limits.basis")
    assert place(fault) == ("house.yaml", line_of(text, "term_limits:"), "term_limits")


def test_an_inherited_value_that_no_longer_fits_is_told_where_it_stands(desk: Desk) -> None:
    fault = desk.fault(HOUSE + "fields: {fascist: 2}\npowers: {5: [], 6: [], 7: [], 8: [], 9: [], 10: []}\n")
    assert fault.key == "edition-misfit"
    assert place(fault) == ("secret_dictator.yaml", line_of(WHOLE, "danger_from"), "danger_from")


def test_a_fault_of_the_parent_is_told_in_its_file(desk: Desk) -> None:
    desk.write("id: middle\nversion: 1\nextends: secret_dictator\n\npowers: {7: [peek, spy]}\n", "middle.yaml")
    assert place(desk.fault("id: house\nversion: 1\nextends: middle\n")) == ("middle.yaml", 5, "powers.7.2")


def test_a_value_that_was_replaced_is_no_fault(desk: Desk) -> None:
    desk.write("id: middle\nversion: 1\nextends: secret_dictator\npowers: {7: [peek, spy]}\n", "middle.yaml")
    assert desk.faults("id: house\nversion: 1\nextends: middle\npowers: {7: [peek]}\n") == []


def test_all_faults_are_told_in_the_order_of_the_lines(desk: Desk) -> None:
    text = HOUSE + "drawn: three\ncolour: red\nroles:\n  5: {liberal: x, spy: 1}\ntie_elects: maybe\n"
    assert [place(fault)[1:] for fault in desk.faults(text)] == [
        (4, "drawn"),
        (5, "colour"),
        (7, "roles.5.liberal"),
        (7, "roles.5.spy"),
        (8, "tie_elects"),
    ]


def test_all_that_the_rules_find_is_told(desk: Desk) -> None:
    text = HOUSE + "roles:\n  5: {liberal: 4}\n  6: {dictator: 2}\ndrawn: 1\nveto_from: 9\n"
    found = [fault.facts["path"] for fault in desk.faults(text)]
    assert found == ["roles.5", "roles.6.dictator", "drawn", "veto_from"]


def test_a_name_that_a_language_asks_for_is_told_with_its_line(desk: Desk) -> None:
    content = yaml.safe_load(WHOLE) | {"id": "house"}
    del content["names"]["de"]["fascist"]["team"]
    text = yaml.safe_dump(content, sort_keys=False)
    (fault,) = faults_of(desk.write(text), load_packs(), desk.configs, desk.users)
    assert (fault.key, fault.facts["name"]) == ("edition-missing-key", "names.de.fascist.team")
    before, german = text.split("\n  de:\n")
    line = before.count("\n") + 2 + line_of(german, "    fascist:")
    assert place(fault) == ("house.yaml", line, "names.de.fascist")


@pytest.mark.parametrize(
    "spoken", ["house [rules", "<nope>", "{player}", "[a]", "", "?!", "x" * 300, "(a|b) " * 20, "(" * 150, "ho[use]"]
)
def test_what_no_sentence_could_take_in_is_told_with_its_line(desk: Desk, spoken: str) -> None:
    pack = next(iter(load_packs().values()))
    text = f"{HOUSE}names:\n  {pack.language}:\n    liberal: {{spoken: '{spoken}'}}\n"
    (fault,) = faults_of(desk.write(text), {pack.language: pack}, desk.configs, desk.users)
    assert place(fault) == ("house.yaml", 6, f"names.{pack.language}.liberal.spoken")
    assert fault.key == "edition-wrong-value"


def test_long_values_are_shown_in_part(desk: Desk) -> None:
    fault = desk.fault(HOUSE + f"drawn: {'x' * 100_000}\n")
    assert len(str(fault)) < 500


# --- files that are none


@pytest.mark.parametrize(
    "text", ["", "\n", "# nothing\n", "---\n", "~", "[]", "- id: house\n", "house", "5", "no", "2001-01-01", ".nan"]
)
def test_a_file_without_keys_is_told(desk: Desk, text: str) -> None:
    assert desk.fault(text).key == "edition-without-keys"


def test_an_empty_mapping_lacks_every_key(desk: Desk) -> None:
    missing = {fault.facts["name"] for fault in desk.faults("{}\n")}
    assert missing == {field.name for field in msgspec.structs.fields(Edition) if field.required}


def _folder(path: Path) -> None:
    path.mkdir()


def _locked(path: Path) -> None:
    path.write_text(HOUSE)
    path.chmod(0)
    if os.access(path, os.R_OK):
        pytest.skip("this user may read everything")


UNREADABLE: dict[str, Callable[[Path], object]] = {
    "not there": lambda path: None,
    "folder": _folder,
    "locked": _locked,
    "pipe": os.mkfifo,
    "link to itself": lambda path: path.symlink_to(path.name),
}


@pytest.mark.parametrize("made", UNREADABLE)
def test_a_file_that_cannot_be_read_is_an_error_before_its_first_key(desk: Desk, made: str) -> None:
    path = desk.users / "house.yaml"
    UNREADABLE[made](path)
    with pytest.raises(EditionError) as error:
        faults_of(path, {}, desk.configs, desk.users)
    assert (error.value.key, set(error.value.facts)) == ("edition-unreadable", FACTS)
    assert place(error.value) == ("house.yaml", 1, "")
    assert error.value.facts["problem"]
    assert list(desk.library().editions) == [DEFAULT_EDITION]


NO_TEXT = {
    "too large": (b"#" * 1_000_001, 1, ""),
    "too large, with keys": (HOUSE.encode() + b"laws:\n  liberal: 6 #" + b"x" * 1_000_000, 5, "laws.liberal"),
    "another encoding": (HOUSE.encode() + b"# \xe4\n", 4, "extends"),
    "another encoding in a name": (
        HOUSE.encode() + b"names:\n  de:\n    edition: {name: B\xe4r}\n",
        6,
        "names.de.edition",
    ),
    "UTF-16": (HOUSE.encode("utf-16"), 1, ""),
}
"""Content, and line and key where it can be read no more."""


@pytest.mark.parametrize(("content", "line", "key"), NO_TEXT.values(), ids=NO_TEXT)
def test_a_file_that_is_no_text_is_told_with_the_place_where_it_ends(
    desk: Desk, content: bytes, line: int, key: str
) -> None:
    path = desk.users / "house.yaml"
    path.write_bytes(content)
    (error,) = faults_of(path, {}, desk.configs, desk.users)
    assert error.key == ("edition-no-text" if key else "edition-no-text-at-start")
    assert set(error.facts) == FACTS
    assert place(error) == ("house.yaml", line, key)
    assert "UTF-8" in str(error.facts["allowed"])
    assert list(desk.library().editions) == [DEFAULT_EDITION]


NO_YAML = {
    "a sign that is none": (HOUSE + "laws:\n  liberal: \x01\n", 5, "laws.liberal"),
    "no colon": (HOUSE + "drawn 3\n", 5, "extends"),
    "no colon further down": (HOUSE + "laws:\n  liberal: 6\n  fascist 11\n", 7, "laws"),
    "a tag": (HOUSE + "laws: {liberal: !!python/name:os.system }\n", 4, "laws.liberal"),
    "an alias": (HOUSE + "laws: &a {liberal: 6}\nfields: *a\n", 5, "fields"),
    "a doubled key": (HOUSE + "drawn: 3\ndrawn: 2\n", 5, "drawn"),
    "an open bracket": (HOUSE + "powers:\n  5: [peek, peek\n", 6, "powers.5"),
    "no key at all": ("[\n", 2, ""),
    "no colon at the start": ("id house\nversion: 1\n", 2, ""),
}
"""Content, and line and key where it is no YAML."""


@pytest.mark.parametrize(("text", "line", "key"), NO_YAML.values(), ids=NO_YAML)
def test_a_file_that_is_no_yaml_is_told_with_line_and_key(desk: Desk, text: str, line: int, key: str) -> None:
    (error,) = desk.faults(text)
    assert error.key == ("edition-no-yaml" if key else "edition-no-yaml-at-start")
    assert place(error) == ("house.yaml", line, key)


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize(
    "key", [*(f"edition-no-{what}{end}" for what in ("text", "yaml") for end in ("", "-at-start"))]
)
def test_a_file_that_cannot_be_read_on_is_told_with_file_line_and_key(language: str, key: str) -> None:
    facts = {"file": "house.yaml", "line": 17, "path": "laws.liberal", "problem": "wrong", "allowed": "right"}
    told = library().phrasebook(language, None).phrase(trouble(EditionError(key, **facts)))
    words = {"en": "before the first key", "de": "vor dem ersten Schlüssel"}
    assert "house.yaml" in told
    assert "17" in told
    assert (words[language] if key.endswith("start") else "laws.liberal") in told


HEAVY = {
    "many keys": "".join(f"k{number}: 1\n" for number in range(4_500)),
    "many wrong names": "names: {en: {" + ",".join(f"k{number}: 1" for number in range(4_500)) + "}}\n",
    "long list": "powers: {5: [" + "peek," * 190_000 + "]}\n",
    "deep lists": "powers: " + "[" * 900_000,
    "deep lines": "powers:\n  " + "- " * 400_000,
    "long number in base 60": "drawn: 1" + ":1" * 450_000,
    "long text": "names: " + "x" * 900_000,
    "long key": "x" * 900_000,
    "long escapes": 'names: "' + "\\n" * 450_000 + '"',
    "many lines": "#\n" * 450_000,
}


@pytest.mark.parametrize("text", HEAVY.values(), ids=HEAVY)
def test_a_heavy_file_is_refused_soon(desk: Desk, text: str) -> None:
    began = time.monotonic()
    faults = desk.faults(HOUSE + text)
    assert time.monotonic() - began < 10
    assert all(len(str(fault)) < 2_000 for fault in faults)


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_a_truncated_file_is_told_in_errors_of_ours(path: Path, desk: Desk) -> None:
    lines = path.read_text("utf-8").splitlines()
    for end in range(len(lines)):
        for text in ("\n".join(lines[:end]), "\n".join([*lines[:end], lines[end][: len(lines[end]) // 2]])):
            assert all(fault.key.startswith("edition-") for fault in desk.faults(text))


# --- the user's folder


def test_editions_of_a_user_come_after_the_shipped_ones(desk: Desk) -> None:
    desk.write(HOUSE.replace("house", "b"), "1.yml")
    desk.write(HOUSE.replace("house", "a"), "2.yaml")
    desk.write("not: an edition", "notes.txt")
    library = desk.library()
    assert list(library.editions) == [DEFAULT_EDITION, "b", "a"]
    assert {name: file.path.name for name, file in library.files.items()} == {
        DEFAULT_EDITION: "secret_dictator.yaml",
        "b": "1.yml",
        "a": "2.yaml",
    }
    assert library.left_out == ()


def test_without_a_folder_there_are_the_shipped_editions(desk: Desk) -> None:
    desk.users.rmdir()
    assert list(desk.library().editions) == [DEFAULT_EDITION]


def test_the_folder_stands_beside_the_settings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setenv("HOME", str(tmp_path))
    assert editions_folder().name == "editions"
    assert tmp_path in editions_folder().parents


@pytest.mark.parametrize("text", ["", "id: [", HOUSE + "drawn: 0\n", HOUSE + "extends: x\n", "a: !!x 1\n"])
def test_a_broken_file_of_a_user_is_left_out_with_a_notice(desk: Desk, text: str) -> None:
    desk.write(HOUSE.replace("house", "good"), "good.yaml")
    path = desk.write(text)
    library = desk.library()
    assert list(library.editions) == [DEFAULT_EDITION, "good"]
    (broken,) = library.left_out
    assert broken.path == path
    assert broken.notice.facts == {"file": "house.yaml", "path": str(path)}
    with pytest.raises(EditionError) as error:
        library.chosen("house")
    assert error.value is broken.error


def test_a_broken_shipped_file_is_an_error(desk: Desk) -> None:
    path = desk.configs / "other.yaml"
    for text in ("id: [", "id: other\nversion: 1\nextends: secret_dictator\ndrawn: 0\n"):
        path.write_text(text)
        with pytest.raises(EditionError) as error:
            desk.library()
        assert place(error.value)[0] == "other.yaml"


def test_the_id_of_a_shipped_edition_is_taken(desk: Desk) -> None:
    path = desk.write("version: 1\nid: secret_dictator\nextends: secret_dictator\ndrawn: 2\n")
    library = desk.library()
    assert library.editions[DEFAULT_EDITION].drawn == 3
    (broken,) = library.left_out
    assert (broken.error.key, place(broken.error)) == ("edition-id-taken", ("house.yaml", 2, "id"))
    assert broken.error.facts["file"] == str(path)
    assert broken.error.facts["problem"] == str(desk.configs / "secret_dictator.yaml")
    assert broken.error.facts["allowed"] == "secret_dictator"
    assert [fault.key for fault in faults_of(path, {}, desk.configs, desk.users)] == ["edition-id-taken"]
    assert library.chosen(DEFAULT_EDITION) is library.editions[DEFAULT_EDITION]


def test_the_second_of_two_files_with_the_same_id_is_left_out(desk: Desk) -> None:
    desk.write(HOUSE, "a.yaml")
    desk.write(HOUSE, "b.yaml")
    library = desk.library()
    assert library.files["house"].path.name == "a.yaml"
    assert [(one.path.name, one.error.key) for one in library.left_out] == [("b.yaml", "edition-id-taken")]


def test_who_extends_a_broken_edition_is_left_out_too(desk: Desk) -> None:
    desk.write(HOUSE + "drawn: 0\n")
    desk.write("id: child\nversion: 1\nextends: house\n", "child.yaml")
    library = desk.library()
    assert {one.id: place(one.error) for one in library.left_out} == {
        "house": ("house.yaml", 4, "drawn"),
        "child": ("house.yaml", 4, "drawn"),
    }


# --- a fault does not hide others


def test_what_can_be_read_is_checked_though_other_lines_are_wrong(desk: Desk) -> None:
    faults = desk.faults(HOUSE + "drawn: three\nveto_from: 6\nroles: {5: {liberal: 9}}\ncolour: red\n")
    assert [(fault.key, fault.facts["path"]) for fault in faults] == [
        ("edition-wrong-value", "drawn"),
        ("edition-misfit", "veto_from"),
        ("edition-roles-sum", "roles.5"),
        ("edition-unknown-key", "colour"),
    ]


def test_what_depends_on_a_wrong_line_waits_until_it_is_mended(desk: Desk) -> None:
    assert place(desk.fault(HOUSE + "reshuffle_below: many\npeeked: 9\n")) == ("house.yaml", 4, "reshuffle_below")
    assert place(desk.fault(HOUSE + "reshuffle_below: 8\npeeked: 9\n")) == ("house.yaml", 5, "peeked")


def test_a_missing_name_is_told_though_another_line_is_wrong(tmp_path: Path) -> None:
    path = tmp_path / "house.yaml"
    text = HOUSE.replace("secret_dictator", "secret_hitler")
    path.write_text(text + "drawn: three\npowers: {5: [magnifier]}\n")
    found = {(fault.key, fault.facts.get("name")) for fault in faults_of(path, load_packs())}
    assert ("edition-wrong-value", None) in found
    assert ("edition-missing-key", "names.en.magnifier.name") in found


def test_a_language_that_nobody_speaks_is_told_and_the_game_can_do_without(desk: Desk) -> None:
    path = desk.write(HOUSE + "names:\n  ed: {edition: {name: House}}\n")
    (fault,) = faults_of(path, load_packs(), desk.configs, desk.users)
    assert (fault.key, place(fault)) == ("edition-unknown-key", ("house.yaml", 5, "names.ed"))
    assert fault.facts["allowed"] == ", ".join(sorted(load_packs()))
    assert "house" in load_library(None, desk.configs, desk.users).editions


# --- files by their path


@pytest.mark.parametrize("name", ["house.yaml", "house.YML", "a/b", "./house", "~/x.yaml"])
def test_a_path_names_a_file(name: str) -> None:
    assert is_file_name(name)


@pytest.mark.parametrize("name", ["secret_dictator", "house", "", "x" * 10_000, "a\0b", "yaml"])
def test_a_word_names_no_file(name: str) -> None:
    assert not is_file_name(name)


def test_a_file_that_is_there_is_one_whatever_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "house").write_text(HOUSE)
    (tmp_path / "folder").mkdir()
    assert is_file_name("house")
    assert not is_file_name("folder")


def test_a_file_anywhere_can_be_chosen_and_extend_any_edition(desk: Desk, tmp_path: Path) -> None:
    desk.write(HOUSE + "drawn: 2\n")
    path = tmp_path / "mine.yaml"
    path.write_text("id: mine\nversion: 1\nextends: house\n")
    library = desk.library(path)
    edition = library.chosen(str(path))
    assert edition is library.editions["mine"]
    assert (edition.id, edition.drawn) == ("mine", 2)


def test_a_file_of_the_user_can_be_chosen_by_its_path_too(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    path = desk.write(HOUSE)
    monkeypatch.chdir(desk.users)
    for written in (path, Path("house.yaml"), Path("./../users/house.yaml")):
        library = desk.library(written)
        assert library.left_out == ()
        assert library.chosen(str(written)) is library.editions["house"]


def test_a_shipped_file_can_be_chosen_by_its_path(desk: Desk) -> None:
    path = desk.configs / "secret_dictator.yaml"
    library = desk.library(path)
    assert library.chosen(str(path)) is library.editions[DEFAULT_EDITION]
    assert faults_of(path, {}, desk.configs, desk.users) == []


@pytest.mark.parametrize(
    ("text", "key"), [(None, "edition-unreadable"), ("", "edition-without-keys"), (WHOLE, "edition-id-taken")]
)
def test_a_file_that_is_chosen_must_be_whole(desk: Desk, tmp_path: Path, text: str | None, key: str) -> None:
    path = tmp_path / "mine.yaml"
    if text is not None:
        path.write_text(text, "utf-8")
    library = desk.library(path)
    with pytest.raises(GmError) as error:
        library.chosen(str(path))
    assert error.value.key == key


def test_an_edition_that_is_not_there_is_none(desk: Desk) -> None:
    assert desk.library().chosen("nothing") is None


# --- whatever stands there


SIGNS = st.one_of(
    st.sampled_from([*"\n\t :{}[],-#&*!|>'\"%@`?~<=\\0159\x00\x1b\ufeff\u2028", "<<: ", "? ", "- ", "!!x ", "\n  5: "]),
    st.sampled_from(
        ["yes", ".nan", "-.inf", "1e999", "0x1", "1:1", "2001-01-01", "null", "extends: house\n", "\\ud800"]
    ),
    st.text(max_size=3),
)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    path=st.sampled_from(SHIPPED),
    renamed=st.booleans(),
    edits=st.lists(st.tuples(st.floats(0, 1), st.integers(0, 30), SIGNS), min_size=1, max_size=4),
    end=st.floats(0.02, 1),
)
def test_a_changed_file_is_an_edition_or_an_error_of_ours(
    desk: Desk, path: Path, renamed: bool, edits: list[tuple[float, int, str]], end: float
) -> None:
    text = path.read_text("utf-8")
    text = text.replace(f"id: {path.stem}", "id: house") if renamed else text
    for where, gone, put in edits:
        start = int(where * len(text))
        text = text[:start] + put + text[start + gone :]
    text = text[: int(end * len(text)) + 1] if end < 0.9 else text
    target = desk.users / "house.yaml"
    target.write_bytes(text.encode("utf-8", "surrogatepass"))
    faults = faults_of(target, {}, ROOT / "configs", desk.users)
    assert all(set(fault.facts) >= FACTS and int(str(fault.facts["line"])) >= 1 for fault in faults)
    assert all(isinstance(fault, EditionError) for fault in faults)


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(content=st.binary(max_size=300))
def test_any_bytes_are_no_edition_but_an_error_of_ours(desk: Desk, content: bytes) -> None:
    target = desk.users / "house.yaml"
    target.write_bytes(content)
    faults = faults_of(target, {}, desk.configs, desk.users)
    assert faults
    assert all(set(fault.facts) >= FACTS for fault in faults)


# --- the schema


def as_json(path: Path) -> object:
    """Return a YAML file as an editor sees it: every key is a text."""
    return json.loads(json.dumps(yaml.safe_load(path.read_text("utf-8"))))


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_a_shipped_edition_fits_the_schema(path: Path) -> None:
    schema = edition_schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.Draft202012Validator(schema).validate(as_json(path))


def test_the_schema_has_every_key_of_an_edition() -> None:
    properties = edition_schema()["$defs"]["EditionContent"]["properties"]
    assert set(properties) == {*Edition.__struct_fields__, "extends"}


def test_the_schema_tells_what_the_keys_mean_and_what_they_take() -> None:
    definitions = edition_schema()["$defs"]
    assert "last one wins" in definitions["EditionContent"]["properties"]["fields"]["description"]
    assert set(definitions["Power"]["enum"]) == set(Power)
    assert "shoots" in definitions["Power"]["description"]
    objects = [one for one in definitions.values() if one.get("type") == "object"]
    assert all(one["additionalProperties"] is False for one in objects)


@pytest.mark.parametrize(
    ("text", "fits"),
    [
        (HOUSE, True),
        (HOUSE + "term_limits: {chaos_frees: true}\n", True),
        (HOUSE + "roles: {11: {liberal: 6}}\n", True),
        ("id: house\nversion: 1\n", False),
        ("version: 1\nextends: secret_dictator\n", False),
        (HOUSE + "shuffle_before: [peek, magnifier]\nterm_limits: {first_lifted: chancellor}\n", True),
        (HOUSE + "shuffle_before: peek\n", False),
        (HOUSE + "repeated_veto: 2\n", False),
        (HOUSE + "colour: red\n", False),
        (HOUSE + "roles: {seven: {liberal: 4}}\n", False),
        (HOUSE + "roles: {7: {spy: 1}}\n", False),
        (HOUSE + "powers: {7: [spy]}\n", False),
        (HOUSE + "drawn: 0\n", False),
        (HOUSE + "extends: [a]\n", False),
        (HOUSE + "id: A\n", False),
    ],
)
def test_the_schema_tells_editions_from_others(text: str, fits: bool, tmp_path: Path) -> None:
    path = tmp_path / "house.yaml"
    path.write_text(text)
    assert jsonschema.Draft202012Validator(edition_schema()).is_valid(as_json(path)) is fits


def test_what_is_merged_is_the_same_edition_as_its_content(desk: Desk) -> None:
    edition = desk.edition(HOUSE + "drawn: 2\n")
    content = yaml.safe_load(WHOLE) | {"id": "house", "drawn": 2}
    assert edition == edition_from({**content, "names": edition.names}, "house.yaml")
