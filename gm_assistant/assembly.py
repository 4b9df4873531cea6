"""Builds the real parts: what speaks and what hears, or what is there instead and why."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from gm_assistant.checked import checked
from gm_assistant.data import data_folder, load_yaml
from gm_assistant.ears import (
    Ears,
    FileEars,
    KeyboardEars,
    PushToTalkEars,
    SpokenEars,
)
from gm_assistant.errors import AudioError, GmError, LanguagePackError, ModelError
from gm_assistant.mouth import Habits, Mouth
from gm_assistant.open_ears import OpenMicrophoneEars
from gm_assistant.output import show
from gm_assistant.session import Session
from gm_assistant.settings import Settings, models_folder
from gm_assistant.speech.ahead import AheadSynthesizer
from gm_assistant.speech.folder_speaker import FolderSpeaker
from gm_assistant.speech.listener import Listener
from gm_assistant.speech.microphones import DeviceMicrophone, FileMicrophone
from gm_assistant.speech.phonemes import Espeak
from gm_assistant.speech.playback import DeviceSpeaker
from gm_assistant.speech.pocketsphinx_recognizer import POCKETSPHINX_LANGUAGE, PocketsphinxEngine, PocketsphinxJudge
from gm_assistant.speech.ports import Microphone, PromptSynthesizer, Recognizer, Speaker
from gm_assistant.speech.pyttsx3_synthesizer import CachedSynthesizer, SynthesizerProcess
from gm_assistant.speech.recognizer_process import RecognizerProcess
from gm_assistant.speech.recording import AlarmedMicrophone
from gm_assistant.speech.respelling import RespellingSynthesizer
from gm_assistant.speech.split_speaker import SplitSpeaker
from gm_assistant.speech.voice_activity import VoiceActivity
from gm_assistant.speech.vosk_recognizer import VoskEngine
from gm_assistant.speech.whole_recognizer import WholeRecognizer
from gm_assistant.terminal import Keyboard, PipedKeyboard, keyboard

KEYBOARD, MICROPHONE = "keyboard", "microphone"
DEVICES, TEXT = "devices", "text"


@dataclass
class Parts:
    """The mouth and ears of one run. `notices` say what is missing; use it in a `with` statement of `assembled`."""

    mouth: Mouth
    ears: Ears
    keyboard: Keyboard
    notices: list[GmError] = field(default_factory=list)
    private: bool = False
    """There is a headset to whisper into."""

    def fallback(self, _: GmError) -> Ears:
        """Return the ears to go on with: the same if a key can try them again, else the keyboard alone."""
        return self.ears if isinstance(self.ears, PushToTalkEars) else KeyboardEars(self.keyboard)


@contextmanager
def assembled(
    session: Session,
    settings: Settings,
    source: str,
    target: str,
    *,
    show_headset: bool,
    phrases: Callable[[str], tuple[str, ...]] = lambda _: (),
) -> Iterator[Parts]:
    """Yield mouth and ears, and free every device afterwards.

    `phrases` are what is said before a sentence to an open microphone, in a language.
    `source` is KEYBOARD, MICROPHONE or a WAV file, `target` DEVICES, TEXT or a folder. A file or folder that cannot
    be used raises AudioError; a device or model that is missing becomes a notice, and the game goes on without it.
    """
    with ExitStack() as stack:
        keys = keyboard(settings.talk_keys)
        stack.callback(keys.close)
        notices: list[GmError] = []
        speaker = _speaker(settings, target, notices)
        synthesizer = _voice(session) if speaker else None
        for part in (speaker, synthesizer):
            if part is not None:
                stack.callback(part.close)
        lead_in = settings.headset_lead_in if isinstance(speaker, DeviceSpeaker | SplitSpeaker) else 0.0
        habits = Habits(show_headset, settings.noise_volume, lead_in, unhurried=not isinstance(keys, PipedKeyboard))
        mouth = Mouth(session, show, keys.pressed, synthesizer, speaker, platform=sys.platform, habits=habits)
        ears = _Hearing(session, settings, mouth, keys, speaker, stack, phrases).ears(source, notices)
        private = show_headset or _whispers(speaker, settings)
        if private:
            session.may_whisper()
        yield Parts(mouth, ears, keys, list({str(notice): notice for notice in notices}.values()), private)


def _whispers(speaker: Speaker | None, settings: Settings) -> bool:
    """Return whether there is a headset, whether it is connected now or not."""
    return speaker is not None and (not isinstance(speaker, DeviceSpeaker) or settings.headset_device is not None)


def recognizer_for(language: str, settings: Settings) -> Recognizer:
    """Return the recogniser of a language: Vosk if a model is there, else the embedded one for English.

    Raise ModelError("no-model") with the language and where a model belongs.
    """
    folder = vosk_folder(settings, language)
    if folder is not None:
        return RecognizerProcess(partial(VoskEngine, str(folder), _decoys(language)))
    if language == POCKETSPHINX_LANGUAGE:
        engine = partial(PocketsphinxEngine, _pronunciations(language), Espeak)
        return WholeRecognizer(engine, PocketsphinxJudge)
    raise ModelError("no-model", language=language, path=str(models_folder(language)))


def vosk_folder(settings: Settings, language: str) -> Path | None:
    """Return where the Vosk model of a language is, None if there is none; one that was chosen may be missing."""
    folder = Path(settings.models.get(language) or models_folder(language))
    return folder if folder.is_dir() or language in settings.models else None


def _voice(session: Session) -> PromptSynthesizer:
    """Return what speaks, and says names as somebody wants to hear them."""
    return RespellingSynthesizer(AheadSynthesizer(CachedSynthesizer(SynthesizerProcess())), session.names.respelled)


def _decoys(language: str) -> tuple[str, ...]:
    """Return the words of `voices/<language>/decoys.yaml`; it may be missing."""
    path = data_folder("voices") / language / "decoys.yaml"
    if not path.exists():
        return ()
    return checked(load_yaml(path), tuple[str, ...], str(path), LanguagePackError, "pack-broken")


def _pronunciations(language: str) -> dict[str, tuple[str, ...]]:
    """Return what `voices/<language>/pronunciations.yaml` adds to the recogniser's dictionary; it may be missing."""
    path = data_folder("voices") / language / "pronunciations.yaml"
    if not path.exists():
        return {}
    return checked(load_yaml(path), dict[str, tuple[str, ...]], str(path), LanguagePackError, "pack-broken")


def device_speaker(settings: Settings) -> DeviceSpeaker:
    """Return the speaker with a device for each channel. Raise as DeviceSpeaker does."""
    lead_in, trusted = settings.headset_lead_in, settings.trust_headset
    return DeviceSpeaker(settings.table_device, settings.headset_device, lead_in=lead_in, trusted=trusted)


def split_speaker(settings: Settings) -> SplitSpeaker:
    """Return the speaker with one device for both channels. Raise as SplitSpeaker does, or ("split-not-alone")."""
    if settings.table_device is not None or settings.headset_device is not None:
        raise AudioError("split-not-alone")
    name, lead_in, trusted = settings.split_device or "", settings.headset_lead_in, settings.trust_headset
    return SplitSpeaker(name, lead_in=lead_in, trusted=trusted)


def table_speaker(settings: Settings) -> Speaker:
    """Return the speaker on real devices. Raise AudioError: "no-portaudio", "no-speaker", "headset-refused", ..."""
    if settings.split_device is not None:
        return split_speaker(settings)
    try:
        return device_speaker(settings)
    except AudioError as error:
        if error.key == "device-missing" and settings.table_device is None:
            raise AudioError("no-speaker") from error
        raise


def room_microphone(settings: Settings) -> DeviceMicrophone:
    """Return the microphone. Raise AudioError: "no-portaudio", "no-microphone", "device-missing", ..."""
    try:
        return DeviceMicrophone(settings.microphone_device)
    except AudioError as error:
        if error.key == "device-missing" and settings.microphone_device is None:
            raise AudioError("no-microphone") from error
        raise


def file_microphone(source: str) -> FileMicrophone:
    """Return a sound file in place of the microphone. Raise AudioError as FileMicrophone does."""
    try:
        return FileMicrophone(Path(source))
    except OSError as refused:  # a name that no system takes
        raise AudioError("wav-missing", path=source) from refused


def _speaker(settings: Settings, target: str, notices: list[GmError]) -> Speaker | None:
    if target == TEXT:
        return None
    if target != DEVICES:
        return FolderSpeaker(Path(target))
    try:
        return table_speaker(settings)
    except AudioError as error:
        notices.append(error)
        return None


@dataclass
class _Hearing:
    """Everything that building ears needs."""

    session: Session
    settings: Settings
    mouth: Mouth
    keys: Keyboard
    speaker: Speaker | None
    stack: ExitStack
    phrases: Callable[[str], tuple[str, ...]]

    def ears(self, source: str, notices: list[GmError]) -> Ears:
        if source == KEYBOARD:
            return KeyboardEars(self.keys)
        file = None if source == MICROPHONE else file_microphone(source)
        try:
            return FileEars(self._spoken(file), self._elapsed()) if file else self._microphone_ears(notices)
        except GmError as error:
            notices.append(error)
            return KeyboardEars(self.keys)

    def _microphone_ears(self, notices: list[GmError]) -> Ears:
        microphone = room_microphone(self.settings)
        self.stack.callback(microphone.close)
        microphone.wake()
        if self.settings.open_microphone:
            try:
                return self._open_ears(microphone)
            except ModelError as error:
                if error.key != "wake-phrase-unknown":
                    raise
                notices.append(error)
        hold_off, patience = self.settings.hold_off, self.settings.patience or None
        spoken = self._spoken(microphone)
        return PushToTalkEars(spoken, microphone, self.mouth, self.keys, hold_off=hold_off, patience=patience)

    def _open_ears(self, microphone: Microphone) -> Ears:
        spoken = self._spoken(microphone, self.phrases)
        hold_off, follow_up = self.settings.hold_off, self.settings.follow_up
        return OpenMicrophoneEars(spoken, self.mouth, self.keys, hold_off=hold_off, follow_up=follow_up)

    def _spoken(self, microphone: Microphone, phrases: Callable[[str], tuple[str, ...]] = lambda _: ()) -> SpokenEars:
        """Return ears with the recogniser of the language. Raise ModelError if there is none."""
        build = partial(self._listener, microphone)
        spoken = SpokenEars(self.session, self.mouth, build, phrases)
        spoken.prepare()
        return spoken

    def _listener(self, microphone: Microphone, language: str) -> tuple[Recognizer, Listener]:
        recognizer = recognizer_for(language, self.settings)
        self.stack.callback(recognizer.close)
        listener = Listener(self._alarmed(microphone), recognizer, VoiceActivity())
        return recognizer, listener

    def _alarmed(self, microphone: Microphone) -> Microphone:
        """Return a microphone that says once, aloud, when a real one gives nothing but zeros."""
        told = AudioError("microphone-zeros")
        is_real = isinstance(microphone, DeviceMicrophone)
        return (
            AlarmedMicrophone(microphone, lambda: self.mouth.say(self.session.excuse(told))) if is_real else microphone
        )

    def _elapsed(self) -> Callable[[float], None]:
        return self.speaker.elapse if isinstance(self.speaker, FolderSpeaker) else lambda _: None
