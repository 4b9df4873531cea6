"""Computers that lack something: modules that stand in front of the real ones."""

from __future__ import annotations

from pathlib import Path

WITHOUT_PORTAUDIO = 'raise OSError("PortAudio library not found")\n'
"""What importing sounddevice does where the library is missing."""

WITHOUT_DEVICES = '''
class PortAudioError(Exception):
    """As the real one."""


class CallbackStop(Exception):
    """As the real one."""


def query_hostapis(index=None):
    return ({"name": "ALSA", "devices": [], "default_input_device": -1, "default_output_device": -1},)


def query_devices(device=None, kind=None):
    if device is None and kind is None:
        return ()
    raise PortAudioError("Error querying device -1")


class default:
    device = (-1, -1)


def _initialize():
    pass


def _terminate():
    pass
'''
"""sounddevice on a computer to which nothing is connected."""


def hidden_sound(folder: Path, module: str) -> Path:
    """Return a folder that has `module` as its sounddevice."""
    hiding = folder / "hiding"
    hiding.mkdir(exist_ok=True)
    (hiding / "sounddevice.py").write_text(module)
    return hiding
