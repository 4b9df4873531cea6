"""Objects that misbehave inside a child process on purpose."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

from gm_assistant.errors import AudioError, ModelError
from gm_assistant.speech.likelihood import AnySpeech
from gm_assistant.speech.ports import Recognition
from gm_assistant.word_machine import NOWHERE, State, words


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
        self.kept: dict[int, frozenset[str]] = {}
        self.used: frozenset[str] = frozenset()

    def keep(self, slot: int, machine: State) -> frozenset[str]:
        if self.refuses or machine is NOWHERE:
            raise ModelError("model-knows-no-sentence")
        self.kept[slot] = words(machine)
        return frozenset({"strange"})

    def use(self, slot: int) -> None:
        self.used = self.kept[slot]
        self.heard = 0

    def accept(self, frame: bytes) -> str:
        self.heard += 1
        if self.heard == self.dies_at and not self.once.exists():
            self.once.touch()
            os.abort()
        return str(self.heard)

    def sleep(self, seconds: float) -> None:
        time.sleep(seconds)

    def words_in_use(self) -> frozenset[str]:
        return self.used

    def finish(self) -> Recognition:
        text, self.heard = f"{self.heard} frames", 0
        return Recognition(text)

    def drop(self) -> None:
        self.heard = 0


class HopelessEngine(CountingEngine):
    """Dies at its first frame, always."""

    def accept(self, frame: bytes) -> str:
        os.abort()


class CountingLooker(CountingEngine):
    """Its words are the number of frames of the whole; it aborts at the first look while `once` is not there."""

    def look(self, pcm: bytes) -> Recognition:
        if self.dies_at > 0 and not self.once.exists():
            self.once.touch()
            os.abort()
        return Recognition(f"{len(pcm) // 1024} frames of {' '.join(sorted(self.used))}", score=-1000.0)


class CountingJudge:
    """Finds 60 voiced frames, and other speech so much likelier that the ratio is -1, and -2 with words."""

    def look(self, pcm: bytes, with_words: bool) -> AnySpeech:
        if not pcm:
            os.abort()
        return AnySpeech(-900.0, -700.0 if with_words else None, 60)


class HopelessJudge:
    """Dies at each look."""

    def look(self, pcm: bytes, with_words: bool) -> AnySpeech:
        os.abort()
