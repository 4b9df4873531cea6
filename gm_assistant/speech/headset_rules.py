"""Which devices may be the headset: those from which a whisper can reach nobody else."""

from __future__ import annotations

import re

from gm_assistant.errors import AudioError
from gm_assistant.speech.audio import Device

_REROUTED = re.compile(
    r"(sysdefault|default|pulse|pipewire|jack|dmix|front|rear|side|center_lfe|surround\d\d|(up|vdown)mix)(?![\w ])"
    r"|microsoft sound ?mapper|primary sound driver|primärer soundtreiber",
    re.IGNORECASE,
)
"""Names behind which the system puts whatever device it likes just now (ALSA, PulseAudio, PipeWire, Windows)."""

REROUTED_HOSTS = ("MME", "Windows DirectSound")
"""Windows' older interfaces: they translate and cut off names. Every device is there through WASAPI too."""

_SHARED_JACK = re.compile(
    r"\b(hda|hd-audio)\b.*\banalog\b|\balc\d{3,4}\b|\bsof-|\bbcm2835\b"
    r"|\bpci-\S+analog|\b(built-in|internal) audio\b|\binternes audio\b"
    r"|\bbuilt-in (output|line|headphone|speaker)|\bintegrierter? (ausgang|lautsprecher|kopfhörer)"
    r"|\b(macbook|imac|mac ?(mini|studio|pro))\b.*(speaker|lautsprecher)"
    r"|(speaker|headphone|lautsprecher|kopfhörer).*\((\d+ ?- ?)?"
    r"(realtek|conexant|cirrus|idt|sigmatel|via|synaptics|high definition audio)",
    re.IGNORECASE,
)
"""Names of built-in sound cards, whose jack and loudspeaker are one device (ALSA, PulseAudio, Core Audio, Windows)."""

_PLUGGED = re.compile(r"\b(usb|bluetooth|bluez)", re.IGNORECASE)
"""In names of devices that go with their plug, whatever chip they are made of."""


def refuse_headset(name: str, host: str = "", *, trusted: bool = False) -> None:
    """Raise AudioError(device=name) if what is called `name` cannot be a headset.

    "headset-refused" if the system may put any device behind it; "headset-refused-jack", unless `trusted`, if it is a
    built-in jack: without its plug the loudspeaker goes on.
    """
    refuse_rerouted(name, host)
    if not trusted and _SHARED_JACK.search(name) and not _PLUGGED.search(name):
        raise AudioError("headset-refused-jack", device=name)


def refuse_rerouted(name: str, host: str = "") -> None:
    """Raise AudioError("headset-refused", device=name) if the system may put any device behind `name`."""
    host = host or name.rpartition(", ")[2]
    if _REROUTED.match(name.strip()) or host in REROUTED_HOSTS:
        raise AudioError("headset-refused", device=name)


def refuse_mono(device: Device) -> None:
    """Raise AudioError("split-refused", device=...) if left and right cannot be apart on `device`."""
    if device.channels < 2:
        raise AudioError("split-refused", device=device.full_name)


def refuse_table(name: str, table: Device) -> None:
    """Raise AudioError("headset-refused", device=name) if `name` is the table's device, through whatever interface."""
    called = {name.casefold(), name.rpartition(", ")[0].casefold()}
    mine = table.name.casefold()
    cut_off = table.host == "MME" and any(other.startswith(mine) for other in called)
    if mine in called or cut_off:
        raise AudioError("headset-refused", device=name)
