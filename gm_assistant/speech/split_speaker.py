"""One stereo device with a splitter: its left channel is the table's loudspeaker, its right one the headset."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import Future
from dataclasses import dataclass

from gm_assistant.errors import AudioError
from gm_assistant.speech.audio import Kind, find_device
from gm_assistant.speech.guarded import OPENING_DEADLINE, Guard
from gm_assistant.speech.headset_rules import refuse_mono
from gm_assistant.speech.noise import LEAD_IN, led_in
from gm_assistant.speech.playback import played, streamed, waited
from gm_assistant.speech.player import LEFT, RIGHT
from gm_assistant.speech.ports import Audio, HeadsetAudio


@dataclass(frozen=True, slots=True)
class _Side:
    """A Line on one channel of the device."""

    guard: Guard
    side: int
    start: Callable[[Audio, int], None]

    def begin(self, audio: Audio) -> None:
        self.start(audio, self.side)

    def add(self, audio: Audio, pause: float) -> None:
        self.guard.ask("add", audio, pause, self.side)

    def ended(self) -> bool:
        return self.guard.ended(self.side)

    def stop(self) -> None:
        self.guard.stop(self.side)


class SplitSpeaker:
    """Speaker on both channels of one device. A child plays both, so pulling the plug silences both."""

    def __init__(self, name: str, *, lead_in: float = LEAD_IN, trusted: bool = False) -> None:
        """`name`: exact. `lead_in`: s of faint noise before a whisper. `trusted`: it may be a built-in jack.

        Raise AudioError as `refuse_headset` and `find_device` do, or ("split-refused") for a device without two
        channels. One that is muted is no error yet.
        """
        self._guard = Guard(name, 2, trusted=trusted)
        refuse_mono(find_device(name, Kind.OUTPUT, exact=True))
        self._table, self._headset = (_Side(self._guard, side, self._begin) for side in (LEFT, RIGHT))
        self._name = name
        self._lead_in = lead_in
        self._noise: Audio | None = None
        try:
            self.check()
        except AudioError as error:
            if error.key != "headset-not-ready":
                self.close()
                raise

    def check(self) -> str:
        """Return the device's full name if it could be played on now.

        Raise AudioError("headset-not-ready"), also if it is muted, or ("split-refused").
        """
        return str(self._guard.ask("check", deadline=OPENING_DEADLINE))

    def play(
        self, audio: Audio, stopped: Callable[[], bool], more: Iterable[Future[Audio]] = (), pause: float = 0.0
    ) -> bool:
        """Play on the left as the Speaker protocol says; over noise silent within 150 ms of `stopped()`."""
        try:
            return streamed(self._table, audio, stopped, more, pause)
        except AudioError as failed:
            if failed.key.startswith(("headset", "split", "device")):
                raise self._failure() from failed
            raise

    def whisper(self, audio: HeadsetAudio, stopped: Callable[[], bool]) -> bool:
        """Whisper on the right as the Speaker protocol says; silent as `play` is."""
        return played(self._headset, led_in(audio.audio, self._lead_in), stopped)

    def noise(self, audio: Audio | None) -> None:
        """Begin or end the noise on the left. It comes back with the next line if the device was gone."""
        self._noise = audio
        try:
            if audio is not None or self._guard.running:
                self._guard.ask("noise", audio, deadline=OPENING_DEADLINE)
        except AudioError as failed:
            raise self._failure() from failed

    def rest(self, seconds: float, stopped: Callable[[], bool]) -> bool:
        """Wait as the Speaker protocol says."""
        return waited(seconds, stopped)

    def close(self) -> None:
        """End the child."""
        self._guard.close()

    def _begin(self, audio: Audio, side: int) -> None:
        """Start to play on one side, in a child that knows of the noise."""
        if self._noise is not None and not self._guard.running:
            self._guard.ask("noise", self._noise, deadline=OPENING_DEADLINE)
        self._guard.ask("begin", audio, side, deadline=OPENING_DEADLINE)

    def _failure(self) -> AudioError:
        return AudioError("table-speaker-failed", device=self._name)
