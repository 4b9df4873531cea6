"""The key to talk: tapped or held down, from what little a terminal tells of a key. Times in s, monotonic clock."""

from __future__ import annotations

LET_GO_AFTER = 0.15
"""s without a repeat after which a held key counts as let go. Keyboards repeat 8 to 60 times a second (macOS: 11)."""
STILL_THE_SAME = 0.3
"""s after its last sign within which one more is the same press of a key that is still held, never a new one."""
LONGEST_TAP = 0.35
"""s: a key that is surely down for longer is held."""
LAST_SOUND = 0.1
"""s that sound takes from the air to us: a sentence ends no earlier after its key was let go."""

_NEVER = float("-inf")


class TalkKey:
    """What is known of the latest press of the key.

    Most terminals tell only that a key was pressed, and tell it again and again while it is held. Then the first repeat
    cannot be told from a second press. Both end the sentence: a second press at once, holding when the repeats end.
    """

    def __init__(self) -> None:
        self.pressed_at = _NEVER
        """When it was pressed last."""
        self._last = _NEVER
        self._looked = _NEVER
        self._repeats = 0
        self._down: bool | None = None
        self._let_go = _NEVER

    def press(self, now: float, *, surely_down: bool = False) -> None:
        """Notice a new press. With `surely_down` somebody will tell when it is let go."""
        self.pressed_at = self._last = self._looked = now
        self._repeats = 0
        self._down = True if surely_down else None
        self._let_go = _NEVER

    def again(self, now: float) -> None:
        """Notice one more sign of the key: a repeat, or a second press."""
        self._last = self._looked = now
        self._repeats += 1
        if self._down:  # nobody told that it was let go
            self._down = None

    def let_go(self, now: float) -> None:
        """Notice that the key was surely let go."""
        if self._down:
            self._down = False
            self._let_go = self._looked = now

    def other(self) -> None:
        """Notice another key: nothing repeats any more."""
        self._last = _NEVER

    def look(self, now: float) -> None:
        """Notice that by now no further sign has come."""
        self._looked = max(self._looked, now)

    @property
    def surely_down(self) -> bool:
        """Whether the system says that it is down."""
        return bool(self._down)

    @property
    def still_the_same(self) -> bool:
        """Whether a sign that comes now belongs to the latest press."""
        return self.surely_down or self._looked - self._last < STILL_THE_SAME

    @property
    def held(self) -> bool:
        """Whether it is held down now, and not only tapped."""
        if self._down is not None:
            return self._down and self._looked - self.pressed_at > LONGEST_TAP
        return self._repeats > 1 and not self._has_gone_quiet

    @property
    def finished(self) -> bool:
        """Whether whoever speaks says so by key: it was held and let go, or pressed a second time."""
        if self._down is not None and not self._repeats:
            held = self._let_go - self.pressed_at > LONGEST_TAP
            return not self._down and held and self._looked - self._let_go > LAST_SOUND
        return not self._down and self._repeats > 0 and self._has_gone_quiet

    @property
    def _has_gone_quiet(self) -> bool:
        return self._looked - self._last >= LET_GO_AFTER
