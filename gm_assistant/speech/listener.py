"""One turn of listening: wait for somebody to speak, hear the words, decide early that the sentence is over."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from math import inf
from typing import Protocol

from gm_assistant.errors import ModelError
from gm_assistant.speakable import Ending, SpeakableGrammar
from gm_assistant.speech.likelihood import rejected
from gm_assistant.speech.ports import (
    FRAME_SAMPLES,
    RECOGNIZER_RATE,
    Attention,
    Heard,
    HeardReason,
    Microphone,
    Recognition,
    Recognizer,
)

FRAME_SECONDS = FRAME_SAMPLES / RECOGNIZER_RATE

_NOTHING = Recognition("")


@dataclass(frozen=True, slots=True)
class EndOfSpeech:
    """When speech begins and ends. Times in s of audio, probabilities as the voice activity detector gives them."""

    beginning_probability: float = 0.5
    beginning_frames: int = 3
    """So many of the last `beginning_window` frames at `beginning_probability` are the beginning of speech."""
    beginning_window: int = 5
    going_on_probability: float = 0.35
    """Above it, speech goes on; below the beginning's, so that soft ends of words still count."""
    pre_roll: float = 0.19
    """Heard before the beginning and given to the recogniser too: first consonants are soft.

    Longer, and the noise before a sentence becomes words of it.
    """
    looking_quiet: float = 0.06
    """After so much a second look begins, so that its outcome is there when the quiet has lasted long enough.

    It is void if speech goes on.
    """
    looks_apart: float = 0.3
    looks_share: float = 0.25
    """For so many s after a look, or such a share of the utterance, the next one needs a longer quiet.

    Babble has a dip every moment, and each look takes a share of the whole so far.
    """
    complete_quiet: float = 0.15
    """After a sentence that no longer one begins with; the words are not looked at earlier."""
    can_go_on_quiet: float = 0.3
    """After a sentence that may be the beginning of a longer one."""
    incomplete_quiet: float = 0.7
    """After anything else: people hesitate before a name, and the recogniser's guess may still be wrong.

    Pauses up to 0.65 s inside 16 synthetic sentences were bridged; 2 of 80 whole sentences waited for it in vain.
    """
    wake_quiet: float = 0.8
    """After the wake phrase alone: people take a breath behind it."""
    minimum_voiced: float = 0.2
    """Less speech than this was a cough or a knock: it is forgotten, and the waiting goes on.

    The shortest of 30 synthetic one-word commands held 0.26 s.
    """
    longest: float = 8.0
    """Upper bound of one utterance; keep it and `pre_roll` below the recogniser's LONGEST_UTTERANCE."""
    patience: float | None = 8.0
    """Waiting time for somebody to begin, where no `Attention` says otherwise; None waits for ever."""

    def quiet(self, standing: Ending) -> float:
        """Return the quiet in s that ends an utterance whose words stand like this to the grammar."""
        match standing:
            case Ending.FINAL:
                return self.complete_quiet
            case Ending.CAN_GO_ON:
                return self.can_go_on_quiet
            case Ending.INCOMPLETE:
                return self.incomplete_quiet


class VoiceDetector(Protocol):
    """Tells speech from other sounds."""

    def probability(self, frame: bytes) -> float:
        """Return 0.0 to 1.0 for one frame."""

    def reset(self) -> None:
        """Forget what was heard so far."""


@dataclass
class _Turn:
    """What was noticed since the microphone was opened. Times in s of audio."""

    settings: EndOfSpeech
    attention: Attention
    frames: int = 0
    began: float | None = None
    ended: float = 0.0
    voiced: float = 0.0
    recent: deque[tuple[bytes, float]] = field(default_factory=deque)

    @property
    def now(self) -> float:
        return self.frames * FRAME_SECONDS

    def take(self, frame: bytes, probability: float) -> list[bytes]:
        """Notice a frame; return the frames that the recogniser shall hear now."""
        self.frames += 1
        self.recent.append((frame, probability))
        if len(self.recent) > self._kept_frames():
            self.recent.popleft()
        if self.began is not None:
            self._note(probability, self.now)
            return [frame]
        return self._begin() if self._has_begun() else []

    @property
    def quiet(self) -> float:
        """S since the last speech."""
        return self.now - self.ended

    def wait_again(self) -> None:
        """Forget the utterance: it was no speech."""
        self.began, self.ended, self.voiced = None, 0.0, 0.0

    def over(self, needed: float, complete: bool) -> HeardReason | None:
        """Return why the listening is over after this frame, None while it goes on.

        `needed`: s of quiet that end the utterance, whose words are a whole sentence if they are `complete`.
        """
        if self.began is None:
            patience = self.attention.patience
            return HeardReason.NOTHING if patience is not None and self.now >= patience else None
        if self.quiet >= needed and not self.attention.held():
            return HeardReason.COMPLETE if complete else HeardReason.QUIET
        return HeardReason.TOO_LONG if self.now - self.began >= self.settings.longest else None

    def was_too_short(self) -> bool:
        """Return whether the utterance holds too little speech to be words."""
        return self.voiced < self.settings.minimum_voiced

    def heard(self, found: Recognition, reason: HeardReason) -> Heard:
        """Return the outcome with the times noticed."""
        return Heard(found.text, reason, self.began or 0.0, self.ended, self.now, found.ratio)

    def _kept_frames(self) -> int:
        return round(self.settings.pre_roll / FRAME_SECONDS) + self.settings.beginning_window

    def _latest(self) -> list[float]:
        return [probability for _, probability in self.recent][-self.settings.beginning_window :]

    def _is_loud(self, probability: float) -> bool:
        return probability > self.settings.beginning_probability

    def _has_begun(self) -> bool:
        return sum(map(self._is_loud, self._latest())) >= self.settings.beginning_frames

    def _begin(self) -> list[bytes]:
        latest = self._latest()
        first = next(place for place, probability in enumerate(latest) if self._is_loud(probability))
        self.began = self.now - (len(latest) - first) * FRAME_SECONDS
        before = self.now - len(latest) * FRAME_SECONDS
        for place, probability in enumerate(latest):
            self._note(probability, before + (place + 1) * FRAME_SECONDS)
        return [frame for frame, _ in self.recent]

    def _note(self, probability: float, time: float) -> None:
        if probability > self.settings.going_on_probability:
            self.voiced += FRAME_SECONDS
            self.ended = time


class Listener:
    """Hears one utterance at a time. The microphone is open only while it listens."""

    def __init__(
        self,
        microphone: Microphone,
        recognizer: Recognizer,
        voice_activity: VoiceDetector,
        end_of_speech: EndOfSpeech | None = None,
    ) -> None:
        self._microphone = microphone
        self._recognizer = recognizer
        self._voice_activity = voice_activity
        self._end_of_speech = end_of_speech or EndOfSpeech()
        self._unfinished = False
        self._looked_when = -inf
        self._looked_at = -inf
        """When the speech had ended at which the last second look began."""
        self._second: Recognition | None = None
        """What it found, as soon as somebody asked."""

    def listen(
        self, grammar: SpeakableGrammar, interrupted: Callable[[], bool], attention: Attention | None = None
    ) -> Heard:
        """Return what somebody says next; the text need not be a sentence of `grammar`: parse it strictly.

        `interrupted` is asked once a frame. The text is always the recogniser's final one, never a guess on the way.
        Raise AudioError if the microphone fails, ModelError if the grammar or the model cannot be used.
        """
        turn = _Turn(self._end_of_speech, attention or Attention(patience=self._end_of_speech.patience))
        self._recognizer.prepare(grammar)
        self._voice_activity.reset()
        self._microphone.open(turn.attention.since)
        try:
            self._drop()
            return self._turn(turn, grammar, interrupted)
        finally:
            self._microphone.shut()

    def _turn(self, turn: _Turn, grammar: SpeakableGrammar, interrupted: Callable[[], bool]) -> Heard:
        self._looked_at = self._looked_when = -inf
        try:
            while True:
                reason = self._step(turn, grammar, interrupted)
                if reason is not None:
                    return self._heard(turn, reason)
        except ModelError as failed:
            if failed.key != "recognizer-failed":
                raise
            self._unfinished = False
            return turn.heard(_NOTHING, HeardReason.ENGINE_FAILED)

    def _step(self, turn: _Turn, grammar: SpeakableGrammar, interrupted: Callable[[], bool]) -> HeardReason | None:
        """Listen to one more frame; return why that was the last one, None if it was not."""
        if interrupted():
            return HeardReason.INTERRUPTED
        if turn.attention.released():
            return HeardReason.RELEASED
        frame = self._microphone.read()
        if frame is None:
            return HeardReason.END_OF_INPUT
        words = self._words(turn.take(frame, self._voice_activity.probability(frame)))
        reason = turn.over(*self._needed(turn, grammar, words))
        if reason in (HeardReason.COMPLETE, HeardReason.QUIET) and turn.was_too_short():
            self._drop()
            turn.wait_again()
            return None
        return reason

    def _needed(self, turn: _Turn, grammar: SpeakableGrammar, words: str) -> tuple[float, bool]:
        """Return the s of quiet that end the utterance, and whether it is a whole sentence."""
        settings = self._end_of_speech
        if not self._unfinished or turn.quiet < settings.looking_quiet or turn.was_too_short():
            return settings.incomplete_quiet, False
        if self._looked_at != turn.ended and turn.quiet >= self._quiet_for_a_look(turn):
            self._looked_at, self._second, self._looked_when = turn.ended, None, turn.now
            self._recognizer.reconsider(turn.attention.strictness)
        if self._looked_at != turn.ended or turn.quiet < settings.complete_quiet:
            return settings.incomplete_quiet, False
        found = self._looked() or Recognition(words)
        if rejected(found, turn.attention.strictness):
            return settings.incomplete_quiet, False
        standing = grammar.ending(found.text)
        quiet = settings.wake_quiet if found.text in grammar.wake else settings.quiet(standing)
        return quiet, standing is not Ending.INCOMPLETE

    def _quiet_for_a_look(self, turn: _Turn) -> float:
        """Return the s of quiet after which the whole is looked at: more if that was done lately, for it takes time."""
        settings = self._end_of_speech
        rest = max(settings.looks_apart, settings.looks_share * (turn.now - (turn.began or 0.0)))
        lately = turn.now - self._looked_when < rest
        return settings.can_go_on_quiet if lately else settings.looking_quiet

    def _looked(self) -> Recognition | None:
        """Return what the second look found, waiting for it."""
        if self._second is None:
            self._second = self._recognizer.reconsidered()
        return self._second

    def _words(self, frames: list[bytes]) -> str:
        words = ""
        for frame in frames:
            self._unfinished = True
            words = self._recognizer.accept(frame)
        return words

    def _heard(self, turn: _Turn, reason: HeardReason) -> Heard:
        found = self._found(turn, reason)
        if rejected(found, turn.attention.strictness):
            return turn.heard(Recognition("", found.ratio), HeardReason.REJECTED)
        return turn.heard(found, reason)

    def _found(self, turn: _Turn, reason: HeardReason) -> Recognition:
        """Return what was said. An interrupted utterance is left for later: nobody waits for it."""
        if reason is HeardReason.INTERRUPTED or not self._unfinished:
            return _NOTHING
        if turn.was_too_short():
            self._drop()
            return _NOTHING
        if self._looked_at == turn.ended and (found := self._looked()) is not None:
            self._drop()
            return found
        self._unfinished = False
        return self._recognizer.finish(turn.attention.strictness)

    def _drop(self) -> None:
        """End an utterance whose words nobody needs."""
        if self._unfinished:
            self._unfinished = False
            self._recognizer.drop()
