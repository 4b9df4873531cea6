"""Plays tones on devices, as one program: `play_script.py TABLE HEADSET LINE...`, a LINE is `channel:hertz:seconds`.

`-` is no device; with `split` as HEADSET, TABLE is one device for both. A LINE may end in `:stop`: it is stopped after
0.3 s. `pause:0:2` waits for 2 s. `both:440:2` plays 440 Hz at the table while 660 Hz are whispered. `noise:0:1` begins
the masking noise, `noise:0:0` ends it.
Prints one line of outcome for each LINE.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from gm_assistant.errors import AudioError
from gm_assistant.speech.noise import masking_noise
from gm_assistant.speech.playback import DeviceSpeaker
from gm_assistant.speech.ports import Audio, HeadsetAudio, Speaker
from gm_assistant.speech.split_speaker import SplitSpeaker

RATE = 22_050
STOP_AFTER = 0.3


def tone(hertz: float, seconds: float) -> Audio:
    moments = np.arange(int(RATE * seconds)) / RATE
    return Audio((8_000 * np.sin(2 * np.pi * hertz * moments)).astype("<i2").tobytes(), RATE)


def stopping(after: float) -> Callable[[], bool]:
    end = time.monotonic() + after
    return lambda: time.monotonic() > end


def play(speaker: Speaker, line: str) -> str:
    channel, hertz, seconds, *stop = line.split(":")
    if channel == "pause":
        time.sleep(float(seconds))
        return "paused"
    if channel == "both":
        return both(speaker, float(hertz), float(seconds))
    stopped = stopping(STOP_AFTER if stop else float("inf"))
    sound = tone(float(hertz), float(seconds))
    try:
        if channel == "noise":
            speaker.noise(masking_noise(1.0) if float(seconds) else None)
            return "noise"
        if channel == "headset":
            return str(speaker.whisper(HeadsetAudio(sound), stopped))
        return str(speaker.play(sound, stopped))
    except AudioError as refused:
        return refused.key


def both(speaker: Speaker, hertz: float, seconds: float) -> str:
    sounds = tone(hertz, seconds), HeadsetAudio(tone(1.5 * hertz, seconds))
    with ThreadPoolExecutor() as pool:
        table = pool.submit(speaker.play, sounds[0], lambda: False)
        headset = pool.submit(speaker.whisper, sounds[1], lambda: False)
    return str(table.result() and headset.result())


def opened(table: str, headset: str) -> Speaker:
    if headset == "split":
        return SplitSpeaker(table)
    return DeviceSpeaker(None if table == "-" else table, None if headset == "-" else headset)


def main(table: str, headset: str, *lines: str) -> None:
    try:
        speaker = opened(table, headset)
    except AudioError as refused:
        print(refused.key)
        return
    for line in lines:
        print(play(speaker, line), flush=True)
    speaker.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
