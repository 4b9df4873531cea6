"""What `gm-assistant editions` tells: which editions there are, and what is wrong with a file."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path

from gm_assistant.dialogue.messages import Message
from gm_assistant.dialogue.pack import LanguagePack
from gm_assistant.dialogue.phrasebook import Phrasebook
from gm_assistant.dialogue.refusals import trouble
from gm_assistant.dialogue.rulebook import rule_lines
from gm_assistant.edition_schema import edition_schema
from gm_assistant.errors import RuleViolation
from gm_assistant.library import Library, faults_of
from gm_assistant.rules.edition import Edition


def edition_lines(library: Library, language: str) -> Iterator[str]:
    """Yield a line for each edition, and one for each file of the user's that is left out."""
    book = library.phrasebook(language, None)
    for name, edition in library.editions.items():
        title, file = edition.names[language]["edition"]["name"], library.files[name]
        limits = {"least": edition.players.least, "most": edition.players.most}
        line = Message("editions-line", {"name": title, **limits, "edition": name, "file": str(file.path)})
        parent = [] if file.extends is None else [Message("editions-extends", {"edition": file.extends})]
        yield book.say((line, *parent))
    for broken in library.left_out:
        yield book.phrase(trouble(broken.error))


def check_lines(packs: Mapping[str, LanguagePack], language: str, path: Path, users: Path) -> tuple[list[str], bool]:
    """Return a line for each fault of the file `path`, or one that it has none; and whether it has none.

    The other editions may be as broken as they like. Raise EditionError if the file cannot be read.
    """
    book = Phrasebook(packs[language], {})
    faults = faults_of(path, packs, users=users)
    told = [trouble(fault) for fault in faults] or [Message("editions-whole", {"file": str(path)})]
    return [book.phrase(line) for line in told], not faults


def rule_text(library: Library, language: str, edition: Edition, players: int | None) -> Iterator[str]:
    """Yield the rules of an edition, of the game with so many players only if they are given.

    Raise RuleViolation("wrong-number-of-players").
    """
    limits = edition.players
    if players is not None and not limits.least <= players <= limits.most:
        raise RuleViolation("wrong-number-of-players", number=players, least=limits.least, most=limits.most)
    return rule_lines(edition, library.phrasebook(language, edition.id), players)


def schema_text() -> str:
    """Return the JSON Schema of edition files, as it is printed."""
    return json.dumps(edition_schema(), ensure_ascii=False, indent=2)
