"""Stand-ins for people and devices, and the real program as a child process. Nothing here knows a rule of the game."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import Future
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import cache
from io import BytesIO
from pathlib import Path
from random import Random

from gm_assistant.channels import Channel
from gm_assistant.dialogue.messages import Fact, Message, Person
from gm_assistant.dialogue.set_up import Plan
from gm_assistant.ears import Ears, Instead, KeyboardEars, Words
from gm_assistant.errors import AudioError, GmError
from gm_assistant.journal import Journals
from gm_assistant.library import Library, load_library
from gm_assistant.mouth import Mouth
from gm_assistant.private_evening import Times
from gm_assistant.session import Session
from gm_assistant.speakable import SpeakableGrammar
from gm_assistant.speech.ahead import fulfil
from gm_assistant.speech.ports import Attention, Audio, HeadsetAudio, Heard, HeardReason, Voice
from gm_assistant.talking import talk
from gm_assistant.terminal import LATE, TALK, PipedKeyboard
from gm_assistant.utterances import HeadsetUtterance, Reply, TableUtterance, Utterance

ROOT = Path(__file__).resolve().parents[1]
NAMES = ("Anna", "Ben", "Clara", "Dora", "Emil")
PLAYERS = ("--players", ",".join(NAMES))
TYPED = ("play", "--language", "en", "--edition", "secret_dictator", "--input", "keyboard", "--output", "text")
"""Flags of a game by keyboard and text."""
GAME = (*TYPED, *PLAYERS, "--first", "Anna")
OPEN = ("--blind", "none", "--deal", "none")
"""Flags of a game with a headset in which nothing is private but the prologue."""
PLAN = Plan("en", "secret_dictator", 5, NAMES, 1)
EMPTY_PLAN = Plan("en", "secret_dictator")

LIBERAL_GAME = tuple(
    line
    for name in ("ben", "clara", "dora", "emil", "anna")
    for line in (f"nominate {name}", "vote passed", "liberal law")
)
"""Sentences of a whole game of five in which nothing goes wrong for the liberals; the last law is to be confirmed."""


@cache
def library() -> Library:
    """Return what stands in `voices/` and `configs/`."""
    return load_library()


def phrase(key: str, **facts: Fact) -> str:
    """Return an English phrase of the default edition, so that no test has to know the words."""
    return phrase_in("secret_dictator", key, **facts)


def phrase_in(edition_id: str, key: str, /, **facts: Fact) -> str:
    """Return an English phrase of an edition. Who holds an office, or is spoken to, can be given as plain text."""
    meant = {name: Person(fact) if name in _PEOPLE and isinstance(fact, str) else fact for name, fact in facts.items()}
    return library().phrasebook("en", edition_id).phrase(Message(key, meant))


_PEOPLE = frozenset({"player", "president", "chancellor", "candidate", "next"})


@dataclass
class Ran:
    """What a run of the program left."""

    status: int
    out: str
    err: str

    @property
    def lines(self) -> list[str]:
        """What was printed, line by line."""
        return self.out.split("\n")[:-1]


def environment(home: Path, *before: Path, **more: str) -> dict[str, str]:
    """Return the environment of a user who lives in `home`. Modules in the folders `before` hide others."""
    path = os.pathsep.join(map(str, (*before, ROOT)))
    folders = {f"XDG_{kind.upper()}_HOME": str(home / kind) for kind in ("data", "config", "state")}
    homes = {"HOME": str(home), **folders}
    return {**os.environ, **homes, "PYTHONPATH": path, "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8", **more}


def program(home: Path, *arguments: str | bytes, typed: bytes | str = b"", variables: Mapping[str, str] = {}) -> Ran:
    """Run the real program with `typed` as its standard input."""
    done = subprocess.run(
        [sys.executable, "-m", "gm_assistant", *arguments],
        input=typed.encode() if isinstance(typed, str) else typed,
        capture_output=True,
        env=variables or environment(home),
        cwd=home,
        timeout=120,
        check=False,
    )
    return Ran(done.returncode, done.stdout.decode(), done.stderr.decode())


def games(home: Path) -> list[Path]:
    """Return the files of the games that the real program saved in `home`."""
    return sorted((home / "data" / "gm_assistant" / "games").glob("*.jsonl"))


class Clock:
    """Gives a second more each time."""

    def __init__(self) -> None:
        self.time = datetime(2026, 5, 1, 20, 0, 0)

    def __call__(self) -> datetime:
        self.time += timedelta(seconds=1)
        return self.time


CONFIRMED = "yc"
"""What is typed in every language for "yes confirm"."""


class Evening:
    """A session with its journal in a folder, and somebody who types."""

    def __init__(
        self,
        folder: Path,
        plan: Plan = PLAN,
        *,
        resume: bool | None = None,
        begin: bool = True,
        known: Library | None = None,
        seed: int = 0,
        vote_deadline: int | None = None,
    ) -> None:
        """`known` are the packs and editions, all that ship if None; `seed` decides what chance does."""
        self.folder = folder
        self.confirms = True
        """Whatever is asked to be confirmed is confirmed."""
        self.clock = Clock()
        self.session = Session(
            known or library(),
            plan,
            Journals(folder),
            self.clock,
            plan.language or "en",
            random=Random(seed),
            times=Times(vote_deadline),
        )
        self.opening = _text(self.session.open(resume)) if begin else ""

    def say(self, *lines: str, typed: bool = True) -> str:
        """Say lines one after the other; return the answer to the last."""
        answers = [_text(self.reply(line, typed=typed)) for line in lines]
        return answers[-1]

    def reply(self, line: str, *, typed: bool = True) -> Reply:
        """Return the whole reply to a line; what has to be confirmed is confirmed, unless that is what is tried."""
        reply = self.session.hear(line, typed)
        return self.session.hear(CONFIRMED, typed=True) if self.confirms and self.session.irreversible else reply

    @property
    def board(self) -> str:
        """The board as it is read out. Asking for it changes what a `repeat` would say."""
        return self.say("read the board")

    @property
    def journal(self) -> bytes:
        """Everything that stands in the files of this folder."""
        return b"".join(path.read_bytes() for path in sorted(self.folder.glob("*.jsonl")))


def _text(reply: Reply) -> str:
    """Return what the table hears, and what the headset is told of what is no secret."""
    return " ".join(filter(None, map(_words, reply)))


def _words(utterance: Utterance) -> str:
    match utterance:
        case TableUtterance(text):
            return text
        case HeadsetUtterance(secret):
            return secret.reveal()
        case _:
            return ""


def conversation(evening: Evening, typed: bytes) -> list[str]:
    """Return what is printed when these bytes come through a pipe, in a session that was not opened yet."""
    printed: list[str] = []
    mouth = Mouth(evening.session, printed.append, lambda: False, platform="linux")
    keyboard = PipedKeyboard(BytesIO(typed))
    talk(evening.session, mouth, KeyboardEars(keyboard), keyboard, no_fallback, resume=None)
    return printed


def no_fallback(error: GmError) -> Ears:
    """Fail: nothing should have gone wrong."""
    raise AssertionError(str(error))


SOUND = Audio(b"\x01\x00" * 100, 16_000)


@dataclass
class FakeSynthesizer:
    """Remembers what it should speak."""

    texts: list[str] = field(default_factory=list)
    voices: list[Voice] = field(default_factory=list)
    guesses: list[str] = field(default_factory=list)
    """What might be said next."""
    failure: GmError | None = None

    def synthesize(self, text: str, voice: Voice) -> Audio:
        self.texts.append(text)
        self.voices.append(voice)
        if self.failure is not None:
            raise self.failure
        return Audio(len(self.texts).to_bytes(2, "little") * 10, 16_000)

    def later(self, text: str, voice: Voice) -> Future[Audio]:
        """Make it at once."""
        promise: Future[Audio] = Future()
        fulfil(promise, lambda: self.synthesize(text, voice))
        return promise

    def guess(self, texts: Iterable[str], voice: Voice) -> None:
        self.guesses = [*texts]

    def text_of(self, audio: Audio) -> str:
        """Return what a sound says."""
        return self.texts[int.from_bytes(audio.pcm[:2], "little") - 1]

    def close(self) -> None:
        self.texts.clear()


@dataclass
class FakeSpeaker:
    """Remembers what sounded where."""

    played: list[tuple[Channel, Audio]] = field(default_factory=list)
    broken: dict[Channel, AudioError] = field(default_factory=dict)
    stopped: list[bool] = field(default_factory=list)
    noises: list[Audio | None] = field(default_factory=list)
    pauses: list[float] = field(default_factory=list)
    """s between the sentences of each line."""
    rests: list[float] = field(default_factory=list)
    """s of each rest; none takes any time."""
    failures: list[AudioError] = field(default_factory=list)
    """What goes wrong at the table next, one after the other."""

    def play(
        self, audio: Audio, stopped: Callable[[], bool], more: Iterable[Future[Audio]] = (), pause: float = 0.0
    ) -> bool:
        whole = self._sound(Channel.TABLE, audio, stopped)
        self.pauses.append(pause)
        for promise in more:
            whole = whole and self._sound(Channel.TABLE, promise.result(), stopped)
        return whole

    def whisper(self, audio: HeadsetAudio, stopped: Callable[[], bool]) -> bool:
        return self._sound(Channel.HEADSET, audio.audio, stopped)

    def noise(self, audio: Audio | None) -> None:
        self._fail(Channel.TABLE)
        self.noises.append(audio)

    def rest(self, seconds: float, stopped: Callable[[], bool]) -> bool:
        self.rests.append(seconds)
        return not stopped()

    def _sound(self, channel: Channel, audio: Audio, stopped: Callable[[], bool]) -> bool:
        self._fail(channel)
        self.stopped.append(stopped())
        self.played.append((channel, audio))
        return not self.stopped[-1]

    def _fail(self, channel: Channel) -> None:
        if channel in self.broken:
            raise self.broken[channel]
        if channel is Channel.TABLE and self.failures:
            raise self.failures.pop(0)

    def close(self) -> None:
        self.played.clear()


class FakeKeyboard:
    """A person who presses keys and types lines as listed; then nobody is there any more."""

    def __init__(self, *script: str) -> None:
        self.script = list(script)
        self.waiting = False
        self.patience: list[float | None] = []
        """How long each secret key was waited for (s)."""

    def pressed(self) -> bool:
        return self.waiting

    def line(self) -> str | None:
        return self.talk_or_line()

    def talk_or_line(self, *, wait: bool = True, enter: bool = False, seconds: float | None = None) -> str | None:
        self.waiting = False
        return self.script.pop(0) if self.script else None

    def forget(self) -> None:
        self.waiting = False

    def forget_stop(self) -> None:
        self.waiting = False

    single_keys = False
    talk_pressed = 0.0
    """When the key to talk was pressed (s, monotonic clock)."""

    def interrupted(self) -> bool:
        return self.waiting

    def held(self) -> bool:
        return False

    def finished(self) -> bool:
        return False

    def awaited(self, seconds: float | None) -> bool:
        if seconds is None or self.script[:1] != [LATE]:
            return True
        self.script.pop(0)
        return False

    def key(self, seconds: float | None = None) -> str | None:
        self.patience.append(seconds)
        return self.talk_or_line()

    def close(self) -> None:
        self.script.clear()


PRESS = TALK


class FakeListener:
    """Hears what is listed: texts, reasons to stop without any text, or failures; then the input is at its end."""

    def __init__(self, *script: str | HeardReason | Heard | GmError) -> None:
        self.script = list(script)
        self.grammars: list[SpeakableGrammar] = []
        self.attention: Attention | None = None

    def listen(
        self, grammar: SpeakableGrammar, interrupted: Callable[[], bool], attention: Attention | None = None
    ) -> Heard:
        self.attention = attention
        self.grammars.append(grammar)
        match self.script.pop(0) if self.script else HeardReason.END_OF_INPUT:
            case HeardReason() as reason:
                return Heard("", reason, decided=2.0)
            case str(text):
                return Heard(text, HeardReason.COMPLETE, decided=2.0)
            case Heard() as heard:
                return heard
            case error:
                raise error


@dataclass
class ListedEars:
    """Sentences from a list, and failures in between."""

    script: list[Words | Instead | GmError]

    def ahead(self) -> None:
        pass

    def next(self, seconds: float | None = None) -> Words | Instead | None:
        if not self.script:
            return None
        match self.script.pop(0):
            case Words() | Instead() as happened:
                return happened
            case error:
                raise error
