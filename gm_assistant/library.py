"""The language packs and editions that are there."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from gm_assistant.data import data_folder, load_yaml
from gm_assistant.dialogue.pack import FILES, LanguagePack, pack_from
from gm_assistant.dialogue.pack_checks import check_names, check_same_phrases
from gm_assistant.dialogue.phrasebook import Phrasebook
from gm_assistant.dialogue.refusals import trouble
from gm_assistant.errors import GmError
from gm_assistant.rules.edition import Edition, edition_from

COMPLETE = "en"
"""The language that has every phrase; the others are measured by it."""


@dataclass(frozen=True)
class Library:
    """Everything that was read from `voices/` and `configs/`."""

    packs: Mapping[str, LanguagePack]
    editions: Mapping[str, Edition]

    def phrasebook(self, language: str, edition: str | None) -> Phrasebook:
        """Return what speaks `language` with the names of `edition` (of the first one, before one is chosen)."""
        chosen = self.editions[edition or next(iter(self.editions))]
        return Phrasebook(self.packs[language], chosen.names[language])


def load_library(voices: Path | None = None, configs: Path | None = None) -> Library:
    """Return all packs and editions. Raise DataError, LanguagePackError or EditionError for a broken file."""
    folders = (folder for folder in sorted((voices or data_folder("voices")).iterdir()) if folder.is_dir())
    packs = {pack.language: pack for pack in map(load_pack, folders)}
    files = sorted((configs or data_folder("configs")).glob("*.yaml"))
    editions = {path: load_edition(path) for path in files}
    for pack in packs.values():
        check_same_phrases(pack, packs.get(COMPLETE, pack))
        for path, edition in editions.items():
            check_names(pack, edition, str(path))
    return Library(packs, {edition.id: edition for edition in editions.values()})


def load_pack(folder: Path) -> LanguagePack:
    """Return the pack in `folder`."""
    return pack_from(folder.name, {file: load_yaml(folder / file) for file in FILES if (folder / file).exists()})


def load_edition(path: Path) -> Edition:
    """Return the edition in the file `path`."""
    return edition_from(load_yaml(path), str(path))


def spoken_error(error: GmError, language: str, voices: Path) -> str:
    """Return an error in the words of `language`, or of any language whose files are whole.

    If no language file can be read, the bare facts are returned: file, place, problem.
    """
    others = sorted(folder.name for folder in voices.iterdir() if folder.is_dir()) if voices.is_dir() else []
    for code in dict.fromkeys((language, "en", *others)):
        with suppress(GmError, KeyError, OSError):
            return Phrasebook(load_pack(voices / code), {}).phrase(trouble(error))
    return ". ".join(str(fact) for fact in error.facts.values()) or error.key
