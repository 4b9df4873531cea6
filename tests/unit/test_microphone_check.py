"""`gm-assistant microphone`: it hears a quiet and a person, and says in plain sentences what is wrong."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import numpy as np
import pytest
from fakes import Evening, FakeKeyboard, library, phrase, program
from test_levels import noise, words

from gm_assistant.assembly import _Hearing
from gm_assistant.dialogue.grammar import Grammar
from gm_assistant.dialogue.intents import IN_PLAY
from gm_assistant.dialogue.messages import Message
from gm_assistant.dialogue.samples import plain_sentence
from gm_assistant.microphone_check import SAID, MicrophoneCheck
from gm_assistant.mouth import Mouth
from gm_assistant.settings import Settings
from gm_assistant.speakable import SpeakableGrammar
from gm_assistant.speech.deaf_recognizer import DeafRecognizer
from gm_assistant.speech.folder_speaker import FOLDER_RATE, FolderSpeaker
from gm_assistant.speech.levels import DITHER
from gm_assistant.speech.microphones import DeviceMicrophone
from gm_assistant.speech.ports import FRAME_SAMPLES, RECOGNIZER_RATE, Audio, Recognition, Strictness, Voice
from gm_assistant.speech.pyttsx3_synthesizer import SynthesizerProcess
from gm_assistant.speech.recording import ZEROS, AlarmedMicrophone, RecordingMicrophone
from gm_assistant.speech.resampling import Samples, resampled, samples_of

BOOK = library().phrasebook("en", None)
GRAMMAR = Grammar(library().pack("en", None), (), IN_PLAY)
SILENCE = np.zeros(3 * RECOGNIZER_RATE, np.int16)


class Room:
    """A microphone that hears one stretch of sound each time it is opened, then nothing more."""

    def __init__(self, *stretches: Samples) -> None:
        self.stretches = list(stretches)
        self.frames: Iterator[bytes] = iter(())

    def open(self, since: float | None = None) -> None:
        sound = self.stretches.pop(0) if self.stretches else SILENCE[:0]
        whole = sound[: len(sound) // FRAME_SAMPLES * FRAME_SAMPLES].astype("<i2").tobytes()
        self.frames = iter([whole[at : at + 2 * FRAME_SAMPLES] for at in range(0, len(whole), 2 * FRAME_SAMPLES)])

    def read(self) -> bytes | None:
        return next(self.frames, None)

    def shut(self) -> None:
        self.frames = iter(())

    def close(self) -> None:
        self.stretches.clear()


class Understanding(DeafRecognizer):
    """Understands one sentence whatever is said."""

    def __init__(self, text: str) -> None:
        self.text = text

    def accept(self, frame: bytes) -> str:
        return self.text

    def finish(self, strictness: Strictness = Strictness.PUSHED) -> Recognition:
        return Recognition(self.text)


SENTENCE = plain_sentence(library().pack("en", None), (), SAID)


@pytest.fixture(scope="module")
def voice() -> Samples:
    """A sentence that the voice activity detector takes for speech, with quiet around it; full scale is not reached."""
    process = SynthesizerProcess()
    try:
        sound = process.synthesize(SENTENCE, Voice("en"))
    finally:
        process.close()
    return np.concatenate(
        (SILENCE[:8_000], resampled(samples_of(sound), sound.rate, RECOGNIZER_RATE), SILENCE[:24_000])
    )


class Checked:
    """A check of a room, and everything that was told."""

    def __init__(self, *stretches: Samples, recognizer: DeafRecognizer | None, monitor: bool = False) -> None:
        self.told: list[str] = []
        microphone = RecordingMicrophone(Room(*stretches))
        check = MicrophoneCheck(BOOK, GRAMMAR, SENTENCE, microphone, recognizer, self.told.append, lambda: False)
        self.fit = check.run("Table Mic", lambda: monitor, alone=False)

    def has(self, *keys: str) -> bool:
        facts = {"sentence": SENTENCE}
        return [BOOK.phrase(Message(f"microphone-{key}", facts)) for key in keys] == self.told[2 : 2 + len(keys)]


def with_noise(sound: Samples, level: float) -> Samples:
    return (sound + noise(level, len(sound) / RECOGNIZER_RATE)[: len(sound)]).astype(np.int16)


UNDERSTOOD = f"I understood: {SENTENCE}."


def test_a_good_microphone_is_told_first_then_what_was_understood_then_the_figures(voice: Samples) -> None:
    checked = Checked(voice // 2, noise(-70), voice, recognizer=Understanding(SENTENCE))
    assert checked.fit
    assert checked.told[0] == phrase("microphone-intro", device="Table Mic")
    assert checked.told[1] == phrase("microphone-say", sentence=SENTENCE)
    assert checked.has("well")
    assert checked.told[3] == UNDERSTOOD
    assert len(checked.told) == 7


def test_the_sentence_means_the_same_in_every_language() -> None:
    for language in library().packs:
        pack = library().pack(language, None)
        assert Grammar(pack, (), IN_PLAY).parse(plain_sentence(pack, (), SAID)) == SAID


def test_a_muted_microphone_is_told_and_nothing_else(voice: Samples) -> None:
    checked = Checked(SILENCE, SILENCE, SILENCE, recognizer=Understanding(""))
    assert not checked.fit
    assert checked.has("zeros")
    assert len(checked.told) == 3


def test_noise_is_told_with_the_advice_to_come_closer(voice: Samples) -> None:
    checked = Checked(voice, noise(-30), with_noise(voice, -30), recognizer=Understanding(""))
    assert not checked.fit
    assert checked.has("noise", "not-understood")


def test_other_words_than_those_that_were_asked_for_are_repeated(voice: Samples) -> None:
    checked = Checked(voice, noise(-70), voice, recognizer=Understanding("undo"))
    assert not checked.fit
    assert checked.has("misunderstood")
    assert SENTENCE in checked.told[2]
    assert checked.told[3] == phrase("microphone-understood", text="undo")


def test_what_hears_us_but_nobody_else_is_no_microphone(voice: Samples) -> None:
    checked = Checked(voice, SILENCE, SILENCE, recognizer=Understanding(""))
    assert not checked.fit
    assert checked.has("monitor")


def test_a_monitor_is_told_by_what_the_system_calls_it(voice: Samples) -> None:
    assert Checked(voice, noise(-70), voice, recognizer=Understanding(SENTENCE), monitor=True).has("monitor")


def test_without_a_model_the_levels_are_told_all_the_same(voice: Samples) -> None:
    checked = Checked(voice // 2, noise(-70), voice, recognizer=None)
    assert checked.fit
    assert checked.has("well", "no-recognizer")


def test_nobody_who_speaks_ends_at_the_end_of_the_patience() -> None:
    told: list[str] = []
    microphone = RecordingMicrophone(Room(noise(-60), noise(-60), noise(-60, 30)))
    check = MicrophoneCheck(BOOK, GRAMMAR, SENTENCE, microphone, None, told.append, lambda: False, patience=2)
    assert not check.run("Table Mic", lambda: False, alone=False)
    assert told[2] == phrase("microphone-nobody")


def test_a_key_ends_the_waiting() -> None:
    told: list[str] = []
    microphone = RecordingMicrophone(Room(noise(-60), noise(-60), noise(-60, 30)))
    check = MicrophoneCheck(BOOK, GRAMMAR, SENTENCE, microphone, None, told.append, lambda: True)
    assert not check.run("Table Mic", lambda: False, alone=False)
    assert told[2] == phrase("microphone-nobody")


# --- the command


def recorded(folder: Path, *sounds: Samples, rate: int = RECOGNIZER_RATE) -> Path:
    speaker = FolderSpeaker(folder)
    for sound in sounds:
        speaker.play(Audio(sound.astype("<i2").tobytes(), rate), lambda: False)
    speaker.close()
    return folder / "table.wav"


def test_a_muted_recording_ends_with_1(tmp_path: Path) -> None:
    file = recorded(tmp_path / "a", *[SILENCE] * 3, rate=FOLDER_RATE)
    ran = program(tmp_path, "microphone", "--language", "de", "--input", str(file))
    book = library().phrasebook("de", None)
    assert (ran.status, ran.err) == (1, "")
    assert ran.lines == [book.phrase(Message("microphone-zeros")), book.phrase(Message("microphone-no-recognizer"))]


def test_a_good_recording_ends_with_0(tmp_path: Path, voice: Samples) -> None:
    file = recorded(tmp_path / "a", noise(-70, 3.1), with_noise(voice, -70))
    ran = program(tmp_path, "microphone", "--language", "de", "--input", str(file))
    assert (ran.status, ran.err) == (0, "")
    assert ran.lines[0] == library().phrasebook("de", None).phrase(Message("microphone-well"))


@pytest.mark.parametrize("name", ["missing.wav", "noise.wav"])
def test_a_recording_that_is_none_is_refused(tmp_path: Path, name: str) -> None:
    (tmp_path / "noise.wav").write_bytes(b"noise")
    ran = program(tmp_path, "microphone", "--input", str(tmp_path / name))
    assert (ran.status, len(ran.lines), ran.err) == (2, 1, "")


# --- zeros while a game is played


def alarmed(*stretches: Samples) -> tuple[AlarmedMicrophone, list[str]]:
    alarms: list[str] = []
    return AlarmedMicrophone(Room(*stretches), lambda: alarms.append("zeros")), alarms


def heard(microphone: AlarmedMicrophone) -> None:
    microphone.open()
    while microphone.read() is not None:
        pass
    microphone.shut()


@pytest.mark.parametrize("value", [0, DITHER, -DITHER])
def test_zeros_for_two_seconds_are_told_once_also_if_their_rate_was_changed(value: int) -> None:
    microphone, alarms = alarmed(*[SILENCE + np.int16(value)] * 3)
    heard(microphone)
    assert alarms == ["zeros"]
    heard(microphone)
    assert alarms == ["zeros"]


def test_a_quiet_room_is_no_alarm() -> None:
    quiet = SILENCE.copy()
    quiet[:: RECOGNIZER_RATE // 2] = DITHER + 1
    microphone, alarms = alarmed(quiet, SILENCE[: int(0.9 * ZEROS * RECOGNIZER_RATE)])
    heard(microphone)
    heard(microphone)
    assert alarms == []


def test_what_the_alarm_sounds_like_is_not_heard() -> None:
    microphone, _ = alarmed(SILENCE, words(-20))
    microphone.open()
    frames = [microphone.read() for _ in range(round(ZEROS * RECOGNIZER_RATE / FRAME_SAMPLES) + 2)]
    assert not any(map(any, filter(None, frames[:-2])))
    assert any(frames[-1] or b"")


class Muted(DeviceMicrophone):
    """A real microphone that is muted."""

    def __init__(self) -> None:
        pass

    def open(self, since: float | None = None) -> None:
        pass

    def read(self) -> bytes:
        return bytes(2 * FRAME_SAMPLES)


def test_in_a_game_a_muted_microphone_is_told_in_one_sentence_and_a_recording_is_not(tmp_path: Path) -> None:
    evening, printed, keys = Evening(tmp_path), list[str](), FakeKeyboard()
    mouth = Mouth(evening.session, printed.append, lambda: False, platform="linux")
    hearing = _Hearing(evening.session, Settings(), mouth, keys, None, ExitStack(), lambda _: ())
    recording = Room(SILENCE)
    assert hearing._alarmed(recording) is recording
    microphone = hearing._alarmed(Muted())
    for _ in range(round(3 * ZEROS * RECOGNIZER_RATE / FRAME_SAMPLES)):
        microphone.read()
    assert printed == [f"table: {phrase('microphone-zeros')}"]


def test_the_deaf_recogniser_understands_nothing() -> None:
    recognizer = DeafRecognizer()
    assert recognizer.prepare(SpeakableGrammar.united(())) == frozenset()
    assert recognizer.accept(bytes(2 * FRAME_SAMPLES)) == recognizer.finish().text == ""
    assert recognizer.reconsidered() is None
