"""The headset, or none."""

from __future__ import annotations

from gm_assistant.errors import AudioError
from gm_assistant.speech.audio import Device
from gm_assistant.speech.guarded import OPENING_DEADLINE, Guard
from gm_assistant.speech.headset_rules import refuse_table
from gm_assistant.speech.ports import Audio


class HeadsetLine:
    """The headset, played by a child process; or none, on which nothing can be whispered."""

    def __init__(self, name: str | None, *, trusted: bool = False) -> None:
        """Raise AudioError as `refuse_headset` does."""
        self._guard = None if name is None else Guard(name, trusted=trusted)

    def check(self, table: Device) -> str:
        """Return the headset's full name if it could be played on now and is not `table`.

        Raise AudioError("headset-not-ready", device=...) or ("headset-refused", device=...).
        """
        full_name = str(self._present().ask("check", deadline=OPENING_DEADLINE))
        refuse_table(full_name, table)
        return full_name

    def begin(self, audio: Audio) -> None:
        """Start to play. Raise AudioError("headset-not-ready")."""
        self._present().ask("begin", audio, deadline=OPENING_DEADLINE)

    def ended(self) -> bool:
        """Return whether it is over. Raise AudioError("headset-not-ready")."""
        return self._present().ended()

    def stop(self) -> None:
        """Be silent at once."""
        if self._guard is not None:
            self._guard.stop()

    def close(self) -> None:
        """End the child."""
        if self._guard is not None:
            self._guard.close()

    def _present(self) -> Guard:
        if self._guard is None:
            raise AudioError("headset-not-ready", device="")
        return self._guard
