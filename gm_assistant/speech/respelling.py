"""Words that shall be said otherwise than they are written."""

from __future__ import annotations

from collections.abc import Callable

from gm_assistant.speech.ports import Audio, Synthesizer, Voice


class RespellingSynthesizer:
    """A Synthesizer that gives another one the text as it shall be said: what is printed keeps its spelling."""

    def __init__(self, synthesizer: Synthesizer, respelled: Callable[[str], str]) -> None:
        self._synthesizer = synthesizer
        self._respelled = respelled

    def synthesize(self, text: str, voice: Voice) -> Audio:
        """Return the spoken text. Raise what the other Synthesizer raises."""
        return self._synthesizer.synthesize(self._respelled(text), voice)

    def close(self) -> None:
        """Close the other Synthesizer."""
        self._synthesizer.close()
