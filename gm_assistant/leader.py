"""A synthetic game leader: chooses what to do next, and says it in one of the ways the language pack knows."""

from __future__ import annotations

from random import Random

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
    match command:
        case do.NominateChancellor(seat):
            return Intent("nominate", {"player": seat})
        case do.CastVote(seat, approves):
            return Intent("cast_vote", {"player": seat, "vote": "yes" if approves else "no"})
        case do.ReportResult(passed):
            return Intent("vote_passed" if passed else "vote_failed")
        case do.ReportCount(yes, no):
            return Intent("vote_count", {"yes": yes, "no": no})
        case do.AnswerDictatorQuestion(is_dictator):
            return Intent("answer_yes" if is_dictator else "answer_no")
        case do.EnactLaw(party):
            return Intent("law_enacted", {"party": party.value})
        case do.FinishLooking():
            return Intent("looked")
        case do.NameNextPresident(seat):
            return Intent("name_president", {"player": seat})
        case do.Investigate(seat):
            return Intent("investigate", {"player": seat})
        case do.ProposeVeto():
            return Intent("propose_veto")
        case do.AnswerVeto(agrees):
            return Intent("veto_agreed" if agrees else "veto_refused")
        case do.TakeSecretBallot():
            return Intent("take_secret_ballot")
        case do.Shoot(seat):
            return Intent("shoot", {"player": seat})
        case do.ShufflePiles():
            return Intent("shuffled")
        case do.EndGame():
            return Intent("end_game")
        case do.DealRoles() | do.CastSecretVote() | do.DrawMissingVotes():
            raise KeyError(command)
