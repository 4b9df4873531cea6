"""A whole game with roles in it: nothing that is printed, logged or written before its end tells who is what."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from fakes import NAMES, environment, phrase
from private_game import AFTER

from gm_assistant.journal import load
from gm_assistant.rules.events import RolesDealt
from gm_assistant.rules.model import Role

ROLE_WORDS = tuple(phrase(f"whisper-role-{role}") for role in Role)


@dataclass(frozen=True)
class Evening:
    """What a game has left behind."""

    home: Path
    out: str
    err: str
    opened: list[str]
    whispered: str

    @property
    def files(self) -> dict[str, bytes]:
        """Everything that lies in the home, without the time in its name."""
        found = (path for path in sorted(self.home.rglob("*")) if path.is_file())
        return {re.sub(r"\d{4}-\d\d-\d\d_\d\d-\d\d-\d\d", "TIME", path.name): path.read_bytes() for path in found}

    @property
    def before_the_end(self) -> str:
        """What was printed until the roles were asked for."""
        return "\n".join(self.out.splitlines()[: -len(AFTER)])

    @property
    def journal(self) -> Path:
        """The saved game."""
        (path,) = self.home.rglob("*.jsonl")
        return path

    @property
    def roles(self) -> tuple[Role, ...]:
        """Who is what: recorded before anybody was told, and the same once more afterwards."""
        before, after = (
            event
            for entry in load(self.journal).entries
            for event in getattr(entry, "events", ())
            if isinstance(event, RolesDealt)
        )
        assert (before.told, after.told) == (False, True)
        assert before.roles == after.roles
        return after.roles


def played(home: Path, seed: int) -> Evening:
    """Play the game; SEED decides who is what."""
    notes, temporary = home.with_name(f"{home.name}-notes"), home / "temporary"
    notes.mkdir()
    temporary.mkdir(parents=True)
    here = Path(__file__).parent
    variables = environment(home, here, here.parent, TMPDIR=str(temporary))
    command = [sys.executable, str(here / "private_game.py"), str(seed), str(notes / "opened")]
    done = subprocess.run(command, env=variables, cwd=home, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    opened, whispered = ((notes / name).read_text() for name in ("opened", "opened.whispered"))
    return Evening(home, done.stdout, done.stderr, opened.splitlines(), whispered)


@pytest.fixture(scope="module")
def evenings(tmp_path_factory: pytest.TempPathFactory) -> tuple[Evening, Evening]:
    """Two games that differ in nothing but the deal."""
    return played(tmp_path_factory.mktemp("one"), 1), played(tmp_path_factory.mktemp("other"), 2)


def test_the_roles_were_dealt_and_whispered_and_are_told_at_the_end(evenings: tuple[Evening, Evening]) -> None:
    one, other = evenings
    assert one.roles != other.roles
    for evening in evenings:
        assert all(words in evening.whispered for words in ROLE_WORDS)
        after = evening.out.splitlines()[-len(AFTER)]
        assert NAMES[evening.roles.index(Role.DICTATOR)] in after
    assert one.out.splitlines()[-len(AFTER)] != other.out.splitlines()[-len(AFTER)]


def test_what_is_printed_before_the_end_is_the_same_whoever_is_what(evenings: tuple[Evening, Evening]) -> None:
    one, other = evenings
    assert one.before_the_end == other.before_the_end
    assert (one.err, other.err) == ("", "")


def test_what_is_written_is_the_same_whoever_is_what_but_for_what_is_sealed(evenings: tuple[Evening, Evening]) -> None:
    one, other = (evening.files for evening in evenings)
    assert list(one) == list(other)
    assert {name: len(content) for name, content in one.items()} == {name: len(other[name]) for name in one}
    assert _without_seals_and_times(one) == _without_seals_and_times(other)
    assert any(b'"Sealed"' in content for content in one.values())


def test_no_whisper_stands_in_any_file_or_line(evenings: tuple[Evening, Evening]) -> None:
    for evening in evenings:
        everything = "\n".join((evening.before_the_end, evening.err, *map(repr, evening.files.values())))
        assert [words for words in ROLE_WORDS if words in everything] == []
        assert [role for role in Role if f'["{role}' in everything] == []
        assert "RolesDealt" not in everything


def test_nothing_is_written_elsewhere_and_nothing_temporary_stays(evenings: tuple[Evening, Evening]) -> None:
    for evening in evenings:
        elsewhere = [path for path in evening.opened if not path.startswith((str(evening.home), "/dev/"))]
        assert elsewhere == []
        assert any(path.endswith(".jsonl") for path in evening.opened)
        assert list((evening.home / "temporary").iterdir()) == []


@pytest.mark.skipif(os.name != "posix", reason="only POSIX has these modes")
def test_only_the_owner_may_read_what_holds_roles(evenings: tuple[Evening, Evening]) -> None:
    for evening in evenings:
        for path in (evening.journal, *evening.home.rglob("*.log")):
            assert path.stat().st_mode & 0o777 == 0o600
            assert path.parent.stat().st_mode & 0o777 == 0o700


def _without_seals_and_times(files: dict[str, bytes]) -> dict[str, bytes]:
    sealed = re.compile(rb'"(content|pad)":"[^"]*"')
    time = re.compile(rb"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,\d{3}")
    return {name: time.sub(b"TIME", sealed.sub(b"SEALED", content)) for name, content in files.items()}
