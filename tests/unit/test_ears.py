"""Where sentences come from, and what happens when a source fails."""

from __future__ import annotations

import signal
from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import pytest
from fakes import (
    EMPTY_PLAN,
    PRESS,
    Evening,
    FakeKeyboard,
    ListedEars,
    conversation,
    library,
    no_fallback,
    phrase,
)
from room import HOLD_OFF, LISTENING, NOT_HEARD, PATIENCE, Room

from gm_assistant.dialogue.set_up import Plan
from gm_assistant.ears import (
    FileEars,
    Instead,
    KeyboardEars,
    Words,
    still_ringing,
)
from gm_assistant.errors import AudioError, ModelError
from gm_assistant.speech.lately import PRE_ROLL
from gm_assistant.speech.ports import Heard, HeardReason, Strictness
from gm_assistant.talking import ENDING_SIGNALS, talk, unseen_line
from gm_assistant.terminal import LATE, PipedKeyboard
from gm_assistant.utterances import Reply, TableUtterance

# --- keyboard


def test_a_keyboard_gives_typed_lines_until_its_end() -> None:
    ears = KeyboardEars(PipedKeyboard(BytesIO(b"one\n\n")))
    assert [ears.next() for _ in range(3)] == [Words("one", typed=True), Words("", typed=True), None]


# --- a key opens the microphone


def test_after_the_key_and_the_tone_one_sentence_is_heard(tmp_path: Path) -> None:
    room = Room(tmp_path, "nominate ben")
    ears = room.at_key(PRESS)
    assert ears.next() == Words("nominate ben", typed=False)
    assert room.tones == [LISTENING]
    assert room.listener.grammars == [room.session.grammar.speakable]
    assert ears.next() is None


def test_a_typed_line_needs_no_microphone(tmp_path: Path) -> None:
    room = Room(tmp_path)
    assert room.at_key("n ben").next() == Words("n ben", typed=True)
    assert (room.tones, room.listener.grammars) == ([], [])


@pytest.mark.parametrize("reason", [HeardReason.NOTHING, HeardReason.QUIET, HeardReason.TOO_LONG])
def test_nothing_heard_is_another_tone_and_an_empty_sentence(tmp_path: Path, reason: HeardReason) -> None:
    room = Room(tmp_path, reason)
    assert room.at_key(PRESS).next() == Words("", typed=False)
    assert room.tones == [LISTENING, NOT_HEARD]


def test_a_key_while_listening_is_the_next_key(tmp_path: Path) -> None:
    room = Room(tmp_path, HeardReason.INTERRUPTED, HeardReason.INTERRUPTED, "undo")
    ears = room.at_key(PRESS, PRESS, PRESS)
    assert ears.next() == Words("undo", typed=False)
    assert room.tones == [LISTENING] * 3


def test_a_letter_while_listening_begins_a_line(tmp_path: Path) -> None:
    room = Room(tmp_path, HeardReason.INTERRUPTED)
    assert room.at_key(PRESS, "undo").next() == Words("undo", typed=True)


def test_a_key_that_is_held_for_long_does_not_break_the_listening(tmp_path: Path) -> None:
    room = Room(tmp_path, *[HeardReason.INTERRUPTED] * 3_000, "undo")
    assert room.at_key(*[PRESS] * 3_001).next() == Words("undo", typed=False)


def test_a_recogniser_that_fails_is_told(tmp_path: Path) -> None:
    room = Room(tmp_path, HeardReason.ENGINE_FAILED)
    with pytest.raises(ModelError) as error:
        room.at_key(PRESS).next()
    assert error.value.key == "recognizer-failed"


def test_what_fails_is_told_once_and_tried_again_with_the_next_key(tmp_path: Path) -> None:
    room = Room(tmp_path, "nominate ben")
    room.missing = {"en"}
    ears = room.at_key("undo", "help", PRESS, PRESS)
    with pytest.raises(ModelError, match="no-model"):
        ears.next()
    assert [ears.next(), ears.next()] == [Words("undo", typed=True), Words("help", typed=True)]
    with pytest.raises(ModelError, match="no-model"):
        ears.next()
    room.missing.clear()
    assert ears.next() == Words("nominate ben", typed=False)
    assert ears.next() is None


def test_the_microphone_is_open_before_the_tone_and_hears_the_moment_before_the_key(tmp_path: Path) -> None:
    room = Room(tmp_path, "nominate ben")
    ears = room.at_key(PRESS)
    room.keyboard.talk_pressed = room.mouth.ended + 60
    ears.next()
    assert room.microphone.opened == [room.keyboard.talk_pressed - PRE_ROLL]
    assert room.microphone.played == [0]
    assert room.listener.attention is not None
    assert room.listener.attention.since == room.keyboard.talk_pressed - PRE_ROLL
    assert not room.microphone.is_open


def test_nothing_is_heard_of_the_time_in_which_our_own_words_still_rang(tmp_path: Path) -> None:
    room = Room(tmp_path, "nominate ben")
    ears = room.at_key(PRESS)
    room.keyboard.talk_pressed = room.mouth.ended + 0.05
    expected = room.mouth.ended + HOLD_OFF
    ears.next()
    assert room.microphone.opened == [expected]


def test_the_key_that_is_held_or_let_go_decides_about_the_end(tmp_path: Path) -> None:
    room = Room(tmp_path, "undo")
    ears = room.at_key(PRESS)
    ears.next()
    attention = room.listener.attention
    assert attention is not None
    assert (attention.held, attention.released) == (room.keyboard.held, room.keyboard.finished)
    assert (attention.strictness, attention.patience) == (Strictness.PUSHED, PATIENCE)


def test_a_key_that_was_let_go_without_a_word_is_a_tone_and_no_answer(tmp_path: Path) -> None:
    room = Room(tmp_path, HeardReason.RELEASED, "undo")
    assert room.at_key(PRESS, PRESS).next() == Words("undo", typed=False)
    assert room.tones == [LISTENING, NOT_HEARD, LISTENING]


@pytest.mark.parametrize(
    "heard",
    [
        Heard("", HeardReason.REJECTED),
        Heard("", HeardReason.QUIET, 0.5, 1.0, 1.7),
        Heard("", HeardReason.RELEASED, 0.5, 1.0, 1.7),
    ],
)
def test_speech_after_the_key_that_is_nothing_is_asked_for_again(tmp_path: Path, heard: Heard) -> None:
    room = Room(tmp_path, heard)
    assert room.at_key(PRESS).next() is Instead.MISHEARD
    assert room.tones == [LISTENING]


def test_who_does_not_press_a_key_in_time_is_late(tmp_path: Path) -> None:
    ears = Room(tmp_path).at_key(LATE, "yc")
    assert ears.next(8.0) is Instead.TIME_IS_UP
    assert ears.next(8.0) == Words("yc", typed=True)


def test_a_microphone_that_fails_is_shut(tmp_path: Path) -> None:
    room = Room(tmp_path, AudioError("microphone-lost", device="Mic"))
    with pytest.raises(AudioError):
        room.at_key(PRESS).next()
    assert not room.microphone.is_open


@pytest.mark.parametrize(("began", "passes"), [(0.0, False), (0.1, False), (0.35, True)])
def test_our_own_words_from_before_the_key_are_not_taken_for_somebody_elses(
    tmp_path: Path, began: float, passes: bool
) -> None:
    room = Room(tmp_path, Heard("anna is president", HeardReason.COMPLETE, began, 0.9, 1.1))
    room.mouth.say((TableUtterance("Anna is president."),))
    ears = room.at_key(PRESS)
    room.keyboard.talk_pressed = room.mouth.ended + HOLD_OFF + PRE_ROLL
    assert ears.next() == (Words("anna is president", typed=False) if passes else None)


# --- hold-off


@pytest.mark.parametrize(("now", "left"), [(10.0, 0.4), (10.25, 0.15), (10.4, 0.0), (99.0, 0.0)])
def test_listening_waits_until_the_room_has_stopped_ringing(now: float, left: float) -> None:
    assert still_ringing(10.0, now, 0.4) == pytest.approx(left)


# --- a sound file


def test_a_sound_file_gives_every_utterance_even_what_is_no_sentence(tmp_path: Path) -> None:
    times: list[float] = []
    room = Room(tmp_path, "nominate ben", HeardReason.QUIET, "bla")
    ears = FileEars(room.spoken, times.append)
    said = [ears.next() for _ in range(4)]
    assert said == [Words("nominate ben", False), Words("", False), Words("bla", False), None]
    assert times == [2.0] * 4


def test_a_sound_file_tells_when_the_recogniser_fails(tmp_path: Path) -> None:
    with pytest.raises(ModelError):
        FileEars(Room(tmp_path, HeardReason.ENGINE_FAILED).spoken, lambda _: None).next()


# --- grammar and language


def test_the_recogniser_gets_a_grammar_only_when_it_changes(tmp_path: Path) -> None:
    room = Room(tmp_path, plan=EMPTY_PLAN)
    for line in ("", "bla", "help", "five", "help", "Anna"):
        room.spoken.prepare()
        room.evening.say(line)
    room.spoken.prepare()
    assert len(room.recognizer.prepared) == 3
    assert room.languages == ["en"]


def test_names_that_the_recogniser_does_not_know_are_told_once(tmp_path: Path) -> None:
    room = Room(tmp_path, unknown=("ben", "emil"))
    room.spoken.prepare()
    room.spoken.prepare()
    assert room.printed == [f"table: {phrase('names-cannot-be-heard', names='Ben and Emil')}"]


def test_words_that_are_no_names_are_not_told(tmp_path: Path) -> None:
    room = Room(tmp_path, unknown=("crosshair",))
    room.spoken.prepare()
    assert room.printed == []


def test_another_language_gets_another_recogniser(tmp_path: Path) -> None:
    room = Room(tmp_path, plan=Plan(None, "secret_dictator"))
    room.spoken.prepare()
    if "de" not in library().packs:
        pytest.skip("there is no German")
    room.evening.say("german")
    room.spoken.prepare()
    assert room.languages == ["en", "de"]


def test_a_language_without_a_model_goes_on_by_keyboard(tmp_path: Path) -> None:
    room = Room(tmp_path, plan=Plan(None, "secret_dictator"))
    room.missing = {"de"}
    if "de" not in library().packs:
        pytest.skip("there is no German")
    keyboard = KeyboardEars(PipedKeyboard(BytesIO(b"5\n")))
    talk(room.session, room.mouth, room.at_key("german"), FakeKeyboard(), lambda _: keyboard, resume=None)
    assert "/models" in room.printed[-2]
    assert len(room.printed) == 4


# --- the whole conversation


def fallback(lines: bytes, errors: list[str]) -> Callable[[Exception], KeyboardEars]:
    def given(error: Exception) -> KeyboardEars:
        errors.append(str(error))
        return KeyboardEars(PipedKeyboard(BytesIO(lines)))

    return given


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (ModelError("recognizer-failed"), phrase("recognizer-failed")),
        (AudioError("microphone-lost", device="Mic"), phrase("microphone-lost", device="Mic")),
        (AudioError("microphone-silent-device", device="Mic"), phrase("microphone-silent-device", device="Mic")),
    ],
)
def test_when_the_ears_fail_the_keyboard_goes_on_and_nothing_is_lost(
    tmp_path: Path, error: ModelError | AudioError, told: str
) -> None:
    room = Room(tmp_path)
    errors: list[str] = []
    ears = ListedEars([Words("nominate ben", typed=False), error])
    given = fallback(b"vote passed\nwho is chancellor\n", errors)
    talk(room.session, room.mouth, ears, FakeKeyboard(), given, resume=None)  # type: ignore[arg-type]
    assert errors == [str(error)]
    assert room.printed.count(f"table: {told}") == 1
    assert room.printed[-1] == f"table: {phrase('chancellor-is', chancellor='Ben')}"


def test_quit_ends_the_conversation_with_sentences_left(tmp_path: Path) -> None:
    evening = Evening(tmp_path, begin=False)
    printed = conversation(evening, b"quit\nnominate ben\n")
    assert printed[-1] == f"table: {phrase('bye')}"


def test_spoken_words_are_parsed_as_spoken(tmp_path: Path) -> None:
    room = Room(tmp_path)
    ears = ListedEars([Words("n ben", typed=False), Words("n ben", typed=True)])
    talk(room.session, room.mouth, ears, FakeKeyboard(), no_fallback, resume=None)
    assert room.printed[-2] == f"table: {phrase('pardon')}"
    assert phrase("nominated", player="Ben") in room.printed[-1]


class Asked:
    """A session that notes what the conversation asks of it, and is over after so many replies."""

    wants_key = wants_line = False

    def __init__(self, replies: int, seconds_left: float | None = None) -> None:
        self.noted: list[str] = []
        self._replies = replies
        self.seconds_left = seconds_left

    @property
    def over(self) -> bool:
        return len(self.noted) == self._replies

    def open(self, resume: bool | None) -> Reply:
        return ()

    def hear(self, text: str, typed: bool) -> Reply:
        return self._note(text)

    def misheard(self) -> Reply:
        return self._note("misheard")

    def time_is_up(self) -> Reply:
        return self._note("time is up")

    def left(self, done: int) -> Reply:
        return ()

    def _note(self, what: str) -> Reply:
        self.noted.append(what)
        return ()


class NotingEars(ListedEars):
    """Notes how long each sentence was waited for, and when it was to make ready for the next."""

    def __init__(self, script: list[Words | Instead]) -> None:
        super().__init__([*script])
        self.noted: list[object] = []

    def next(self, seconds: float | None = None) -> Words | Instead | None:
        self.noted.append(seconds)
        return super().next(seconds)

    def ahead(self) -> None:
        self.noted.append("ahead")


def test_what_happens_instead_of_a_sentence_is_told_to_the_session(tmp_path: Path) -> None:
    session = Asked(3)
    ears = ListedEars([Instead.MISHEARD, Instead.TIME_IS_UP, Words("undo", typed=False)])
    talk(session, Room(tmp_path).mouth, ears, FakeKeyboard(), no_fallback, resume=None)  # type: ignore[arg-type]
    assert session.noted == ["misheard", "time is up", "undo"]


def test_ears_are_told_how_much_time_is_left_and_make_ready_before_the_answer_is_said(tmp_path: Path) -> None:
    ears = NotingEars([Words("undo", typed=False)])
    talk(Asked(1, 7.5), Room(tmp_path).mouth, ears, FakeKeyboard(), no_fallback, resume=None)  # type: ignore[arg-type]
    assert ears.noted == [7.5, "ahead"]


# --- what is typed unseen


class SingleKeys(FakeKeyboard):
    single_keys = True


@pytest.mark.parametrize(
    ("keys", "line"),
    [
        (("y", "\n"), "y"),
        (("\n",), ""),
        ((*"undo", "\r"), "undo"),
        (("n", "\x7f", "y", "\n"), "y"),
        (("\b", "y", "\x1b[D", "\t", "\n"), "y"),
        (("y",), None),
        ((), None),
        (("y", LATE), LATE),
    ],
)
def test_an_unseen_line_ends_with_enter_and_can_be_erased_before(keys: tuple[str, ...], line: str | None) -> None:
    assert unseen_line(SingleKeys(*keys), None) == line


def test_the_time_for_an_unseen_line_is_for_all_of_its_keys() -> None:
    keys = SingleKeys("y", "e", "\n")
    assert unseen_line(keys, 60) == "ye"
    first, *rest = keys.patience
    assert first is not None
    assert all(wait is not None and wait <= first <= 60 for wait in rest)


def test_a_pipe_gives_an_unseen_line_at_once() -> None:
    assert unseen_line(PipedKeyboard(BytesIO(b"y\nundo\n")), None) == "y"


class Impatient:
    """A session that is ended in its middle, by somebody who presses again while the last words are said."""

    over = False

    def open(self, resume: bool | None) -> Reply:
        raise KeyboardInterrupt

    def left(self, done: int) -> Reply:
        return (TableUtterance("Open your eyes."),)


class Interrupted:
    """A mouth that is sent every signal that ends a program before it says anything."""

    done = 0

    def __init__(self) -> None:
        self.said: list[str] = []

    def say(self, reply: Reply) -> None:
        for number in ENDING_SIGNALS:
            signal.raise_signal(number)
        self.said += [utterance.text for utterance in reply if isinstance(utterance, TableUtterance)]


def test_no_further_signal_cuts_off_what_people_with_closed_eyes_wait_for() -> None:
    mouth = Interrupted()
    before = [signal.getsignal(number) for number in ENDING_SIGNALS]
    with pytest.raises(KeyboardInterrupt):
        talk(Impatient(), mouth, ListedEars([]), FakeKeyboard(), no_fallback, resume=None)
    assert mouth.said == ["Open your eyes."]
    assert [signal.getsignal(number) for number in ENDING_SIGNALS] == before
