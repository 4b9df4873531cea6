"""What Linux's sound server knows of our own streams: the only module that touches pulsectl.

PortAudio is told nothing of a sink that is muted or has one channel only, and plays into it all the same.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Route:
    """Where the sound server leads one of our streams."""

    sink: str
    """The server's name of the device."""
    volumes: tuple[float, ...]
    """Of each channel of the device; 0 if the device or the stream is muted."""

    def heard(self, sides: int) -> bool:
        """Return whether anything is heard; with 2 `sides`, each of them."""
        return (max if sides == 1 else min)(self.volumes, default=0.0) > 0


def routes_of(process: int) -> tuple[Route, ...]:
    """Return the routes of the open streams of a process; nothing if there is no sound server that can tell.

    A sound server that hangs keeps the caller for ever.
    """
    try:
        from pulsectl import Pulse, PulseError  # noqa: PLC0415 - needs libpulse, which may be missing
    except (ImportError, OSError):
        return ()
    try:
        with Pulse("gm-assistant", connect=False) as server:
            server.connect(autospawn=False)  # with its timeout it always takes as long as that
            return tuple(_route(server, stream) for stream in server.sink_input_list() if _is_of(process, stream))
    except PulseError:
        return ()


def hears_a_loudspeaker() -> bool:
    """Return whether one of this process's open microphones is what a loudspeaker plays (the monitor of a sink).

    False if there is no sound server that can tell.
    """
    try:
        from pulsectl import Pulse, PulseError  # noqa: PLC0415 - needs libpulse, which may be missing
    except (ImportError, OSError):
        return False
    try:
        with Pulse("gm-assistant", connect=False) as server:
            server.connect(autospawn=False)
            ours = [stream for stream in server.source_output_list() if _is_of(os.getpid(), stream)]
            monitored = {sink.monitor_source for sink in server.sink_list()}
            return any(stream.source in monitored for stream in ours)
    except PulseError:
        return False


def _is_of(process: int, stream: Any) -> bool:
    return bool(stream.proplist.get("application.process.id") == str(process))


def _route(server: Any, stream: Any) -> Route:
    sink = server.sink_info(stream.sink)
    heard = not (sink.mute or stream.mute) and max(stream.volume.values) > 0
    return Route(sink.name, tuple(volume * heard for volume in sink.volume.values))
