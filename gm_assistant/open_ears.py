"""An open microphone: who speaks to the assistant says so with a wake phrase, or answers it."""

from __future__ import annotations

import time

from gm_assistant.dialogue.wake import addressed
from gm_assistant.ears import Instead, SpokenEars, Words, rest_of_own_sound
from gm_assistant.echo import Said
from gm_assistant.mouth import Mouth
from gm_assistant.pipe import left, until
from gm_assistant.speech import earcons
from gm_assistant.speech.ports import Attention, Heard, HeardReason, Strictness
from gm_assistant.terminal import TALK, Keyboard

_CALLED = 6.0
"""s that somebody has who has said the wake phrase alone, where an answer opens no time of its own."""
_AFTER_TONE = 0.1
"""s between the tone and listening: nothing else was said."""
_NEVER = float("-inf")


class OpenMicrophoneEars:
    """The microphone is open whenever the assistant is silent; keys can be used all the same.

    Without the wake phrase nothing counts but what is said within `follow_up` s after an answer or after the phrase
    alone, and answers to questions of the assistant. The key to talk stands for the phrase.
    """

    def __init__(
        self, spoken: SpokenEars, mouth: Mouth, keyboard: Keyboard, *, hold_off: float, follow_up: float
    ) -> None:
        """Wait `hold_off` s after our own sound; `follow_up` in s, 0 for none after an answer."""
        self._spoken = spoken
        self._mouth = mouth
        self._keyboard = keyboard
        self._hold_off = hold_off
        self._follow_up = follow_up
        self._free_until = _NEVER
        self._answered = False
        self._pressed = keyboard.talk_pressed
        self._rings = hold_off

    def next(self, seconds: float | None = None) -> Words | Instead | None:
        """Return the next sentence that is meant for us and fits; what does not was talk among people."""
        end = until(seconds)
        if self._answered and self._follow_up:
            self._free_until = max(self._mouth.ended, time.monotonic()) + self._follow_up
        self._answered = False
        while True:
            self._spoken.prepare()
            rest_of_own_sound(self._mouth, self._rings)
            self._rings = self._hold_off
            free, patience = self._window(left(end))
            said = Said(self._mouth.said, self._mouth.ended, gate=time.monotonic())
            attention = Attention(self._spoken.strictness(Strictness.OPEN), patience)
            heard = self._spoken.listen(self._keyboard.pressed, attention, self._spoken.grammar(free=free))
            if heard.reason is HeardReason.INTERRUPTED:
                line = self._keyboard.talk_or_line(wait=False, enter=self._spoken.takes_enter)
                if line != TALK:
                    return None if line is None else Words(line, typed=True)
                self._talk_key()
            elif heard.reason is HeardReason.END_OF_INPUT:
                return None
            elif (sentence := self._meant_for_us(heard, said, free)) is not None:
                self._answered = True
                return Words(sentence, typed=False)
            elif left(end) == 0:
                return Instead.TIME_IS_UP

    def ahead(self) -> None:
        """Make the recogniser ready for what can be said next."""
        self._spoken.ahead()

    def _window(self, patience: float | None) -> tuple[bool, float | None]:
        """Return whether no wake phrase is needed now, and how long that, or the caller's patience, lasts (s)."""
        if not self._spoken.phrases:
            return True, patience
        if self._spoken.asleep:
            return False, patience
        if self._spoken.answers:
            return True, patience
        free = self._free_until - time.monotonic()
        if free <= 0:
            return False, patience
        return True, free if patience is None else min(free, patience)

    def _meant_for_us(self, heard: Heard, said: Said, free: bool) -> str | None:
        """Return the sentence that somebody said to us, None if it was not meant for us or does not fit.

        Whoever said the phrase, and nothing that fits behind it, is asked by the tone to go on.
        """
        if not heard.text:
            return None
        sentence = addressed(heard.text, self._spoken.phrases)
        if sentence is None:
            began = said.gate + heard.speech_began
            if not free or said.is_echo(heard.text, began, answers=self._spoken.answers):
                return None
            return heard.text if self._spoken.fits(heard.text) else None
        if not self._spoken.fits(sentence):
            self._call()
            return None
        return sentence

    def _talk_key(self) -> None:
        """Take a new press of the key to talk as the wake phrase; any other key has only stopped the listening."""
        if self._keyboard.talk_pressed != self._pressed:
            self._pressed = self._keyboard.talk_pressed
            self._call()

    def _call(self) -> None:
        """Answer the wake phrase: from now on it is not needed for some time."""
        if not self._spoken.asleep:
            self._mouth.play(earcons.listening())
            self._free_until = time.monotonic() + (self._follow_up or _CALLED)
            self._rings = min(self._hold_off, _AFTER_TONE)
