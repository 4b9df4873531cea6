from __future__ import annotations

import json
import os
import signal
from collections.abc import Iterator
from functools import partial
from math import inf
from pathlib import Path

import pytest
from fakes_speech import grammar
from spoken import frames, has_package, hiss, korean_model, needs, spoken_korean

from gm_assistant.checked import checked
from gm_assistant.data import load_yaml
from gm_assistant.errors import LanguagePackError, ModelError
from gm_assistant.speakable import Ending, Sequence, SpeakableGrammar, ending
from gm_assistant.speech.ports import Recognition
from gm_assistant.speech.recognizer_process import RecognizerProcess
from gm_assistant.speech.vosk_recognizer import VoskEngine

pytestmark = pytest.mark.model

SENTENCES = ["취소", "도움말", "자유 법안", "게임 시작", "선거 결과", "투표 결과"]
GAME = grammar(*SENTENCES)


@pytest.fixture(scope="module")
def engine() -> VoskEngine:
    needs(has_package("vosk"), "vosk")
    return VoskEngine(korean_model())


def prepare(engine: VoskEngine, tree: SpeakableGrammar) -> frozenset[str]:
    unknown = engine.keep(0, tree.marked_machine)
    engine.use(0)
    return unknown


def result(engine: VoskEngine, pcm: bytes) -> Recognition:
    for sound in frames(pcm):
        engine.accept(sound)
    return engine.finish()


def heard(engine: VoskEngine, pcm: bytes) -> str:
    return result(engine, pcm).text


@pytest.mark.parametrize("said", ["취소", "도움말", "자유 법안", "게임 시작", "선거 결과"])
def test_a_spoken_sentence_is_understood(engine: VoskEngine, said: str) -> None:
    prepare(engine, GAME)
    assert heard(engine, spoken_korean(said)) == said


def test_the_words_come_while_somebody_still_speaks(engine: VoskEngine) -> None:
    prepare(engine, GAME)
    guesses = [engine.accept(sound) for sound in frames(spoken_korean("게임 시작"))]
    assert guesses[-1] == "게임 시작"
    engine.finish()


def test_a_salad_of_command_words_is_no_sentence(engine: VoskEngine) -> None:
    prepare(engine, GAME)
    text = heard(engine, spoken_korean("게임 게임 취소 시작"))
    assert set(text.split()) & GAME.words()
    assert ending(GAME.machine, text) is Ending.INCOMPLETE


def test_pieces_that_a_pause_has_cut_are_put_together(engine: VoskEngine) -> None:
    prepare(engine, GAME)
    text = heard(engine, spoken_korean("게임 시작") + hiss(1.5) + spoken_korean("취소"))
    assert text == "게임 시작 취소"
    assert engine.finish().text == ""


def test_a_missing_word_is_reported_and_its_wording_left_out(engine: VoskEngine) -> None:
    assert prepare(engine, grammar("게임 시작", "게임 바나나로켓")) == {"바나나로켓"}
    assert heard(engine, spoken_korean("게임 시작")) == "게임 시작"


@pytest.mark.parametrize(
    "tree",
    [
        SpeakableGrammar(()),
        SpeakableGrammar((Sequence(),)),
        grammar("바나나로켓"),
        SpeakableGrammar(("3", "[unk]", "<eps>", "", "취소 취소", "#0", "<s>", '"', "\\")),
    ],
)
def test_a_bad_grammar_never_reaches_the_engine(engine: VoskEngine, tree: SpeakableGrammar) -> None:
    with pytest.raises(ModelError, match="model-knows-no-sentence"):
        prepare(engine, tree)


def test_what_vosk_is_given_is_plain_and_unescaped(engine: VoskEngine) -> None:
    given: list[str] = []
    real = engine._vosk.KaldiRecognizer
    engine._vosk.KaldiRecognizer = lambda model, rate, phrases: given.append(phrases) or real(model, rate, phrases)
    try:
        prepare(engine, grammar("게임 [게임] 시작", "취소", "취소"))
    finally:
        engine._vosk.KaldiRecognizer = real
    listed = json.loads(given[0])
    assert "\\u" not in given[0]
    assert "취소" in listed
    assert len(listed) == len(set(listed))
    assert all(phrase == " ".join(phrase.split()) != "" for phrase in listed)


def test_marks_never_reach_vosk(engine: VoskEngine) -> None:
    assert prepare(engine, grammar("<before> 게임 시작", "취소", before=["취소"])) == frozenset()
    assert heard(engine, spoken_korean("게임 시작")).endswith("게임 시작")


TALK = ["오늘 저녁 음식 정말 좋아요", "우리 가족 여행", "바나나 우유", "내일 날씨", "친구 같이 영화"]


def test_talk_is_heard_as_decoys_and_rejected_where_the_model_has_no_word_for_it() -> None:
    needs(has_package("vosk"), "vosk")
    decoys = checked(
        load_yaml(Path(__file__).parents[1] / "packs" / "ko" / "decoys.yaml"),
        tuple[str, ...],
        "decoys.yaml",
        LanguagePackError,
        "pack-broken",
    )
    wary = VoskEngine(korean_model(), decoys)
    prepare(wary, GAME)
    found = [result(wary, spoken_korean(talk)) for talk in TALK]
    assert [one.ratio for one in found].count(-inf) > len(TALK) / 2
    assert all(GAME.ending(one.text) is Ending.INCOMPLETE for one in found)
    assert all(one.text == "" for one in found if one.ratio == -inf)
    said = ("취소", "도움말", "자유 법안", "게임 시작", "선거 결과")
    assert sum(result(wary, spoken_korean(text)) == Recognition(text) for text in said) >= len(said) - 1


def test_another_grammar_in_mid_utterance_drops_it(engine: VoskEngine) -> None:
    prepare(engine, GAME)
    for sound in frames(spoken_korean("취소"))[:25]:
        engine.accept(sound)
    prepare(engine, grammar("도움말", "취소"))
    assert heard(engine, spoken_korean("도움말")) == "도움말"


def test_silence_is_no_sentence(engine: VoskEngine) -> None:
    prepare(engine, GAME)
    assert ending(GAME.machine, heard(engine, hiss(3.0))) is Ending.INCOMPLETE


@pytest.fixture
def process() -> Iterator[RecognizerProcess]:
    needs(has_package("vosk"), "vosk")
    started = RecognizerProcess(partial(VoskEngine, korean_model()), deadline=30)
    yield started
    started.close()


def test_a_killed_child_is_restarted_and_the_sentence_still_comes_out(process: RecognizerProcess) -> None:
    process.prepare(GAME)
    spoken = frames(spoken_korean("게임 시작"))
    for sound in spoken[:30]:
        process.accept(sound)
    first = process.process_id
    assert first is not None
    os.kill(first, signal.SIGTERM)
    for sound in spoken[30:]:
        process.accept(sound)
    assert process.finish().text == "게임 시작"
    assert process.process_id != first


def test_a_folder_that_is_no_model_is_refused(tmp_path: Path) -> None:
    refused = RecognizerProcess(partial(VoskEngine, str(tmp_path)), deadline=30)
    with pytest.raises(ModelError) as error:
        refused.prepare(GAME)
    refused.close()
    assert (error.value.key, error.value.facts) == ("model-unusable", {"path": str(tmp_path)})


@pytest.mark.parametrize("missing", ["HCLr.fst", "Gr.fst"])
def test_a_model_without_dynamic_graph_is_refused(tmp_path: Path, missing: str) -> None:
    whole = Path(korean_model())
    for part in whole.rglob("*"):
        copied = tmp_path / part.relative_to(whole)
        if part.is_file() and part.name != missing:
            copied.parent.mkdir(parents=True, exist_ok=True)
            copied.symlink_to(part)
    with pytest.raises(ModelError, match="model-unusable"):
        VoskEngine(str(tmp_path))
