"""The first use on a fresh machine: make `.venv` in the clone, install the clone into it, hand over to it.

    python3 -m gm_assistant.bootstrap play [arguments of `gm-assistant play`]
    python3 -m gm_assistant.bootstrap test [arguments of pytest]

Standard library only, in the syntax of Python 3.9, so that an older Python gets as far as saying that it is too old.
The decisions come first and touch nothing; `Preparation` carries them out through one callable, `survey` and `main`
are the only ones that look at the machine.
"""

from __future__ import annotations

import ctypes.util
import enum
import hashlib
import importlib.util
import json
import locale
import os
import shutil
import subprocess
import sys
import tempfile
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import NoReturn

# The one exception to "prose lives in voices/": these are said before anything is installed that could read a
# language pack.
SENTENCES = {
    "usage": "Say what to do: python3 -m gm_assistant.bootstrap play, or python3 -m gm_assistant.bootstrap test.",
    "python_unsupported": "gm_assistant needs Python {oldest[0]}.{oldest[1]} to {newest[0]}.{newest[1]}, "
    "and this is Python {found[0]}.{found[1]}.",
    "no_clone": "There is no pyproject.toml in {root}. Start this from a clone of gm_assistant.",
    "not_writable": "This user may not write to {root}. Start gm_assistant from a clone in a folder of your own.",
    "no_pip": "This Python has no pip. Install it (Debian, Ubuntu: apt-get install python3-pip) and start again.",
    "packages": "Installing system packages: {packages}.",
    "packages_missing": "Going on without these system packages, which could not be installed: {packages}.",
    "environment": "Making the Python environment .venv.",
    "installing": "Installing into .venv. The first time this takes a few minutes.",
    "failed": "The installation failed; the reason stands above. "
    "Check the internet connection and start again: what is already there is kept.",
}

OLDEST_PYTHON = (3, 11)
NEWEST_PYTHON = (3, 13)
UNABLE, MISUSED, INTERRUPTED = 1, 2, 130


class BootstrapError(Exception):
    """The use cannot be started; `key` names one of `SENTENCES`, `facts` fill its gaps."""

    def __init__(self, key: str, code: int = UNABLE, **facts: object) -> None:
        super().__init__(key, facts)
        self.key = key
        self.code = code
        self.facts = facts


@dataclass(frozen=True)
class SystemPackage:
    """A package of Debian and Ubuntu, and the shared library that does as well if it came another way."""

    name: str
    library: str = ""


@dataclass(frozen=True)
class Use:
    """What one of the two uses needs and what it starts: a program of the environment and its first arguments."""

    extras: tuple[str, ...]
    packages: tuple[SystemPackage, ...]
    program: str
    arguments: tuple[str, ...]


_LOUDSPEAKER = SystemPackage("libportaudio2", library="portaudio")
_RIG = ("pulseaudio", "pulseaudio-utils", "libasound2-plugins", "espeak-ng", "sox")

USES = {
    "play": Use(extras=(), packages=(_LOUDSPEAKER,), program="gm-assistant", arguments=("play",)),
    "test": Use(
        extras=("test", "rehearsal"),
        packages=(_LOUDSPEAKER, *map(SystemPackage, _RIG)),
        program="python",
        arguments=("-m", "tests"),
    ),
}


@dataclass(frozen=True)
class Machine:
    """What has to be known of the machine; `programs`, `installed` and `libraries` hold only what was looked for."""

    windows: bool = False
    linux: bool = True
    administrator: bool = False
    terminal: bool = False
    ensurepip: bool = True
    pip: bool = True
    programs: frozenset[str] = frozenset()
    installed: frozenset[str] = frozenset()
    libraries: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Installation:
    """What an environment was made from, as its stamp records it."""

    root: str
    python: tuple[int, int]
    pyproject: str
    extras: tuple[str, ...]

    def same_environment(self, other: Installation) -> bool:
        """Whether one environment serves both; its programs hold the path of its folder and of its Python."""
        return (self.root, self.python) == (other.root, other.python)

    def covers(self, wanted: Installation) -> bool:
        """Whether nothing has to be installed for `wanted`."""
        return self.pyproject == wanted.pyproject and set(wanted.extras) <= set(self.extras)

    def stamp(self) -> str:
        """Write down for `read_stamp`."""
        return json.dumps(asdict(self))


class Step(enum.Enum):
    """What the environment needs before it can be used."""

    NOTHING = enum.auto()
    INSTALL = enum.auto()
    MAKE_AND_INSTALL = enum.auto()


def check_python(found: tuple[int, int]) -> None:
    """Refuse a Python that the installation would refuse later in many more words."""
    if not OLDEST_PYTHON <= found <= NEWEST_PYTHON:
        raise BootstrapError("python_unsupported", MISUSED, oldest=OLDEST_PYTHON, newest=NEWEST_PYTHON, found=found)


def read_stamp(text: str) -> Installation | None:
    """Read what `Installation.stamp` wrote; anything else is None."""
    try:
        fields = json.loads(text)
        major, minor = fields["python"]
        return Installation(fields["root"], (major, minor), fields["pyproject"], tuple(fields["extras"]))
    except (ValueError, KeyError, TypeError):
        return None


def next_step(recorded: Installation | None, wanted: Installation, *, runs: bool, complete: bool) -> Step:
    """Decide on an environment of which `recorded` is the stamp.

    Without a stamp its making was cut short. `runs`: its Python is there; `complete`: so is what is to be started.
    """
    if recorded is None or not runs or not recorded.same_environment(wanted):
        return Step.MAKE_AND_INSTALL
    return Step.NOTHING if complete and recorded.covers(wanted) else Step.INSTALL


def missing_packages(packages: Sequence[SystemPackage], machine: Machine) -> tuple[str, ...]:
    """Names of the packages to install; on other systems than Linux the wheels bring all that is needed."""
    if not machine.linux:
        return ()
    return tuple(p.name for p in packages if p.name not in machine.installed and p.library not in machine.libraries)


def package_commands(missing: Sequence[str], machine: Machine) -> tuple[tuple[str, ...], ...]:
    """Build the commands that install packages, in order; none if there are none or this user may not."""
    if not missing or "apt-get" not in machine.programs:
        return ()
    if machine.administrator:
        rights: tuple[str, ...] = ()
    elif "sudo" in machine.programs:
        # -n: fail rather than ask for a password that nobody can type.
        rights = ("sudo",) if machine.terminal else ("sudo", "-n")
    else:
        return ()
    apt = (*rights, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-qq", "-o", "DPkg::Lock::Timeout=120")
    # --no-remove: never take a desktop's own sound server away to make room for another.
    return (*apt, "update"), (*apt, "install", "--yes", "--no-remove", "--no-install-recommends", *missing)


def program_path(environment: Path, name: str, *, windows: bool) -> Path:
    """Where a virtual environment keeps a program."""
    return environment / "Scripts" / f"{name}.exe" if windows else environment / "bin" / name


def pip_install(python: str, *what: str) -> tuple[str, ...]:
    """Build the command of a silent installation that shows errors only."""
    # --prefer-binary: an older wheel rather than a newer source that needs a compiler.
    quiet = ("-qq", "--no-input", "--progress-bar=off", "--disable-pip-version-check", "--prefer-binary")
    return (python, "-m", "pip", "install", *quiet, *what)


def requirement(extras: Sequence[str]) -> str:
    """Name the clone as seen from its own folder, so that no character of its path can be misread by pip."""
    return f".[{','.join(extras)}]" if extras else "."


@dataclass(frozen=True)
class Preparation:
    """Everything between a clone and a command that can be started.

    `run(command, environment variables)` gives the exit code of a command that ran in `root`;
    `say(key, facts)` tells the user one of `SENTENCES`.
    """

    root: Path
    python: str
    version: tuple[int, int]
    machine: Machine
    run: Callable[[Sequence[str], Mapping[str, str]], int]
    say: Callable[[str, Mapping[str, object]], None]

    def command(self, use: Use, arguments: Sequence[str]) -> tuple[str, ...]:
        """Prepare the use and return the command that is it."""
        if not (self.root / "pyproject.toml").is_file():
            raise BootstrapError("no_clone", MISUSED, root=self.root)
        self.bring_packages(use)
        self.bring_environment(use)
        return (str(self._program(use.program)), *use.arguments, *arguments)

    def bring_packages(self, use: Use) -> None:
        """Install the system packages that are missing; whatever fails here stops nothing."""
        missing = missing_packages(use.packages, self.machine)
        if not missing:
            return
        facts = {"packages": " ".join(missing)}
        commands = package_commands(missing, self.machine)
        if commands:
            self.say("packages", facts)
        # A failed update may still leave usable lists, so the last exit code is the one that counts.
        codes = [self.run(command, {}) for command in commands]
        if not codes or codes[-1] != 0:
            self.say("packages_missing", facts)

    def bring_environment(self, use: Use) -> None:
        """Make, repair or renew the environment as far as needed."""
        wanted = self._wanted(use)
        python, program = self._program("python"), self._program(use.program)
        step = next_step(self._recorded(), wanted, runs=python.exists(), complete=program.exists())
        if step is Step.NOTHING:
            return
        if not os.access(self._environment if self._environment.exists() else self.root, os.W_OK):
            raise BootstrapError("not_writable", root=self.root)
        if step is Step.MAKE_AND_INSTALL:
            self.say("environment", {})
            self._make()
        # Until the installation is through, the stamp promises an environment with nothing in it.
        self._record(replace(wanted, pyproject="", extras=()))
        self.say("installing", {})
        self._must_run(pip_install(str(python), "--editable", requirement(use.extras)))
        self._record(wanted)

    def _make(self) -> None:
        if self.machine.ensurepip:
            self._must_run((self.python, "-m", "venv", "--clear", str(self._environment)))
        elif self.machine.pip:
            self._make_with_virtualenv()
        else:
            raise BootstrapError("no_pip")

    def _make_with_virtualenv(self) -> None:
        """Make the environment where Debian has left ensurepip out of Python.

        `pip install --target` is allowed where PEP 668 forbids to install, and leaves no trace outside its folder.
        """
        with tempfile.TemporaryDirectory() as folder:
            self._must_run(pip_install(self.python, "--target", folder, "virtualenv"))
            make = ("--quiet", "--clear", "--no-periodic-update", "--app-data", str(Path(folder, "data")))
            self._must_run((self.python, "-m", "virtualenv", *make, str(self._environment)), PYTHONPATH=folder)

    def _must_run(self, command: Sequence[str], **variables: str) -> None:
        # A user's own pip settings for everyday use would forbid or misdirect what is done here.
        if self.run(command, {"PIP_USER": "0", "PIP_REQUIRE_VIRTUALENV": "0", **variables}) != 0:
            raise BootstrapError("failed")

    def _wanted(self, use: Use) -> Installation:
        pyproject = hashlib.sha256((self.root / "pyproject.toml").read_bytes()).hexdigest()
        return Installation(str(self.root), self.version, pyproject, use.extras)

    def _recorded(self) -> Installation | None:
        return read_stamp(self._stamp.read_text(encoding="utf-8")) if self._stamp.is_file() else None

    def _record(self, installation: Installation) -> None:
        self._stamp.write_text(installation.stamp(), encoding="utf-8")

    def _program(self, name: str) -> Path:
        return program_path(self._environment, name, windows=self.machine.windows)

    @property
    def _environment(self) -> Path:
        return self.root / ".venv"

    @property
    def _stamp(self) -> Path:
        return self._environment / "gm-assistant-installed.json"


def survey(packages: Sequence[SystemPackage]) -> Machine:
    """Look at this machine."""
    linux = sys.platform.startswith("linux")
    programs = frozenset(name for name in ("apt-get", "dpkg-query", "sudo") if shutil.which(name))
    installed = _installed(packages) if "dpkg-query" in programs else frozenset()
    libraries = {p.library for p in packages if linux and p.library and p.name not in installed}
    return Machine(
        windows=sys.platform == "win32",
        linux=linux,
        administrator=hasattr(os, "geteuid") and os.geteuid() == 0,
        terminal=sys.stdin is not None and sys.stdin.isatty(),
        ensurepip=importlib.util.find_spec("ensurepip") is not None,
        pip=importlib.util.find_spec("pip") is not None,
        programs=programs,
        installed=installed,
        libraries=frozenset(library for library in libraries if ctypes.util.find_library(library)),
    )


def _installed(packages: Sequence[SystemPackage]) -> frozenset[str]:
    query = ("dpkg-query", "--show", "--showformat", "${Package} ${db:Status-Status}\n", *(p.name for p in packages))
    # The names are constants of this file (S603).
    answer = subprocess.run(query, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)  # noqa: S603
    lines = map(str.split, answer.stdout.splitlines())
    return frozenset(name for name, *state in lines if state == ["installed"])


def _run(command: Sequence[str], variables: Mapping[str, str], folder: Path) -> int:
    # Standard input and output belong to what comes after. Errors are shown.
    quiet = partial(subprocess.run, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, check=False)
    try:
        return quiet(command, cwd=folder, env={**os.environ, **variables}).returncode
    except OSError:
        return UNABLE


def _say(key: str, facts: Mapping[str, object]) -> None:
    # Standard error: standard output belongs to what is started.
    print(SENTENCES[key].format(**facts), file=sys.stderr, flush=True)


def _hand_over(command: tuple[str, ...]) -> NoReturn:
    # To start what the user asked for, with the user's own arguments, is the purpose (S603, S606).
    if sys.platform == "win32":  # has no real exec: the shell would not wait
        sys.exit(subprocess.run(command, check=False).returncode)  # noqa: S603
    os.execv(command[0], command)  # noqa: S606


def _let_python_find(root: Path) -> None:
    # Python reads the path of the clone from a .pth file, in the encoding of the locale and before anything else;
    # where that is plain ASCII (LC_ALL=C), an umlaut in the path stops it.
    if not str(root).isascii() and sys.platform != "win32" and locale.getencoding().lower() != "utf-8":
        os.environ["LC_ALL"] = "C.UTF-8"


def prepared(arguments: Sequence[str]) -> tuple[str, ...]:
    """Prepare what the arguments ask for and return the command that starts it."""
    check_python(sys.version_info[:2])
    if not arguments or arguments[0] not in USES:
        raise BootstrapError("usage", MISUSED)
    use = USES[arguments[0]]
    root = Path(__file__).resolve().parent.parent
    _let_python_find(root)
    preparation = Preparation(
        root=root,
        python=sys.executable,
        version=sys.version_info[:2],
        machine=survey(use.packages),
        run=partial(_run, folder=root),
        say=_say,
    )
    return preparation.command(use, arguments[1:])


def main(arguments: Sequence[str]) -> int:
    """Prepare, then become what was asked for; return an exit code if that is not possible."""
    try:
        _hand_over(prepared(arguments))
    except BootstrapError as error:
        _say(error.key, error.facts)
        return error.code
    except KeyboardInterrupt:
        return INTERRUPTED


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
