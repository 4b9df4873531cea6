from __future__ import annotations

import os
import wave
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from gm_assistant.channels import Channel
from gm_assistant.errors import AudioError
from gm_assistant.speech.folder_speaker import FOLDER_RATE, FolderSpeaker
from gm_assistant.speech.ports import Audio, HeadsetAudio


def sound(value: int, samples: int = 100, rate: int = FOLDER_RATE) -> Audio:
    return Audio(np.full(samples, value, "<i2").tobytes(), rate)


def never() -> bool:
    return False


def content(folder: Path, channel: str) -> list[int]:
    with wave.open(str(folder / f"{channel}.wav"), "rb") as file:
        assert (file.getnchannels(), file.getsampwidth(), file.getframerate()) == (1, 2, 22_050)
        samples = np.frombuffer(file.readframes(file.getnframes()), "<i2")
        assert len(samples) == file.getnframes()
        return [int(sample) for sample in samples]


@pytest.fixture
def speaker(tmp_path: Path) -> Iterator[FolderSpeaker]:
    speaker = FolderSpeaker(tmp_path)
    yield speaker
    speaker.close()


def test_both_channels_share_one_timeline(speaker: FolderSpeaker, tmp_path: Path) -> None:
    assert speaker.play(sound(5), never)
    speaker.elapse(100 / FOLDER_RATE)
    assert speaker.whisper(HeadsetAudio(sound(7)), never)
    assert content(tmp_path, "table") == [5] * 100 + [0] * 200
    assert content(tmp_path, "headset") == [0] * 200 + [7] * 100
    assert speaker.seconds == 300 / FOLDER_RATE


def test_the_files_are_whole_after_each_write_without_being_closed(speaker: FolderSpeaker, tmp_path: Path) -> None:
    assert content(tmp_path, "table") == []
    for count in range(1, 4):
        speaker.play(sound(count), never)
        assert len(content(tmp_path, "table")) == len(content(tmp_path, "headset")) == 100 * count


def test_sound_of_another_rate_keeps_its_length(speaker: FolderSpeaker, tmp_path: Path) -> None:
    speaker.play(sound(1_000, 16_000, 16_000), never)
    assert speaker.seconds == pytest.approx(1.0, abs=0.001)
    assert content(tmp_path, "table")[11_000] == pytest.approx(1_000, abs=5)


def test_many_short_times_add_up(speaker: FolderSpeaker) -> None:
    for _ in range(1_000):
        speaker.elapse(0.0321)
    assert speaker.seconds == pytest.approx(32.1, abs=0.001)


def test_a_line_that_is_stopped_already_is_not_written(speaker: FolderSpeaker, tmp_path: Path) -> None:
    assert not speaker.play(sound(5), lambda: True)
    assert content(tmp_path, "table") == []


def noise(value: int) -> Audio:
    return sound(value, FOLDER_RATE)


def test_noise_is_mixed_into_all_that_the_table_hears_and_never_into_the_headset(
    speaker: FolderSpeaker, tmp_path: Path
) -> None:
    speaker.noise(noise(20))
    speaker.rest(1.0, never)
    speaker.play(sound(5), never)
    speaker.whisper(HeadsetAudio(sound(7)), never)
    assert content(tmp_path, "table")[FOLDER_RATE:] == [25] * 100 + [20] * 100
    assert content(tmp_path, "headset") == [0] * (FOLDER_RATE + 100) + [7] * 100


def test_noise_ends_with_a_fade_into_digital_silence(speaker: FolderSpeaker, tmp_path: Path) -> None:
    speaker.noise(noise(2_000))
    speaker.rest(1.0, never)
    speaker.noise(None)
    speaker.rest(1.0, never)
    after = content(tmp_path, "table")[FOLDER_RATE:]
    assert after == sorted(after, reverse=True)
    assert (after[0] > 1_900, after[1_200:]) == (True, [0] * (FOLDER_RATE - 1_200))


def test_noise_that_goes_on_is_not_begun_anew(speaker: FolderSpeaker, tmp_path: Path) -> None:
    speaker.noise(noise(20))
    speaker.rest(1.0, never)
    speaker.noise(noise(20))
    speaker.rest(1.0, never)
    assert content(tmp_path, "table")[FOLDER_RATE:] == [20] * FOLDER_RATE


def test_noise_that_ended_can_begin_again(speaker: FolderSpeaker, tmp_path: Path) -> None:
    for _ in range(2):
        speaker.noise(noise(20))
        speaker.rest(1.0, never)
        speaker.noise(None)
    speaker.rest(1.0, never)
    assert content(tmp_path, "table")[2 * FOLDER_RATE - 1] == 20


def test_a_rest_lets_time_go_by_unless_a_key_is_pressed(speaker: FolderSpeaker) -> None:
    assert speaker.rest(2.0, never)
    assert not speaker.rest(3.0, lambda: True)
    assert speaker.seconds == 2.0


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such modes")
def test_only_the_owner_may_read_the_headsets_file(tmp_path: Path) -> None:
    (tmp_path / "headset.wav").touch(0o644)
    FolderSpeaker(tmp_path).close()
    assert (tmp_path / "headset.wav").stat().st_mode & 0o777 == 0o600


def test_a_folder_that_is_missing_is_made(tmp_path: Path) -> None:
    FolderSpeaker(tmp_path / "new" / "folder").close()
    assert content(tmp_path / "new" / "folder", "headset") == []


def test_a_folder_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "taken" / "headset.wav").mkdir(parents=True)
    for folder in (tmp_path / "file", tmp_path / "file" / "below", tmp_path / "taken"):
        with pytest.raises(AudioError) as refused:
            FolderSpeaker(folder)
        assert (refused.value.key, refused.value.facts) == ("folder-unusable", {"path": str(folder)})


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a disk that is always full")
def test_a_full_disk_is_told(speaker: FolderSpeaker, tmp_path: Path) -> None:
    speaker._files[Channel.TABLE].close()
    with open("/dev/full", "r+b", buffering=0) as full:  # noqa: PTH123 - buffering
        speaker._files[Channel.TABLE] = full
        with pytest.raises(AudioError) as refused:
            speaker.play(sound(5), never)
    assert refused.value.key == "folder-unusable"
