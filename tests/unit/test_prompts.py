"""What the assistant says must not command it, should its microphone hear it all the same."""

from __future__ import annotations

import re

from pack_samples import LIBRARY, PLAYERS, every_pack, grammar_for, said

from gm_assistant.dialogue.intents import ANSWERS, COMMANDS, CONTROLS, IN_PLAY, IN_SCENES, PRIVATE, Intent
from gm_assistant.dialogue.wake import wake_phrases
from gm_assistant.dialogue.wordings import normalized
from gm_assistant.speakable import Ending, ending

_SENTENCE_END = re.compile(r"(?<=[.!?])\s+")

REPORTS = {
    "en": {
        "shuffled": "shuffled",  # it has just been done, and is not done twice
        "veto": "propose_veto",
        "no veto": "veto_refused",
        "secret ballot": "take_secret_ballot",
        "the game is over": "end_game",  # nothing can be ended any more
        "four yes one no": "vote_count",  # before a game, to be repeated into the microphone
        "start a new game": "new_game",  # an error is told so
        "thank you": "ready",
        "next (president|mayor) anna": "name_president",  # the sign is passed on, nobody is to be named
    },
    "de": {
        "gemischt": "shuffled",
        "kein veto": "veto_refused",
        "geheime wahl": "take_secret_ballot",
        "das spiel ist aus": "end_game",
        "vier ja eins nein": "vote_count",
        "pause": "pause",
        "wartet dann": "pause",
        "danke": "ready",
        "zu leise": "louder",
        "nächster (präsident|bürgermeister) anna": "name_president",
    },
}
"""Sentences on their own that report what has just been done, or are said where they command nothing."""


def sentences_that_are_said(language: str, edition: str) -> set[str]:
    """Return every sentence of every phrase, and every whole phrase, as bare words."""
    texts = {text for _, text in said(language, edition)}
    return {normalized(part) for text in texts for part in (text, *_SENTENCE_END.split(text))} - {""}


def _reports(text: str, name: str, report: tuple[str, str]) -> bool:
    return re.fullmatch(report[0], text) is not None and name == report[1]


@every_pack
def test_no_sentence_that_is_said_is_a_command_but_for_reports_of_what_was_done(language: str, edition: str) -> None:
    grammar = grammar_for(language, edition, IN_PLAY | IN_SCENES | ANSWERS)
    machine = grammar.speakable.machine
    heard = {}
    for text in sentences_that_are_said(language, edition):
        if ending(machine, text) is Ending.INCOMPLETE:
            continue
        parsed = grammar.parse(text)
        name = parsed.name if isinstance(parsed, Intent) else type(parsed).__name__
        if name in COMMANDS | CONTROLS | PRIVATE | IN_SCENES | {"Ambiguous", "Incomplete", "confirm"}:
            heard[text] = name
    for player in PLAYERS:
        heard.pop(player.lower(), None)
    reports = REPORTS[language].items()
    assert {text: name for text, name in heard.items() if not any(_reports(text, name, one) for one in reports)} == {}


@every_pack
def test_no_sentence_that_is_said_wakes_the_assistant(language: str, edition: str) -> None:
    phrases = wake_phrases(LIBRARY.pack(language, edition))
    texts = sentences_that_are_said(language, edition)
    assert [text for text in texts for phrase in phrases if f" {phrase} " in f" {text} "] == []
