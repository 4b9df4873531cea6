"""A language pack: what can be said and what is said, checked when it is read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

import msgspec

from gm_assistant.checked import checked
from gm_assistant.dialogue.pack_checks import check_phrases, check_sentences
from gm_assistant.errors import LanguagePackError

_Checked = TypeVar("_Checked")
FILES = ("sentences.yaml", "phrases.yaml", "voice.yaml", "names.yaml")
"""What a folder below `voices/` holds."""


class Block(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Some wordings of one intent that share fixed slots."""

    sentences: tuple[str, ...] = ()
    typed: tuple[str, ...] = ()
    slots: dict[str, str] = {}
    pieces: dict[str, tuple[str, ...]] = {}
    """Missing slot -> wordings that lack it: "nominate" alone."""


class Sentences(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`sentences.yaml`: hassil templates, with the lists and rules they use."""

    language: str
    seats: tuple[str, ...]
    prefixes: dict[str, tuple[str, ...]]
    rules: dict[str, str]
    lists: dict[str, dict[str, str]]
    intents: dict[str, tuple[Block, ...]]
    fillers: dict[str, tuple[str, ...]] = {}
    """What people say around a sentence: `before` it, `after` it, and `hesitations` anywhere."""
    repairs: tuple[str, ...] = ()
    """What people say before they correct the last words of a sentence."""
    wake: tuple[str, ...] = ()
    """What is said to the open microphone before a sentence."""
    nucleus: str = r"\w"
    """Regular expression: each match is a syllable."""


class VoiceChoice(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How one channel sounds: voice names by platform (`sys.platform`), words a minute, pitch 0 to 99."""

    names: dict[str, tuple[str, ...]] = {}
    rate: int = 165
    pitch: int = 50


class Voices(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`voice.yaml`: the voices of the two channels."""

    table: VoiceChoice
    headset: VoiceChoice


class Names(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`names.yaml`: first names that can be said while a game is set up."""

    names: tuple[str, ...]


class Phrases(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`phrases.yaml`: what is said. `ordinals` names the number rules of CLDR for each form of an ordinal."""

    forms: dict[str, dict[str, str]]
    ordinals: dict[str, str]
    phrases: dict[str, str]
    materials: dict[str, dict[str, str]] = {}
    """Material on the table -> key -> other words than those in `phrases`, which are for the tactile one."""


class LanguagePack(msgspec.Struct, frozen=True):
    """One language."""

    language: str
    sentences: Sentences
    phrases: Phrases
    voices: Voices
    first_names: tuple[str, ...]
    """Names that can be said while a game is set up."""
    edition_words: frozenset[str] = frozenset()
    """All words in the names of an edition, of its roles and parties above all: they are no player's name."""


def pack_from(language: str, files: Mapping[str, object]) -> LanguagePack:
    """Return the checked pack. `files` holds the YAML content of each file by its name.

    Raise LanguagePackError("pack-broken") with file, path, what is wrong and what is allowed.
    """
    sentences = _checked(language, files, "sentences.yaml", Sentences)
    check_sentences(sentences, language, f"{language}/sentences.yaml")
    phrases = _checked(language, files, "phrases.yaml", Phrases)
    check_phrases(phrases, language, f"{language}/phrases.yaml")
    return LanguagePack(
        language=language,
        sentences=sentences,
        phrases=phrases,
        voices=_checked(language, files, "voice.yaml", Voices),
        first_names=_checked(language, files, "names.yaml", Names).names,
    )


def _checked(language: str, files: Mapping[str, object], file: str, kind: type[_Checked]) -> _Checked:
    place = f"{language}/{file}"
    if file not in files:
        raise LanguagePackError("pack-broken", file=place, path="", problem="?", allowed=", ".join(FILES))
    return checked(files[file], kind, place, LanguagePackError, "pack-broken")
