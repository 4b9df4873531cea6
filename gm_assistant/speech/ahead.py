"""Sound that is made before anybody waits for it: the next sentences of an answer, and answers that are likely."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from concurrent.futures import Future
from contextlib import suppress
from functools import partial
from threading import Condition, Thread

from gm_assistant.speech.ports import Audio, Voice
from gm_assistant.speech.pyttsx3_synthesizer import CachedSynthesizer

GUESSES = 16
"""How many likely texts are made at most: for all that, espeak-ng needs a quarter of a second."""
LONGEST_GUESS = 120
"""Characters. A longer text would be in the way for too long of one that is wanted at once (15 ms for so many)."""

_POLL = 0.005
"""s between two looks at a key while a sound is awaited."""
_CLOSING_PATIENCE = 1.0
"""s that the sound in work may take when everything ends."""

_Order = tuple[str, Voice, "Future[Audio]"]


class AheadSynthesizer:
    """Makes all sounds on one thread of its own, one after the other: what is wanted first, then what is likely."""

    def __init__(self, synthesizer: CachedSynthesizer) -> None:
        self._synthesizer = synthesizer
        self._turn = Condition()
        self._wanted: deque[_Order] = deque()
        self._likely: deque[_Order] = deque()
        self._thread: Thread | None = None
        self._closed = False

    def synthesize(self, text: str, voice: Voice) -> Audio:
        """Return the spoken text, from memory or before everything that is only likely. Raise as the other does."""
        return self.later(text, voice).result()

    def later(self, text: str, voice: Voice) -> Future[Audio]:
        """Begin to make the spoken text, after whatever else was wanted; return at once."""
        promise: Future[Audio] = Future()
        known = self._synthesizer.known(text, voice)
        if known is not None:
            promise.set_result(known)
        else:
            self._order(self._wanted, [(text, voice, promise)])
        return promise

    def guess(self, texts: Iterable[str], voice: Voice) -> None:
        """Make these texts as long as nothing is wanted, the likeliest first, and no longer those that came before.

        Only GUESSES of them, and none that is longer than LONGEST_GUESS. That one cannot be made nobody is told.
        """
        fitting = [text for text in dict.fromkeys(texts) if len(text) <= LONGEST_GUESS][:GUESSES]
        new = [(text, voice, Future[Audio]()) for text in fitting if self._synthesizer.known(text, voice) is None]
        with self._turn:
            self._likely.clear()
        self._order(self._likely, new)

    def close(self) -> None:
        """Make nothing more, and close the other Synthesizer."""
        with self._turn:
            self._closed = True
            self._give_up()
            self._turn.notify()
        if self._thread is not None:
            self._thread.join(_CLOSING_PATIENCE)
        self._synthesizer.close()

    def _order(self, queue: deque[_Order], orders: list[_Order]) -> None:
        with self._turn:
            queue.extend(orders)
            if self._closed:
                self._give_up()
            elif orders and self._thread is None:
                self._thread = Thread(target=self._work, daemon=True)
                self._thread.start()
            self._turn.notify()

    def _give_up(self) -> None:
        for _, _, promise in (*self._wanted, *self._likely):
            promise.cancel()
        self._wanted.clear()
        self._likely.clear()

    def _work(self) -> None:
        while (order := self._next()) is not None:
            text, voice, promise = order
            if promise.set_running_or_notify_cancel():
                fulfil(promise, partial(self._synthesizer.synthesize, text, voice))

    def _next(self) -> _Order | None:
        """Wait for the next order; None when everything ends."""
        with self._turn:
            self._turn.wait_for(lambda: self._closed or self._wanted or self._likely)
            if self._closed:
                return None
            return (self._wanted or self._likely).popleft()


def fulfil(promise: Future[Audio], make: Callable[[], Audio]) -> None:
    """Keep a promise, or hand on the error that came of it."""
    try:
        promise.set_result(make())
    except Exception as failed:  # noqa: BLE001 - raised again where the sound is awaited
        promise.set_exception(failed)


def awaited(promise: Future[Audio], stopped: Callable[[], bool]) -> Audio | None:
    """Wait for a sound and return it, or None as soon as `stopped()`. Raise what making it raised."""
    while not promise.done():
        if stopped():
            return None
        with suppress(TimeoutError):
            promise.exception(_POLL)
    return promise.result()
