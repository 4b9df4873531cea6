"""An open microphone at a table where most talk is not meant for the assistant."""

from __future__ import annotations

from pathlib import Path

import pytest
from fakes import PLAN, PRESS, FakeKeyboard
from room import LISTENING, Room

from gm_assistant.dialogue.set_up import Plan
from gm_assistant.ears import Instead, Words
from gm_assistant.errors import ModelError
from gm_assistant.speech.ports import Heard, HeardReason, Strictness
from gm_assistant.utterances import TableUtterance

PHRASES = ("hey game master", "hello game master")
NOBODY = HeardReason.END_OF_INPUT

# --- without a wake phrase


def test_an_open_microphone_takes_no_notice_of_what_is_no_sentence(tmp_path: Path) -> None:
    room = Room(tmp_path, "pass me the crisps", "", HeardReason.NOTHING, "nominate ben")
    assert room.open_microphone().next() == Words("nominate ben", typed=False)
    assert room.tones == []


def test_an_open_microphone_takes_what_can_be_asked_back(tmp_path: Path) -> None:
    names = ("Anna", "Ben as", "Ben", "Dora", "Emil")
    room = Room(tmp_path, "nominate ben as chancellor", plan=Plan("en", "secret_dictator", 5, names, 1))
    assert room.open_microphone().next() == Words("nominate ben as chancellor", typed=False)


def test_keys_work_beside_an_open_microphone(tmp_path: Path) -> None:
    room = Room(tmp_path, HeardReason.INTERRUPTED, "pass", HeardReason.INTERRUPTED)
    ears = room.open_microphone(FakeKeyboard(PRESS, "undo"))
    assert ears.next() == Words("undo", typed=True)


@pytest.mark.parametrize("end", [HeardReason.INTERRUPTED, HeardReason.END_OF_INPUT])
def test_an_open_microphone_ends_with_the_keyboard_or_the_sound(tmp_path: Path, end: HeardReason) -> None:
    assert Room(tmp_path, end).open_microphone().next() is None


def test_an_open_microphone_tells_when_its_recogniser_fails(tmp_path: Path) -> None:
    with pytest.raises(ModelError):
        Room(tmp_path, HeardReason.ENGINE_FAILED).open_microphone().next()


# --- with a wake phrase


def said(text: str, *, at: float = 0.5) -> Heard:
    return Heard(text, HeardReason.COMPLETE, at, at + 0.8, at + 1.0)


def test_without_the_wake_phrase_nothing_counts(tmp_path: Path) -> None:
    room = Room(tmp_path, "nominate ben", "undo", "hey game master nominate clara")
    assert room.open_microphone(phrases=PHRASES).next() == Words("nominate clara", typed=False)
    assert room.tones == []


def test_the_recogniser_listens_for_sentences_behind_the_phrase_only(tmp_path: Path) -> None:
    room = Room(tmp_path, NOBODY)
    room.open_microphone(phrases=PHRASES).next()
    (grammar,) = room.listener.grammars
    assert {"hey", "hello"} == set(grammar.machine.steps)
    assert room.listener.attention is not None
    assert room.listener.attention.strictness is Strictness.OPEN


def test_the_phrase_alone_is_answered_by_a_tone_and_the_next_sentence_needs_none(tmp_path: Path) -> None:
    room = Room(tmp_path, "hello game master", "nominate clara")
    assert room.open_microphone(phrases=PHRASES).next() == Words("nominate clara", typed=False)
    assert room.tones == [LISTENING]


def test_whoever_is_not_understood_behind_the_phrase_need_not_say_it_again(tmp_path: Path) -> None:
    room = Room(tmp_path, "hello game master are quiet", "nominate clara")
    assert room.open_microphone(phrases=PHRASES).next() == Words("nominate clara", typed=False)
    assert room.tones == [LISTENING]


def test_the_phrase_may_be_said_although_it_is_not_needed(tmp_path: Path) -> None:
    room = Room(tmp_path, "hello game master", "hey game master nominate clara")
    assert room.open_microphone(phrases=PHRASES).next() == Words("nominate clara", typed=False)


def test_after_an_answer_a_question_more_needs_no_phrase_for_a_while(tmp_path: Path) -> None:
    room = Room(tmp_path, "hey game master who is president", said("who is next"))
    ears = room.open_microphone(phrases=PHRASES, follow_up=6.0)
    assert [ears.next(), ears.next()] == [Words("who is president", False), Words("who is next", False)]
    assert room.listener.attention is not None
    assert room.listener.attention.patience == pytest.approx(6.0, abs=0.5)


def test_when_the_while_is_over_the_phrase_is_needed_again(tmp_path: Path) -> None:
    room = Room(tmp_path, "hey game master who is president", HeardReason.NOTHING, "who is next")
    ears = room.open_microphone(phrases=PHRASES, follow_up=1e-6)
    assert ears.next() == Words("who is president", False)
    assert ears.next() is None


def test_without_a_follow_up_every_sentence_needs_the_phrase(tmp_path: Path) -> None:
    room = Room(tmp_path, "hey game master who is president", "who is next")
    ears = room.open_microphone(phrases=PHRASES)
    assert [ears.next(), ears.next()] == [Words("who is president", False), None]


def test_typing_opens_no_time_without_the_phrase(tmp_path: Path) -> None:
    room = Room(tmp_path, HeardReason.INTERRUPTED, "who is next")
    ears = room.open_microphone(FakeKeyboard("undo"), phrases=PHRASES, follow_up=6.0)
    assert [ears.next(), ears.next()] == [Words("undo", typed=True), None]


def test_the_key_to_talk_stands_for_the_phrase(tmp_path: Path) -> None:
    room = Room(tmp_path, HeardReason.INTERRUPTED, "who is next")
    keyboard = FakeKeyboard(PRESS)
    ears = room.open_microphone(keyboard, phrases=PHRASES)
    keyboard.talk_pressed = 7.0
    assert ears.next() == Words("who is next", typed=False)
    assert room.tones == [LISTENING]


def test_another_key_without_a_meaning_stands_for_nothing(tmp_path: Path) -> None:
    room = Room(tmp_path, HeardReason.INTERRUPTED, "who is next")
    assert room.open_microphone(FakeKeyboard(PRESS), phrases=PHRASES).next() is None


def test_answers_in_the_set_up_need_no_phrase(tmp_path: Path) -> None:
    room = Room(tmp_path, "five", plan=Plan("en", "secret_dictator"))
    assert room.open_microphone(phrases=PHRASES).next() == Words("five", typed=False)


@pytest.mark.parametrize(("question", "answer"), [("nominate", "ben"), ("roll call", "yes")])
def test_an_answer_to_a_question_of_the_assistant_needs_no_phrase(tmp_path: Path, question: str, answer: str) -> None:
    room = Room(tmp_path, said(answer))
    if question == "roll call":
        room.evening.say("nominate ben")
    room.mouth.say(room.session.hear(question, typed=True))
    assert room.session.awaits_answer
    assert room.open_microphone(phrases=PHRASES).next() == Words(answer, typed=False)


def test_asleep_only_the_phrase_and_the_words_to_wake_up_count(tmp_path: Path) -> None:
    room = Room(tmp_path, "wake up", "hey game master", "hey game master wake up")
    room.evening.say("go to sleep")
    assert room.session.asleep
    ears = room.open_microphone(phrases=PHRASES, follow_up=6.0)
    assert ears.next() == Words("wake up", typed=False)
    assert room.tones == []


def test_our_own_words_are_not_taken_for_a_question_more(tmp_path: Path) -> None:
    room = Room(tmp_path, "hey game master who is president", said("who is president", at=0.3))
    ears = room.open_microphone(phrases=PHRASES, follow_up=6.0)
    ears.next()
    room.mouth.say((TableUtterance("Who is president? Anna."),))
    assert ears.next() is None


def test_whoever_must_answer_in_time_and_does_not_is_late(tmp_path: Path) -> None:
    room = Room(tmp_path, HeardReason.NOTHING, NOBODY)
    assert room.open_microphone(phrases=PHRASES).next(0.0) is Instead.TIME_IS_UP


def test_rejected_speech_is_nothing(tmp_path: Path) -> None:
    room = Room(tmp_path, HeardReason.REJECTED, "hey game master undo")
    assert room.open_microphone(phrases=PHRASES).next() == Words("undo", typed=False)
    assert room.printed == []


def test_a_phrase_that_the_recogniser_does_not_know_is_told(tmp_path: Path) -> None:
    room = Room(tmp_path, plan=PLAN, unknown=("game",))
    with pytest.raises(ModelError, match="wake-phrase-unknown"):
        room.open_microphone(phrases=PHRASES).next()
