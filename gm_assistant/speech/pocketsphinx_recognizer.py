"""PocketSphinx behind the `Recognizer` Protocol, English only: its model comes inside the package.

Runs in a child process only. The grammar forces everything that is said into some sentence, table talk too; telling
them apart takes further decoders (allphone, language model) over the same samples, and `compallsen` for all of them.
"""

from __future__ import annotations

import re
from typing import Any

from gm_assistant.errors import ModelError
from gm_assistant.speakable import Choice, Node, Reference, Sequence, SpeakableGrammar
from gm_assistant.speech.ports import RECOGNIZER_RATE

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
_WORD = re.compile(r"[a-z'][a-z'._-]*")
"""The spellings of the dictionary, less its marks for second pronunciations such as `the(2)`."""


class PocketsphinxEngine:
    """Two decoders: one guesses along while somebody speaks, the other decodes the whole utterance at its end.

    The second pass is the better one, for it knows the loudness and the colour of the whole utterance. Right at the
    end of the stream and after the second pass (both after `end_utt`), 160 synthetic sentences of a full game each,
    5 voices: clean 94.4 and 96.2 %, babble 20 dB below 96.2 and 96.9 %, echoing room 89.4 and 90.0 %. Price: 0.05 to
    0.07 of the length on one core, so 100 to 130 ms for 2 s; the stream's own end takes 1 ms.
    """

    def __init__(self) -> None:
        import pocketsphinx  # noqa: PLC0415 - the native library belongs in the child, not in whoever names this class

        self._guessing: Any = pocketsphinx.Decoder(**DECODER_SETTINGS)
        self._deciding: Any = pocketsphinx.Decoder(**DECODER_SETTINGS)
        self._pcm = bytearray()

    def prepare(self, grammar: SpeakableGrammar) -> frozenset[str]:
        """Use `grammar` from now on; an utterance in work is dropped. See `Recognizer.prepare`."""
        self.drop()
        words = grammar.words()
        unknown = frozenset(word for word in words if not self._knows(word))
        known = grammar.without_unknown_words(lambda word: word not in unknown)
        if not known.sentences:
            raise ModelError("model-knows-no-sentence", unknown=sorted(unknown))
        for decoder in (self._guessing, self._deciding):
            decoder.add_jsgf_string(_SEARCH, jsgf(known))
            decoder.activate_search(_SEARCH)
        return unknown

    def accept(self, frame: bytes) -> str:
        """Take 16-bit mono samples at RECOGNIZER_RATE; return the words so far."""
        if not self._pcm:
            self._guessing.start_utt()
        self._pcm += frame
        self._guessing.process_raw(frame, False, False)
        return _text(self._guessing)

    def finish(self) -> str:
        """Return the words of the whole utterance and forget it."""
        text = self.whole()
        self.drop()
        return text

    def whole(self) -> str:
        """Return the words of the whole utterance so far; an unfinished sentence stays unfinished.

        They are read before `end_utt`, which makes whole sentences at any price: of 75 unfinished ones ("i nominate")
        it completed 45 with words that nobody had said ("i nominate ben"). Read before: none. Of 100 whole sentences
        the wrong ones fell from 9 to 6 with babble at 20 dB and from 15 to 8 in an echoing room, the right by 3 and 1.
        """
        if not self._pcm:
            return ""
        self._deciding.start_utt()
        self._deciding.process_raw(bytes(self._pcm), False, True)
        text = _text(self._deciding)
        self._deciding.end_utt()
        return text

    def drop(self) -> None:
        """Forget the utterance in work."""
        if self._pcm:
            self._guessing.end_utt()
        self._pcm.clear()

    def _knows(self, word: str) -> bool:
        return bool(_WORD.fullmatch(word)) and self._guessing.lookup_word(word) is not None


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
