"""Playing sound on the table and in the headset, each on its own device and never on another.

The headset is played by a child process that knows one device only. Every way in which its device is not there, not
clear or not trustworthy ends in AudioError("headset-not-ready") or ("headset-refused"): there is no second choice.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Protocol

import numpy as np

from gm_assistant.errors import AudioError, GmError
from gm_assistant.speech.audio import Device, Kind, Stream, find_device, refresh
from gm_assistant.speech.ports import Audio, HeadsetAudio
from gm_assistant.speech.resampling import Samples, resampled, samples_of
from gm_assistant.speech.route_watch import RouteWatch
from gm_assistant.speech.worker import Worker, WorkerLost

_REROUTED = re.compile(
    r"(sysdefault|default|pulse|pipewire|jack|dmix|front|rear|side|center_lfe|surround\d\d|(up|vdown)mix)(?![\w ])"
    r"|microsoft sound ?mapper|primary sound driver|primärer soundtreiber",
    re.IGNORECASE,
)
"""Names behind which the system puts whatever device it likes just now (ALSA, PulseAudio, PipeWire, Windows)."""

REROUTED_HOSTS = ("MME", "Windows DirectSound")
"""Windows' older interfaces: they translate and cut off names. Every device is there through WASAPI too."""

_MARGIN = 0.01
"""s on top of the latency that a device admits to: PulseAudio ends up to 7 ms later."""
_WAKING = 0.015
"""s of silence before the first sound of a stream: PulseAudio swallows the first 9 ms."""
_POLL = 0.01
"""s between two looks at `stopped()`."""
_STARTING_DEADLINE = 15.0
"""s for the headset's child to start and look for its device."""
_OPENING_DEADLINE = 5.0
"""s for the child to look for its device and to open it."""
_DEADLINE = 1.0
"""s for any other answer of the child."""
_MOST_CHANNELS = 2


@dataclass(slots=True)
class _Sound:
    samples: Samples
    position: int = 0
    """Frames handed to the device, silence after the sound included."""
    over: float = float("inf")
    """time.monotonic() at which the last sample has been heard."""


class Player:
    """Plays one sound after another on one device. The callback only copies samples."""

    def __init__(self, device: Device) -> None:
        """Open the device at its own rate. Raise AudioError("device-failed")."""
        self._sound: _Sound | None = None
        self._stream = Stream(device, min(device.channels, _MOST_CHANNELS), device.rate, self._fill)

    @property
    def device(self) -> Device:
        """Return the device that is open."""
        return self._stream.device

    @property
    def dead(self) -> bool:
        """Return whether the device has stopped asking for sound."""
        return self._stream.active and self._stream.dead

    def begin(self, audio: Audio) -> None:
        """Start to play `audio` instead of whatever sounds now. Raise AudioError("device-failed")."""
        samples = resampled(samples_of(audio), audio.rate, self.device.rate)
        if self._stream.active:
            self._sound = _Sound(samples)
        else:
            self._sound = _Sound(np.concatenate((np.zeros(int(_WAKING * self.device.rate), np.int16), samples)))
            self._stream.start()

    def ended(self) -> bool:
        """Return whether the last sample has been heard. Raise AudioError("device-failed") if the device is dead."""
        if self._sound is not None and self._stream.dead:
            raise AudioError("device-failed", device=self.device.full_name, reason="")
        if self._sound is not None and time.monotonic() < self._sound.over:
            return False
        self.stop()
        return True

    def stop(self) -> None:
        """Be silent at once."""
        self._sound = None
        self._stream.abort()

    def close(self) -> None:
        """Free the device, silent at once."""
        self._sound = None
        self._stream.close()

    def _fill(self, block: Samples, _heard_at: float) -> None:
        block.fill(0)
        sound = self._sound
        if sound is None:
            return
        piece = sound.samples[sound.position : sound.position + len(block)]
        block[: len(piece)] = piece[:, None]
        sound.position += len(block)
        late = self._heard(sound, len(block))
        if late >= 0 and sound.over == float("inf"):
            sound.over = time.monotonic() - late + _MARGIN

    def _heard(self, sound: _Sound, block: int) -> float:
        """Return for how many s the last sample has been out of the device's buffer, less than 0 if it is in there.

        What the device took counts, not the clock: one that wakes up takes a buffer full and plays it s later.
        """
        frames = sound.position - block - len(sound.samples)
        return frames / self.device.rate - self._stream.latency


class Line(Protocol):
    """Where one channel's sound goes."""

    def begin(self, audio: Audio) -> None:
        """Start to play."""

    def ended(self) -> bool:
        """Return whether it is over."""

    def stop(self) -> None:
        """Be silent at once."""


class TableLine:
    """The table's loudspeaker. Stays open between two sounds, but does not run.

    Starting it is quicker (measured with PulseAudio: 20 ms to the first sample) than keeping it running, where a sound
    has to queue behind silence (55 ms).
    """

    def __init__(self, name: str | None) -> None:
        """`name` as in `find_device`, None for the system's default. Raise as `find_device` does."""
        self._name = name
        self._device = find_device(name, Kind.OUTPUT)
        self._player: Player | None = None

    @property
    def device(self) -> Device:
        """Return the loudspeaker in use."""
        return self._device

    def begin(self, audio: Audio) -> None:
        """Start to play, on a device opened anew if the old one has died. Raise AudioError("table-speaker-failed")."""
        if self._player is not None and self._player.dead:
            self.close()
        try:
            self._start(audio)
        except AudioError:
            self._begin_anew(audio)

    def ended(self) -> bool:
        """Return whether it is over. Raise AudioError("table-speaker-failed")."""
        try:
            return self._player is None or self._player.ended()
        except AudioError as failed:
            raise self._failure() from failed

    def stop(self) -> None:
        """Be silent at once."""
        if self._player is not None:
            self._player.stop()

    def close(self) -> None:
        """Free the device."""
        if self._player is not None:
            self._player.close()
        self._player = None

    def _start(self, audio: Audio) -> None:
        self._player = self._player or Player(self._device)
        self._player.begin(audio)

    def _begin_anew(self, audio: Audio) -> None:
        self.close()
        refresh()
        try:
            self._device = find_device(self._name, Kind.OUTPUT)
            self._start(audio)
        except AudioError as failed:
            raise self._failure() from failed

    def _failure(self) -> AudioError:
        self.close()
        return AudioError("table-speaker-failed", device=self._device.full_name)


class HeadsetPlayer:
    """Lives in a child process and knows one device only."""

    def __init__(self, name: str) -> None:
        refuse_rerouted(name)
        self._name = name
        self._player: Player | None = None
        self._sounding = False
        self._watch = RouteWatch(self._die)

    def check(self) -> str:
        """Return the device's full name if it is there now. Raise AudioError("headset-not-ready")."""
        self.stop()
        return self._present().full_name

    def begin(self, audio: Audio) -> None:
        """Look for the device anew, open it and start to play. Raise AudioError("headset-not-ready")."""
        self.stop()
        device = self._present()
        self._sounding = True
        try:
            self._player = Player(device)
            self._player.begin(audio)
        except AudioError as failed:
            self.stop()
            raise AudioError("headset-not-ready", device=self._name) from failed

    def ended(self) -> bool:
        """Return whether it is over; the device is free then. Raise AudioError("headset-not-ready")."""
        if self._player is None:
            return True
        try:
            over = self._player.ended()
        except AudioError as failed:
            self.stop()
            raise AudioError("headset-not-ready", device=self._name) from failed
        if over:
            self.stop()
        return over

    def stop(self) -> None:
        """Be silent at once and free the device: an open stream would be moved elsewhere if its plug is pulled."""
        if self._player is not None:
            self._player.close()
        self._player = None
        self._sounding = False

    def _die(self) -> None:
        """End this process, the quickest way to end its sound, before the system plays it from another device."""
        if self._sounding:
            os._exit(1)

    def _present(self) -> Device:
        try:
            refresh()
            device = find_device(self._name, Kind.OUTPUT, exact=True)
        except AudioError as missing:
            raise AudioError("headset-not-ready", device=self._name) from missing
        refuse_rerouted(device.name, device.host)
        return device


class HeadsetLine:
    """The parent's end of the child with the HeadsetPlayer."""

    def __init__(self, name: str | None) -> None:
        """Raise AudioError("headset-refused") for a name that stands for more than one device."""
        if name is not None:
            refuse_rerouted(name)
        self._name = name
        self._child = None if name is None else Worker(partial(HeadsetPlayer, name), _STARTING_DEADLINE)

    def check(self, table: Device) -> str:
        """Return the headset's full name if it is there and not `table`.

        Raise AudioError("headset-not-ready", device=...) or ("headset-refused", device=...).
        """
        full_name = str(self._ask("check", deadline=_OPENING_DEADLINE))
        refuse_table(full_name, table)
        return full_name

    def begin(self, audio: Audio) -> None:
        """Start to play. Raise AudioError("headset-not-ready")."""
        self._ask("begin", audio, deadline=_OPENING_DEADLINE)

    def ended(self) -> bool:
        """Return whether it is over. Raise AudioError("headset-not-ready")."""
        try:
            return bool(self._ask("ended"))
        except AudioError:
            self.close()  # the device has died: what the child still holds of it is of no use to the next whisper
            raise

    def stop(self) -> None:
        """Be silent at once; a child that does not obey is killed."""
        if self._child is None or self._child.process_id is None:
            return
        try:
            self._child.call("stop", deadline=_DEADLINE)
        except (WorkerLost, GmError):
            self._child.kill()

    def close(self) -> None:
        """End the child."""
        if self._child is not None:
            self._child.close()

    def _ask(self, method: str, *arguments: object, deadline: float = _DEADLINE) -> object:
        if self._child is None:
            raise AudioError("headset-not-ready", device="")
        starting = _STARTING_DEADLINE if self._child.process_id is None else 0.0
        try:
            return self._child.call(method, *arguments, deadline=deadline + starting)
        except WorkerLost as lost:
            raise AudioError("headset-not-ready", device=self._name) from lost


class DeviceSpeaker:
    """Speaker on real devices. The table is played in this process, the headset by a child."""

    def __init__(self, table: str | None = None, headset: str | None = None) -> None:
        """`table`: as in `find_device`, None for the system's default. `headset`: exact name, None for none.

        Raise AudioError as `find_device` does for the table, or ("headset-refused") for a headset that is the table's
        own device or a name behind which the system may put any device. A headset that is not there yet is no error.
        """
        self._headset = HeadsetLine(headset)
        self._headset_name = headset
        self._table = TableLine(table)
        self._refuse_table()

    def play(self, audio: Audio, stopped: Callable[[], bool]) -> bool:
        """Play as the Speaker protocol says; silent within 50 ms of `stopped()`."""
        return _played(self._table, audio, stopped)

    def whisper(self, audio: HeadsetAudio, stopped: Callable[[], bool]) -> bool:
        """Whisper as the Speaker protocol says; silent within 50 ms of `stopped()`."""
        self._refuse_table()
        return _played(self._headset, audio.audio, stopped)

    def noise(self, audio: Audio | None) -> None:
        """Take note; it is not played yet."""

    def rest(self, seconds: float, stopped: Callable[[], bool]) -> bool:
        """Wait as the Speaker protocol says."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            if stopped():
                return False
            time.sleep(min(_POLL, left))
        return True

    def check_headset(self) -> str:
        """Return the headset's full name if it could be played on now; starts its child.

        Raise AudioError("headset-not-ready") or ("headset-refused"). Calling it early spares the first whisper 0.5 s.
        """
        return self._headset.check(self._table.device)

    def close(self) -> None:
        """Free the devices and end the headset's child."""
        self._table.close()
        self._headset.close()

    def _refuse_table(self) -> None:
        if self._headset_name is not None:
            refuse_table(self._headset_name, self._table.device)


def _played(line: Line, audio: Audio, stopped: Callable[[], bool]) -> bool:
    """Play to the end or until `stopped()`; return whether it came to its end."""
    try:
        line.begin(audio)
        while not line.ended():
            if stopped():
                line.stop()
                return False
            time.sleep(_POLL)
    except BaseException:
        line.stop()
        raise
    return True


def refuse_rerouted(name: str, host: str = "") -> None:
    """Raise AudioError("headset-refused", device=name) if the system may put any device behind `name`."""
    host = host or name.rpartition(", ")[2]
    if _REROUTED.match(name.strip()) or host in REROUTED_HOSTS:
        raise AudioError("headset-refused", device=name)


def refuse_table(name: str, table: Device) -> None:
    """Raise AudioError("headset-refused", device=name) if `name` is the table's device, through whatever interface."""
    called = {name.casefold(), name.rpartition(", ")[0].casefold()}
    mine = table.name.casefold()
    cut_off = table.host == "MME" and any(other.startswith(mine) for other in called)
    if mine in called or cut_off:
        raise AudioError("headset-refused", device=name)
