"""The sound of whispers is made before anybody is called: how long that takes tells nothing of who comes."""

from __future__ import annotations

from pathlib import Path

from fakes import NAMES, Evening

from gm_assistant.dialogue.set_up import Plan
from gm_assistant.utterances import Prepare, TableUtterance

PLAN = Plan("en", "secret_dictator", 5, NAMES, 1, blind=(1, 2, 3, 4, 5), deal="headset", private=True)


def test_the_whispers_of_all_seats_are_made_before_the_first_call(tmp_path: Path) -> None:
    evening = Evening(tmp_path, PLAN, begin=False)
    _, ahead, call = evening.session.open(resume=False)
    assert isinstance(ahead, Prepare)
    assert isinstance(call, TableUtterance)
    assert "Anna" in call.text
    assert len(ahead.whisper.variants) == len(NAMES)
