"""Grammars that an engine in a child process keeps ready, so that one which comes again costs next to nothing."""

from __future__ import annotations

from dataclasses import dataclass

from gm_assistant.errors import ModelError
from gm_assistant.speakable import SpeakableGrammar
from gm_assistant.speech.worker import Asked, Worker
from gm_assistant.word_machine import State

MOST_KEPT = 24
"""A game has a dozen situations, each with and without a question of the assistant; about 0.3 MB each."""

_LOADING_DEADLINE = 60.0
"""s for starting the child and loading a model: 3.5 s for a small Vosk model on a fast disk."""


@dataclass(slots=True)
class _Kept:
    slot: int
    asked: Asked | None
    unknown: frozenset[str] = frozenset()


class KeptGrammars:
    """Tells an engine which grammar to use.

    It must have `keep(slot, marked machine) -> unknown words` and `use(slot)`.
    """

    def __init__(self, worker: Worker) -> None:
        self._worker = worker
        self._generation = worker.generation
        self._kept: dict[State, _Kept] = {}
        self._used: State | None = None

    def use(self, grammar: SpeakableGrammar) -> frozenset[str]:
        """Let the engine hear `grammar` from now on; return the words of it that the engine does not know.

        Raise WorkerLost, or ModelError as the engine's `keep` does: then the engine goes on with what it used.
        """
        self._forget_lost()
        machine = grammar.machine
        kept = self._kept.get(machine) or self._keep(grammar)
        if kept.asked is not None:
            kept.unknown = self._answered(machine, kept.asked)
            kept.asked = None
        if machine is not self._used:
            self._worker.call("use", kept.slot, deadline=_LOADING_DEADLINE)
            self._used = machine
        self._kept[machine] = self._kept.pop(machine)
        return kept.unknown

    def ahead(self, grammar: SpeakableGrammar) -> None:
        """Let the engine make `grammar` ready meanwhile. Whether it failed is told by `use`."""
        self._forget_lost()
        if grammar.machine not in self._kept:
            self._keep(grammar)

    def _forget_lost(self) -> None:
        if self._worker.generation != self._generation:
            self._kept, self._used, self._generation = {}, None, self._worker.generation

    def _keep(self, grammar: SpeakableGrammar) -> _Kept:
        if len(self._kept) >= MOST_KEPT:
            self._kept.pop(next(other for other in self._kept if other is not self._used))
        taken = {kept.slot for kept in self._kept.values()}
        slot = next(number for number in range(MOST_KEPT) if number not in taken)
        asked = self._worker.begin("keep", slot, grammar.marked_machine)
        kept = self._kept[grammar.machine] = _Kept(slot, asked)
        return kept

    def _answered(self, machine: State, asked: Asked) -> frozenset[str]:
        try:
            unknown: frozenset[str] = self._worker.result(asked, _LOADING_DEADLINE)
        except ModelError:
            self._kept.pop(machine)
            raise
        return unknown
