"""Every language pack with every edition: what is understood, what is answered, and no sentence with two meanings."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from random import Random
from typing import Any

import pytest
from fakes import CONFIRMED
from pack_samples import (
    EDITIONS,
    LANGUAGES,
    LIBRARY,
    MOMENT_INTENTS,
    all_samples,
    every_language,
    every_pack,
    grammar_for,
    pieces_of,
    powers_of,
    samples_of,
    typed_samples,
)
from phrase_keys import POWERS, SYMBOLS

from gm_assistant.data import load_yaml
from gm_assistant.dialogue.grammar import Grammar
from gm_assistant.dialogue.intents import (
    ALL,
    ANSWERS,
    COMMANDS,
    IN_PLAY,
    QUESTIONS,
    SET_UP_ANSWERS,
    Ambiguous,
    Incomplete,
    Intent,
    NotUnderstood,
)
from gm_assistant.dialogue.messages import Message
from gm_assistant.dialogue.rulebook import TOPICS
from gm_assistant.dialogue.set_up import Plan, with_name
from gm_assistant.dialogue.spoken_names import EDITION_LISTS, SPOKEN_THINGS
from gm_assistant.dialogue.talk import talk_of
from gm_assistant.dialogue.wordings import normalized
from gm_assistant.journal import Journals
from gm_assistant.library import DEFAULT_EDITION
from gm_assistant.rules.model import Party, Role
from gm_assistant.scenes.opening import Deal
from gm_assistant.session import Session
from gm_assistant.utterances import EqualWhisper, HeadsetUtterance, Noise, Prepare, Reply, Rest, TableUtterance

ROOT = Path(__file__).resolve().parents[2]
EVENING = datetime(2024, 5, 1, 20, 0)
DEFAULT = "secret_dictator"

every_moment = pytest.mark.parametrize("moment", MOMENT_INTENTS)


# What people say, and what they are answered.


def spoken_tests(language: str) -> list[dict[str, Any]]:
    """Return the situations in which sentences of a language are tried."""
    content = load_yaml(ROOT / "tests" / "voices" / f"{language}.yaml")
    assert set(content) == {"language", "situations"}
    assert content["language"] == language
    situations: list[dict[str, Any]] = content["situations"]
    for tried in situations:
        known = {"title", "edition", "players", "plan", "before", "cases", "not_understood"}
        assert set(tried) <= known, tried["title"]
        assert ("players" in tried) != ("plan" in tried), tried["title"]
        assert not {"edition", "plan"} <= set(tried), tried["title"]
    return situations


def cases() -> Iterator[Any]:
    for language in LANGUAGES:
        for tried in spoken_tests(language):
            for case in tried["cases"]:
                assert set(case) <= {"say", "type", "means", "how", "reply", "whispered", "told", "confirmed"}, case
                assert ("say" in case) != ("type" in case), case
                assert len({"reply", "whispered", "told"} & set(case)) == 1, case
                yield pytest.param(language, tried, case, id=f"{language}: {tried['title']}: {texts_of(case)[0]}")


def texts_of(case: dict[str, Any]) -> list[str]:
    """Return what is said, or typed where it must not be spoken."""
    texts: list[str] = case.get("say") or case["type"]
    return texts


def expected(case: dict[str, Any]) -> list[str]:
    """Return the answer, a line for each utterance."""
    if "told" in case:
        lines: list[str] = case["told"]
        return lines
    return [f"table: {case['reply']}" if "reply" in case else f"headset: {case['whispered']}"]


def lines_of(reply: Reply) -> list[str]:
    return [line for utterance in reply if (line := _line(utterance))]


def _line(utterance: Any) -> str:
    match utterance:
        case TableUtterance(text):
            return f"table: {text}"
        case HeadsetUtterance(secret):
            return f"headset: {secret.reveal()}"
        case EqualWhisper(variants, chosen):
            return f"headset: {' '.join(secret.reveal() for secret in variants[chosen])} ({utterance.times} x)"
        case Rest(seconds):
            return f"rest: {seconds:g} s"
        case Noise(on):
            return f"noise: {'on' if on else 'off'}"
        case Prepare():
            return ""  # nobody hears that a sound is made
        case _:
            raise AssertionError(utterance)


def misses() -> Iterator[Any]:
    for language in LANGUAGES:
        for tried in spoken_tests(language):
            for said in tried.get("not_understood", ()):
                yield pytest.param(language, tried, said, id=f"{language}: {tried['title']}: {said}")


def session_in(language: str, tried: dict[str, Any], folder: Path) -> Session:
    """Return a session that has come to the situation."""
    if "plan" in tried:
        plan = Plan(**{key: tuple(value) if isinstance(value, list) else value for key, value in tried["plan"].items()})
    else:
        edition = tried.get("edition", DEFAULT)
        plan = Plan(language, edition, len(tried["players"]), tuple(tried["players"]), 1)
    session = Session(LIBRARY, plan, Journals(folder), lambda: EVENING, language, random=Random(1))
    session.open()
    for text in tried.get("before", ()):
        assert not isinstance(session.grammar.parse(text, typed=True), NotUnderstood), text
        session.hear(text, typed=True)
        if session.irreversible:
            session.hear(CONFIRMED, typed=True)
    return session


def edition_of(tried: dict[str, Any]) -> str:
    """Return the edition of a situation."""
    edition: str = tried.get("plan", tried).get("edition") or DEFAULT
    return edition


def meaning(case: dict[str, Any]) -> Intent:
    means, how = case["means"], case.get("how")
    assert how in (None, "correction", "whisper")
    name, slots = (means, {}) if isinstance(means, str) else next(iter(means.items()))
    if "votes" in slots:
        return Intent(name, votes=tuple((seat, approves) for seat, approves in slots["votes"]))
    return Intent(name, slots, correction=how == "correction", whisper=how == "whisper")


@pytest.mark.parametrize(("language", "tried", "case"), list(cases()))
def test_sentences_are_understood_and_answered(language, tried, case, tmp_path):
    session = session_in(language, tried, tmp_path)
    texts, typed = texts_of(case), "type" in case
    if "means" in case:
        understood = {text: session.grammar.parse(text, typed) for text in texts}
        assert understood == dict.fromkeys(texts, meaning(case))
    assert lines_of(session.hear(texts[0], typed)) == expected(case)
    assert session.irreversible == ("confirmed" in case)
    if session.irreversible:
        assert lines_of(session.hear(CONFIRMED, typed=True)) == [f"table: {line}" for line in case["confirmed"]]


@pytest.mark.parametrize(("language", "tried", "said"), list(misses()))
def test_a_near_miss_is_not_understood(language, tried, said, tmp_path):
    session = session_in(language, tried, tmp_path)
    everything = Grammar(LIBRARY.pack(language, edition_of(tried)), session.grammar.players, session.grammar.intents)
    assert isinstance(everything.parse(said), NotUnderstood)
    assert session.hear(said) == (TableUtterance(session.phrasebook.phrase(Message("pardon"))),)


@every_language
def test_every_intent_is_tried(language):
    tried = {meaning(case).name for tried in spoken_tests(language) for case in tried["cases"] if "means" in case}
    assert tried == ALL - {"keep_name_as"}  # only who has a recogniser is asked for it


@every_language
def test_sentences_are_tried_in_every_edition(language):
    tried = {one.get("edition", DEFAULT) for one in spoken_tests(language) if one["cases"]}
    assert len(tried) >= 2
    assert tried <= set(EDITIONS)


@every_language
def test_every_rule_topic_is_tried(language):
    meanings = [meaning(case) for one in spoken_tests(language) for case in one["cases"] if "means" in case]
    assert {one.slots["topic"] for one in meanings if one.name == "rule"} == set(TOPICS)


# No two meanings for one sentence.


@every_pack
@every_moment
def test_no_sentence_has_two_meanings(language, edition, moment):
    intents = MOMENT_INTENTS[moment]
    grammar = grammar_for(language, edition, intents)
    texts = list(all_samples(language, edition, intents))
    assert {name for name, _ in texts} == intents - NEVER_SPOKEN
    if edition != DEFAULT_EDITION:  # the others were tried there, and a new one that collides with them is found here
        tried = set(all_samples(language, DEFAULT_EDITION, intents))
        texts = [found for found in texts if found not in tried]
    wrong = [(name, text, found) for name, text in texts if (found := named(grammar.parse(text))) != name]
    assert wrong == []


@every_language
def test_an_answer_to_a_question_is_no_other_sentence_of_the_game(language):
    """A name that is also a word of a command is asked about; plain names are not."""
    answers = [(name, text) for name, text in all_samples(language, DEFAULT, ANSWERS)]
    asked = grammar_for(language, DEFAULT, IN_PLAY | ANSWERS)
    assert [(text, found) for name, text in answers if (found := named(asked.parse(text))) != name] == []
    alone = grammar_for(language, DEFAULT, ANSWERS)
    played = all_samples(language, DEFAULT, IN_PLAY)
    assert [(name, text) for name, text in played if isinstance(alone.parse(text), Intent)] == []


@every_pack
def test_a_piece_of_a_command_says_which_command_and_what_is_missing(language, edition):
    grammar = grammar_for(language, edition, IN_PLAY)
    wrong = [
        (text, found)
        for name, slot, text in pieces_of(language, edition)
        if (found := grammar.parse(text)) != Incomplete(Intent(name), slot)
    ]
    assert wrong == []


@every_pack
@every_moment
def test_every_short_code_is_understood_when_it_is_typed_and_only_then(language, edition, moment):
    intents = MOMENT_INTENTS[moment]
    grammar = grammar_for(language, edition, intents)
    codes = list(typed_samples(language, edition, intents))
    assert [(name, code) for name, code in codes if named(grammar.parse(code, typed=True)) != name] == []
    sentences = {text for _, text in all_samples(language, edition, intents)}
    spoken = [code for _, code in codes if code not in sentences and isinstance(grammar.parse(code), Intent)]
    assert spoken == []


@every_language
@every_moment
def test_no_short_code_means_two_things_at_the_same_moment(language, moment):
    intents = LIBRARY.packs[language].sentences.intents
    blocks = itertools.chain.from_iterable(intents[name] for name in MOMENT_INTENTS[moment])
    codes = Counter(code for block in blocks for code in block.typed)
    assert [code for code, times in codes.items() if times > 1] == []


@every_pack
@pytest.mark.parametrize(("kind", "intents"), [("correction", COMMANDS), ("whisper", QUESTIONS)])
def test_the_words_in_front_go_with_every_intent_of_their_kind_and_with_no_other(language, edition, kind, intents):
    grammar = grammar_for(language, edition, IN_PLAY)
    first = {name: samples_of(language, edition, name)[0] for name in IN_PLAY}
    prefixes = LIBRARY.packs[language].sentences.prefixes[kind]
    for prefix, (name, text) in itertools.product(prefixes, first.items()):
        found = grammar.parse(f"{prefix} {text}")
        if name in intents:
            assert isinstance(found, Intent), (prefix, text)
            assert (found.name, found.correction, found.whisper) == (name, kind == "correction", kind == "whisper")
        else:
            assert isinstance(found, NotUnderstood), (prefix, text)


def named(parsed: object) -> object:
    """Return the name of an intent, also of votes that contradict each other, and anything else as it is."""
    if isinstance(parsed, Ambiguous) and {one.name for one in parsed.candidates} == {"cast_votes"}:
        return "cast_votes"
    return parsed.name if isinstance(parsed, Intent) else parsed


# Nothing is missing, and nothing is left over.


NEVER_SPOKEN = {"enter_role"}
"""Who speaks a role aloud tells it to the table."""
SHORT_THEMSELVES = {"say_number", "name_player", "choose_number", "cast_votes"}
"""What is typed for a number is the number, for a player the seat."""


@every_language
@pytest.mark.parametrize("name", sorted(ALL - NEVER_SPOKEN))
def test_every_intent_has_several_wordings_and_a_short_code(language, name):
    assert all(len(samples_of(language, edition, name)) >= 2 for edition in EDITIONS)
    codes = [code for block in LIBRARY.packs[language].sentences.intents[name] for code in block.typed]
    assert codes or name in SET_UP_ANSWERS | SHORT_THEMSELVES


@every_language
@pytest.mark.parametrize("name", sorted(NEVER_SPOKEN))
def test_what_must_not_be_spoken_has_short_codes_only(language, name):
    assert not any(samples_of(language, edition, name) for edition in EDITIONS)
    assert [code for block in LIBRARY.packs[language].sentences.intents[name] for code in block.typed]


@every_language
def test_each_role_is_entered_by_one_key(language):
    blocks = LIBRARY.packs[language].sentences.intents["enter_role"]
    assert [block.slots["role"] for block in blocks] == [role.value for role in Role]
    assert [len(code) for block in blocks for code in block.typed] == [1, 1, 1]


@every_language
def test_a_pack_has_no_intent_list_rule_or_prefix_beyond_what_is_used(language):
    sentences = LIBRARY.packs[language].sentences
    blocks = list(itertools.chain.from_iterable(sentences.intents.values()))
    templates = [text for block in blocks for text in (*block.sentences, *block.typed)] + list(sentences.rules.values())
    lists = {found for text in templates for found in re.findall(r"\{(\w+)", text)}
    rules = {found for text in templates for found in re.findall(r"<(\w+)>", text)}
    named_by_editions = {rule for rule in rules if rule.partition("_")[0] in SPOKEN_THINGS}
    assert set(sentences.intents) == ALL
    assert set(sentences.prefixes) == {"correction", "whisper"}
    assert set(sentences.lists) == lists - {"player", "number", "ordinal", "first_name", *EDITION_LISTS}
    assert set(sentences.rules) == rules - named_by_editions
    slots = {name for text in templates for _, name in re.findall(r"\{(\w+):(\w+)\}", text)}
    assert {name for block in blocks for name in block.slots} <= lists | slots | {"role"}  # a role is never spoken


@every_pack
def test_the_lists_of_a_pack_hold_what_the_program_knows(language, edition):
    lists = LIBRARY.pack(language, edition).sentences.lists
    for name in ("party", "party_law", "party_laws"):
        assert set(lists.get(name, Party)) == {party.value for party in Party}
    assert set(lists["vote"]) == {"yes", "no"}
    assert set(lists["tray"]) == {"rough", "smooth"}
    assert set(lists["symbol"]) >= (set(SYMBOLS) - set(POWERS)) | powers_of(edition)
    assert set(lists["symbol"]) <= set(SYMBOLS)
    assert set(lists["topic"]) == set(TOPICS)
    assert set(lists["deal"]) == set(Deal)
    assert set(lists["language"]) == set(LANGUAGES)
    assert set(lists["edition"]) == set(LIBRARY.editions)


@every_language
def test_no_raw_pack_holds_a_name_of_an_edition(language):
    """The offices, parties and powers come from the editions, in their words."""
    sentences = LIBRARY.packs[language].sentences
    assert not set(sentences.lists) & set(EDITION_LISTS)
    assert not set(sentences.lists["symbol"]) & set(POWERS)
    blocks = itertools.chain.from_iterable(sentences.intents.values())
    templates = [*(text for block in blocks for text in block.sentences), *sentences.rules.values()]
    generic = {"en": r"president|chancellor|dictator|hitler|despotar|\brats?\b|\bcats?\b|fascist|democrat"}
    # "liberal victory" and "fascist victory" are names of topics.
    literal = re.compile(generic.get(language, r"präsident|kanzler|diktator|hitler|despotar|ratte|katze|faschist"))
    bare = [re.sub(r"<\w+>|\{[\w:]+\}", "", text) for text in templates]
    assert [text for text in bare if literal.search(text)] == []


@every_pack
def test_spoken_sentences_are_whole_words_without_digits(language, edition):
    word = re.compile(r"[^\W\d_]+('[^\W\d_]+)?")
    texts = {text for _, text in all_samples(language, edition)}
    assert {piece for text in texts for piece in text.split() if not word.fullmatch(piece)} == set()


@every_pack
def test_the_samples_of_these_tests_say_every_word_that_a_recogniser_is_given(language, edition):
    prefixes = itertools.chain.from_iterable(LIBRARY.packs[language].sentences.prefixes.values())
    said = {word for _, text in all_samples(language, edition) for word in text.split()}
    in_front = {word for prefix in prefixes for word in normalized(prefix).split()}
    talk = talk_of(LIBRARY.packs[language].sentences)
    around = {word for words in (*talk.before, *talk.after, *talk.hesitations, *talk.repairs) for word in words}
    pieces = {word for _, _, text in pieces_of(language, edition) for word in text.split()}
    assert said | in_front | around | pieces == grammar_for(language, edition, ALL).speakable.words()


@every_language
def test_the_first_names_can_all_be_said(language):
    pack = LIBRARY.pack(language, None)
    grammar = Grammar(pack, (), MOMENT_INTENTS["asked for name"])
    assert len({normalized(name) for name in pack.first_names}) == len(pack.first_names) >= 150
    for name in pack.first_names:
        assert grammar.parse(name) == Intent("say_name", {"first_name": name})
        assert with_name(Plan(count=10), name, pack).names == (name,)
