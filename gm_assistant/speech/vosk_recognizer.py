"""Vosk behind the `Recognizer` Protocol. Runs in a child process only: a bad grammar or model kills the process.

A Vosk grammar is a bag of word pairs, so its text may be a sentence that nobody listed: parse it strictly.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from math import inf
from pathlib import Path
from typing import Any

from gm_assistant.errors import ModelError
from gm_assistant.speakable import MARK
from gm_assistant.speech.decoys import decoys_for
from gm_assistant.speech.phrase_cover import covering_phrases
from gm_assistant.speech.ports import RECOGNIZER_RATE, Recognition
from gm_assistant.word_machine import State, renamed, without_unknown, words

DYNAMIC_GRAPH = ("graph/HCLr.fst", "graph/Gr.fst")
"""Files of a model that can take a grammar (vosk-api `model.cc`); other models ignore it with a mere warning."""

_UNKNOWN_WORDS = ("[unk]", "<unk>", "<UNK>")
"""What models call speech outside their vocabulary: English, -, Korean. Many have none of these."""

_WORKING = "[unk]"
"""Where a model has this, it is heard. The Korean one has "<UNK>", which is never heard."""

_MOST_DECOYS = 30
_WEIGHT = 4
"""How often a sentence is listed for each time that a decoy is: Vosk counts.

Of 36 Korean sentences by four synthetic voices and 24 times table talk by three: without decoys 24 right, and 2 of the
talk a sentence; with 15 decoys 20 and none; with 70 15 and none; with 30, sentences listed 4 times, 23 and none.
"""

_WORD = re.compile(r"[^\W\d_][^\s\d_<>\[\]\"\\]*")
"""A word that may enter a grammar: it begins with a letter and has no digit, blank, bracket, quote or backslash."""


@dataclass(frozen=True, slots=True)
class _Kept:
    json: str
    """The grammar for Vosk."""
    spellings: Mapping[str, str]
    """The model's spelling of each word -> ours."""
    strange: frozenset[str]
    """What is heard instead of the grammar's words."""


class VoskEngine:
    """One model, one recogniser, one utterance at a time. Build it inside the child."""

    def __init__(self, model_folder: str, decoys: tuple[str, ...] = ()) -> None:
        """Load the model: about 3.5 s and 550 MB for a small one.

        `decoys` are ordinary words of the language, for models without a word for what they do not know.

        Raise ModelError("model-unusable") for a folder that is no model or a model without dynamic graph.
        """
        import vosk  # noqa: PLC0415 - the native library belongs in the child, not in whoever names this class

        vosk.SetLogLevel(-1)
        self._vosk: Any = vosk
        self._model = _loaded(vosk, model_folder)
        self._strange = tuple(filter(self._finds, _UNKNOWN_WORDS))
        self._decoys = () if _WORKING in self._strange else tuple(filter(self._spelled, decoys))
        self._kept: dict[int, _Kept] = {}
        self._no_words: frozenset[str] = frozenset()
        self._spellings: Mapping[str, str] = {}
        self._pieces: list[str] = []
        self._recognizer: Any = None

    def keep(self, slot: int, machine: State) -> frozenset[str]:
        """Make a grammar ready under a number; return the words that the model does not know.

        Their sentences are left out; marks too, for Vosk takes no odds. Raise ModelError("model-knows-no-sentence") if
        no sentence is left.
        """
        plain = renamed(machine, lambda word: word.removesuffix(MARK))
        vocabulary = words(plain)
        spelled = {word: spelling for word in vocabulary if (spelling := self._spelled(word)) is not None}
        phrases = covering_phrases(without_unknown(plain, spelled.__contains__))
        if not phrases:
            raise ModelError("model-knows-no-sentence", unknown=sorted(vocabulary))
        strange = (
            *self._strange,
            *(str(self._spelled(word)) for word in decoys_for(vocabulary, self._decoys)[:_MOST_DECOYS]),
        )
        listed = [" ".join(spelled[word] for word in phrase.split()) for phrase in phrases]
        # Unescaped: Vosk's JSON reader makes no letter out of an escape.
        grammar = json.dumps([*listed * (_WEIGHT if self._decoys else 1), *strange], ensure_ascii=False)
        self._kept[slot] = _Kept(grammar, {spelling: word for word, spelling in spelled.items()}, frozenset(strange))
        return vocabulary - spelled.keys()

    def use(self, slot: int) -> None:
        """Hear the grammar of this number from now on; an utterance in work is dropped."""
        kept = self._kept[slot]
        # A fresh recogniser, not SetGrammar: that aborts the process while an utterance is in work (rc 134).
        self._recognizer = self._vosk.KaldiRecognizer(self._model, RECOGNIZER_RATE, kept.json)
        self._spellings, self._no_words, self._pieces = kept.spellings, kept.strange, []

    def accept(self, frame: bytes) -> str:
        """Take 16-bit mono samples at RECOGNIZER_RATE; return the words so far."""
        if not self._recognizer.AcceptWaveform(frame):
            return self._heard(json.loads(self._recognizer.PartialResult())["partial"])
        self._pieces.append(json.loads(self._recognizer.Result())["text"])
        return self._heard("")

    def finish(self) -> Recognition:
        """Return the words of the whole utterance, all pieces that Vosk's own end of speech has cut it into.

        With a word among them that is none of the grammar, it was surely something else.
        """
        text = self._heard(json.loads(self._recognizer.FinalResult())["text"])
        self._pieces = []
        return Recognition("", -inf) if self._no_words.intersection(text.split()) else Recognition(text)

    def drop(self) -> None:
        """Forget the utterance in work."""
        self._recognizer.Reset()
        self._pieces = []

    def _heard(self, last: str) -> str:
        said = " ".join([*self._pieces, last]).split()
        return " ".join(self._spellings.get(word, word) for word in said)

    def _spelled(self, word: str) -> str | None:
        """Return the spelling of `word` in the model's vocabulary, which minds case; None if it has none."""
        if not _WORD.fullmatch(word):
            return None
        return next(filter(self._finds, (word, word.capitalize(), word.upper())), None)

    def _finds(self, word: str) -> bool:
        return bool(self._model.vosk_model_find_word(word) >= 0)


def _loaded(vosk: Any, model_folder: str) -> Any:
    if not all((Path(model_folder) / file).is_file() for file in DYNAMIC_GRAPH):
        raise ModelError("model-unusable", path=model_folder)
    try:
        return vosk.Model(model_path=model_folder)
    except Exception as broken:
        raise ModelError("model-unusable", path=model_folder) from broken
