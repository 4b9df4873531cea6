"""Speaks at the table, as one program: `speak_script.py TABLE HOW [split]`. Prints whether it came to its
end, and when it did.

HOW is `whole` for three sentences made as one text, `sentences` for the same made one by one, `late` if the second of
them is made only 2.5 s after the first has begun, `stopped` if a key is pressed in the first pause.
"""

from __future__ import annotations

import sys
import threading
import time
from concurrent.futures import Future

from gm_assistant.speech.ahead import AheadSynthesizer
from gm_assistant.speech.playback import DeviceSpeaker
from gm_assistant.speech.ports import Audio, Voice
from gm_assistant.speech.pyttsx3_synthesizer import CachedSynthesizer, SynthesizerProcess, pause_between
from gm_assistant.speech.split_speaker import SplitSpeaker

SENTENCES = ("Elected, 4 to 1.", "Give Ben the chancellor's sign.", "Vote now.")
VOICE = Voice("en", rate=165)
LATE = 2.5


def kept_back(promise: Future[Audio]) -> Future[Audio]:
    late: Future[Audio] = Future()
    threading.Timer(LATE, lambda: late.set_result(promise.result())).start()
    return late


def main(table: str, how: str, split: str = "") -> None:
    synthesizer = AheadSynthesizer(CachedSynthesizer(SynthesizerProcess()))
    speaker = SplitSpeaker(table) if split else DeviceSpeaker(table)
    texts = (" ".join(SENTENCES),) if how == "whole" else SENTENCES
    first, *more = (synthesizer.later(text, VOICE) for text in texts)
    if how == "late":
        more[0] = kept_back(more[0])
    audio, pause = first.result(), pause_between(VOICE.rate)
    pressed = time.monotonic() + audio.seconds + pause / 2 if how == "stopped" else float("inf")
    whole = speaker.play(audio, lambda: time.monotonic() >= pressed, more, pause)
    print(whole, time.monotonic())
    speaker.close()
    synthesizer.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
