"""What a user has chosen once: devices, the key to talk, models, times. A YAML file; flags overrule it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta
from platformdirs import user_config_path, user_data_path

from gm_assistant.checked import checked
from gm_assistant.data import load_yaml
from gm_assistant.errors import GmError

APPLICATION = "gm_assistant"


class SettingsError(GmError):
    """The settings file is broken."""


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All settings, with what holds when the file says nothing."""

    table_device: str | None = None
    """Loudspeaker, named as `gm-assistant check` prints it; none: the system's own choice."""
    headset_device: str | None = None
    """Headset, by its exact name; none: nothing is ever whispered."""
    microphone_device: str | None = None
    """Microphone; none: the system's own choice."""
    talk_keys: tuple[str, ...] = ("space",)
    """Keys that open the microphone (a foot switch sends one): a character, or a name of `terminal.KEYS`."""
    open_microphone: bool = False
    """Listen all the time instead of after a key."""
    hold_off: Annotated[float, Meta(ge=0, le=10)] = 0.4
    """s between the end of our own sound and the beginning of listening."""
    patience: Annotated[float, Meta(ge=0, le=3600)] = 8.0
    """s that the microphone waits for somebody to speak after the key; 0 waits for ever."""
    vote_deadline: Annotated[int, Meta(ge=0, le=86400)] | None = None
    """s that a secret ballot may take before missing votes are drawn, 0 for ever; none: as the edition says."""
    models: dict[str, str] = {}
    """Language -> folder of a Vosk model."""
    trust_headset: bool = False
    """The headset may be a built-in jack, although the loudspeaker goes on when its plug is pulled."""
    split_device: str | None = None
    """Instead of both: one stereo device with a splitter, by its exact name; left is the table, right the headset."""
    headset_lead_in: Annotated[float, Meta(ge=0, le=5)] = 0.8
    """s of faint noise before each whisper, in which a sleeping Bluetooth headset wakes up."""
    noise_volume: Annotated[float, Meta(ge=0, le=1)] = 0.5
    """Of the masking noise; 1 is as loud as speech above it bears."""


def settings_file() -> Path:
    """Return where the settings file belongs, whether it is there or not."""
    return user_config_path(APPLICATION, appauthor=False) / "settings.yaml"


def models_folder(language: str) -> Path:
    """Return where the speech model of a language belongs, whether it is there or not."""
    return user_data_path(APPLICATION, appauthor=False) / "models" / language


def games_folder() -> Path:
    """Return where games are saved."""
    return user_data_path(APPLICATION, appauthor=False) / "games"


def editions_folder() -> Path:
    """Return where a user's own editions belong, whether it is there or not."""
    return user_config_path(APPLICATION, appauthor=False) / "editions"


def load_settings(path: Path, *, wanted: bool = False) -> Settings:
    """Return the settings in `path`; the defaults if there is no file, unless it is `wanted`.

    Raise DataError for a file that is no YAML, SettingsError("settings-broken") for wrong content.
    """
    if not wanted and not path.exists():
        return Settings()
    content = load_yaml(path)
    return checked({} if content is None else content, Settings, str(path), SettingsError, "settings-broken")
