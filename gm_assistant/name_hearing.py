"""Asks models and pronunciation rules what a recogniser makes of players' names."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path

from gm_assistant.dialogue.alike import alike
from gm_assistant.dialogue.grammar import Grammar
from gm_assistant.dialogue.hearing import Hearing, Unheard
from gm_assistant.dialogue.intents import IN_PLAY
from gm_assistant.dialogue.wordings import normalized
from gm_assistant.errors import ModelError
from gm_assistant.library import Library
from gm_assistant.phones import Phones, phones_of
from gm_assistant.speech.phonemes import Phonemes
from gm_assistant.speech.vocabulary import knows, model_words, sounding_like, written_like

Sounds = Mapping[str, Phones]


class NameHearing:
    """Gives what is to be said about names before a game. Knows nothing where espeak-ng is missing."""

    def __init__(
        self, library: Library, folder_of: Callable[[str], Path | None], phonemes: Phonemes | None = None
    ) -> None:
        """`folder_of` gives the Vosk model of a language; None where a recogniser listens that learns every word."""
        self._library = library
        self._folder_of = folder_of
        self._phonemes = phonemes or Phonemes()
        self._words = cache(model_words)

    def __call__(self, names: tuple[str, ...], language: str) -> Hearing:
        """Return which names cannot be heard, with words to hear instead, and which ones would be mixed up."""
        try:
            sounds = self._sounds(names, language)
            if sounds is None:
                return Hearing()
            pairs = alike({name: [phones] if phones else [] for name, phones in sounds.items()})
            return Hearing(tuple(self._unheard(sounds, language)), pairs)
        finally:
            self._phonemes.close()

    def _sounds(self, texts: tuple[str, ...], language: str) -> Sounds | None:
        """Return text -> its phones; None without pronunciation rules."""
        words = {text: normalized(text).split() for text in texts}
        ipa = self._phonemes.of((word for spelled in words.values() for word in spelled), language)
        if ipa is None:
            return None
        return {text: phones_of("".join(ipa[word] for word in spelled)) for text, spelled in words.items()}

    def _unheard(self, sounds: Sounds, language: str) -> Iterator[Unheard]:
        folder = self._folder_of(language)
        if folder is None:
            return
        with suppress(ModelError):  # the recogniser itself complains
            known = self._words(folder)
            missing = [name for name in sounds if not all(knows(known, word) for word in normalized(name).split())]
            commands = self._commands(language) if missing else {}
            players = [*filter(None, sounds.values())]
            for name in missing:
                others = [phones for phones in players if phones != sounds[name]]
                candidates = self._sounds(written_like(normalized(name), known - commands.keys()), language) or {}
                words = sounding_like([sounds[name]], candidates, others, [*filter(None, commands.values())])
                yield Unheard(name, words if sounds[name] else ())
                players += [phones_of(ipa) for ipa in (self._phonemes.of(words, language) or {}).values()]

    def _commands(self, language: str) -> Sounds:
        """Return every word that is said in play, with its phones."""
        words = Grammar(self._library.pack(language, None), (), IN_PLAY).speakable.words()
        return self._sounds(tuple(sorted(words)), language) or {}
