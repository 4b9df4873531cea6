"""PocketSphinx behind the `Recognizer` Protocol, English only: its model comes inside the package.

Runs in a child process only. The grammar forces everything that is said into some sentence, table talk too; telling
them apart takes further decoders (allphone, language model) over the same samples, and `compallsen` for all of them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

from gm_assistant.errors import AudioError, ModelError
from gm_assistant.speakable import Choice, Node, Reference, Sequence, SpeakableGrammar
from gm_assistant.speech.english_phones import Pronouncing, ways_to_say
from gm_assistant.speech.ports import RECOGNIZER_RATE, Recognition, Strictness

POCKETSPHINX_LANGUAGE = "en"
"""The one language of the packaged model."""

DECODER_SETTINGS = {
    "lm": None,
    "loglevel": "FATAL",
    "samprate": RECOGNIZER_RATE,
    "bestpath": False,
    "compallsen": False,
    "beam": 1e-80,
    "pbeam": 1e-80,
    "wbeam": 1e-60,
}
"""Measured on the sentences of a full game.

`bestpath` breaks grammar results. `compallsen` changed no text and makes a decode two thirds longer; it is needed only
to compare scores with other decoders. With babble at 10 dB, beams of 1e-60 (words: 1e-40) found 60 % of 120 sentences
and these 69 %; the library's own are narrower still and worse.
"""

_SEARCH = "sentences"
_MOST_WAYS = 20
_WORD = re.compile(r"[a-z'][a-z'._-]*")
"""The spellings of the dictionary, less its marks for second pronunciations such as `the(2)`."""
_CAN_BE_TAUGHT = re.compile(r"[^\W\d_]+(['-][^\W\d_]+)*")
"""Letters of any script: neither dictionary nor grammar minds."""


class PocketsphinxEngine:
    """Two decoders: one hears along while somebody speaks, the other can look at the whole utterance once more.

    The second look knows the loudness and the colour of the whole utterance, but costs 0.2 of the length with the
    sentences of a full game (445 ms a sentence on one core), and is hardly better: of 160 synthetic sentences, 5
    voices, clean 94.4 and 96.2 %, babble 20 dB below 96.2 and 96.9 %, echoing room 89.4 and 90.0 %; of 32 sentences of
    a game 32 and 32, with hiss 29 and 30. So it is for utterances in which the first has found no sentence.
    """

    def __init__(
        self,
        pronunciations: Mapping[str, tuple[str, ...]] | None = None,
        rules: Callable[[], Pronouncing] | None = None,
    ) -> None:
        """`pronunciations`: word -> more ways to say it, in phones of the CMU dictionary ("K L AA R AH").

        `rules` makes what knows how words are said that the dictionary lacks, such as names; they are taught then.
        """
        import pocketsphinx  # noqa: PLC0415 - the native library belongs in the child, not in whoever names this class

        self._hearing: Any = pocketsphinx.Decoder(**DECODER_SETTINGS)
        self._reconsidering: Any = pocketsphinx.Decoder(**DECODER_SETTINGS)
        self._pcm = bytearray()
        self._taught: set[str] = set()
        self._rules: Pronouncing | None = None
        if rules is not None:
            with suppress(AudioError):  # without espeak-ng such words stay unknown
                self._rules = rules()
        for decoder in (self._hearing, self._reconsidering):
            for word, ways in (pronunciations or {}).items():
                _teach(decoder, word, ways)

    def prepare(self, grammar: SpeakableGrammar) -> frozenset[str]:
        """Use `grammar` from now on; an utterance in work is dropped. See `Recognizer.prepare`."""
        self.drop()
        words = grammar.words()
        self._learn(words)
        unknown = frozenset(word for word in words if not self._knows(word))
        known = grammar.without_unknown_words(lambda word: word not in unknown)
        if not known.sentences:
            raise ModelError("model-knows-no-sentence", unknown=sorted(unknown))
        for decoder in (self._hearing, self._reconsidering):
            decoder.add_jsgf_string(_SEARCH, jsgf(known))
            decoder.activate_search(_SEARCH)
        return unknown

    def accept(self, frame: bytes) -> str:
        """Take 16-bit mono samples at RECOGNIZER_RATE; return the words so far."""
        if not self._pcm:
            self._hearing.start_utt()
        self._pcm += frame
        self._hearing.process_raw(frame, False, False)
        return _text(self._hearing)

    def ahead(self, grammar: SpeakableGrammar) -> None:
        """See `Recognizer.ahead`."""

    def finish(self, strictness: Strictness = Strictness.PUSHED) -> Recognition:  # noqa: ARG002
        """Return the words that were heard along, and forget the utterance.

        They are read before `end_utt`, which makes whole sentences at any price: of 75 unfinished ones ("i nominate")
        it completed 45 with words that nobody had said ("i nominate ben"). Read before: none. Of 100 whole sentences
        the wrong ones fell from 9 to 6 with babble at 20 dB and from 15 to 8 in an echoing room, the right by 3 and 1.
        """
        text = _text(self._hearing) if self._pcm else ""
        self.drop()
        return Recognition(text)

    def reconsider(self, strictness: Strictness = Strictness.PUSHED) -> Recognition:  # noqa: ARG002
        """Return the words of the whole utterance so far; an unfinished sentence stays unfinished."""
        if not self._pcm:
            return Recognition("")
        self._reconsidering.start_utt()
        self._reconsidering.process_raw(bytes(self._pcm), False, True)
        text = _text(self._reconsidering)
        self._reconsidering.end_utt()
        return Recognition(text)

    def drop(self) -> None:
        """Forget the utterance in work."""
        if self._pcm:
            self._hearing.end_utt()
        self._pcm.clear()

    def _learn(self, words: frozenset[str]) -> None:
        """Teach both decoders the words that the dictionary lacks, as far as it is known how they are said."""
        if self._rules is None:
            return
        for word in sorted(word for word in words if _CAN_BE_TAUGHT.fullmatch(word) and not self._knows(word)):
            ways = ways_to_say(word, self._rules)
            for decoder in (self._hearing, self._reconsidering):
                _teach(decoder, word, ways)
            self._taught |= {word} if ways else set()

    def _knows(self, word: str) -> bool:
        return word in self._taught or (bool(_WORD.fullmatch(word)) and self._hearing.lookup_word(word) is not None)


def _teach(decoder: Any, word: str, ways: tuple[str, ...]) -> None:
    """Add ways to say `word`: the dictionary numbers them, and a grammar with the word allows them all."""
    names = (word, *(f"{word}({number})" for number in range(2, _MOST_WAYS)))
    free = (name for name in names if decoder.lookup_word(name) is None)
    for name, phones in zip(free, ways, strict=False):
        decoder.add_word(name, phones, False)


def _text(decoder: Any) -> str:
    guess = decoder.hyp()
    return "" if guess is None else str(guess.hypstr)


def jsgf(grammar: SpeakableGrammar) -> str:
    """Return `grammar` in the Java Speech Grammar Format. Its rules are numbered: their own names may hold anything."""
    numbers = {name: f"<rule{number}>" for number, name in enumerate(grammar.rules)}
    lines = [f"{numbers[name]} = {_expansion(node, numbers)};" for name, node in grammar.rules.items()]
    sentences = " | ".join(_expansion(sentence, numbers) for sentence in grammar.sentences)
    return "\n".join(["#JSGF V1.0;", "grammar game;", *lines, f"public <sentence> = {sentences};", ""])


def _expansion(node: Node, numbers: dict[str, str]) -> str:
    match node:
        case str():
            return node
        case Reference(rule):
            return numbers[rule]
        case Sequence(()):
            return "<NULL>"
        case Sequence(parts):
            return " ".join(_expansion(part, numbers) for part in parts)
        case Choice(options):
            return "(" + " | ".join(_expansion(option, numbers) for option in options) + ")"
