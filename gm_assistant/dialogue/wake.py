"""The words in front of a sentence for an open microphone: most talk at a table is not meant for the assistant."""

from __future__ import annotations

import re
from collections.abc import Iterable

from gm_assistant.dialogue.grammar import Grammar
from gm_assistant.dialogue.intents import IN_PLAY
from gm_assistant.dialogue.pack import LanguagePack
from gm_assistant.dialogue.wordings import normalized, wordings
from gm_assistant.speakable import SpeakableGrammar
from gm_assistant.word_machine import NOWHERE

FEWEST_SYLLABLES = 3
"""Shorter words come up in the talk of a table every few minutes."""


def wake_phrases(pack: LanguagePack, own: str | None = None) -> tuple[str, ...]:
    """Return what wakes the assistant, as plain words: the user's `own` phrase, else those of the language."""
    templates = pack.sentences.wake if own is None else ()
    texts = (normalized(own),) if own is not None else tuple(text for one in templates for text in wordings(one))
    return tuple(dict.fromkeys(texts))


def behind(phrases: tuple[str, ...], speakable: SpeakableGrammar) -> SpeakableGrammar:
    """Return `speakable` with one of `phrases` in front of each sentence, or alone. Without phrases: as it is."""
    return speakable.behind(phrases)


def addressed(text: str, phrases: Iterable[str]) -> str | None:
    """Return what follows a wake phrase in `text`: "" if it stands alone, None if `text` does not begin with one."""
    words = normalized(text)
    for phrase in sorted(phrases, key=len, reverse=True):
        if words == phrase:
            return ""
        if words.startswith(f"{phrase} "):
            return words.removeprefix(f"{phrase} ")
    return None


def syllables(pack: LanguagePack, text: str) -> int:
    """Return how many syllables `text` has, by the rule of the language: at least one in each word."""
    nucleus = re.compile(pack.sentences.nucleus)
    return sum(max(len(nucleus.findall(word)), 1) for word in normalized(text).split())


def fault(pack: LanguagePack, phrase: str) -> str | None:
    """Return what speaks against a user's own wake phrase, None if nothing does.

    "words": without words or with digits; "short": with too few syllables; "sentence": a sentence of the game begins
    with it, or it with a sentence.
    """
    words = normalized(phrase).split()
    if not words or any(sign.isdigit() for sign in phrase):
        return "words"
    if syllables(pack, phrase) < FEWEST_SYLLABLES:
        return "short"
    return "sentence" if _stands_in_a_sentence(pack, words) else None


def _stands_in_a_sentence(pack: LanguagePack, words: list[str]) -> bool:
    """Return whether some sentence begins like `words`, or `words` begin with a sentence."""
    here = Grammar(pack, (), IN_PLAY).speakable.machine
    for word in words:
        here = here.after((word,))
        if here.final or here is NOWHERE:
            return here.final
    return True
