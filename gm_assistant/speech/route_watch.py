"""A watch on Linux's sound server: it moves a running stream to another place when a plug is pulled.

PortAudio is told nothing of that, so a whisper would go on from the table's loudspeaker (measured: all the rest of it),
and a microphone's stream would go on with whatever else can be recorded, such as what the table's loudspeaker plays.
PulseAudio and PipeWire report what vanished through libpulse, which ALSA's way to them needs anyhow. A jack that
shares its sink with a built-in loudspeaker is reported as a change of the card (pulsecore/device-port.c). Devices that
are opened without a sound server are never moved, and neither are those of the other systems.
"""

from __future__ import annotations

import ctypes
import sys
import time
from collections.abc import Callable
from enum import Enum
from functools import partial
from typing import Any

# constants of pulse/def.h
_NO_AUTOSPAWN = 0x0001
_READY, _FAILED = 4, 5
_EVENT = 0x003F


class Watched(Enum):
    """Whose streams may be moved: the facilities to subscribe to, the events that tell of it, and those that may."""

    OUTPUTS = (0x0001 | 0x0004 | 0x0200, (0x0020, 0x0019, 0x0029), (0x0012, 0x0010))
    """Sinks, their inputs and cards: sink removed, card changed, card removed; input changed, sink (volume) changed."""
    INPUTS = (0x0002, (0x0021,), ())
    """Sources: source removed."""


_CONNECTING_PATIENCE = 1.0
"""s for a sound server on the same computer to answer."""

_EVENT_CALLBACK = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int, ctypes.c_uint32, ctypes.c_void_p)

_SIGNATURES: dict[str, tuple[Any, ...]] = {
    "pa_threaded_mainloop_new": (ctypes.c_void_p,),
    "pa_threaded_mainloop_get_api": (ctypes.c_void_p, ctypes.c_void_p),
    "pa_threaded_mainloop_start": (ctypes.c_int, ctypes.c_void_p),
    "pa_threaded_mainloop_stop": (None, ctypes.c_void_p),
    "pa_threaded_mainloop_free": (None, ctypes.c_void_p),
    "pa_threaded_mainloop_lock": (None, ctypes.c_void_p),
    "pa_threaded_mainloop_unlock": (None, ctypes.c_void_p),
    "pa_context_new": (ctypes.c_void_p, ctypes.c_void_p, ctypes.c_char_p),
    "pa_context_connect": (ctypes.c_int, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int, ctypes.c_void_p),
    "pa_context_disconnect": (None, ctypes.c_void_p),
    "pa_context_unref": (None, ctypes.c_void_p),
    "pa_context_get_state": (ctypes.c_int, ctypes.c_void_p),
    "pa_context_set_subscribe_callback": (None, ctypes.c_void_p, _EVENT_CALLBACK, ctypes.c_void_p),
    "pa_context_subscribe": (ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p),
}


_open_watches: set[RouteWatch] = set()
"""Keeps callbacks alive as long as the native code may call them."""


class RouteWatch:
    """Calls `lost` on a thread of its own whenever the sound server may lead a stream elsewhere than before.

    `doubted` is called there when somebody's stream or a device was changed in some way: perhaps moved or muted.
    """

    def __init__(
        self,
        lost: Callable[[], None],
        watched: Watched = Watched.OUTPUTS,
        doubted: Callable[[], None] = lambda: None,
    ) -> None:
        self._lost, self._doubted = lost, doubted
        self._facilities, self._rerouting, self._doubtful = watched.value
        self._callback = _EVENT_CALLBACK(self._on_event)
        self._free: Callable[[], None] = lambda: None
        self.watching = self._connected()
        """Whether there was a sound server that answered."""

    def close(self) -> None:
        """Call `lost` no more. Not to be called from `lost`."""
        self._free()
        self._free = lambda: None
        self.watching = False
        _open_watches.discard(self)

    def _connected(self) -> bool:
        if sys.platform != "linux":
            return False
        try:
            pulse = _library()
        except OSError:
            return False
        loop = pulse.pa_threaded_mainloop_new()
        context = pulse.pa_context_new(pulse.pa_threaded_mainloop_get_api(loop), b"gm-assistant")
        self._free = partial(_freed, pulse, loop, context)
        _open_watches.add(self)
        pulse.pa_context_set_subscribe_callback(context, self._callback, None)
        if pulse.pa_context_connect(context, None, _NO_AUTOSPAWN, None) < 0 or pulse.pa_threaded_mainloop_start(loop):
            return False
        if not _is_ready(pulse, loop, context):
            return False
        pulse.pa_threaded_mainloop_lock(loop)
        pulse.pa_context_subscribe(context, self._facilities, None, None)
        pulse.pa_threaded_mainloop_unlock(loop)
        return True

    def _on_event(self, _context: object, event: int, _index: int, _data: object) -> None:
        if event & _EVENT in self._rerouting:
            self._lost()
        elif event & _EVENT in self._doubtful:
            self._doubted()


def _freed(pulse: Any, loop: int, context: int) -> None:
    pulse.pa_threaded_mainloop_stop(loop)
    pulse.pa_context_disconnect(context)
    pulse.pa_context_unref(context)
    pulse.pa_threaded_mainloop_free(loop)


def _library() -> Any:
    pulse = ctypes.CDLL("libpulse.so.0")
    for name, (result, *arguments) in _SIGNATURES.items():
        function = getattr(pulse, name)
        function.restype, function.argtypes = result, arguments
    return pulse


def _is_ready(pulse: Any, loop: int, context: int) -> bool:
    end = time.monotonic() + _CONNECTING_PATIENCE
    while time.monotonic() < end:
        pulse.pa_threaded_mainloop_lock(loop)
        state = pulse.pa_context_get_state(context)
        pulse.pa_threaded_mainloop_unlock(loop)
        if state >= _READY:
            return bool(state < _FAILED)
        time.sleep(0.005)
    return False
