"""What is said when nothing was understood; sleep; and what may be said next, made ahead."""

from __future__ import annotations

from pathlib import Path

import pytest
from fakes import PLAN, Evening, FakeSpeaker, FakeSynthesizer, library, phrase
from random_play import next_command
from table import EDITIONS
from told import typed

from gm_assistant.channels import Channel
from gm_assistant.dialogue.grammar import Grammar
from gm_assistant.dialogue.intents import IN_PLAY
from gm_assistant.dialogue.likely import likely_sentences
from gm_assistant.dialogue.samples import plain_sentence, typed_code
from gm_assistant.dialogue.set_up import Plan
from gm_assistant.mouth import Mouth
from gm_assistant.rules.model import GameOver
from gm_assistant.speech import earcons
from gm_assistant.utterances import Outcome, Reply, TableUtterance, Tone


@pytest.fixture
def evening(tmp_path: Path) -> Evening:
    return Evening(tmp_path, PLAN)


def words(reply: Reply) -> list[str]:
    return [one.text if isinstance(one, TableUtterance) else "(tone)" for one in reply]


def missed(evening: Evening, times: int) -> list[str]:
    return [word for _ in range(times) for word in words(evening.session.misheard())]


def test_who_is_not_understood_hears_a_question_then_sentences_then_a_key_then_a_tone(evening: Evening) -> None:
    assert missed(evening, 5) == [
        "Pardon?",
        "Say for example: nominate Ben, who may be chancellor, or nominate Clara.",
        "Type n 2, then Enter.",
        "(tone)",
        "(tone)",
    ]


def test_words_that_fit_nothing_count_like_rejected_ones(evening: Evening) -> None:
    assert [words(evening.session.hear("bla", typed=False)) for _ in range(4)][3] == ["(tone)"]
    assert evening.session.misheard() == (Tone(),)


def test_as_soon_as_something_is_understood_it_begins_anew(evening: Evening) -> None:
    missed(evening, 3)
    evening.say("who is president", typed=False)
    assert missed(evening, 1) == [phrase("pardon")]


def test_a_typed_line_always_gets_words(evening: Evening) -> None:
    missed(evening, 4)
    assert evening.say("bla") == phrase("pardon")


def test_in_the_set_up_help_and_the_keyboard_are_offered(tmp_path: Path) -> None:
    evening = Evening(tmp_path, Plan("en", "secret_dictator"))
    said = missed(evening, 4)
    assert said[1].startswith(phrase("examples-set-up"))
    assert said[2].startswith(phrase("type-it"))
    assert said[3] == "(tone)"


def test_nothing_that_was_not_understood_changes_the_game(evening: Evening) -> None:
    journal = evening.journal
    missed(evening, 6)
    assert evening.journal == journal


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("edition", sorted(EDITIONS))
def test_what_is_recommended_is_understood_and_possible_in_every_situation(
    tmp_path: Path, language: str, edition: str
) -> None:
    names = ("Anna", "Ben", "Clara", "David", "Emma", "Felix", "Greta")
    pack = library().pack(language, edition)
    grammar = Grammar(pack, names, IN_PLAY)
    for seed in range(3):
        evening = Evening(tmp_path / str(seed), Plan(language, edition, 7, names, 1))
        for step in range(400):
            session = evening.session
            assert session.view is not None
            assert session.history is not None
            for intent in likely_sentences(session.view):
                assert grammar.parse(plain_sentence(pack, names, intent)) == intent
                assert grammar.parse(typed_code(pack, intent), typed=True) == intent
            assert 1 <= len(likely_sentences(session.view)) <= 3
            first = likely_sentences(session.view)[0]
            assert session.grammar.parse(plain_sentence(pack, names, first)) == first, "it can be spoken now"
            if isinstance(session.view.phase, GameOver):
                break
            evening.say(
                typed(
                    next_command(session.history.state, [seed * 7 + n for n in range(60)], step),
                    session.history.state,
                    language,
                )
            )


# --- sleep


def test_asleep_only_the_words_to_wake_up_count(evening: Evening) -> None:
    assert evening.say("go to sleep", typed=False) == phrase("asleep")
    assert evening.session.asleep
    assert evening.session.hear("nominate ben", typed=False) == ()
    assert evening.session.misheard() == ()
    assert evening.session.grammar.spoken == {"wake_up"}
    assert evening.say("wake up", typed=False) == phrase("awake")
    assert evening.say("nominate ben", typed=False).startswith(phrase("nominated", player="Ben"))


def test_asleep_typed_lines_count_as_ever(evening: Evening) -> None:
    evening.say("go to sleep")
    assert evening.say("n ben").startswith(phrase("nominated", player="Ben"))
    assert evening.session.asleep
    evening.say("wu")
    assert not evening.session.asleep
    assert evening.say("wu") == phrase("was-awake")


# --- what may come next


def test_the_answers_that_are_made_ahead_are_those_that_come(evening: Evening) -> None:
    for line in ("nominate clara", "vote failed", "who may be chancellor"):
        guesses = evening.session.guesses()
        reply = evening.session.hear(line, typed=True)
        assert isinstance(reply[0], TableUtterance)
        assert reply[0].sentences[0] in guesses


def test_a_read_back_and_what_follows_it_are_made_ahead(tmp_path: Path) -> None:
    evening = Evening(tmp_path, PLAN)
    evening.confirms = False
    for name in ("ben", "clara", "dora", "emil"):
        evening.say(f"nominate {name}", "vote passed", "liberal law")
    evening.say("nominate anna", "vote passed")
    guesses = evening.session.guesses()
    assert evening.say("liberal law") in guesses
    assert phrase("not-done") in evening.session.guesses()


def test_guessing_changes_nothing(evening: Evening) -> None:
    evening.say("nominate ben")
    journal, history = evening.journal, evening.session.history
    guesses = evening.session.guesses()
    assert 3 <= len(guesses) <= 12
    assert len(set(guesses)) == len(guesses)
    assert (evening.journal, evening.session.history) == (journal, history)


def test_before_a_game_nothing_is_guessed(tmp_path: Path) -> None:
    assert Evening(tmp_path, Plan("en", "secret_dictator")).session.guesses() == ()


def test_a_tone_sounds_and_nothing_is_printed(evening: Evening) -> None:
    printed: list[str] = []
    speaker = FakeSpeaker()
    mouth = Mouth(evening.session, printed.append, lambda: False, FakeSynthesizer(), speaker, platform="linux")
    assert mouth.say((Tone(),)) == Outcome(1)
    assert printed == []
    assert speaker.played == [(Channel.TABLE, earcons.not_heard())]
