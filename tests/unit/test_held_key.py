"""Listening while the key to talk is held down."""

from __future__ import annotations

import pytest
from fakes_speech import ScriptedMicrophone, ScriptedRecognizer, ScriptedVoiceActivity, grammar

from gm_assistant.speech.listener import FRAME_SECONDS, EndOfSpeech, Listener
from gm_assistant.speech.ports import Attention, HeardReason, never

GAME = grammar("help", "undo")


class Key:
    """A key that is held until the listening has asked so many times, once a frame."""

    def __init__(self, frames: int) -> None:
        self.left = frames

    def held(self) -> bool:
        return self.left > 0

    def released(self) -> bool:
        self.left -= 1
        return self.left == 0


def listener(*spoken: range, guess: str = "undo") -> Listener:
    recognizer = ScriptedRecognizer(dict.fromkeys(range(600), guess), guess)
    return Listener(ScriptedMicrophone(600), recognizer, ScriptedVoiceActivity(*spoken), EndOfSpeech())


def test_no_quiet_ends_a_sentence_while_the_key_is_held_and_letting_it_go_does() -> None:
    key = Key(100)
    heard = listener(range(21, 41)).listen(GAME, never, Attention(released=key.released, held=key.held))
    assert (heard.reason, heard.text) == (HeardReason.RELEASED, "undo")
    assert heard.decided == pytest.approx(99 * FRAME_SECONDS)


def test_a_key_that_is_never_let_go_hears_no_longer_than_anybody_speaks() -> None:
    key = Key(10_000)
    heard = listener(range(21, 600)).listen(GAME, never, Attention(released=key.released, held=key.held))
    assert heard.reason is HeardReason.TOO_LONG


def test_a_key_that_is_held_in_silence_hears_nothing() -> None:
    key = Key(10_000)
    heard = listener().listen(GAME, never, Attention(released=key.released, held=key.held, patience=2.0))
    assert (heard.reason, heard.text) == (HeardReason.NOTHING, "")


def test_a_key_that_is_let_go_before_anybody_spoke_says_nothing() -> None:
    key = Key(15)
    heard = listener(range(21, 41)).listen(GAME, never, Attention(released=key.released, held=key.held))
    assert (heard.reason, heard.text) == (HeardReason.RELEASED, "")
