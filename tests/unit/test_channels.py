"""What is for the headset cannot get to the table by mistake: the type checker refuses it."""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from gm_assistant.speech.ports import Audio, HeadsetAudio
from gm_assistant.utterances import HeadsetUtterance, Secret

ROOT = Path(__file__).resolve().parents[2]

HEADER = """\
from collections.abc import Callable, Mapping

from gm_assistant.dialogue.answers import TABLE_ANSWERS, Answer
from gm_assistant.dialogue.intents import Intent
from gm_assistant.dialogue.messages import HeadsetMessage, Message, Messages, message
from gm_assistant.dialogue.now import now
from gm_assistant.dialogue.phrasebook import Phrasebook
from gm_assistant.dialogue.steps import Say, Whisper
from gm_assistant.mouth import Mouth
from gm_assistant.replies import Replies
from gm_assistant.rules.views import HeadsetView, TableView
from gm_assistant.speech.folder_speaker import FolderSpeaker
from gm_assistant.speech.playback import DeviceSpeaker
from gm_assistant.speech.ports import Audio, HeadsetAudio, Speaker, Synthesizer, Voice
from gm_assistant.output import show
from gm_assistant.utterances import HeadsetUtterance, Reply, Secret, TableUtterance

stopped: Callable[[], bool]
speaker: Speaker
devices: DeviceSpeaker
folder: FolderSpeaker
synthesizer: Synthesizer
voice: Voice
mouth: Mouth
sound: Audio
whisper: HeadsetAudio
text: str
secret: Secret
at_table: TableUtterance
in_headset: HeadsetUtterance
intent: Intent
book: Phrasebook
replies: Replies
for_table: Message
for_headset: HeadsetMessage
table_view: TableView
headset_view: HeadsetView

of_table: Callable[[Intent, TableView], Messages]
of_headset: Callable[[Intent, HeadsetView], Messages]

"""


@dataclass(frozen=True)
class Mistake:
    """A line that must be refused, how, and the line that should stand there."""

    wrong: str
    code: str
    expected: str
    right: str


MISTAKES = {
    "a whisper into the table's player": Mistake(
        "speaker.play(whisper, stopped)", "arg-type", 'expected "Audio"', "speaker.play(sound, stopped)"
    ),
    "a whisper into the loudspeaker": Mistake(
        "devices.play(whisper, stopped)", "arg-type", 'expected "Audio"', "devices.play(sound, stopped)"
    ),
    "a whisper into the table's file": Mistake(
        "folder.play(whisper, stopped)", "arg-type", 'expected "Audio"', "folder.play(sound, stopped)"
    ),
    "a sound of the table into the headset": Mistake(
        "speaker.whisper(sound, stopped)", "arg-type", 'expected "HeadsetAudio"', "speaker.whisper(whisper, stopped)"
    ),
    "a whisper that Mouth plays": Mistake("mouth.play(whisper)", "arg-type", 'expected "Audio"', "mouth.play(sound)"),
    "a whisper as noise for the table": Mistake(
        "speaker.noise(whisper)", "arg-type", 'expected "Audio | None"', "speaker.noise(sound)"
    ),
    "a whisper of a whisper": Mistake("HeadsetAudio(whisper)", "arg-type", 'expected "Audio"', "HeadsetAudio(sound)"),
    "a secret as an utterance of the table": Mistake(
        "TableUtterance(secret)", "arg-type", 'expected "str"', "TableUtterance(text)"
    ),
    "a text as an utterance of the headset": Mistake(
        "HeadsetUtterance(text)", "arg-type", 'expected "Secret"', "HeadsetUtterance(secret)"
    ),
    "an utterance of the headset that Mouth says at the table": Mistake(
        "mouth._say_at_table(in_headset)", "arg-type", 'expected "TableUtterance"', "mouth._say_at_table(at_table)"
    ),
    "an utterance of the table that Mouth whispers": Mistake(
        "mouth._whisper(at_table)", "arg-type", 'expected "HeadsetUtterance"', "mouth._whisper(in_headset)"
    ),
    "a secret in print": Mistake("show(secret)", "arg-type", 'expected "str"', "show(text)"),
    "the secret of an utterance in print": Mistake(
        "show(in_headset.secret)", "arg-type", 'expected "str"', "show(at_table.text)"
    ),
    "the text of an utterance for the headset": Mistake(
        "show(in_headset.text)", "attr-defined", 'has no attribute "text"', "show(at_table.text)"
    ),
    "a secret in a text": Mistake('"table: " + secret', "operator", '("str" and "Secret")', '"table: " + text'),
    "a secret in place of a text": Mistake(
        "synthesizer.synthesize(secret, voice)", "arg-type", 'expected "str"', "synthesizer.synthesize(text, voice)"
    ),
    "a message for the headset put into words of the table": Mistake(
        "book.phrase(for_headset)", "arg-type", 'expected "Message"', "book.phrase(for_table)"
    ),
    "a message for the table put into a secret": Mistake(
        "book.secret((for_table,))", "arg-type", "Iterable[HeadsetMessage]", "book.secret((for_headset,))"
    ),
    "a message for the headset in a reply at the table": Mistake(
        "replies.table((for_headset,))", "arg-type", 'expected "tuple[Message, ...]"', "replies.table((for_table,))"
    ),
    "a message for the headset in a step of the table": Mistake(
        "Say((for_headset,))", "arg-type", 'expected "tuple[Message, ...]"', "Say((for_table,))"
    ),
    "a message for the table in a whisper": Mistake(
        "Whisper((for_table,))", "arg-type", 'expected "tuple[HeadsetMessage, ...]"', "Whisper((for_headset,))"
    ),
    "a text in a reply": Mistake("reply: Reply = (text,)", "assignment", '"tuple[str]"', "reply: Reply = (at_table,)"),
    "the headset's view in an answer for the table": Mistake(
        'TABLE_ANSWERS["who_is_alive"](intent, headset_view)',
        "arg-type",
        'expected "TableView"',
        'TABLE_ANSWERS["who_is_alive"](intent, table_view)',
    ),
    "an answer from the headset's view among those of the table": Mistake(
        'answers: Mapping[str, Answer] = {"who_am_i": of_headset}',
        "dict-item",
        "Callable[[Intent, TableView]",
        'answers: Mapping[str, Answer] = {"who_am_i": of_table}',
    ),
    "the headset's view in what is to be done now": Mistake(
        "now(headset_view)", "arg-type", 'expected "TableView"', "now(table_view)"
    ),
    "the headset's view in a message": Mistake(
        'message("help", headset_view)', "arg-type", 'expected "TableView"', 'message("help", table_view)'
    ),
    "a role from the table's view": Mistake(
        "table_view.roles", "attr-defined", 'has no attribute "roles"', "headset_view.roles"
    ),
}


@pytest.fixture(scope="module")
def complaints(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    """Return what the type checker says of each line, in one run over all of them."""
    lines = [line for mistake in MISTAKES.values() for line in (mistake.wrong, mistake.right)]
    folder = tmp_path_factory.mktemp("snippets")
    file = folder / "snippets.py"
    functions = [f"def case_{number}() -> None:\n    {line}\n" for number, line in enumerate(lines)]
    file.write_text(HEADER + "\n".join(functions))
    flags = ("--config-file", str(ROOT / "pyproject.toml"), "--follow-imports", "silent", "--no-pretty")
    command = [sys.executable, "-m", "mypy", *flags, "--cache-dir", str(folder / "cache"), str(file)]
    checked = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert checked.stderr == ""
    return complaints_of(checked.stdout, file)


def complaints_of(output: str, file: Path) -> dict[str, list[str]]:
    """Return the errors by the line of code; whatever is no error of the file is one at the empty line."""
    source = file.read_text().splitlines()
    found: dict[str, list[str]] = {}
    for told in output.splitlines():
        if told.startswith("Found ") or " note: " in told:
            continue
        place = re.search(rf"{file.name}:(\d+): error: (.*)", told)
        line, error = (source[int(place[1]) - 1].strip(), place[2]) if place else ("", told)
        found.setdefault(line, []).append(error)
    return found


def test_the_type_checker_has_looked_at_every_line_and_complains_of_nothing_else(
    complaints: dict[str, list[str]],
) -> None:
    assert set(complaints) == {mistake.wrong for mistake in MISTAKES.values()}


@pytest.mark.parametrize("mistake", MISTAKES.values(), ids=MISTAKES)
def test_a_mistake_is_refused_by_its_type(complaints: dict[str, list[str]], mistake: Mistake) -> None:
    (error,) = complaints[mistake.wrong]
    assert error.endswith(f"[{mistake.code}]")
    assert mistake.expected in error


@pytest.mark.parametrize("mistake", MISTAKES.values(), ids=MISTAKES)
def test_what_should_stand_there_passes(complaints: dict[str, list[str]], mistake: Mistake) -> None:
    assert mistake.right not in complaints


@pytest.mark.parametrize(
    "holder",
    [
        Secret("Dora is the dictator"),
        HeadsetUtterance(Secret("Dora is the dictator")),
        HeadsetAudio(Audio(b"Dora is the dictator", 8_000)),
    ],
    ids=lambda holder: type(holder).__name__,
)
def test_what_no_type_checker_sees_shows_nothing_either(holder: object) -> None:
    """An f-string, a log line or the message of a failed assertion takes anything."""
    for shown in (f"{holder}", repr(holder), f"{[holder]}", f"{(holder, 1)}"):
        assert "Dora" not in shown
        assert b"Dora".hex() not in shown
