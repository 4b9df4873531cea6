"""What leaves the program: always a printed line, and sound on the channel that is meant or nowhere."""

from __future__ import annotations

from collections.abc import Iterable
from concurrent.futures import Future
from pathlib import Path

import pytest
from fakes import SOUND, Evening, FakeSpeaker, FakeSynthesizer, phrase

from gm_assistant.channels import Channel
from gm_assistant.errors import AudioError
from gm_assistant.mouth import Habits, Mouth
from gm_assistant.speech import earcons
from gm_assistant.speech.noise import masking_noise
from gm_assistant.speech.ports import Audio, Voice
from gm_assistant.speech.pyttsx3_synthesizer import pause_between
from gm_assistant.utterances import (
    EqualWhisper,
    HeadsetUtterance,
    Noise,
    Outcome,
    Prepare,
    Rest,
    Secret,
    TableUtterance,
    Utterance,
)

HIDDEN = f"headset: {phrase('headset-hidden')}"
NOT_READY = phrase("headset-not-ready")
TONE = "(a tone)"


class Spoken:
    """A mouth with everything that it printed and played."""

    def __init__(self, folder: Path, *, show_headset: bool = False, key: bool = False, silent: bool = False) -> None:
        self.synthesizer = FakeSynthesizer()
        self.speaker = FakeSpeaker()
        self.printed: list[str] = []
        self.key_after = 1_000
        """A key is pressed after so many sounds and rests."""
        self.evening = Evening(folder)
        self.mouth = Mouth(
            self.evening.session,
            self.printed.append,
            lambda: key or self.sounds >= self.key_after,
            None if silent else self.synthesizer,
            None if silent else self.speaker,
            platform="linux",
            habits=Habits(show_headset=show_headset),
        )

    def table(self, *texts: str) -> None:
        self.mouth.say(tuple(map(TableUtterance, texts)))

    def perform(self, *utterances: Utterance) -> Outcome:
        return self.mouth.say(utterances)

    def headset(self, text: str) -> None:
        self.mouth.say((HeadsetUtterance(Secret(text)),))

    @property
    def sounds(self) -> int:
        """How many sounds and rests there were."""
        return len(self.speaker.played) + len(self.speaker.rests)

    @property
    def heard(self) -> list[tuple[Channel, str]]:
        """What sounded, and where."""
        return [(channel, self._words(audio)) for channel, audio in self.speaker.played]

    def _words(self, audio: Audio) -> str:
        return TONE if audio == earcons.not_said() else self.synthesizer.text_of(audio)


@pytest.fixture
def spoken(tmp_path: Path) -> Spoken:
    return Spoken(tmp_path)


def test_the_table_reads_and_hears_the_same(spoken: Spoken) -> None:
    spoken.table("One.", "Two.")
    assert spoken.printed == ["table: One.", "table: Two."]
    assert spoken.heard == [(Channel.TABLE, "One."), (Channel.TABLE, "Two.")]


def test_without_a_speaker_the_line_is_printed(tmp_path: Path) -> None:
    spoken = Spoken(tmp_path, silent=True)
    spoken.table("One.")
    spoken.headset("Two.")
    spoken.mouth.play(SOUND)
    assert spoken.printed == ["table: One.", HIDDEN]


def test_a_whisper_is_heard_in_the_headset_and_read_nowhere(spoken: Spoken) -> None:
    spoken.headset("Secret.")
    assert spoken.heard == [(Channel.HEADSET, "Secret.")]
    assert spoken.printed == [HIDDEN]


def test_a_whisper_is_printed_if_somebody_wants_it(tmp_path: Path) -> None:
    spoken = Spoken(tmp_path, show_headset=True)
    spoken.headset("Secret.")
    assert spoken.printed == ["headset: Secret."]


def test_each_channel_has_its_voice(spoken: Spoken) -> None:
    spoken.table("One.")
    spoken.headset("Two.")
    table, headset = spoken.synthesizer.voices
    assert table == spoken.evening.session.voice(Channel.TABLE, "linux")
    assert headset == spoken.evening.session.voice(Channel.HEADSET, "linux")
    assert table.rate < headset.rate


def test_the_listeners_wishes_count_from_the_next_sentence_on(spoken: Spoken) -> None:
    spoken.table("One.")
    spoken.mouth.say(spoken.evening.reply("slower"))
    first, second = spoken.synthesizer.voices
    assert second.rate < first.rate


def test_a_key_stops_speech_but_not_the_printed_line(tmp_path: Path) -> None:
    spoken = Spoken(tmp_path, key=True)
    spoken.table("One.")
    assert spoken.speaker.stopped == [True]
    assert spoken.printed == ["table: One."]


def test_a_tone_is_never_stopped_by_the_key_that_asked_for_it(tmp_path: Path) -> None:
    spoken = Spoken(tmp_path, key=True)
    spoken.mouth.play(SOUND)
    assert spoken.speaker.stopped == [False]
    assert spoken.speaker.played == [(Channel.TABLE, SOUND)]


@pytest.mark.parametrize("key", ["voice-failed", "no-speech-engine", "no-voice-for-language"])
def test_when_the_voice_fails_the_line_is_read_and_the_failure_told_once(spoken: Spoken, key: str) -> None:
    failure = AudioError(key, language="en", reason="test")
    spoken.synthesizer.failure = failure
    spoken.table("One.", "Two.")
    spoken.table("Three.")
    told = phrase(key, language="en", reason="test")
    assert spoken.printed == ["table: One.", f"table: {told}", "table: Two.", "table: Three."]
    assert spoken.heard == [(Channel.TABLE, TONE)] * 3


def test_a_line_that_cannot_be_played_is_tried_once_more(spoken: Spoken) -> None:
    spoken.speaker.failures = [AudioError("table-speaker-failed")]
    spoken.table("One.", "Two.")
    assert spoken.heard == [(Channel.TABLE, "One."), (Channel.TABLE, "Two.")]
    assert spoken.printed == ["table: One.", "table: Two."]


def test_a_line_that_cannot_be_played_twice_is_marked_by_a_tone(spoken: Spoken) -> None:
    spoken.speaker.failures = [AudioError("table-speaker-failed")] * 2
    spoken.table("One.", "Two.")
    assert spoken.heard == [(Channel.TABLE, TONE), (Channel.TABLE, "Two.")]
    assert spoken.printed == ["table: One.", f"table: {phrase('table-speaker-failed')}", "table: Two."]


def test_when_the_voice_comes_back_it_speaks_again(spoken: Spoken) -> None:
    spoken.synthesizer.failure = AudioError("voice-failed", language="en")
    spoken.table("One.")
    spoken.synthesizer.failure = None
    spoken.table("Two.")
    assert spoken.heard == [(Channel.TABLE, TONE), (Channel.TABLE, "Two.")]


def test_when_the_loudspeaker_fails_the_line_is_read_and_the_failure_told_once(spoken: Spoken) -> None:
    spoken.speaker.broken[Channel.TABLE] = AudioError("table-speaker-failed")
    spoken.table("One.", "Two.")
    spoken.mouth.play(SOUND)
    assert spoken.printed == ["table: One.", f"table: {phrase('table-speaker-failed')}", "table: Two."]


def test_two_different_failures_are_told_each(spoken: Spoken) -> None:
    spoken.speaker.broken[Channel.TABLE] = AudioError("table-speaker-failed")
    spoken.table("One.")
    spoken.synthesizer.failure = AudioError("voice-failed", language="en")
    spoken.table("Two.")
    assert len(spoken.printed) == 4


@pytest.mark.parametrize("key", ["headset-not-ready", "headset-refused", "device-failed"])
@pytest.mark.parametrize("show_headset", [True, False])
def test_a_headset_that_fails_never_sends_a_whisper_to_the_table(tmp_path: Path, key: str, show_headset: bool) -> None:
    spoken = Spoken(tmp_path, show_headset=show_headset)
    spoken.speaker.broken[Channel.HEADSET] = AudioError(key, device="Headset", reason="test")
    spoken.headset("Secret.")
    assert spoken.heard == [(Channel.TABLE, NOT_READY)]
    assert spoken.printed == [f"table: {NOT_READY}"]


def test_a_headset_that_fails_is_told_every_time_for_every_time_something_was_asked(spoken: Spoken) -> None:
    spoken.speaker.broken[Channel.HEADSET] = AudioError("headset-not-ready")
    spoken.headset("Secret.")
    spoken.headset("Another.")
    assert spoken.printed == [f"table: {NOT_READY}"] * 2


def test_a_headset_that_is_not_there_is_not_missed_for_what_nobody_needs(spoken: Spoken) -> None:
    spoken.speaker.broken[Channel.HEADSET] = AudioError("headset-not-ready")
    spoken.mouth.say((HeadsetUtterance(Secret("Secret."), needed=False), TableUtterance("One.")))
    assert spoken.printed == ["table: One."]
    assert spoken.heard == [(Channel.TABLE, "One.")]


def test_what_nobody_needs_is_whispered_all_the_same_if_there_is_a_headset(spoken: Spoken) -> None:
    spoken.mouth.say((HeadsetUtterance(Secret("Secret."), needed=False),))
    assert spoken.heard == [(Channel.HEADSET, "Secret.")]


def test_a_voice_that_fails_never_sends_a_whisper_to_the_table(spoken: Spoken) -> None:
    spoken.synthesizer.failure = AudioError("voice-failed", language="en")
    spoken.headset("Secret.")
    assert spoken.heard == [(Channel.TABLE, TONE)]
    assert not any("Secret" in line for line in spoken.printed)


def test_everything_broken_still_reads(spoken: Spoken) -> None:
    spoken.speaker.broken = dict.fromkeys(Channel, AudioError("table-speaker-failed"))
    spoken.table("One.")
    spoken.headset("Secret.")
    assert spoken.printed[0] == "table: One."
    assert spoken.printed[-1] == f"table: {NOT_READY}"


def test_the_table_s_own_sound_is_dated(spoken: Spoken) -> None:
    before = spoken.mouth.ended
    spoken.table("One.")
    assert spoken.mouth.ended >= before


# --- how far a reply came

LINES = (TableUtterance("One."), HeadsetUtterance(Secret("Secret.")), TableUtterance("Two."))


def test_a_reply_that_nobody_stops_is_done(spoken: Spoken) -> None:
    assert spoken.perform(*LINES) == Outcome(3)


def test_a_reply_without_a_rest_is_printed_to_its_end_after_a_key(spoken: Spoken) -> None:
    spoken.key_after = 1
    assert spoken.perform(*LINES) == Outcome(1)
    assert spoken.printed == ["table: One.", HIDDEN, "table: Two."]


def test_nothing_of_a_script_comes_after_the_step_that_a_key_stopped(spoken: Spoken) -> None:
    spoken.key_after = 1
    script = (TableUtterance("One."), TableUtterance("Two."), Rest(1.0), TableUtterance("Three."))
    assert spoken.perform(*script) == Outcome(1)
    assert spoken.printed == ["table: One.", "table: Two."]


def test_a_key_ends_a_rest_and_with_it_the_script(spoken: Spoken) -> None:
    spoken.key_after = 1
    assert spoken.perform(TableUtterance("One."), Rest(3.0), TableUtterance("Two.")) == Outcome(1)
    assert spoken.speaker.rests == [3.0]
    assert spoken.printed == ["table: One."]


def test_no_key_stops_what_must_be_heard(spoken: Spoken) -> None:
    spoken.key_after = 0
    assert spoken.perform(TableUtterance("Open your eyes.", must=True), Rest(1.0)) == Outcome(1)
    assert spoken.speaker.stopped == [False]


@pytest.mark.parametrize("needed", [True, False])
def test_only_a_whisper_that_is_needed_is_missed(spoken: Spoken, needed: bool) -> None:
    spoken.speaker.broken[Channel.HEADSET] = AudioError("headset-not-ready")
    assert spoken.perform(HeadsetUtterance(Secret("Secret."), needed), *LINES[:1]) == Outcome(2, failed=needed)


def test_without_a_speaker_a_script_is_read(tmp_path: Path) -> None:
    spoken = Spoken(tmp_path, silent=True)
    assert spoken.perform(Noise(on=True), *LINES[:1], Rest(600.0), Noise(on=False)) == Outcome(4)
    assert spoken.printed == ["table: One."]


def test_without_a_speaker_a_key_ends_a_rest(tmp_path: Path) -> None:
    spoken = Spoken(tmp_path, silent=True, key=True)
    assert spoken.perform(Rest(600.0), *LINES[:1]) == Outcome(0)
    assert spoken.printed == []


# --- noise


def test_noise_is_as_loud_as_the_voice_above_it_bears(spoken: Spoken) -> None:
    volume = spoken.evening.session.voice(Channel.TABLE, "linux").volume
    spoken.perform(Noise(on=True), *LINES[:1], Noise(on=False))
    assert spoken.speaker.noises == [masking_noise(0.5 * volume), None]


def test_noise_that_cannot_be_played_keeps_nobody_from_speaking(spoken: Spoken) -> None:
    spoken.speaker.failures = [AudioError("table-speaker-failed")]
    assert spoken.perform(Noise(on=True), *LINES[:1], Noise(on=False)) == Outcome(3)
    assert spoken.heard == [(Channel.TABLE, "One.")]


WHISPER = EqualWhisper(((Secret("One."),), (Secret("Two."),)), chosen=1, times=2)


def test_a_whisper_that_a_key_stops_takes_as_long_as_one_that_is_heard_out(tmp_path: Path) -> None:
    stopped, whole = Spoken(tmp_path / "stopped", key=True), Spoken(tmp_path / "whole")
    outcomes = [stopped.perform(WHISPER), whole.perform(WHISPER)]
    ((channel, sound),) = whole.speaker.played
    assert channel is Channel.HEADSET
    assert whole.speaker.rests == []
    (rest,) = stopped.speaker.rests
    assert 0.5 * sound.seconds < rest <= sound.seconds
    assert outcomes == [Outcome(1), Outcome(1)]


def test_the_sound_of_all_whispers_that_could_come_is_made_ahead(spoken: Spoken) -> None:
    spoken.perform(Prepare(WHISPER))
    assert set(spoken.synthesizer.texts) == {"One.", "Two."}
    made = len(spoken.synthesizer.texts)
    spoken.perform(WHISPER)
    assert len(spoken.synthesizer.texts) == made
    assert [channel for channel, _ in spoken.speaker.played] == [Channel.HEADSET]


def test_what_was_whispered_is_not_printed(spoken: Spoken) -> None:
    spoken.perform(WHISPER)
    assert spoken.printed == [HIDDEN]


def test_after_a_whisper_that_failed_nothing_more_is_whispered(spoken: Spoken) -> None:
    spoken.speaker.broken = {Channel.HEADSET: AudioError("headset-not-ready", device="headset")}
    outcome = spoken.perform(WHISPER, HeadsetUtterance(Secret("Three.")), TableUtterance("Four."))
    assert outcome.failed
    assert spoken.printed == [f"table: {NOT_READY}", "table: Four."]


# --- sentence by sentence

ANSWER = TableUtterance("Elected. Vote now. One.", sentences=("Elected.", "Vote now.", "One."))


def test_an_answer_is_printed_as_one_line_and_spoken_sentence_by_sentence(spoken: Spoken) -> None:
    assert spoken.perform(ANSWER) == Outcome(1)
    assert spoken.printed == ["table: Elected. Vote now. One."]
    assert spoken.heard == [(Channel.TABLE, "Elected."), (Channel.TABLE, "Vote now."), (Channel.TABLE, "One.")]


def test_a_key_between_two_sentences_ends_the_answer(spoken: Spoken) -> None:
    spoken.key_after = 1
    assert spoken.perform(ANSWER, *LINES[2:]) == Outcome(0)
    assert [text for _, text in spoken.heard[:2]] == ["Elected.", "Vote now."]
    assert spoken.speaker.stopped[:2] == [False, True]
    assert spoken.printed == ["table: Elected. Vote now. One.", "table: Two."]


def test_an_answer_whose_second_sentence_cannot_be_spoken_is_tried_once_more_from_its_beginning(spoken: Spoken) -> None:
    class Hoarse(FakeSynthesizer):
        def synthesize(self, text: str, voice: Voice) -> Audio:
            audio = super().synthesize(text, voice)
            if text == "Vote now." and self.texts.count(text) == 1:
                raise AudioError("voice-failed", language="en")
            return audio

    spoken.synthesizer = spoken.mouth._synthesizer = Hoarse()
    assert spoken.perform(ANSWER) == Outcome(1)
    assert [text for _, text in spoken.heard] == ["Elected.", "Elected.", "Vote now.", "One."]


def test_a_key_is_noticed_while_the_first_sentence_is_made(spoken: Spoken) -> None:
    class Slow(FakeSynthesizer):
        def later(self, text: str, voice: Voice) -> Future[Audio]:
            return Future()

    spoken.mouth._synthesizer = Slow()
    spoken.key_after = 0
    assert spoken.perform(ANSWER) == Outcome(0)
    assert spoken.heard == []


def test_the_pause_between_sentences_fits_the_tempo(spoken: Spoken) -> None:
    spoken.perform(ANSWER)
    rate = spoken.evening.session.voice(Channel.TABLE, "linux").rate
    assert spoken.speaker.pauses == [pause_between(rate)]
    assert pause_between(120) > pause_between(165) > pause_between(300) >= pause_between(449) >= 0


# --- while people think


def test_likely_answers_are_made_once_the_reply_is_over(spoken: Spoken) -> None:
    spoken.mouth.say(spoken.evening.reply("nominate ben"))
    assert spoken.synthesizer.guesses
    assert tuple(spoken.synthesizer.guesses) == spoken.evening.session.guesses()


def test_what_was_likely_before_is_not_made_while_an_answer_waits(spoken: Spoken) -> None:
    order: list[str] = []

    class Noting(FakeSynthesizer):
        def guess(self, texts: Iterable[str], voice: Voice) -> None:
            order.append("guesses" if [*texts] else "none")

        def later(self, text: str, voice: Voice) -> Future[Audio]:
            order.append("wanted")
            return super().later(text, voice)

    spoken.mouth._synthesizer = Noting()
    spoken.table("One.")
    assert order == ["none", "wanted", "guesses"]


def test_no_guess_is_made_of_what_only_the_headset_may_hear(spoken: Spoken) -> None:
    spoken.headset("Secret.")
    assert "Secret." not in spoken.synthesizer.guesses
