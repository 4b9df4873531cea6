"""Sound on one open device, on all of it or on its left and right apart."""

from __future__ import annotations

import time

import numpy as np

from gm_assistant.errors import AudioError
from gm_assistant.speech.audio import Device, Stream
from gm_assistant.speech.mixing import FADE, MARGIN, Background, Track
from gm_assistant.speech.ports import Audio
from gm_assistant.speech.resampling import Samples

LEFT, RIGHT = 0, 1
"""Sides of a device that is split."""

_WAKING = 0.015
"""s of silence before the first sound of a stream: PulseAudio swallows the first 9 ms."""
_MOST_CHANNELS = 2


class Player:
    """Plays one sound after another on each side of one device. The callback only copies samples."""

    def __init__(self, device: Device, sides: int = 1) -> None:
        """Open the device at its own rate; with 2 `sides`, left and right are apart.

        Raise AudioError("device-failed").
        """
        self._tracks = tuple(Track(device.rate) for _ in range(sides))
        self._stream = Stream(device, min(device.channels, _MOST_CHANNELS), device.rate, self._fill)

    @property
    def device(self) -> Device:
        """Return the device that is open."""
        return self._stream.device

    @property
    def dead(self) -> bool:
        """Return whether the device has stopped asking for sound."""
        return self._stream.active and self._stream.dead

    @property
    def busy(self) -> bool:
        """Return whether anything sounds on any side."""
        return any(track.sounding or track.background is not None for track in self._tracks)

    def wake(self) -> None:
        """Let the device run, silent as yet. Raise AudioError("device-failed")."""
        if not self._stream.active:
            self._stream.start()

    def begin(self, audio: Audio, side: int = LEFT) -> None:
        """Start to play `audio` instead of whatever sounds on this side. Raise AudioError("device-failed")."""
        self._tracks[side].begin(audio, 0.0 if self._stream.active else _WAKING)
        self.wake()

    def add(self, audio: Audio, pause: float, side: int = LEFT) -> None:
        """Play `audio` after what sounds on this side, with `pause` s of silence between.

        Raise AudioError("device-failed").
        """
        self._tracks[side].add(audio, pause)
        self.wake()

    def noise(self, audio: Audio | None) -> None:
        """Repeat `audio` under what sounds on the first side, if nothing is repeated yet; None ends it.

        Return when it has faded out. Raise AudioError("device-failed").
        """
        track = self._tracks[LEFT]
        if audio is not None:
            track.background = track.background or Background(audio, self.device.rate)
            self.wake()
        elif track.background is not None:
            track.background.fade()
            time.sleep(FADE + self._stream.latency + MARGIN)
            track.background = None
            self._rest_if_idle()

    def ended(self, side: int = LEFT) -> bool:
        """Return whether the last sample has been heard. Raise AudioError("device-failed") if the device is dead."""
        track = self._tracks[side]
        if track.sounding and self._stream.dead:
            raise AudioError("device-failed", device=self.device.full_name, reason="")
        if not track.heard:
            return False
        self.stop(side)
        return True

    def stop(self, side: int = LEFT) -> None:
        """Be silent on one side at once; if anything else sounds, as soon as what the device holds has been heard."""
        self._tracks[side].stop()
        self._rest_if_idle()

    def close(self) -> None:
        """Free the device, silent at once."""
        for track in self._tracks:
            track.stop()
            track.background = None
        self._stream.close()

    def _rest_if_idle(self) -> None:
        if not self.busy:
            self._stream.abort()

    def _fill(self, block: Samples, _heard_at: float) -> None:
        latency = self._stream.latency
        for side, track in enumerate(self._tracks):
            block[:, side :: len(self._tracks)] = track.piece(len(block), latency)[:, np.newaxis]
