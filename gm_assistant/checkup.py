"""What `gm-assistant check` tells: devices, models, voices, and what to do about what is missing."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from gm_assistant.assembly import device_speaker, recognizer_for, room_microphone, split_speaker
from gm_assistant.dialogue.grammar import Grammar
from gm_assistant.dialogue.intents import IN_PLAY
from gm_assistant.dialogue.messages import Message
from gm_assistant.dialogue.phrasebook import Phrasebook
from gm_assistant.dialogue.refusals import trouble
from gm_assistant.errors import AudioError, GmError
from gm_assistant.library import Library
from gm_assistant.settings import Settings, models_folder
from gm_assistant.speech.audio import Kind, devices, find_device
from gm_assistant.speech.pyttsx3_synthesizer import voices_for


def checkup(library: Library, settings: Settings, file: Path, language: str) -> Iterator[str]:
    """Yield one plain line for each thing that was looked at, in the order in which a person would mend them.

    `file` is where the settings come from. What several things lack is said once.
    """
    said: set[str] = set()
    for line in _lines(library, settings, file, language):
        if line not in said:
            yield line
        said.add(line)


def _lines(library: Library, settings: Settings, file: Path, language: str) -> Iterator[str]:
    book = library.phrasebook(language, None)
    yield book.phrase(Message("check-settings", {"path": str(file)}))
    yield from _device_lines(book, settings)
    for code in library.packs:
        yield from _tried(book, lambda code=code: _model_lines(book, library, settings, code))  # type: ignore[misc]
        yield from _tried(book, lambda code=code: _voice_lines(book, library, code))  # type: ignore[misc]


def _tried(book: Phrasebook, lines: Callable[[], Iterator[str]]) -> Iterator[str]:
    try:
        yield from lines()
    except GmError as error:
        yield book.phrase(trouble(error))


def _device_lines(book: Phrasebook, settings: Settings) -> Iterator[str]:
    yield from _tried(book, lambda: _listed(book))
    if settings.split_device is None:
        yield from _tried(book, lambda: _table_line(book, settings))
        yield from _tried(book, lambda: _headset_line(book, settings))
    else:
        yield from _tried(book, lambda: _split_line(book, settings))
    yield from _tried(book, lambda: _microphone_line(book, settings))


def _listed(book: Phrasebook) -> Iterator[str]:
    for kind in Kind:
        for device in devices(kind):
            yield book.phrase(Message(f"check-{kind}", {"device": device.full_name}))


def _table_line(book: Phrasebook, settings: Settings) -> Iterator[str]:
    try:
        device = find_device(settings.table_device, Kind.OUTPUT)
    except AudioError as error:
        if error.key == "device-missing" and settings.table_device is None:
            raise AudioError("no-speaker") from error
        raise
    yield book.phrase(Message("check-table", {"device": device.full_name}))


def _headset_line(book: Phrasebook, settings: Settings) -> Iterator[str]:
    if settings.headset_device is None:
        yield book.phrase(Message("check-no-headset"))
        return
    speaker = device_speaker(settings)
    try:
        yield book.phrase(Message("check-headset", {"device": speaker.check_headset()}))
    finally:
        speaker.close()


def _split_line(book: Phrasebook, settings: Settings) -> Iterator[str]:
    speaker = split_speaker(settings)
    try:
        yield book.phrase(Message("check-split", {"device": speaker.check()}))
    finally:
        speaker.close()


def _microphone_line(book: Phrasebook, settings: Settings) -> Iterator[str]:
    room_microphone(settings).close()
    device = find_device(settings.microphone_device, Kind.INPUT)
    yield book.phrase(Message("check-microphone", {"device": device.full_name}))
    yield book.phrase(Message("check-hear-microphone"))


def _model_lines(book: Phrasebook, library: Library, settings: Settings, language: str) -> Iterator[str]:
    recognizer = recognizer_for(language, settings)
    try:
        unknown = recognizer.prepare(Grammar(library.pack(language, None), (), IN_PLAY).speakable)
    finally:
        recognizer.close()
    folder = Path(settings.models.get(language) or models_folder(language))
    key = "check-model" if folder.is_dir() else "check-embedded-model"
    yield book.phrase(Message(key, {"language": language, "path": str(folder)}))
    if unknown:
        yield book.phrase(Message("check-unknown-words", {"language": language, "words": ", ".join(sorted(unknown))}))


def _voice_lines(book: Phrasebook, library: Library, language: str) -> Iterator[str]:
    wanted = library.packs[language].voices.table.names.get(sys.platform, ())
    found = voices_for(language)
    if not found:
        raise AudioError("no-voice-for-language", language=language)
    chosen = next((name for name in wanted if name in found), found[0])
    yield book.phrase(Message("check-voice", {"language": language, "name": chosen}))
