"""PocketSphinx, English only: its model comes inside the package. Both engines run in child processes only.

The grammar forces everything that is said into some sentence, table talk too. So a second engine tells how likely the
same sound is as any sounds and as any words at all; `likelihood` compares.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from itertools import count, takewhile
from pathlib import Path
from typing import Any

from gm_assistant.errors import AudioError, ModelError
from gm_assistant.speakable import MARK
from gm_assistant.speech.english_phones import Pronouncing, ways_to_say
from gm_assistant.speech.likelihood import AnySpeech
from gm_assistant.speech.ports import RECOGNIZER_RATE, Recognition
from gm_assistant.word_machine import NOWHERE, State, table, without_unknown, words

POCKETSPHINX_LANGUAGE = "en"
"""The one language of the packaged model."""

_COMMON: dict[str, object] = {
    "loglevel": "FATAL",
    "samprate": RECOGNIZER_RATE,
    "bestpath": False,
    "compallsen": True,
}
"""`bestpath` breaks the results of grammars. Without `compallsen` the scores of two decoders have different zeros."""

DECODER_SETTINGS = {**_COMMON, "lm": None, "beam": 1e-80, "pbeam": 1e-80, "wbeam": 1e-60, "fsgusealtpron": False}
"""`add_grammar` gives the other pronunciations of each word itself: a third faster, and the results are the same.

With babble at 10 dB, beams of 1e-60 (words: 1e-40) found 60 % of 120 sentences of a full game and these 69 %."""

UNLIKELY = 1e-8
"""Probability of an aside. Without it the noise before a sentence becomes "correct that".

Of 64 sentences with an aside (four voices, clean and babble 20 dB below) and of 72 without (babble 20 and 10 dB below,
echoing room) right: with 1e-3 55 and 45, with 1e-6 55 and 49, with 1e-8 55 and 50, with 1e-9 57 and 49.
"""

NOISE_AT_THE_END = 200.0
"""Difference of scores up to which words behind a whole sentence are noise.

"er nominate anna if", "go forward thank", "the chancellor is the" stood 12 to 99 above the same less their last word,
"i choose anna for", which was said, 659 and 837.
"""

_SOUNDS: dict[str, object] = {"lw": 2.0, "beam": 1e-20, "pbeam": 1e-20}
"""Any sounds of speech one after the other."""
_ANY_WORDS: dict[str, object] = {
    "lw": 6.5,
    "fwdflat": False,
    "maxhmmpf": 2000,
    "maxwpf": 5,
    "beam": 1e-40,
    "pbeam": 1e-40,
    "wbeam": 1e-25,
}
"""Any words. As it comes, the language model takes 0.35 of the sound's length; with these settings 0.15."""

_LOG_BASE = math.log(1.0001)
"""A score is a power of 1.0001."""
_NOT_VOICED = ("SIL", "+", "<", "[")

_MOST_WAYS = 20
_WORD = re.compile(r"[a-z'][a-z'._-]*")
"""The spellings of the dictionary, less its marks for second pronunciations such as `the(2)`."""
_CAN_BE_TAUGHT = re.compile(r"[^\W\d_]+(['-][^\W\d_]+)*")
"""Letters of any script: neither dictionary nor grammar minds."""


class PocketsphinxEngine:
    """Finds the sentence that a whole utterance is most likely to be. See `WholeRecognizer`."""

    def __init__(
        self,
        pronunciations: Mapping[str, tuple[str, ...]] | None = None,
        rules: Callable[[], Pronouncing] | None = None,
    ) -> None:
        """`pronunciations`: word -> more ways to say it, in phones of the CMU dictionary ("K L AA R AH").

        `rules` makes what knows how words are said that the dictionary lacks, such as names; they are taught then.
        """
        import pocketsphinx  # noqa: PLC0415 - the native library belongs in the child, not in whoever names this class

        self._decoder: Any = pocketsphinx.Decoder(**DECODER_SETTINGS)
        self._known: dict[str, bool] = {}
        self._taught: set[str] = set()
        self._rules: Pronouncing | None = None
        if rules is not None:
            with suppress(AudioError):  # without espeak-ng such words stay unknown
                self._rules = rules()
        for word, ways in (pronunciations or {}).items():
            _teach(self._decoder, word, ways)

    def keep(self, slot: int, machine: State) -> frozenset[str]:
        """Make a grammar ready under a number; return the words that the dictionary lacks.

        Their sentences are left out, and marked words must be heard clearly.
        Raise ModelError("model-knows-no-sentence") if no sentence is left.
        """
        vocabulary = frozenset(word.removesuffix(MARK) for word in words(machine))
        self._learn(vocabulary)
        unknown = frozenset(word for word in vocabulary if not self._knows(word))
        known = without_unknown(machine, lambda word: word.removesuffix(MARK) not in unknown) if unknown else machine
        if known is NOWHERE:
            raise ModelError("model-knows-no-sentence", unknown=sorted(unknown))
        add_grammar(self._decoder, str(slot), known)
        return unknown

    def use(self, slot: int) -> None:
        """Hear the grammar of this number from now on."""
        self._decoder.activate_search(str(slot))

    def look(self, pcm: bytes) -> Recognition:
        """Return what a whole utterance is (16-bit mono samples at RECOGNIZER_RATE), with its score.

        The words are read before `end_utt`, which makes whole sentences at any price: of 75 unfinished ones
        ("i nominate") it completed 45 with words that nobody had said ("i nominate ben"). Read before: none. But if
        the whole sentence is only shorter, and nearly as likely, the words behind it were noise.
        """
        self._decoder.start_utt()
        self._decoder.process_raw(pcm, False, True)
        found = _recognition(self._decoder.hyp())
        self._decoder.end_utt()
        whole = _recognition(self._decoder.hyp())
        return whole if _goes_on_with_noise(found, whole) else found

    def _learn(self, vocabulary: frozenset[str]) -> None:
        """Teach the words that the dictionary lacks, as far as it is known how they are said."""
        if self._rules is None:
            return
        for word in sorted(word for word in vocabulary if _CAN_BE_TAUGHT.fullmatch(word) and not self._knows(word)):
            ways = ways_to_say(word, self._rules)
            _teach(self._decoder, word, ways)
            self._taught |= {word} if ways else set()

    def _knows(self, word: str) -> bool:
        if word not in self._known:
            self._known[word] = bool(_WORD.fullmatch(word)) and self._decoder.lookup_word(word) is not None
        return word in self._taught or self._known[word]


class PocketsphinxJudge:
    """Tells how likely a whole utterance is as speech of any kind."""

    def __init__(self) -> None:
        import pocketsphinx  # noqa: PLC0415 - the native library belongs in the child, not in whoever names this class

        self._models = Path(pocketsphinx.get_model_path()) / "en-us"
        sounds = str(self._models / "en-us-phone.lm.bin")
        self._decoder: Any = pocketsphinx.Decoder(**_COMMON, **_SOUNDS, allphone=sounds)
        self._sounds = self._decoder.current_search()
        self._has_words = False

    def look(self, pcm: bytes, with_words: bool) -> AnySpeech:
        """Return how likely the utterance is as any sounds, and as any words if asked for.

        The model of any words is loaded when first asked for: it takes 0.4 s and 90 MB.
        """
        self._decoder.activate_search(self._sounds)
        score = self._scored(pcm)
        voiced = sum(part.end_frame - part.start_frame + 1 for part in self._decoder.seg() if _is_voiced(part.word))
        return AnySpeech(score, self._scored_as_words(pcm) if with_words else None, voiced)

    def _scored_as_words(self, pcm: bytes) -> float | None:
        if not self._has_words:
            for name, value in _ANY_WORDS.items():
                self._decoder.config[name] = value
            self._decoder.add_lm_file("words", str(self._models / "en-us.lm.bin"))
            self._has_words = True
        self._decoder.activate_search("words")
        return self._scored(pcm)

    def _scored(self, pcm: bytes) -> float | None:
        self._decoder.start_utt()
        self._decoder.process_raw(pcm, False, True)
        self._decoder.end_utt()
        guess = self._decoder.hyp()
        return None if guess is None else _score(guess)


def add_grammar(decoder: Any, name: str, machine: State) -> None:
    """Give a decoder the sentences of `machine`, all of whose words it knows, as the search `name`.

    A machine is taken in 30 ms where the same sentences in the Java Speech Grammar Format took 1 s.
    """
    plain = table(machine)
    odds = [UNLIKELY if word.endswith(MARK) else 1.0 for word in plain.words]
    forms = [_pronunciations(decoder, word.removesuffix(MARK)) for word in plain.words]
    ways: list[tuple[object, ...]] = [
        (start, end, odds[word], form) for start, end, word in plain.steps for form in forms[word]
    ]
    ways += [(state, plain.states, 1.0) for state in plain.final]  # without a word, to the only end
    decoder.add_fsg(name, decoder.create_fsg(name, 0, plain.states, ways))


def _pronunciations(decoder: Any, word: str) -> tuple[str, ...]:
    """Return the names of all pronunciations of a word in the dictionary; they are heard as the word."""
    others = (f"{word}({number})" for number in count(2))
    return (word, *takewhile(lambda name: decoder.lookup_word(name) is not None, others))


def _recognition(guess: Any) -> Recognition:
    return Recognition("") if guess is None else Recognition(str(guess.hypstr), None, _score(guess))


def _goes_on_with_noise(found: Recognition, whole: Recognition) -> bool:
    """Return whether `found` is `whole` and some words more that the sound hardly speaks for."""
    if found.score is None or whole.score is None or not whole.text:
        return False
    return found.text.startswith(f"{whole.text} ") and found.score - whole.score <= NOISE_AT_THE_END


def _score(guess: Any) -> float | None:
    return math.log(guess.score) / _LOG_BASE if guess.score > 0 else None


def _is_voiced(sound: str) -> bool:
    return not sound.startswith(_NOT_VOICED)


def _teach(decoder: Any, word: str, ways: tuple[str, ...]) -> None:
    """Add ways to say `word`: the dictionary numbers them, and a grammar with the word allows them all."""
    names = (word, *(f"{word}({number})" for number in range(2, _MOST_WAYS)))
    free = (name for name in names if decoder.lookup_word(name) is None)
    for name, phones in zip(free, ways, strict=False):
        decoder.add_word(name, phones, False)
