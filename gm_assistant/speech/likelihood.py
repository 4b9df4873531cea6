"""Whether speech was a sentence of the grammar at all: how likely the sound is as that, and as any other speech."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import inf

from gm_assistant.speech.ports import Recognition, Strictness


@dataclass(frozen=True, slots=True)
class AnySpeech:
    """Log likelihoods of a sound as speech of any kind; None: it is not even that."""

    sounds: float | None
    """As any sounds of the language, one after the other."""
    words: float | None
    """As any words of the language; None also if that was not asked for."""
    voiced: int
    """Frames of 10 ms that are neither silence nor noise."""


_LEAST_VOICED = 10
_SHORT = 40
"""Frames that are added to the voiced ones: short words have a small sum of likelihoods and few frames."""


def compared(found: Recognition, speech: AnySpeech) -> Recognition:
    """Return `found` with the mean ratio, in a voiced frame, of its likelihood to that of any other speech.

    Minus infinity for a sound that is no speech at all. Words without a score stay as they are.
    """
    if found.score is None or not found.text:
        return found
    if speech.sounds is None:
        return replace(found, ratio=-inf)
    other = speech.sounds if speech.words is None else (speech.sounds + speech.words) / 2
    return replace(found, ratio=(found.score - other) / (max(speech.voiced, _LEAST_VOICED) + _SHORT))


LEAST_RATIO: Mapping[Strictness, float] = {
    Strictness.PUSHED: -10.0,
    Strictness.OPEN: -7.0,
    Strictness.IRREVERSIBLE: -5.0,
}
"""84 sentences, 101 of table talk; 13 synthetic voices; clean, babble 20 dB and 10 dB below, echoing room.

Without rejection 43 of the 101 became a sentence. Against sounds alone, as for PUSHED, -10 leaves 1 of them, and 61 of
the 63 right sentences; -12 leaves 5 and 63. Against sounds and words, -7 leaves 1 and 63, -5 none and 60.
"""


def rejected(found: Recognition, strictness: Strictness) -> bool:
    """Return whether `found` was surely no sentence of the grammar. What cannot be told is not rejected."""
    return found.ratio is not None and found.ratio < LEAST_RATIO[strictness]
