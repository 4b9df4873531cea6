"""The question of the assistant that waits for an answer, and how long it waits."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from gm_assistant.dialogue.messages import Message, Messages
from gm_assistant.dialogue.questions import Confirm, Question


class Asking:
    """Keeps one question at a time. It is repeated once, then it is dropped: it never goes round in circles."""

    def __init__(self, clock: Callable[[], datetime], patience: float) -> None:
        """`patience` is how long a confirmation is waited for after each time that it is asked for (s); 0 for ever."""
        self._clock = clock
        self._patience = patience
        self._prompt: Messages = ()
        self._repeated = False
        self._said: datetime | None = None
        self.question: Question | None = None

    def ask(self, question: Question, prompt: Messages) -> Messages:
        """Wait for the answer to a question; return the words of it."""
        self.question, self._prompt, self._repeated, self._said = question, prompt, False, None
        return prompt

    def drop(self) -> None:
        """Wait for nothing any more."""
        self.question, self._said = None, None

    def missed(self) -> Messages:
        """Return what is said if no answer came: the question once more, the next time that it is dropped."""
        if not self._repeated:
            self._repeated, self._said = True, None
            return self._prompt
        dropped = Message("not-done") if self.irreversible else Message("question-dropped")
        self.drop()
        return (dropped,)

    def said(self) -> None:
        """Begin to wait: everything has been said."""
        if self.irreversible:
            self._said = self._clock()

    @property
    def waits(self) -> bool:
        """Whether anything was asked."""
        return self.question is not None

    @property
    def irreversible(self) -> bool:
        """Whether a confirmation is awaited."""
        return isinstance(self.question, Confirm)

    @property
    def seconds_left(self) -> float | None:
        """How long a confirmation is still waited for (s), 0 if it is time; None if there is no hurry."""
        if not self.irreversible or self._said is None or self._patience == 0:
            return None
        return max(self._patience - (self._clock() - self._said).total_seconds(), 0.0)
