"""What is understood now, and what is said to words that are not."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from gm_assistant.dialogue.grammar import Grammar
from gm_assistant.dialogue.intents import CONFIRMING, IN_PLAY
from gm_assistant.dialogue.messages import Messages
from gm_assistant.dialogue.pack import LanguagePack
from gm_assistant.dialogue.situation import highest_number
from gm_assistant.names import Names
from gm_assistant.pardon import pardon, refused_words
from gm_assistant.rules.model import Seat
from gm_assistant.rules.views import TableView


class Understanding:
    """Keeps the grammars that were used, and how often in a row nothing was understood."""

    def __init__(self, names: Names) -> None:
        """`names` know what players can be called besides their names and seats."""
        self._names = names
        self._grammar: Grammar | None = None
        self._grammars: dict[tuple[frozenset[str], frozenset[str], int], Grammar] = {}
        self._misses = 0

    def forget(self) -> None:
        """Make all grammars anew: other questions, other players or another language."""
        self._grammar = None
        self._grammars.clear()

    def of_set_up(self, fresh: Callable[[], Grammar]) -> Grammar:
        """Return the grammar of a question of the set-up: the same one until `forget`, a `fresh` one after it."""
        if self._grammar is None:
            self._grammar = fresh()
        return self._grammar

    def of_scene(self, pack: LanguagePack, players: tuple[str, ...], intents: frozenset[str]) -> Grammar:
        """Return the grammar of a scene: everything that is understood can be spoken."""
        made = partial(Grammar, pack, players, intents, also=self._also(pack, players))
        return self._kept((intents, intents, 0), made)

    def of_game(self, pack: LanguagePack, view: TableView, asked: frozenset[str], spoken: frozenset[str]) -> Grammar:
        """Return the grammar of a situation: everything of play can be typed, only what makes sense now spoken.

        `asked` are answers to a question of the assistant. It is the same object for the same situation.
        """
        typed, highest = IN_PLAY | CONFIRMING | asked, highest_number(view)
        also = self._also(pack, view.players)
        made = partial(Grammar, pack, view.players, typed, spoken=spoken, highest=highest, also=also)
        return self._kept((typed, spoken, highest), made)

    def _also(self, pack: LanguagePack, players: tuple[str, ...]) -> dict[str, Seat]:
        return self._names.wordings(players, pack.language)

    def _kept(self, key: tuple[frozenset[str], frozenset[str], int], made: Callable[[], Grammar]) -> Grammar:
        if key not in self._grammars:
            self._grammars[key] = made()
        return self._grammars[key]

    def understood(self) -> None:
        """Begin anew with asking: something was understood."""
        self._misses = 0

    def missed(
        self,
        text: str,
        grammar: Grammar,
        view: TableView | None,
        examples: Messages,
        keyboard: Messages,
        *,
        typed: bool,
    ) -> Messages:
        """Return what is said to words that are no sentence, nothing if a tone is enough.

        Without `view` none of the words is said again.
        """
        self._misses += 1
        return refused_words(text, grammar, view) or pardon(self._misses, examples, keyboard, typed=typed)
