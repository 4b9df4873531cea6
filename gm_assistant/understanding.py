"""What is understood now, and what is said to words that are not."""

from __future__ import annotations

from collections.abc import Callable

from gm_assistant.dialogue.grammar import Grammar
from gm_assistant.dialogue.intents import Ambiguous, Parsed
from gm_assistant.dialogue.messages import Messages
from gm_assistant.dialogue.pack import LanguagePack
from gm_assistant.pardon import pardon
from gm_assistant.rules.views import TableView


class Understanding:
    """Keeps the grammars that were used, and how often in a row nothing was understood."""

    def __init__(self) -> None:
        self._grammar: Grammar | None = None
        self._misses = 0

    def forget(self) -> None:
        """Make the grammar anew: other questions, other players or another language."""
        self._grammar = None

    def of_set_up(self, fresh: Callable[[], Grammar]) -> Grammar:
        """Return the grammar of a question of the set-up: the same one until `forget`, a `fresh` one after it."""
        if self._grammar is None:
            self._grammar = fresh()
        return self._grammar

    def of_game(self, pack: LanguagePack, players: tuple[str, ...], intents: frozenset[str]) -> Grammar:
        """Return the grammar of a game or a scene: the same one as long as the intents are the same."""
        if self._grammar is None or self._grammar.intents != intents:
            self._grammar = Grammar(pack, players, intents)
        return self._grammar

    def understood(self) -> None:
        """Begin anew with asking: something was understood."""
        self._misses = 0

    def missed(self, text: str, parsed: Parsed, view: TableView | None, examples: Messages) -> Messages:
        """Return what is said to words that are no sentence. Without `view` none of the words is said again."""
        assert self._grammar is not None  # noqa: S101 - something was parsed with it
        self._misses += not isinstance(parsed, Ambiguous)
        return pardon(text, parsed, self._grammar, view, self._misses, examples)
