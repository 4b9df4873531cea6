"""The decisions of the first use on a fresh machine, and the order in which they are carried out."""

from __future__ import annotations

import ast
import sys
import tomllib
from dataclasses import dataclass, field, replace
from pathlib import Path
from string import Formatter
from typing import TYPE_CHECKING

import pytest

from gm_assistant import bootstrap
from gm_assistant.bootstrap import (
    SENTENCES,
    USES,
    BootstrapError,
    Installation,
    Machine,
    Preparation,
    Step,
    check_python,
    missing_packages,
    next_step,
    package_commands,
    program_path,
    read_stamp,
    requirement,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

PLAY, TEST = USES["play"], USES["test"]
SOURCE = Path(bootstrap.__file__)
DEBIAN = Machine(programs=frozenset({"apt-get", "dpkg-query"}))
WANTED = Installation("/clone", (3, 11), "sum", ("test", "rehearsal"))


# Which system packages are missing


def test_on_a_bare_machine_play_misses_the_loudspeaker_library_only() -> None:
    assert missing_packages(PLAY.packages, DEBIAN) == ("libportaudio2",)


def test_on_a_bare_machine_the_tests_miss_the_whole_rig() -> None:
    rig = ("libportaudio2", "pulseaudio", "pulseaudio-utils", "libasound2-plugins", "espeak-ng", "sox")
    assert missing_packages(TEST.packages, DEBIAN) == rig


def test_an_installed_package_is_not_missing() -> None:
    machine = replace(DEBIAN, installed=frozenset({"libportaudio2", "sox", "espeak-ng"}))
    assert missing_packages(TEST.packages, machine) == ("pulseaudio", "pulseaudio-utils", "libasound2-plugins")


def test_a_library_that_came_without_a_package_is_not_missing() -> None:
    assert missing_packages(PLAY.packages, Machine(libraries=frozenset({"portaudio"}))) == ()


def test_nothing_is_missing_where_the_wheels_bring_everything() -> None:
    assert missing_packages(TEST.packages, Machine(linux=False)) == ()


# Which commands install them


def test_nothing_missing_means_no_command() -> None:
    assert package_commands((), replace(DEBIAN, administrator=True)) == ()


def test_an_administrator_installs_directly_after_an_update() -> None:
    update, install = package_commands(("sox",), replace(DEBIAN, administrator=True))
    assert update[:3] == ("env", "DEBIAN_FRONTEND=noninteractive", "apt-get")
    assert update[-1] == "update"
    assert install[:3] == update[:3]
    assert "install" in install
    assert install[-1] == "sox"


def test_the_installation_never_removes_a_package_and_never_asks() -> None:
    *_, install = package_commands(("pulseaudio",), replace(DEBIAN, administrator=True))
    assert {"--no-remove", "--yes"} <= set(install)


def test_a_user_at_a_terminal_may_be_asked_for_the_password() -> None:
    machine = replace(DEBIAN, terminal=True, programs=frozenset({"apt-get", "sudo"}))
    assert [command[:2] for command in package_commands(("sox",), machine)] == [("sudo", "env"), ("sudo", "env")]


def test_a_user_without_a_terminal_is_never_asked_for_a_password() -> None:
    machine = replace(DEBIAN, terminal=False, programs=frozenset({"apt-get", "sudo"}))
    assert [command[:3] for command in package_commands(("sox",), machine)] == [("sudo", "-n", "env")] * 2


def test_a_user_without_sudo_has_no_command() -> None:
    assert package_commands(("sox",), DEBIAN) == ()


def test_a_system_without_apt_has_no_command() -> None:
    assert package_commands(("sox",), Machine(administrator=True, programs=frozenset({"sudo"}))) == ()


# What the environment needs


def test_the_same_installation_needs_nothing() -> None:
    assert next_step(WANTED, WANTED, runs=True, complete=True) is Step.NOTHING


def test_an_installation_for_the_tests_serves_a_game() -> None:
    assert next_step(WANTED, replace(WANTED, extras=()), runs=True, complete=True) is Step.NOTHING


def test_an_installation_for_a_game_lacks_what_the_tests_need() -> None:
    assert next_step(replace(WANTED, extras=()), WANTED, runs=True, complete=True) is Step.INSTALL


def test_a_changed_pyproject_is_installed_again() -> None:
    assert next_step(replace(WANTED, pyproject="old"), WANTED, runs=True, complete=True) is Step.INSTALL


def test_a_lost_program_is_installed_again() -> None:
    assert next_step(WANTED, WANTED, runs=True, complete=False) is Step.INSTALL


@pytest.mark.parametrize(
    "recorded",
    [None, replace(WANTED, root="/elsewhere"), replace(WANTED, python=(3, 12))],
    ids=["half made", "moved", "other Python"],
)
def test_an_environment_that_cannot_be_trusted_is_made_anew(recorded: Installation | None) -> None:
    assert next_step(recorded, WANTED, runs=True, complete=True) is Step.MAKE_AND_INSTALL


def test_an_environment_whose_python_is_gone_is_made_anew() -> None:
    assert next_step(WANTED, WANTED, runs=False, complete=True) is Step.MAKE_AND_INSTALL


def test_a_stamp_is_read_as_it_was_written() -> None:
    assert read_stamp(WANTED.stamp()) == WANTED


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", "null", '{"root": "/clone"}', WANTED.stamp()[:-5]])
def test_a_broken_stamp_counts_as_none(text: str) -> None:
    assert read_stamp(text) is None


def test_the_clone_is_named_with_the_extras_it_needs() -> None:
    assert requirement(PLAY.extras) == "."
    assert requirement(TEST.extras) == ".[test,rehearsal]"


def test_programs_are_where_each_system_keeps_them() -> None:
    assert program_path(Path("e"), "gm-assistant", windows=False) == Path("e/bin/gm-assistant")
    assert program_path(Path("e"), "gm-assistant", windows=True) == Path("e/Scripts/gm-assistant.exe")


# Carrying it out


@dataclass
class Clone:
    """A folder with a pyproject.toml, and a recorder in the place of the machine.

    Commands fail if one of their words is in `broken`; one that makes the environment puts its programs there.
    """

    root: Path
    broken: frozenset[str] = frozenset()
    commands: list[tuple[str, ...]] = field(default_factory=list)
    variables: list[Mapping[str, str]] = field(default_factory=list)
    said: list[str] = field(default_factory=list)

    def run(self, command: Sequence[str], variables: Mapping[str, str]) -> int:
        self.commands.append(tuple(command))
        self.variables.append(variables)
        if self.broken & set(command):
            return 1
        if "--clear" in command:
            programs = self.root / ".venv" / "bin"
            programs.mkdir(parents=True, exist_ok=True)
            for name in ("python", "gm-assistant"):
                (programs / name).touch()
        return 0

    def say(self, key: str, facts: Mapping[str, object]) -> None:
        assert SENTENCES[key].format(**facts)
        self.said.append(key)

    def prepare(
        self, use: str = "play", machine: Machine | None = None, arguments: tuple[str, ...] = ()
    ) -> tuple[str, ...]:
        equipped = replace(DEBIAN, installed=frozenset(package.name for package in USES[use].packages))
        preparation = Preparation(self.root, "python3", (3, 11), machine or equipped, self.run, self.say)
        return preparation.command(USES[use], arguments)


@pytest.fixture
def clone(tmp_path: Path) -> Clone:
    root = tmp_path / "a clone with späces"
    root.mkdir()
    (root / "pyproject.toml").write_text("[project]", encoding="utf-8")
    return Clone(root)


def installs(clone: Clone) -> list[str]:
    return [command[-1] for command in clone.commands if "--editable" in command]


def test_the_first_game_makes_installs_and_hands_over(clone: Clone) -> None:
    command = clone.prepare("play", arguments=("--language", "de"))
    assert command == (str(clone.root / ".venv/bin/gm-assistant"), "play", "--language", "de")
    assert clone.said == ["environment", "installing"]
    assert installs(clone) == ["."]


def test_the_second_game_runs_no_command_and_says_nothing(clone: Clone) -> None:
    clone.prepare()
    clone.commands.clear()
    clone.said.clear()
    clone.prepare()
    assert clone.commands == []
    assert clone.said == []


def test_the_tests_are_handed_to_pytest(clone: Clone) -> None:
    command = clone.prepare("test", arguments=("-q",))
    assert command == (str(clone.root / ".venv/bin/python"), "-m", "tests", "-q")
    assert installs(clone) == [".[test,rehearsal]"]


def test_a_change_of_pyproject_installs_into_the_same_environment(clone: Clone) -> None:
    clone.prepare()
    (clone.root / "pyproject.toml").write_text("[project]\n", encoding="utf-8")
    clone.commands.clear()
    clone.prepare()
    assert len(clone.commands) == len(installs(clone)) == 1


def test_a_failed_installation_is_tried_again_without_making_the_environment_anew(clone: Clone) -> None:
    clone.broken = frozenset({"--editable"})
    with pytest.raises(BootstrapError, match="failed"):
        clone.prepare()
    clone.broken = frozenset()
    clone.commands.clear()
    clone.prepare()
    assert len(clone.commands) == len(installs(clone)) == 1


def test_an_environment_whose_making_was_cut_short_is_made_anew(clone: Clone) -> None:
    (clone.root / ".venv/bin").mkdir(parents=True)
    (clone.root / ".venv/bin/python").touch()
    clone.prepare()
    assert clone.said == ["environment", "installing"]


def test_a_python_without_ensurepip_makes_the_environment_with_virtualenv_from_a_folder_of_its_own(
    clone: Clone,
) -> None:
    clone.prepare(machine=replace(DEBIAN, ensurepip=False, linux=False))
    fetch, make, _ = clone.commands
    folder = fetch[fetch.index("--target") + 1]
    assert fetch[-1] == "virtualenv"
    assert make[:3] == ("python3", "-m", "virtualenv")
    assert clone.variables[1]["PYTHONPATH"] == folder
    assert not Path(folder).exists()


def test_a_python_without_any_pip_says_what_to_install(clone: Clone) -> None:
    with pytest.raises(BootstrapError, match="no_pip"):
        clone.prepare(machine=Machine(linux=False, ensurepip=False, pip=False))


def test_system_packages_that_fail_to_install_do_not_stop_the_game(clone: Clone) -> None:
    clone.broken = frozenset({"apt-get"})
    clone.prepare(machine=replace(DEBIAN, administrator=True))
    assert clone.said == ["packages", "packages_missing", "environment", "installing"]


def test_an_update_that_fails_does_not_stop_the_packages(clone: Clone) -> None:
    clone.broken = frozenset({"update"})
    clone.prepare(machine=replace(DEBIAN, administrator=True))
    assert clone.said == ["packages", "environment", "installing"]


def test_a_user_who_cannot_install_packages_is_told_which_are_missing(clone: Clone) -> None:
    clone.prepare(machine=DEBIAN)
    assert clone.said[0] == "packages_missing"


def test_a_folder_without_pyproject_is_no_clone(clone: Clone) -> None:
    (clone.root / "pyproject.toml").unlink()
    with pytest.raises(BootstrapError, match="no_clone"):
        clone.prepare()


# The file itself


@pytest.mark.parametrize("version", [(3, 9), (3, 10), (3, 14)])
def test_an_unsupported_python_is_refused_in_a_sentence(version: tuple[int, int]) -> None:
    with pytest.raises(BootstrapError) as refusal:
        check_python(version)
    assert refusal.value.code == 2
    assert SENTENCES[refusal.value.key].format(**refusal.value.facts).endswith(f"this is Python 3.{version[1]}.")


def test_the_supported_pythons_are_those_of_pyproject() -> None:
    project = tomllib.loads((SOURCE.parent.parent / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    oldest, newest = bootstrap.OLDEST_PYTHON, bootstrap.NEWEST_PYTHON
    assert project["requires-python"] == f">={oldest[0]}.{oldest[1]},<{newest[0]}.{newest[1] + 1}"
    check_python(oldest)
    check_python(newest)


def test_the_extras_exist_in_pyproject() -> None:
    project = tomllib.loads((SOURCE.parent.parent / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert set(TEST.extras) <= set(project["optional-dependencies"])


def test_an_old_python_can_read_the_file_and_what_is_imported_with_it() -> None:
    for source in (SOURCE, SOURCE.parent / "__init__.py"):
        ast.parse(source.read_text(encoding="utf-8"), feature_version=(3, 9))


def test_nothing_outside_the_standard_library_is_imported() -> None:
    imported = set()
    for node in ast.walk(ast.parse(SOURCE.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            imported |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            imported.add((node.module or "").partition(".")[0])
    assert imported <= sys.stdlib_module_names


def test_every_sentence_that_is_said_exists_and_none_is_idle() -> None:
    tree = ast.parse(SOURCE.read_text(encoding="utf-8"))
    words = [node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)]
    assert all(words.count(key) >= 2 for key in SENTENCES), "a sentence is never said"


def test_every_gap_of_a_sentence_is_a_plain_name() -> None:
    for sentence in SENTENCES.values():
        assert all(name is None or name.split("[")[0].isidentifier() for _, name, _, _ in Formatter().parse(sentence))
