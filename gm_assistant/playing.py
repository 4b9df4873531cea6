"""What is meant while a game runs is done here: questions, commands, secret votes, private things."""

from __future__ import annotations

from gm_assistant.dialogue.intents import COMMANDS, HELP, PRIVATE, QUESTIONS, VOTES, Intent
from gm_assistant.dialogue.messages import Message
from gm_assistant.errors import RuleViolation
from gm_assistant.game import Game
from gm_assistant.private_evening import PrivateEvening
from gm_assistant.replies import Replies
from gm_assistant.rules.history import Reinstated, Retracted
from gm_assistant.utterances import Reply


class Play:
    """Gives the reply to an intent in a game. Raises RuleViolation or JournalError: then nothing has changed."""

    def __init__(self, replies: Replies, private: PrivateEvening) -> None:
        self._replies = replies
        self._private = private

    def did(self, intent: Intent, game: Game, *, typed: bool) -> Reply:
        """Return the reply to what was meant."""
        if game.votes_in_secret and not game.paused and intent.name in VOTES:
            return self._voted(intent, game, typed=typed)
        if intent.name in QUESTIONS:
            return self._answered(intent, game)
        if intent.name in ("pause", "go_on"):
            return self._replies.table(game.pause() if intent.name == "pause" else game.go_on())
        if game.paused:
            return self._replies.table((Message("still-paused"),))
        if intent.name in COMMANDS:
            return self._commanded(intent, game)
        if intent.name in PRIVATE:
            return self._private.asked(intent, game)
        return self._replies.table(game.stepped(Retracted() if intent.name == "undo" else Reinstated()))

    def _voted(self, intent: Intent, game: Game, *, typed: bool) -> Reply:
        """Take a secret vote: by key only, and what it was is told to the headset only."""
        if not typed:
            raise RuleViolation("ballot-is-secret")
        approves, told = game.voted(intent)
        return (*self._replies.voted(approves), *self._replies.table(told))

    def _answered(self, intent: Intent, game: Game) -> Reply:
        told = self._private.adapted(game.answered(intent), game)
        if intent.whisper:
            return self._replies.headset(told)
        return self._replies.aside(*told) if intent.name in HELP else self._replies.table(told)

    def _commanded(self, intent: Intent, game: Game) -> Reply:
        before = game.history
        told = game.commanded(intent)
        if game.history == before:
            return self._replies.table(told)
        ahead = self._replies.votes_ahead() if game.votes_in_secret else ()
        return (*self._private.told(told, game), *ahead, *self._private.of_answer(game))
