"""What a microphone heard lately: while it is shut the last moment only, in memory and nowhere else."""

from __future__ import annotations

import threading
from collections import deque
from dataclasses import dataclass

from gm_assistant.speech.resampling import Samples

PRE_ROLL = 0.3
"""s that are kept while the microphone is shut: people begin to speak while they press the key."""


@dataclass(frozen=True, slots=True)
class _Piece:
    began: float
    rate: int
    samples: Samples

    @property
    def ended(self) -> float:
        return self.began + len(self.samples) / self.rate

    def since(self, moment: float) -> Samples:
        """Return what came at `moment` or later."""
        return self.samples[max(0, round((moment - self.began) * self.rate)) :]


class Lately:
    """Pieces of sound on their way from the device's thread to whoever reads. Times in s of the monotonic clock."""

    def __init__(self) -> None:
        self._pieces: deque[_Piece] = deque()
        self._arrived = threading.Condition()
        self._since: float | None = None

    @property
    def is_open(self) -> bool:
        """Whether everything is kept, not the last moment only."""
        return self._since is not None

    def open(self, since: float) -> None:
        """Keep everything from `since` on, which may lie up to PRE_ROLL back; drop what came before it."""
        with self._arrived:
            self._since = since
            while self._pieces and self._pieces[0].ended <= since:
                self._pieces.popleft()

    def shut(self) -> None:
        """Drop everything; keep the last moment only from now on."""
        with self._arrived:
            self._since = None
            self._pieces.clear()

    def keep(self, samples: Samples, began: float, rate: int) -> None:
        """Take a piece that began to sound at `began`."""
        piece = _Piece(began, rate, samples)
        with self._arrived:
            oldest = piece.ended - PRE_ROLL if self._since is None else self._since
            while self._since is None and self._pieces and self._pieces[0].ended <= oldest:
                self._pieces.popleft()
            if piece.ended > oldest:
                self._pieces.append(piece)
                self._arrived.notify()

    def next(self, patience: float) -> Samples | None:
        """Return the next piece less what came too early; None if none comes within `patience` s or it is shut."""
        with self._arrived:
            if not self._arrived.wait_for(lambda: self._pieces and self._since is not None, patience):
                return None
            assert self._since is not None  # noqa: S101 - just waited for
            return self._pieces.popleft().since(self._since)
