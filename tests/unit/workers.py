"""Objects that misbehave inside a child process on purpose."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

from gm_assistant.errors import AudioError, ModelError
from gm_assistant.speakable import SpeakableGrammar
from gm_assistant.speech.ports import Recognition, Strictness


class Calculator:
    """Adds, refuses, dies, hangs."""

    def __init__(self, start: int) -> None:
        self.start = start

    def add(self, number: int) -> int:
        self.start += number
        return self.start

    def refuse(self) -> None:
        raise AudioError("voice-failed", language="en")

    def die(self) -> None:
        os.abort()

    def hang(self) -> None:
        time.sleep(60)

    def fail(self) -> None:
        raise LookupError

    def quote(self, text: str) -> None:
        """Fail as engines do that repeat what they were given."""
        raise ValueError(f"cannot say {text!r}") from LookupError(text)

    def shout(self) -> None:
        os.write(1, b"noise\n")
        sys.stderr.write("noise\n")


class CountingEngine:
    """Its words are the number of frames it heard; it aborts at frame `dies_at` while the file `once` is not there."""

    def __init__(self, once: str, dies_at: int = -1, refuses: bool = False) -> None:
        self.once = Path(once)
        self.dies_at = dies_at
        self.refuses = refuses
        self.heard = 0

    def prepare(self, grammar: SpeakableGrammar) -> frozenset[str]:
        if self.refuses or not grammar.sentences:
            raise ModelError("model-knows-no-sentence")
        self.heard = 0
        return frozenset({"strange"})

    def ahead(self, grammar: SpeakableGrammar) -> None: ...

    def accept(self, frame: bytes) -> str:
        self.heard += 1
        if self.heard == self.dies_at and not self.once.exists():
            self.once.touch()
            os.abort()
        return str(self.heard)

    def finish(self, strictness: Strictness = Strictness.PUSHED) -> Recognition:
        text, self.heard = f"{self.heard} frames", 0
        return Recognition(text)

    def reconsider(self, strictness: Strictness = Strictness.PUSHED) -> Recognition:
        return Recognition(f"{self.heard} frames so far")

    def drop(self) -> None:
        self.heard = 0


class HopelessEngine(CountingEngine):
    """Dies at its first frame, always."""

    def accept(self, frame: bytes) -> str:
        os.abort()
