"""From a language pack through the real Vosk engine to a meaning, with the one model that comes as a package."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from spoken import has_package, korean_model, needs, spoken_korean

from gm_assistant.checked import checked
from gm_assistant.data import load_yaml
from gm_assistant.dialogue.grammar import Grammar
from gm_assistant.dialogue.intents import Intent, NotUnderstood
from gm_assistant.dialogue.pack import LanguagePack, Phrases, Sentences, VoiceChoice, Voices
from gm_assistant.errors import LanguagePackError
from gm_assistant.speech.listener import Listener
from gm_assistant.speech.ports import RECOGNIZER_RATE, Audio, HeardReason, Recognizer
from gm_assistant.speech.recognizer_process import RecognizerProcess
from gm_assistant.speech.sound_microphone import SoundMicrophone
from gm_assistant.speech.voice_activity import VoiceActivity
from gm_assistant.speech.vosk_recognizer import VoskEngine

pytestmark = pytest.mark.model

SENTENCES = checked(
    load_yaml(Path(__file__).parents[1] / "packs" / "ko" / "sentences.yaml"),
    Sentences,
    "sentences.yaml",
    LanguagePackError,
    "pack-broken",
)
SILENT = VoiceChoice()
PACK = LanguagePack("ko", SENTENCES, Phrases({}, {}, {}), Voices(SILENT, SILENT), ())
GAME = Grammar(PACK, ("민수", "영희", "철수", "자비에르꾸스"), frozenset(PACK.sentences.intents))


@pytest.fixture(scope="module")
def recognizer() -> Iterator[Recognizer]:
    needs(has_package("vosk"), "vosk")
    process = RecognizerProcess(partial(VoskEngine, korean_model()))
    yield process
    process.close()


def heard(recognizer: Recognizer, said: str) -> str:
    microphone = SoundMicrophone()
    microphone.load(Audio(spoken_korean(said), RECOGNIZER_RATE))
    turn = Listener(microphone, recognizer, VoiceActivity()).listen(GAME.speakable, lambda: False)
    assert turn.reason is not HeardReason.ENGINE_FAILED
    return turn.text


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("취소", Intent("undo")),
        ("도움말", Intent("help")),
        ("자유 법안", Intent("law_enacted", {"party": "liberal"})),
        ("보수 법안", Intent("law_enacted", {"party": "fascist"})),
        ("게임 시작", Intent("go_on")),
        ("총리 후보 민수", Intent("nominate", {"player": 1})),
        ("총리 후보 영희", Intent("nominate", {"player": 2})),
        ("다시 자유 법안", Intent("law_enacted", {"party": "liberal"}, correction=True)),
        ("비밀 도움말", Intent("help", whisper=True)),
    ],
)
def test_a_spoken_sentence_gets_its_meaning(recognizer: Recognizer, said: str, meant: Intent) -> None:
    assert GAME.parse(heard(recognizer, said)) == meant


def test_words_that_the_model_lacks_are_told_and_only_their_wordings_fall(recognizer: Recognizer) -> None:
    assert recognizer.prepare(GAME.speakable) == {"바나나로켓", "자비에르꾸스"}
    assert GAME.parse(heard(recognizer, "게임 시작")) == Intent("go_on")


@pytest.mark.parametrize("said", ["취소 법안 게임 찬성 도움말", "투표 부결", "영희 반대"])
def test_what_the_engine_puts_together_from_command_words_means_nothing(recognizer: Recognizer, said: str) -> None:
    assert GAME.parse(heard(recognizer, said)) == NotUnderstood()
