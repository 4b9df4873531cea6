"""What a sentence can mean. Every intent here has wordings in every language pack, and none has one beside."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

COMMANDS = frozenset(
    {
        "nominate",
        "vote_passed",
        "vote_failed",
        "vote_tied",
        "vote_count",
        "vote_unanimous",
        "cast_vote",
        "cast_votes",
        "law_enacted",
        "shuffled",
        "looked",
        "name_president",
        "shoot",
        "investigate",
        "propose_veto",
        "veto_agreed",
        "veto_refused",
        "take_secret_ballot",
        "draw_missing_votes",
        "answer_yes",
        "answer_no",
        "end_game",
    }
)
"""They change the game; the word for a correction may stand in front."""

QUESTIONS = frozenset(
    {
        "who_may_be_chancellor",
        "why_not",
        "who_is_president",
        "who_is_next",
        "who_is_chancellor",
        "power_now",
        "power_next",
        "field",
        "symbol",
        "peg",
        "law_counts",
        "tray_counts",
        "read_board",
        "set_up_board",
        "who_is_alive",
        "seating",
        "who_sits",
        "role_counts",
        "rule",
        "why_no_power",
        "why_tracker",
        "why_law_after_veto",
        "why_dictator",
        "why_president",
        "why_over",
        "why_shuffle",
        "who_is_investigated",
        "who_is_cleared",
        "what_now",
        "what_last",
        "help",
        "what_can_i_say",
        "repeat",
    }
)
"""They change nothing; the word for a whisper may stand in front, and the headset answers."""

CONTROLS = frozenset(
    {
        "new_game",
        "undo",
        "redo",
        "pause",
        "go_on",
        "quit",
        "slower",
        "faster",
        "louder",
        "quieter",
        "stop",
        "roll_call",
        "sleep",
        "wake_up",
        "pronounce",
        "forget",
    }
)
"""They steer the assistant."""

ANSWERS = frozenset({"confirm", "decline", "name_player", "choose_number"})
"""They answer a question that the assistant has just asked: whom, which one, whether it is certain."""

CONFIRMING = frozenset({"confirm", "decline"})
"""They are understood all the time: whoever says one of them too late hears so."""

PRIVATE = frozenset(
    {
        "deal_roles",
        "finish_deal",
        "hear_investigation",
        "read_prologue",
        "consult_blind",
        "consult_everybody",
        "consult",
        "private_notes",
        "who_was_what",
    }
)
"""They begin something private, or tell what was private."""

IN_SCENES = frozenset({"ready", "skip", "start_again", "say_number", "set_pace", "enter_role"})
"""What can be said only while something private goes on, besides other intents that fit there."""

VOTES = frozenset({"answer_yes", "answer_no", "cast_vote"})
"""What can be a vote in a secret ballot."""

HELP = frozenset({"help", "what_can_i_say"})
"""They explain what can be said."""

IN_PLAY = COMMANDS | QUESTIONS | CONTROLS | PRIVATE
"""What can be said while a game runs."""

IN_ANY_SET_UP = frozenset(
    {"undo", "go_on", "quit", "slower", "faster", "louder", "quieter", "stop", "repeat", "help", "what_can_i_say"}
)
"""What can be said besides the answer to a question of the set-up."""

SET_UP_ANSWERS = frozenset(
    {
        "choose_language",
        "choose_edition",
        "player_count",
        "say_name",
        "no_name",
        "choose_first",
        "draw_first",
        "is_blind",
        "everybody_is_blind",
        "nobody_is_blind",
        "choose_deal",
        "keep_name_as",
    }
)
"""The answers to the questions of the set-up."""

ALL = IN_PLAY | ANSWERS | IN_SCENES | SET_UP_ANSWERS

Slot = int | str


@dataclass(frozen=True)
class Intent:
    """What was meant. Seats and numbers are `int`, everything else an id of the pack's lists."""

    name: str
    slots: Mapping[str, Slot] = field(default_factory=dict)
    correction: bool = False
    whisper: bool = False
    votes: tuple[tuple[int, bool], ...] = ()
    """Of `cast_votes`: seat and whether it is a yes, in the order in which they were said, no seat twice."""
    by_name: frozenset[int] = field(default=frozenset(), compare=False)
    """Seats that were said by the player's name, not by a number: another name may sound like it."""

    def number(self, slot: str) -> int:
        """Return a slot that holds a number or a seat."""
        return int(self.slots[slot])

    def word(self, slot: str) -> str:
        """Return a slot that holds an id."""
        return str(self.slots[slot])


@dataclass(frozen=True)
class NotUnderstood:
    """No sentence of the grammar fits."""


@dataclass(frozen=True)
class Ambiguous:
    """Several meanings fit; none of them is taken."""

    candidates: tuple[Intent, ...]


@dataclass(frozen=True)
class Incomplete:
    """A command in pieces, such as "nominate" alone: with a value for `slot` the intent would be whole."""

    intent: Intent
    slot: str
    """What is missing: "player" or "party"."""


Parsed = Intent | NotUnderstood | Ambiguous | Incomplete
