"""Words that may be our own, heard again: pure. The gate of the microphone is the first guard, this is the second."""

from __future__ import annotations

from dataclasses import dataclass

GUARDED = 1.5
"""s after our own words in which what is heard may be these: loudspeakers and rooms can be late."""
_SHARE = 0.6
"""Of the words that are heard: so many of them in what was said are no chance (voice.md, 4.2)."""
_AT_ONCE = 0.1
"""s after the gate has opened in which an echo that was late goes on; people wait until they have understood."""


@dataclass(frozen=True, slots=True)
class Said:
    """What we said last at the table, when it ended and when the microphone's gate opened (s, monotonic clock)."""

    text: str
    ended: float
    gate: float

    def is_echo(self, heard: str, began: float, *, answers: bool) -> bool:
        """Return whether `heard`, which somebody began to say at `began`, is rather our own words.

        `answers`: somebody was asked, and answers with words of the question. Then only its end is taken for an echo,
        and only where it sounds on as soon as the gate opens.
        """
        said, words = _words(self.text), _words(heard)
        if not words or not said or began - self.ended > GUARDED:
            return False
        if answers:
            return began - self.gate < _AT_ONCE and said[-len(words) :] == words
        return sum(word in said for word in words) >= _SHARE * len(words)


def _words(text: str) -> list[str]:
    letters = "".join(letter if letter.isalnum() or letter == "'" else " " for letter in text.casefold())
    return letters.split()
