"""A session whose answers are looked at as messages, before they are words; and what to type for a command."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
from fakes import Evening, library

from gm_assistant.dialogue.messages import Message, Messages
from gm_assistant.dialogue.phrasebook import Phrasebook
from gm_assistant.dialogue.set_up import Plan
from gm_assistant.library import Library
from gm_assistant.rules import commands as do
from gm_assistant.rules.commands import Command
from gm_assistant.rules.model import GameState, Power

NAMES = ("Anna", "Ben", "Clara", "David", "Emma", "Felix", "Greta", "Hans", "Ida", "Jonas")


class _Noting(Phrasebook):
    """Speaks as ever, and keeps what was to be said."""

    def __init__(self, plain: Phrasebook, said: list[Messages]) -> None:
        self.__dict__.update(plain.__dict__)
        self._said = said

    def sentences(self, messages: Iterable[Message]) -> tuple[str, ...]:
        self._said.append(tuple(messages))
        return super().sentences(self._said[-1])


class _NotingLibrary(Library):
    """The library with phrasebooks that keep what was to be said."""

    said: list[Messages]

    def phrasebook(self, language: str, edition: str | None) -> Phrasebook:
        return _Noting(super().phrasebook(language, edition), self.said)


def noting(known: Library) -> _NotingLibrary:
    """Return a library that keeps in `said` whatever is to be said."""
    noted = _NotingLibrary(known.packs, known.editions)
    object.__setattr__(noted, "said", [])
    return noted


class Told:
    """A game that is played by typing; every answer is given as messages."""

    def __init__(self, folder: Path, plan: Plan, seed: int = 0, known: Library | None = None) -> None:
        self._library = noting(known or library())
        self.evening = Evening(folder, plan, known=self._library, seed=seed)
        self.opening = self._library.said[-1]

    @property
    def state(self) -> GameState:
        history = self.evening.session.history
        assert history is not None
        return history.state

    def hear(self, text: str) -> Messages:
        """Return the answer to a typed line."""
        self.evening.say(text)
        return self._library.said[-1]

    def do(self, command: Command) -> Messages:
        """Return the answer to a command."""
        return self.hear(typed(command, self.state))


@contextmanager
def told_game(
    edition: str, players: int, first: int = 1, seed: int = 0, known: Library | None = None, language: str = "en"
) -> Iterator[Told]:
    """Give a game that has just begun; its files are gone afterwards."""
    with tempfile.TemporaryDirectory() as folder:
        yield Told(Path(folder), Plan(language, edition, players, NAMES[:players], first), seed, known)


def with_rules(edition: str, **changes: object) -> Library:
    """Return the library with some values of an edition changed."""
    changed = msgspec.structs.replace(library().editions[edition], **changes)
    return Library(library().packs, {**library().editions, edition: changed})


EARLY_POWERS = (Power.MAGNIFIER, Power.PEEK, Power.INVESTIGATE, Power.SPECIAL_ELECTION, Power.EXECUTION)


@cache
def early() -> Library:
    """Return house rules with which everything happens early in the game: veto, danger, every power, secret votes."""
    editions = library().editions
    magnifier = {language: things["magnifier"] for language, things in editions["secret_dictator"].names.items()}
    names = editions["secret_hitler"].names
    return with_rules(
        "secret_hitler",
        names={language: {**things, "magnifier": magnifier[language]} for language, things in names.items()},
        veto_from=1,
        danger_from=1,
        secret_ballot=True,
        powers=dict.fromkeys(range(5, 11), EARLY_POWERS),
        failed_elections_until_chaos=2,
    )


def corrected(command: Command, state: GameState, language: str = "en") -> str:
    """Return what a leader types in English to put a command in the place of the last one: no code of one word."""
    text = typed(command, state, language)
    return f"correction {_SENTENCES.get(text, text)}"


_SENTENCES = {
    "p": "the vote passed",
    "x": "the vote failed",
    "sb": "secret ballot",
    "dm": "time is up",
    "y": "yes",
    "n": "no",
    "ve": "veto",
    "vy": "the veto is accepted",
    "vn": "the veto is refused",
    "k": "looked",
    "sh": "the piles are shuffled",
    "end": "end the game",
}


def typed(command: Command, state: GameState, language: str = "en") -> str:
    """Return what a leader types for a command of the game: the short code of its intent."""
    name, given = _INTENTS[type(command)](command)
    templates = (
        template
        for block in library().pack(language, state.rules.edition).sentences.intents[name]
        for template in block.typed
        if all(given.get(slot) == value for slot, value in block.slots.items())
        and {"player", "vote", "number:yes", "number:no"} & set(_GAPS.findall(template))
        == given.keys() - block.slots.keys()
    )
    words = {**given, "vote": _VOTES[language].get(given.get("vote", ""), "")}
    if "player" in given:
        words["player"] = state.name(int(given["player"]))
    return _GAPS.sub(lambda gap: words[gap[1]], next(templates))


_GAPS = re.compile(r"\{([\w:]+)\}")
_VOTES = {"en": {"yes": "yes", "no": "no"}, "de": {"yes": "ja", "no": "nein"}}
_Meant = tuple[str, dict[str, str]]


def _chosen(yes: str, no: str, field: str) -> Callable[[Any], _Meant]:
    return lambda command: (yes if getattr(command, field) else no, {})


def _plain(name: str) -> Callable[[Any], _Meant]:
    return lambda _: (name, {})


def _on(name: str) -> Callable[[Any], _Meant]:
    return lambda command: (name, {"player": str(command.seat)})


def _vote(command: do.CastVote | do.CastSecretVote) -> _Meant:
    return "cast_vote", {"player": str(command.seat), "vote": "yes" if command.approves else "no"}


_INTENTS: dict[type, Callable[[Any], _Meant]] = {
    do.NominateChancellor: _on("nominate"),
    do.CastVote: _vote,
    do.CastSecretVote: _vote,
    do.TakeSecretBallot: _plain("take_secret_ballot"),
    do.DrawMissingVotes: _plain("draw_missing_votes"),
    do.ReportResult: _chosen("vote_passed", "vote_failed", "passed"),
    do.ReportCount: lambda command: ("vote_count", {"number:yes": str(command.yes), "number:no": str(command.no)}),
    do.AnswerDictatorQuestion: _chosen("answer_yes", "answer_no", "is_dictator"),
    do.EnactLaw: lambda command: ("law_enacted", {"party": command.party.value}),
    do.ProposeVeto: _plain("propose_veto"),
    do.AnswerVeto: _chosen("veto_agreed", "veto_refused", "agrees"),
    do.FinishLooking: _plain("looked"),
    do.Investigate: _on("investigate"),
    do.NameNextPresident: _on("name_president"),
    do.Shoot: _on("shoot"),
    do.ShufflePiles: _plain("shuffled"),
    do.EndGame: _plain("end_game"),
}
