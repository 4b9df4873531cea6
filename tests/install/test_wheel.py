"""The package as it is installed: from a wheel, away from the clone, with nothing but its own dependencies."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest

ROOT = Path(__file__).resolve().parents[2]
PROGRAMS = "Scripts" if sys.platform == "win32" else "bin"
SECONDS = 600

pytestmark = pytest.mark.install


def output(*command: str | Path, folder: Path, **variables: str) -> str:
    """Standard output of a command that must end well, with an empty standard input."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"} | variables
    done = subprocess.run(
        command,
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        timeout=SECONDS,
        check=False,
    )
    assert done.returncode == 0, f"{command} ended with {done.returncode}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def pip(*arguments: str | Path, folder: Path) -> None:
    output(sys.executable, "-m", "pip", "--disable-pip-version-check", *arguments, folder=folder)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    pip("wheel", "-q", "--no-deps", "--wheel-dir", folder, ROOT, folder=folder)
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def elsewhere(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a virtual environment in which there is the wheel and what it depends on."""
    folder = tmp_path_factory.mktemp("elsewhere")
    # Without pip, which Debian's Python cannot give it; this environment's pip installs into that one.
    output(sys.executable, "-m", "venv", "--without-pip", folder / "environment", folder=folder)
    python = folder / "environment" / PROGRAMS / "python"
    pip("--python", python, "install", "-q", "--prefer-binary", wheel, folder=folder)
    return folder


@pytest.fixture
def program(elsewhere: Path) -> Path:
    return elsewhere / "environment" / PROGRAMS / "gm-assistant"


def test_the_wheel_holds_every_edition_and_every_language_pack(wheel: Path) -> None:
    data = [path for folder in ("configs", "voices") for path in (ROOT / folder).rglob("*.yaml")]
    inside = set(ZipFile(wheel).namelist())
    assert data
    assert [path for path in data if f"gm_assistant/{path.relative_to(ROOT).as_posix()}" not in inside] == []


def test_the_installed_program_lists_its_phrases(program: Path, elsewhere: Path) -> None:
    phrases = output(program, "phrases", "--language", "en", folder=elsewhere)
    assert len(phrases.splitlines()) > 1


def test_the_installed_program_ends_well_when_nobody_types(program: Path, elsewhere: Path, tmp_path: Path) -> None:
    play = (program, "play", "--input", "keyboard", "--output", "text")
    output(*play, folder=elsewhere, HOME=str(tmp_path), XDG_DATA_HOME=str(tmp_path), XDG_CONFIG_HOME=str(tmp_path))
