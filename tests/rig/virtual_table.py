"""A table made of software: a loudspeaker, a headset and a microphone that no cable leads to.

A private PulseAudio with null sinks. A person who speaks is a sound file played into the sink `room`, which the
microphone hears; what the table and the headset hear is recorded from the monitors of their sinks.
"""

from __future__ import annotations

import ctypes.util
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import numpy as np
import numpy.typing as npt

RATE = 44_100
"""Hz of the virtual devices and of what is recorded from them."""

PROGRAMS = ("pulseaudio", "pactl", "parec", "paplay", "pacat")

_READY_WITHIN = 10.0
_HISS = 6554
"""Volume of the room's noise for PulseAudio: about 20 of 32,767."""
_SINKS = ("table_speaker", "headset", "room")
_MICROPHONE = "master=room.monitor source_name=microphone channels=2"
_PULSE_SCRIPT = """\
load-module module-native-protocol-unix auth-anonymous=1 socket={socket}
load-module module-null-sink sink_name=table_speaker rate=44100 channels=2
load-module module-null-sink sink_name=headset rate=44100 channels=2
load-module module-null-sink sink_name=room rate=44100 channels=2
load-module module-remap-source {microphone}
load-module module-rescue-streams
set-default-sink table_speaker
set-default-source microphone
"""
_PULSE_OPTIONS = ("--exit-idle-time=-1", "--daemonize=no", "--use-pid-file=no", "--realtime=no", "--no-cpu-limit=yes")
_ENDS_WITH_US = """\
import ctypes, os, sys
ctypes.CDLL(None).prctl(1, 9)  # PR_SET_PDEATHSIG, SIGKILL
if os.getppid() == int(sys.argv[1]):
    os.execvp(sys.argv[2], sys.argv[2:])
"""
"""Becomes the program in its arguments, which the kernel kills with the thread that started it, however that ends."""
_ALSA_DEVICE = 'pcm.{name} {{ type pulse device {target} hint {{ show on description "{name}" }} }}\n'

Samples = npt.NDArray[np.int16]


TABLE_UNDER_ANOTHER_NAME = "earphones"
"""A device of ALSA whose sound comes out of the table's loudspeaker."""


def missing_parts() -> list[str]:
    """Return what this computer lacks for a virtual table."""
    missing = [program for program in PROGRAMS if shutil.which(program) is None]
    if ctypes.util.find_library("portaudio") is None:
        missing.append("libportaudio2")
    if not any(Path("/usr/lib").glob("*/alsa-lib/libasound_module_pcm_pulse.so")):
        missing.append("libasound2-plugins")
    return missing


class Recording:
    """What both places heard, sample for sample of the same moments: 16-bit mono at RATE, once it is over."""

    def __init__(self) -> None:
        self.table: Samples = np.zeros(0, np.int16)
        self.headset: Samples = np.zeros(0, np.int16)
        self.also: dict[str, Samples] = {}
        """Left and right of other sinks: frames x 2."""
        self.pieces: dict[str, bytearray] = {}
        """What has come so far from each sink."""
        self.began = 0.0
        """time.monotonic() of the first sample, to about 10 ms."""

    @property
    def rate(self) -> int:
        """Hz."""
        return RATE

    def wait_for_sound(self, sink: str, level: int = 0) -> None:
        """Wait until something louder than `level` has been heard on `sink`."""
        _wait_for(lambda: bool((np.abs(_samples(self.pieces[sink])) > level).any()), f"nothing is heard on {sink}")


class VirtualTable:
    """Runs as long as the `with` block. `environment` leads a program's PortAudio to the virtual devices."""

    def __init__(self, splitter: str = "") -> None:
        """`splitter`: name of one more stereo sink, with which PortAudio gets a device of the same name."""
        self._cleanup = ExitStack()
        self._splitter = splitter
        self.environment: dict[str, str] = {}

    def __enter__(self) -> Self:
        folder = Path(self._cleanup.enter_context(tempfile.TemporaryDirectory(prefix="virtual-table-")))
        try:
            self._start(folder)
        except BaseException:
            self._cleanup.close()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._cleanup.close()

    def speak_into_room(self, wav: Path) -> None:
        """Play a sound file where the microphone hears it; return when it is over."""
        self._run("paplay", "--device=room", str(wav))

    @contextmanager
    def recording(self, *also: str, letting_sleep: bool = False) -> Iterator[Recording]:
        """Record table and headset at once, and other sinks; the sounds are in the Recording after the block.

        Whoever listens closely keeps a device awake. `letting_sleep` listens so lazily that it needs up to 2 s to wake.
        """
        recording = Recording()
        delay = 2.0 if letting_sleep else 0.01
        ears = {name: self._ear(f"{name}.monitor", delay) for name in ("table_speaker", "headset")}
        ears |= {name: self._ear(f"{name}.monitor", delay, channels=2) for name in also}
        heard = recording.pieces = {name: bytearray() for name in ears}
        threads = [threading.Thread(target=_listen, args=(ear, heard[name], recording)) for name, ear in ears.items()]
        for thread in threads:
            thread.start()
        _wait_for(lambda: all(heard.values()), "the monitors gave no sound")
        try:
            yield recording
        finally:
            time.sleep(0.14 + delay)  # what was played last is still on its way to the monitors
            for ear in ears.values():
                ear.terminate()
            for thread in threads:
                thread.join()
            for ear in ears.values():
                ear.wait()
                if ear.stdout is not None:
                    ear.stdout.close()
            recording.table = _samples(heard["table_speaker"])
            recording.headset = _samples(heard["headset"])
            recording.also = {name: _frames(heard[name]) for name in also}

    def unplug_headset(self) -> None:
        """Pull the cable: the headset's sink is gone, and the sound server moves its streams to the default."""
        self.unplug("headset")

    def plug_headset(self) -> None:
        """Put the cable back, if it is out."""
        if "headset" not in self._sinks():
            self.plug("headset")
        self.make_default("table_speaker")

    @contextmanager
    def hissing(self) -> Iterator[None]:
        """Let the room hiss as softly as every microphone does: one that gives nothing but zeros is muted."""
        command = ["pacat", "--device=room", "--format=s16le", "--rate=8000", "--channels=1", f"--volume={_HISS}"]
        with Path("/dev/urandom").open("rb") as noise:
            hiss = subprocess.Popen(command, env=os.environ | self.environment, stdin=noise, stderr=subprocess.DEVNULL)
            try:
                yield
            finally:
                _end(hiss)

    def plug(self, sink: str, channels: int = 2) -> None:
        """Plug in a device, also a second one of the same name: then the sound server adds `.2` to it."""
        self._run("pactl", "load-module", "module-null-sink", f"sink_name={sink}", "rate=44100", f"channels={channels}")

    def unplug(self, sink: str) -> None:
        """Pull the cable of whatever was plugged in under this name."""
        for line in self._run("pactl", "list", "short", "modules").splitlines():
            if f"sink_name={sink} " in line:
                self._run("pactl", "unload-module", line.split()[0])

    def unplug_first(self, sink: str) -> None:
        """Pull the cable of the one that was there first of all that have this name."""
        lines = self._run("pactl", "list", "short", "modules").splitlines()
        self._run("pactl", "unload-module", next(line for line in lines if f"sink_name={sink} " in line).split()[0])

    def make_default(self, sink: str) -> None:
        """Let the system play on this sink whatever asks for no other."""
        self._run("pactl", "set-default-sink", sink)

    def deafen(self, sink: str, how: str) -> None:
        """Let nothing be heard of a device: `mute` it, or `turn_down` its volume to nothing."""
        if how == "mute":
            self._run("pactl", "set-sink-mute", sink, "1")
        else:
            self.turn_to(sink, "0%")

    def turn_to(self, sink: str, volume: str) -> None:
        """Turn a device's volume to so much."""
        self._run("pactl", "set-sink-volume", sink, volume)

    def undeafen(self, sink: str) -> None:
        """Let a device be heard again."""
        self._run("pactl", "set-sink-mute", sink, "0")
        self._run("pactl", "set-sink-volume", sink, "100%")

    def move_streams(self, sink: str) -> None:
        """Lead everything that sounds to this sink, as a person does in the desktop's mixer."""
        for line in self._run("pactl", "list", "short", "sink-inputs").splitlines():
            self._run("pactl", "move-sink-input", line.split()[0], sink)

    def unplug_microphone(self) -> None:
        """Pull the cable: the microphone's source is gone, and the sound server moves its streams to another."""
        for line in self._run("pactl", "list", "short", "modules").splitlines():
            if "source_name=microphone" in line:
                self._run("pactl", "unload-module", line.split()[0])

    def plug_microphone(self) -> None:
        """Put the cable back."""
        self._run("pactl", "load-module", "module-remap-source", *_MICROPHONE.split())
        self._run("pactl", "set-default-source", "microphone")

    def freeze(self, seconds: float) -> None:
        """Let the sound server hang for a while."""
        self._server.send_signal(signal.SIGSTOP)
        time.sleep(seconds)
        self._server.send_signal(signal.SIGCONT)

    def crash(self) -> None:
        """End the sound server without warning."""
        self._server.kill()
        self._server.wait()

    def _start(self, folder: Path) -> None:
        runtime = folder / "runtime"
        runtime.mkdir(mode=0o700)
        socket = folder / "socket"
        script = folder / "table.pa"
        script.write_text(_PULSE_SCRIPT.format(socket=socket, microphone=_MICROPHONE))
        self.environment = {
            "PULSE_SERVER": f"unix:{socket}",
            "ALSA_CONFIG_PATH": str(_write_alsa_config(folder, self._splitter)),
            "XDG_RUNTIME_DIR": str(runtime),
            "PULSE_RUNTIME_PATH": str(runtime),
            "PULSE_COOKIE": str(folder / "cookie"),
            "XDG_CONFIG_HOME": str(folder / "config"),
            "HOME": str(folder),
        }
        becoming = [sys.executable, "-I", "-S", "-c", _ENDS_WITH_US, str(os.getpid())]
        command = [*becoming, "pulseaudio", "-n", "-F", str(script), *_PULSE_OPTIONS]
        log = self._cleanup.enter_context((folder / "pulseaudio.log").open("wb"))
        self._server = subprocess.Popen(
            command, env=os.environ | self.environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log
        )
        self._cleanup.callback(_end, self._server)
        try:
            _wait_for(lambda: set(_SINKS) <= set(self._sinks()), "PulseAudio did not start")
        except TimeoutError as late:
            raise TimeoutError((folder / "pulseaudio.log").read_text()) from late
        self._keep_awake(folder / "awake")

    def _keep_awake(self, heard: Path) -> None:
        """Listen closely all the time: else a null sink wakes up as late as 2 s after a microphone is opened."""
        command = ["parec", "--device=microphone", "--format=u8", "--rate=4000", "--channels=1", "--latency-msec=10"]
        output = self._cleanup.enter_context(heard.open("wb"))
        ear = subprocess.Popen(command, env=os.environ | self.environment, stdout=output, stderr=subprocess.DEVNULL)
        self._cleanup.callback(_end, ear)
        _wait_for(lambda: heard.stat().st_size, "the microphone gave no sound")

    def _sinks(self) -> list[str]:
        try:
            return [line.split()[1] for line in self._run("pactl", "list", "short", "sinks").splitlines()]
        except subprocess.CalledProcessError:
            return []

    def _ear(self, source: str, delay: float, channels: int = 1) -> subprocess.Popen[bytes]:
        command = ["parec", f"--device={source}", "--format=s16le", f"--rate={RATE}", f"--channels={channels}"]
        return subprocess.Popen(
            [*command, f"--latency-msec={delay * 1000:.0f}"],
            env=os.environ | self.environment,
            stdout=subprocess.PIPE,
        )

    def _run(self, *command: str) -> str:
        done = subprocess.run(command, env=os.environ | self.environment, capture_output=True, text=True, check=True)
        return done.stdout


def _write_alsa_config(folder: Path, splitter: str) -> Path:
    devices: Mapping[str, str] = {
        **{name: name for name in ("table_speaker", "headset", "microphone", splitter) if name},
        TABLE_UNDER_ANOTHER_NAME: "table_speaker",
    }
    config = folder / "alsa.conf"
    config.write_text(
        "</usr/share/alsa/alsa.conf>\n"
        + 'pcm.!default { type pulse hint { show on description "default" } }\n'
        + "".join(_ALSA_DEVICE.format(name=name, target=target) for name, target in devices.items())
    )
    return config


def _listen(ear: subprocess.Popen[bytes], heard: bytearray, recording: Recording) -> None:
    stream: Any = ear.stdout
    while piece := stream.read1(4096):
        recording.began = recording.began or time.monotonic()
        heard.extend(piece)


def _samples(heard: bytearray) -> Samples:
    return np.frombuffer(bytes(heard[: len(heard) // 2 * 2]), "<i2")


def _frames(heard: bytearray) -> Samples:
    return _samples(heard[: len(heard) // 4 * 4]).reshape(-1, 2)


def _wait_for(condition: Any, complaint: str) -> None:
    end = time.monotonic() + _READY_WITHIN
    while not condition():
        if time.monotonic() > end:
            raise TimeoutError(complaint)
        time.sleep(0.02)


def _end(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(3)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
