"""The table's loudspeaker."""

from __future__ import annotations

from collections.abc import Callable

from gm_assistant.errors import AudioError
from gm_assistant.speech.audio import Device, Kind, find_device, refresh
from gm_assistant.speech.player import Player
from gm_assistant.speech.ports import Audio


class TableLine:
    """The table's loudspeaker. Stays open between two sounds, but runs only while something sounds.

    Starting it is quicker (measured with PulseAudio: 20 ms to the first sample) than keeping it running, where a sound
    has to queue behind silence (55 ms).
    """

    def __init__(self, name: str | None) -> None:
        """`name` as in `find_device`, None for the system's default. Raise as `find_device` does."""
        self._name = name
        self._device = find_device(name, Kind.OUTPUT)
        self._player: Player | None = None
        self._noise: Audio | None = None

    @property
    def device(self) -> Device:
        """Return the loudspeaker in use."""
        return self._device

    def begin(self, audio: Audio) -> None:
        """Start to play, on a device opened anew if the old one has died. Raise AudioError("table-speaker-failed")."""
        self._do(lambda player: player.begin(audio))

    def add(self, audio: Audio, pause: float) -> None:
        """Play `audio` after what sounds, with `pause` s of silence between. Raise AudioError("table-speaker-failed").

        The line is not opened anew for it: what was begun would be lost.
        """
        if self._player is None:
            raise self._failure()
        try:
            self._player.add(audio, pause)
        except AudioError as failed:
            raise self._failure() from failed

    def noise(self, audio: Audio | None) -> None:
        """Repeat `audio` under everything, also on a device that is opened anew; None ends it, fading.

        Raise AudioError("table-speaker-failed").
        """
        self._noise = audio
        if audio is not None:
            self._do(lambda player: player.noise(audio))
        elif self._player is not None:
            self._player.noise(None)

    def ended(self) -> bool:
        """Return whether it is over. Raise AudioError("table-speaker-failed")."""
        try:
            return self._player is None or self._player.ended()
        except AudioError as failed:
            raise self._failure() from failed

    def stop(self) -> None:
        """Be silent at once; noise goes on, and over it the line ends with what the device holds (0.1 s)."""
        if self._player is not None:
            self._player.stop()

    def close(self) -> None:
        """Free the device."""
        if self._player is not None:
            self._player.close()
        self._player = None

    def _do(self, action: Callable[[Player], None]) -> None:
        if self._player is not None and self._player.dead:
            self.close()
        try:
            action(self._opened())
        except AudioError:
            self._do_anew(action)

    def _do_anew(self, action: Callable[[Player], None]) -> None:
        self.close()
        refresh()
        try:
            self._device = find_device(self._name, Kind.OUTPUT)
            action(self._opened())
        except AudioError as failed:
            raise self._failure() from failed

    def _opened(self) -> Player:
        if self._player is None:
            self._player = Player(self._device)
            if self._noise is not None:
                self._player.noise(self._noise)
        return self._player

    def _failure(self) -> AudioError:
        self.close()
        return AudioError("table-speaker-failed", device=self._device.full_name)
