"""What `gm-assistant microphone` does: hear itself, a quiet and a person, and say what is wrong with the microphone."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from threading import Event, Thread

from gm_assistant.assembly import MICROPHONE, file_microphone, recognizer_for, room_microphone, table_speaker
from gm_assistant.channels import Channel
from gm_assistant.dialogue.grammar import Grammar
from gm_assistant.dialogue.intents import IN_PLAY, Intent
from gm_assistant.dialogue.messages import Message
from gm_assistant.dialogue.pack import LanguagePack
from gm_assistant.dialogue.phrasebook import Phrasebook
from gm_assistant.dialogue.samples import plain_sentence
from gm_assistant.errors import AudioError, ModelError
from gm_assistant.library import Library
from gm_assistant.manner import Manner
from gm_assistant.settings import Settings
from gm_assistant.speech.audio import Kind, find_device
from gm_assistant.speech.deaf_recognizer import DeafRecognizer
from gm_assistant.speech.levels import Fault, Figures, faults, is_fit, measured
from gm_assistant.speech.listener import FRAME_SECONDS, Listener
from gm_assistant.speech.ports import Attention, Heard, Recognizer, Speaker, Strictness, Synthesizer
from gm_assistant.speech.pyttsx3_synthesizer import CachedSynthesizer, SynthesizerProcess
from gm_assistant.speech.recording import RecordingMicrophone
from gm_assistant.speech.resampling import Samples
from gm_assistant.speech.sound_server import hears_a_loudspeaker
from gm_assistant.speech.voice_activity import VoiceActivity
from gm_assistant.terminal import Keyboard, keyboard

SAID = Intent("vote_count", {"yes": 4, "no": 1})
"""What somebody is asked to say: short words, most of them alike, such as a game is full of."""

QUIET = 3.0
"""s in which nobody shall speak."""

_MONITOR = "monitor"
"""Part of the name of a device that hears what a loudspeaker plays, on every system that has one."""


@dataclass
class MicrophoneCheck:
    """Listens to a quiet and to a person, and to itself if it can speak."""

    book: Phrasebook
    grammar: Grammar
    sentence: str
    """Means SAID."""
    microphone: RecordingMicrophone
    recognizer: Recognizer | None
    """None: levels are measured all the same."""
    tell: Callable[[str], None]
    """Prints a text, and says it at the table if there is a voice and a loudspeaker; returns when it is over."""
    interrupted: Callable[[], bool]
    """A key ends the waiting for a sentence."""
    patience: float | None = None
    """s to wait for the sentence; None waits for ever."""
    hold_off: float = 0.0
    """s after our own sound in which the room still rings."""

    def run(self, device: str, monitor: Callable[[], bool], *, alone: bool) -> bool:
        """Check the microphone called `device`; return whether one can play with it.

        `alone`: there is nobody to talk to, it is a recording. `monitor` is asked while it is open. Raise AudioError.
        """
        own = None if alone else self._while_telling(Message("microphone-intro", {"device": device}))
        quiet, is_monitor = self._quiet(monitor)
        if not alone:
            self.tell(self.book.phrase(Message("microphone-say", {"sentence": self.sentence})))
            time.sleep(self.hold_off)
        heard = self._sentence()
        understood = None if self.recognizer is None else self.grammar.parse(heard.text) == SAID
        return self._told(measured(quiet, self.microphone.taken(), own, understood, is_monitor), heard.text)

    def _while_telling(self, message: Message) -> Samples:
        """Say something; return what the microphone hears of it."""
        over = Event()
        listening = Thread(target=self._record, args=(over.is_set,), daemon=True)
        self.microphone.open()
        listening.start()
        try:
            self.tell(self.book.phrase(message))
        finally:
            over.set()
            listening.join()
        return self.microphone.taken()

    def _quiet(self, monitor: Callable[[], bool]) -> tuple[Samples, bool]:
        time.sleep(self.hold_off)
        self.microphone.open()
        end = iter(range(round(QUIET / FRAME_SECONDS)))
        self._record(lambda: next(end, None) is None)
        is_monitor = monitor()
        self.microphone.shut()
        return self.microphone.taken(), is_monitor

    def _record(self, over: Callable[[], bool]) -> None:
        """Let the microphone hear until it is over; that it fails is noticed, and told, by whoever reads next."""
        with suppress(AudioError):
            while not over() and self.microphone.read() is not None:
                pass

    def _sentence(self) -> Heard:
        listener = Listener(self.microphone, self.recognizer or DeafRecognizer(), VoiceActivity())
        attention = Attention(Strictness.PUSHED, self.patience)
        return listener.listen(self.grammar.speakable, self.interrupted, attention)

    def _told(self, figures: Figures, text: str) -> bool:
        found = faults(figures)
        for message in (*verdict(figures, found, text, self.sentence), *figure_messages(figures)):
            self.tell(self.book.phrase(message))
        return is_fit(found)


def verdict(figures: Figures, found: tuple[Fault, ...], text: str, sentence: str) -> Iterator[Message]:
    """Yield what is wrong, the most important first, or that all is well; and what was understood.

    `text` was heard where `sentence` was asked for.
    """
    if not found:
        yield Message("microphone-well")
    for fault in found:
        yield Message(f"microphone-{fault}", {"sentence": sentence})
    if figures.understood is None:
        yield Message("microphone-no-recognizer")
    elif text:
        yield Message("microphone-understood", {"text": text})
    elif not figures.zeros:
        yield Message("microphone-not-understood")


def figure_messages(figures: Figures) -> Iterator[Message]:
    """Yield the figures as sentences: levels in dB below full scale."""
    if figures.zeros:
        return
    yield Message("microphone-levels", {"noise": _below(figures.noise), "speech": _below(figures.speech)})
    yield Message("microphone-ratio", {"ratio": round(figures.ratio), "clipped": round(1000 * figures.clipped)})
    if figures.own is not None:
        yield Message("microphone-own", {"own": _below(figures.own)})


def _below(level: float) -> int:
    return max(round(-level), 0)


def check_microphone(
    library: Library, settings: Settings, language: str, source: str, show: Callable[[str], None]
) -> bool:
    """Check the microphone of the settings, or the recording `source` if it is not MICROPHONE.

    Return whether one can play with it. Raise AudioError without a sound library, microphone or recording.
    """
    pack, book = library.pack(language, None), library.phrasebook(language, None)
    alone = source != MICROPHONE
    with ExitStack() as stack:
        microphone = RecordingMicrophone(file_microphone(source) if alone else room_microphone(settings))
        stack.callback(microphone.close)
        keys = keyboard(settings.talk_keys)
        stack.callback(keys.close)
        check = MicrophoneCheck(
            book,
            Grammar(pack, (), IN_PLAY),
            plain_sentence(pack, (), SAID),
            microphone,
            stack.enter_context(_recognizer(language, settings)),
            show if alone else stack.enter_context(_table(pack, settings, keys, show)),
            (lambda: False) if alone else keys.pressed,
            settings.patience or None,
            0.0 if alone else settings.hold_off,
        )
        device = source if alone else find_device(settings.microphone_device, Kind.INPUT).full_name
        return check.run(device, lambda: not alone and _is_monitor(device), alone=alone)


def _is_monitor(device: str) -> bool:
    return _MONITOR in device.casefold() or hears_a_loudspeaker()


@contextmanager
def _recognizer(language: str, settings: Settings) -> Iterator[Recognizer | None]:
    try:
        recognizer = recognizer_for(language, settings)
    except ModelError:
        yield None
        return
    try:
        yield recognizer
    finally:
        recognizer.close()


@contextmanager
def _table(
    pack: LanguagePack, settings: Settings, keys: Keyboard, show: Callable[[str], None]
) -> Iterator[Callable[[str], None]]:
    """Yield what prints a text and says it at the table, as far as there is a voice and a loudspeaker."""
    try:
        speaker: Speaker | None = table_speaker(settings)
    except AudioError:
        speaker = None
    synthesizer: Synthesizer = CachedSynthesizer(SynthesizerProcess())
    voice = Manner().voice(pack, Channel.TABLE, sys.platform)

    def tell(text: str) -> None:
        show(text)
        if speaker is not None:
            with suppress(AudioError):  # it stands on the screen
                speaker.play(synthesizer.synthesize(text, voice), keys.pressed)

    try:
        yield tell
    finally:
        synthesizer.close()
        if speaker is not None:
            speaker.close()
