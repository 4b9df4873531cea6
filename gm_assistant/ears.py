"""Where sentences come from: a keyboard, a microphone, or a sound file in its place."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, TypeVar

from gm_assistant.dialogue.grammar import Grammar
from gm_assistant.dialogue.intents import NotUnderstood
from gm_assistant.errors import ModelError
from gm_assistant.mouth import Mouth
from gm_assistant.session import Session
from gm_assistant.speech import earcons
from gm_assistant.speech.listener import Listener
from gm_assistant.speech.ports import Heard, HeardReason, Recognizer
from gm_assistant.terminal import TALK, Keyboard


@dataclass(frozen=True, slots=True)
class Words:
    """One sentence, as it was typed or as the recogniser gave it ("" if it gave nothing)."""

    text: str
    typed: bool


_Result = TypeVar("_Result")


class Ears(Protocol):
    """A source of sentences."""

    def next(self) -> Words | None:
        """Wait for the next sentence; None when no more can come."""


class KeyboardEars:
    """Typed lines only."""

    def __init__(self, keyboard: Keyboard) -> None:
        self._keyboard = keyboard

    def next(self) -> Words | None:
        """Return the next typed line."""
        line = self._keyboard.line()
        return None if line is None else Words(line, typed=True)


class SpokenEars:
    """A listener for the language that is spoken, with the grammar of the set-up's question or of play."""

    def __init__(self, session: Session, mouth: Mouth, build: Callable[[str], tuple[Recognizer, Listener]]) -> None:
        """`build` makes recogniser and listener of a language; it may raise ModelError."""
        self._session = session
        self._mouth = mouth
        self._build = build
        self._language: str | None = None
        self._grammar: Grammar | None = None

    def listen(self, interrupted: Callable[[], bool]) -> Heard:
        """Return what the listener hears now. Raise AudioError or ModelError."""
        self.prepare()
        return self._listener.listen(self._session.grammar.speakable, interrupted)

    @property
    def takes_enter(self) -> bool:
        """Whether the Enter key alone says something."""
        return self._session.takes_enter

    def fits(self, text: str) -> bool:
        """Return whether `text` is a sentence of the situation."""
        return not isinstance(self._session.grammar.parse(text), NotUnderstood)

    def prepare(self) -> None:
        """Make the recogniser ready for the language and situation, and say once which names it does not know.

        Raise ModelError if there is no recogniser for the language.
        """
        if self._session.language != self._language:
            self._recognizer, self._listener = self._build(self._session.language)
            self._language, self._grammar = self._session.language, None
        if self._session.grammar is self._grammar:
            return
        self._grammar = self._session.grammar
        unknown = self._recognizer.prepare(self._grammar.speakable)
        self._mouth.say(self._session.unheard(unknown))


class FileEars:
    """A sound file in place of the microphone; `elapsed` is told how long each turn of listening took (s)."""

    def __init__(self, spoken: SpokenEars, elapsed: Callable[[float], None]) -> None:
        self._spoken = spoken
        self._elapsed = elapsed

    def next(self) -> Words | None:
        """Return the next utterance of the file."""
        heard = self._spoken.listen(lambda: False)
        self._elapsed(heard.decided)
        if heard.reason is HeardReason.ENGINE_FAILED:
            raise ModelError("recognizer-failed")
        if heard.reason is HeardReason.END_OF_INPUT and not heard.text:
            return None
        return Words(heard.text, typed=False)


class PushToTalkEars:
    """A key opens the microphone for one sentence; any other key begins a typed line.

    These ears never have to be replaced: when microphone or recogniser fail, lines can still be typed, and the next
    press of the key tries again.
    """

    def __init__(self, spoken: SpokenEars, mouth: Mouth, keyboard: Keyboard, hold_off: float) -> None:
        self._spoken = spoken
        self._mouth = mouth
        self._keyboard = keyboard
        self._hold_off = hold_off
        self._failed = False

    def next(self) -> Words | None:
        """Return the next spoken or typed sentence. A key that interrupts the listening is taken as the next one.

        Raise AudioError or ModelError if listening fails, once for each time that somebody wants to speak.
        """
        while True:
            if not self._failed:
                self._attempt(self._spoken.prepare)
            line = self._keyboard.talk_or_line(enter=self._spoken.takes_enter)
            if line is None:
                return None
            if line != TALK:
                return Words(line, typed=True)
            self._mouth.play(earcons.listening())
            rest_of_own_sound(self._mouth, min(self._hold_off, _AFTER_TONE))
            heard = self._attempt(lambda: self._spoken.listen(self._keyboard.pressed))
            if heard.reason is HeardReason.ENGINE_FAILED:
                raise ModelError("recognizer-failed")
            if heard.reason is not HeardReason.INTERRUPTED:
                return self._sentence(heard.text)

    def _attempt(self, action: Callable[[], _Result]) -> _Result:
        """Do what may fail, and remember whether it did: nobody is told twice without having pressed the key again."""
        self._failed = True
        result = action()
        self._failed = False
        return result

    def _sentence(self, text: str) -> Words:
        if not text:
            self._mouth.play(earcons.not_heard())
        return Words(text, typed=False)


class OpenMicrophoneEars:
    """The microphone is open whenever the assistant is silent; keys can be used all the same."""

    def __init__(self, spoken: SpokenEars, mouth: Mouth, keyboard: Keyboard, hold_off: float) -> None:
        self._spoken = spoken
        self._mouth = mouth
        self._keyboard = keyboard
        self._hold_off = hold_off

    def next(self) -> Words | None:
        """Return the next sentence that fits; what fits no sentence was talk among people."""
        while True:
            self._spoken.prepare()
            rest_of_own_sound(self._mouth, self._hold_off)
            heard = self._spoken.listen(self._keyboard.pressed)
            if heard.reason is HeardReason.INTERRUPTED:
                line = self._keyboard.talk_or_line(wait=False, enter=self._spoken.takes_enter)
                if line != TALK:
                    return None if line is None else Words(line, typed=True)
            elif heard.reason is HeardReason.ENGINE_FAILED:
                raise ModelError("recognizer-failed")
            elif heard.reason is HeardReason.END_OF_INPUT:
                return None
            elif self._spoken.fits(heard.text):
                return Words(heard.text, typed=False)


_AFTER_TONE = 0.1
"""s between the tone and listening after a key: the person is asked to speak, nothing else was said."""


def rest_of_own_sound(mouth: Mouth, hold_off: float) -> None:
    """Wait until `hold_off` s have passed since our own sound ended: a room still rings."""
    time.sleep(still_ringing(mouth.ended, time.monotonic(), hold_off))


def still_ringing(ended: float, now: float, hold_off: float) -> float:
    """Return the s from `now` until `hold_off` s have passed since our own sound `ended`; 0 if they have."""
    return max(ended + hold_off - now, 0.0)
