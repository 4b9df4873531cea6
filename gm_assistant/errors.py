"""Errors carry a key and facts; the words for a key stand in every language pack."""

from __future__ import annotations

from collections.abc import Callable


class GmError(Exception):
    """Something went wrong that a person should hear about in one plain sentence.

    `key` names a phrase of the language packs, `facts` fill its gaps. Neither ever holds a secret.
    """

    def __init__(self, key: str, **facts: object) -> None:
        super().__init__(key, facts)
        self.key = key
        self.facts = facts

    def __reduce__(self) -> tuple[object, ...]:
        """Travel between processes whole."""
        return _rebuilt, (type(self), self.key, self.facts), self.__dict__

    def __str__(self) -> str:
        listed = ", ".join(f"{name}={value!r}" for name, value in self.facts.items())
        return f"{self.key}({listed})"


def _rebuilt(kind: type[GmError], key: str, facts: dict[str, object]) -> GmError:
    return kind(key, **facts)


class RuleViolation(GmError):
    """The rules refuse a command in the present state; the state is unchanged.

    `where` gives that state in one line, without what is secret, for logs and bug reports.
    """

    where: Callable[[], str] | None = None

    @property
    def position(self) -> str:
        """The state in one line; empty before a game began."""
        return self.where() if self.where else ""

    def __str__(self) -> str:
        return f"{super().__str__()} at {self.position}" if self.position else super().__str__()


class EditionError(GmError):
    """An edition file is broken: its facts name file, key path, what is wrong and what is allowed."""


class LanguagePackError(GmError):
    """A file of a language pack is broken: its facts name file, key path, problem and what is allowed."""


class JournalError(GmError):
    """The game could not be written to disk or read back."""


class AudioError(GmError):
    """A loudspeaker, headset, microphone, sound file or voice cannot be used."""


class ModelError(GmError):
    """A speech recogniser or its model is missing or cannot be used."""
