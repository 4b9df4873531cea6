"""The user's own wake phrase, by flag and by settings."""

from __future__ import annotations

from pathlib import Path

import pytest
from fakes import GAME, phrase, program

from gm_assistant.dialogue.messages import Message
from gm_assistant.dialogue.wake import FEWEST_SYLLABLES
from gm_assistant.library import load_library


def settings(folder: Path, content: str) -> tuple[str, str]:
    file = folder / "settings.yaml"
    file.write_text(content, "utf-8")
    return "--settings", str(file)


@pytest.mark.parametrize(
    ("words", "key"),
    [
        ("hi there", "wake-phrase-short"),
        ("nominate", "wake-phrase-sentence"),
        ("who is president", "wake-phrase-sentence"),
        ("game master 2", "wake-phrase-words"),
        ("", "wake-phrase-words"),
    ],
)
def test_a_wake_phrase_that_would_not_do_is_refused_in_one_sentence(tmp_path: Path, words: str, key: str) -> None:
    ran = program(tmp_path, *GAME, "--open-microphone", "--wake-phrase", words)
    assert ran.status == 2
    assert ran.lines == [phrase(key, phrase=words, least=FEWEST_SYLLABLES)]


def test_a_wake_phrase_of_the_settings_is_checked_in_its_own_language(tmp_path: Path) -> None:
    ran = program(tmp_path, *GAME, *settings(tmp_path, "wake_phrases: {de: He du}"))
    told = load_library().phrasebook("en", None)
    assert ran.status == 2
    facts = {"phrase": "He du", "least": FEWEST_SYLLABLES}
    assert ran.lines == [told.phrase(Message("wake-phrase-short", facts))]


def test_a_good_wake_phrase_begins_the_game(tmp_path: Path) -> None:
    ran = program(tmp_path, *GAME, "--open-microphone", "--wake-phrase", "dear assistant", typed="quit\n")
    assert ran.status == 0


@pytest.mark.parametrize("content", ["follow_up: -1", "follow_up: 61", "wake_phrases: [hey]"])
def test_settings_of_the_open_microphone_have_bounds(tmp_path: Path, content: str) -> None:
    assert program(tmp_path, *GAME, *settings(tmp_path, content), typed="quit\n").status == 2
