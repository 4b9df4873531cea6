"""Everything one can say, as plain lines."""

from __future__ import annotations

from collections.abc import Iterator

from gm_assistant.dialogue.grammar import fixed_lists
from gm_assistant.dialogue.intents import ANSWERS, COMMANDS, CONTROLS, IN_SCENES, PRIVATE, QUESTIONS, SET_UP_ANSWERS
from gm_assistant.dialogue.messages import Message
from gm_assistant.dialogue.pack import LanguagePack
from gm_assistant.dialogue.phrasebook import Phrasebook
from gm_assistant.dialogue.samples import short_wordings
from gm_assistant.library import Library

_CHAPTERS = {
    "commands": COMMANDS,
    "questions": QUESTIONS,
    "controls": CONTROLS,
    "private": PRIVATE,
    "answers": ANSWERS,
    "scenes": IN_SCENES,
    "set-up-answers": SET_UP_ANSWERS,
}
_LABELLED = ("player", "number", "ordinal", "first_name")


def phrase_lines(library: Library, language: str, edition: str | None = None) -> Iterator[str]:
    """Yield the wordings of every intent, a line each, with an edition's names, without words that may be left out.

    The last line of an intent names its short codes. Roles are never spoken: they have nothing else.
    """
    pack, book = library.pack(language, edition), library.phrasebook(language, edition)
    labels = _labels(pack, book)
    yield book.phrase(Message("phrases-intro"))
    for chapter, intents in _CHAPTERS.items():
        yield book.phrase(Message(f"phrases-{chapter}"))
        for name, blocks in pack.sentences.intents.items():
            if name not in intents:
                continue
            texts = [template for block in blocks for template in block.sentences]
            yield from dict.fromkeys(line for text in texts for line in short_wordings(pack, text, labels))
            codes = [line for block in blocks for code in block.typed for line in _code(code, labels)]
            if codes:
                yield book.phrase(
                    Message("phrases-codes" if texts else "phrases-role-keys", {"codes": ", ".join(codes)})
                )


def _labels(pack: LanguagePack, book: Phrasebook) -> dict[str, str]:
    """Return what stands for a list: its values, or a word in capitals for the open ones."""
    values = {name: " / ".join(_first_wordings(pack, name)) for name in pack.sentences.lists}
    return {**values, **{name: book.phrase(Message(f"label-{name}")) for name in _LABELLED}}


def _first_wordings(pack: LanguagePack, name: str) -> list[str]:
    first: dict[object, str] = {}
    for text, value in fixed_lists(pack)[name].items():
        first.setdefault(value, text)
    return list(first.values())


def _code(code: str, labels: dict[str, str]) -> Iterator[str]:
    for name, label in labels.items():
        code = code.replace("{" + name + "}", label)
        while (start := code.find("{" + name + ":")) >= 0:
            code = code[:start] + label + code[code.index("}", start) + 1 :]
    yield code
