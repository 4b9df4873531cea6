"""A recogniser that understands nothing, where only the sound counts."""

from __future__ import annotations

from gm_assistant.speakable import SpeakableGrammar
from gm_assistant.speech.ports import Recognition, Strictness


class DeafRecognizer:
    """A Recognizer for languages without a model: the listener still notices when somebody speaks."""

    def prepare(self, grammar: SpeakableGrammar) -> frozenset[str]:  # noqa: ARG002 - as the Protocol wants it
        """Miss no word."""
        return frozenset()

    def ahead(self, grammar: SpeakableGrammar) -> None:
        """Need no time."""

    def accept(self, frame: bytes) -> str:  # noqa: ARG002 - as the Protocol wants it
        """Hear no words."""
        return ""

    def finish(self, strictness: Strictness = Strictness.PUSHED) -> Recognition:  # noqa: ARG002 - as the Protocol wants it
        """Understand nothing."""
        return Recognition("")

    def reconsider(self, strictness: Strictness = Strictness.PUSHED) -> None:
        """Look at nothing."""

    def reconsidered(self) -> None:
        """Have no second look."""

    def drop(self) -> None:
        """Forget nothing."""

    def close(self) -> None:
        """Free nothing."""
