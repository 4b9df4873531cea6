"""A table with a headset: somebody types what people do, hears both channels, and can be stopped or failed anywhere."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path

from fakes import Evening, phrase_in

from gm_assistant.dialogue.messages import Fact
from gm_assistant.dialogue.set_up import Plan
from gm_assistant.rules.events import RolesDealt
from gm_assistant.rules.history import History
from gm_assistant.rules.model import GameState, Role, Seat
from gm_assistant.scenes.scene import Scene
from gm_assistant.utterances import EqualWhisper, HeadsetUtterance, Outcome, Prepare, Reply, TableUtterance, Utterance

NAMES = ("Anna", "Ben", "Clara", "David", "Emma", "Felix", "Greta", "Hans", "Ida", "Jonas")
NUMBER = "NUMBER"
"""Typed: the number that the headset has just said."""
WRONG = "WRONG"
"""Typed: another number."""
ENTER = ""
KEYS = {Role.LIBERAL: "l", Role.FASCIST: "f", Role.DICTATOR: "d"}
PROVEN = (ENTER, NUMBER, ENTER)
"""What a player does at the headset until something is whispered."""


class PrivateTable:
    """A game that begins with something private."""

    def __init__(
        self,
        folder: Path,
        edition: str = "secret_dictator",
        players: int = 7,
        *,
        blind: tuple[Seat, ...] | None = (3,),
        deal: str | None = "assisted",
        seed: int = 0,
        resume: bool | None = False,
        **times: int,
    ) -> None:
        """Without `blind` and `deal` they are asked for; `times` are those of an evening."""
        self.edition = edition
        names = NAMES[:players]
        plan = Plan("en", edition, players, names, 1, blind=blind, deal=deal, private=True)
        self.evening = Evening(folder, plan, begin=False, seed=seed, **times)
        self.session = self.evening.session
        self.heard: list[Utterance] = []
        """Everything that was said since the beginning."""
        self.opening = self._performed(self.session.open(resume), None, failed=False)

    def say(
        self, *lines: str, done: int | None = None, failed: bool = False, typed: bool = True
    ) -> tuple[Utterance, ...]:
        """Say or type lines; return everything that is said to the last.

        The reply to it is stopped by a key after `done` utterances, or the headset has `failed` in it.
        """
        for line in lines[:-1]:
            self._performed(self._reply(line, typed), None, failed=False)
        return self._performed(self._reply(lines[-1], typed), done, failed=failed)

    def _reply(self, line: str, typed: bool) -> Reply:
        return self.evening.reply(self._line(line), typed=typed)

    def enter(self, roles: Iterable[Role]) -> tuple[Utterance, ...]:
        """Type the roles by seat, each by its key; return what is said to the last."""
        return self.say(*(KEYS[role] for role in roles))

    def phrase(self, key: str, **facts: Fact) -> str:
        """Return an English phrase of the edition."""
        return phrase_in(self.edition, key, **facts)

    @property
    def history(self) -> History:
        assert self.session.history is not None
        return self.session.history

    @property
    def state(self) -> GameState:
        return self.history.state

    @property
    def roles(self) -> tuple[Role, ...]:
        """The roles by seat; fail if they are not known."""
        assert self.state.roles is not None
        return self.state.roles

    @property
    def scene(self) -> Scene | None:
        """What is going on, None if it is the game itself."""
        return self.session._private.scene

    @property
    def deals(self) -> int:
        """How many deals count; one that was finished is no other one."""
        dealt = [event for step in self.history.done for event in step.events if isinstance(event, RolesDealt)]
        finished = sum(one.roles == other.roles and other.told > one.told for one, other in pairwise(dealt))
        return len(dealt) - finished

    def _line(self, line: str) -> str:
        match line:
            case "NUMBER":
                return str(self._number)
            case "WRONG":
                return str(self._number % 20 + 1)
            case _:
                return line

    @property
    def _number(self) -> int:
        said = (whisper.secret.reveal() for whisper in reversed(self.heard) if isinstance(whisper, HeadsetUtterance))
        return next(int(number) for words in said for number in re.findall(r"\d+", words)[:1])

    def _performed(self, reply: Reply, done: int | None, *, failed: bool) -> tuple[Utterance, ...]:
        heard: list[Utterance] = []
        while reply:
            assert len(heard) < 1_000, "it never ends"
            came = len(reply) if done is None else done
            heard += reply[: came + 1] if done is not None else reply
            reply, done, failed = self.session.performed(Outcome(came, failed)), None, False
        self.heard += heard
        return tuple(heard)


def table_words(reply: Iterable[Utterance]) -> tuple[str, ...]:
    """Return what everybody hears of a reply."""
    return tuple(utterance.text for utterance in reply if isinstance(utterance, TableUtterance))


def headset_words(reply: Iterable[Utterance]) -> tuple[str, ...]:
    """Return what the headset says, sentence by sentence."""
    return tuple(words for utterance in reply for words in _whispered(utterance))


def equal_whispers(reply: Iterable[Utterance]) -> tuple[EqualWhisper, ...]:
    """Return the whispers that sound alike from outside."""
    return tuple(utterance for utterance in reply if isinstance(utterance, EqualWhisper))


def from_outside(reply: Iterable[Utterance]) -> tuple[object, ...]:
    """Return all of a reply that anybody but the one who wears the headset can notice."""
    return tuple(map(_from_outside, reply))


def _whispered(utterance: Utterance) -> tuple[str, ...]:
    match utterance:
        case HeadsetUtterance(secret):
            return (secret.reveal(),)
        case EqualWhisper():
            return tuple(secret.reveal() for secret in utterance.variants[utterance.chosen])
        case _:
            return ()


def _from_outside(utterance: Utterance) -> object:
    match utterance:
        case HeadsetUtterance():
            return ("headset", utterance.needed)
        case EqualWhisper():
            could = sorted(map(len, utterance.variants)) if utterance.frame else utterance.variants
            return ("equal", could, utterance.frame, utterance.reminders, utterance.times, utterance.needed)
        case Prepare(whisper):
            return ("prepare", _from_outside(whisper))
        case _:
            return utterance
