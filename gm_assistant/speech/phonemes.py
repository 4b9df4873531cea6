"""How a language pronounces what is written, by the rules of espeak-ng: text in, phonetic letters out.

The library is native and may crash: `Espeak` lives in a child process, `Phonemes` asks it and remembers the answers.
"""

from __future__ import annotations

import ctypes
import os
import unicodedata
from collections.abc import Iterable
from contextlib import suppress
from typing import Any

from gm_assistant.errors import AudioError
from gm_assistant.speech.espeak_files import espeak_files
from gm_assistant.speech.worker import Worker, WorkerLost

LONGEST_WORD = 40
"""Characters of a word that is asked about; what is longer is cut."""

_SYNCHRONOUS = 2
_DO_NOT_EXIT = 0x8000
_UTF8 = 1
_IPA_WITH_SEPARATOR = 0x02 | ord("_") << 8
"""International phonetic alphabet, a low line between two phones."""
_VOICES = {"en": "en-us"}
"""Where espeak-ng's plain voice of a language is not the one that we speak with."""
_DEADLINE = 10.0
"""s, starting Python in the child included; a word takes 0.06 ms."""
_MOST_SOUNDS_PER_LETTER = 2
_MORE_SOUNDS = 6
"""A single W has nine sounds, the name of an accented letter a dozen."""
_UNCHANGED_BY_NFKD = str.maketrans({"ł": "l", "đ": "d", "ı": "i", "ø": "o", "ß": "ss", "æ": "ae", "œ": "oe", "ð": "d"})


def plain(word: str) -> str:
    """Return a word in lower case without diacritics: "Łukasz" -> "lukasz"."""
    if word.isascii():
        return word.lower()
    decomposed = unicodedata.normalize("NFKD", word.lower().translate(_UNCHANGED_BY_NFKD))
    return "".join(sign for sign in decomposed if not unicodedata.combining(sign))


class Espeak:
    """The library itself; one at most in a process, and no pyttsx3 beside it."""

    def __init__(self) -> None:
        """Raise AudioError("no-speech-engine") where the library is missing."""
        try:
            self._library = _loaded()
        except (ImportError, OSError, RuntimeError, AttributeError) as missing:
            raise AudioError("no-speech-engine", reason=type(missing).__name__) from missing

    def pronounced(self, words: tuple[str, ...], language: str) -> tuple[str, ...]:
        """Return each word in phonetic letters, "" for a word that the rules of `language` can only spell out.

        All are "" for a language that the library does not have.
        """
        if self._library.espeak_SetVoiceByName(_VOICES.get(language, language).encode()) != 0:
            return ("",) * len(words)
        return tuple(self._one(word[:LONGEST_WORD]) for word in words)

    def _one(self, word: str) -> str:
        """Return one word in phonetic letters; without its diacritics if the language does not know them."""
        tried = (self._phones(spelling) for spelling in dict.fromkeys((word, plain(word))))
        return next((ipa for ipa in tried if ipa and not _is_spelled_out(word, ipa)), "")

    def _phones(self, word: str) -> str:
        """Return what the library makes of a text: several words for a single one if it spells letters out."""
        text = ctypes.c_char_p(" ".join(word.split("\0")).encode())
        parts = []
        while text.value:
            parts.append(self._library.espeak_TextToPhonemes(ctypes.byref(text), _UTF8, _IPA_WITH_SEPARATOR) or b"")
        return b" ".join(parts).decode(errors="replace").strip()


class Phonemes:
    """Asks an `Espeak` in a child process, which is started when first needed, and remembers what it said."""

    def __init__(self) -> None:
        self._worker = Worker(Espeak, _DEADLINE)
        self._known: dict[tuple[str, str], str] = {}

    def of(self, words: Iterable[str], language: str) -> dict[str, str] | None:
        """Return word -> its phonetic letters by the rules of `language` ("" if it has none for it).

        None where espeak-ng is missing or does not work.
        """
        wanted = tuple(dict.fromkeys(words))
        asked = tuple(word for word in wanted if (word, language) not in self._known)
        if asked:
            with suppress(WorkerLost, AudioError):
                answers = self._worker.call("pronounced", asked, language)
                self._known.update({(word, language): ipa for word, ipa in zip(asked, answers, strict=True)})
        if any((word, language) not in self._known for word in wanted):
            return None
        return {word: self._known[word, language] for word in wanted}

    def close(self) -> None:
        """End the child."""
        self._worker.close()


def _is_spelled_out(word: str, ipa: str) -> bool:
    """Return whether phonetic letters are the names of the letters of `word`, or of its accents, and not its sound."""
    return " " in ipa or ipa.count("_") > _MOST_SOUNDS_PER_LETTER * len(word) + _MORE_SOUNDS


def _loaded() -> Any:
    file, folder = espeak_files()
    library: Any = ctypes.CDLL(file)
    if library.espeak_Initialize(_SYNCHRONOUS, 0, os.fsencode(folder), _DO_NOT_EXIT) <= 0:
        raise RuntimeError
    library.espeak_TextToPhonemes.restype = ctypes.c_char_p
    library.espeak_TextToPhonemes.argtypes = [ctypes.POINTER(ctypes.c_char_p), ctypes.c_int, ctypes.c_int]
    return library
