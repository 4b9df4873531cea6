"""Whispers of equal length, made for all at once and kept in memory: whoever comes to the headset, none takes time."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import replace

from gm_assistant.speech.equal_whispers import equal_whispers
from gm_assistant.speech.ports import Audio, HeadsetAudio, Synthesizer, Voice
from gm_assistant.utterances import EqualWhisper

KEPT = 8
"""Kinds of whispers that are kept; a kind is some MB for ten players."""

BETWEEN = 1.0
"""s of silence between two times that the same is said."""

_Key = tuple[object, ...]


def _unchanged() -> None:
    return


class WhisperMaker:
    """Makes the sound of whispers, and forgets it when told so."""

    def __init__(self, synthesizer: Synthesizer, spelling: Callable[[], Hashable] = _unchanged) -> None:
        """`spelling` is another value whenever the synthesizer says the same text in another way."""
        self._synthesizer = synthesizer
        self._spelling = spelling
        self._kept: OrderedDict[_Key, tuple[HeadsetAudio, ...]] = OrderedDict()

    def prepare(self, whisper: EqualWhisper, voice: Voice) -> None:
        """Make the sound of `whisper` and of all that could have been said in its place. Raise AudioError."""
        key = self._key(whisper, voice)
        if key not in self._kept:
            self._kept[key] = self._made(whisper, voice)
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)

    def sound(self, whisper: EqualWhisper, voice: Voice) -> HeadsetAudio:
        """Return what is heard, as often as it is said. Raise AudioError."""
        self.prepare(whisper, voice)
        once = self._kept[self._key(whisper, voice)][whisper.chosen].audio
        pause = bytes(2 * int(BETWEEN * once.rate))
        return HeadsetAudio(Audio(pause.join([once.pcm] * whisper.times), once.rate))

    def forget(self) -> None:
        """Keep nothing."""
        self._kept.clear()

    def _key(self, whisper: EqualWhisper, voice: Voice) -> _Key:
        return whisper.variants, whisper.frame, whisper.reminders, voice, self._spelling()

    def _made(self, whisper: EqualWhisper, voice: Voice) -> tuple[HeadsetAudio, ...]:
        def speak(text: str, tempo: float) -> Audio:
            return self._synthesizer.synthesize(text, replace(voice, rate=round(voice.rate * tempo)))

        return equal_whispers(whisper.variants, whisper.reminders, speak, whisper.frame)
