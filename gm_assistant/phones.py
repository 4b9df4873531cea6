"""How alike two words sound: phones of the international alphabet, and a distance between two rows of them. Pure."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

Phones = tuple[str, ...]
"""The sounds of a word, one base letter of the international phonetic alphabet each; affricates are two."""

NEAR = 0.15
"""Distance up to which two names are mixed up so often that it is worth asking which one was meant.

Measured with the embedded recogniser: "nominate NAME" with two names in the grammar, three synthetic voices. With
babble 20 dB below, up to this distance 21 of 132 were heard as the other name or not at all, from there to APART 15 of
180, beyond 5 of 360; with babble 10 dB below 38, 30 and 24.
"""

APART = 0.3
"""Distance beyond which two words are told apart as well as any others."""

_LANGUAGE_SWITCH = re.compile(r"\([a-z-]+\)")
_VOWEL_PLACES = {
    "i": (0.0, 0.0, 0), "y": (0.0, 0.0, 1), "ɨ": (0.0, 0.5, 0), "ʉ": (0.0, 0.5, 1), "ɯ": (0.0, 1.0, 0),
    "u": (0.0, 1.0, 1), "ɪ": (0.2, 0.1, 0), "ᵻ": (0.2, 0.3, 0), "ʏ": (0.2, 0.1, 1), "ʊ": (0.2, 0.9, 1),
    "e": (0.35, 0.0, 0), "ø": (0.35, 0.0, 1), "ɘ": (0.35, 0.5, 0), "ɵ": (0.35, 0.5, 1), "ɤ": (0.35, 1.0, 0),
    "o": (0.35, 1.0, 1), "ə": (0.5, 0.5, 0), "ɚ": (0.5, 0.5, 0), "ɛ": (0.65, 0.1, 0), "œ": (0.65, 0.1, 1),
    "ɜ": (0.65, 0.5, 0), "ɝ": (0.65, 0.5, 0), "ʌ": (0.65, 0.9, 0), "ɔ": (0.65, 1.0, 1), "ɐ": (0.8, 0.5, 0),
    "æ": (0.8, 0.1, 0), "a": (1.0, 0.3, 0), "ɑ": (1.0, 0.9, 0), "ɒ": (1.0, 1.0, 1),
}  # fmt: skip
"""Vowel -> openness, how far back (both 0 to 1), whether the lips are round."""

_CONSONANT_ROWS = {
    "stop": (("p", 0, 0), ("b", 0, 1), ("ɓ", 0, 1), ("t", 3, 0), ("d", 3, 1), ("ɗ", 3, 1), ("ʈ", 4, 0), ("ɖ", 4, 1),
             ("c", 6, 0), ("ɟ", 6, 1), ("k", 7, 0), ("ɡ", 7, 1), ("q", 8, 0), ("ʔ", 10, 0)),
    "nasal": (("m", 0, 1), ("n", 3, 1), ("ɳ", 4, 1), ("ɲ", 6, 1), ("ŋ", 7, 1)),
    "hiss": (("s", 3, 0), ("z", 3, 1), ("ʂ", 4, 0), ("ʐ", 4, 1), ("ʃ", 5, 0), ("ʒ", 5, 1), ("ɕ", 5, 0), ("ʑ", 5, 1)),
    "breath": (("ɸ", 0, 0), ("β", 0, 1), ("f", 1, 0), ("v", 1, 1), ("ʋ", 1, 1), ("θ", 2, 0), ("ð", 2, 1), ("ç", 6, 0),
               ("ʝ", 6, 1), ("x", 7, 0), ("ɣ", 7, 1), ("χ", 8, 0), ("ħ", 9, 0), ("ʕ", 9, 1), ("h", 10, 0),
               ("ɦ", 10, 1)),
    "liquid": (("l", 3, 1), ("ɫ", 4, 1), ("ʎ", 6, 1), ("r", 3, 1), ("ɹ", 4, 1), ("ɾ", 3, 1), ("ɻ", 4, 1), ("ʀ", 8, 1),
               ("ʁ", 8, 1)),
    "glide": (("j", 6, 1), ("w", 0, 1), ("ɥ", 6, 1), ("ʍ", 0, 0)),
}  # fmt: skip
"""Manner -> consonants of it: where in the mouth (lips 0, throat 10), whether it is voiced."""

_CONSONANTS = {
    letter: (manner, place, voiced) for manner, row in _CONSONANT_ROWS.items() for letter, place, voiced in row
}
_PLACES = 10

_OTHER_MANNER = 0.5
_OTHER_PLACE = 0.5
_OTHER_VOICE = 0.2
_OTHER_LIPS = 0.15
_OTHER_KIND = 1.0
_WITHOUT_CONSONANT = 0.8
_WITHOUT_VOWEL = 0.6
_WITHOUT_BREATH = 0.35
"""What it costs to leave out the softest sounds: an h, a glide, a vowel in the middle of the mouth."""
_SOFT = frozenset("hɦʔəɚᵻjʕ")
_CLOSE_MANNERS = frozenset(
    {frozenset({"liquid", "glide"}), frozenset({"hiss", "breath"}), frozenset({"stop", "breath"})}
)


def phones_of(ipa: str) -> Phones:
    """Return the sounds in a transcription, without stress, length, tone, and what marks another language."""
    bare = unicodedata.normalize("NFD", _LANGUAGE_SWITCH.sub("", ipa)).replace("c\u0327", "\u00e7").replace("g", "ɡ")
    return tuple(letter for letter in bare if is_vowel(letter) or letter in _CONSONANTS)


def is_vowel(phone: str) -> bool:
    """Return whether a phone is a vowel."""
    return phone in _VOWEL_PLACES


@lru_cache(maxsize=100_000)
def distance(one: Phones, other: Phones) -> float:
    """Return how different two words sound: 0 the same, about 1 nothing in common.

    It is the cheapest way to turn one into the other by changing, leaving out and putting in sounds, where like sounds
    cost less, for each sound of the longer word.
    """
    if not one or not other:
        return float(one != other)
    above = [0.0]
    for phone in other:
        above.append(above[-1] + _alone(phone))
    for phone in one:
        row = [above[0] + _alone(phone)]
        for column, counterpart in enumerate(other):
            changed = above[column] + _difference(phone, counterpart)
            row.append(min(changed, above[column + 1] + _alone(phone), row[column] + _alone(counterpart)))
        above = row
    return above[-1] / max(len(one), len(other))


def nearest(ways: Iterable[Phones], others: Iterable[Phones]) -> float:
    """Return the least distance between one of `ways` and one of `others`; infinite without any."""
    rest = tuple(others)
    return min((distance(one, other) for one in ways for other in rest), default=float("inf"))


def _alone(phone: str) -> float:
    if phone in _SOFT:
        return _WITHOUT_BREATH
    return _WITHOUT_VOWEL if is_vowel(phone) else _WITHOUT_CONSONANT


@lru_cache(maxsize=10_000)
def _difference(one: str, other: str) -> float:
    if one == other:
        return 0.0
    if is_vowel(one) and is_vowel(other):
        (open_, back, round_), (open2, back2, round2) = _VOWEL_PLACES[one], _VOWEL_PLACES[other]
        return min(_OTHER_KIND, 0.5 * abs(open_ - open2) + 0.4 * abs(back - back2) + _OTHER_LIPS * (round_ != round2))
    if is_vowel(one) or is_vowel(other):
        return _OTHER_KIND
    (manner, place, voice), (manner2, place2, voice2) = _CONSONANTS[one], _CONSONANTS[other]
    if {one, other} <= set("rɹɾɻʀʁ"):
        return 0.1
    kind = frozenset({manner, manner2})
    other_manner = 0.0 if manner == manner2 else _OTHER_MANNER * (0.6 if kind in _CLOSE_MANNERS else 1.0)
    elsewhere = _OTHER_PLACE * min(1.0, 0.4 * (place != place2) + abs(place - place2) / _PLACES)
    return min(_OTHER_KIND, other_manner + elsewhere + _OTHER_VOICE * (voice != voice2))
