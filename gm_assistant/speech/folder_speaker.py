"""A Speaker that writes what would be heard, for rehearsals and tests: one sound file for each channel."""

from __future__ import annotations

import os
import struct
from collections.abc import Callable, Iterable
from concurrent.futures import Future
from pathlib import Path
from typing import BinaryIO

import numpy as np

from gm_assistant.channels import Channel
from gm_assistant.errors import AudioError
from gm_assistant.speech.mixing import Background, mixed
from gm_assistant.speech.ports import Audio, HeadsetAudio
from gm_assistant.speech.resampling import resampled, samples_of

FOLDER_RATE = 22_050
"""Hz of both files: espeak-ng's own rate, so that most speech is written as it is."""

_MODES = {Channel.TABLE: 0o644, Channel.HEADSET: 0o600}
_HEADER = struct.Struct("<4sI8sIHHIIHH4sI")


class FolderSpeaker:
    """Writes `table.wav` and `headset.wav` on one common timeline: while one sounds, the other is digitally silent."""

    def __init__(self, folder: Path) -> None:
        """Begin both files anew. Raise AudioError("folder-unusable", path=...)."""
        self._folder = folder
        self._files: dict[Channel, BinaryIO] = {}
        self._samples = 0
        self._owed = 0.0
        self._background: Background | None = None
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            for channel, mode in _MODES.items():
                self._files[channel] = _created(folder / f"{channel}.wav", mode)
            self._append(None, b"")
        except OSError as refused:
            self.close()
            raise self._unusable() from refused

    @property
    def seconds(self) -> float:
        """Return the length of the timeline so far in s."""
        return self._samples / FOLDER_RATE

    def play(
        self, audio: Audio, stopped: Callable[[], bool], more: Iterable[Future[Audio]] = (), pause: float = 0.0
    ) -> bool:
        """Write `audio` whole for the table and return True, or nothing and False if `stopped()` is true already.

        `more` follows as the Speaker protocol says. Raise AudioError("folder-unusable") if the disk does not take it.
        """
        if not self._sound(Channel.TABLE, audio, stopped):
            return False
        for sound in map(Future.result, more):
            self.elapse(pause)
            if not self._sound(Channel.TABLE, sound, stopped):
                return False
        return True

    def whisper(self, audio: HeadsetAudio, stopped: Callable[[], bool]) -> bool:
        """Write `audio` for the headset, otherwise as `play`."""
        return self._sound(Channel.HEADSET, audio.audio, stopped)

    def noise(self, audio: Audio | None) -> None:
        """Mix `audio` into all that is written for the table from now on; None lets it fade out."""
        if audio is not None:
            self._background = self._background or Background(audio, FOLDER_RATE)
            self._background.rise()
        elif self._background is not None:
            self._background.fade()

    def rest(self, seconds: float, stopped: Callable[[], bool]) -> bool:
        """Let time go by at once and return True, or return False if `stopped()` is true already."""
        if stopped():
            return False
        self.elapse(seconds)
        return True

    def elapse(self, seconds: float) -> None:
        """Let time go by in silence on both channels: somebody speaks, or nobody does."""
        due = self._owed + seconds * FOLDER_RATE
        samples = max(0, int(due))
        self._owed = due - samples
        self._write(None, bytes(2 * samples))

    def close(self) -> None:
        """Close both files; they are whole at any time before too."""
        for file in self._files.values():
            file.close()

    def _sound(self, channel: Channel, audio: Audio, stopped: Callable[[], bool]) -> bool:
        if stopped():
            return False
        self._write(channel, resampled(samples_of(audio), audio.rate, FOLDER_RATE).astype("<i2").tobytes())
        return True

    def _write(self, sounding: Channel | None, pcm: bytes) -> None:
        try:
            self._append(sounding, pcm)
        except OSError as refused:
            raise self._unusable() from refused

    def _append(self, sounding: Channel | None, pcm: bytes) -> None:
        self._samples += len(pcm) // 2
        sounds = {channel: pcm if channel is sounding else bytes(len(pcm)) for channel in Channel}
        sounds[Channel.TABLE] = self._over_noise(sounds[Channel.TABLE])
        for channel, file in self._files.items():
            file.seek(0, os.SEEK_END)
            file.write(sounds[channel])
            file.seek(0)
            file.write(_header(2 * self._samples))
            file.flush()

    def _over_noise(self, pcm: bytes) -> bytes:
        if self._background is None:
            return pcm
        noise = self._background.piece(len(pcm) // 2)
        self._background = None if self._background.over else self._background
        return mixed(np.frombuffer(pcm, "<i2"), noise).astype("<i2").tobytes()

    def _unusable(self) -> AudioError:
        return AudioError("folder-unusable", path=str(self._folder))


def _created(path: Path, mode: int) -> BinaryIO:
    path.unlink(missing_ok=True)  # a file that was there would keep its old mode
    file = os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), mode), "r+b")
    file.write(_header(0))
    return file


def _header(size: int) -> bytes:
    """Return the 44 bytes before `size` bytes of 16-bit mono samples in a WAV file."""
    return _HEADER.pack(
        *(b"RIFF", 36 + size, b"WAVEfmt ", 16),
        *(1, 1, FOLDER_RATE, 2 * FOLDER_RATE, 2, 16),
        *(b"data", size),
    )
