"""Where the listener's frames come from: a real microphone, or a sound file in its place."""

from __future__ import annotations

import time
from contextlib import suppress
from pathlib import Path

import numpy as np

from gm_assistant.errors import AudioError
from gm_assistant.speech.audio import WAKING_PATIENCE, Device, Kind, Stream, find_device, refresh
from gm_assistant.speech.lately import Lately
from gm_assistant.speech.ports import FRAME_SAMPLES, RECOGNIZER_RATE
from gm_assistant.speech.resampling import Samples, StreamResampler, resampled
from gm_assistant.speech.route_watch import RouteWatch, Watched
from gm_assistant.speech.wav_files import read_wav

MICROPHONE_PATIENCE = 1.5
"""s without anything from the device before it counts as lost."""

SILENCE_AFTER_FILE = 1.0
"""s of silence that follow a sound file, so that its last sentence can come to an end."""

_POLL = 0.1
_LONGEST_DELAY = 0.5
"""s that sound is on its way from the device at most, whatever its clock says: some drivers' clocks are wrong."""


class DeviceMicrophone:
    """A microphone of this computer. Its device stays open while it is shut; only the last PRE_ROLL s are kept then.

    When any source of the sound server vanishes, it opens its own device anew by name: it may have been that one, and
    the server would lead the stream to another, such as the sound of the table's loudspeaker.
    """

    def __init__(self, name: str | None = None) -> None:
        """`name` as in `find_device`, None for the system's default. Raise as `find_device` does."""
        self._name = name
        self._device = find_device(name, Kind.INPUT)
        self._stream: Stream | None = None
        self._rate = RECOGNIZER_RATE
        self._resampler = StreamResampler(self._rate, RECOGNIZER_RATE)
        self._lately = Lately()
        self._rest = np.zeros(0, np.int16)
        self._ever_heard = False
        self._opened_before = False
        self._watch: RouteWatch | None = None
        self._moved = False
        self.peak = 0
        """Largest sample since the last `open`, 0 to 32,768. 0 after 2 s: muted, or denied by the system."""

    def wake(self) -> None:
        """Open the device without hearing yet, so that `open` takes no time. A failure shows when it is opened."""
        if self._stream is None:
            with suppress(AudioError):
                self._reopen()

    def open(self, since: float | None = None) -> None:
        """Hear from now on, or from `since` (monotonic s) as far as that was kept; open already, go on hearing.

        Raise AudioError("microphone-lost") if the device cannot be opened.
        """
        if self._stream is None or self._stream.dead or self._moved:
            self._reopen()
        if self._lately.is_open and since is not None:
            return
        self.peak = 0
        self._begin(time.monotonic() if since is None else since)

    def read(self) -> bytes:
        """Return the next frame.

        Raise AudioError("microphone-silent-device") if the device never gave anything, ("microphone-lost") if it
        stopped giving or the microphone is not open; both with `device`.
        """
        while len(self._rest) < FRAME_SAMPLES:
            self._rest = np.concatenate((self._rest, self._resampler.feed(self._next_piece())))
        frame, self._rest = self._rest[:FRAME_SAMPLES], self._rest[FRAME_SAMPLES:]
        self.peak = max(self.peak, int(np.abs(frame.astype(np.int32)).max()))
        return frame.astype("<i2").tobytes()

    def shut(self) -> None:
        """Forget everything; keep the last PRE_ROLL s from now on."""
        self._lately.shut()

    def close(self) -> None:
        """Free the device."""
        self.shut()
        if self._stream is not None:
            self._stream.close()
        self._stream = None
        if self._watch is not None:
            self._watch.close()
        self._watch = None

    def _begin(self, since: float) -> None:
        self._rest = np.zeros(0, np.int16)
        self._resampler = StreamResampler(self._rate, RECOGNIZER_RATE)
        self._lately.open(since)

    def _next_piece(self) -> Samples:
        while True:
            if self._moved:
                self._go_on_anew()
            piece = self._lately.next(_POLL)
            if piece is not None:
                return piece
            self._check_alive()

    def _go_on_anew(self) -> None:
        """Give up what was heard and not read yet: it may come from elsewhere."""
        self._check_alive()
        self._reopen()
        self._begin(time.monotonic())

    def _check_alive(self) -> None:
        shut = self._stream is None or not self._lately.is_open
        silent_for = 0.0 if self._stream is None else time.monotonic() - self._stream.beat
        if shut or (self._ever_heard and silent_for > MICROPHONE_PATIENCE):
            raise AudioError("microphone-lost", device=self._device.full_name)
        if silent_for > WAKING_PATIENCE:
            raise AudioError("microphone-silent-device", device=self._device.full_name)

    def _keep(self, block: Samples, captured: float) -> None:
        self._ever_heard = True
        stream = self._stream
        if stream is not None:
            delay = min(max(stream.clock - captured, 0.0), _LONGEST_DELAY)
            mono: Samples = block.astype(np.int32).mean(axis=1).astype(np.int16)
            self._lately.keep(mono, time.monotonic() - delay, self._rate)

    def _may_have_moved(self) -> None:
        self._moved = True

    def _reopen(self) -> None:
        if self._opened_before:
            self.close()
            refresh()
        self._opened_before = True
        self._ever_heard = self._moved = False
        self._watch = RouteWatch(self._may_have_moved, Watched.INPUTS)  # before the stream: it shall miss nothing
        try:
            self._device = find_device(self._name, Kind.INPUT)
            self._stream = self._opened()
            self._stream.start()
        except AudioError as failed:
            self.close()
            raise AudioError("microphone-lost", device=self._device.full_name) from failed

    def _opened(self) -> Stream:
        """Ask for what the recogniser wants, else take what the device gives of its own accord."""
        wanted = [(RECOGNIZER_RATE, 1), (self._device.rate, 1)]
        for rate, channels in wanted:
            try:
                return self._stream_at(rate, channels, self._device)
            except AudioError:
                continue
        return self._stream_at(self._device.rate, min(2, self._device.channels), self._device)

    def _stream_at(self, rate: int, channels: int, device: Device) -> Stream:
        stream = Stream(device, channels, rate, self._keep)
        self._rate = rate
        return stream


class FileMicrophone:
    """A WAV file in place of a microphone. It waits while nobody reads: no word is lost while it is shut."""

    def __init__(self, path: Path) -> None:
        """Raise AudioError("wav-missing"), ("wav-broken") or ("wav-without-samples") as `read_wav` does."""
        samples, rate = read_wav(path)
        sound = resampled(samples, rate, RECOGNIZER_RATE)
        frames = -(-len(sound) // FRAME_SAMPLES) - (-int(SILENCE_AFTER_FILE * RECOGNIZER_RATE) // FRAME_SAMPLES)
        self._pcm = sound.astype("<i2").tobytes().ljust(2 * frames * FRAME_SAMPLES, b"\0")
        self._position = 0

    @property
    def seconds_read(self) -> float:
        """Return s of sound that were read, the silence after the file included."""
        return self._position / 2 / RECOGNIZER_RATE

    def open(self, since: float | None = None) -> None:
        """Go on where the last `read` ended."""

    def read(self) -> bytes | None:
        """Return the next frame, the file's last one filled up with silence; then 1 s of silence; then None."""
        frame = self._pcm[self._position : self._position + 2 * FRAME_SAMPLES]
        self._position += len(frame)
        return frame or None

    def shut(self) -> None:
        """Wait for the next `open`."""

    def close(self) -> None:
        """Nothing is left to free."""
