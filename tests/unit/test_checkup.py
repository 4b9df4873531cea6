"""What `gm-assistant check` tells on a computer without sound, without devices, without models."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest
from fakes import Ran, environment, library, phrase, program
from hidden import WITHOUT_DEVICES, WITHOUT_PORTAUDIO, hidden_sound


@dataclass
class Checked:
    """A home, and what a check told there."""

    home: Path
    ran: Ran


def checked(home: Path, sound: str, *flags: str) -> Ran:
    return program(home, "check", *flags, variables=environment(home, hidden_sound(home, sound)))


@pytest.fixture(scope="module")
def no_portaudio(tmp_path_factory: pytest.TempPathFactory) -> Checked:
    home = tmp_path_factory.mktemp("home")
    return Checked(home, checked(home, WITHOUT_PORTAUDIO))


@pytest.fixture(scope="module")
def no_devices(tmp_path_factory: pytest.TempPathFactory) -> Checked:
    home = tmp_path_factory.mktemp("home")
    return Checked(home, checked(home, WITHOUT_DEVICES))


@pytest.mark.parametrize("computer", ["no_portaudio", "no_devices"])
def test_a_check_tells_every_thing_once_and_ends_well(computer: str, request: pytest.FixtureRequest) -> None:
    told: Checked = request.getfixturevalue(computer)
    assert (told.ran.status, told.ran.err) == (0, "")
    file = told.home / "config" / "gm_assistant" / "settings.yaml"
    assert told.ran.lines[0] == phrase("check-settings", path=str(file))
    assert len(told.ran.lines) == len(set(told.ran.lines))
    assert all(line.isprintable() and line.endswith(".") for line in told.ran.lines)
    assert phrase("check-no-headset") in told.ran.lines


def test_a_missing_sound_library_is_told_with_its_remedy(no_portaudio: Checked) -> None:
    assert phrase("no-portaudio") in no_portaudio.ran.lines


def test_missing_devices_are_told_each_with_its_remedy(no_devices: Checked) -> None:
    assert phrase("no-speaker") in no_devices.ran.lines
    assert phrase("no-microphone") in no_devices.ran.lines


def test_every_language_has_a_line_about_its_model(no_devices: Checked) -> None:
    models = no_devices.home / "data" / "gm_assistant" / "models"
    for language in library().packs:
        key = "check-embedded-model" if language == "en" else "no-model"
        assert phrase(key, language=language, path=str(models / language)) in no_devices.ran.lines


def test_a_model_that_is_none_and_a_device_that_is_gone_are_told(tmp_path: Path) -> None:
    model = tmp_path / "data" / "gm_assistant" / "models" / "en"
    model.mkdir(parents=True)
    file = tmp_path / "mine.yaml"
    file.write_text("table_device: Loud")
    ran = checked(tmp_path, WITHOUT_DEVICES, "--settings", str(file))
    assert (ran.status, ran.err) == (0, "")
    assert ran.lines[0] == phrase("check-settings", path=str(file))
    assert phrase("model-unusable", path=str(model)) in ran.lines
    assert any("Loud" in line for line in ran.lines)


def test_broken_settings_are_told_instead(tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text("a: [")
    ran = program(tmp_path, "check", "--settings", str(file))
    assert (ran.status, len(ran.lines), ran.err) == (2, 1, "")
    assert str(file) in ran.out
