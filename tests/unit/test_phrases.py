"""What is said, in every language with the names and the material of every edition."""

from __future__ import annotations

import itertools
import re
from contextlib import suppress
from pathlib import PurePosixPath
from typing import Any

import pytest
from pack_samples import (
    BARE,
    EDITIONS,
    LANGUAGES,
    LIBRARY,
    MOMENT_INTENTS,
    SCENE_INTENTS,
    book_of,
    every_language,
    every_pack,
    forms,
    gaps,
    given,
    grammar_for,
    phrases_of,
    powers_of,
    rendered,
    said,
)
from phrase_keys import FAMILIES, POWERS, SITUATIONS, SYMBOLS, WANTED, asked, expanded, keys
from table import FASCIST, LIBERAL, Table
from test_views import MOMENTS, STANDARD_MOMENTS

from gm_assistant.dialogue.answers import TABLE_ANSWERS
from gm_assistant.dialogue.intents import ALL, Intent, NotUnderstood
from gm_assistant.dialogue.now import situation
from gm_assistant.dialogue.rulebook import TOPICS
from gm_assistant.dialogue.spoken_names import EDITION_LISTS
from gm_assistant.errors import RuleViolation
from gm_assistant.rules import commands as do
from gm_assistant.rules.decide import decide
from gm_assistant.rules.edition import Material
from gm_assistant.rules.model import Nomination
from gm_assistant.rules.views import TableView, table_view

FEW_MOMENTS: dict[str, Any] = {
    "start": lambda table: table,
    "election": lambda table: table.nominate(3).vote(1, True),
    "session": lambda table: table.elect(),
    "late session": lambda table: table.reach(fascist=5).elect(),
    "chaos": lambda table: table.fail_election().fail_election().fail_election(),
    "after chaos": lambda table: table.chaos(FASCIST).settle(),
    "question": lambda table: table.reach(fascist=3).nominate(min(table.candidates)).passed(),
    "shot": lambda table: table.reach(fascist=4).settle(),
    "end": lambda table: table.reach(liberal=4).play_round(LIBERAL),
}
"""How a table comes there in any edition."""

SLOTS = [
    {"player": seat, "field": field, "symbol": symbol, "topic": topic, **strip}
    for seat, field, symbol, topic, strip in zip(
        itertools.cycle(range(1, 10)),
        itertools.cycle(range(10)),
        itertools.cycle(SYMBOLS),
        TOPICS,
        itertools.cycle(({}, {"strip": "liberal"}, {"strip": "fascist"})),
        strict=False,
    )
]


def views_of(edition: str) -> dict[str, TableView]:
    """Return a table of nine at every kind of moment that the edition has."""
    own = {"secret_dictator": MOMENTS, "secret_despotar": STANDARD_MOMENTS}.get(edition, {})
    return {name: table_view(reach(Table(9, edition=edition)).state) for name, reach in {**FEW_MOMENTS, **own}.items()}


# Keys.


@every_language
def test_a_pack_has_exactly_the_phrases_that_the_code_asks_for(language):
    assert set(LIBRARY.packs[language].phrases.phrases) == keys()


def test_the_families_of_keys_are_those_of_the_code():
    assert {found.key for found in asked() if "*" in found.key} == set(FAMILIES)
    views = itertools.chain.from_iterable(views_of(edition).values() for edition in EDITIONS)
    assert {situation(view) for view in views} == set(SITUATIONS)


def test_the_out_of_turn_keys_are_those_of_the_rules():
    fitting = [
        *(do.NominateChancellor(2), do.ReportResult(True), do.ReportCount(5, 0), do.CastVote(2, True)),
        *(do.CastSecretVote(2, True), do.AnswerDictatorQuestion(True), do.EnactLaw(LIBERAL), do.ProposeVeto()),
        *(do.AnswerVeto(True), do.FinishLooking(), do.NameNextPresident(2), do.Investigate(2), do.Shoot(2)),
        *(do.TakeSecretBallot(), do.DrawMissingVotes(()), do.ShufflePiles()),
    ]
    table = Table(5, edition="secret_despotar")
    wanted = set()
    for state, command in itertools.product((few_laws_left(table.state), table.nominate(2).state), fitting):
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


def few_laws_left(state: Any) -> Any:
    assert isinstance(state.phase, Nomination)
    return type(state)(**{name: getattr(state, name) for name in state.__struct_fields__} | {"draw_pile": 2})


@every_language
def test_other_words_for_a_material_stand_only_where_they_differ(language):
    phrases = LIBRARY.packs[language].phrases
    for texts in phrases.materials.values():
        assert set(texts) <= set(phrases.phrases)
        assert [key for key, text in texts.items() if text == phrases.phrases[key]] == []


@every_language
def test_every_material_of_an_edition_has_its_own_words_for_piles_and_track(language):
    phrases = LIBRARY.packs[language].phrases
    materials = {edition.material for edition in LIBRARY.editions.values()}
    assert materials - {Material.TACTILE} <= set(phrases.materials)
    needed = {"set-up-laws", "session", "chaos", "put-law", "peg-on", "trays", "now-session", "now-shuffle", "peg-at"}
    for material in materials - {Material.TACTILE}:
        assert needed <= set(phrases.materials[material])


TACTILE_WORDS = {
    "en": r"\b(trays?|pegs?|holes?|notch|inlays?|rough|smooth|tokens?|strips?|symbol down)\b",
    "de": r"\b(Stifte?s?|Loch|Löcher|Kerbe|Einleger?|rauen?|glatten?|Rollenplättchen|Plättchen)\b",
}
"""Words for what only a tactile set has."""
TACTILE_ONLY = {f"explain-{symbol}" for symbol in set(SYMBOLS) - set(POWERS)}
"""Said with the tactile edition only."""


@pytest.mark.parametrize("edition", [one.id for one in LIBRARY.editions.values() if one.material is Material.PRINTED])
@every_language
def test_nothing_that_fingers_read_is_said_where_a_printed_board_lies(language, edition):
    words = re.compile(TACTILE_WORDS[language])
    texts = [(key, text) for key, text in said(language, edition) if key not in TACTILE_ONLY]
    assert [(key, text) for key, text in texts if words.search(text)] == []


# Facts and forms.


@every_pack
def test_a_phrase_asks_for_no_fact_that_the_code_does_not_give(language, edition):
    texts = phrases_of(language, edition)
    wrong = [
        (key, found.place, sorted(gaps(texts[key]) - found.facts))
        for found in asked()
        if found.key != "now-*"
        for key in expanded(found.key)
        if key in texts and found.facts is not None and not gaps(texts[key]) <= found.facts
    ]
    assert wrong == []


@every_pack
def test_a_phrase_asks_for_no_fact_that_none_of_its_places_gives(language, edition):
    """For what must happen now, each place in the code gives the facts of its own situations."""
    places = {key: [found for found in asked() if key in expanded(found.key)] for key in phrases_of(language, edition)}
    for key, text in phrases_of(language, edition).items():
        if places[key] and all(found.facts is not None for found in places[key]):
            assert gaps(text) <= given(key), key


@every_language
def test_every_form_of_a_counted_noun_and_of_an_ordinal_is_used(language):
    pack = LIBRARY.packs[language].phrases
    texts = [*pack.phrases.values(), *(text for texts in pack.materials.values() for text in texts.values())]
    asked_for = {form for text in texts for _, form in forms(text) if form}
    assert set(pack.forms) | set(pack.ordinals) <= asked_for


def used_forms(language: str, edition: str) -> set[tuple[str, str]]:
    """Return thing and form of every name of an edition that a phrase or a sentence may ask for."""
    used = {("edition", "spoken")}
    kinds = {"party": ["liberal", "fascist"], "power": sorted(powers_of(edition))}
    for text in phrases_of(language, edition).values():
        for fact, form in forms(text):
            if "." in form:
                thing, _, noun = form.partition(".")
                used |= {(thing, f"{noun}_{category}") for category in ("zero", "one", "two", "few", "many", "other")}
            else:
                used |= {(thing, form or "name") for thing in kinds.get(fact, [fact])}
    used |= {(power, "spoken") for power in powers_of(edition)}
    sentences = LIBRARY.packs[language].sentences
    blocks = itertools.chain.from_iterable(sentences.intents.values())
    templates = [text for block in blocks for text in (*block.sentences, *block.typed)] + list(sentences.rules.values())
    for found in itertools.chain.from_iterable(re.findall(r"<(\w+)>", text) for text in templates):
        thing, _, form = found.partition("_")
        used.add((thing, f"spoken_{form}" if form else "spoken"))
    for found in itertools.chain.from_iterable(re.findall(r"\{(\w+)", text) for text in templates):
        if found in EDITION_LISTS[1:]:
            form = found.partition("_")[2]
            used |= {(party, f"spoken_{form}" if form else "spoken") for party in kinds["party"]}
    return used


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_edition_names_nothing_in_a_form_that_nobody_asks_for(language):
    """In one material or another: an edition inherits the names of its parent, which may have another one."""
    used = set().union(*(used_forms(language, edition) for edition in EDITIONS))
    idle = {
        (edition, thing, form)
        for edition in EDITIONS
        for thing, names in LIBRARY.editions[edition].names[language].items()
        for form in names
        if form != "name" and (thing, form) not in used
    }
    assert idle == set()


# Every phrase, filled.


@every_pack
def test_a_phrase_is_a_clean_sentence_whatever_fills_it(language, edition):
    for key, text in said(language, edition):
        assert not set(text) & set("{}<>|[]\n"), (key, text)
        assert "  " not in text, (key, text)
        assert text == text.strip(), (key, text)
        assert key in BARE or text[-1] in ".?!:", (key, text)
        # Two names of an edition that met: "the the dictator".
        assert not re.search(r"\b(\w+) \1\b", text, re.IGNORECASE), (key, text)


@every_pack
def test_a_phrase_begins_with_a_capital_or_a_gap_in_its_file(language, edition):
    # The phrasebook would put a capital anywhere.
    small = [key for key, text in phrases_of(language, edition).items() if text[0].islower()]
    assert set(small) <= BARE


@every_pack
def test_no_phrase_that_is_heard_by_the_microphone_is_a_sentence_itself(language, edition):
    grammar = grammar_for(language, edition, ALL)
    texts = [(key, text) for key, text in said(language, edition) if key not in BARE]
    assert len(texts) > 1000
    assert [(key, text) for key, text in texts if not isinstance(grammar.parse(text), NotUnderstood)] == []


ASIDE = r"(?: for example| one by one| zum beispiel| dann| zuerst| einzeln)?"
HINT = re.compile(rf"\b(?:say|ask|or|always|sagt?|sagen|fragt|oder|mit|geht){ASIDE}: ([^.:]+)", re.IGNORECASE)
BEFORE_THE_GAME = ("ask-", "examples-set-up", "game-waiting", "nothing-to-go-back")
WITH_THE_HEADSET = sorted(set(SCENE_INTENTS) - {"in the prologue"})
SCENES_OF = {
    "prologue_reading.py": ["in the prologue"],
    "consultation.py": ["in a consultation"],
    "dealing.py": sorted(set(WITH_THE_HEADSET) - {"in a consultation"}),
    "visit.py": WITH_THE_HEADSET,
    "opening.py": [],
}
"""While which scenes the phrases of a module are said."""
AT_THE_END_OF_A_SCENE = {"prologue-ended", "visits-stopped", "deal-stopped", "investigation-stopped"}
"""Said when the sentences of play are understood again."""


def hints(language: str, edition: str, key: str) -> set[str]:
    """Return the sentences that a phrase recommends, with the names of the edition."""
    found = {hint for text in rendered(language, edition, key) for hint in HINT.findall(text)}
    return {part for hint in found for part in hint.split(", ")}


def scenes_with(key: str) -> list[str]:
    """Return the scenes while which a phrase is said."""
    places = [PurePosixPath(found.place.partition(":")[0]) for found in asked() if key in expanded(found.key)]
    files = [] if key in AT_THE_END_OF_A_SCENE else [place.name for place in places if place.parent.name == "scenes"]
    return sorted({scene for file in files for scene in SCENES_OF[file]})


def in_force(key: str) -> list[str]:
    """Return the moments in which a phrase may be said that belongs to no scene."""
    moments = [name for name in MOMENT_INTENTS if name not in SCENE_INTENTS]
    return [name for name in moments if (name == "in play") != key.startswith(BEFORE_THE_GAME)]


@every_pack
def test_every_sentence_that_is_recommended_is_understood(language, edition):
    spoken = [key for key in phrases_of(language, edition) if not key.startswith(("phrases-", "edition-", "check-"))]
    tried = 0
    for key in spoken:
        scenes = scenes_with(key)
        grammars = [grammar_for(language, edition, MOMENT_INTENTS[name]) for name in scenes or in_force(key)]
        for hint in hints(language, edition, key):
            if key == "examples-always" and hint.startswith(("correction", "Korrektur")):
                continue
            tried += 1
            understood = [isinstance(grammar.parse(hint), Intent) for grammar in grammars]
            assert all(understood) if scenes else any(understood), (key, hint)
    assert tried > 60


# Answers at any moment.


@pytest.mark.parametrize("edition", EDITIONS)
def test_everything_can_be_asked_at_every_moment(edition):
    for name, view in views_of(edition).items():
        for language, (question, answer), slots in itertools.product(LANGUAGES, TABLE_ANSWERS.items(), SLOTS):
            assert book_of(language, edition).say(answer(Intent(question, slots), view)), (name, question)


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("players", [5, 7, 9])
def test_every_rule_can_be_asked_for_with_every_number_of_players(edition, players):
    rules = LIBRARY.editions[edition].rules_for(players)
    for language, topic in itertools.product(LANGUAGES, TOPICS):
        assert book_of(language, edition).say(TOPICS[topic](rules)), topic
