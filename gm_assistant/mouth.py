"""Everything that leaves the program: printed as a plain line, spoken on the channel it is meant for."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

from gm_assistant.channels import Channel
from gm_assistant.dialogue.messages import Message
from gm_assistant.errors import AudioError
from gm_assistant.session import Session
from gm_assistant.speech import earcons
from gm_assistant.speech.ahead import awaited
from gm_assistant.speech.noise import masking_noise
from gm_assistant.speech.ports import Audio, HeadsetAudio, PromptSynthesizer, Speaker
from gm_assistant.speech.pyttsx3_synthesizer import pause_between
from gm_assistant.speech.whispers import WhisperMaker
from gm_assistant.utterances import (
    EqualWhisper,
    HeadsetUtterance,
    Noise,
    Outcome,
    Prepare,
    Reply,
    Rest,
    TableUtterance,
    Tone,
    Utterance,
)

_POLL = 0.02
"""s between two looks at the keys while nothing sounds."""


@dataclass(frozen=True, slots=True)
class Habits:
    """What a user has chosen about the mouth."""

    show_headset: bool = False
    """Print what the headset hears, too."""
    noise_volume: float = 0.5
    """Of the masking noise: 0 to 1, the loudest that speech bears."""
    lead_in: float = 0.0
    """s of faint noise before each whisper."""
    unhurried: bool = False
    """Somebody reads: rests take their time without a speaker too."""


@dataclass(frozen=True, slots=True)
class _Step:
    whole: bool = True
    """False: a key stopped it."""
    failed: bool = False


class Mouth:
    """Says replies. Without a speaker they are printed only."""

    def __init__(
        self,
        session: Session,
        show: Callable[[str], None],
        pressed: Callable[[], bool],
        synthesizer: PromptSynthesizer | None = None,
        speaker: Speaker | None = None,
        *,
        platform: str,
        habits: Habits = Habits(),
    ) -> None:
        """`pressed` tells whether a key wants silence; `platform` is `sys.platform`."""
        self._session = session
        self._show = show
        self._pressed = pressed
        self._synthesizer = synthesizer
        self._speaker = speaker
        self._platform = platform
        self._habits = habits
        self._whispers = None if synthesizer is None else WhisperMaker(synthesizer, lambda: session.names.respellings)
        self._complained: set[str] = set()
        self.done = 0
        """How many utterances of the last reply were wholly performed, also while it is being said."""
        self.ended = time.monotonic()
        """When the last sound at the table had ended (s, monotonic clock)."""
        self.said = ""
        """What was said at the table with the last reply that the table heard."""

    def say(self, reply: Reply) -> Outcome:
        """Print and speak every utterance, one after the other; a key stops the sound at once.

        What comes after it is printed all the same, unless there is a rest in the reply: then it is a script, in which
        the step that was stopped is the last one. After a whisper that failed nothing more is whispered.
        """
        script = any(isinstance(utterance, Rest) for utterance in reply) and not all(_must(one) for one in reply)
        self.done, stopped, failed = 0, False, False
        self._guess(())
        self.said = " ".join(one.text for one in reply if isinstance(one, TableUtterance)) or self.said
        for utterance in reply:
            if failed and isinstance(utterance, HeadsetUtterance | EqualWhisper):
                continue
            step = self._perform(utterance)
            failed = failed or step.failed
            stopped = stopped or not step.whole
            self.done += not stopped
            if stopped and script:
                break
        self._guess(self._session.guesses())
        return Outcome(self.done, failed)

    def _guess(self, texts: tuple[str, ...]) -> None:
        """Let likely answers be made while people think; what was likely before is no longer."""
        if self._synthesizer is not None and self._speaker is not None:
            self._synthesizer.guess(texts, self._session.voice(Channel.TABLE, self._platform))

    def play(self, audio: Audio) -> None:
        """Play a sound without words at the table, if there is a loudspeaker."""
        if self._speaker is not None:
            try:
                self._speaker.play(audio, _never)
            except AudioError as error:
                self._complain(error)
            self.ended = time.monotonic()

    def _perform(self, utterance: Utterance) -> _Step:
        match utterance:
            case TableUtterance():
                return self._say_at_table(utterance)
            case HeadsetUtterance():
                return self._whisper(utterance)
            case EqualWhisper():
                return self._equal_whisper(utterance)
            case Prepare(whisper):
                return self._prepare(whisper)
            case Rest(seconds):
                return self._rest(seconds)
            case Noise(on):
                return self._noise(on)
            case Tone():
                self.play(earcons.not_heard())
                return _Step()

    def _say_at_table(self, utterance: TableUtterance) -> _Step:
        """Print and speak; what must be heard is stopped by no key. A line that cannot be spoken is marked by a tone.

        People with closed eyes wait for the next line and may not be left without any sound.
        """
        self._show(f"{Channel.TABLE}: {utterance.text}")
        sentences = utterance.sentences or (utterance.text,)
        stopped = _never if utterance.must else self._pressed
        try:
            whole = self._spoken(sentences, stopped)
        except AudioError:
            whole = self._spoken_again(sentences, stopped)
        self.ended = time.monotonic()
        return _Step(whole)

    def _spoken(self, sentences: tuple[str, ...], stopped: Callable[[], bool]) -> bool:
        """Speak at the table, if anything can; return whether it came to its end. Raise AudioError.

        The first sentence sounds while the others are made.
        """
        if self._speaker is None or self._synthesizer is None:
            return True
        voice = self._session.voice(Channel.TABLE, self._platform)
        first, *more = (self._synthesizer.later(sentence, voice) for sentence in sentences)
        try:
            audio = awaited(first, stopped)
            return audio is not None and self._speaker.play(audio, stopped, more, pause_between(voice.rate))
        finally:
            for promise in (first, *more):
                promise.cancel()

    def _spoken_again(self, sentences: tuple[str, ...], stopped: Callable[[], bool]) -> bool:
        try:
            return self._spoken(sentences, stopped)
        except AudioError as error:
            self._complain(error)
            self.play(earcons.not_said())
        return True

    def _whisper(self, utterance: HeadsetUtterance) -> _Step:
        """Speak into the headset or nowhere: what cannot be whispered is not said at all."""
        whole = True
        if self._speaker is not None and self._synthesizer is not None:
            try:
                voice = self._session.voice(Channel.HEADSET, self._platform)
                audio = HeadsetAudio(self._synthesizer.synthesize(utterance.secret.reveal(), voice))
                whole = self._speaker.whisper(audio, self._pressed)
            except AudioError:
                return self._not_whispered() if utterance.needed else _Step()
        hidden = self._session.phrasebook.phrase(Message("headset-hidden"))
        self._show(f"{Channel.HEADSET}: {utterance.secret.reveal() if self._habits.show_headset else hidden}")
        return _Step(whole)

    def _not_whispered(self) -> _Step:
        said = self._say_at_table(TableUtterance(self._session.phrasebook.phrase(Message("headset-not-ready"))))
        return _Step(said.whole, failed=True)

    def _prepare(self, whisper: EqualWhisper) -> _Step:
        """Make the sound of whispers ahead. What fails now is tried again, and told, when it is to be whispered."""
        if self._whispers is not None:
            with suppress(AudioError):
                self._whispers.prepare(whisper, self._session.voice(Channel.HEADSET, self._platform))
        return _Step()

    def _equal_whisper(self, whisper: EqualWhisper) -> _Step:
        """Whisper into the headset or nowhere. Whoever stops it hears nothing more, but it takes as long as ever."""
        if self._speaker is not None and self._whispers is not None:
            begun = time.monotonic()
            try:
                sound = self._whispers.sound(whisper, self._session.voice(Channel.HEADSET, self._platform))
                if not self._speaker.whisper(sound, self._pressed):
                    whole = self._habits.lead_in + sound.audio.seconds
                    self._speaker.rest(max(whole - (time.monotonic() - begun), 0.0), _never)
            except AudioError:
                return self._not_whispered() if whisper.needed else _Step()
        hidden = self._session.phrasebook.phrase(Message("headset-hidden"))
        words = " ".join(secret.reveal() for secret in whisper.variants[whisper.chosen])
        self._show(f"{Channel.HEADSET}: {words if self._habits.show_headset else hidden}")
        return _Step()

    def _rest(self, seconds: float) -> _Step:
        if self._speaker is not None:
            return _Step(self._speaker.rest(seconds, self._pressed))
        end = time.monotonic() + seconds * self._habits.unhurried
        while not self._pressed():
            if time.monotonic() >= end:
                return _Step()
            time.sleep(_POLL)
        return _Step(whole=False)

    def _noise(self, on: bool) -> _Step:
        """Begin or end the masking noise, as loud as the voice that is to be understood above it allows."""
        if self._speaker is not None:
            volume = self._habits.noise_volume * self._session.voice(Channel.TABLE, self._platform).volume
            try:
                self._speaker.noise(masking_noise(volume) if on else None)
            except AudioError as error:
                self._complain(error)
        return _Step()

    def _complain(self, error: AudioError) -> None:
        """Print once what does not work. It is not spoken: speaking is what does not work."""
        if error.key not in self._complained:
            self._complained.add(error.key)
            for utterance in self._session.excuse(error):
                if isinstance(utterance, TableUtterance):
                    self._show(f"{Channel.TABLE}: {utterance.text}")


def _must(utterance: Utterance) -> bool:
    """Return whether a script goes on with this step whatever keys are pressed."""
    return not isinstance(utterance, TableUtterance) or utterance.must


def _never() -> bool:
    return False
