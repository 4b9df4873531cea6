"""Names of any origin in the 39 phones of the CMU pronouncing dictionary, as English speakers would say them.

Of a name that looks foreign there is also the way that people of its language say it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import Protocol

MOST_WAYS = 3
"""Of one word: more make the recogniser take other words for it."""

_ENGLISH = "en"
_SPELLINGS: tuple[tuple[str, str], ...] = (
    ("ar", r"[\u0600-\u06ff]"),
    ("ru", r"[\u0400-\u04ff]"),
    ("el", r"[\u0370-\u03ff]"),
    ("he", r"[\u0590-\u05ff]"),
    ("ko", r"[\uac00-\ud7af]"),
    ("ja", r"[\u3040-\u30ff]"),
    ("cmn", r"[\u4e00-\u9fff]"),
    ("vi", r"[ơưđ]|[ăâêô][\u0300\u0301\u0303\u0309\u0323]|[\u0309\u0323]|^(ng|nh|ph|th(?=u)|kh)|(anh|inh|uong|uyen)$"),
    ("tr", r"[ğşı]|i\u0307|^(?=.*[öüç])(?!.*(sch|ie|ß|ck))|^(?=.*[ae])(?=.*y[aeiou]).*(can|han|gul|nur|tay|kan)$"),
    ("pl", r"[łśżźćńęą]|sz|cz|rz|(?<=[bdgkmnpw])rze|^k(?=rz)|[aeo]w$|jciech|slaw"),
    ("de", r"[äöüß]|sch|ei|eu|tz|ck|^j|^w|[lrn]f|[gk]e$|^kl|^ul|er$|hild|gund|fried|wolf"),
    ("it", r"gi[aou]|ch[ei]|gl[ie]|gn|cc|zz|sci|([bcdfglmnprstvz])\1[aeio]|[aeiou][bcdfgjlmnprstvz]+[aio]$"),
)
"""Language -> how its names look, in NFC with vietnamese tones and dots apart. The surest signs come first."""

_CONTINENTAL = ("de", "it")
"""How a foreign name is read that gives no sign of its language: the vowels as they are written."""

_MARKS = re.compile(r"\([a-z-]+\)|[ˈˌːˑʰʲʷˤˠ\u0300-\u036f\d_ˀ̪]")

_PAIRS = {
    "tʃ": "CH", "dʒ": "JH", "tɕ": "CH", "dʑ": "JH", "tʂ": "CH", "dʐ": "JH", "eɪ": "EY", "aɪ": "AY", "aʊ": "AW",
    "oʊ": "OW", "əʊ": "OW", "ɔɪ": "OY", "ɔø": "OY", "ɔʏ": "OY", "ai": "AY", "au": "AW", "ei": "EY", "aj": "AY",
    "ɛɪ": "EY", "oːɹ": "AO R", "ɔːɹ": "AO R", "ks": "K S",
}  # fmt: skip
_SINGLE = {
    "i": "IY", "ɪ": "IH", "ᵻ": "IH", "ɨ": "IH", "y": "UW", "ʏ": "UH", "ʉ": "UW", "ɯ": "UH", "u": "UW", "ʊ": "UH",
    "e": "EH", "ø": "ER", "œ": "ER", "ɘ": "AH", "ɵ": "AH", "ɤ": "AH", "o": "OW", "ə": "AH", "ɚ": "ER", "ɛ": "EH",
    "ɜ": "ER", "ɝ": "ER", "ʌ": "AH", "ɔ": "AO", "ɐ": "AH", "æ": "AE", "a": "AA", "ɑ": "AA", "ɒ": "AA",
    "p": "P", "b": "B", "ɓ": "B", "t": "T", "ʈ": "T", "d": "D", "ɗ": "D", "ɖ": "D", "k": "K", "c": "K", "q": "K",
    "ɡ": "G", "g": "G", "ɟ": "G", "ɣ": "G", "ʔ": "", "ʕ": "", "m": "M", "n": "N", "ɳ": "N", "ɲ": "N Y", "ŋ": "NG",
    "f": "F", "ɸ": "F", "v": "V", "ʋ": "V", "β": "V", "θ": "TH", "ð": "DH", "s": "S", "z": "Z", "ʃ": "SH", "ɕ": "SH",
    "ʂ": "SH", "ʒ": "ZH", "ʑ": "ZH", "ʐ": "ZH", "ç": "SH", "ʝ": "Y", "x": "HH", "χ": "HH", "ħ": "HH", "h": "HH",
    "ɦ": "HH", "l": "L", "ɫ": "L", "ʎ": "L Y", "r": "R", "ɹ": "R", "ɾ": "R", "ɻ": "R", "ʀ": "R", "ʁ": "R", "j": "Y",
    "w": "W", "ɥ": "W", "ʍ": "W",
}  # fmt: skip
_LONG = {"e": "EY", "ɛ": "EY"}
"""Long vowels that are another phone than the short ones."""
_FLAP = "ɾ"
"""A T between vowels in American English, an R everywhere else."""
_VOWELS = frozenset({"AA", "AE", "AH", "AO", "AW", "AY", "EH", "ER", "EY", "IH", "IY", "OW", "OY", "UH", "UW"})


class Pronouncing(Protocol):
    """What knows the rules of many languages (`Espeak`)."""

    def pronounced(self, words: tuple[str, ...], language: str) -> tuple[str, ...]:
        """Return each word in phonetic letters, "" if `language` has no rule for it."""


def origins(word: str) -> tuple[str, ...]:
    """Return up to two languages by whose rules a name may be said, the likeliest first; English is not among them."""
    nfc = unicodedata.normalize("NFC", word.lower())
    apart = "".join(_tones_apart(sign) for sign in nfc)
    found = [language for language, look in _SPELLINGS if re.search(look, nfc) or re.search(look, apart)]
    return tuple(dict.fromkeys((*found, *_CONTINENTAL)))[:2]


def _tones_apart(sign: str) -> str:
    """Return a letter with its tone or dot as a sign of its own, if it has both that and another mark."""
    decomposed = unicodedata.normalize("NFD", sign)
    base, marks = decomposed[:1], decomposed[1:]
    tones = "".join(mark for mark in marks if mark in "\u0300\u0301\u0303\u0309\u0323")
    return unicodedata.normalize("NFC", base + "".join(mark for mark in marks if mark not in tones)) + tones


def ways_to_say(word: str, rules: Pronouncing) -> tuple[str, ...]:
    """Return up to MOST_WAYS pronunciations of a word for the English recogniser ("K L AA R AH"); perhaps none."""
    english, *others = (rules.pronounced((word,), language)[0] for language in (_ENGLISH, *origins(word)))
    spoken = map(cmu_phones, (english.replace(_FLAP, "t"), *others))
    return tuple(dict.fromkeys(filter(None, spoken)))[:MOST_WAYS]


def cmu_phones(ipa: str) -> str:
    """Return phonetic letters as phones of the CMU dictionary with blanks between them; "" if nothing sounds."""
    phones = " ".join(filter(None, _cmu(ipa))).split()
    if not any(phone in _VOWELS for phone in phones):  # a recogniser cannot hold on to a bare consonant
        phones = [*phones, "AH"] if phones else []
    return " ".join(phone for phone, before in zip(phones, ["", *phones], strict=False) if phone != before)


def _cmu(ipa: str) -> Iterator[str]:
    for unit in ipa.split("_"):
        long = "ː" in unit
        letters = _MARKS.sub("", unicodedata.normalize("NFD", unit).replace("c\u0327", "ç"))
        while letters:
            if letters[:2] in _PAIRS:
                yield _PAIRS[letters[:2]]
                letters = letters[2:]
                continue
            yield (_LONG if long else {}).get(letters[0], _SINGLE.get(letters[0], ""))
            letters = letters[1:]
