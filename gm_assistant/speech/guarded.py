"""A device on which secrets are played, in a child process that can be ended at once.

The child knows one device only. Every way in which it is not there, not clear, not heard or not trustworthy ends in an
AudioError: there is no second choice.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from threading import Lock, Thread
from typing import TypeVar

from gm_assistant.errors import AudioError, GmError
from gm_assistant.speech.audio import Device, Kind, find_device, refresh
from gm_assistant.speech.headset_rules import refuse_headset, refuse_mono
from gm_assistant.speech.player import LEFT, Player
from gm_assistant.speech.ports import Audio
from gm_assistant.speech.route_watch import RouteWatch
from gm_assistant.speech.sound_server import routes_of
from gm_assistant.speech.worker import Worker, WorkerLost

DEADLINE = 1.0
"""s for the child to answer while its device is open."""
OPENING_DEADLINE = 5.0
"""s for the child to look for its device and to open it."""
_STARTING_DEADLINE = 15.0
"""s for the child to start and look for its device."""


_Result = TypeVar("_Result")


class GuardedPlayer:
    """Lives in a child process and knows one device only."""

    def __init__(self, name: str, sides: int = 1, trusted: bool = False) -> None:
        """`sides`: 2 if left and right are apart. `trusted`: as in `refuse_headset`, which see for errors."""
        refuse_headset(name, trusted=trusted)
        self._name = name
        self._sides = sides
        self._trusted = trusted
        self._player: Player | None = None
        self._noise: Audio | None = None
        self._sounding = False
        self._sinks: set[str] = set()
        self._watch = RouteWatch(self._die, doubted=self._doubt)

    def check(self) -> str:
        """Return the device's full name if it is there now, and would be heard. Raise as `begin` does."""
        full_name = self._guarded(lambda player: player.device.full_name)
        self._close_if_idle()
        return full_name

    def begin(self, audio: Audio, side: int = LEFT) -> None:
        """Look for the device anew if it is closed, open it and start to play.

        Raise AudioError("headset-not-ready"), also for a device that is muted, or ("split-refused").
        """
        self._guarded(lambda player: player.begin(audio, side))

    def add(self, audio: Audio, pause: float, side: int = LEFT) -> None:
        """Play `audio`, too, `pause` s after what sounds on this side. Raise AudioError("headset-not-ready")."""
        if self._player is None:
            raise self._failure()
        try:
            self._player.add(audio, pause, side)
        except AudioError as failed:
            raise self._failure() from failed

    def noise(self, audio: Audio | None) -> None:
        """Repeat `audio` under what sounds on the first side until None. Raise as `begin` does."""
        self._noise = audio
        if audio is not None:
            self._guarded(lambda player: player.noise(audio))
        elif self._player is not None:
            self._player.noise(None)
            self._close_if_idle()

    def ended(self, side: int = LEFT) -> bool:
        """Return whether it is over; an idle device is free then. Raise AudioError("headset-not-ready")."""
        if self._player is None:
            return True
        try:
            over = self._player.ended(side)
        except AudioError as failed:
            raise self._failure() from failed
        if over:
            self._close_if_idle()
        return over

    def stop(self, side: int = LEFT) -> None:
        """Be silent on one side at once, and free the device unless anything else sounds."""
        if self._player is not None:
            self._player.stop(side)
        self._close_if_idle()

    def close(self) -> None:
        """Be silent at once and free the device: an open stream would be moved elsewhere if its plug is pulled."""
        if self._player is not None:
            self._player.close()
        self._player = None
        self._sounding = False
        self._sinks = set()

    def _close_if_idle(self) -> None:
        if self._player is not None and not self._player.busy:
            self.close()

    def _guarded(self, action: Callable[[Player], _Result]) -> _Result:
        """Do something with the open device, after having made sure that it is heard on every side that is played."""
        try:
            player = self._opened()
            self._refuse_unheard(player)
            return action(player)
        except AudioError as failed:
            if failed.key.startswith(("headset", "split")):
                self.close()
                raise
            raise self._failure() from failed

    def _opened(self) -> Player:
        if self._player is not None and (self._player.dead or not self._player.busy):
            self.close()
        if self._player is None:
            device = self._present()
            self._sounding = True
            self._player = Player(device, self._sides)
            self._player.wake()
            if self._noise is not None:
                self._player.noise(self._noise)
        return self._player

    def _refuse_unheard(self, player: Player) -> None:
        routes = routes_of(os.getpid())
        self._sinks = {route.sink for route in routes}
        if self._sinks & {route.sink for route in routes_of(os.getppid())}:  # the table's, by whatever other name
            raise AudioError("headset-refused", device=player.device.full_name)
        for route in routes:
            if len(route.volumes) < self._sides:
                raise AudioError("split-refused", device=player.device.full_name)
            if not route.heard(self._sides):
                raise AudioError("headset-not-ready", device=self._name)

    def _present(self) -> Device:
        refresh()
        device = find_device(self._name, Kind.OUTPUT, exact=True)
        refuse_headset(device.name, device.host, trusted=self._trusted)
        if self._sides > 1:
            refuse_mono(device)
        return device

    def _failure(self) -> AudioError:
        self.close()
        return AudioError("headset-not-ready", device=self._name)

    def _doubt(self) -> None:
        """Ask the sound server on another thread: the watch must be free for what is no matter of doubt."""
        Thread(target=self._die_if_moved, daemon=True).start()

    def _die_if_moved(self) -> None:
        """End this process if its sound is led elsewhere or no longer heard: by hand, or by a policy of the desktop."""
        if self._sounding and self._sinks:
            routes = routes_of(os.getpid())
            moved = not {route.sink for route in routes} <= self._sinks
            if moved or not all(route.heard(self._sides) for route in routes):
                self._die()

    def _die(self) -> None:
        """End this process, the quickest way to end its sound, before the system plays it from another device."""
        if self._sounding:
            os._exit(1)


class Guard:
    """The parent's end of a child with a GuardedPlayer. One call after the other, from whatever thread."""

    def __init__(self, name: str, sides: int = 1, *, trusted: bool = False) -> None:
        """Raise as `refuse_headset` does."""
        refuse_headset(name, trusted=trusted)
        self._name = name
        self._child = Worker(partial(GuardedPlayer, name, sides, trusted), _STARTING_DEADLINE)
        self._turn = Lock()

    @property
    def running(self) -> bool:
        """Return whether there is a child."""
        return self._child.process_id is not None

    def ask(self, method: str, *arguments: object, deadline: float = DEADLINE) -> object:
        """Return what the child's player returns, within `deadline` s. Raise its AudioError.

        A child that is lost or late is "headset-not-ready"; the next call starts a fresh one.
        """
        with self._turn:
            try:
                return self._child.call(method, *arguments, deadline=deadline + _STARTING_DEADLINE * (not self.running))
            except WorkerLost as lost:
                raise AudioError("headset-not-ready", device=self._name) from lost

    def ended(self, side: int = LEFT) -> bool:
        """Return whether one side's sound is over. Raise as `ask` does."""
        try:
            return bool(self.ask("ended", side))
        except AudioError:
            self.close()  # the device has died: what the child still holds of it is of no use to the next sound
            raise

    def stop(self, side: int = LEFT) -> None:
        """Be silent on one side at once; a child that does not obey is killed."""
        with self._turn:
            if self.running:
                try:
                    self._child.call("stop", side, deadline=DEADLINE)
                except (WorkerLost, GmError):
                    self._child.kill()

    def close(self) -> None:
        """End the child."""
        with self._turn:
            self._child.close()
