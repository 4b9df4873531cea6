"""What is read back and has to be confirmed before it is done: what cannot be unsaid, or ends something for good."""

from __future__ import annotations

from gm_assistant.dialogue.intents import COMMANDS, Intent
from gm_assistant.dialogue.messages import Message, Messages, message
from gm_assistant.game import Game
from gm_assistant.rules import events as happened
from gm_assistant.rules.decide import untouched
from gm_assistant.rules.events import Event
from gm_assistant.rules.model import GameOver, Power
from gm_assistant.rules.views import TableView


def read_back(intent: Intent, game: Game, *, private: bool) -> Messages:
    """Return what is read back before `intent` is done; nothing if it can be done at once.

    `private` tells whether there is a headset. Raise RuleViolation if the rules refuse it anyway.
    """
    if game.paused:
        return ()
    if intent.name == "forget":
        return (Message("confirm-forget"),)
    if intent.name == "who_was_what" and _tells_roles(game):
        return (Message("confirm-reveal"),)
    if intent.name == "deal_roles" and private and game.state.roles is not None and untouched(game.state):
        return (Message("confirm-deal"),)
    return _of_events(game.foreseen(intent), game.view) if intent.name in COMMANDS else ()


def _tells_roles(game: Game) -> bool:
    """Return whether telling the roles would end a game that could still go on."""
    return isinstance(game.state.phase, GameOver) and game.state.roles is not None and not game.final


def _of_events(events: tuple[Event, ...], view: TableView) -> Messages:
    """Return what is read back of what would happen: only what was said aloud, the same for yes and for no."""
    won = any(isinstance(event, happened.GameWon) for event in events)
    match events[:1]:
        case (happened.PowerUsed(power=Power.EXECUTION, target=int(player)),):
            return (message("confirm-shot", view, player=player),)
        case (happened.DictatorConfirmed(seat=player),):
            return (message("confirm-answer-yes", view, player=player),)
        case (happened.DictatorDenied(seat=player),):
            return (message("confirm-answer-no", view, player=player),)
        case (happened.GameAbandoned(),):
            return (message("confirm-end", view),)
        case (happened.LawEnacted(party=party, number=number),) if won:
            return (message("confirm-last-law", view, party=party, number=number),)
        case _:
            return (message("confirm-game-over", view),) if won else ()
