"""The whole conversation: what is heard goes to the session, and what it replies to the mouth."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from gm_assistant.ears import Ears, FileEars, Instead, Words
from gm_assistant.errors import GmError
from gm_assistant.mouth import Mouth
from gm_assistant.pipe import left, until
from gm_assistant.session import Session
from gm_assistant.terminal import ERASING, LATE, Keyboard
from gm_assistant.utterances import EqualWhisper, Reply

_NAMES = ("SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "SIGBREAK")
ENDING_SIGNALS = tuple(getattr(signal, name) for name in _NAMES if hasattr(signal, name))
"""What ends a program from outside: a key, the system, a terminal that is closed. Not all systems have all."""


def unseen_line(keyboard: Keyboard, seconds: float | None) -> str | None:
    """Return a line that is typed without being shown, and can be erased as usual.

    LATE if it was not ended within `seconds` (what came of it is forgotten), None at the end of the input.
    """
    if not keyboard.single_keys:
        return keyboard.key(seconds)
    end, line = until(seconds), ""
    while (key := keyboard.key(left(end))) not in (None, LATE, "\n", "\r"):
        assert key is not None  # noqa: S101 - not in the loop then
        line = line[:-1] if key in ERASING else line + key * key.isprintable()
    return line if key in ("\n", "\r") else key


def talk(
    session: Session,
    mouth: Mouth,
    ears: Ears,
    keyboard: Keyboard,
    fallback: Callable[[GmError], Ears],
    *,
    resume: bool | None,
) -> None:
    """Hold the whole conversation: until the leader leaves or no more sentence can come.

    Secret votes are typed without being shown, whatever the ears are. When the ears fail, `fallback` gives others;
    nothing of the game is lost. However it ends, nobody is left with closed eyes.
    """
    try:
        _talk(session, mouth, ears, keyboard, fallback, resume)
    finally:
        with _undisturbed():
            mouth.say(session.left(mouth.done))


@contextmanager
def _undisturbed() -> Iterator[None]:
    """Let no signal end the program meanwhile, but for those that nobody can hold back."""
    kept = {}
    for number in ENDING_SIGNALS:
        with suppress(ValueError):  # not on the main thread
            kept[number] = signal.signal(number, signal.SIG_IGN)
    try:
        yield
    finally:
        for number, handler in kept.items():
            signal.signal(number, handler)


def _talk(
    session: Session,
    mouth: Mouth,
    ears: Ears,
    keyboard: Keyboard,
    fallback: Callable[[GmError], Ears],
    resume: bool | None,
) -> None:
    perform(session, mouth, keyboard, session.open(resume))
    while not session.over:
        try:
            reply = _next_reply(session, ears, keyboard)
        except GmError as error:
            mouth.say(session.excuse(error))
            ears = fallback(error)
            continue
        if reply is None:
            return
        ears.ahead()
        perform(session, mouth, keyboard, reply)


def perform(session: Session, mouth: Mouth, keyboard: Keyboard, reply: Reply) -> None:
    """Say a reply and whatever follows from how far it came. A key that only stopped it means nothing afterwards."""
    while reply:
        outcome = mouth.say(reply)
        if any(isinstance(utterance, EqualWhisper) for utterance in reply):
            keyboard.forget()
        elif outcome.done < len(reply):
            keyboard.forget_stop()
        reply = session.performed(outcome)


def _next_reply(session: Session, ears: Ears, keyboard: Keyboard) -> Reply | None:
    """Wait for what comes next and return the reply to it; None if nothing can come any more."""
    if session.wants_key:
        key = keyboard.key()
        return None if key is None else session.hear(key, typed=True)
    if session.wants_line and not isinstance(ears, FileEars):
        line = unseen_line(keyboard, session.seconds_left)
        if line is None:
            return None
        return session.time_is_up() if line == LATE else session.hear(line, typed=True)
    match ears.next(session.seconds_left):
        case None:
            return None
        case Words(text, typed):
            return session.hear(text, typed)
        case Instead.TIME_IS_UP:
            return session.time_is_up()
        case Instead.MISHEARD:
            return session.misheard()
