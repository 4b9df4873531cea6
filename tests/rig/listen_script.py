"""Hears with the real microphone: `listen_script.py DEVICE SECONDS OUTPUT [BACK]`.

Prints `ready` when the device could be opened before, and opens it at the first line of its input; with BACK so many s
that it has heard before count, too. Prints `open` when it hears, and writes the raw frames to OUTPUT.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

from gm_assistant.speech.microphones import DeviceMicrophone
from gm_assistant.speech.ports import FRAME_SAMPLES, RECOGNIZER_RATE


def main(device: str, seconds: str, output: str, back: str = "") -> None:
    microphone = DeviceMicrophone(None if device == "-" else device)
    microphone.open()
    microphone.shut()
    print("ready", flush=True)
    sys.stdin.readline()
    microphone.open(time.monotonic() - float(back) if back else None)
    print("open", flush=True)
    frames = int(float(seconds) * RECOGNIZER_RATE / FRAME_SAMPLES)
    Path(output).write_bytes(b"".join(microphone.read() for _ in range(frames)))
    microphone.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
