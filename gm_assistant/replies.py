"""Messages to replies: in which channel, and what each channel heard last."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from gm_assistant.dialogue.messages import HeadsetMessages, Message, Messages
from gm_assistant.dialogue.phrasebook import Phrasebook
from gm_assistant.dialogue.reminders import reminders
from gm_assistant.dialogue.steps import Ahead, Equal, Say, Step, Steps, Whisper
from gm_assistant.dialogue.whispers import vote_whispers
from gm_assistant.utterances import (
    EqualWhisper,
    HeadsetUtterance,
    Noise,
    Prepare,
    Reply,
    Rest,
    Secret,
    TableUtterance,
    Utterance,
)


def uninterrupted(reply: Reply) -> Reply:
    """Return a reply that no key ends before its last word if anything in it must be heard."""
    must = any(isinstance(one, TableUtterance) and one.must for one in reply)
    return tuple(replace(one, must=True) if must and isinstance(one, TableUtterance) else one for one in reply)


class Replies:
    """Puts messages into words, and remembers them so that they can be repeated."""

    def __init__(self, phrasebook: Callable[[], Phrasebook]) -> None:
        """`phrasebook` gives the words that are spoken now."""
        self._phrasebook = phrasebook
        self._table: TableUtterance | None = None
        self._headset: Secret | None = None

    def table(self, messages: Messages) -> Reply:
        """Return what the table hears; "repeat" brings it again."""
        self._table = self._said(messages)
        return (self._table,)

    def aside(self, *messages: Message) -> Reply:
        """Return something about the talk itself: "repeat" still brings what was said before it."""
        return (self._said(messages),)

    def headset(self, messages: Messages) -> Reply:
        """Return what everybody may know, for the headset."""
        self._headset = Secret(self._phrasebook().say(messages))
        return (HeadsetUtterance(self._headset),)

    def voted(self, approves: bool) -> Reply:
        """Return what the headset hears of a secret vote if there is one: yes takes as long as no."""
        return self.performed((Equal(*vote_whispers(approves), filled=False, needed=False),))

    def votes_ahead(self) -> Reply:
        """Return time to make that sound, so that the first vote takes no longer than the others."""
        return self.performed((Ahead(Equal(*vote_whispers(approves=True), filled=False, needed=False)),))

    def performed(self, steps: Steps) -> Reply:
        """Return a script in words, one utterance a step. "Repeat" brings up nothing of it: it may be secret."""
        return tuple(map(self._performed, steps))

    def repeated(self, *, whisper: bool) -> Reply:
        """Return what the channel heard last: a repeat at the table never brings up a whisper."""
        nothing = self._phrasebook().phrase(Message("nothing-said-yet"))
        if whisper:
            return (HeadsetUtterance(self._headset or Secret(nothing)),)
        return (self._table or TableUtterance(nothing),)

    def _performed(self, step: Step) -> Utterance:
        match step:
            case Say(messages, must):
                return TableUtterance(
                    self._phrasebook().say(messages), must
                )  # a line of a script is heard whole or again
            case Whisper(messages, needed):
                return HeadsetUtterance(self._phrasebook().secret(messages), needed)
            case Equal():
                return self._equal(step)
            case Ahead(whisper):
                return Prepare(self._equal(whisper))
            case Rest() | Noise():
                return step

    def _said(self, messages: Messages) -> TableUtterance:
        sentences = self._phrasebook().sentences(messages)
        return TableUtterance(" ".join(sentences), sentences=sentences)

    def _equal(self, step: Equal) -> EqualWhisper:
        return EqualWhisper(
            tuple(map(self._sentences, step.variants)),
            step.chosen,
            tuple(tuple(map(self._sentences, kind)) for kind in step.frame),
            reminders(self._phrasebook()) if step.filled else (),
            step.times,
            step.needed,
        )

    def _sentences(self, messages: HeadsetMessages) -> tuple[Secret, ...]:
        return tuple(self._phrasebook().secret((message,)) for message in messages)
