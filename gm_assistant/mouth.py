"""Everything that leaves the program: printed as a plain line, spoken on the channel it is meant for."""

from __future__ import annotations

import time
from collections.abc import Callable

from gm_assistant.channels import Channel
from gm_assistant.dialogue.messages import Message
from gm_assistant.errors import AudioError
from gm_assistant.session import Session
from gm_assistant.speech.ports import Audio, Speaker, Synthesizer
from gm_assistant.utterances import HeadsetUtterance, Reply, TableUtterance


class Mouth:
    """Says replies. Without a speaker they are printed only."""

    def __init__(
        self,
        session: Session,
        show: Callable[[str], None],
        pressed: Callable[[], bool],
        synthesizer: Synthesizer | None = None,
        speaker: Speaker | None = None,
        *,
        platform: str,
        show_headset: bool = False,
    ) -> None:
        """`pressed` tells whether a key wants silence; `platform` is `sys.platform`."""
        self._session = session
        self._show = show
        self._pressed = pressed
        self._synthesizer = synthesizer
        self._speaker = speaker
        self._platform = platform
        self._show_headset = show_headset
        self._complained: set[str] = set()
        self.ended = time.monotonic()
        """When the last sound at the table had ended (s, monotonic clock)."""

    def say(self, reply: Reply) -> None:
        """Print and speak every utterance, one after the other; a key stops the sound at once."""
        for utterance in reply:
            match utterance:
                case TableUtterance(text):
                    self._say_at_table(text)
                case HeadsetUtterance(text, needed):
                    self._whisper(text, needed)

    def play(self, audio: Audio) -> None:
        """Play a sound without words at the table, if there is a loudspeaker."""
        if self._speaker is not None:
            try:
                self._speaker.play(audio, Channel.TABLE, lambda: False)
            except AudioError as error:
                self._complain(error)
            self.ended = time.monotonic()

    def _say_at_table(self, text: str) -> None:
        self._show(f"{Channel.TABLE}: {text}")
        if self._speaker is None or self._synthesizer is None:
            return
        try:
            audio = self._synthesizer.synthesize(text, self._session.voice(Channel.TABLE, self._platform))
            self._speaker.play(audio, Channel.TABLE, self._pressed)
        except AudioError as error:
            self._complain(error)
        self.ended = time.monotonic()

    def _whisper(self, text: str, needed: bool) -> None:
        """Speak into the headset or nowhere: what cannot be whispered is not said at all."""
        if self._speaker is not None and self._synthesizer is not None:
            try:
                audio = self._synthesizer.synthesize(text, self._session.voice(Channel.HEADSET, self._platform))
                self._speaker.play(audio, Channel.HEADSET, self._pressed)
            except AudioError:
                if needed:
                    self._say_at_table(self._session.phrasebook.phrase(Message("headset-not-ready")))
                return
        hidden = self._session.phrasebook.phrase(Message("headset-hidden"))
        self._show(f"{Channel.HEADSET}: {text if self._show_headset else hidden}")

    def _complain(self, error: AudioError) -> None:
        """Print once what does not work. It is not spoken: speaking is what does not work."""
        if error.key not in self._complained:
            self._complained.add(error.key)
            for utterance in self._session.excuse(error):
                self._show(f"{Channel.TABLE}: {utterance.text}")
