"""How fast and how loud the assistant speaks, as the listeners have asked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from gm_assistant.channels import Channel
from gm_assistant.dialogue.messages import Message
from gm_assistant.dialogue.pack import LanguagePack
from gm_assistant.speech.ports import Voice

LOWEST_RATE, HIGHEST_RATE = 80, 449
"""Words a minute. espeak-ng takes 80 to 449; from 450 on it switches to a method that buzzes."""

_FASTER = 1.15
_LOUDER = 0.2


@dataclass(frozen=True, slots=True)
class Manner:
    """`speed` multiplies the rates of the language pack, `volume` is 0.2 to 1.0 of full scale."""

    speed: float = 1.0
    volume: float = 0.8

    def voice(self, pack: LanguagePack, channel: Channel, platform: str) -> Voice:
        """Return the voice of `channel` on `platform` (as `sys.platform` names it)."""
        choice = pack.voices.table if channel is Channel.TABLE else pack.voices.headset
        names = choice.names.get(platform, ())
        return Voice(pack.language, names, self.rate(choice.rate), choice.pitch, round(self.volume, 2))

    def changed(self, intent: str, pack: LanguagePack) -> tuple[Manner, Message]:
        """Return the new manner and what to say about it, for one of the intents in `CHANGES`."""
        after = CHANGES[intent](self)
        rate = pack.voices.table.rate
        at_the_end = after.rate(rate) == self.rate(rate) and round(after.volume, 2) == round(self.volume, 2)
        if at_the_end:
            return self, Message(f"no-{intent}")
        return after, Message(intent, {"number": after.rate(rate)})

    def rate(self, rate: int) -> int:
        """Return a rate of the pack (words a minute) as it is spoken."""
        return min(max(round(rate * self.speed), LOWEST_RATE), HIGHEST_RATE)


CHANGES: Mapping[str, Callable[[Manner], Manner]] = {
    "slower": lambda manner: replace(manner, speed=manner.speed / _FASTER),
    "faster": lambda manner: replace(manner, speed=manner.speed * _FASTER),
    "louder": lambda manner: replace(manner, volume=min(manner.volume + _LOUDER, 1.0)),
    "quieter": lambda manner: replace(manner, volume=max(manner.volume - _LOUDER, _LOUDER)),
}
"""Intent -> change."""
