"""The headset in the settings file: one line changes, and whatever else stands there stays."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gm_assistant.data import DataError
from gm_assistant.settings import Settings, SettingsError, chosen_headset, load_settings

NAME = "USB Headset: Audio (hw:1,0), ALSA"
LINE = 'headset_device: "USB Headset: Audio (hw:1,0), ALSA"'


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "settings.yaml"


FILES = {
    "nothing": ("", f"{LINE}\n"),
    "comments": ("# mine\n", f"# mine\n{LINE}\n"),
    "no end of line": ("# mine", f"# mine\n{LINE}\n"),
    "another setting": ("hold_off: 1 # s\n", f"hold_off: 1 # s\n{LINE}\n"),
    "another setting without an end of line": ("hold_off: 1", f"hold_off: 1\n{LINE}\n"),
    "an old headset": ('a: 1\nheadset_device: "Old"  # black\nb: 2\n', f"a: 1\n{LINE}  # black\nb: 2\n"),
    "a headset without quotes": ("headset_device: Old one, ALSA # black\n", f"{LINE} # black\n"),
    "a headset at the end": ("headset_device: Old", LINE),
    "no headset": ("headset_device:\nhold_off: 1\n", f"{LINE}\nhold_off: 1\n"),
    "null": ("headset_device: null\n", f"{LINE}\n"),
    "a quoted key": ("'headset_device': Old\n", f"{LINE}\n"),
    "a headset in two lines": ("headset_device: Old\n  one\nhold_off: 1\n", f"{LINE}\nhold_off: 1\n"),
    "a folded headset": ("headset_device: >\n  Old\n  one\nhold_off: 1\n", f"{LINE}\nhold_off: 1\n"),
    "a name that only mentions it": ("table_device: headset_device\n", f"table_device: headset_device\n{LINE}\n"),
    "a comment that mentions it": (
        "# headset_device: Old\nhold_off: 1\n",
        f"# headset_device: Old\nhold_off: 1\n{LINE}\n",
    ),
    "Windows' ends of lines": ("# mine\r\nhold_off: 1\r\n", f"# mine\r\nhold_off: 1\r\n{LINE}\r\n"),
    "braces": ("{hold_off: 1}\n", "{" + LINE + ", hold_off: 1}\n"),
    "empty braces": ("{}\n", "{" + LINE + ", }\n"),
    "the marks of a document": ("---\nhold_off: 1\n...\n", f"---\nhold_off: 1\n{LINE}\n...\n"),
    "an indented file": ("  hold_off: 1\n", f"  hold_off: 1\n  {LINE}\n"),
    "a mark of the byte order": ("\ufeffhold_off: 1\n", f"\ufeffhold_off: 1\n{LINE}\n"),
    "a mark of the byte order before it": ("\ufeffheadset_device: Old\n", f"\ufeff{LINE}\n"),
}


def known(text: str) -> str:
    """Return settings with keys that there are in place of short ones."""
    return text.replace("a: 1", "hold_off: 1").replace("b: 2", "patience: 2")


@pytest.mark.parametrize(("before", "after"), FILES.values(), ids=FILES)
def test_one_line_changes_and_the_rest_stays(file: Path, before: str, after: str) -> None:
    file.write_bytes(known(before).encode())
    chosen_headset(file, NAME)
    assert file.read_bytes().decode() == known(after)
    assert load_settings(file).headset_device == NAME


def test_a_file_that_is_not_there_is_made_for_its_owner_only(tmp_path: Path) -> None:
    file = tmp_path / "config" / "gm_assistant" / "settings.yaml"
    chosen_headset(file, NAME)
    assert load_settings(file) == Settings(headset_device=NAME)
    assert os.name != "posix" or file.stat().st_mode & 0o777 == 0o600
    assert list(file.parent.iterdir()) == [file]


@pytest.mark.skipif(os.name != "posix", reason="only POSIX has these modes")
@pytest.mark.parametrize("mode", [0o600, 0o644])
def test_the_file_keeps_its_mode(file: Path, mode: int) -> None:
    file.write_text("hold_off: 1\n")
    file.chmod(mode)
    chosen_headset(file, NAME)
    assert file.stat().st_mode & 0o777 == mode


@pytest.mark.skipif(os.name != "posix", reason="links need rights elsewhere")
def test_a_link_stays_a_link(file: Path) -> None:
    real = file.with_name("real.yaml")
    real.write_text("# real\n")
    file.symlink_to(real)
    chosen_headset(file, NAME)
    assert file.is_symlink()
    assert real.read_text() == f"# real\n{LINE}\n"


@given(st.text(st.characters(exclude_categories=("Cs",)), min_size=1))
def test_any_name_is_read_back_as_it_was(tmp_path_factory: pytest.TempPathFactory, name: str) -> None:
    file = tmp_path_factory.mktemp("names") / "settings.yaml"
    try:
        chosen_headset(file, name)
    except (SettingsError, DataError):
        assert not file.exists()
    else:
        assert load_settings(file).headset_device == name


@given(st.text(st.characters(min_codepoint=32, max_codepoint=0x2FF, exclude_categories=("Cc",)), min_size=1))
def test_every_name_that_a_system_gives_can_be_written(tmp_path_factory: pytest.TempPathFactory, name: str) -> None:
    file = tmp_path_factory.mktemp("names") / "settings.yaml"
    chosen_headset(file, name)
    chosen_headset(file, name)
    assert load_settings(file).headset_device == name
    assert file.read_text("utf-8").count("\n") == 1


def test_broken_settings_are_not_touched(file: Path) -> None:
    for text in ("a: [", "colour: blue\n", "hold_off: -1\n", "- a\n"):
        file.write_text(text)
        with pytest.raises((SettingsError, DataError)):
            chosen_headset(file, NAME)
        assert file.read_text() == text


def test_a_folder_that_is_in_the_way_is_told(tmp_path: Path) -> None:
    (tmp_path / "config").write_text("in the way")
    with pytest.raises(SettingsError) as refused:
        chosen_headset(tmp_path / "config" / "settings.yaml", NAME)
    assert refused.value.key == "settings-unwritable"


def test_a_write_that_fails_leaves_the_old_file_and_nothing_else(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    file.write_text("hold_off: 1\n")
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(SettingsError) as refused:
        chosen_headset(file, NAME)
    assert refused.value.facts == {"file": str(file), "problem": "No space left on device", "setting": "headset_device"}
    assert file.read_text() == "hold_off: 1\n"
    assert list(file.parent.iterdir()) == [file]
