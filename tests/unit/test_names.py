"""How names are said and heard: notes that hold for the next evening."""

from __future__ import annotations

from pathlib import Path

import pytest

from gm_assistant.dialogue.grammar import Grammar
from gm_assistant.dialogue.hearing import Hearing, Unheard
from gm_assistant.dialogue.intents import Intent
from gm_assistant.errors import RuleViolation
from gm_assistant.library import load_library
from gm_assistant.names import Names, Note, remember
from gm_assistant.pronouncing import Pronouncing
from gm_assistant.settings import NameSettings, SettingsError, load_settings
from gm_assistant.speech.ports import Audio, Voice
from gm_assistant.speech.respelling import RespellingSynthesizer
from gm_assistant.speech.whispers import WhisperMaker
from gm_assistant.utterances import EqualWhisper, Secret

PLAYERS = ("Anna", "Xaver", "Siobhan", "Anna Maria", "R2D2")
PACK = load_library().pack("en", None)
GRAMMAR = Grammar(PACK, PLAYERS, frozenset({"pronounce", "nominate"}))


def test_a_respelling_is_for_whole_names_only() -> None:
    names = Names({"Ben": Note("Behn"), "Anna": Note("Ahna"), "Anna Maria": Note("Annamaria"), "A.B": Note("Abe")})
    assert names.respelled("Ben, Benno and Ben's friends: Anna, Anna Maria.") == (
        "Behn, Benno and Behn's friends: Ahna, Annamaria."
    )
    assert names.respelled("A.B or AxB, ben") == "Abe or AxB, ben"
    assert Names().respelled("Ben") == "Ben"


def test_a_respelling_like_the_name_is_none() -> None:
    names = Names()
    names.pronounce("Ben", "Behn")
    assert names.respellings == {("Ben", "Behn")}
    names.pronounce("Ben", "Ben")
    assert names.respellings == frozenset()
    assert names.respelled("Ben") == "Ben"


def test_players_can_be_called_by_what_was_chosen_and_by_digits_in_words() -> None:
    names = Names({"Xaver": Note(heard="saver"), "Siobhan": Note("Shivawn"), "Anna": Note(heard="")})
    assert names.wordings(PLAYERS, "en") == {"saver": 2, "shivawn": 3, "r two d two": 5}


def test_another_wording_never_takes_the_name_of_another_player() -> None:
    grammar = Grammar(PACK, ("Anna", "Ben"), frozenset({"nominate"}), also={"ben": 1, "benno": 2})
    assert grammar.parse("nominate ben") == Intent("nominate", {"player": 2})
    assert grammar.parse("nominate benno") == Intent("nominate", {"player": 2})
    assert {"benno", "ben"} <= grammar.speakable.words()


def test_without_a_recogniser_nothing_is_said_about_names() -> None:
    assert Names().hearing(PLAYERS, "en") == Hearing()


def test_the_recogniser_is_asked_once_and_about_a_name_that_was_decided_nothing_more_is_said() -> None:
    asked: list[tuple[str, ...]] = []

    def hears(players: tuple[str, ...], _: str) -> Hearing:
        asked.append(players)
        return Hearing((Unheard("Xaver", ("saver",)), Unheard("Siobhan")), frozenset({frozenset({"Anna", "Xaver"})}))

    names = Names()
    names.hears = hears
    assert [one.name for one in names.hearing(PLAYERS, "en").unheard] == ["Xaver", "Siobhan"]
    names.listen_for("Xaver", "")
    assert [one.name for one in names.hearing(PLAYERS, "en").unheard] == ["Siobhan"]
    assert names.hearing(PLAYERS, "en").alike == {frozenset({"Anna", "Xaver"})}
    assert asked == [PLAYERS]


def test_what_was_chosen_holds_the_next_evening(tmp_path: Path) -> None:
    file = tmp_path / "settings.yaml"
    file.write_text("pace: 5  # slowly\nnames: {Emil: {said: Eemil}}\n", "utf-8")
    names = Names()
    remember(names, load_settings(file), file)
    assert names.respelled("Emil") == "Eemil"
    names.pronounce("Siobhan", "Shivawn")
    names.listen_for("Xaver", "")
    names.listen_for("Ayşe", 'eye, "she" \']}')
    assert load_settings(file).names == {
        "Emil": NameSettings("Eemil"),
        "Siobhan": NameSettings("Shivawn"),
        "Xaver": NameSettings(heard=""),
        "Ayşe": NameSettings(heard='eye, "she" \']}'),
    }
    assert file.read_text("utf-8").startswith("pace: 5  # slowly\nnames: ")
    names.pronounce("Emil", "")
    assert "Emil" not in load_settings(file).names


def test_settings_that_cannot_be_written_are_told_and_the_change_holds_for_this_evening(tmp_path: Path) -> None:
    file = tmp_path / "no-folder"
    file.write_text("", "utf-8")
    names = Names()
    remember(names, load_settings(tmp_path / "missing"), file / "settings.yaml")
    with pytest.raises(SettingsError) as refused:
        names.pronounce("Ben", "Behn")
    assert refused.value.facts["setting"] == "names"
    assert names.respelled("Ben") == "Behn"


def pronouncing() -> tuple[Names, Pronouncing]:
    names = Names()
    return names, Pronouncing(names)


@pytest.mark.parametrize(
    ("line", "name", "said"),
    [
        ("pr 3 Shivawn", "Siobhan", "Shivawn"),
        ("pr siobhan Shi Vawn", "Siobhan", "Shi Vawn"),
        ("pronounce Anna Maria Annamaria", "Anna Maria", "Annamaria"),
        ("pr 5 r 2", "R2D2", "r 2"),
    ],
)
def test_a_respelling_can_follow_at_once(line: str, name: str, said: str) -> None:
    names, dialogue = pronouncing()
    assert dialogue.heard(line, GRAMMAR, typed=True) is not None
    assert names.respellings == {(name, said)}


@pytest.mark.parametrize("line", ["nominate 3", "pronounce anna maria", "pr 9 Zed", "hello", "", "pr"])
def test_other_lines_are_no_respelling(line: str) -> None:
    names, dialogue = pronouncing()
    assert dialogue.heard(line, GRAMMAR, typed=True) is None
    assert names.respellings == frozenset()


def test_after_the_question_the_next_line_is_the_respelling() -> None:
    _, dialogue = pronouncing()
    (asked,) = dialogue.asked(Intent("pronounce", {"player": 3}), PLAYERS)
    assert (asked.key, asked.facts) == ("ask-spelling", {"name": "Siobhan"})
    assert dialogue.waits
    (told,) = dialogue.heard("Shivawn", GRAMMAR, typed=True) or ()
    assert (told.key, told.facts) == ("name-is", {"number": 3, "name": "Shivawn"})
    assert not dialogue.waits


def test_enter_alone_takes_the_respelling_back() -> None:
    names, dialogue = pronouncing()
    names.pronounce("Siobhan", "Shivawn")
    dialogue.asked(Intent("pronounce", {"player": 3}), PLAYERS)
    (told,) = dialogue.heard("", GRAMMAR, typed=True) or ()
    assert told.facts["name"] == "Siobhan"
    assert names.respellings == frozenset()


def test_a_sentence_instead_of_a_respelling_is_that_sentence() -> None:
    _, dialogue = pronouncing()
    dialogue.asked(Intent("pronounce", {"player": 3}), PLAYERS)
    assert dialogue.heard("nominate 2", GRAMMAR, typed=True) is None
    assert not dialogue.waits


@pytest.mark.parametrize(
    ("text", "key"), [("x" * 41, "long-name"), ("😀", "unspeakable-name"), ("!!", "unspeakable-name")]
)
def test_what_cannot_be_said_is_refused(text: str, key: str) -> None:
    names, dialogue = pronouncing()
    dialogue.asked(Intent("pronounce", {"player": 3}), PLAYERS)
    with pytest.raises(RuleViolation, match=key):
        dialogue.heard(text, GRAMMAR, typed=True)
    assert names.respellings == frozenset()


class Recording:
    """Remembers what it was asked to say; a letter is a sample."""

    def __init__(self) -> None:
        self.texts: list[str] = []

    def synthesize(self, text: str, voice: Voice) -> Audio:
        self.texts.append(text)
        return Audio(b"\1\2" * len(text) * 100, 16_000)

    def later(self, text: str, voice: Voice) -> object:
        return self.synthesize(text, voice)

    def guess(self, texts: object, voice: Voice) -> None:
        self.texts += texts

    def close(self) -> None: ...


def test_every_channel_says_the_respelling() -> None:
    recording = Recording()
    names = Names({"Siobhan": Note("Shivawn")})
    spoken = RespellingSynthesizer(recording, names.respelled)
    spoken.synthesize("Siobhan.", Voice("en"))
    spoken.later("To Siobhan.", Voice("en"))
    spoken.guess(["Not Siobhan."], Voice("en"))
    assert recording.texts == ["Shivawn.", "To Shivawn.", "Not Shivawn."]


def test_whispers_are_made_anew_after_a_respelling_and_stay_equally_long() -> None:
    recording, names = Recording(), Names()
    maker = WhisperMaker(RespellingSynthesizer(recording, names.respelled), lambda: names.respellings)
    first, second = (Secret("You are with Siobhan."),), (Secret("You are all alone tonight."),)
    whispers = [EqualWhisper((first, second), chosen) for chosen in (0, 1)]
    before = [maker.sound(whisper, Voice("en")).audio.samples for whisper in whispers]
    assert not any("Shivawn" in text for text in recording.texts)
    names.pronounce("Siobhan", "Shivawn")
    after = [maker.sound(whisper, Voice("en")).audio.samples for whisper in whispers]
    assert "You are with Shivawn." in recording.texts
    assert len({*before}) == len({*after}) == 1
