from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from functools import partial
from math import inf
from pathlib import Path

import pytest
from fakes_speech import frame, grammar
from workers import CountingJudge, CountingLooker, HopelessJudge

from gm_assistant.errors import ModelError
from gm_assistant.speakable import SpeakableGrammar
from gm_assistant.speech.kept_grammars import MOST_KEPT, KeptGrammars
from gm_assistant.speech.likelihood import LEAST_RATIO, AnySpeech, compared, rejected
from gm_assistant.speech.ports import Recognition, Strictness
from gm_assistant.speech.recognizer_process import MOST_FRAMES
from gm_assistant.speech.whole_recognizer import WholeRecognizer
from gm_assistant.speech.worker import Worker, WorkerLost

GAME, OTHER = grammar("help"), grammar("go on")


@pytest.fixture
def recognizer(tmp_path: Path) -> Iterator[WholeRecognizer]:
    started = WholeRecognizer(partial(CountingLooker, str(tmp_path / "once"), 1), CountingJudge, deadline=30)
    (tmp_path / "once").touch()
    yield started
    started.close()


def speak(recognizer: WholeRecognizer, frames: int) -> None:
    for number in range(frames):
        assert recognizer.accept(frame(number)) == ""


def test_a_look_takes_the_whole_so_far_and_the_utterance_goes_on(recognizer: WholeRecognizer) -> None:
    assert recognizer.prepare(GAME) == {"strange"}
    speak(recognizer, 3)
    recognizer.reconsider()
    speak(recognizer, 2)
    assert recognizer.reconsidered().text == "3 frames of help"
    assert recognizer.finish().text == "5 frames of help"
    assert (recognizer.reconsidered().text, recognizer.finish().text) == ("", "")


def test_while_the_children_are_busy_only_the_last_look_that_is_wanted_waits(recognizer: WholeRecognizer) -> None:
    recognizer.prepare(GAME)
    speak(recognizer, 1)
    recognizer.finish()
    asked = list[str]()
    begin = recognizer._engine.begin
    recognizer._engine.begin = lambda method, *arguments: (asked.append(method), begin(method, *arguments))[1]  # type: ignore[method-assign,func-returns-value]
    recognizer._engine.has_answered = lambda one: False  # type: ignore[method-assign]
    for _ in range(5):
        speak(recognizer, 1)
        recognizer.reconsider()
    assert asked == ["look"]
    assert recognizer.reconsidered().text == "5 frames of help"
    assert asked == ["look", "look"]


def test_it_is_known_whether_an_answer_is_there(worker: Worker) -> None:
    asked = worker.begin("words_in_use")
    worker.call("words_in_use")
    assert worker.has_answered(asked)
    sleeping = worker.begin("sleep", 0.5)
    assert not worker.has_answered(sleeping)
    worker.result(sleeping)
    assert worker.has_answered(sleeping)
    lost = worker.begin("words_in_use")
    worker.kill()
    assert worker.has_answered(lost)


@pytest.mark.parametrize(
    ("strictness", "ratio"), [(Strictness.PUSHED, -1.0), (Strictness.OPEN, -2.0), (Strictness.IRREVERSIBLE, -2.0)]
)
def test_other_words_are_weighed_only_where_it_matters(
    recognizer: WholeRecognizer, strictness: Strictness, ratio: float
) -> None:
    recognizer.prepare(GAME)
    speak(recognizer, 1)
    assert recognizer.finish(strictness).ratio == ratio


@pytest.mark.parametrize("lost", [0, 1])
def test_a_child_that_is_lost_looks_again(recognizer: WholeRecognizer, lost: int) -> None:
    recognizer.prepare(GAME)
    speak(recognizer, 2)
    recognizer.finish()
    speak(recognizer, 2)
    process = recognizer.process_ids[lost]
    assert process is not None
    os.kill(process, signal.SIGKILL)
    recognizer.reconsider()
    found = recognizer.finish()
    assert (found.text, found.ratio) == ("2 frames of help", -1.0)


def test_an_engine_that_aborts_at_a_look_looks_again(tmp_path: Path) -> None:
    recognizer = WholeRecognizer(partial(CountingLooker, str(tmp_path / "once"), 1), CountingJudge, deadline=30)
    recognizer.prepare(GAME)
    speak(recognizer, 2)
    assert recognizer.finish().text == "2 frames of help"
    assert (tmp_path / "once").exists()
    recognizer.close()


def test_without_a_judge_nothing_is_accepted(tmp_path: Path) -> None:
    recognizer = WholeRecognizer(partial(CountingLooker, str(tmp_path / "once")), HopelessJudge, deadline=30)
    recognizer.prepare(GAME)
    speak(recognizer, 2)
    with pytest.raises(ModelError, match="recognizer-failed"):
        recognizer.finish()
    recognizer.close()


def test_another_grammar_drops_the_utterance_in_work(recognizer: WholeRecognizer) -> None:
    recognizer.prepare(GAME)
    speak(recognizer, 2)
    recognizer.reconsider()
    recognizer.prepare(OTHER)
    assert recognizer.reconsidered().text == ""
    speak(recognizer, 1)
    assert recognizer.finish().text == "1 frames of go on"


def test_no_grammar_is_made_ready_while_somebody_speaks(recognizer: WholeRecognizer) -> None:
    recognizer.prepare(GAME)
    speak(recognizer, 1)
    recognizer.ahead(OTHER)
    assert recognizer.finish().text == "1 frames of help"


def test_a_refused_grammar_leaves_the_one_before_in_use(recognizer: WholeRecognizer) -> None:
    recognizer.prepare(GAME)
    with pytest.raises(ModelError, match="model-knows-no-sentence"):
        recognizer.prepare(SpeakableGrammar(()))
    recognizer.ahead(SpeakableGrammar(()))
    assert recognizer.prepare(GAME) == {"strange"}
    speak(recognizer, 1)
    assert recognizer.finish().text == "1 frames of help"


def test_a_long_utterance_is_bounded_and_a_wrong_frame_an_error(recognizer: WholeRecognizer) -> None:
    recognizer.prepare(GAME)
    speak(recognizer, MOST_FRAMES + 5)
    assert recognizer.finish().text == f"{MOST_FRAMES} frames of help"
    with pytest.raises(ValueError, match="3"):
        recognizer.accept(b"abc")


@pytest.fixture
def worker(tmp_path: Path) -> Iterator[Worker]:
    started = Worker(partial(CountingLooker, str(tmp_path / "once")), 30)
    yield started
    started.close()


def test_a_grammar_that_comes_again_is_not_made_again(worker: Worker) -> None:
    grammars, asked = KeptGrammars(worker), list[str]()
    begin = worker.begin
    worker.begin = lambda method, *arguments: (asked.append(method), begin(method, *arguments))[1]  # type: ignore[method-assign,func-returns-value]
    for speakable in (GAME, OTHER, GAME, OTHER, grammar("help")):
        grammars.use(speakable)
    assert asked.count("keep") == 2
    grammars.ahead(grammar("later"))
    assert grammars.use(grammar("later")) == {"strange"}
    assert asked.count("keep") == 3
    assert worker.call("words_in_use") == {"later"}


def test_only_so_many_grammars_are_kept_and_each_is_the_right_one(worker: Worker) -> None:
    grammars = KeptGrammars(worker)
    named = [grammar(f"word{number}") for number in range(MOST_KEPT + 5)]
    for speakable in (*named, *named[:3], named[-1], named[0]):
        grammars.ahead(speakable)
        grammars.use(speakable)
        assert worker.call("words_in_use") == speakable.words()
    for speakable in named:
        grammars.ahead(speakable)
    assert worker.call("words_in_use") == named[0].words()


def test_asides_are_marked_for_the_engine(worker: Worker) -> None:
    prefixed = grammar("<prefix-correction> help", **{"prefix-correction": ["help that"]})
    KeptGrammars(worker).use(prefixed)
    assert worker.call("words_in_use") == {"help*", "that", "help"}


def test_a_fresh_child_is_given_its_grammar_again(worker: Worker) -> None:
    grammars = KeptGrammars(worker)
    grammars.use(OTHER)
    grammars.ahead(GAME)
    worker.kill()
    assert grammars.use(GAME) == {"strange"}
    assert worker.call("words_in_use") == {"help"}


def test_a_refused_grammar_is_refused_each_time(worker: Worker) -> None:
    grammars = KeptGrammars(worker)
    for _ in range(2):
        with pytest.raises(ModelError):
            grammars.use(SpeakableGrammar(()))
    assert grammars.use(GAME) == {"strange"}


def test_answers_that_nobody_waited_for_do_not_get_mixed_up(worker: Worker) -> None:
    asked = [worker.begin("look", b"\0" * 1024 * number) for number in range(4)]
    assert worker.call("words_in_use") == frozenset()
    assert [worker.result(one).text.split()[0] for one in reversed(asked)] == ["3", "2", "1", "0"]
    open_ = worker.begin("words_in_use")
    worker.kill()
    with pytest.raises(WorkerLost):
        worker.result(open_)
    assert worker.call("words_in_use") == frozenset()


def test_a_ratio_is_the_mean_of_the_voiced_frames_and_short_words_are_held_back() -> None:
    found = Recognition("help", score=-5000.0)
    assert compared(found, AnySpeech(-4000.0, None, 60)).ratio == pytest.approx(-10)
    assert compared(found, AnySpeech(-4000.0, -5000.0, 60)).ratio == pytest.approx(-5)
    assert compared(found, AnySpeech(-4000.0, None, 0)).ratio == pytest.approx(-20)


def test_what_is_no_speech_at_all_is_surely_no_sentence() -> None:
    found = compared(Recognition("help", score=-5000.0), AnySpeech(None, None, 0))
    assert found.ratio == -inf
    assert all(rejected(found, strictness) for strictness in Strictness)


def test_what_cannot_be_told_is_not_rejected() -> None:
    for found in (Recognition("help"), Recognition("", score=-10.0)):
        assert compared(found, AnySpeech(-4000.0, None, 60)) == found
        assert not any(rejected(found, strictness) for strictness in Strictness)


def test_what_cannot_be_taken_back_needs_most() -> None:
    assert LEAST_RATIO[Strictness.PUSHED] <= LEAST_RATIO[Strictness.OPEN] <= LEAST_RATIO[Strictness.IRREVERSIBLE]
