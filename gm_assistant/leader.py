"""A synthetic game leader: chooses what to do next, and says it in one of the ways the language pack knows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Any

from gm_assistant.dialogue.grammar import Grammar
from gm_assistant.dialogue.intents import COMMANDS, QUESTIONS, Intent
from gm_assistant.dialogue.pack import LanguagePack
from gm_assistant.dialogue.samples import sentences_for
from gm_assistant.rules import commands as do
from gm_assistant.rules.commands import Command
from gm_assistant.rules.legal import moves
from gm_assistant.rules.model import GameState, Power

SHARE_OF_QUESTIONS = 0.25

_WITHOUT_SLOTS = tuple(
    sorted(QUESTIONS - {"why_not", "field", "symbol", "rule", "who_sits", "repeat", "set_up_board", "seating"})
)


class Leader:
    """Plays by the rules, at random, and asks a question now and then."""

    def __init__(self, pack: LanguagePack, random: Random) -> None:
        self._pack = pack
        self._random = random

    def choose(self, state: GameState) -> Intent:
        """Return what to say next: a question, or a command that the rules accept."""
        if self._random.random() < SHARE_OF_QUESTIONS:
            return self._question(len(state.players))
        commands = [command for command in moves(state) if not isinstance(command, do.CastVote | do.TakeSecretBallot)]
        return intent_for(self._random.choices(commands, [_weight(command) for command in commands])[0])

    def sentence(self, intent: Intent, grammar: Grammar) -> str:
        """Return one wording of `intent`, drawn at random."""
        players = grammar.players
        texts = [text for text in sentences_for(self._pack, players, intent) if grammar.parse(text) == intent]
        return self._random.choice(texts)

    def changes_game(self, intent: Intent) -> bool:
        """Return whether `intent` would change the game."""
        return intent.name in COMMANDS or intent.name in ("undo", "redo")

    def _question(self, players: int) -> Intent:
        seat = self._random.randint(1, players)
        power = self._random.choice([power.value for power in Power if power in self._pack.sentences.lists["symbol"]])
        topic = self._random.choice(sorted(self._pack.sentences.lists["topic"]))
        with_slots = (
            Intent("why_not", {"player": seat}),
            Intent("who_sits", {"player": seat}),
            Intent("field", {"field": self._random.randint(1, 6)}),
            Intent("symbol", {"symbol": power}),
            Intent("rule", {"topic": topic}),
        )
        return self._random.choice([*map(Intent, _WITHOUT_SLOTS), *with_slots])


def _weight(command: Command) -> int:
    """Return how likely a command is: most governments are elected, few candidates are the dictator."""
    match command:
        case do.ReportCount(yes, no):
            return 4 if yes > no else 1
        case do.ReportResult(passed):
            return 8 if passed else 4
        case do.AnswerDictatorQuestion(is_dictator):
            return 1 if is_dictator else 4
        case _:
            return 1


def intent_for(command: Command) -> Intent:
    """Return the intent that means `command`. Raise KeyError for commands that nobody says."""
    return _INTENTS[type(command)](command)


_INTENTS: Mapping[type, Callable[[Any], Intent]] = {
    do.NominateChancellor: lambda command: Intent("nominate", {"player": command.seat}),
    do.CastVote: lambda command: Intent("cast_vote", {"player": command.seat, "vote": _vote(command.approves)}),
    do.TakeSecretBallot: lambda _: Intent("take_secret_ballot"),
    do.ReportResult: lambda command: Intent("vote_passed" if command.passed else "vote_failed"),
    do.ReportCount: lambda command: Intent("vote_count", {"yes": command.yes, "no": command.no}),
    do.AnswerDictatorQuestion: lambda command: Intent("answer_yes" if command.is_dictator else "answer_no"),
    do.EnactLaw: lambda command: Intent("law_enacted", {"party": command.party.value}),
    do.ProposeVeto: lambda _: Intent("propose_veto"),
    do.AnswerVeto: lambda command: Intent("veto_agreed" if command.agrees else "veto_refused"),
    do.FinishLooking: lambda _: Intent("looked"),
    do.Investigate: lambda command: Intent("investigate", {"player": command.seat}),
    do.NameNextPresident: lambda command: Intent("name_president", {"player": command.seat}),
    do.Shoot: lambda command: Intent("shoot", {"player": command.seat}),
    do.ShufflePiles: lambda _: Intent("shuffled"),
    do.EndGame: lambda _: Intent("end_game"),
}


def _vote(approves: bool) -> str:
    return "yes" if approves else "no"
