"""Every language pack: what is understood, what is answered, and that nothing is missing, doubled or broken."""

from __future__ import annotations

import itertools
import re
import shutil
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from functools import cache
from pathlib import Path
from string import Formatter
from typing import Any

import pytest
from phrase_keys import FAMILIES, POWERS, SITUATIONS, SYMBOLS, WANTED, asked, expanded, keys
from spoken_samples import PLAYERS, rules_of, samples
from table import LIBERAL, Table
from test_views import MOMENTS

from gm_assistant.data import load_yaml
from gm_assistant.dialogue.answers import TABLE_ANSWERS
from gm_assistant.dialogue.grammar import Grammar
from gm_assistant.dialogue.intents import (
    ALL,
    COMMANDS,
    IN_ANY_SET_UP,
    IN_PLAY,
    QUESTIONS,
    SET_UP_ANSWERS,
    Intent,
    NotUnderstood,
)
from gm_assistant.dialogue.messages import Fact, Message, Person, Term
from gm_assistant.dialogue.now import situation
from gm_assistant.dialogue.pack import LanguagePack
from gm_assistant.dialogue.set_up import QUESTION_INTENTS, Plan, with_name
from gm_assistant.dialogue.wordings import normalized
from gm_assistant.errors import EditionError, LanguagePackError, RuleViolation
from gm_assistant.journal import Journals
from gm_assistant.library import load_library
from gm_assistant.rules import commands as do
from gm_assistant.rules.decide import decide
from gm_assistant.rules.model import Party
from gm_assistant.rules.views import table_view
from gm_assistant.session import Session
from gm_assistant.utterances import HeadsetUtterance, TableUtterance

ROOT = Path(__file__).resolve().parents[2]
LIBRARY = load_library()
LANGUAGES = sorted(LIBRARY.packs)
EVENING = datetime(2024, 5, 1, 20, 0)
MOMENT_INTENTS = {
    "in play": IN_PLAY,
    **{f"asked for {question.value}": IN_ANY_SET_UP | answers for question, answers in QUESTION_INTENTS.items()},
}
"""Sets of intents that are understood together."""

every_language = pytest.mark.parametrize("language", LANGUAGES)


# What people say, and what they are answered.


def spoken_tests(language: str) -> list[dict[str, Any]]:
    """Return the situations in which sentences of a language are tried."""
    content = load_yaml(ROOT / "tests" / "voices" / f"{language}.yaml")
    assert set(content) == {"language", "situations"}
    assert content["language"] == language
    situations: list[dict[str, Any]] = content["situations"]
    for tried in situations:
        assert set(tried) <= {"title", "players", "plan", "before", "cases", "not_understood"}, tried["title"]
        assert ("players" in tried) != ("plan" in tried), tried["title"]
    return situations


def cases() -> Iterator[Any]:
    for language in LANGUAGES:
        for tried in spoken_tests(language):
            for case in tried["cases"]:
                assert set(case) <= {"say", "means", "how", "reply", "whispered"}, case
                assert ("reply" in case) != ("whispered" in case), case
                yield pytest.param(language, tried, case, id=f"{language}: {tried['title']}: {case['say'][0]}")


def misses() -> Iterator[Any]:
    for language in LANGUAGES:
        for tried in spoken_tests(language):
            for said in tried.get("not_understood", ()):
                yield pytest.param(language, tried, said, id=f"{language}: {tried['title']}: {said}")


def session_in(language: str, tried: dict[str, Any], folder: Path) -> Session:
    """Return a session that has come to the situation."""
    if "plan" in tried:
        plan = Plan(**{**tried["plan"], "names": tuple(tried["plan"].get("names", ()))})
    else:
        plan = Plan(language, "secret_dictator", len(tried["players"]), tuple(tried["players"]), 1)
    session = Session(LIBRARY, plan, Journals(folder), lambda: EVENING, language)
    session.open()
    for text in tried.get("before", ()):
        assert isinstance(session.grammar.parse(text, typed=True), Intent), text
        session.hear(text, typed=True)
    return session


def meaning(case: dict[str, Any]) -> Intent:
    means, how = case["means"], case.get("how")
    assert how in (None, "correction", "whisper")
    name, slots = (means, {}) if isinstance(means, str) else next(iter(means.items()))
    return Intent(name, slots, correction=how == "correction", whisper=how == "whisper")


@pytest.mark.parametrize(("language", "tried", "case"), list(cases()))
def test_sentences_are_understood_and_answered(language, tried, case, tmp_path):
    session = session_in(language, tried, tmp_path)
    if "means" in case:
        understood = {said: session.grammar.parse(said) for said in case["say"]}
        assert understood == dict.fromkeys(case["say"], meaning(case))
    heard = HeadsetUtterance(case["whispered"]) if "whispered" in case else TableUtterance(case["reply"])
    assert session.hear(case["say"][0]) == (heard,)


@pytest.mark.parametrize(("language", "tried", "said"), list(misses()))
def test_a_near_miss_is_not_understood(language, tried, said, tmp_path):
    session = session_in(language, tried, tmp_path)
    assert isinstance(session.grammar.parse(said), NotUnderstood)
    pardon = LIBRARY.phrasebook(session.language, None).phrase(Message("pardon"))
    assert session.hear(said) == (TableUtterance(pardon),)


@every_language
def test_every_intent_is_tried(language):
    tried = {meaning(case).name for tried in spoken_tests(language) for case in tried["cases"] if "means" in case}
    assert tried == ALL


# No two meanings for one sentence.


def all_samples(pack: LanguagePack, intents: frozenset[str]) -> Iterator[tuple[str, str]]:
    """Yield intent and sentence; every template and every word of it comes."""
    rules = rules_of(pack)
    for name in sorted(intents):
        for block in pack.sentences.intents[name]:
            for template in block.sentences:
                yield from ((name, text) for text in samples(pack, template, rules))


def typed_samples(pack: LanguagePack, intents: frozenset[str]) -> Iterator[tuple[str, str]]:
    rules = rules_of(pack)
    for name in sorted(intents):
        for block in pack.sentences.intents[name]:
            for code in block.typed:
                yield from ((name, text) for text in (samples(pack, code, rules) if "{" in code else (code,)))


@every_language
@pytest.mark.parametrize("moment", MOMENT_INTENTS)
def test_no_sentence_has_two_meanings(language, moment):
    pack = LIBRARY.packs[language]
    grammar = Grammar(pack, PLAYERS, MOMENT_INTENTS[moment])
    texts = list(all_samples(pack, MOMENT_INTENTS[moment]))
    assert {name for name, _ in texts} == MOMENT_INTENTS[moment]
    wrong = [(name, text, found) for name, text in texts if (found := named(grammar.parse(text))) != name]
    assert wrong == []


@every_language
@pytest.mark.parametrize("moment", MOMENT_INTENTS)
def test_every_short_code_is_understood_when_it_is_typed_and_only_then(language, moment):
    pack = LIBRARY.packs[language]
    grammar = Grammar(pack, PLAYERS, MOMENT_INTENTS[moment])
    codes = list(typed_samples(pack, MOMENT_INTENTS[moment]))
    assert [(name, code) for name, code in codes if named(grammar.parse(code, typed=True)) != name] == []
    sentences = {text for _, text in all_samples(pack, MOMENT_INTENTS[moment])}
    spoken = [code for _, code in codes if code not in sentences and isinstance(grammar.parse(code), Intent)]
    assert spoken == []


@every_language
def test_no_short_code_stands_twice(language):
    blocks = itertools.chain.from_iterable(LIBRARY.packs[language].sentences.intents.values())
    codes = Counter(code for block in blocks for code in block.typed)
    assert [code for code, times in codes.items() if times > 1] == []


@every_language
@pytest.mark.parametrize(("kind", "intents"), [("correction", COMMANDS), ("whisper", QUESTIONS)])
def test_the_words_in_front_go_with_every_intent_of_their_kind_and_with_no_other(language, kind, intents):
    pack = LIBRARY.packs[language]
    grammar = Grammar(pack, PLAYERS, IN_PLAY)
    first = {}
    for name, text in all_samples(pack, IN_PLAY):
        first.setdefault(name, text)
    for prefix, (name, text) in itertools.product(pack.sentences.prefixes[kind], first.items()):
        found = grammar.parse(f"{prefix} {text}")
        if name in intents:
            assert isinstance(found, Intent), (prefix, text)
            assert (found.name, found.correction, found.whisper) == (name, kind == "correction", kind == "whisper")
        else:
            assert isinstance(found, NotUnderstood), (prefix, text)


def named(parsed: object) -> object:
    """Return the name of an intent, and anything else as it is."""
    return parsed.name if isinstance(parsed, Intent) else parsed


# Nothing is missing, and nothing is left over.


@every_language
@pytest.mark.parametrize("name", sorted(ALL))
def test_every_intent_has_several_wordings_and_a_short_code(language, name):
    pack = LIBRARY.packs[language]
    assert len({text for _, text in all_samples(pack, frozenset({name}))}) >= 2
    codes = [code for block in pack.sentences.intents[name] for code in block.typed]
    assert codes or name in SET_UP_ANSWERS


@every_language
def test_a_pack_has_no_intent_list_rule_or_prefix_beyond_what_is_used(language):
    sentences = LIBRARY.packs[language].sentences
    blocks = list(itertools.chain.from_iterable(sentences.intents.values()))
    templates = [text for block in blocks for text in (*block.sentences, *block.typed)] + list(sentences.rules.values())
    lists = {found for text in templates for found in re.findall(r"\{(\w+)", text)}
    rules = {found for text in templates for found in re.findall(r"<(\w+)>", text)}
    assert set(sentences.intents) == ALL
    assert set(sentences.prefixes) == {"correction", "whisper"}
    assert set(sentences.lists) == lists - {"player", "number", "ordinal", "first_name"}
    assert set(sentences.rules) == rules
    assert {name for block in blocks for name in block.slots} <= lists


@every_language
def test_the_lists_of_a_pack_hold_what_the_program_knows(language):
    lists = LIBRARY.packs[language].sentences.lists
    assert set(lists["party"]) == {party.value for party in Party}
    assert set(lists["vote"]) == {"yes", "no"}
    assert set(lists["tray"]) == {"rough", "smooth"}
    assert set(lists["symbol"]) == set(SYMBOLS)
    assert set(lists["language"]) == set(LANGUAGES)
    assert set(lists["edition"]) == set(LIBRARY.editions)


@every_language
def test_spoken_sentences_are_whole_words_without_digits(language):
    word = re.compile(r"[^\W\d_]+('[^\W\d_]+)?")
    texts = {text for _, text in all_samples(LIBRARY.packs[language], ALL)}
    assert {piece for text in texts for piece in text.split() if not word.fullmatch(piece)} == set()


@every_language
def test_the_samples_of_these_tests_say_every_word_that_a_recogniser_is_given(language):
    pack = LIBRARY.packs[language]
    prefixes = itertools.chain.from_iterable(pack.sentences.prefixes.values())
    said = {word for _, text in all_samples(pack, ALL) for word in text.split()}
    in_front = {word for prefix in prefixes for word in normalized(prefix).split()}
    assert said | in_front == Grammar(pack, PLAYERS, ALL).speakable.words()


@every_language
def test_the_first_names_can_all_be_said(language):
    pack = LIBRARY.packs[language]
    grammar = Grammar(pack, (), MOMENT_INTENTS["asked for name"])
    assert len({normalized(name) for name in pack.first_names}) == len(pack.first_names) >= 150
    for name in pack.first_names:
        assert grammar.parse(name) == Intent("say_name", {"first_name": name})
        assert with_name(Plan(count=10), name, pack).names == (name,)


# The phrases.

STRIPS: tuple[dict[str, str], ...] = ({}, {"strip": "liberal"}, {"strip": "fascist"})
BARE = {"headset-hidden", "phrases-codes", "seat-name", *expanded("label-*")}
"""Pieces that stand inside or beside other text: no sentences."""

TERMS = {"chancellor", "dictator", "liberal", "fascist"}
NUMBERS = (0, 1, 2, 5)
OBJECTS = {
    "party": [Term(party.value) for party in Party],
    "power": [Term(power) for power in POWERS],
    "players": [tuple(map(Person, PLAYERS)), (Person("Anna"),)],
    "editions": [(Person("Secret Dictator"),)],
    "when": [datetime(2026, 11, 30, 20, 15)],
}
PEOPLE = {"player", "president", "chancellor", "candidate", "next"}
TEXTS = {
    *("name", "names", "file", "path", "problem", "allowed", "template", "language", "edition", "device"),
    *("available", "reason", "codes", "line", "share", "words"),
}


def gaps(text: str) -> set[str]:
    return {fact for _, fact, _, _ in Formatter().parse(text) if fact is not None}


def given(key: str) -> set[str]:
    """Return the facts that come with a key at any place in the code, as far as its source tells."""
    return {fact for found in asked() if key in expanded(found.key) for fact in found.facts or ()}


def values_of(fact: str, asked_with: set[str]) -> list[Fact | None]:
    if fact in TERMS and fact not in asked_with:
        return [None]
    if fact in OBJECTS:
        return list(OBJECTS[fact])
    if fact in PEOPLE:
        return [Person("Anna")]
    return ["text"] if fact in TEXTS else list(NUMBERS)


def rendered(language: str, key: str) -> list[str]:
    """Return a phrase filled with sample facts of every kind."""
    text, book = LIBRARY.packs[language].phrases.phrases[key], LIBRARY.phrasebook(language, None)
    names = sorted(gaps(text))
    samples_of = [values_of(name, given(key)) for name in names]
    filled = (
        {name: value for name, value in zip(names, values, strict=True) if value is not None}
        for values in itertools.product(*samples_of)
    )
    return [book.phrase(Message(key, facts)) for facts in filled]


@cache
def grammar_for(language: str, intents: frozenset[str]) -> Grammar:
    return Grammar(LIBRARY.packs[language], PLAYERS, intents)


def phrases() -> Iterator[Any]:
    for language in LANGUAGES:
        for key in LIBRARY.packs[language].phrases.phrases:
            yield pytest.param(language, key, id=f"{language}: {key}")


@every_language
def test_a_pack_has_exactly_the_phrases_that_the_code_asks_for(language):
    assert set(LIBRARY.packs[language].phrases.phrases) == keys()


def test_the_families_of_keys_are_those_of_the_code():
    assert {found.key for found in asked() if "*" in found.key} == set(FAMILIES)
    assert {situation(table_view(moment().state)) for moment in MOMENTS.values()} == set(SITUATIONS)


def test_the_out_of_turn_keys_are_those_of_the_rules():
    fitting = [
        *(do.NominateChancellor(2), do.ReportResult(True), do.ReportCount(5, 0), do.CastVote(2, True)),
        *(do.AnswerDictatorQuestion(True), do.EnactLaw(LIBERAL), do.FinishLooking()),
        *(do.NameNextPresident(2), do.Shoot(2), do.ShufflePiles()),
    ]
    few_laws_left = replace(Table(5).state, draw_pile=2)
    wanted = set()
    for state, command in itertools.product((few_laws_left, Table(5).nominate(2).state), fitting):
        with suppress(RuleViolation):
            decide(state, command)
            continue
        with pytest.raises(RuleViolation) as refused:
            decide(state, command)
        if refused.value.key == "out-of-turn":
            wanted.add(refused.value.facts["wanted"])
        else:
            assert refused.value.key == "no-shuffle-due"
    assert wanted == set(WANTED)


@pytest.mark.parametrize(("language", "key"), list(phrases()))
def test_a_phrase_asks_for_no_fact_that_the_code_does_not_give(language, key):
    wanted = gaps(LIBRARY.packs[language].phrases.phrases[key]) - TERMS
    places = [found for found in asked() if key in expanded(found.key)]
    if places and all(found.facts is not None for found in places):
        assert wanted <= given(key)
    for found in places:
        if found.key == key and found.facts is not None:
            assert wanted <= found.facts, found.place


@every_language
@pytest.mark.parametrize("moment", MOMENTS)
def test_everything_can_be_asked_at_every_moment(language, moment):
    book = LIBRARY.phrasebook(language, "secret_dictator")
    view = table_view(MOMENTS[moment]().state)
    slots = [
        {"player": seat, "field": field, "symbol": symbol, **strip}
        for seat, field, symbol, strip in zip(
            itertools.cycle(range(1, 6)), range(10), SYMBOLS, itertools.cycle(STRIPS), strict=False
        )
    ]
    for question, answer in TABLE_ANSWERS.items():
        for filled in slots:
            assert book.say(answer(Intent(question, filled), view))


@pytest.mark.parametrize(("language", "key"), list(phrases()))
def test_a_phrase_is_a_clean_sentence_whatever_fills_it(language, key):
    # A capital in the file itself: the phrasebook would put one anywhere.
    assert key in BARE or not LIBRARY.packs[language].phrases.phrases[key][0].islower()
    for text in rendered(language, key):
        assert not set(text) & set("{}<>|[]\n")
        assert "  " not in text
        assert text == text.strip()
        if key not in BARE:
            assert text[-1] in ".?!:"


@pytest.mark.parametrize(("language", "key"), [case for case in phrases() if case.values[1] not in BARE])
def test_no_phrase_that_is_heard_by_the_microphone_is_a_sentence_itself(language, key):
    for intents in MOMENT_INTENTS.values():
        grammar = grammar_for(language, intents)
        for text in rendered(language, key):
            assert isinstance(grammar.parse(text), NotUnderstood), text


ASIDE = r"(?: for example| one by one| zum beispiel| dann| zuerst| einzeln)?"
HINT = re.compile(rf"\b(?:say|ask|or|always|sagt?|sagen|fragt|oder|mit|geht){ASIDE}: ([^.:]+)", re.IGNORECASE)


@every_language
def test_every_sentence_that_is_recommended_is_understood(language):
    phrases_by_key = LIBRARY.packs[language].phrases.phrases
    hints = {key: HINT.findall(text) for key, text in phrases_by_key.items() if not key.startswith("phrases-")}
    before = ("ask-", "examples-set-up", "game-waiting", "nothing-to-go-back")
    assert sum(map(len, hints.values())) > 40
    for key, texts in hints.items():
        moments = [intents for name, intents in MOMENT_INTENTS.items() if (name == "in play") != key.startswith(before)]
        grammars = [grammar_for(language, intents) for intents in moments]
        for hint in itertools.chain.from_iterable(text.split(", ") for text in texts):
            if key == "examples-always" and hint.startswith(("correction", "Korrektur")):
                continue
            assert any(isinstance(grammar.parse(hint), Intent) for grammar in grammars), (key, hint)


@every_language
def test_every_form_of_a_counted_noun_and_of_an_ordinal_is_used(language):
    pack = LIBRARY.packs[language].phrases
    asked_for = {form for text in pack.phrases.values() for _, _, form, _ in Formatter().parse(text) if form}
    assert set(pack.forms) | set(pack.ordinals) <= asked_for


# Broken packs.

BROKEN = {
    "a phrase is missing": (
        ("de/phrases.yaml", '  pardon: "Das habe ich nicht verstanden."\n', ""),
        ("de/phrases.yaml", "phrases.pardon", "?", "pardon"),
    ),
    "an intent is missing": (
        ("de/sentences.yaml", "  pause:\n    - sentences", "  paus:\n    - sentences"),
        ("de/sentences.yaml", "intents", "pause?", "redo"),
    ),
    "an intent is unknown": (
        ("en/sentences.yaml", "intents:\n", 'intents:\n  dance:\n    - sentences: ["dance"]\n'),
        ("en/sentences.yaml", "intents.dance", "dance", "undo"),
    ),
    "a prefix is unknown": (
        ("de/sentences.yaml", "prefixes:\n", "prefixes:\n  shout: [laut]\n"),
        ("de/sentences.yaml", "prefixes.shout", "shout", "correction, whisper"),
    ),
    "no is read as a truth value": (
        ("de/sentences.yaml", '    "no": ', "    no: "),
        ("de/sentences.yaml", "lists.vote", "bool", "str"),
    ),
    "a key is unknown": (
        ("de/sentences.yaml", "language: de\n", "language: de\ncolour: blue\n"),
        ("de/sentences.yaml", "", "colour", "prefixes"),
    ),
    "the language is another folder's": (
        ("de/sentences.yaml", "language: de\n", "language: en\n"),
        ("de/sentences.yaml", "language", "en", "de"),
    ),
    "a template is not closed": (
        ("de/sentences.yaml", '"wer lebt noch"', '"wer (lebt noch"'),
        ("de/sentences.yaml", "intents.who_is_alive.1.sentences.1", "wer (lebt noch", "<rule>"),
    ),
    "a slot is unknown": (
        ("de/sentences.yaml", '"wer lebt noch"', '"wer lebt {spieler}"'),
        ("de/sentences.yaml", "intents.who_is_alive.1.sentences.1", "{spieler}", "player"),
    ),
    "a slot of a short code is unknown": (
        ("de/sentences.yaml", '"k {player}"', '"k {spieler}"'),
        ("de/sentences.yaml", "intents.nominate.1.typed.1", "{spieler}", "player"),
    ),
    "a rule is unknown": (
        ("de/sentences.yaml", '"wer lebt noch"', '"wer lebt <immer>"'),
        ("de/sentences.yaml", "intents.who_is_alive.1.sentences.1", "<immer>", "strip_field"),
    ),
    "a bracket stands inside a word": (
        ("de/sentences.yaml", '"wer lebt noch"', '"wer leb[t] noch"'),
        ("de/sentences.yaml", "intents.who_is_alive.1.sentences.1", "a bracket inside a word", "[a]"),
    ),
    "two brackets touch": (
        ("de/sentences.yaml", '"wer lebt noch"', '"wer [lebt](noch|jetzt)"'),
        ("de/sentences.yaml", "intents.who_is_alive.1.sentences.1", "a bracket inside a word", "[a]"),
    ),
    "a word of a list is broken": (
        ("de/sentences.yaml", 'notch: "kerbe"', 'notch: "kerbe[n]"'),
        ("de/sentences.yaml", "lists.symbol.notch", "kerbe[n]", "(a|b)"),
    ),
    "a word of a list can be nothing": (
        ("de/sentences.yaml", 'notch: "kerbe"', 'notch: "[kerbe]"'),
        ("de/sentences.yaml", "lists.symbol.notch", "[kerbe]", "(a|b)"),
    ),
    "a seat asks for a rule": (
        ("de/sentences.yaml", '"nummer {number}"', '"nummer <drei>"'),
        ("de/sentences.yaml", "seats.3", "<drei>", "(a|b)"),
    ),
    "codes are no list": (
        ("de/sentences.yaml", 'typed: ["le"]', "typed: le"),
        ("de/sentences.yaml", "intents.who_is_alive.1.typed", "array", "[str]"),
    ),
    "a gap of a phrase is not closed": (
        ("de/phrases.yaml", "{number:votes}", "{number:votes"),
        ("de/phrases.yaml", "phrases.votes-missing", "{", "{fact:form}"),
    ),
    "a gap of a phrase has no name": (
        ("de/phrases.yaml", "{number:votes}", "{}"),
        ("de/phrases.yaml", "phrases.votes-missing", "{}", "{fact:form}"),
    ),
    "a counted noun is unknown": (
        ("de/phrases.yaml", "{number:votes}", "{number:vote}"),
        ("de/phrases.yaml", "phrases.votes-missing", "{number:vote}", "votes"),
    ),
    "a counted noun lacks a form": (
        ("de/phrases.yaml", "votes: {one: eine Stimme, other", "votes: {one: eine Stimme, many"),
        ("de/phrases.yaml", "forms.votes", "other?", "one"),
    ),
    "a phrase is empty": (
        ("de/phrases.yaml", 'stopped: "Ich bin still."', 'stopped: ""'),
        ("de/phrases.yaml", "phrases.stopped", "", "{fact}"),
    ),
    "a phrase is no text": (
        ("de/phrases.yaml", 'stopped: "Ich bin still."', "stopped: no"),
        ("de/phrases.yaml", "phrases.stopped", "bool", "str"),
    ),
    "a rate is no number": (
        ("de/voice.yaml", "rate: 155", "rate: fast"),
        ("de/voice.yaml", "table.rate", "str", "int"),
    ),
    "a voice has an unknown key": (
        ("de/voice.yaml", "pitch", "height"),
        ("de/voice.yaml", "table", "height", "names, rate, pitch"),
    ),
    "the names stand under another key": (
        ("de/names.yaml", "names:", "people:"),
        ("de/names.yaml", "", "people", "names"),
    ),
}
"""What is wrong: file, text, its replacement; then file, place, a part of the problem, a part of what is allowed."""


def copies(folder: Path) -> tuple[Path, Path]:
    for name in ("voices", "configs"):
        shutil.copytree(ROOT / name, folder / name)
    return folder / "voices", folder / "configs"


def replaced(path: Path, old: str, new: str) -> None:
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), "utf-8")


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
    assert load_library(*copies(tmp_path)) == LIBRARY


@pytest.mark.parametrize("file", ["sentences.yaml", "phrases.yaml", "voice.yaml", "names.yaml"])
def test_a_pack_without_one_of_its_files_is_refused(file, tmp_path):
    voices, configs = copies(tmp_path)
    (voices / "de" / file).unlink()
    with pytest.raises(LanguagePackError) as refused:
        load_library(voices, configs)
    assert refused.value.facts["file"] == f"de/{file}"
    assert file in str(refused.value.facts["allowed"])


@pytest.mark.parametrize(
    ("old", "new", "path", "problem"),
    [
        ("  de:\n", "  fr:\n", "names", "de?"),
        ("law_dative: faschistischen Gesetz, ", "", "names.de.fascist", "law_dative?"),
        ('laws_other: "{n} faschistische Gesetze", ', "", "names.de.fascist", "laws_other?"),
        ("name: Fadenkreuz, ", "", "names.de.execution", "name?"),
        ("{name: drei Lupen, symbol", "{name: drei Lupen, sign", "names.de.peek", "symbol?"),
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
