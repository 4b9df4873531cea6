"""Choosing the headset: a number of its own is whispered on every device that may be one; the one that was heard is it.

The headset must be one exact device, and nobody can tell from a list which one it is.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from random import Random

from msgspec.structs import replace

from gm_assistant.assembly import device_speaker, table_speaker
from gm_assistant.channels import Channel
from gm_assistant.dialogue.grammar import Grammar
from gm_assistant.dialogue.intents import Intent
from gm_assistant.dialogue.messages import Message
from gm_assistant.dialogue.pack import LanguagePack
from gm_assistant.dialogue.phrasebook import Phrasebook
from gm_assistant.errors import AudioError
from gm_assistant.library import Library
from gm_assistant.manner import Manner
from gm_assistant.settings import Settings, chosen_headset
from gm_assistant.speech.audio import Device, Kind, devices, find_device
from gm_assistant.speech.headset_rules import refuse_headset, refuse_table
from gm_assistant.speech.ports import HeadsetAudio, Speaker, Synthesizer
from gm_assistant.speech.pyttsx3_synthesizer import CachedSynthesizer, SynthesizerProcess
from gm_assistant.terminal import Keyboard, keyboard

DIGITS = 3
"""Of each number: enough that no stray key is one of them."""
_ATTEMPTS = 3
"""How often one is asked for an answer that fits."""
_UNPLAYABLE = ("headset-not-ready", "headset-refused", "headset-refused-jack")
"""What a device may say that is not there, in use, or behind which there is another one."""


@dataclass(frozen=True)
class Voices:
    """Where it sounds. Both stop as soon as a key waits."""

    table: Callable[[str], None]
    """Says a text at the table, as far as there is a voice and a loudspeaker."""
    headset: Callable[[str, str], bool]
    """Says a text on the device with this full name only; returns whether nobody stopped it. Raises AudioError."""


@dataclass(frozen=True)
class Chooser:
    """Asks a person which device is on their ears."""

    book: Phrasebook
    answers: Grammar
    """Understands yes and no."""
    show: Callable[[str], None]
    keys: Keyboard
    voices: Voices

    def chosen(self, candidates: Sequence[Device], random: Random) -> Device | None:
        """Return the device that was heard in the headset and not at the table; None if there is none, which is said.

        Raise AudioError if there is no voice.
        """
        if not candidates:
            self.tell(Message("choose-no-device"))
            return None
        self.tell(Message("choose-intro", {"number": len(candidates)}))
        numbers = dict(zip(distinct_numbers(len(candidates), random), candidates, strict=True))
        self._whisper(numbers)
        device = self._heard(numbers)
        if device is None:
            self.tell(Message("choose-nothing-heard"))
            return None
        self.tell(Message("choose-found", {"device": device.full_name}))
        return device if self._is_private(device) else None

    def tell(self, message: Message) -> None:
        """Print one sentence and say it at the table."""
        text = self.book.phrase(message)
        self.show(text)
        self.voices.table(text)

    def _whisper(self, numbers: Mapping[str, Device]) -> None:
        for place, (number, device) in enumerate(numbers.items(), 1):
            self.show(self.book.phrase(Message("choose-trying", {"number": place, "count": len(numbers)})))
            try:
                if not self.voices.headset(device.full_name, self._spoken(number)):
                    return
            except AudioError as error:
                if error.key not in _UNPLAYABLE:
                    raise
                self.show(self.book.phrase(Message("choose-unplayable", {"device": device.full_name})))

    def _spoken(self, number: str) -> str:
        return self.book.phrase(Message("choose-number", {"digits": ", ".join(number)}))

    def _heard(self, numbers: Mapping[str, Device]) -> Device | None:
        """Return the device whose number is typed, None if none was heard."""
        for typed in self._lines(Message("choose-which")):
            number = "".join(sign for sign in typed if sign.isdecimal())
            if number in numbers:
                return numbers[number]
            self.tell(Message("choose-unknown-number"))
        return None

    def _is_private(self, device: Device) -> bool:
        """Return whether nobody at the table has heard the device; if not, or nobody knows, say what follows."""
        for typed in self._lines(Message("choose-table-too")):
            meant = self.answers.parse(typed, typed=True)
            if isinstance(meant, Intent):
                if meant.name == "answer_yes":
                    self.tell(Message("headset-refused", {"device": device.full_name}))
                return meant.name == "answer_no"
        self.tell(Message("choose-unsure"))
        return False

    def _lines(self, question: Message) -> Iterator[str]:
        """Ask, and yield what is typed until it fits; end at an empty line."""
        for _ in range(_ATTEMPTS):
            self.tell(question)
            typed = self.keys.line()
            if not typed or not typed.strip():
                return
            yield typed


def choose_headset(
    library: Library, settings: Settings, file: Path, language: str, random: Random, show: Callable[[str], None]
) -> bool:
    """Let a person choose, and write what was chosen into the settings `file`; return whether it was.

    Raise AudioError without sound, loudspeaker or voice, or for a split device ("split-not-alone"); or SettingsError.
    """
    if settings.split_device is not None:
        raise AudioError("split-not-alone")
    pack, book = library.packs[language], library.phrasebook(language, None)
    table = _table(settings)
    with ExitStack() as stack:
        keys = keyboard(settings.talk_keys)
        stack.callback(keys.close)
        synthesizer = CachedSynthesizer(SynthesizerProcess())
        stack.callback(synthesizer.close)
        speaker = table_speaker(_with(settings, None))
        stack.callback(speaker.close)
        voices = device_voices(pack, synthesizer, speaker, lambda name: device_speaker(_with(settings, name)), keys)
        answers = Grammar(pack, (), frozenset({"answer_yes", "answer_no"}))
        chooser = Chooser(book, answers, show, keys, voices)
        device = chooser.chosen(candidates(table, trusted=settings.trust_headset), random)
        if device is None:
            return False
        chosen_headset(file, device.full_name)
        chooser.tell(Message("choose-done", {"device": device.full_name, "path": str(file)}))
        return True


def headset_lines(library: Library, settings: Settings, language: str) -> Iterator[str]:
    """Yield one line for each output device: whether it may be the headset. Raise AudioError as `choose_headset`."""
    book = library.phrasebook(language, None)
    possible = candidates(_table(settings), trusted=settings.trust_headset)
    for device in devices(Kind.OUTPUT):
        key = "choose-possible" if device in possible else "choose-impossible"
        yield book.phrase(Message(key, {"device": device.full_name}))


def candidates(table: Device, *, trusted: bool = False) -> tuple[Device, ...]:
    """Return the output devices that may be the headset, by the name, when `table` is the loudspeaker.

    `trusted`: a built-in jack may be it, too.
    """
    listed = devices(Kind.OUTPUT)
    names = Counter(device.full_name for device in listed)
    return tuple(device for device in listed if names[device.full_name] == 1 and not _refused(device, table, trusted))


def distinct_numbers(count: int, random: Random) -> list[str]:
    """Return `count` different numbers of DIGITS digits, none of which is zero."""
    lowest = int("1" * DIGITS)
    whole = [number for number in map(str, range(lowest, 10**DIGITS)) if "0" not in number]
    return random.sample(whole, count)


def device_voices(
    pack: LanguagePack, synthesizer: Synthesizer, table: Speaker, headset: Callable[[str], Speaker], keys: Keyboard
) -> Voices:
    """Return the voices on real devices; `headset` opens the device with a full name as the headset."""
    manner = Manner()

    def at_table(text: str) -> None:
        with suppress(AudioError):  # it stands on the screen; that there is no voice the headset tells
            table.play(synthesizer.synthesize(text, manner.voice(pack, Channel.TABLE, sys.platform)), keys.pressed)

    def in_headset(device: str, text: str) -> bool:
        sound = HeadsetAudio(synthesizer.synthesize(text, manner.voice(pack, Channel.HEADSET, sys.platform)))
        speaker = headset(device)
        try:
            return speaker.whisper(sound, keys.pressed)
        finally:
            speaker.close()

    return Voices(at_table, in_headset)


def _table(settings: Settings) -> Device:
    """Return the loudspeaker. Raise AudioError("no-speaker") and as `find_device` does."""
    try:
        return find_device(settings.table_device, Kind.OUTPUT)
    except AudioError as error:
        if error.key == "device-missing" and settings.table_device is None:
            raise AudioError("no-speaker") from error
        raise


def _with(settings: Settings, headset: str | None) -> Settings:
    return replace(settings, headset_device=headset)


def _refused(device: Device, table: Device, trusted: bool) -> bool:
    try:
        refuse_headset(device.name, device.host, trusted=trusted)
        refuse_table(device.full_name, table)
    except AudioError:
        return True
    return False
