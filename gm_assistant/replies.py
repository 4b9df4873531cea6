"""Messages to replies: in which channel, and what each channel heard last."""

from __future__ import annotations

from collections.abc import Callable

from gm_assistant.channels import Channel
from gm_assistant.dialogue.messages import Message, Messages
from gm_assistant.dialogue.phrasebook import Phrasebook
from gm_assistant.utterances import HeadsetUtterance, Reply, TableUtterance


class Replies:
    """Puts messages into words, and remembers them so that they can be repeated."""

    def __init__(self, phrasebook: Callable[[], Phrasebook]) -> None:
        """`phrasebook` gives the words that are spoken now."""
        self._phrasebook = phrasebook
        self._last: dict[Channel, str] = {}

    def table(self, messages: Messages) -> Reply:
        """Return what the table hears; "repeat" brings it again."""
        text = self._phrasebook().say(messages)
        self._last[Channel.TABLE] = text
        return (TableUtterance(text),)

    def aside(self, *messages: Message) -> Reply:
        """Return something about the talk itself: "repeat" still brings what was said before it."""
        return (TableUtterance(self._phrasebook().say(messages)),)

    def headset(self, messages: Messages) -> Reply:
        """Return what only the headset hears."""
        text = self._phrasebook().say(messages)
        self._last[Channel.HEADSET] = text
        return (HeadsetUtterance(text),)

    def repeated(self, *, whisper: bool) -> Reply:
        """Return what the channel heard last: a repeat at the table never brings up a whisper."""
        channel = Channel.HEADSET if whisper else Channel.TABLE
        text = self._last.get(channel) or self._phrasebook().phrase(Message("nothing-said-yet"))
        return (HeadsetUtterance(text),) if whisper else (TableUtterance(text),)
