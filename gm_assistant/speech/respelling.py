"""Words that shall be said otherwise than they are written."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import Future

from gm_assistant.speech.ports import Audio, PromptSynthesizer, Voice


class RespellingSynthesizer:
    """Gives another Synthesizer each text as it shall be said, for either channel; what is printed stays as it is."""

    def __init__(self, synthesizer: PromptSynthesizer, respelled: Callable[[str], str]) -> None:
        self._synthesizer = synthesizer
        self._respelled = respelled

    def synthesize(self, text: str, voice: Voice) -> Audio:
        """Return the spoken text. Raise what the other Synthesizer raises."""
        return self._synthesizer.synthesize(self._respelled(text), voice)

    def later(self, text: str, voice: Voice) -> Future[Audio]:
        """See `PromptSynthesizer.later`."""
        return self._synthesizer.later(self._respelled(text), voice)

    def guess(self, texts: Iterable[str], voice: Voice) -> None:
        """See `PromptSynthesizer.guess`."""
        self._synthesizer.guess(map(self._respelled, texts), voice)

    def close(self) -> None:
        """Close the other Synthesizer."""
        self._synthesizer.close()
