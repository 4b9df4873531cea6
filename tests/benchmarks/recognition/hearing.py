"""The real ears with sound from memory in place of the room: voice activity, listener and recogniser process."""

from __future__ import annotations

from gm_assistant.dialogue.grammar import Grammar
from gm_assistant.speakable import SpeakableGrammar
from gm_assistant.speech.listener import Listener
from gm_assistant.speech.ports import FRAME_SAMPLES, RECOGNIZER_RATE, Attention, Heard, HeardReason, Recognizer
from gm_assistant.speech.voice_activity import VoiceActivity
from tests.benchmarks.recognition.sound import Sound, to_pcm


class Tape:
    """A `Microphone` that hears one sound. What is not read stays for the next time it is opened."""

    def __init__(self) -> None:
        self._pcm, self._place = b"", 0
        self.heard = 0
        """Frames that were read since the beginning, of all sounds."""

    def load(self, sound: Sound) -> None:
        """Hear `sound` next instead of whatever was left."""
        self._pcm, self._place = to_pcm(sound), 0

    def skip(self, seconds: float) -> None:
        """Leave out so much: the microphone was shut."""
        self._place += 2 * FRAME_SAMPLES * round(seconds * RECOGNIZER_RATE / FRAME_SAMPLES)

    @property
    def seconds(self) -> float:
        """Return how far the sound has been heard, in s."""
        return self._place / 2 / RECOGNIZER_RATE

    def open(self, since: float | None = None) -> None:
        """Begin where the reading ended."""

    def read(self) -> bytes | None:
        """Return the next frame, None at the end."""
        frame = self._pcm[self._place : self._place + 2 * FRAME_SAMPLES]
        self._place += 2 * FRAME_SAMPLES
        self.heard += 1
        return frame if len(frame) == 2 * FRAME_SAMPLES else None

    def shut(self) -> None:
        """Nothing is left to do."""

    def close(self) -> None:
        """Nothing is left to free."""


class Ears:
    """Hears one sound at a time with the situation's grammar."""

    def __init__(self, recognizer: Recognizer) -> None:
        self.tape = Tape()
        self.recognizer = recognizer
        self.listener = Listener(self.tape, recognizer, VoiceActivity())

    def heard(self, sound: Sound, grammar: SpeakableGrammar, attention: Attention) -> Heard:
        """Return what is heard in `sound`. Raise RuntimeError if the engine fails: nothing could be measured."""
        self.tape.load(sound)
        heard = self.listener.listen(grammar, lambda: False, attention)
        if heard.reason is HeardReason.ENGINE_FAILED:
            raise RuntimeError(heard.reason)
        return heard

    @property
    def seconds(self) -> float:
        """Return the s of sound that were heard so far."""
        return self.tape.heard * FRAME_SAMPLES / RECOGNIZER_RATE


def spoken_grammar(grammar: Grammar) -> SpeakableGrammar:
    """Return what the recogniser listens for in a situation."""
    return grammar.speakable
