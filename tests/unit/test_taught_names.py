"""Names that the English recogniser's dictionary lacks are taught by the pronunciation rules of their language."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from fakes_speech import grammar
from first_names import all_first_names, first_names
from spoken import has_package, needs, spoken_english

from gm_assistant.dialogue.wordings import normalized
from gm_assistant.errors import AudioError, ModelError
from gm_assistant.phones import phones_of
from gm_assistant.speakable import SpeakableGrammar
from gm_assistant.speech.english_phones import MOST_WAYS, cmu_phones, origins, ways_to_say
from gm_assistant.speech.phonemes import Espeak, Phonemes, plain
from gm_assistant.speech.pocketsphinx_recognizer import PocketsphinxEngine

CMU = {
    *(
        "AA",
        "AE",
        "AH",
        "AO",
        "AW",
        "AY",
        "B",
        "CH",
        "D",
        "DH",
        "EH",
        "ER",
        "EY",
        "F",
        "G",
        "HH",
        "IH",
        "IY",
        "JH",
        "K",
    ),
    *("L", "M", "N", "NG", "OW", "OY", "P", "R", "S", "SH", "T", "TH", "UH", "UW", "V", "W", "Y", "Z", "ZH"),
}


@pytest.fixture(scope="module")
def rules() -> Espeak:
    needs(has_package("espeakng_loader"), "espeakng_loader")
    return Espeak()


@pytest.fixture(scope="module")
def engine(rules: Espeak) -> PocketsphinxEngine:
    needs(has_package("pocketsphinx"), "pocketsphinx")
    return PocketsphinxEngine(None, lambda: rules)


@pytest.fixture
def phonemes() -> Iterator[Phonemes]:
    needs(has_package("espeakng_loader"), "espeakng_loader")
    started = Phonemes()
    yield started
    started.close()


def prepare(engine: PocketsphinxEngine, tree: SpeakableGrammar) -> frozenset[str]:
    unknown = engine.keep(0, tree.marked_machine)
    engine.use(0)
    return unknown


def test_there_are_names_of_seven_origins() -> None:
    assert len(all_first_names()) >= 200
    assert sorted(first_names()) == ["arabic", "english", "german", "italian", "polish", "turkish", "vietnamese"]
    assert all(len(names) >= 28 for names in first_names().values())


@pytest.mark.parametrize("origin", first_names())
def test_every_name_has_pronunciations_in_the_phones_of_the_dictionary(rules: Espeak, origin: str) -> None:
    for name in first_names()[origin]:
        for word in normalized(name).split():
            ways = ways_to_say(word, rules)
            assert 1 <= len(ways) <= MOST_WAYS, name
            assert CMU.issuperset(" ".join(ways).split()), name


def test_every_name_can_be_heard_by_the_english_recogniser(engine: PocketsphinxEngine) -> None:
    names = [*map(normalized, all_first_names())]
    assert prepare(engine, grammar("nominate <player>", player=names)) == frozenset()


def test_without_the_rules_most_foreign_names_stay_unknown() -> None:
    needs(has_package("pocketsphinx"), "pocketsphinx")
    untaught = PocketsphinxEngine(None, _missing)
    names = [*map(normalized, first_names()["turkish"])]
    assert len(prepare(untaught, grammar("help", "nominate <player>", player=names))) > len(names) / 2


def _missing() -> Espeak:
    raise AudioError("no-speech-engine", reason="ImportError")


@pytest.mark.parametrize("word", ["😀", "3", "r2d2", "a(2)", "<s>", "x y", ""])
def test_what_is_no_word_is_not_taught(engine: PocketsphinxEngine, word: str) -> None:
    with pytest.raises(ModelError, match="model-knows-no-sentence"):
        prepare(engine, SpeakableGrammar((word,)))


@pytest.mark.parametrize("word", ["q", "w", "wolfeschlegelsteinhausenbergerdorffwelch", "o'hannraghain", "jean-luc"])
def test_odd_words_are_taught(engine: PocketsphinxEngine, word: str) -> None:
    assert prepare(engine, grammar(f"nominate {word}")) == frozenset()


@pytest.mark.model
@pytest.mark.parametrize(
    ("spelled", "spoken"),
    [("özgür", "Ersger"), ("małgorzata", "Mowgozhata"), ("thorsten", "Torsten"), ("giulia", "Joolya")],
)
def test_a_taught_name_is_heard_among_others(engine: PocketsphinxEngine, spelled: str, spoken: str) -> None:
    prepare(engine, grammar("nominate <player>", player=["anna", "ben", spelled, "clara"]))
    assert engine.look(spoken_english(f"nominate {spoken}")).text == f"nominate {spelled}"


@pytest.mark.parametrize(
    ("name", "first"),
    [("Łukasz", "pl"), ("Ayşegül", "tr"), ("Phương", "vi"), ("Jürgen", "tr"), ("Giulia", "it"), ("فاطمة", "ar")],
)
def test_a_name_is_said_by_the_rules_of_the_language_that_it_looks_like(name: str, first: str) -> None:
    assert origins(name)[0] == first
    assert len(origins(name)) == 2


def test_a_german_umlaut_may_be_german_or_turkish() -> None:
    assert set(origins("Günther")) == {"de", "tr"}


def test_a_t_between_vowels_stays_a_t_and_no_sound_is_doubled(rules: Espeak) -> None:
    assert ways_to_say("fatima", rules)[0] == "F AE T IH M AH"
    assert cmu_phones("a_n_n_a") == "AA N AA"


def test_a_lonely_consonant_gets_a_vowel_and_silence_stays_silent() -> None:
    assert cmu_phones("s") == "S AH"
    assert cmu_phones("") == ""


def test_accents_can_be_taken_away() -> None:
    assert [plain(word) for word in ("Łukasz", "Đức", "Ayşegül", "Weiß", "y\u0131ld\u0131z")] == [
        "lukasz",
        "duc",
        "aysegul",
        "weiss",
        "yildiz",
    ]


def test_pronunciations_are_asked_for_in_a_process_of_their_own_and_remembered(phonemes: Phonemes) -> None:
    first = phonemes.of(["anna", "xaver"], "de")
    assert first is not None
    assert phones_of(first["xaver"])[:3] == ("k", "s", "\u0251")
    phonemes.close()
    assert phonemes.of(["xaver", "anna"], "de") == first
    assert phonemes.of(["anna"], "no-such-language") == {"anna": ""}


def test_letters_that_a_language_can_only_spell_out_are_no_pronunciation(rules: Espeak) -> None:
    assert rules.pronounced(("فاطمة", "nguyễn", "đặng"), "en")[0] == ""
    assert all(ipa.count("_") < 8 for ipa in rules.pronounced(("nguyễn", "đặng"), "en"))
