"""Sound that is made before anybody waits for it: what is wanted comes first, what is only likely afterwards."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import CancelledError
from dataclasses import dataclass, field
from threading import Event, get_ident

import pytest

from gm_assistant.errors import AudioError
from gm_assistant.speech.ahead import GUESSES, LONGEST_GUESS, AheadSynthesizer, awaited
from gm_assistant.speech.ports import Audio, Voice
from gm_assistant.speech.pyttsx3_synthesizer import CachedSynthesizer

ENGLISH, FASTER = Voice("en"), Voice("en", rate=220)
PATIENCE = 10.0


@dataclass
class Slow:
    """A voice that begins when it is told so, and notes what it was asked for on which thread."""

    made: list[str] = field(default_factory=list)
    threads: set[int] = field(default_factory=set)
    begun: Event = field(default_factory=Event)
    may_go_on: Event = field(default_factory=Event)
    closed: bool = False

    def synthesize(self, text: str, voice: Voice) -> Audio:
        self.begun.set()
        assert self.may_go_on.wait(PATIENCE)
        self.threads.add(get_ident())
        self.made.append(text)
        if text == "fail":
            raise AudioError("voice-failed", language=voice.language)
        return Audio(text.encode() * 2, 1_000)

    def close(self) -> None:
        self.closed = True


@pytest.fixture
def voice() -> Slow:
    return Slow()


@pytest.fixture
def ahead(voice: Slow) -> Iterator[AheadSynthesizer]:
    made = AheadSynthesizer(CachedSynthesizer(voice))
    yield made
    voice.may_go_on.set()
    made.close()


def test_sentences_are_made_in_the_order_in_which_they_are_wanted(voice: Slow, ahead: AheadSynthesizer) -> None:
    promises = [ahead.later(text, ENGLISH) for text in "abc"]
    voice.may_go_on.set()
    assert [promise.result(PATIENCE).pcm for promise in promises] == [b"aa", b"bb", b"cc"]
    assert voice.made == ["a", "b", "c"]


def test_one_thread_makes_everything_for_the_engine_is_used_by_one_at_a_time(
    voice: Slow, ahead: AheadSynthesizer
) -> None:
    voice.may_go_on.set()
    ahead.guess(["a"], ENGLISH)
    ahead.synthesize("b", ENGLISH)
    ahead.later("c", ENGLISH).result(PATIENCE)
    assert len(voice.threads) == 1
    assert get_ident() not in voice.threads


def test_what_is_wanted_goes_before_everything_that_is_only_likely(voice: Slow, ahead: AheadSynthesizer) -> None:
    ahead.guess(["likely 1", "likely 2", "likely 3"], ENGLISH)
    assert voice.begun.wait(PATIENCE)
    wanted = ahead.later("wanted", ENGLISH)
    voice.may_go_on.set()
    wanted.result(PATIENCE)
    assert voice.made[:2] == ["likely 1", "wanted"]


def test_what_was_guessed_is_not_made_again(voice: Slow, ahead: AheadSynthesizer) -> None:
    voice.may_go_on.set()
    ahead.guess(["a", "b"], ENGLISH)
    ahead.synthesize("b", ENGLISH)
    ahead.synthesize("a", ENGLISH)
    assert sorted(voice.made) == ["a", "b"]
    assert ahead.later("a", ENGLISH).done()


@pytest.mark.parametrize("later", [["c"], []])
def test_new_guesses_replace_the_old_ones(voice: Slow, ahead: AheadSynthesizer, later: list[str]) -> None:
    """After "slower" the old ones would be spoken as nobody wants them any more."""
    ahead.guess(["a", "b"], ENGLISH)
    assert voice.begun.wait(PATIENCE)
    ahead.guess(later, FASTER)
    voice.may_go_on.set()
    end = ahead.synthesize("end", FASTER)
    ahead.guess([], ENGLISH)
    assert end.pcm == b"endend"
    assert "b" not in voice.made


def test_guesses_are_bounded_in_number_and_length(voice: Slow, ahead: AheadSynthesizer) -> None:
    voice.may_go_on.set()
    ahead.guess(["x" * (LONGEST_GUESS + 1), *(f"{number}" for number in range(10 * GUESSES))], ENGLISH)
    while not ahead.later(f"{GUESSES - 1}", ENGLISH).done():
        pass
    ahead.synthesize("end", ENGLISH)
    assert sorted(voice.made) == sorted([*(f"{number}" for number in range(GUESSES)), "end"])


def test_a_guess_that_fails_is_nobodys_concern_until_it_is_wanted(voice: Slow, ahead: AheadSynthesizer) -> None:
    voice.may_go_on.set()
    ahead.guess(["fail", "a"], ENGLISH)
    assert ahead.synthesize("a", ENGLISH).pcm == b"aa"
    with pytest.raises(AudioError):
        ahead.synthesize("fail", ENGLISH)


def test_a_sentence_that_is_no_longer_wanted_is_not_made(voice: Slow, ahead: AheadSynthesizer) -> None:
    first, second, third = (ahead.later(text, ENGLISH) for text in "abc")
    assert voice.begun.wait(PATIENCE)
    assert second.cancel()
    voice.may_go_on.set()
    third.result(PATIENCE)
    assert first.done()
    assert voice.made == ["a", "c"]


def test_whoever_waits_can_be_stopped_by_a_key(voice: Slow, ahead: AheadSynthesizer) -> None:
    promise = ahead.later("a", ENGLISH)
    keys = iter([False, False, True])
    assert awaited(promise, lambda: next(keys)) is None
    voice.may_go_on.set()
    sound = awaited(promise, lambda: False)
    assert sound is not None
    assert sound.pcm == b"aa"


def test_when_everything_ends_nothing_is_made_any_more(voice: Slow) -> None:
    ahead = AheadSynthesizer(CachedSynthesizer(voice))
    ahead.guess(["a", "b"], ENGLISH)
    assert voice.begun.wait(PATIENCE)
    voice.may_go_on.set()
    ahead.close()
    assert voice.closed
    assert "b" not in voice.made
    with pytest.raises(CancelledError):
        ahead.later("c", ENGLISH).result(PATIENCE)


def test_what_was_never_used_is_closed_too(voice: Slow) -> None:
    AheadSynthesizer(CachedSynthesizer(voice)).close()
    assert voice.closed
