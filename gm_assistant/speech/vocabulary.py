"""The words that a recogniser's model knows, read from its files, and those among them that sound like a name.

A Vosk model keeps its word list in the symbol table of `graph/Gr.fst`, a file of OpenFst: little-endian numbers, texts
with their length in front. Such a file comes from somewhere else, so every number is doubted.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import IO

from rapidfuzz import process
from rapidfuzz.distance import Levenshtein

from gm_assistant.errors import ModelError
from gm_assistant.phones import APART, NEAR, Phones, nearest
from gm_assistant.speech.phonemes import plain

GRAMMAR_FILE = "graph/Gr.fst"
WORDS_FILE = "graph/words.txt"
"""The same list as text; the engine prefers it where it is."""

MOST_WORDS = 3_000_000
"""The Korean model has 503,352; the largest ones of other languages a million."""
LONGEST_SYMBOL = 1_000
"""Bytes."""

MOST_OFFERED = 3
"""Sound-alike words that are offered for one name."""

_FST = 2125659606
_SYMBOLS = 2125658996
_HAS_INPUT_SYMBOLS, _HAS_OUTPUT_SYMBOLS = 1, 2
_COMPARED = 500
"""Words whose spelling is nearest: only these are compared by sound, which costs 0.1 ms a word."""
_OTHER_LENGTH = 3
"""Letters by which a word may be longer or shorter than the name."""
_SHORTEST_OFFERED = 3
"""Letters. Shorter words come out of noise."""
_FARTHEST = 0.4
"""Distance beyond which a word does not sound like the name any more."""
_OTHER_BEGINNING = 0.1
"""More distance for a word that begins with another sound: people remember a name by its beginning."""
_RIVALS_COMPARED = 20


def model_words(folder: Path) -> frozenset[str]:
    """Return every word of the Vosk model in `folder`, as it is spelled there.

    Raise ModelError("model-unusable") if its list cannot be read.
    """
    try:
        listed = folder / WORDS_FILE
        if listed.is_file():
            return frozenset(_listed(listed))
        with (folder / GRAMMAR_FILE).open("rb") as file:
            return frozenset(filter(_is_word, _symbols(file)))
    except (OSError, ValueError, struct.error) as broken:
        raise ModelError("model-unusable", path=str(folder)) from broken


def knows(words: Collection[str], word: str) -> bool:
    """Return whether a model with `words` knows `word`, in one of the spellings that the recogniser tries."""
    return any(spelling in words for spelling in (word, word.capitalize(), word.upper()))


def written_like(word: str, words: Iterable[str]) -> tuple[str, ...]:
    """Return those of `words` whose spelling is nearest to `word`, accents aside."""
    near = range(len(word) - _OTHER_LENGTH, len(word) + _OTHER_LENGTH + 1)
    bare = {other: plain(other) for other in words if len(other) in near and _could_be_offered(other)}
    found = process.extract(plain(word), bare, scorer=Levenshtein.normalized_similarity, limit=_COMPARED)
    return tuple(other for _, _, other in found)


def sounding_like(
    ways: Collection[Phones],
    sounds: Mapping[str, Phones],
    players: Collection[Phones] = (),
    commands: Collection[Phones] = (),
) -> tuple[str, ...]:
    """Return up to MOST_OFFERED words of `sounds` (word -> its phones) that sound most like a name, the nearest first.

    `ways` are the name's own pronunciations. No word is returned that may be mixed up with one of the other `players`
    or with another word that is returned; nor one that sounds like one of `commands`, which stand elsewhere.
    """
    begins = {way[0] for way in ways if way}
    ranked = sorted(
        (nearest(ways, [phones]) + _OTHER_BEGINNING * (phones[0] not in begins), word)
        for word, phones in sounds.items()
        if phones
    )
    offered: list[str] = []
    for far, word in ranked:
        if far > _FARTHEST or len(offered) == MOST_OFFERED:
            break
        others = (*players, *(sounds[other] for other in offered))
        if _is_farther(sounds[word], others, APART) and _is_farther(sounds[word], commands, NEAR):
            offered.append(word)
    return tuple(offered)


def _is_farther(phones: Phones, rivals: Collection[Phones], least: float) -> bool:
    """Return whether a word is farther than that from all `rivals`; those whose letters of sound are nearest count."""
    letters = ["".join(rival) for rival in rivals]
    scorer = Levenshtein.normalized_distance
    found = process.extract("".join(phones), letters, scorer=scorer, limit=_RIVALS_COMPARED)
    return nearest([phones], (tuple(rival) for rival, _, _ in found)) > least


def _could_be_offered(word: str) -> bool:
    return len(word) >= _SHORTEST_OFFERED and word.isalpha()


def _is_word(symbol: str) -> bool:
    return bool(symbol) and symbol[0] not in "<#!["


def _listed(file: Path) -> Iterator[str]:
    """Yield the words of a text file with a word and its number in each line."""
    with file.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines):
            if number >= MOST_WORDS:
                raise ValueError(number)
            word = line.split(maxsplit=1)[0] if line.strip() else ""
            if _is_word(word):
                yield word


def _symbols(file: IO[bytes]) -> Iterator[str]:
    """Yield the symbols of an OpenFst file: of the output side, which the engine takes, else of the input side.

    Raise ValueError, OSError or struct.error where it is no such file.
    """
    if _number(file, "<i") != _FST:
        raise ValueError(GRAMMAR_FILE)
    for _ in ("its kind", "the kind of its arcs"):
        _text(file)
    _number(file, "<i")
    flags = _number(file, "<i")
    for _ in ("properties", "first state", "states", "arcs"):
        _number(file, "<q")
    tables = [list(_table(file)) for flag in (_HAS_INPUT_SYMBOLS, _HAS_OUTPUT_SYMBOLS) if flags & flag]
    if not tables:
        raise ValueError(flags)
    yield from tables[-1]


def _table(file: IO[bytes]) -> Iterator[str]:
    if _number(file, "<i") != _SYMBOLS:
        raise ValueError(GRAMMAR_FILE)
    _text(file)
    _number(file, "<q")
    count = _number(file, "<q")
    if not 0 <= count <= MOST_WORDS:
        raise ValueError(count)
    read: Callable[[int], bytes] = file.read
    length_of = struct.Struct("<i").unpack
    for _ in range(count):
        (length,) = length_of(read(4))
        if not 0 <= length <= LONGEST_SYMBOL:
            raise ValueError(length)
        symbol = read(length + 8)  # and its number
        if len(symbol) != length + 8:
            raise ValueError(length)
        yield symbol[:length].decode()


def _number(file: IO[bytes], form: str) -> int:
    (number,) = struct.unpack(form, file.read(struct.calcsize(form)))
    return int(number)


def _text(file: IO[bytes]) -> str:
    length = _number(file, "<i")
    if not 0 <= length <= LONGEST_SYMBOL:
        raise ValueError(length)
    return file.read(length).decode()
