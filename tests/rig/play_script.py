"""Plays tones on devices, as one program: `play_script.py TABLE HEADSET LINE...`, a LINE is `channel:hertz:seconds`.

`-` is no device. A LINE may end in `:stop`: it is stopped after 0.3 s. `pause:0:2` waits for 2 s.
Prints one line of outcome for each LINE.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

import numpy as np

from gm_assistant.errors import AudioError
from gm_assistant.speech.playback import DeviceSpeaker
from gm_assistant.speech.ports import Audio, HeadsetAudio

RATE = 22_050
STOP_AFTER = 0.3


def tone(hertz: float, seconds: float) -> Audio:
    moments = np.arange(int(RATE * seconds)) / RATE
    return Audio((8_000 * np.sin(2 * np.pi * hertz * moments)).astype("<i2").tobytes(), RATE)


def stopping(after: float) -> Callable[[], bool]:
    end = time.monotonic() + after
    return lambda: time.monotonic() > end


def play(speaker: DeviceSpeaker, line: str) -> str:
    channel, hertz, seconds, *stop = line.split(":")
    if channel == "pause":
        time.sleep(float(seconds))
        return "paused"
    stopped = stopping(STOP_AFTER if stop else float("inf"))
    sound = tone(float(hertz), float(seconds))
    try:
        if channel == "headset":
            return str(speaker.whisper(HeadsetAudio(sound), stopped))
        return str(speaker.play(sound, stopped))
    except AudioError as refused:
        return refused.key


def main(table: str, headset: str, *lines: str) -> None:
    try:
        speaker = DeviceSpeaker(None if table == "-" else table, None if headset == "-" else headset)
    except AudioError as refused:
        print(refused.key)
        return
    for line in lines:
        print(play(speaker, line), flush=True)
    speaker.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
