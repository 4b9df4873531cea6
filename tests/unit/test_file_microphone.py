from __future__ import annotations

import struct
import wave
from pathlib import Path

import numpy as np
import pytest

from gm_assistant.errors import AudioError
from gm_assistant.speech.microphones import FileMicrophone
from gm_assistant.speech.ports import FRAME_SAMPLES, RECOGNIZER_RATE

FRAME_SECONDS = FRAME_SAMPLES / RECOGNIZER_RATE


def tone(rate: int, seconds: float = 0.5) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    return 0.5 * np.sin(2 * np.pi * 440 * np.arange(int(rate * seconds)) / rate)


def write(path: Path, *, rate: int = 16_000, channels: int = 1, width: int = 2, seconds: float = 0.5) -> Path:
    points = np.repeat(tone(rate, seconds), channels)
    if width == 1:
        data = (128 + 127 * points).astype(np.uint8).tobytes()
    else:
        whole = (points * (2 ** (8 * width - 1) - 1)).astype("<i4")
        data = whole.view(np.uint8).reshape(-1, 4)[:, :width].tobytes()
    with wave.open(str(path), "wb") as file:
        file.setparams((channels, width, rate, 0, "NONE", ""))
        file.writeframes(data)
    return path


def heard(microphone: FileMicrophone) -> np.ndarray[tuple[int], np.dtype[np.int16]]:
    microphone.open()
    frames = []
    while (frame := microphone.read()) is not None:
        assert len(frame) == 2 * FRAME_SAMPLES
        frames.append(frame)
    return np.frombuffer(b"".join(frames), "<i2")


def refusal(path: Path) -> tuple[str, object]:
    with pytest.raises(AudioError) as refused:
        FileMicrophone(path)
    assert refused.value.facts["path"] == str(path)
    return refused.value.key, refused.value.facts.get("problem")


@pytest.mark.parametrize("rate", [8_000, 16_000, 22_050, 44_100, 48_000])
@pytest.mark.parametrize("channels", [1, 2])
@pytest.mark.parametrize("width", [1, 2, 3, 4])
def test_every_common_format_gives_the_same_sound(tmp_path: Path, rate: int, channels: int, width: int) -> None:
    sound = heard(FileMicrophone(write(tmp_path / "a.wav", rate=rate, channels=channels, width=width)))
    middle = sound[2_000:6_000].astype(np.float64)
    expected = 16_383.5 * np.sin(2 * np.pi * 440 * np.arange(2_000, 6_000) / RECOGNIZER_RATE)
    assert np.abs(middle - expected).max() < (600 if width == 1 else 100)


def test_a_whole_second_of_silence_follows_and_then_the_end(tmp_path: Path) -> None:
    microphone = FileMicrophone(write(tmp_path / "a.wav", seconds=0.5))
    sound = heard(microphone)
    assert len(sound) % FRAME_SAMPLES == 0
    assert 1.0 <= len(sound) / RECOGNIZER_RATE - 0.5 < 1.0 + 2 * FRAME_SECONDS
    assert not sound[8_000:].any()
    assert microphone.read() is None
    assert microphone.seconds_read == pytest.approx(len(sound) / RECOGNIZER_RATE)


def test_it_does_not_go_on_while_it_is_shut(tmp_path: Path) -> None:
    path = write(tmp_path / "a.wav")
    whole = heard(FileMicrophone(path))
    microphone = FileMicrophone(path)
    microphone.open()
    first = microphone.read()
    microphone.shut()
    assert microphone.seconds_read == pytest.approx(FRAME_SECONDS)
    assert first == whole[:FRAME_SAMPLES].tobytes()
    assert heard(microphone).tolist() == whole[FRAME_SAMPLES:].tolist()


def test_a_24_bit_file_with_the_extensible_header_is_read(tmp_path: Path) -> None:
    plain = write(tmp_path / "a.wav", width=3)
    data = plain.read_bytes()[44:]
    guid = struct.pack("<H", 1) + bytes.fromhex("000000001000800000aa00389b71")
    shape = struct.pack("<HHIIHHHHI", 0xFFFE, 1, 16_000, 48_000, 3, 24, 22, 24, 4) + guid
    chunks = b"fmt " + struct.pack("<I", len(shape)) + shape + b"data" + struct.pack("<I", len(data)) + data
    extensible = tmp_path / "b.wav"
    extensible.write_bytes(b"RIFF" + struct.pack("<I", 4 + len(chunks)) + b"WAVE" + chunks)
    assert heard(FileMicrophone(extensible)).tolist() == heard(FileMicrophone(plain)).tolist()


def test_other_chunks_before_the_sound_are_passed_over(tmp_path: Path) -> None:
    plain = write(tmp_path / "a.wav")
    content = plain.read_bytes()
    noted = tmp_path / "b.wav"
    noted.write_bytes(content[:36] + b"LIST" + struct.pack("<I", 5) + b"note\0\0" + content[36:])
    assert heard(FileMicrophone(noted)).tolist() == heard(FileMicrophone(plain)).tolist()


def test_a_file_without_a_known_length_is_read_to_its_end(tmp_path: Path) -> None:
    plain = write(tmp_path / "a.wav")
    content = plain.read_bytes()
    streamed = tmp_path / "b.wav"
    streamed.write_bytes(content[:40] + b"\xff\xff\xff\xff" + content[44:])
    assert heard(FileMicrophone(streamed)).tolist() == heard(FileMicrophone(plain)).tolist()


def test_a_file_that_is_not_there_and_a_folder_are_missing(tmp_path: Path) -> None:
    assert refusal(tmp_path / "none.wav") == ("wav-missing", None)
    assert refusal(tmp_path) == ("wav-missing", None)


def test_a_file_without_samples_is_refused(tmp_path: Path) -> None:
    assert refusal(write(tmp_path / "a.wav", seconds=0)) == ("wav-without-samples", None)


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"", "not-a-wav"),
        (b"just some text, not a sound at all", "not-a-wav"),
        (b"RIFF\x04\0\0\0WAVE", "truncated"),
        (b"RIFF\x0c\0\0\0WAVEfmt \x04\0\0\0\1\0\1\0", "truncated"),
    ],
)
def test_a_file_that_is_no_sound_is_broken(tmp_path: Path, content: bytes, problem: str) -> None:
    path = tmp_path / "a.wav"
    path.write_bytes(content)
    assert refusal(path) == ("wav-broken", problem)


def test_a_file_cut_short_is_broken_at_every_length(tmp_path: Path) -> None:
    content = write(tmp_path / "a.wav", seconds=0.01).read_bytes()
    path = tmp_path / "b.wav"
    for length in range(len(content)):
        path.write_bytes(content[:length])
        assert refusal(path)[0] == "wav-broken"


@pytest.mark.parametrize(
    ("at", "value", "problem"),
    [
        (20, 3, "not-integer-samples"),
        (22, 6, "channels"),
        (22, 0, "channels"),
        (24, 0, "rate"),
        (34, 12, "not-integer-samples"),
    ],
)
def test_a_format_that_cannot_be_heard_is_broken(tmp_path: Path, at: int, value: int, problem: str) -> None:
    content = bytearray(write(tmp_path / "a.wav").read_bytes())
    struct.pack_into("<H", content, at, value)
    path = tmp_path / "b.wav"
    path.write_bytes(content)
    assert refusal(path) == ("wav-broken", problem)
