"""A game on a computer without sound, devices or models: it says what is missing, then goes on by keyboard and text."""

from __future__ import annotations

import wave
from pathlib import Path

import pytest
from fakes import GAME, LIBERAL_GAME, PLAYERS, Ran, environment, library, phrase, program
from hidden import WITHOUT_DEVICES, WITHOUT_PORTAUDIO, hidden_sound

from gm_assistant.dialogue.messages import Message, Term

DEVICES = ("play", "--language", "en", *PLAYERS, "--first", "Anna")
WHOLE_GAME = "\n".join((*LIBERAL_GAME, "yes confirm", "whisper who is president", "quit")) + "\n"
WON = phrase("won-laws", party=Term("liberal"), number=5)

MISSING = {
    "no PortAudio": (WITHOUT_PORTAUDIO, ["no-portaudio"]),
    "no devices": (WITHOUT_DEVICES, ["no-speaker", "no-microphone"]),
}


def played(home: Path, sound: str, *flags: str, typed: str = WHOLE_GAME) -> Ran:
    return program(home, *flags, typed=typed, variables=environment(home, hidden_sound(home, sound)))


@pytest.mark.parametrize(("sound", "keys"), MISSING.values(), ids=MISSING)
def test_what_is_missing_is_told_once_and_the_game_is_played_to_its_end(
    tmp_path: Path, sound: str, keys: list[str]
) -> None:
    ran = played(tmp_path, sound, *DEVICES)
    assert (ran.status, ran.err) == (0, "")
    assert ran.lines[: len(keys)] == [f"table: {phrase(key)}" for key in keys]
    assert len(ran.lines) == len(keys) + 1 + len(WHOLE_GAME.splitlines())
    assert WON in ran.out
    assert ran.lines[-2] == f"headset: {phrase('headset-hidden')}"


@pytest.mark.parametrize("sound", [WITHOUT_PORTAUDIO, WITHOUT_DEVICES], ids=MISSING)
def test_who_wants_keyboard_and_text_hears_of_nothing_missing(tmp_path: Path, sound: str) -> None:
    ran = played(tmp_path, sound, *GAME)
    assert (ran.status, ran.err) == (0, "")
    assert len(ran.lines) == 1 + len(WHOLE_GAME.splitlines())


@pytest.mark.parametrize(
    ("flags", "key"), [(("--input", "keyboard"), "no-speaker"), (("--output", "text"), "no-microphone")]
)
def test_only_what_was_wanted_can_be_missing(tmp_path: Path, flags: tuple[str, ...], key: str) -> None:
    ran = played(tmp_path, WITHOUT_DEVICES, *DEVICES, *flags)
    assert ran.lines[0] == f"table: {phrase(key)}"
    assert len(ran.lines) == 2 + len(WHOLE_GAME.splitlines())


def test_a_device_that_is_not_there_is_named(tmp_path: Path) -> None:
    flags = (*DEVICES, "--table-device", "Loud", "--microphone-device", "Mic", "--headset-device", "Head")
    ran = played(tmp_path, WITHOUT_DEVICES, *flags)
    assert (ran.status, ran.err) == (0, "")
    assert "Loud" in ran.lines[0]
    assert "Mic" in ran.lines[1]
    assert WON in ran.out


@pytest.mark.parametrize("sound", [WITHOUT_PORTAUDIO, WITHOUT_DEVICES], ids=MISSING)
def test_an_open_microphone_that_is_not_there_is_told(tmp_path: Path, sound: str) -> None:
    ran = played(tmp_path, sound, *DEVICES, "--open-microphone")
    assert (ran.status, ran.err) == (0, "")
    assert WON in ran.out


def test_without_a_model_german_is_typed(tmp_path: Path) -> None:
    """The microphone is a sound file here, so that only the model is missing."""
    if "de" not in library().packs:
        pytest.skip("there is no German")
    sound = tmp_path / "quiet.wav"
    _write_quiet(sound)
    flags = ("play", "--language", "de", *PLAYERS, "--first", "Anna", "--input", str(sound), "--output", "text")
    ran = program(tmp_path, *flags, typed="beenden\n")
    assert (ran.status, ran.err) == (0, "")
    german = library().phrasebook("de", None)
    model = tmp_path / "data" / "gm_assistant" / "models" / "de"
    assert ran.lines[0] == f"table: {german.phrase(Message('no-model', {'language': 'de', 'path': str(model)}))}"
    assert "Anna, Ben, Clara, Dora und Emil" in ran.lines[1]
    assert len(ran.lines) == 3


def test_a_model_folder_that_is_none_is_told_and_the_game_goes_on(tmp_path: Path) -> None:
    model = tmp_path / "data" / "gm_assistant" / "models" / "en"
    model.mkdir(parents=True)
    sound = tmp_path / "quiet.wav"
    _write_quiet(sound)
    flags = (*DEVICES, "--input", str(sound), "--output", "text")
    ran = program(tmp_path, *flags, typed=WHOLE_GAME)
    assert (ran.status, ran.err) == (0, "")
    assert ran.lines[0] == f"table: {phrase('model-unusable', path=str(model))}"
    assert WON in ran.out


def test_a_quiet_sound_file_ends_the_game_well(tmp_path: Path) -> None:
    sound = tmp_path / "quiet.wav"
    _write_quiet(sound)
    ran = program(tmp_path, *DEVICES, "--input", str(sound), "--output", "text")
    assert (ran.status, ran.err, len(ran.lines)) == (0, "", 1)


def test_an_empty_sound_file_is_refused(tmp_path: Path) -> None:
    sound = tmp_path / "empty.wav"
    _write_quiet(sound, samples=0)
    ran = program(tmp_path, *DEVICES, "--input", str(sound), "--output", "text")
    assert (ran.status, ran.lines, ran.err) == (2, [phrase("wav-without-samples", path=str(sound))], "")


def _write_quiet(path: Path, samples: int = 16_000) -> None:
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(16_000)
        file.writeframes(bytes(2 * samples))
