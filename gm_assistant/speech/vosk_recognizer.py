"""Vosk behind the `Recognizer` Protocol. Runs in a child process only: a bad grammar or model kills the process.

A Vosk grammar is a bag of word pairs, so its text may be a sentence that nobody listed: parse it strictly.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from gm_assistant.errors import ModelError
from gm_assistant.speakable import SpeakableGrammar
from gm_assistant.speech.phrase_cover import covering_phrases
from gm_assistant.speech.ports import RECOGNIZER_RATE, Recognition, Strictness

DYNAMIC_GRAPH = ("graph/HCLr.fst", "graph/Gr.fst")
"""Files of a model that can take a grammar (vosk-api `model.cc`); other models ignore it with a mere warning."""

_UNKNOWN_WORDS = ("[unk]", "<unk>", "<UNK>")
"""What models call speech outside their vocabulary: English, -, Korean. Many have none of these."""

_WORD = re.compile(r"[^\W\d_][^\s\d_<>\[\]\"\\]*")
"""A word that may enter a grammar: it begins with a letter and has no digit, blank, bracket, quote or backslash."""


class VoskEngine:
    """One model, one recogniser, one utterance at a time. Build it inside the child."""

    def __init__(self, model_folder: str) -> None:
        """Load the model: about 3.5 s and 550 MB for a small one.

        Raise ModelError("model-unusable") for a folder that is no model or a model without dynamic graph.
        """
        import vosk  # noqa: PLC0415 - the native library belongs in the child, not in whoever names this class

        vosk.SetLogLevel(-1)
        self._vosk: Any = vosk
        self._model = _loaded(vosk, model_folder)
        self._spellings: dict[str, str] = {}
        self._pieces: list[str] = []
        self._recognizer: Any = None

    def prepare(self, grammar: SpeakableGrammar) -> frozenset[str]:
        """Use `grammar` from now on; an utterance in work is dropped. See `Recognizer.prepare`."""
        words = grammar.words()
        self._spellings = {spelled: word for word in words if (spelled := self._spelled(word)) is not None}
        known = grammar.without_unknown_words(frozenset(self._spellings.values()).__contains__)
        phrases = covering_phrases(known)
        if not phrases:
            raise ModelError("model-knows-no-sentence", unknown=sorted(words))
        # A fresh recogniser, not SetGrammar: that aborts the process while an utterance is in work (rc 134).
        self._recognizer = self._vosk.KaldiRecognizer(self._model, RECOGNIZER_RATE, self._json(phrases))
        self._pieces = []
        return words - frozenset(self._spellings.values())

    def accept(self, frame: bytes) -> str:
        """Take 16-bit mono samples at RECOGNIZER_RATE; return the words so far."""
        if not self._recognizer.AcceptWaveform(frame):
            return self._heard(json.loads(self._recognizer.PartialResult())["partial"])
        self._pieces.append(json.loads(self._recognizer.Result())["text"])
        return self._heard("")

    def ahead(self, grammar: SpeakableGrammar) -> None:
        """See `Recognizer.ahead`."""

    def finish(self, strictness: Strictness = Strictness.PUSHED) -> Recognition:  # noqa: ARG002
        """Return the words of the whole utterance, all pieces that Vosk's own end of speech has cut it into."""
        text = self._heard(json.loads(self._recognizer.FinalResult())["text"])
        self._pieces = []
        return Recognition(text)

    def reconsider(self, strictness: Strictness = Strictness.PUSHED) -> None:
        """Return nothing: Vosk has looked at the whole by itself."""

    def drop(self) -> None:
        """Forget the utterance in work."""
        self._recognizer.Reset()
        self._pieces = []

    def _json(self, phrases: tuple[str, ...]) -> str:
        """Return the grammar for Vosk; unescaped, for its JSON reader makes no letter out of an escape."""
        spelled_by_model = {word: spelled for spelled, word in self._spellings.items()}
        listed = [" ".join(spelled_by_model[word] for word in phrase.split()) for phrase in phrases]
        listed += [word for word in _UNKNOWN_WORDS if self._finds(word)]
        return json.dumps(listed, ensure_ascii=False)

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
