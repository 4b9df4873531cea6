"""Whole turns of talk with the real program: real devices, real recogniser, real voice."""

from __future__ import annotations

import os
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pocketsphinx
import pytest
from program_at_table import (
    DEVICES,
    END_OF_INPUT,
    SPACE,
    THE_SAME,
    LiveEar,
    Program,
    at_rate,
    likeness,
    place_of,
    place_of_words,
    spoken,
    words_of_the_program,
)
from virtual_table import RATE, Samples, VirtualTable

from gm_assistant.channels import Channel
from gm_assistant.dialogue.messages import Message
from gm_assistant.library import load_library
from gm_assistant.speakable import Sequence, SpeakableGrammar
from gm_assistant.speech import earcons
from gm_assistant.speech.pocketsphinx_recognizer import DECODER_SETTINGS, add_grammar
from gm_assistant.speech.ports import RECOGNIZER_RATE
from gm_assistant.speech.resampling import resampled

pytestmark = pytest.mark.rig

SET_UP = "The game begins with Anna, Ben, Clara, Dora, and Emil. Every player can also be called by seat:"
LEARNING = 2.0
"""s that the recogniser takes to learn all sentences of play, after which an open microphone listens."""
MAY_BE = "Chancellor can be Ben, Clara, Dora, or Emil."


def test_a_spoken_question_is_answered_at_the_table_and_the_headset_stays_digitally_silent(
    virtual_table: VirtualTable, tmp_path: Path
) -> None:
    with (
        virtual_table.recording() as heard,
        Program(virtual_table, tmp_path, *DEVICES, terminal=False) as program,
    ):
        assert program.set_up().startswith(f"table: {SET_UP}")
        program.press("who is president\n")  # while the first question is read out
        assert program.line() == "table: Anna is president."
        program.wait_until_it_is_silent()
        program.open_microphone("\n")
        program.speak("who may be chancellor")
        assert program.line() == f"table: {MAY_BE}"
        program.press("q\n")
        assert program.line() == f"table: {phrase('bye')}"
        assert program.ended() == 0
    assert program.complaints == ""
    for line in (SET_UP, "Anna is president.", MAY_BE, phrase("bye")):
        assert likeness(words_of_the_program(line, Channel.TABLE), heard.table) > THE_SAME
    answer = words_of_the_program(MAY_BE, Channel.TABLE)
    _, start = place_of_words(answer, heard.table)
    recorded = heard.table[start : start + len(answer)]
    assert understood(recorded, sentences_about_chancellors()) == SPOKEN_MAY_BE
    assert len(heard.headset) > 20 * RATE
    assert not heard.headset.any()


def test_a_whispered_answer_is_heard_in_the_headset_and_the_table_is_digitally_silent(
    virtual_table: VirtualTable, tmp_path: Path
) -> None:
    with virtual_table.recording() as heard, Program(virtual_table, tmp_path, *DEVICES) as program:
        program.set_up()
        program.say("whisper who is next")
        assert program.line() == f"headset: {phrase('headset-hidden')}"
        program.press(END_OF_INPUT)
        assert program.ended() == 0
    tone = at_rate(earcons.listening())
    alike, start = place_of(tone, heard.table)
    assert alike > THE_SAME
    assert not heard.table[start + len(tone) + RATE // 50 :].any()
    assert likeness(words_of_the_program("Ben is next.", Channel.HEADSET), heard.headset) > THE_SAME


def test_somebody_who_begins_before_the_key_and_holds_it_is_heard_to_the_end_with_a_pause(
    virtual_table: VirtualTable, tmp_path: Path
) -> None:
    with (
        loudspeaker_heard_by_microphone(virtual_table),
        Program(virtual_table, tmp_path, *DEVICES) as program,
    ):
        program.set_up()
        program.stop_speech()
        first, second = spoken(tmp_path, "who is"), spoken(tmp_path, "president")
        speaking = threading.Thread(target=virtual_table.speak_into_room, args=(first,))
        speaking.start()
        time.sleep(0.4)  # the sound file begins with 0.2 s of silence
        pressed = time.monotonic()
        while time.monotonic() < pressed + 6:  # the key repeats until it is let go
            program.press(SPACE)
            time.sleep(0.03)
            if not speaking.is_alive() and speaking.name != "second":
                time.sleep(0.1)
                speaking = threading.Thread(target=virtual_table.speak_into_room, args=(second,), name="second")
                speaking.start()
        assert program.line() == "table: Anna is president."
        assert program.lines_left() == []
        program.press(END_OF_INPUT)
        assert program.ended() == 0


def test_the_assistant_does_not_hear_itself(virtual_table: VirtualTable, tmp_path: Path) -> None:
    with (
        loudspeaker_heard_by_microphone(virtual_table),
        LiveEar(virtual_table, "microphone") as microphone,
        Program(virtual_table, tmp_path, *DEVICES, "--open-microphone") as program,
    ):
        program.set_up()
        program.stop_speech()
        time.sleep(LEARNING)
        program.speak("hey game master nominate ben")
        assert program.line() == "table: Nominated: Ben. Vote now."
        program.wait_until_it_is_silent()
        steps = program.saved_steps()
        program.speak("hey game master help")
        hint = program.line().removeprefix("table: ")
        assert "undo" in hint
        program.wait_until_it_is_silent()
        time.sleep(2)
        assert program.lines_left() == []
        assert program.saved_steps() == steps
        program.speak("four yes one no")  # soon after an answer no wake phrase is needed
        elected = "Elected, 4 to 1. Give Ben the chancellor's sign. Anna, draw 3 laws from the rough tray."
        assert program.line() == f"table: {elected}"
        assert program.saved_steps() == steps + 1
        program.interrupt()
        assert program.ended() == 130
    assert likeness(words_of_the_program(hint, Channel.TABLE), microphone.heard) > 0.8


def test_when_its_microphone_hangs_the_game_goes_on_by_keyboard(virtual_table: VirtualTable, tmp_path: Path) -> None:
    with Program(virtual_table, tmp_path, *DEVICES) as program:
        program.set_up()
        program.open_microphone()
        virtual_table.freeze(3)
        assert program.line() == f"table: {phrase('microphone-lost')}"
        goes_on_by_keyboard(program)


def test_when_its_microphone_is_unplugged_the_game_goes_on_by_keyboard(tmp_path: Path) -> None:
    with VirtualTable() as table, Program(table, tmp_path, *DEVICES) as program:
        program.set_up()
        program.say("who is next")
        assert program.line() == "table: Ben is next."
        table.unplug_microphone()
        program.press(SPACE)
        assert program.line() == f"table: {phrase('microphone-lost')}"
        goes_on_by_keyboard(program)


def test_a_sentence_is_understood_although_the_recogniser_dies_in_its_middle(
    virtual_table: VirtualTable, tmp_path: Path
) -> None:
    with Program(virtual_table, tmp_path, *DEVICES) as program:
        program.set_up()
        program.say("who is next")
        assert program.line() == "table: Ben is next."
        program.open_microphone()
        speaking = threading.Thread(target=program.speak, args=("the president nominates dora as chancellor",))
        speaking.start()
        time.sleep(1.2)
        program.kill_children("pocketsphinx")
        speaking.join()
        assert program.line() == "table: Nominated: Dora. Vote now."
        program.press(END_OF_INPUT)
        assert program.ended() == 0
    assert program.complaints == ""


def test_the_next_line_is_spoken_although_the_voice_has_died(virtual_table: VirtualTable, tmp_path: Path) -> None:
    with virtual_table.recording() as heard, Program(virtual_table, tmp_path, *DEVICES) as program:
        program.set_up()
        program.open_microphone()
        program.kill_children("espeak")
        program.speak("who may be chancellor")
        assert program.line() == f"table: {MAY_BE}"
        program.wait_until_it_is_silent()
        program.press(END_OF_INPUT)
        assert program.ended() == 0
    assert program.complaints == ""
    assert likeness(words_of_the_program(MAY_BE, Channel.TABLE), heard.table) > THE_SAME


def test_without_its_headset_a_whisper_is_said_nowhere(virtual_table: VirtualTable, tmp_path: Path) -> None:
    missing = ("--headset-device", "no such headset")
    with virtual_table.recording() as heard, Program(virtual_table, tmp_path, *DEVICES, *missing) as program:
        program.set_up()
        program.say("whisper who is next")
        excuse = phrase("headset-not-ready")
        assert program.line() == f"table: {excuse}"
        program.wait_until_it_is_silent()
        program.press(END_OF_INPUT)
        assert program.ended() == 0
        assert program.lines_left() == []
    assert program.complaints == ""
    assert likeness(words_of_the_program(excuse, Channel.TABLE), heard.table) > THE_SAME
    for channel in Channel:
        assert likeness(words_of_the_program("Ben is next.", channel), heard.table) < 0.8
    assert not heard.headset.any()


@pytest.mark.parametrize("listening", [False, True], ids=["while it speaks", "while it listens"])
def test_ctrl_c_ends_the_program_quietly(virtual_table: VirtualTable, tmp_path: Path, listening: bool) -> None:
    with virtual_table.recording() as heard, Program(virtual_table, tmp_path, *DEVICES) as program:
        program.set_up()
        if listening:
            program.open_microphone()
        else:
            time.sleep(2)
        program.interrupt()
        assert program.ended() == 130
        time.sleep(0.5)
    assert program.complaints == ""
    assert program.lines_left() == []
    assert heard.table.any()
    assert not heard.table[-RATE // 3 :].any()


def goes_on_by_keyboard(program: Program) -> None:
    program.press("c\n")
    assert program.line() == f"table: {MAY_BE}"
    program.press("q\n")
    assert program.line() == f"table: {phrase('bye')}"
    assert program.ended() == 0
    assert program.lines_left() == []


def phrase(key: str) -> str:
    """Return what the assistant says for a key without facts."""
    return load_library().phrasebook("en", None).phrase(Message(key))


SPOKEN_MAY_BE = "chancellor can be ben clara dora or emil"


def sentences_about_chancellors() -> list[str]:
    names = ["anna", "ben", "clara", "dora", "emil"]
    without_one = [[name for name in names if name != left_out] for left_out in names]
    return [f"chancellor can be {' '.join(four[:-1])} or {four[-1]}" for four in without_one] + [
        "anna was president in the round before",
        "the peg stands in the start hole",
        "all five players are alive",
    ]


def understood(sound: Samples, sentences: list[str]) -> str:
    """Return which of `sentences` a recogniser hears, whole."""
    decoder: Any = pocketsphinx.Decoder(**DECODER_SETTINGS)
    grammar = SpeakableGrammar(tuple(Sequence(tuple(sentence.split())) for sentence in sentences))
    add_grammar(decoder, "answers", grammar.machine)
    decoder.activate_search("answers")
    decoder.start_utt()
    decoder.process_raw(resampled(sound, RATE, RECOGNIZER_RATE).astype("<i2").tobytes(), False, True)
    decoder.end_utt()
    return str(decoder.hyp().hypstr)


@contextmanager
def loudspeaker_heard_by_microphone(table: VirtualTable) -> Iterator[None]:
    """Let the room carry what the loudspeaker plays to the microphone, as every room does."""
    options = ("source=table_speaker.monitor", "sink=room", "latency_msec=20")
    pactl(table, "load-module", "module-loopback", *options)
    try:
        yield
    finally:
        unload(table, "module-loopback")


def unload(table: VirtualTable, mark: str) -> None:
    """Take away the sound server's module with `mark` in its name or options."""
    for line in pactl(table, "list", "short", "modules").splitlines():
        if mark in line:
            pactl(table, "unload-module", line.split()[0])


def pactl(table: VirtualTable, *command: str) -> str:
    environment = os.environ | table.environment
    return subprocess.run(["pactl", *command], env=environment, capture_output=True, text=True, check=True).stdout
