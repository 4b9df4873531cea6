"""Sound devices and their streams: the only module that touches sounddevice, and so PortAudio."""

from __future__ import annotations

import ctypes
import functools
import os
import platform
import queue
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, TypeVar, cast

from gm_assistant.errors import AudioError
from gm_assistant.speech.resampling import Samples

CALLBACK_PATIENCE = 1.0
"""s without a callback after which a stream counts as dead: PortAudio does not report an unplugged device."""

WAKING_PATIENCE = 4.0
"""s that a device gets to begin: a suspended one was seen to need 2 s, and Bluetooth needs as long."""

OUTPUT_LATENCY = 0.1
"""s of sound in the device's buffer, so that a busy 2-core computer does not stutter. It delays neither start nor stop:
a stream starts with a full buffer, and `abort` drops it."""

_ABORT_PATIENCE = 0.3
"""s that closing may take; on an unplugged ALSA device it can hang for ever (PortAudio issue 143)."""
_OPEN_PATIENCE = 3.0
"""s that opening may take; Bluetooth needs 1 to 2, a sound server that hangs would keep us for ever."""


_Result = TypeVar("_Result")

_ALSA_HANDLER = ctypes.CFUNCTYPE(None, ctypes.c_char_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_int, ctypes.c_char_p)
_IGNORE_ALSA = _ALSA_HANDLER(lambda *_: None)
"""Stands in for ALSA's printing error handler; has to live as long as the process."""

_open_streams: set[Stream] = set()


class Kind(StrEnum):
    """Which way the sound goes."""

    OUTPUT = "output"
    INPUT = "input"


@dataclass(frozen=True, slots=True)
class Device:
    """A loudspeaker or microphone as the system lists it. Its identity is `full_name`, never a number."""

    name: str
    host: str
    """The system's sound interface (ALSA, Core Audio, Windows WASAPI)."""
    kind: Kind
    channels: int
    rate: int
    """Hz that the device has of its own accord."""
    index: int = field(compare=False)
    """PortAudio's number, good until the next `refresh`."""

    @property
    def full_name(self) -> str:
        """Return the name to store in settings: `name, host`."""
        return f"{self.name}, {self.host}"


def devices(kind: Kind) -> tuple[Device, ...]:
    """Return what the system offers. Raise AudioError("no-portaudio") if its sound library is missing."""
    sound = _sounddevice()
    hosts = sound.query_hostapis()
    found = (_device(entry, hosts, kind) for entry in sound.query_devices())
    return tuple(device for device in found if device.channels)


def find_device(wanted: str | None, kind: Kind, *, exact: bool = False) -> Device:
    """Return the device called `wanted`: full name, then name, then (unless `exact`) a part of the name.

    None is the system's default. Raise AudioError("device-missing") or ("device-ambiguous"), both with `device`,
    `kind` and the full names of what is `available`; or ("no-portaudio").
    """
    listed = devices(kind)
    if wanted is None:
        return _default(listed, kind)
    for matches in (_is_called, _is_named) if exact else (_is_called, _is_named, _is_named_like):
        found = [device for device in listed if matches(device, wanted)]
        if len(found) == 1:
            return found[0]
        if found:
            raise _unfound("device-ambiguous", wanted, kind, found)
    raise _unfound("device-missing", wanted, kind, listed)


def refresh() -> bool:
    """Look again which devices there are; return False if a stream is open, which would not survive that."""
    if _open_streams:
        return False
    sound = _sounddevice()
    # PortAudio freezes its list at the start; sounddevice has only these two for starting it anew (its issue 125)
    sound._terminate()  # noqa: SLF001
    sound._initialize()  # noqa: SLF001
    return True


class Stream:
    """An open device. Its callback runs on PortAudio's own thread and must neither wait nor fail."""

    def __init__(self, device: Device, channels: int, rate: int, callback: Callable[[Samples, float], None]) -> None:
        """Open `device` at `rate` Hz, silent until `start`.

        `callback` fills or reads samples (frames x channels); its float is when they sound, in s of `clock`.
        Raise AudioError("device-failed", device=..., reason=...).
        """
        sound = _sounddevice()
        output = device.kind is Kind.OUTPUT
        self.device = device
        self.beat = 0.0
        """time.monotonic() of the latest callback."""
        self._handed = 0
        """Frames that the callbacks since `start` were for."""

        def on_samples(samples: Samples, frames: int, moments: Any, _status: object) -> None:
            self.beat = time.monotonic()
            self._handed += frames
            callback(
                samples, (moments.outputBufferDacTime if output else moments.inputBufferAdcTime) or moments.currentTime
            )

        kind, latency = (sound.OutputStream, OUTPUT_LATENCY) if output else (sound.InputStream, None)
        settings = _host_settings(device)
        try:
            with nullcontext() if _silence_native_code() else _no_complaints():
                self._stream = _within(
                    _OPEN_PATIENCE,
                    lambda: kind(rate, 0, device.index, channels, "int16", latency, settings, callback=on_samples),
                )
        except (sound.PortAudioError, ValueError, TimeoutError) as refused:
            raise AudioError("device-failed", device=device.full_name, reason=str(refused)) from refused
        _open_streams.add(self)

    @property
    def latency(self) -> float:
        """Return s between a callback and the sound."""
        return float(self._stream.latency)

    @property
    def clock(self) -> float:
        """Return the stream's own time in s."""
        return float(self._stream.time)

    @property
    def active(self) -> bool:
        """Return whether callbacks are due."""
        return bool(self._stream.active)

    @property
    def dead(self) -> bool:
        """Return whether callbacks were due and did not come for CALLBACK_PATIENCE, WAKING_PATIENCE at the start."""
        patience = CALLBACK_PATIENCE if self._awake else WAKING_PATIENCE
        return not self.active or time.monotonic() - self.beat > patience

    @property
    def _awake(self) -> bool:
        """Whether sound has really moved: a loudspeaker that still sleeps asks for a buffer full of it at once."""
        at_once = 2 * self.latency * self._stream.samplerate if self.device.kind is Kind.OUTPUT else 0
        return self._handed > at_once

    def start(self) -> None:
        """Let callbacks come. Raise AudioError("device-failed")."""
        self.beat, self._handed = time.monotonic(), 0
        try:
            _within(_OPEN_PATIENCE, self._stream.start)
        except (_sounddevice().PortAudioError, TimeoutError) as refused:
            raise AudioError("device-failed", device=self.device.full_name, reason=str(refused)) from refused

    def abort(self) -> None:
        """Be silent at once: what is in the device's buffer is dropped. Never hangs."""
        _without_complaint(self._stream.abort)

    def close(self) -> None:
        """Free the device at once. Never hangs; a device that does counts as open from then on."""
        if _without_complaint(lambda: (self._stream.abort(), self._stream.close())):
            _open_streams.discard(self)


def _sounddevice() -> Any:
    try:
        import sounddevice  # noqa: PLC0415 - needs the system's PortAudio, which may be missing
    except (ImportError, OSError) as missing:
        raise AudioError("no-portaudio") from missing
    _silence_alsa()
    _silence_native_code()
    return sounddevice


@functools.cache
def _silence_alsa() -> None:
    """Keep ALSA from writing "underrun occurred" to the terminal, which a screen reader would read out."""
    if sys.platform == "linux":
        with suppress(OSError, AttributeError):
            ctypes.CDLL("libasound.so.2").snd_lib_error_set_handler(_IGNORE_ALSA)


@functools.cache
def _silence_native_code() -> bool:
    """Keep PortAudio from printing each step that fails, which a screen reader would read out; return whether it is.

    It does so whenever the sound server hangs or ends, also on threads of its own. C's `stderr` leads nowhere from now
    on; Python and child processes write to the file descriptor itself. Other C libraries forbid that.
    """
    if platform.libc_ver()[0] != "glibc":
        return False
    library = ctypes.CDLL(None)
    library.fopen.restype = ctypes.c_void_p
    nowhere = library.fopen(os.devnull.encode(), b"w")
    if nowhere:
        ctypes.c_void_p.in_dll(library, "stderr").value = nowhere
    return bool(nowhere)


def _device(entry: dict[str, Any], hosts: Any, kind: Kind) -> Device:
    return Device(
        name=entry["name"],
        host=hosts[entry["hostapi"]]["name"],
        kind=kind,
        channels=entry[f"max_{kind}_channels"],
        rate=int(entry["default_samplerate"]),
        index=entry["index"],
    )


def _default(listed: tuple[Device, ...], kind: Kind) -> Device:
    index = _sounddevice().default.device[kind is Kind.OUTPUT]
    for device in listed:
        if device.index == index:
            return device
    raise _unfound("device-missing", "", kind, listed)


def _is_called(device: Device, wanted: str) -> bool:
    return device.full_name == wanted


def _is_named(device: Device, wanted: str) -> bool:
    return device.name == wanted


def _is_named_like(device: Device, wanted: str) -> bool:
    return wanted.casefold() in device.full_name.casefold()


def _unfound(key: str, wanted: str, kind: Kind, listed: tuple[Device, ...] | list[Device]) -> AudioError:
    return AudioError(key, device=wanted, kind=str(kind), available=tuple(device.full_name for device in listed))


def _host_settings(device: Device) -> Any:
    """Let Windows convert rates: its WASAPI refuses every rate but its own (PortAudio issue 314)."""
    return _sounddevice().WasapiSettings(auto_convert=True) if "WASAPI" in device.host else None


@contextmanager
def _no_complaints() -> Iterator[None]:
    """Keep PortAudio from printing while a device is opened, where `_silence_native_code` cannot."""
    kept, nowhere = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 2)
    os.close(nowhere)
    try:
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)


def _without_complaint(action: Callable[[], object]) -> bool:
    """Return whether `action` came to an end; a device that is gone cannot be stopped any better."""
    try:
        _within(_ABORT_PATIENCE, action)
    except TimeoutError:
        return False
    except _sounddevice().PortAudioError:
        return True
    return True


def _within(patience: float, action: Callable[[], _Result]) -> _Result:
    """Return what `action` returns, or raise TimeoutError after `patience` s and leave it behind.

    On Linux only: it is ALSA that hangs, and Windows' interfaces want to be used from one thread.
    """
    if sys.platform != "linux":
        return action()
    outcomes: queue.SimpleQueue[tuple[_Result | None, Exception | None]] = queue.SimpleQueue()

    def run() -> None:
        try:
            outcomes.put((action(), None))
        except Exception as error:  # noqa: BLE001 - raised again where it is awaited
            outcomes.put((None, error))

    threading.Thread(target=run, daemon=True).start()
    try:
        value, error = outcomes.get(timeout=patience)
    except queue.Empty:
        raise TimeoutError from None
    if error is not None:
        raise error
    return cast("_Result", value)
