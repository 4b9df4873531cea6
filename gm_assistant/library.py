"""The language packs and editions that are there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from gm_assistant.checked import Flaw
from gm_assistant.data import data_folder, load_yaml
from gm_assistant.dialogue.name_checks import name_faults
from gm_assistant.dialogue.pack import FILES, LanguagePack, pack_from
from gm_assistant.dialogue.pack_checks import check_same_phrases
from gm_assistant.dialogue.phrasebook import Phrasebook
from gm_assistant.dialogue.refusals import trouble
from gm_assistant.dialogue.spoken_names import completed
from gm_assistant.edition_files import (
    EditionFile,
    MergedEdition,
    UnreadableKeyError,
    faults_in,
    merged,
    read_edition_file,
)
from gm_assistant.edition_shelf import LeftOut, Shelf, is_file_name, same_file, shelved
from gm_assistant.edition_words import spoken_flaws
from gm_assistant.errors import EditionError, GmError
from gm_assistant.rules.edition import Edition, edition_from

COMPLETE = "en"
"""The language that has every phrase; the others are measured by it."""


DEFAULT_EDITION = "secret_dictator"
"""The edition whose numbers and names hold before one is chosen."""


@dataclass(frozen=True)
class Library:
    """Everything that was read from `voices/`, `configs/` and the user's own editions."""

    packs: Mapping[str, LanguagePack]
    editions: Mapping[str, Edition]
    """By id: the default one, the other shipped ones, the user's."""
    files: Mapping[str, EditionFile] = field(default_factory=dict, compare=False)
    """Where each edition comes from, by its id."""
    left_out: tuple[LeftOut, ...] = field(default=(), compare=False)
    _completed: dict[tuple[str, str], LanguagePack] = field(default_factory=dict, compare=False, repr=False)

    def phrasebook(self, language: str, edition: str | None) -> Phrasebook:
        """Return what speaks `language` with the names of `edition` (of the default one, before one is chosen)."""
        chosen = self.edition(edition)
        return Phrasebook(self.packs[language], chosen.names[language], chosen.material)

    def pack(self, language: str, edition: str | None) -> LanguagePack:
        """Return the pack whose sentences have the names of `edition` (of the default one, before one is chosen)."""
        key = language, self.edition(edition).id
        if key not in self._completed:
            said = {one.id: one.names[language]["edition"]["spoken"] for one in self.editions.values()}
            self._completed[key] = completed(self.packs[language], self.editions[key[1]].names[language], said)
        return self._completed[key]

    def edition(self, name: str | None) -> Edition:
        """Return an edition by its id; before one is chosen, the default one."""
        return self.editions[name or DEFAULT_EDITION]

    def chosen(self, name: str) -> Edition | None:
        """Return the edition with the id or in the file `name`, None if there is none. Raise what is wrong with it."""
        if not is_file_name(name):
            broken = next((one.error for one in self.left_out if name in (one.id, one.path.stem)), None)
            if name not in self.editions and broken is not None:
                raise broken
            return self.editions.get(name)
        broken = next((one.error for one in self.left_out if same_file(one.path, Path(name))), None)
        if broken is not None:
            raise broken
        ids = (id_ for id_, file in self.files.items() if same_file(file.path, Path(name)))
        return self.editions.get(next(ids, ""))


def load_library(
    voices: Path | None = None, configs: Path | None = None, users: Path | None = None, extra: Path | None = None
) -> Library:
    """Return all packs and editions: those in `configs`, in the user's own folder `users`, and in the file `extra`.

    Raise DataError, LanguagePackError or EditionError for a broken file. The user's own are only left out.
    """
    packs = load_packs(voices)
    shelf = shelved(configs or data_folder("configs"), users, extra)
    for broken in shelf.broken:
        raise broken
    editions, left_out = {}, list(shelf.left_out)
    for file in sorted(shelf.files.values(), key=lambda file: file.id != DEFAULT_EDITION):
        try:
            editions[file.id] = _whole(file, shelf, packs)
        except EditionError as error:
            if file.id in shelf.shipped:
                raise
            left_out.append(LeftOut(file.path, file.id, error))
    files = {id_: shelf.files[id_] for id_ in editions}
    return Library(packs, editions, files, tuple(left_out))


def load_packs(voices: Path | None = None) -> Mapping[str, LanguagePack]:
    """Return the language packs by their codes. Raise DataError or LanguagePackError for a broken file."""
    folders = (folder for folder in sorted((voices or data_folder("voices")).iterdir()) if folder.is_dir())
    packs = {pack.language: pack for pack in map(load_pack, folders)}
    for pack in packs.values():
        check_same_phrases(pack, packs.get(COMPLETE, pack))
    return packs


def faults_of(
    path: Path, packs: Mapping[str, LanguagePack], configs: Path | None = None, users: Path | None = None
) -> list[EditionError]:
    """Return everything that is wrong with the edition in the file `path`. Raise EditionError if it cannot be read."""
    shelf = shelved(configs or data_folder("configs"), users)
    file = shelf.same(path)
    if file is None:
        try:
            file = read_edition_file(path)
        except EditionError as broken:
            if broken.key == "edition-unreadable":
                raise
            return [broken]
    rival = shelf.rival(file)
    return [*([rival] if rival else []), *_faults(file, shelf, packs), *_unspoken(file, packs)]


def _unspoken(file: EditionFile, packs: Mapping[str, LanguagePack]) -> Iterator[EditionError]:
    """Yield the languages in which a file has names, and that nobody speaks here. A game can do without them."""
    names = file.content.get("names")
    for language in names if packs and isinstance(names, dict) else ():
        if language not in packs:
            flaw = Flaw(("names",), names, "", ", ".join(sorted(packs)), unknown=str(language))
            yield MergedEdition(file, file.content, file.places).fault(flaw)


def _whole(file: EditionFile, shelf: Shelf, packs: Mapping[str, LanguagePack]) -> Edition:
    for fault in _faults(file, shelf, packs):
        raise fault
    return edition_from(merged(file, shelf.files).content, str(file.path))


def _faults(file: EditionFile, shelf: Shelf, packs: Mapping[str, LanguagePack]) -> Iterator[EditionError]:
    try:
        edition = merged(file, shelf.files)
    except EditionError as broken:
        yield broken
        return
    yield from faults_in(edition)
    for pack in packs.values():
        with suppress(UnreadableKeyError):
            yield from (edition.misfit(*fault) for fault in name_faults(pack, edition.readable))
        with suppress(UnreadableKeyError):
            yield from map(edition.fault, spoken_flaws(edition.readable, pack.language))


def load_pack(folder: Path) -> LanguagePack:
    """Return the pack in `folder`."""
    return pack_from(folder.name, {file: load_yaml(folder / file) for file in FILES if (folder / file).exists()})


def spoken_error(error: GmError, language: str, voices: Path) -> str:
    """Return an error in the words of `language`, or of any language whose files are whole.

    If no language file can be read, the bare facts are returned: file, place, problem.
    """
    others = sorted(folder.name for folder in voices.iterdir() if folder.is_dir()) if voices.is_dir() else []
    for code in dict.fromkeys((language, "en", *others)):
        with suppress(GmError, KeyError, OSError):
            return Phrasebook(load_pack(voices / code), {}).phrase(trouble(error))
    return ". ".join(str(fact) for fact in error.facts.values()) or error.key
