"""What keyboards of persons have in common, whatever the system."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod

from gm_assistant.pipe import left, until
from gm_assistant.terminal.keys import END_OF_INPUT, LATE, TALK, WHOLE_KEY, signs
from gm_assistant.terminal.reports import Happened, reported
from gm_assistant.terminal.talk_key import TalkKey


class PersonalKeyboard(ABC):
    """Keys come one by one. Repeats of a key to talk that is held are no keys: it was pressed once."""

    single_keys = True

    def __init__(self, talk_keys: tuple[str, ...]) -> None:
        self._talk = signs(talk_keys)
        self._talk_key = TalkKey()
        self._waiting = ""

    @abstractmethod
    def line(self) -> str | None:
        """Return a line that the person edits as usual; a key that stopped speech is its first letter."""

    @abstractmethod
    def close(self) -> None:
        """Give the terminal back as it was."""

    @abstractmethod
    def _sent(self, seconds: float | None) -> str:
        """Wait for keys; return those that came at once, "" when `seconds` passed without one."""

    def pressed(self) -> bool:
        """Return at once whether a key was pressed; it is kept for the next line."""
        self._waiting = self._waiting or self._keys(0)
        return bool(self._waiting)

    def interrupted(self) -> bool:
        """Return at once whether another key than the one to talk was pressed; it is kept for the next line."""
        self._waiting = self._waiting or self._keys(0, listening=True)
        return bool(self._waiting)

    def awaited(self, seconds: float | None) -> bool:
        """Wait for a key; return False when `seconds` passed without one."""
        self._waiting = self._waiting or self._keys(seconds)
        return bool(self._waiting)

    @property
    def talk_pressed(self) -> float:
        """When the key to talk was pressed last (s, monotonic clock)."""
        return self._talk_key.pressed_at

    def held(self) -> bool:
        """Return whether the key to talk is held down, as far as `interrupted` could tell last."""
        return self._talk_key.held

    def finished(self) -> bool:
        """Return whether the key to talk was let go after it was held, or pressed again, by the last `interrupted`."""
        return self._talk_key.finished

    def talk_or_line(self, *, wait: bool = True, enter: bool = False, seconds: float | None = None) -> str | None:
        """Return TALK for a key to talk; any other printable key begins a line."""
        while True:
            if not self.awaited(seconds):
                return LATE
            keys = self._waiting
            key = WHOLE_KEY.findall(keys)[0]
            self._waiting = keys.removeprefix(key)
            if key in self._talk:
                return TALK
            if key == END_OF_INPUT:
                return None
            if enter and key in "\r\n":
                return ""
            if key.isprintable():
                self._waiting = keys
                return self.line()
            if not wait:
                return TALK

    def key(self, seconds: float | None = None) -> str | None:
        """Return one key; those that were pressed while speech played come first."""
        if not self.awaited(seconds):
            return LATE
        key = WHOLE_KEY.findall(self._waiting)[0]
        self._waiting = self._waiting.removeprefix(key)
        return None if key == END_OF_INPUT else key.replace("\r", "\n")

    def forget(self) -> None:
        """Drop every key that was pressed by now, but for the end of the input."""
        self.pressed()
        while more := self._keys(0):
            self._waiting += more
        self._waiting = END_OF_INPUT if END_OF_INPUT in self._waiting else ""

    def forget_stop(self) -> None:
        """Drop a key that neither begins a line nor opens the microphone."""
        key = next(iter(WHOLE_KEY.findall(self._waiting)), "")
        if key not in self._talk and key != END_OF_INPUT and not key.isprintable():
            self._waiting = self._waiting.removeprefix(key)

    def _keys(self, seconds: float | None, *, listening: bool = False) -> str:
        """Wait for what is a key of its own; return it with all that came at once with it, "" if there was none."""
        end = until(seconds)
        while True:
            sent = self._sent(left(end))
            keys = self._less_repeats(sent, listening)
            if keys or (not sent and left(end) == 0) or seconds == 0:
                return keys

    def _less_repeats(self, sent: str, listening: bool) -> str:
        """Return what was sent less every sign of a key to talk that is not a new press of it.

        While somebody listens none is. Whoever types may double any letter: after another key all are kept.
        """
        kept, now = "", time.monotonic()
        for whole in WHOLE_KEY.findall(sent):
            key, happened = reported(whole)
            if happened is Happened.LET_GO:
                if key in self._talk:
                    self._talk_key.let_go(now)
            elif key in self._talk and not self._typing(kept):
                kept += key * self._notice(key, happened, now, listening)
            else:
                self._talk_key.other()
                kept += key
        return kept

    def _typing(self, kept: str) -> bool:
        return any(key not in self._talk for key in WHOLE_KEY.findall(self._waiting + kept))

    def _notice(self, key: str, happened: Happened, now: float, listening: bool) -> bool:
        """Notice a sign of the key to talk; return whether it is a new press for whoever waits for one."""
        if happened is Happened.REPEATED:
            return False
        repeated = self._talk_key.still_the_same and not self._reports_repeats(key)
        if repeated and self._talk_key.surely_down:
            return False
        if repeated or listening:
            self._talk_key.again(now)
            return False
        self._talk_key.press(now, surely_down=self._reports_repeats(key) or self._is_down(key))
        return True

    def _reports_repeats(self, key: str) -> bool:  # noqa: ARG002 - most know nothing of it
        """Return whether repeats of `key`, and letting it go, are told apart from pressing it."""
        return False

    def _is_down(self, key: str) -> bool:  # noqa: ARG002
        """Return whether `key` is down now, and somebody will tell when it is let go."""
        return False
