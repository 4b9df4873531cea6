"""Spoken text through pyttsx3, in a child process: the only module that touches pyttsx3.

pyttsx3 2.99 is used in one way only: a fresh engine for each text, which saves one file and never plays. Its other
ways lose, repeat or overwrite texts, and on Linux its `runAndWait` returns before the file is there.
"""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
import tempfile
import time
import wave
from collections import OrderedDict
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np

from gm_assistant.errors import AudioError
from gm_assistant.speech.espeak_files import espeak_files
from gm_assistant.speech.ports import Audio, Synthesizer, Voice
from gm_assistant.speech.resampling import audio_of, samples_of
from gm_assistant.speech.worker import Worker, WorkerLost

RATES = (80, 449)
"""Words a minute that espeak-ng speaks cleanly; at 450 it changes to a buzzing method (espeak-ng issue 131)."""

CACHE_BYTES = 32 * 1024 * 1024
"""About twelve minutes of speech at 22,050 Hz."""

NOTHING = Audio(bytes(2 * 1102), 22_050)
"""50 ms of silence: what a text without anything to pronounce sounds like."""

_STARTING_DEADLINE = 20.0
"""s for the first text of a child: a slow computer needs a few for starting Python and the voices."""
_DEADLINE = 5.0
"""s for a short text. espeak-ng needs 15 ms on a 2-core computer."""
_DEADLINE_PER_CHARACTER = 0.02
"""s more for each character."""
_ATTEMPTS = 3
"""How many children may fail at one text."""
_POLL = 0.002
"""s between two looks at something that the engine does on its own thread."""
_HEADER_BYTES = 44
"""Size of a WAV file without sound."""
_NEAR_SILENCE = 64
"""Largest sample (of 32,767) that is cut off at both ends: -54 dB, below the softest consonant of espeak-ng."""
_KEPT_SILENCE = 0.02
"""s that stay at both ends."""


_PAUSES = {80: 0.91, 120: 0.57, 165: 0.35, 220: 0.21, 300: 0.10, 400: 0.045}
"""Words a minute -> s of near-silence after a full stop or question mark in the middle of a text."""


class Pyttsx3Engine:
    """Speaks texts into files. Lives in a child process, whose deadline ends everything that hangs in here."""

    def __init__(self, folder: Path) -> None:
        """`folder` is private and belongs to the caller, who empties it should this process die.

        Raise AudioError("no-speech-engine") if pyttsx3 or the system's voices are missing.
        """
        self._folder = folder
        self._make, self._busy = _engine_maker()
        self._voices = self._list_voices()

    def synthesize(self, text: str, voice: Voice) -> Audio:
        """Return `text` spoken, without the silence around it.

        Raise AudioError("no-voice-for-language"), or RuntimeError when the engine did not do what it was told.
        """
        engine = self._make()
        engine.proxy.setBusy(False)  # apply properties now: in the engine's loop they race with its own reset
        self._set_voice(engine, voice)
        self._set_manner(engine, voice)
        engine.proxy.setBusy(True)  # the job itself waits for the loop, else macOS cuts it off
        sound = self._saved(engine, text)
        self._settle()
        return trimmed(sound)

    def voices_for(self, language: str) -> tuple[str, ...]:
        """Return the ids of the installed voices that speak `language`, best first."""
        return tuple(_speaking(self._voices, language))

    def _list_voices(self) -> list[Any]:
        voices = self._make().getProperty("voices")
        self._settle()
        return list(voices)

    def _set_voice(self, engine: Any, voice: Voice) -> None:
        for voice_id in fitting_voices(self._voices, voice):
            engine.setProperty("voice", voice_id)
            self._settle()
            if engine.getProperty("voice") == voice_id:  # an unknown one only leaves a note in the engine's queue
                return
        raise AudioError("no-voice-for-language", language=voice.language)

    def _set_manner(self, engine: Any, voice: Voice) -> None:
        rate = min(max(voice.rate, RATES[0]), RATES[1])
        engine.setProperty("rate", rate)
        engine.setProperty("volume", voice.volume)
        if sys.platform == "linux":  # the other systems' drivers only print that they cannot
            engine.setProperty("pitch", voice.pitch)
        self._settle()
        if sys.platform == "linux" and engine.getProperty("rate") != rate:
            raise RuntimeError(f"rate {engine.getProperty('rate')} instead of {rate}")

    def _settle(self) -> None:
        """Wait until espeak-ng has nothing left to do: pyttsx3 would cancel what is still queued, rate included."""
        while self._busy():
            time.sleep(_POLL)

    def _saved(self, engine: Any, text: str) -> Audio:
        errors: list[object] = []
        engine.connect("error", lambda exception=None, **_: errors.append(exception))
        path = self._folder / "speech.wav"
        try:
            engine.save_to_file(text, str(path))
            engine.runAndWait()
            while not _is_whole(path) and not errors:
                time.sleep(_POLL)
            if errors:
                raise RuntimeError(errors)
            return _read_speech(path)
        finally:
            path.unlink(missing_ok=True)


class SynthesizerProcess:
    """A Synthesizer that survives an engine which crashes, hangs, or gives no sound."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="gm-assistant-")  # 0700: what is said may be secret
        self._worker = Worker(partial(Pyttsx3Engine, Path(self._folder.name)), _STARTING_DEADLINE)

    @property
    def process_id(self) -> int | None:
        """Return the child's process id, None while there is none."""
        return self._worker.process_id

    def synthesize(self, text: str, voice: Voice) -> Audio:
        """Return `text` spoken; 50 ms of silence if it holds no letter and no digit.

        Raise AudioError("voice-failed", language=...) after three failures, ("no-voice-for-language", language=...)
        or ("no-speech-engine", reason=...).
        """
        clean = " ".join("".join(c if c.isprintable() else " " for c in text).split())
        if not any(character.isalnum() for character in clean):
            return NOTHING
        for _ in range(_ATTEMPTS):
            sound = self._attempt(clean, voice)
            if sound is not None and np.any(samples_of(sound)):
                return sound
        raise AudioError("voice-failed", language=voice.language)

    def voices_for(self, language: str) -> tuple[str, ...]:
        """Return the ids of the installed voices that speak `language`, best first.

        Raise AudioError("no-speech-engine") or ("voice-failed").
        """
        try:
            voices: tuple[str, ...] = self._worker.call("voices_for", language)
        except WorkerLost as lost:
            raise AudioError("voice-failed", language=language) from lost
        return voices

    def close(self) -> None:
        """End the child and remove its private folder."""
        self._worker.close()
        self._folder.cleanup()

    def _attempt(self, text: str, voice: Voice) -> Audio | None:
        deadline = _DEADLINE if self.process_id is not None else _STARTING_DEADLINE
        try:
            sound: Audio = self._worker.call(
                "synthesize", text, voice, deadline=deadline + _DEADLINE_PER_CHARACTER * len(text)
            )
        except WorkerLost:
            self._forget_files()
            return None
        return sound

    def _forget_files(self) -> None:
        for left in Path(self._folder.name).iterdir():
            left.unlink()


class CachedSynthesizer:
    """Remembers what another Synthesizer said, so that a sentence said before starts at once."""

    def __init__(self, synthesizer: Synthesizer, limit: int = CACHE_BYTES) -> None:
        """`limit` is in bytes of sound; what was not said for the longest time goes first."""
        self._synthesizer = synthesizer
        self._limit = limit
        self._known: OrderedDict[tuple[str, Voice], Audio] = OrderedDict()
        self._held = 0
        self._memory = Lock()

    def synthesize(self, text: str, voice: Voice) -> Audio:
        """Return the spoken text, from memory if possible. Raise what the other Synthesizer raises."""
        known = self.known(text, voice)
        if known is None:
            known = self._synthesizer.synthesize(text, voice)
            self._remember((text, voice), known)
        return known

    def known(self, text: str, voice: Voice) -> Audio | None:
        """Return the spoken text from memory, None if it is not there. Any thread may ask."""
        with self._memory:
            if (text, voice) in self._known:
                self._known.move_to_end((text, voice))
            return self._known.get((text, voice))

    @property
    def held(self) -> int:
        """Return the bytes of sound in memory."""
        return self._held

    def close(self) -> None:
        """Forget everything and close the other Synthesizer."""
        with self._memory:
            self._known.clear()
            self._held = 0
        self._synthesizer.close()

    def _remember(self, key: tuple[str, Voice], sound: Audio) -> None:
        with self._memory:
            self._known[key] = sound
            self._held += len(sound.pcm)
            while self._held > self._limit and len(self._known) > 1:
                self._held -= len(self._known.popitem(last=False)[1].pcm)


def pause_between(rate: int) -> float:
    """Return the s between two sentences that are made apart, at so many words a minute: as between any two.

    Measured with espeak-ng in English and German, a few ms apart; another voice pauses by this measure, too.
    """
    silence: float = np.interp(rate, tuple(_PAUSES), tuple(_PAUSES.values()))
    return max(silence - 2 * _KEPT_SILENCE, 0.0)


def voices_for(language: str) -> tuple[str, ...]:
    """Return the ids of this computer's voices for `language`, best first. Raise as SynthesizerProcess does."""
    process = SynthesizerProcess()
    try:
        return process.voices_for(language)
    finally:
        process.close()


def fitting_voices(voices: Iterable[Any], wanted: Voice) -> list[str]:
    """Return ids to try in this order: those of `wanted.names` that are installed, then the language's own.

    A name is an id, the last part of an id or a display name, with an espeak-ng variant if it ends in `+f3` or so.
    """
    voices = list(voices)
    named = [voice_id for name in wanted.names for voice_id in _named(voices, name)]
    return named + _speaking(voices, wanted.language)


def _named(voices: Iterable[Any], name: str) -> list[str]:
    base, plus, variant = name.casefold().partition("+")
    return [
        f"{voice.id}{plus}{variant}"
        for voice in voices
        if base in {voice.id.casefold(), _last_part(voice.id), (voice.name or "").casefold()}
    ]


def _speaking(voices: Iterable[Any], language: str) -> list[str]:
    """Return ids of the voices for `language`: its plain voice first, then its regional ones."""
    wanted = _tag(language)
    ranked = [(rank, voice.id) for voice in voices if (rank := _rank(voice, wanted)) is not None]
    return [voice_id for _, voice_id in sorted(ranked, key=lambda pair: pair[0])]


def _rank(voice: Any, wanted: str) -> int | None:
    tags = [_tag(tag) for tag in voice.languages if tag]
    if wanted in tags:
        return 0
    if _last_part(voice.id) == wanted:
        return 1
    return 2 if any(tag.startswith(f"{wanted}-") for tag in tags) else None


def _tag(language: str) -> str:
    return language.replace("_", "-").casefold()


def _last_part(voice_id: str) -> str:
    return voice_id.rpartition("/")[2].casefold()


def trimmed(sound: Audio) -> Audio:
    """Return `sound` with at most 20 ms of near-silence at each end; all of it if nothing in it is louder."""
    samples = samples_of(sound)
    loud = np.flatnonzero(np.abs(samples.astype(np.int32)) > _NEAR_SILENCE)
    if not len(loud):
        return sound
    kept = int(_KEPT_SILENCE * sound.rate)
    return audio_of(samples[max(0, int(loud[0]) - kept) : int(loud[-1]) + 1 + kept], sound.rate)


def _engine_maker() -> tuple[Callable[[], Any], Callable[[], bool]]:
    """Return how to make an engine, and how to ask whether espeak-ng is still at work."""
    try:
        if sys.platform == "linux":
            _offer_bundled_espeak()
        from pyttsx3.engine import Engine  # noqa: PLC0415 - loads the native library: only in the child

        if sys.platform != "linux":
            return Engine, lambda: False
        from pyttsx3.drivers import _espeak  # noqa: PLC0415

        Engine()
    except (ImportError, OSError, RuntimeError) as missing:
        raise AudioError("no-speech-engine", reason=str(missing)) from missing
    return Engine, lambda: bool(_espeak.IsPlaying())


def _offer_bundled_espeak() -> None:
    """Load the espeak-ng that comes as a Python package; without it pyttsx3 looks for the system's own."""
    try:
        file, folder = espeak_files()
        ctypes.CDLL(file, ctypes.RTLD_GLOBAL)
        os.environ["ESPEAK_DATA_PATH"] = str(folder)
    except (ImportError, OSError, RuntimeError):
        return


def _is_whole(path: Path) -> bool:
    """Return whether `path` is a WAV or AIFF file with as many bytes as its header announces, and some sound."""
    try:
        with path.open("rb") as file:
            head = file.read(8)
            size = path.stat().st_size
    except OSError:
        return False
    announced = int.from_bytes(head[4:8], "little" if head[:4] == b"RIFF" else "big") + 8
    return head[:4] in {b"RIFF", b"FORM"} and _HEADER_BYTES < announced <= size


def _read_speech(path: Path) -> Audio:
    """Return the sound of a 16-bit mono WAV. macOS writes AIFF whatever the name says (pyttsx3 issue 361)."""
    if path.read_bytes()[:4] == b"FORM":
        plain = path.with_suffix(".plain.wav")
        try:
            command = ["/usr/bin/afconvert", "-f", "WAVE", "-d", "LEI16", "-c", "1", str(path), str(plain)]
            subprocess.run(command, check=True, capture_output=True)  # noqa: S603 - fixed program, own file names
            return _read_speech(plain)
        finally:
            plain.unlink(missing_ok=True)
    with wave.open(str(path), "rb") as file:
        if (file.getnchannels(), file.getsampwidth()) != (1, 2):
            raise RuntimeError(file.getparams())
        return Audio(file.readframes(file.getnframes()), file.getframerate())
