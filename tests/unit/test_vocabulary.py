"""The words of a model are read from its files, and those that sound like a name are found."""

from __future__ import annotations

import struct
from functools import cache
from pathlib import Path

import pytest
from spoken import has_package, korean_model, needs

from gm_assistant.dialogue.alike import alike
from gm_assistant.dialogue.hearing import Hearing
from gm_assistant.errors import ModelError
from gm_assistant.phones import APART, NEAR, distance, phones_of
from gm_assistant.speech.phonemes import Espeak
from gm_assistant.speech.vocabulary import (
    LONGEST_SYMBOL,
    MOST_OFFERED,
    MOST_WORDS,
    knows,
    model_words,
    sounding_like,
    written_like,
)

FST, SYMBOLS = 2125659606, 2125658996
WORDS = ("<eps>", "anna", "Xaverl", "ŝi", "#0")


def text(content: str) -> bytes:
    coded = content.encode()
    return struct.pack("<i", len(coded)) + coded


def table(words: tuple[str, ...] = WORDS, count: int | None = None) -> bytes:
    symbols = b"".join(text(word) + struct.pack("<q", number) for number, word in enumerate(words))
    return struct.pack("<i", SYMBOLS) + text("words") + struct.pack("<qq", 9, count or len(words)) + symbols


def header(flags: int = 3) -> bytes:
    return struct.pack("<i", FST) + text("vector") + text("standard") + struct.pack("<iiQqqq", 2, flags, 7, 0, 1, 1)


def model(folder: Path, content: bytes) -> Path:
    (folder / "graph").mkdir(exist_ok=True)
    (folder / "graph" / "Gr.fst").write_bytes(content)
    return folder


def test_the_words_stand_in_the_symbol_table(tmp_path: Path) -> None:
    assert model_words(model(tmp_path, header(1) + table())) == {"anna", "Xaverl", "ŝi"}


def test_the_table_of_what_comes_out_counts(tmp_path: Path) -> None:
    assert model_words(model(tmp_path, header() + table(("ah", "eh")) + table())) == {"anna", "Xaverl", "ŝi"}


def test_a_list_of_words_as_text_counts_before_everything(tmp_path: Path) -> None:
    model(tmp_path, header(1) + table())
    (tmp_path / "graph" / "words.txt").write_text("<eps> 0\nben 1\n\nhanna 2\n", "utf-8")
    assert model_words(tmp_path) == {"ben", "hanna"}


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"no such file at all",
        header(0),
        header(1),
        header(1)[:-1],
        header(1) + struct.pack("<i", 1),
        header(1) + table(count=MOST_WORDS + 1),
        header(1) + table(count=-1),
        header(1) + table(count=6),
        (header(1) + table())[:-3],
        header(1) + table((*WORDS, "x" * (LONGEST_SYMBOL + 1))),
        header(1) + table().replace(struct.pack("<i", 4) + b"anna", struct.pack("<i", -4) + b"anna"),
        header(1) + table().replace(b"anna", b"\xff\xfe\xfd\xfc"),
        struct.pack("<i", FST) + struct.pack("<i", 2**31 - 1),
    ],
)
def test_a_file_that_lies_is_refused(tmp_path: Path, content: bytes) -> None:
    with pytest.raises(ModelError, match="model-unusable"):
        model_words(model(tmp_path, content))


def test_a_folder_without_a_model_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="model-unusable"):
        model_words(tmp_path)


@pytest.mark.model
def test_the_list_says_the_same_as_the_engine() -> None:
    needs(has_package("vosk"), "vosk")
    import vosk  # noqa: PLC0415 - loads the native library

    vosk.SetLogLevel(-1)
    engine = vosk.Model(model_path=korean_model())
    words = korean_words()
    assert len(words) > 400_000
    probes = [*sorted(words)[:: len(words) // 300], "바나나로켓", "xaver", "Ayşegül", "#0", "크산티페", ""]
    for word in probes:
        assert (engine.vosk_model_find_word(word) >= 0) == (word in words or word == "#0"), word


@pytest.mark.model
@pytest.mark.parametrize("name", ["뷁산드라", "지크프리트라", "욜란타나"])
def test_the_korean_model_has_words_that_sound_like_a_name_that_it_lacks(name: str) -> None:
    needs(has_package("espeakng_loader"), "espeakng_loader")
    words = korean_words()
    assert not knows(words, name)
    candidates = written_like(name, words)
    ipa = Espeak().pronounced((name, *candidates), "ko")
    sounds = {word: phones_of(said) for word, said in zip(candidates, ipa[1:], strict=True)}
    offered = sounding_like([phones_of(ipa[0])], sounds)
    assert 1 <= len(offered) <= MOST_OFFERED
    assert all(knows(words, word) for word in offered)


@cache
def korean_words() -> frozenset[str]:
    return model_words(Path(korean_model()))


def test_a_word_is_known_in_each_spelling_that_the_recogniser_tries() -> None:
    words = frozenset({"Anna", "BEN", "clara"})
    assert [knows(words, word) for word in ("anna", "ben", "clara", "dora")] == [True, True, True, False]


def test_the_words_with_the_nearest_spelling_come_first_whatever_their_accents() -> None:
    assert written_like("björn", ["zebra", "bjorn", "an", "r2d2", "björns", "bjo-rn"])[:2] == ("bjorn", "björns")


SOUNDS = {
    word: phones_of(ipa)
    for word, ipa in {
        "saver": "s_eɪ_v_ɚ",
        "savor": "s_eɪ_v_ɚ",
        "xaviera": "z_eɪ_v_i_ɛ_r_ə",
        "favor": "f_eɪ_v_ɚ",
        "table": "t_eɪ_b_ə_l",
        "silent": "",
    }.items()
}
XAVER = phones_of("z_ˈeɪ_v_ɚ")


def test_words_that_sound_like_a_name_are_offered_the_nearest_first() -> None:
    assert sounding_like([XAVER], SOUNDS)[0] in ("saver", "savor")
    assert len(sounding_like([XAVER], SOUNDS, [])) <= MOST_OFFERED
    assert not {"table", "silent"} & {*sounding_like([XAVER], SOUNDS, [])}


def test_of_two_words_that_would_be_mixed_up_only_one_is_offered() -> None:
    assert len({"saver", "savor"} & {*sounding_like([XAVER], SOUNDS, [])}) == 1


def test_no_word_is_offered_that_is_near_a_command_or_another_player() -> None:
    assert not {"saver", "savor", "favor"} & {*sounding_like([XAVER], SOUNDS, [phones_of("s_eɪ_v_ə")])}
    assert not {"saver", "savor"} & {*sounding_like([XAVER], SOUNDS, [], [phones_of("s_eɪ_v_ə")])}
    assert "xaviera" in sounding_like([XAVER], SOUNDS, [], [phones_of("s_eɪ_v_ə")])


def sound(ipa: str) -> list[tuple[str, ...]]:
    return [phones_of(ipa)]


def test_names_that_differ_in_one_soft_sound_are_alike() -> None:
    sounds = {"Anna": sound("ˈæ_n_ə"), "Hanna": sound("h_ˈæ_n_ə"), "Ben": sound("b_ˈɛ_n"), "Silent": []}
    assert alike(sounds) == {frozenset({"Anna", "Hanna"})}
    assert alike({}) == frozenset()


def test_the_distance_of_sounds_grows_with_what_tells_them_apart() -> None:
    anna, hanna, nina, ludwig = (phones_of(ipa) for ipa in ("æ_n_ə", "h_æ_n_ə", "n_iː_n_ə", "l_uː_t_v_ɪ_ç"))
    assert distance(anna, anna) == 0
    assert 0 < distance(anna, hanna) <= NEAR < APART < distance(anna, ludwig)
    assert distance(anna, hanna) == distance(hanna, anna) < distance(anna, nina)
    assert distance((), anna) == 1
    assert distance((), ()) == 0


def test_stress_length_and_marks_of_another_language_are_no_sounds() -> None:
    assert phones_of("(pl)_w_ˈuː_k_a_ʃ_(de)") == ("w", "u", "k", "a", "\u0283")
    assert phones_of("ç_t̪_dˤ") == ("ç", "t", "d")


def test_the_rivals_of_a_name_are_all_those_it_is_mixed_up_with() -> None:
    hearing = Hearing(alike=frozenset({frozenset({"Anna", "Hanna"}), frozenset({"Anna", "Anne"})}))
    assert hearing.rivals("Anna") == {"Hanna", "Anne"}
    assert hearing.rivals("Hanna") == {"Anna"}
    assert hearing.rivals("Ben") == frozenset()
