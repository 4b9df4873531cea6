"""What a user has chosen once: devices, the key to talk, models, times. A YAML file; flags overrule it."""

from __future__ import annotations

import json
import os
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Annotated

import msgspec
import yaml
from msgspec import Meta
from platformdirs import user_config_path, user_data_path

from gm_assistant.checked import checked
from gm_assistant.data import load_yaml, parse_yaml
from gm_assistant.errors import GmError

APPLICATION = "gm_assistant"


class SettingsError(GmError):
    """The settings file is broken."""


class NameSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What somebody has chosen for one first name."""

    said: str = ""
    """How the voice shall read it; empty: as it is written."""
    heard: str | None = None
    """The word that the recogniser listens for instead; empty: none, only the seat. Nothing: nobody was asked."""


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
    pace: Annotated[int, Meta(ge=1, le=10)] = 4
    """s of a pause of the prologue."""
    confirmation_time: Annotated[float, Meta(ge=0, le=600)] = 8.0
    """s that what cannot be unsaid waits to be confirmed, and as long once more; 0 waits for ever."""
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
    wake_phrases: dict[str, str] = {}
    """Language -> what is said to an open microphone before a sentence; none: as the language has it."""
    follow_up: Annotated[float, Meta(ge=0, le=60)] = 6.0
    """s after an answer in which an open microphone needs no wake phrase; 0: it always does."""
    names: dict[str, NameSettings] = {}
    """First name -> how it is said and heard. The program writes it when it is told so at the table."""


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


def chosen_headset(path: Path, name: str) -> None:
    """Write the full name of the headset into the settings file `path`, which may not be there yet.

    Every other line stays as it is, comments too; the file keeps its mode, a new one is for its owner only.
    Raise as `load_settings` does, or SettingsError("settings-unwritable"); then nothing was changed.
    """
    _change(path, "headset_device", name)


def chosen_names(path: Path, names: dict[str, NameSettings]) -> None:
    """Write how all names are said and heard into the settings file `path`, on one line.

    Everything else stays as `chosen_headset` leaves it. Raise as that does.
    """
    _change(path, "names", msgspec.to_builtins(names))


def _change(path: Path, key: str, value: object) -> None:
    load_settings(path)
    file = path.resolve()  # a link stays one
    try:
        text = file.read_bytes().decode("utf-8") if file.exists() else ""
        changed = _with(text, key, value)
        if parse_yaml(changed, str(path)) != {**(parse_yaml(text, str(path)) or {}), key: value}:
            raise SettingsError("settings-unwritable", file=str(path), problem=str(value), setting=key)
        _replace(file, changed)
    except OSError as refused:
        raise SettingsError(
            "settings-unwritable", file=str(path), problem=refused.strerror or "", setting=key
        ) from refused


def _with(text: str, name: str, content: object) -> str:
    """Return the YAML `text` in which the setting `name` is `content`, on one line."""
    written = json.dumps(content, ensure_ascii=False)
    value = written if written.isprintable() else json.dumps(content)
    line, end = f"{name}: {value}", "\r\n" if "\r\n" in text else "\n"
    root = yaml.compose(text, yaml.SafeLoader)
    if not isinstance(root, yaml.MappingNode):  # nothing but comments
        return f"{_ended(text, end)}{line}{end}"
    for key, old in root.value:
        if key.value == name:
            return _spliced(text, key.start_mark.index, old.end_mark.index, line, end)
    if root.flow_style:
        place = root.start_mark.index + 1
        return f"{text[:place]}{line}, {text[place:]}"
    place = root.end_mark.index
    indent = " " * root.start_mark.column
    return f"{_ended(text[:place], end)}{indent}{line}{end}{text[place:]}"


def _spliced(text: str, begin: int, stop: int, line: str, end: str) -> str:
    """Return `text` with `line` from `begin` to `stop`; a value of several lines takes the end of its last with it."""
    ended = text[begin:stop].endswith("\n")
    return f"{text[:begin]}{line}{end if ended else ''}{text[stop:]}"


def _ended(text: str, end: str) -> str:
    return text if not text or text.endswith("\n") else text + end


def _replace(file: Path, text: str) -> None:
    """Write `text` in place of `file`, all of it or nothing."""
    file.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(prefix=file.name, dir=file.parent)  # mode 0600
    new = Path(temporary)
    try:
        with os.fdopen(handle, "wb") as output:
            output.write(text.encode())
            output.flush()
            os.fsync(output.fileno())
        if file.exists():
            new.chmod(file.stat().st_mode & 0o777)
        new.replace(file)
    except BaseException:
        with suppress(OSError):
            new.unlink()
        raise
