"""How people really talk: fillers, hesitations, second thoughts, commands in pieces, votes in one go, odd names."""

from __future__ import annotations

from functools import cache

import pytest
from pack_samples import LANGUAGES, LIBRARY, all_samples, every_language, samples_of

from gm_assistant.dialogue.grammar import Grammar
from gm_assistant.dialogue.intents import (
    ANSWERS,
    COMMANDS,
    IN_PLAY,
    Ambiguous,
    Incomplete,
    Intent,
    NotUnderstood,
    Parsed,
)
from gm_assistant.dialogue.talk import talk_of
from gm_assistant.speakable import Ending, ending

PLAYERS = ("Anna", "Ben", "Clara", "David", "Emma")
EVERYTHING = IN_PLAY | ANSWERS


@cache
def grammar(language: str = "en", players: tuple[str, ...] = PLAYERS, intents: frozenset[str] = EVERYTHING) -> Grammar:
    return Grammar(LIBRARY.pack(language, None), players, intents)


def can_be_said(text: str, spoken: Grammar) -> bool:
    return ending(spoken.speakable.machine, text) is not Ending.INCOMPLETE


def votes(*said: tuple[int, bool]) -> Intent:
    return Intent("cast_votes", votes=said)


def nominated(seat: int) -> Intent:
    return Intent("nominate", {"player": seat})


# Fillers.

WRAPPED = {
    "en": [
        ("uh nominate Ben", nominated(2)),
        ("So, nominate Ben please.", nominated(2)),
        ("okay now, nominate, uh, Ben", nominated(2)),
        ("Could you please repeat that?", Intent("repeat")),
        ("I would like to nominate Anna", nominated(1)),
        ("well I'd like to execute seat three, thank you", Intent("shoot", {"player": 3})),
        ("nominate, let me see, the third player", nominated(3)),
        ("number three, uh, yes", Intent("cast_vote", {"player": 3, "vote": "yes"})),
        ("player three votes no now", Intent("cast_vote", {"player": 3, "vote": "no"})),
        ("um correction, um, nominate Clara", Intent("nominate", {"player": 3}, correction=True)),
        ("so who may be chancellor now please", Intent("who_may_be_chancellor")),
        ("and four yes one no", Intent("vote_count", {"yes": 4, "no": 1})),
    ],
    "de": [
        ("Äh, nominiere Ben", nominated(2)),
        ("Also, ich nominiere Ben, bitte.", nominated(2)),
        ("Na gut, dann nominiere ich mal", NotUnderstood()),
        ("also jetzt nominiere ähm Ben mal bitte", nominated(2)),
        ("Könntest du das bitte wiederholen?", Intent("repeat")),
        ("Ich würde gern Anna nominieren", nominated(1)),
        ("ich möchte, äh, Platz drei hinrichten", Intent("shoot", {"player": 3})),
        ("nominiere, sagen wir, den dritten Spieler", nominated(3)),
        ("Nummer drei ähm ja", Intent("cast_vote", {"player": 3, "vote": "yes"})),
        ("ähm Korrektur, nominiere Clara", Intent("nominate", {"player": 3}, correction=True)),
        ("so, wer kann Kanzlerin werden, bitte", Intent("who_may_be_chancellor")),
        ("und vier ja eins nein", Intent("vote_count", {"yes": 4, "no": 1})),
    ],
}


@pytest.mark.parametrize(
    ("language", "said", "meant"),
    [(language, said, meant) for language, cases in WRAPPED.items() for said, meant in cases],
)
def test_fillers_and_polite_words_do_not_matter(language: str, said: str, meant: Parsed) -> None:
    assert grammar(language).parse(said) == meant


@pytest.mark.parametrize(
    ("language", "said"),
    [
        *(
            ("en", text)
            for text in ("uh", "so now please", "could you please", "well well well", "nominate uh", "no uh")
        ),
        *(("de", text) for text in ("äh", "also bitte jetzt", "na gut", "tja", "mal sehen")),
    ],
)
def test_fillers_alone_never_name_somebody(language: str, said: str) -> None:
    parsed = grammar(language).parse(said)
    assert not (isinstance(parsed, Intent) and parsed.slots)


@every_language
def test_no_filler_makes_another_sentence_of_a_sentence(language: str) -> None:
    """What is a sentence with a filler and without it means the same."""
    talk = talk_of(LIBRARY.packs[language].sentences)
    texts = {text: name for name, text in all_samples(language, "secret_dictator", EVERYTHING)}
    fronts = {" ".join(words) for words in (*talk.before, *talk.hesitations)}
    backs = {" ".join(words) for words in (*talk.after, *talk.hesitations)}
    wrapped = [(f"{front} {text}", text) for text in texts for front in fronts]
    wrapped += [(f"{text} {back}", text) for text in texts for back in backs]
    differing = [(longer, text) for longer, text in wrapped if texts.get(longer, texts[text]) != texts[text]]
    assert differing == []


@every_language
def test_every_sentence_is_understood_with_every_filler(language: str) -> None:
    talk = talk_of(LIBRARY.packs[language].sentences)
    everything = grammar(language)
    for name in sorted(EVERYTHING):
        said = samples_of(language, "secret_dictator", name)[-1]
        plain = everything.parse(said)
        for words in (*talk.before, *talk.hesitations):
            assert everything.parse(f"{' '.join(words)} {said}") == plain, (words, said)
        for words in (*talk.after, *talk.hesitations):
            assert everything.parse(f"{said} {' '.join(words)}") == plain, (said, words)


@every_language
def test_a_recogniser_hears_fillers_at_both_ends_and_before_a_player(language: str) -> None:
    talk = talk_of(LIBRARY.packs[language].sentences)
    front, back, inside = (" ".join(words[0]) for words in (talk.before, talk.after, talk.hesitations))
    said = next(text for text in samples_of(language, "secret_dictator", "nominate") if text.endswith(" anna"))
    name = "anna"
    for text in (
        f"{front} {said}",
        f"{said} {back}",
        f"{inside} {said} {back}",
        said.replace(name, f"{inside} {name}"),
    ):
        assert can_be_said(text, grammar(language)), text
    assert not can_be_said(f"{back} {back} {said}", grammar(language))


# Second thoughts.

MENDED = {
    "en": [
        ("nominate Anna, no, Ben", nominated(1), nominated(2)),
        ("nominate Anna, sorry, Ben please", nominated(1), nominated(2)),
        ("I nominate Anna, I mean seat two", nominated(1), nominated(2)),
        ("nominate Anna, no, nominate Ben", nominated(1), nominated(2)),
        ("nominate Anna no wait uh Ben as chancellor", nominated(1), nominated(2)),
        ("execute Anna, no, Ben", Intent("shoot", {"player": 1}), Intent("shoot", {"player": 2})),
        (
            "liberal, no, fascist",
            Intent("law_enacted", {"party": "liberal"}),
            Intent("law_enacted", {"party": "fascist"}),
        ),
        (
            "a liberal law, sorry, a fascist law",
            Intent("law_enacted", {"party": "liberal"}),
            Intent("law_enacted", {"party": "fascist"}),
        ),
        (
            "Anna yes, sorry, no",
            Intent("cast_vote", {"player": 1, "vote": "yes"}),
            Intent("cast_vote", {"player": 1, "vote": "no"}),
        ),
        ("Anna yes Ben no, sorry, yes", votes((1, True), (2, False)), votes((1, True), (2, True))),
        ("yes, I mean no", Intent("answer_yes"), Intent("answer_no")),
    ],
    "de": [
        ("nominiere Anna, nein, Ben", nominated(1), nominated(2)),
        ("nominiere Anna, Entschuldigung, Ben bitte", nominated(1), nominated(2)),
        ("ich nominiere Anna, ich meine Platz zwei", nominated(1), nominated(2)),
        ("nominiere Anna nein doch lieber äh Ben", nominated(1), nominated(2)),
        (
            "demokratisches Gesetz, nein, faschistisches Gesetz",
            Intent("law_enacted", {"party": "liberal"}),
            Intent("law_enacted", {"party": "fascist"}),
        ),
        (
            "Anna ja, Quatsch, nein",
            Intent("cast_vote", {"player": 1, "vote": "yes"}),
            Intent("cast_vote", {"player": 1, "vote": "no"}),
        ),
        ("ja, ich meine nein", Intent("answer_yes"), Intent("answer_no")),
    ],
}


@pytest.mark.parametrize(
    ("language", "said", "first", "second"),
    [(language, *case) for language, cases in MENDED.items() for case in cases],
)
def test_who_corrects_a_sentence_in_the_same_breath_is_asked(
    language: str, said: str, first: Intent, second: Intent
) -> None:
    assert grammar(language).parse(said) == Ambiguous((first, second))


def test_who_says_the_same_twice_is_not_asked() -> None:
    assert grammar().parse("nominate Anna, no, seat one") == nominated(1)


@pytest.mark.parametrize(
    "said", ["nominate Anna no", "no Ben", "undo no redo", "nominate Anna no execute Ben", "yes no yes"]
)
def test_other_words_after_a_no_are_no_second_thought(said: str) -> None:
    play = grammar(intents=IN_PLAY)
    assert play.parse(said) == NotUnderstood()


@pytest.mark.parametrize(
    ("language", "said"),
    [
        *(("en", text) for text in ("nominate anna no ben", "nominate anna sorry uh ben", "liberal no fascist")),
        *(("de", text) for text in ("nominiere anna nein ben", "ein demokratisches gesetz nein faschistisches gesetz")),
    ],
)
def test_a_recogniser_hears_second_thoughts(language: str, said: str) -> None:
    assert can_be_said(said.replace("sorry uh", "sorry"), grammar(language))


# Commands in pieces.

PIECES = {
    "en": {
        "nominate": ("nominate", "I nominate", "I nominate, uh", "the president nominates", "please nominate somebody"),
        "shoot": ("execute", "I shoot", "I would like to kill somebody"),
        "investigate": ("investigate", "I want to check", "check the loyalty"),
        "name_president": ("next president", "the next president is", "make somebody president"),
        "law_enacted": ("law enacted", "a law was passed", "we enacted a law"),
    },
    "de": {
        "nominate": ("nominiere", "ich nominiere", "ich nominiere äh", "die Präsidentin nominiert", "als Kanzlerin"),
        "shoot": ("erschieße", "ich töte jemanden", "ich schieße auf"),
        "investigate": ("untersuche", "ich prüfe jemanden", "ich will jemanden überprüfen"),
        "name_president": ("die nächste Präsidentin ist", "ich bestimme"),
        "law_enacted": ("Gesetz erlassen", "ein Gesetz liegt", "wir haben ein Gesetz"),
    },
}


@pytest.mark.parametrize(
    ("language", "name", "said"),
    [(language, name, said) for language, names in PIECES.items() for name, texts in names.items() for said in texts],
)
def test_a_command_in_pieces_says_what_is_missing(language: str, name: str, said: str) -> None:
    slot = "party" if name == "law_enacted" else "player"
    assert grammar(language).parse(said) == Incomplete(Intent(name), slot)


@every_language
def test_a_piece_of_a_command_can_be_said_and_can_go_on(language: str) -> None:
    machine = grammar(language, intents=frozenset({"nominate"})).speakable.machine
    assert ending(machine, PIECES[language]["nominate"][0]) is Ending.CAN_GO_ON


def test_a_bare_name_is_an_answer_and_nothing_else() -> None:
    assert grammar().parse("Anna!") == Intent("name_player", {"player": 1})
    assert grammar().parse("uh, the second player") == Intent("name_player", {"player": 2})
    assert grammar(intents=IN_PLAY).parse("Anna!") == NotUnderstood()


# Votes in one go.


@pytest.mark.parametrize(
    ("language", "said", "meant"),
    [
        ("en", "Anna yes, Ben no", ((1, True), (2, False))),
        ("en", "Anna yes, Ben no, and Clara yes", ((1, True), (2, False), (3, True))),
        ("en", "seat three says no and Ben votes yes please", ((3, False), (2, True))),
        ("en", "David in favor, Emma against, player one yes", ((4, True), (5, False), (1, True))),
        (
            "en",
            "Emma no Anna no Ben no Clara no David no",
            ((5, False), (1, False), (2, False), (3, False), (4, False)),
        ),
        ("de", "Anna ja, Ben nein", ((1, True), (2, False))),
        ("de", "Anna stimmt ja, Platz zwei nein und Clara ist dafür", ((1, True), (2, False), (3, True))),
    ],
)
def test_votes_come_in_one_go(language: str, said: str, meant: tuple[tuple[int, bool], ...]) -> None:
    parsed = grammar(language).parse(said)
    assert parsed == votes(*meant)
    assert can_be_said(said.lower().replace(",", ""), grammar(language))


def test_a_vote_that_is_said_twice_counts_once() -> None:
    assert grammar().parse("Anna yes Ben no seat one yes") == votes((1, True), (2, False))


def test_who_is_given_two_different_votes_is_asked_about() -> None:
    assert grammar().parse("Anna yes Ben no Anna no") == Ambiguous(
        (votes((1, True), (2, False)), votes((1, False), (2, False)))
    )


def test_ten_players_can_all_be_named_in_one_go() -> None:
    names = (*PLAYERS, "Frank", "Gerda", "Hugo", "Ida", "Jonas")
    ten = grammar(players=names)
    said = " ".join(f"{name} yes" for name in names)
    assert ten.parse(said) == votes(*((seat, True) for seat in range(1, 11)))
    assert can_be_said(said.lower(), ten)
    assert not can_be_said(f"{said} anna yes".lower(), ten)


def test_a_single_vote_is_a_single_vote() -> None:
    assert grammar().parse("Anna yes") == Intent("cast_vote", {"player": 1, "vote": "yes"})


# By name or by seat.


@pytest.mark.parametrize(
    ("said", "named"),
    [
        ("nominate Ben", {2}),
        ("nominate seat two", set()),
        ("nominate the second player", set()),
        ("seat one nominates Ben", {2}),
        ("Anna nominates Ben", {1, 2}),
        ("Anna yes, seat two no, Clara no", {1, 3}),
        ("who is next", set()),
    ],
)
def test_it_is_known_who_was_called_by_name(said: str, named: set[int]) -> None:
    parsed = grammar().parse(said)
    assert isinstance(parsed, Intent)
    assert parsed.by_name == named


# Names that are words of commands.

ODD = ("Will", "No", "Ja", "Yes", "One", "Veto", "Law", "Seat", "Um", "Please")


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("nominate Will", nominated(1)),
        ("I will nominate Will", nominated(1)),
        ("nominate No", nominated(2)),
        ("No no Ja yes", votes((2, False), (3, True))),
        ("No yes", Intent("cast_vote", {"player": 2, "vote": "yes"})),
        ("Yes no", Intent("cast_vote", {"player": 4, "vote": "no"})),
        ("Yes yes No no", votes((4, True), (2, False))),
        ("One yes", Intent("cast_vote", {"player": 5, "vote": "yes"})),
        ("nominate Veto", nominated(6)),
        ("Veto yes Law no", votes((6, True), (7, False))),
        ("Law was executed", Intent("shoot", {"player": 7})),
        ("a liberal law", Intent("law_enacted", {"party": "liberal"})),
        ("Seat yes", Intent("cast_vote", {"player": 8, "vote": "yes"})),
        ("nominate seat one", nominated(1)),
        ("nominate Um", nominated(9)),
        ("nominate um Will", nominated(1)),
        ("nominate Please", nominated(10)),
        ("please nominate Please please", nominated(10)),
        ("no", Intent("answer_no")),
        ("yes", Intent("answer_yes")),
        ("veto", Intent("propose_veto")),
    ],
)
def test_a_player_may_be_called_like_a_word_of_a_command(said: str, meant: Intent) -> None:
    play = grammar(players=ODD, intents=IN_PLAY)
    assert play.parse(said) == meant


@pytest.mark.parametrize(
    ("said", "candidates"),
    [
        ("no", (Intent("answer_no"), Intent("name_player", {"player": 2}))),
        ("yes", (Intent("answer_yes"), Intent("name_player", {"player": 4}))),
        ("veto", (Intent("name_player", {"player": 6}), Intent("propose_veto"))),
    ],
)
def test_a_name_that_is_also_an_answer_is_asked_about(said: str, candidates: tuple[Intent, ...]) -> None:
    parsed = grammar(players=ODD).parse(said)
    assert isinstance(parsed, Ambiguous)
    assert sorted(parsed.candidates, key=lambda one: one.name) == list(candidates)


@pytest.mark.parametrize(
    ("said", "names"),
    [("two yes one no", ("One", "Two")), ("eins ja zwei nein", ("Eins", "Zwei"))],
)
def test_players_called_like_numbers_are_asked_about_where_a_count_fits_too(said: str, names: tuple[str, ...]) -> None:
    parsed = grammar("de" if "ja" in said else "en", (*names, "Ben")).parse(said)
    assert isinstance(parsed, Ambiguous)
    assert {one.name for one in parsed.candidates} == {"vote_count", "cast_votes"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_odd_name_turns_one_command_into_another(language: str) -> None:
    """Every sentence about a player still means that intent, or is asked about, when the player has an odd name."""
    odd, plain = grammar(language, ODD), grammar(language, ("Anna", *ODD[1:]))
    for name in sorted(COMMANDS & EVERYTHING):
        for said in samples_of(language, "secret_dictator", name):
            if "anna" not in said.split():
                continue
            meant = plain.parse(said)
            for seat, player in enumerate(ODD, 1):
                found = odd.parse(said.replace("anna", player.lower()))
                if isinstance(meant, Intent) and isinstance(found, Intent):
                    assert found.name == meant.name, (said, player)
                    assert seat in (*found.slots.values(), *dict(found.votes)), (said, player)


# When a sentence is over.


@pytest.mark.parametrize(
    ("language", "said", "how"),
    [
        ("en", "nominate anna", Ending.FINAL),
        ("en", "nominate anna please", Ending.FINAL),
        ("en", "undo", Ending.FINAL),
        ("en", "four yes one no", Ending.FINAL),
        ("en", "a liberal law", Ending.FINAL),
        ("en", "nominate", Ending.CAN_GO_ON),
        ("en", "anna yes", Ending.CAN_GO_ON),
        ("en", "nominate anna no", Ending.INCOMPLETE),
        ("en", "please", Ending.INCOMPLETE),
        ("de", "nominiere anna", Ending.FINAL),
        ("de", "also nominiere anna", Ending.FINAL),
        ("de", "vier ja eins nein", Ending.FINAL),
        ("de", "rückgängig", Ending.FINAL),
        ("de", "nominiere", Ending.CAN_GO_ON),
        ("de", "anna ja", Ending.CAN_GO_ON),
    ],
)
def test_words_that_add_nothing_keep_no_sentence_open(language: str, said: str, how: Ending) -> None:
    """Who says "nominate Anna" need not be waited for because "please", or "no, Ben", could follow."""
    assert grammar(language, intents=IN_PLAY).speakable.ending(said) is how


def test_a_longer_name_keeps_a_sentence_open() -> None:
    both = grammar(players=("Anna", "Anna Maria", "Ben"))
    assert both.speakable.ending("nominate anna") is Ending.CAN_GO_ON
    assert both.speakable.ending("nominate anna maria") is Ending.FINAL


@pytest.mark.parametrize("said", ["4 yes 1 no", "4 no 1 yes"])
def test_two_bare_digits_are_a_count_and_not_two_players(said: str) -> None:
    parsed = grammar().parse(said, typed=True)
    assert isinstance(parsed, Intent)
    assert parsed.name == "vote_count"


def test_three_typed_votes_may_be_by_seat() -> None:
    assert grammar().parse("1 yes 2 no 3 yes", typed=True) == votes((1, True), (2, False), (3, True))
