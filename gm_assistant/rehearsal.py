"""A whole game without people: a synthetic leader speaks every sentence aloud into the real recogniser."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from gm_assistant.assembly import recognizer_for
from gm_assistant.dialogue.intents import Intent
from gm_assistant.dialogue.messages import Fact, Message
from gm_assistant.dialogue.set_up import Plan
from gm_assistant.errors import AudioError
from gm_assistant.interview import edition_of
from gm_assistant.journal import Journals
from gm_assistant.leader import Leader
from gm_assistant.library import Library
from gm_assistant.mouth import Habits, Mouth
from gm_assistant.rules.model import GameOver
from gm_assistant.session import Session
from gm_assistant.settings import Settings
from gm_assistant.speech.ahead import AheadSynthesizer
from gm_assistant.speech.folder_speaker import FolderSpeaker
from gm_assistant.speech.listener import Listener
from gm_assistant.speech.piper_synthesizer import LANGUAGE as PIPER_LANGUAGE
from gm_assistant.speech.piper_synthesizer import PiperSynthesizer, packaged_voice
from gm_assistant.speech.ports import Synthesizer, Voice
from gm_assistant.speech.pyttsx3_synthesizer import CachedSynthesizer, SynthesizerProcess
from gm_assistant.speech.sound_microphone import SoundMicrophone
from gm_assistant.speech.voice_activity import VoiceActivity

MOST_ATTEMPTS = 5
"""Times the leader says one thing before giving it up."""

MOST_SENTENCES = 400
"""A game takes about 100."""


@dataclass
class Tally:
    """How well the leader was understood."""

    sentences: int = 0
    at_once: int = 0

    @property
    def share(self) -> float:
        """Share of sentences that were understood the first time, in percent."""
        return 100 * self.at_once / self.sentences if self.sentences else 0.0


def rehearse(
    library: Library, plan: Plan, settings: Settings, seed: int, folder: Path, show: Callable[[str], None]
) -> int:
    """Play one game into `folder` (`table.wav`, `headset.wav`, `transcript.txt`); return 0 when somebody has won.

    Raise ModelError if there is no recogniser for the language, AudioError if the folder cannot be written.
    """
    recognizer = recognizer_for(plan.language or "en", settings)
    speaker = FolderSpeaker(folder)
    own_voice = AheadSynthesizer(CachedSynthesizer(SynthesizerProcess()))
    leader_voice = _leader_voice(plan.language or "en")
    try:
        with TemporaryDirectory(prefix="gm-assistant-") as games:
            random = Random(seed)  # noqa: S311 - a game, not a secret
            session = Session(library, _completed(library, plan, random), Journals(Path(games)), datetime.now, "en")
            transcript = _Transcript(folder / "transcript.txt", speaker, show)
            habits = Habits(show_headset=True)
            mouth = Mouth(
                session, transcript.line, lambda: False, own_voice, speaker, platform=sys.platform, habits=habits
            )
            microphone = SoundMicrophone()
            listener = Listener(microphone, recognizer, VoiceActivity())
            stage = _Stage(session, mouth, listener, microphone, leader_voice, speaker, transcript)
            return stage.perform(Leader(library.pack(plan.language or "en", plan.edition), random))
    finally:
        for part in (recognizer, own_voice, leader_voice, speaker):
            part.close()


class _Transcript:
    """What was spoken, heard and answered, a line each, with the time in s since the beginning."""

    def __init__(self, path: Path, speaker: FolderSpeaker, show: Callable[[str], None]) -> None:
        self._path = path
        self._speaker = speaker
        self._show = show
        try:
            path.write_text("", encoding="utf-8")
        except OSError as broken:
            raise AudioError("folder-unusable", path=str(path.parent)) from broken

    def line(self, text: str) -> None:
        line = f"{self._speaker.seconds:8.2f} {text}"
        with self._path.open("a", encoding="utf-8") as file:
            file.write(line + "\n")
        self._show(line)


@dataclass
class _Stage:
    """Everything that a performance needs."""

    session: Session
    mouth: Mouth
    listener: Listener
    microphone: SoundMicrophone
    voice: Synthesizer
    speaker: FolderSpeaker
    transcript: _Transcript
    tally: Tally = field(default_factory=Tally)

    def perform(self, leader: Leader) -> int:
        self.mouth.say(self.session.open())
        while self.tally.sentences < MOST_SENTENCES:
            history = self.session.history
            if history is None or isinstance(history.state.phase, GameOver):
                break
            self._understood(leader, leader.choose(history.state))
        self._sum_up()
        view = self.session.view
        return 0 if view is not None and isinstance(view.phase, GameOver) else 1

    def _understood(self, leader: Leader, intent: Intent) -> None:
        """Say `intent` in ever new words until it is understood."""
        self.tally.sentences += 1
        for attempt in range(MOST_ATTEMPTS):
            heard = self._said(leader.sentence(intent, self.session.grammar))
            meant = self.session.grammar.parse(heard)
            wrong_step = isinstance(meant, Intent) and leader.changes_game(meant) and meant != intent
            before = self.session.view
            self.mouth.say(self.session.hear(heard))
            if meant == intent:
                self.tally.at_once += attempt == 0
                if self.session.irreversible:
                    self._understood(leader, Intent("confirm"))
                return
            if wrong_step and self.session.view != before:
                self._understood(leader, Intent("undo"))

    def _said(self, sentence: str) -> str:
        """Speak a sentence into the recogniser; return what it heard."""
        self.transcript.line(f"leader: {sentence}")
        sound = self.voice.synthesize(sentence, Voice(self.session.language))
        self.microphone.load(sound)
        heard = self.listener.listen(self.session.grammar.speakable, lambda: False)
        self.speaker.elapse(heard.decided)
        self.transcript.line(f"heard: {heard.text}")
        return heard.text

    def _sum_up(self) -> None:
        facts: dict[str, Fact] = {
            "sentences": self.tally.sentences,
            "at_once": self.tally.at_once,
            "share": f"{self.tally.share:.1f}",
        }
        self.transcript.line(self.session.phrasebook.phrase(Message("rehearsal-result", facts)))


def _completed(library: Library, plan: Plan, random: Random) -> Plan:
    """Return the plan with everything that the flags left open drawn at random."""
    edition = edition_of(library, plan)
    names = plan.names
    if not names:
        count = random.randint(edition.players.least, edition.players.most)
        names = tuple(random.sample(library.packs[plan.language or "en"].first_names, count))
    first = plan.first or random.randint(1, len(names))
    return replace(plan, edition=edition.id, count=len(names), names=names, first=first)


def _leader_voice(language: str) -> Synthesizer:
    """Return the neural voice if it is installed for the language, else the computer's own."""
    file = packaged_voice()
    return PiperSynthesizer(file) if file is not None and language == PIPER_LANGUAGE else SynthesizerProcess()
