"""A whole game of the real program with a person who hears the headset: `private_game.py SEED OPENED`.

SEED decides the deal. The file OPENED gets a line for every file that was opened to be written or made.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from random import Random
from typing import Any

from fakes import FakeSpeaker

from gm_assistant import assembly, cli, session
from gm_assistant.speech.ports import Audio, Voice
from gm_assistant.speech.pyttsx3_synthesizer import CachedSynthesizer, SynthesizerProcess
from gm_assistant.terminal import PipedKeyboard

READY = "ready"
GAME = (
    *(
        "clara",
        "nobody else",
        "you deal",
        READY,
        "NUMBER",
        *[READY] * 5,
        "skip",
        READY,
        "NUMBER",
        "yes",
        "repeat",
        READY,
    ),
    *("consult everybody", *(READY, "NUMBER", "yes", READY) * 5),
    *("who am i", "consult clara", READY, "NUMBER", "yes", "repeat", READY),
    *("private notes", READY, "NUMBER", READY),
    *("nominate ben", "four yes one no", "liberal law", "who am i", "what", "nominate ben", "undo", "redo"),
    *(line for name in ("clara", "dora", "emil") for line in (f"nominate {name}", "vote passed", "liberal law")),
    *("nominate anna", "vote passed"),
)
"""What is typed before the game is over: "NUMBER" stands for the number that the headset has said."""
END = ("liberal law", "yes confirm", "who was what")
AFTER = ("yes confirm", "quit")
FLAGS = ("play", "--language", "en", "--edition", "secret_dictator", "--input", "keyboard")
PLAYERS = ("--players", "Anna,Ben,Clara,Dora,Emil", "--first", "Anna")


class Person(PipedKeyboard):
    """Types the game, and hears everything."""

    def __init__(self, *script: str) -> None:
        super().__init__(BytesIO())
        self.script = list(script)
        self.number = ""

    def line(self) -> str | None:
        line = self.script.pop(0) if self.script else None
        return self.number if line == "NUMBER" else line

    def key(self, seconds: float | None = None) -> str | None:
        return self.line()


class Overheard:
    """The real voice; the person hears the numbers that it says."""

    def __init__(self, person: Person, whispered: list[str]) -> None:
        self._voice = CachedSynthesizer(SynthesizerProcess())
        self._person = person
        self._whispered = whispered

    def synthesize(self, text: str, voice: Voice) -> Audio:
        if found := re.search(r"number: (\d+)", text):
            self._person.number = found[1]
        self._whispered.append(text)
        return self._voice.synthesize(text, voice)

    def known(self, text: str, voice: Voice) -> Audio | None:
        return None

    def close(self) -> None:
        self._voice.close()


def noted(opened: list[str]) -> Callable[[str, Any], None]:
    """Return what notes each file that is opened to be written."""

    def note(event: str, arguments: Any) -> None:
        if event == "open" and isinstance(arguments[0], str | bytes) and arguments[2] & 0o3:
            opened.append(str(arguments[0]))

    return note


def main(seed: str, to: str) -> int:
    opened: list[str] = []
    sys.addaudithook(noted(opened))
    person, whispered = Person(*GAME, *END, *AFTER), list[str]()
    assembly._speaker = lambda *_: FakeSpeaker()
    assembly.keyboard = lambda _: person
    assembly.CachedSynthesizer = lambda _: Overheard(person, whispered)
    session.SystemRandom = lambda: Random(seed)
    code = cli.main([*FLAGS, *PLAYERS, "--headset-device", "Headset, ALSA"])
    Path(to).write_text("\n".join(opened))
    Path(to).with_suffix(".whispered").write_text("\n".join(whispered))
    return code


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
