from __future__ import annotations

import os
import signal
import traceback
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from fakes_speech import frame, grammar
from workers import Calculator, CountingEngine, HopelessEngine

from gm_assistant.errors import AudioError, ModelError
from gm_assistant.speakable import SpeakableGrammar
from gm_assistant.speech.recognizer_process import LONGEST_UTTERANCE, RecognizerProcess
from gm_assistant.speech.worker import Worker, WorkerLost

GAME = grammar("help", "go on")
SECRET = "Dora is the dictator"


@pytest.fixture
def worker() -> Iterator[Worker]:
    started = Worker(partial(Calculator, 3), deadline=30)
    yield started
    started.close()


def killed(process_id: int | None) -> None:
    assert process_id is not None
    os.kill(process_id, signal.SIGKILL if hasattr(signal, "SIGKILL") else signal.SIGTERM)


def test_a_worker_keeps_its_object_between_calls(worker: Worker) -> None:
    assert [worker.call("add", 4), worker.call("add", 4)] == [7, 11]


def test_no_child_is_started_before_the_first_call(worker: Worker) -> None:
    assert worker.process_id is None


def test_a_refusal_comes_through_whole_and_the_child_lives(worker: Worker) -> None:
    worker.call("add", 4)
    with pytest.raises(AudioError) as refused:
        worker.call("refuse")
    assert (refused.value.key, refused.value.facts) == ("voice-failed", {"language": "en"})
    assert worker.call("add", 1) == 8


@pytest.mark.parametrize("way", ["die", "fail"])
def test_a_lost_child_is_reported_and_the_next_call_starts_a_fresh_one(worker: Worker, way: str) -> None:
    worker.call("add", 4)
    before = worker.process_id
    with pytest.raises(WorkerLost):
        worker.call(way)
    assert worker.process_id is None
    assert worker.call("add", 4) == 7
    assert worker.process_id != before


def test_a_failure_is_told_with_its_place_and_never_with_what_was_to_be_spoken(
    worker: Worker, capfd: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(WorkerLost) as lost:
        worker.call("quote", SECRET)
    report = "".join(traceback.format_exception(lost.value))
    assert "in quote" in report
    assert "ValueError" in report
    assert SECRET not in report
    assert capfd.readouterr() == ("", "")


def test_what_is_asked_of_a_child_that_is_gone_is_not_told_either(worker: Worker) -> None:
    worker.call("add", 4)
    killed(worker.process_id)
    with pytest.raises(WorkerLost) as lost:
        worker.call("quote", SECRET)
    assert SECRET not in "".join(traceback.format_exception(lost.value))


def test_a_silent_child_is_given_up(worker: Worker) -> None:
    worker.call("add", 4)
    with pytest.raises(WorkerLost):
        worker.call("hang", deadline=0.2)
    assert worker.call("add", 4) == 7


def test_a_killed_child_is_noticed(worker: Worker) -> None:
    worker.call("add", 4)
    killed(worker.process_id)
    with pytest.raises(WorkerLost):
        worker.call("add", 4)
    assert worker.call("add", 4) == 7


def test_what_an_engine_prints_reaches_nobody(worker: Worker, capfd: pytest.CaptureFixture[str]) -> None:
    worker.call("shout")
    assert capfd.readouterr() == ("", "")


def test_a_closed_worker_has_no_child(worker: Worker) -> None:
    worker.call("add", 4)
    worker.close()
    assert worker.process_id is None


@pytest.fixture
def once(tmp_path: Path) -> str:
    return str(tmp_path / "once")


@pytest.fixture
def recognizer(once: str) -> Iterator[RecognizerProcess]:
    started = RecognizerProcess(partial(CountingEngine, once, 3), deadline=30)
    yield started
    started.close()


def test_an_engine_that_aborts_in_mid_utterance_hears_it_again(recognizer: RecognizerProcess, once: str) -> None:
    recognizer.prepare(GAME)
    assert [recognizer.accept(frame(number)) for number in range(5)] == ["1", "2", "3", "4", "5"]
    assert Path(once).exists()
    assert recognizer.finish().text == "5 frames"
    assert recognizer.accept(frame(1)) == "1"


def test_a_killed_engine_is_restarted_and_the_sentence_still_comes_out(
    recognizer: RecognizerProcess, once: str
) -> None:
    Path(once).touch()
    recognizer.prepare(GAME)
    for number in range(4):
        recognizer.accept(frame(number))
    killed(recognizer.process_id)
    assert recognizer.finish().text == "4 frames"


def test_a_dropped_utterance_leaves_nothing_even_if_the_engine_is_gone(
    recognizer: RecognizerProcess, once: str
) -> None:
    Path(once).touch()
    recognizer.prepare(GAME)
    recognizer.accept(frame(1))
    recognizer.drop()
    assert recognizer.finish().text == ""
    recognizer.accept(frame(1))
    killed(recognizer.process_id)
    recognizer.drop()
    assert recognizer.accept(frame(1)) == "1"


def test_an_engine_killed_between_utterances_is_not_missed(recognizer: RecognizerProcess, once: str) -> None:
    Path(once).touch()
    recognizer.prepare(GAME)
    killed(recognizer.process_id)
    assert recognizer.accept(frame(1)) == "1"


def test_a_grammar_can_be_changed_after_the_engine_was_killed(recognizer: RecognizerProcess) -> None:
    recognizer.prepare(GAME)
    killed(recognizer.process_id)
    assert recognizer.prepare(grammar("other")) == {"strange"}


def test_the_same_grammar_is_prepared_only_once(recognizer: RecognizerProcess) -> None:
    assert recognizer.prepare(GAME) == {"strange"}
    recognizer.accept(frame(1))
    assert recognizer.prepare(grammar("help", "go on")) == {"strange"}
    assert recognizer.accept(frame(2)) == "2"


def test_another_grammar_drops_the_utterance_in_work(recognizer: RecognizerProcess) -> None:
    recognizer.prepare(GAME)
    recognizer.accept(frame(1))
    recognizer.prepare(grammar("other"))
    assert recognizer.finish().text == ""


def test_an_utterance_is_bounded(recognizer: RecognizerProcess, once: str) -> None:
    Path(once).touch()
    recognizer.prepare(GAME)
    for number in range(400):
        recognizer.accept(frame(number))
    heard = int(recognizer.finish().text.split()[0])
    assert heard * 0.032 == pytest.approx(LONGEST_UTTERANCE, abs=0.032)


def test_a_frame_of_a_wrong_length_is_an_error_and_kills_nothing(recognizer: RecognizerProcess) -> None:
    recognizer.prepare(GAME)
    before = recognizer.process_id
    for wrong in (b"", b"\0" * 1022, b"\0" * 1025):
        with pytest.raises(ValueError, match=str(len(wrong))):
            recognizer.accept(wrong)
    assert recognizer.process_id == before


def test_a_refused_grammar_leaves_the_engine_alive(recognizer: RecognizerProcess) -> None:
    recognizer.prepare(GAME)
    before = recognizer.process_id
    with pytest.raises(ModelError, match="model-knows-no-sentence"):
        recognizer.prepare(SpeakableGrammar(()))
    recognizer.prepare(GAME)
    assert (recognizer.accept(frame(1)), recognizer.process_id) == ("1", before)


def test_an_engine_that_dies_twice_is_an_error(once: str) -> None:
    recognizer = RecognizerProcess(partial(HopelessEngine, once), deadline=30)
    recognizer.prepare(GAME)
    with pytest.raises(ModelError, match="recognizer-failed"):
        recognizer.accept(frame(1))
    assert recognizer.finish().text == ""
    assert recognizer.prepare(GAME) == {"strange"}
    recognizer.close()
