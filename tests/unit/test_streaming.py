"""Sound in pieces: what follows begins where the pause ends, however early or late it was made."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path

import numpy as np
import pytest

from gm_assistant.errors import AudioError
from gm_assistant.speech import mixing
from gm_assistant.speech.folder_speaker import FOLDER_RATE, FolderSpeaker
from gm_assistant.speech.mixing import Track
from gm_assistant.speech.playback import streamed
from gm_assistant.speech.ports import Audio
from gm_assistant.speech.wav_files import read_wav

RATE = 1_000
LATENCY = 0.1


def sound(value: int, seconds: float, rate: int = RATE) -> Audio:
    return Audio(np.full(int(seconds * rate), value, np.int16).tobytes(), rate)


def never() -> bool:
    return False


class Played:
    """A track, and everything that its device has taken."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 0.0
        monkeypatch.setattr(mixing.time, "monotonic", lambda: self.now)
        self.track = Track(RATE)
        self.samples: list[int] = []

    def take(self, seconds: float) -> None:
        """Let time go by; the device takes 10 ms at a time."""
        for _ in range(round(seconds * 100)):
            self.samples += self.track.piece(10, LATENCY).tolist()
            self.now += 0.01

    @property
    def lengths(self) -> list[tuple[int, int]]:
        """Each value and how many samples of it there were in a row."""
        runs: list[tuple[int, int]] = []
        for sample in self.samples:
            runs[-1:] = [(sample, runs[-1][1] + 1)] if runs and runs[-1][0] == sample else [*runs[-1:], (sample, 1)]
        return runs


@pytest.fixture
def played(monkeypatch: pytest.MonkeyPatch) -> Played:
    return Played(monkeypatch)


def test_what_is_made_in_time_follows_after_the_pause(played: Played) -> None:
    played.track.begin(sound(1, 0.5))
    played.take(0.2)
    played.track.add(sound(2, 0.3), 0.25)
    played.take(2)
    assert played.lengths[:3] == [(1, 500), (0, 250), (2, 300)]


def test_what_is_made_in_the_pause_does_not_make_it_longer(played: Played) -> None:
    played.track.begin(sound(1, 0.5))
    played.take(0.6)
    played.track.add(sound(2, 0.3), 0.25)
    played.take(2)
    assert played.lengths[:3] == [(1, 500), (0, 250), (2, 300)]


def test_what_is_made_after_the_pause_follows_at_once(played: Played) -> None:
    played.track.begin(sound(1, 0.5))
    played.take(1)
    played.track.add(sound(2, 0.3), 0.25)
    played.take(2)
    assert played.lengths[:3] == [(1, 500), (0, 500), (2, 300)]


@pytest.mark.parametrize("made_at", [0.2, 0.55, 0.9])
def test_it_is_over_when_the_last_piece_has_been_heard_and_not_before(played: Played, made_at: float) -> None:
    played.track.begin(sound(1, 0.5))
    played.take(made_at)
    played.track.add(sound(2, 0.3), 0.25)
    while not played.track.heard:
        played.take(0.01)
        assert played.now < 5
    assert played.samples.count(2) == 300
    ended = len(played.samples) / RATE - played.samples[::-1].index(2) / RATE
    assert played.now == pytest.approx(ended + LATENCY + mixing.MARGIN, abs=0.021)


def test_a_piece_alone_is_a_sound(played: Played) -> None:
    played.track.add(sound(2, 0.3), 0.25)
    played.take(1)
    assert played.lengths[:2] == [(0, 250), (2, 300)]


class ListedLine:
    """A line on which every sound is over at once."""

    def __init__(self) -> None:
        self.played: list[Audio | str] = []

    def begin(self, audio: Audio) -> None:
        self.played.append(audio)

    def add(self, audio: Audio, pause: float) -> None:
        self.played += [f"{pause} s", audio]

    def ended(self) -> bool:
        return True

    def stop(self) -> None:
        self.played.append("stop")


def promised(audio: Audio | AudioError) -> Future[Audio]:
    promise: Future[Audio] = Future()
    promise.set_exception(audio) if isinstance(audio, AudioError) else promise.set_result(audio)
    return promise


def counted(looks: int) -> Callable[[], bool]:
    left = iter(range(looks))
    return lambda: next(left, None) is None


def test_a_key_ends_the_wait_for_a_piece_that_is_not_made_yet() -> None:
    line = ListedLine()
    assert not streamed(line, sound(1, 1), counted(2), [Future()], 0.3)
    assert line.played == [sound(1, 1), "stop"]


def test_every_piece_follows_in_order() -> None:
    line = ListedLine()
    assert streamed(line, sound(1, 1), never, map(promised, (sound(2, 1), sound(3, 1))), 0.3)
    assert line.played == [sound(1, 1), "0.3 s", sound(2, 1), "0.3 s", sound(3, 1)]


def test_a_piece_that_cannot_be_made_ends_the_sound() -> None:
    line = ListedLine()
    with pytest.raises(AudioError, match="voice-failed"):
        streamed(line, sound(1, 1), never, [promised(AudioError("voice-failed"))], 0.3)
    assert line.played == [sound(1, 1), "stop"]


def test_in_a_file_the_pieces_stand_with_their_pauses(tmp_path: Path) -> None:
    speaker = FolderSpeaker(tmp_path)
    piece = sound(2_000, 0.1, FOLDER_RATE)
    assert speaker.play(piece, never, [promised(piece)], 0.3)
    assert not speaker.play(piece, counted(1), [promised(piece)], 0.3)
    speaker.close()
    samples, _ = read_wav(tmp_path / "table.wav")
    assert (samples != 0).sum() == 3 * piece.samples
    assert speaker.seconds == pytest.approx(0.5 + 0.4, abs=0.001)
