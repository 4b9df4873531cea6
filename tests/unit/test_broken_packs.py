"""Language packs that are broken: refused with the place and with what is allowed there."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from gm_assistant.errors import EditionError, LanguagePackError
from gm_assistant.library import load_library

ROOT = Path(__file__).resolve().parents[2]

BROKEN = {
    "a phrase is missing": (
        ("de/phrases.yaml", re.compile(r"  pardon: .*\n"), ""),
        ("de/phrases.yaml", "phrases.pardon", "?", "pardon"),
    ),
    "an intent is missing": (
        ("en/sentences.yaml", "  pause:\n    - sentences", "  paus:\n    - sentences"),
        ("en/sentences.yaml", "intents", "pause?", "redo"),
    ),
    "an intent is unknown": (
        ("en/sentences.yaml", "intents:\n", 'intents:\n  dance:\n    - sentences: ["dance"]\n'),
        ("en/sentences.yaml", "intents.dance", "dance", "undo"),
    ),
    "a prefix is unknown": (
        ("en/sentences.yaml", "prefixes:\n", "prefixes:\n  shout: [loudly]\n"),
        ("en/sentences.yaml", "prefixes.shout", "shout", "correction, whisper"),
    ),
    "an unknown kind of filler": (
        ("en/sentences.yaml", "fillers:\n", "fillers:\n  between: [hum]\n"),
        ("en/sentences.yaml", "fillers.between", "between", "after, before, hesitations"),
    ),
    "a rule in a wake phrase": (
        ("en/sentences.yaml", "wake: [", 'wake: ["hello <president>", '),
        ("en/sentences.yaml", "wake.1", "hello <president>", "(a|b)"),
    ),
    "no is read as a truth value": (
        ("en/sentences.yaml", '    "no": ', "    no: "),
        ("en/sentences.yaml", "lists.vote", "bool", "str"),
    ),
    "a key is unknown": (
        ("en/sentences.yaml", "language: en\n", "language: en\ncolour: blue\n"),
        ("en/sentences.yaml", "", "colour", "prefixes"),
    ),
    "the language is another folder's": (
        ("en/sentences.yaml", "language: en\n", "language: de\n"),
        ("en/sentences.yaml", "language", "de", "en"),
    ),
    "a template is not closed": (
        ("en/sentences.yaml", '"who sits where"', '"who (sits where"'),
        ("en/sentences.yaml", "intents.seating.1.sentences.1", "who (sits where", "<rule>"),
    ),
    "a slot is unknown": (
        ("en/sentences.yaml", '"who sits where"', '"who sits {players}"'),
        ("en/sentences.yaml", "intents.seating.1.sentences.1", "{players}", "player"),
    ),
    "a slot of a short code is unknown": (
        ("en/sentences.yaml", '"n {player}"', '"n {players}"'),
        ("en/sentences.yaml", "intents.nominate.1.typed.1", "{players}", "player"),
    ),
    "a rule is unknown": (
        ("en/sentences.yaml", '"who sits where"', '"who sits <always>"'),
        ("en/sentences.yaml", "intents.seating.1.sentences.1", "<always>", "strip_field"),
    ),
    "a bracket stands inside a word": (
        ("en/sentences.yaml", '"who sits where"', '"who sit[s] where"'),
        ("en/sentences.yaml", "intents.seating.1.sentences.1", "a bracket inside a word", "[a]"),
    ),
    "two brackets touch": (
        ("en/sentences.yaml", '"who sits where"', '"who [sits](where|now)"'),
        ("en/sentences.yaml", "intents.seating.1.sentences.1", "a bracket inside a word", "[a]"),
    ),
    "a word of a list is broken": (
        ("en/sentences.yaml", 'notch: "notch"', 'notch: "notch[es]"'),
        ("en/sentences.yaml", "lists.symbol.notch", "notch[es]", "(a|b)"),
    ),
    "a word of a list can be nothing": (
        ("en/sentences.yaml", 'notch: "notch"', 'notch: "[notch]"'),
        ("en/sentences.yaml", "lists.symbol.notch", "[notch]", "(a|b)"),
    ),
    "a seat asks for a rule": (
        ("en/sentences.yaml", '"number {number}"', '"number <three>"'),
        ("en/sentences.yaml", "seats.3", "<three>", "(a|b)"),
    ),
    "codes are no list": (
        ("en/sentences.yaml", 'typed: ["al"]', "typed: al"),
        ("en/sentences.yaml", "intents.who_is_alive.1.typed", "array", "[str]"),
    ),
    "a gap of a phrase is not closed": (
        ("en/phrases.yaml", "{number:votes}", "{number:votes"),
        ("en/phrases.yaml", "phrases.votes-missing", "{", "{fact:form}"),
    ),
    "a gap of a phrase has no name": (
        ("en/phrases.yaml", "{number:votes}", "{}"),
        ("en/phrases.yaml", "phrases.votes-missing", "{}", "{fact:form}"),
    ),
    "a counted noun is unknown": (
        ("en/phrases.yaml", "{number:votes}", "{number:vote}"),
        ("en/phrases.yaml", "phrases.votes-missing", "{number:vote}", "votes"),
    ),
    "a counted noun lacks a form": (
        ("en/phrases.yaml", "votes: {one: one vote, other", "votes: {one: one vote, many"),
        ("en/phrases.yaml", "forms.votes", "other?", "one"),
    ),
    "a phrase is empty": (
        ("en/phrases.yaml", 'stopped: "Quiet."', 'stopped: ""'),
        ("en/phrases.yaml", "phrases.stopped", "", "{fact}"),
    ),
    "a phrase is no text": (
        ("en/phrases.yaml", 'stopped: "Quiet."', "stopped: no"),
        ("en/phrases.yaml", "phrases.stopped", "bool", "str"),
    ),
    "a rate is no number": (
        ("en/voice.yaml", "rate: 165", "rate: fast"),
        ("en/voice.yaml", "table.rate", "str", "int"),
    ),
    "a voice has an unknown key": (
        ("en/voice.yaml", "pitch", "height"),
        ("en/voice.yaml", "table", "height", "names, rate, pitch"),
    ),
    "the names stand under another key": (
        ("en/names.yaml", "names:", "people:"),
        ("en/names.yaml", "", "people", "names"),
    ),
}
"""What is wrong: file, text, its replacement; then file, place, a part of the problem, a part of what is allowed."""


def copies(folder: Path) -> tuple[Path, Path]:
    for name in ("voices", "configs"):
        shutil.copytree(ROOT / name, folder / name)
    return folder / "voices", folder / "configs"


def replaced(path: Path, old: str | re.Pattern[str], new: str) -> None:
    pattern = re.compile(re.escape(old)) if isinstance(old, str) else old
    text, times = pattern.subn(lambda _: new, path.read_text("utf-8"), count=1)
    assert times == 1
    path.write_text(text, "utf-8")


@pytest.mark.parametrize("wrong", BROKEN)
def test_a_broken_pack_is_refused_with_the_place_and_what_is_allowed_there(wrong, tmp_path):
    (changed, old, new), (file, path, problem, allowed) = BROKEN[wrong]
    voices, configs = copies(tmp_path)
    replaced(voices / changed, old, new)
    with pytest.raises(LanguagePackError) as refused:
        load_library(voices, configs)
    facts = refused.value.facts
    assert (refused.value.key, facts["file"], facts["path"]) == ("pack-broken", file, path)
    assert problem in str(facts["problem"])
    assert allowed in str(facts["allowed"])


def test_unchanged_copies_are_the_same_library(tmp_path):
    assert load_library(*copies(tmp_path)) == load_library()


@pytest.mark.parametrize("file", ["sentences.yaml", "phrases.yaml", "voice.yaml", "names.yaml"])
def test_a_pack_without_one_of_its_files_is_refused(file, tmp_path):
    voices, configs = copies(tmp_path)
    (voices / "en" / file).unlink()
    with pytest.raises(LanguagePackError) as refused:
        load_library(voices, configs)
    assert refused.value.facts["file"] == f"en/{file}"
    assert file in str(refused.value.facts["allowed"])


@pytest.mark.parametrize(
    ("old", "new", "path", "problem"),
    [
        ("  en:\n", "  fr:\n", "names", "en?"),
        ('law: "fascist law", ', "", "names.en.fascist", "law?"),
        ('laws_other: "{n} fascist laws", ', "", "names.en.fascist", "laws_other?"),
        ('execution: {name: "crosshair", ', "execution: {", "names.en.execution", "name?"),
        ('{name: "three magnifiers", symbol', '{name: "three magnifiers", sign', "names.en.peek", "symbol?"),
        (', spoken_possessive: "president\'s"', "", "names.en.president", "spoken_possessive?"),
        (', spoken: "(three magnifiers|three circles|three small circles)"', "", "names.en.peek", "spoken?"),
    ],
)
def test_an_edition_that_lacks_a_name_which_a_language_asks_for_is_refused(old, new, path, problem, tmp_path):
    voices, configs = copies(tmp_path)
    replaced(configs / "secret_dictator.yaml", old, new)
    with pytest.raises(EditionError) as refused:
        load_library(voices, configs)
    facts = refused.value.facts
    assert facts["file"] == str(configs / "secret_dictator.yaml")
    assert (facts["path"], facts["problem"]) == (path, problem)
    assert problem.removesuffix("?") in str(facts["allowed"])
