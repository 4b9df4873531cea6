"""Where sentences come from: a keyboard, a microphone, or a sound file in its place."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Protocol, TypeVar

from gm_assistant.dialogue.grammar import Grammar
from gm_assistant.dialogue.intents import NotUnderstood
from gm_assistant.dialogue.wake import behind
from gm_assistant.echo import Said
from gm_assistant.errors import ModelError
from gm_assistant.mouth import Mouth
from gm_assistant.pipe import left, until
from gm_assistant.session import Session
from gm_assistant.speakable import SpeakableGrammar
from gm_assistant.speech import earcons
from gm_assistant.speech.lately import PRE_ROLL
from gm_assistant.speech.listener import Listener
from gm_assistant.speech.ports import Attention, Heard, HeardReason, Microphone, Recognizer, Strictness
from gm_assistant.terminal import LATE, TALK, Keyboard


@dataclass(frozen=True, slots=True)
class Words:
    """One sentence, as it was typed or as the recogniser gave it ("" if it gave nothing)."""

    text: str
    typed: bool


class Instead(Enum):
    """What happened instead of a sentence."""

    TIME_IS_UP = "time is up"
    MISHEARD = "misheard"
    """Somebody surely spoke to us, but it was nothing that can be said."""


_Result = TypeVar("_Result")


class Ears(Protocol):
    """A source of sentences."""

    def next(self, seconds: float | None = None) -> Words | Instead | None:
        """Wait for the next sentence; None when no more can come.

        TIME_IS_UP if nobody has begun to say or type one within `seconds`; None waits for ever.
        """

    def ahead(self) -> None:
        """Make ready for what can be said next, as far as that takes no time now."""


class KeyboardEars:
    """Typed lines only."""

    def __init__(self, keyboard: Keyboard) -> None:
        self._keyboard = keyboard

    def next(self, seconds: float | None = None) -> Words | Instead | None:
        """Return the next typed line."""
        if seconds is not None and not self._keyboard.awaited(seconds):
            return Instead.TIME_IS_UP
        line = self._keyboard.line()
        return None if line is None else Words(line, typed=True)

    def ahead(self) -> None:
        """Do nothing: keys can always be pressed."""


class SpokenEars:
    """A listener for the language that is spoken, with the grammar of the set-up's question or of play."""

    def __init__(
        self,
        session: Session,
        mouth: Mouth,
        build: Callable[[str], tuple[Recognizer, Listener]],
        phrases: Callable[[str], tuple[str, ...]] = lambda _: (),
    ) -> None:
        """`build` makes recogniser and listener of a language; it may raise ModelError.

        `phrases` are what wakes the assistant in a language. Without any, everything that fits is meant for it.
        """
        self._session = session
        self._mouth = mouth
        self._build = build
        self._phrases = phrases
        self._awake: dict[int, _Called] = {}
        self._language: str | None = None
        self._grammar: Grammar | None = None
        self._told: frozenset[str] = frozenset()

    def listen(
        self, interrupted: Callable[[], bool], attention: Attention, grammar: SpeakableGrammar | None = None
    ) -> Heard:
        """Return what the listener hears now, of `grammar` or of what the session understands.

        Raise AudioError or ModelError.
        """
        self.prepare()
        heard = self._listener.listen(grammar or self.grammar(free=True), interrupted, attention)
        if heard.reason is HeardReason.ENGINE_FAILED:
            raise ModelError("recognizer-failed")
        return heard

    @property
    def takes_enter(self) -> bool:
        """Whether the Enter key alone says something."""
        return self._session.takes_enter

    @property
    def answers(self) -> bool:
        """Whether what is said now may be an answer to a question of the assistant."""
        return self._session.awaits_answer or self._session.view is None or self._session.takes_enter

    @property
    def asleep(self) -> bool:
        """Whether only the words to wake up count."""
        return self._session.asleep

    @property
    def phrases(self) -> tuple[str, ...]:
        """What wakes the assistant in the language that is spoken."""
        return self._phrases(self._session.language)

    def grammar(self, *, free: bool) -> SpeakableGrammar:
        """Return what can be said now, with a wake phrase in front; if `free`, also without one."""
        plain = self._session.grammar.speakable
        if not self.phrases:
            return plain
        if id(plain) not in self._awake:
            if len(self._awake) >= _KEPT:
                del self._awake[next(iter(self._awake))]
            called = behind(self.phrases, plain)
            self._awake[id(plain)] = _Called(plain, called, SpeakableGrammar.united((plain, called)))
        found = self._awake[id(plain)]
        return found.both if free else found.called

    def strictness(self, ordinary: Strictness) -> Strictness:
        """Return how sure the recogniser must be now."""
        return Strictness.IRREVERSIBLE if self._session.irreversible else ordinary

    def fits(self, text: str) -> bool:
        """Return whether `text` is a sentence of the situation."""
        return not isinstance(self._session.grammar.parse(text), NotUnderstood)

    def ahead(self) -> None:
        """Make the recogniser ready for what can be said next, if it is there already."""
        if self._session.language == self._language and self._session.grammar is not self._grammar:
            for free in (True, False) if self.phrases else (True,):
                self._recognizer.ahead(self.grammar(free=free))

    def prepare(self) -> None:
        """Make the recogniser ready for the language and situation, and say once which names it does not know.

        Raise ModelError if there is no recogniser for the language, or ("wake-phrase-unknown") if it knows no phrase.
        """
        if self._session.language != self._language:
            self._recognizer, self._listener = self._build(self._session.language)
            self._language, self._grammar, self._told = self._session.language, None, frozenset()
        if self._session.grammar is self._grammar:
            return
        self._grammar = self._session.grammar
        unknown = self._recognizer.prepare(self.grammar(free=True))
        if self.phrases and all(unknown & set(phrase.split()) for phrase in self.phrases):
            raise ModelError("wake-phrase-unknown", phrase=self.phrases[0])
        untold, self._told = unknown - self._told, self._told | unknown
        self._mouth.say(self._session.unheard(untold))


@dataclass(frozen=True, slots=True)
class _Called:
    """A grammar, the same behind a wake phrase, and both."""

    plain: SpeakableGrammar
    called: SpeakableGrammar
    both: SpeakableGrammar


_KEPT = 32
"""A game has a grammar for each of its situations."""


class FileEars:
    """A sound file in place of the microphone; `elapsed` is told how long each turn of listening took (s)."""

    def __init__(self, spoken: SpokenEars, elapsed: Callable[[float], None]) -> None:
        self._spoken = spoken
        self._elapsed = elapsed

    def next(self, seconds: float | None = None) -> Words | Instead | None:  # noqa: ARG002 - the file says when
        """Return the next utterance of the file."""
        attention = Attention(self._spoken.strictness(Strictness.PUSHED), patience=None)
        heard = self._spoken.listen(lambda: False, attention)
        self._elapsed(heard.decided)
        if heard.reason is HeardReason.REJECTED:
            return Instead.MISHEARD
        if heard.reason is HeardReason.END_OF_INPUT and not heard.text:
            return None
        return Words(heard.text, typed=False)

    def ahead(self) -> None:
        """Make the recogniser ready for what can be said next."""
        self._spoken.ahead()


class PushToTalkEars:
    """A key opens the microphone for one sentence; any other key begins a typed line.

    The key can be tapped: then the sentence ends by itself, or with a second tap. Or it is held while somebody speaks.
    These ears never have to be replaced: when microphone or recogniser fail, lines can still be typed, and the next
    press of the key tries again.
    """

    def __init__(
        self,
        spoken: SpokenEars,
        microphone: Microphone,
        mouth: Mouth,
        keyboard: Keyboard,
        *,
        hold_off: float,
        patience: float | None,
    ) -> None:
        """Wait `hold_off` s after our own sound, and `patience` s for somebody to begin (None: for ever)."""
        self._spoken = spoken
        self._microphone = microphone
        self._mouth = mouth
        self._keyboard = keyboard
        self._hold_off = hold_off
        self._patience = patience
        self._failed = False

    def next(self, seconds: float | None = None) -> Words | Instead | None:
        """Return the next spoken or typed sentence. A key that interrupts the listening is taken as the next one.

        Raise AudioError or ModelError if listening fails, once for each time that somebody wants to speak.
        """
        end = until(seconds)
        while True:
            if not self._failed:
                self._attempt(self._spoken.prepare)
            line = self._keyboard.talk_or_line(enter=self._spoken.takes_enter, seconds=left(end))
            if line == LATE:
                return Instead.TIME_IS_UP
            if line is None:
                return None
            if line != TALK:
                return Words(line, typed=True)
            said = self._attempt(self._spoken_sentence)
            if said is not None:
                return said

    def ahead(self) -> None:
        """Make the recogniser ready for what can be said next."""
        if not self._failed:
            self._spoken.ahead()

    def _spoken_sentence(self) -> Words | Instead | None:
        """Hear somebody who begins to speak with the key, before the tone or after it; None if nobody did."""
        pressed, ended = self._keyboard.talk_pressed, self._mouth.ended
        said = Said(self._mouth.said, ended, gate=max(pressed - PRE_ROLL, ended + self._hold_off))
        attention = Attention(
            self._spoken.strictness(Strictness.PUSHED),
            self._patience,
            said.gate,
            released=self._keyboard.finished,
            held=self._keyboard.held,
        )
        try:
            self._microphone.open(said.gate)
            self._mouth.play(earcons.listening())
            heard = self._spoken.listen(self._keyboard.interrupted, attention)
        finally:
            self._microphone.shut()
        began = said.gate + heard.speech_began
        if began < pressed and said.is_echo(heard.text, began, answers=self._spoken.answers):
            heard = Heard("", HeardReason.RELEASED)
        return self._sentence(heard)

    def _sentence(self, heard: Heard) -> Words | Instead | None:
        if heard.reason is HeardReason.INTERRUPTED:
            return None
        if heard.text:
            return Words(heard.text, typed=False)
        if heard.reason is HeardReason.REJECTED or heard.speech_ended > 0:
            return Instead.MISHEARD
        self._mouth.play(earcons.not_heard())
        return None if heard.reason is HeardReason.RELEASED else Words("", typed=False)

    def _attempt(self, action: Callable[[], _Result]) -> _Result:
        """Do what may fail, and remember whether it did: nobody is told twice without having pressed the key again."""
        self._failed = True
        result = action()
        self._failed = False
        return result


def rest_of_own_sound(mouth: Mouth, hold_off: float) -> None:
    """Wait until `hold_off` s have passed since our own sound ended: a room still rings."""
    time.sleep(still_ringing(mouth.ended, time.monotonic(), hold_off))


def still_ringing(ended: float, now: float, hold_off: float) -> float:
    """Return the s from `now` until `hold_off` s have passed since our own sound `ended`; 0 if they have."""
    return max(ended + hold_off - now, 0.0)
