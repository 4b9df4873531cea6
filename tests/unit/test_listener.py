from __future__ import annotations

from dataclasses import replace
from math import inf

import pytest
from fakes_speech import ScriptedMicrophone, ScriptedRecognizer, ScriptedVoiceActivity, grammar

from gm_assistant.errors import AudioError, ModelError
from gm_assistant.speech.likelihood import LEAST_RATIO
from gm_assistant.speech.listener import FRAME_SECONDS, EndOfSpeech, Listener
from gm_assistant.speech.ports import Attention, HeardReason, Strictness

GAME = grammar("help", "go on", "we vote", "we vote now", "nominate <player>", player=["anna", "ben"])
SPOKEN = range(21, 41)
SETTINGS = EndOfSpeech()


def never() -> bool:
    return False


def frames(seconds: float) -> int:
    return -int(-seconds // FRAME_SECONDS)


def listening(
    final: str,
    guess: str | None = None,
    spoken: tuple[range, ...] = (SPOKEN,),
    length: int = 400,
    settings: EndOfSpeech = SETTINGS,
) -> tuple[Listener, ScriptedMicrophone, ScriptedRecognizer]:
    microphone = ScriptedMicrophone(length)
    recognizer = ScriptedRecognizer(dict.fromkeys(range(400), final if guess is None else guess), final)
    return (
        Listener(microphone, recognizer, ScriptedVoiceActivity(*spoken), settings),
        microphone,
        recognizer,
    )


def again(recognizer: ScriptedRecognizer) -> tuple[Listener, ScriptedMicrophone, ScriptedRecognizer]:
    microphone = ScriptedMicrophone(200)
    return Listener(microphone, recognizer, ScriptedVoiceActivity(SPOKEN), SETTINGS), microphone, recognizer


def test_a_complete_sentence_ends_after_the_short_quiet() -> None:
    listener, _, _ = listening("nominate anna")
    heard = listener.listen(GAME, never)
    assert (heard.text, heard.reason) == ("nominate anna", HeardReason.COMPLETE)
    assert heard.decided == pytest.approx((SPOKEN[-1] + frames(SETTINGS.complete_quiet)) * FRAME_SECONDS)


def test_a_sentence_that_can_go_on_waits_longer() -> None:
    listener, _, _ = listening("we vote")
    heard = listener.listen(GAME, never)
    assert heard.reason is HeardReason.COMPLETE
    assert heard.decided == pytest.approx((SPOKEN[-1] + frames(SETTINGS.can_go_on_quiet)) * FRAME_SECONDS)


def test_half_a_sentence_waits_longest_and_ends_by_quiet() -> None:
    listener, _, _ = listening("nominate")
    heard = listener.listen(GAME, never)
    assert (heard.text, heard.reason) == ("nominate", HeardReason.QUIET)
    assert heard.decided == pytest.approx((SPOKEN[-1] + frames(SETTINGS.incomplete_quiet)) * FRAME_SECONDS)


def test_a_hesitation_before_the_name_cuts_nothing() -> None:
    listener, _, recognizer = listening("nominate ben", spoken=(range(21, 31), range(46, 56)))
    recognizer.guesses = {number: "nominate" if number < 50 else "nominate ben" for number in range(400)}
    assert listener.listen(GAME, never).text == "nominate ben"


def test_the_times_of_speech_are_those_of_the_sound() -> None:
    listener, _, _ = listening("help")
    heard = listener.listen(GAME, never)
    assert heard.speech_began == pytest.approx((SPOKEN[0] - 1) * FRAME_SECONDS)
    assert heard.speech_ended == pytest.approx(SPOKEN[-1] * FRAME_SECONDS)


def test_the_recogniser_hears_what_came_just_before_the_speech_and_nothing_earlier() -> None:
    listener, _, recognizer = listening("help")
    listener.listen(GAME, never)
    first = recognizer.utterances[0][0]
    assert 5 <= SPOKEN[0] - first <= 9
    assert recognizer.utterances[0] == list(range(first, recognizer.utterances[0][-1] + 1))


def test_silence_never_reaches_the_recogniser() -> None:
    listener, _, recognizer = listening("help", spoken=())
    heard = listener.listen(GAME, never)
    assert (heard.text, heard.reason) == ("", HeardReason.NOTHING)
    assert heard.decided == pytest.approx(SETTINGS.patience)
    assert recognizer.utterances == [[]]


def test_a_knock_is_forgotten_and_the_waiting_goes_on() -> None:
    listener, _, recognizer = listening("help", spoken=(range(10, 14), range(60, 80)))
    heard = listener.listen(GAME, never)
    assert (heard.text, heard.reason) == ("help", HeardReason.COMPLETE)
    assert heard.speech_began == pytest.approx(59 * FRAME_SECONDS)
    assert len(recognizer.utterances) == 3


def test_a_sentence_right_after_a_knock_keeps_its_beginning() -> None:
    listener, _, recognizer = listening("help", spoken=(range(10, 14), range(24, 44)))
    recognizer.guesses = dict.fromkeys(range(400), "help")
    heard = listener.listen(GAME, never)
    assert heard.text == "help"
    assert recognizer.utterances[-2][0] <= 24 - 10


def test_a_knock_alone_is_nothing() -> None:
    listener, _, _ = listening("help", spoken=(range(10, 14),))
    heard = listener.listen(GAME, never)
    assert (heard.text, heard.reason) == ("", HeardReason.NOTHING)


def test_two_loud_frames_are_no_beginning() -> None:
    listener, _, recognizer = listening("help", spoken=(range(10, 12), range(20, 22)))
    assert listener.listen(GAME, never).reason is HeardReason.NOTHING
    assert recognizer.utterances == [[]]


def test_without_patience_bound_the_waiting_ends_with_the_input_only() -> None:
    listener, _, _ = listening("help", spoken=(), length=2000, settings=replace(SETTINGS, patience=None))
    heard = listener.listen(GAME, never)
    assert (heard.reason, heard.decided) == (HeardReason.END_OF_INPUT, pytest.approx(2000 * FRAME_SECONDS))


def test_endless_talk_is_cut() -> None:
    listener, _, _ = listening("nominate", spoken=(range(10, 400),))
    heard = listener.listen(GAME, never)
    assert heard.reason is HeardReason.TOO_LONG
    assert heard.decided - heard.speech_began < SETTINGS.longest + FRAME_SECONDS


def test_the_end_of_the_input_ends_a_sentence_in_work() -> None:
    listener, _, _ = listening("help", length=38)
    heard = listener.listen(GAME, never)
    assert (heard.text, heard.reason) == ("help", HeardReason.END_OF_INPUT)


def test_the_end_of_the_input_in_a_knock_gives_no_words() -> None:
    listener, _, _ = listening("help", spoken=(range(30, 34),), length=34)
    heard = listener.listen(GAME, never)
    assert (heard.text, heard.reason) == ("", HeardReason.END_OF_INPUT)


def test_a_guess_is_never_the_result() -> None:
    listener, _, _ = listening(final="nominate ben", guess="nominate anna")
    assert listener.listen(GAME, never).text == "nominate ben"


def test_a_final_text_that_is_no_sentence_is_returned_as_it_is() -> None:
    listener, _, _ = listening(final="anna nominate", guess="help")
    heard = listener.listen(GAME, never)
    assert (heard.text, heard.reason) == ("anna nominate", HeardReason.COMPLETE)


def test_an_interruption_ends_the_listening_within_one_frame() -> None:
    listener, microphone, recognizer = listening("help")
    heard = listener.listen(GAME, lambda: microphone.given == 30)
    assert (heard.text, heard.reason, microphone.given) == ("", HeardReason.INTERRUPTED, 30)
    assert len(recognizer.utterances) == 1


def test_what_was_interrupted_does_not_colour_the_next_utterance() -> None:
    listener, microphone, recognizer = listening("help")
    listener.listen(GAME, lambda: microphone.given == 30)
    microphone.given = 0
    listener.listen(GAME, never)
    assert len(recognizer.utterances) == 3
    assert recognizer.utterances[1][0] < SPOKEN[0]


def test_the_microphone_is_open_only_while_it_listens() -> None:
    listener, microphone, _ = listening("help")
    listener.listen(GAME, never)
    assert not microphone.is_open


def test_a_lost_microphone_is_shut_and_reported() -> None:
    listener, microphone, recognizer = listening("help")

    def lost() -> bytes | None:
        raise AudioError("microphone-lost", device="desk")

    microphone.read = lost  # type: ignore[method-assign]
    with pytest.raises(AudioError, match="microphone-lost"):
        listener.listen(GAME, never)
    assert not microphone.is_open
    assert recognizer.utterances == [[]]


def test_a_recogniser_that_fails_for_good_is_a_reason_not_an_exception() -> None:
    listener, microphone, recognizer = listening("help")
    recognizer.fails_at = 30
    heard = listener.listen(GAME, never)
    assert (heard.text, heard.reason) == ("", HeardReason.ENGINE_FAILED)
    assert not microphone.is_open


def test_other_errors_of_the_model_are_not_swallowed() -> None:
    listener, microphone, recognizer = listening("help")

    def refuse(*_: object) -> str:
        raise ModelError("model-unusable", path="x")

    recognizer.accept = refuse  # type: ignore[method-assign]
    with pytest.raises(ModelError, match="model-unusable"):
        listener.listen(GAME, never)
    assert not microphone.is_open


def test_many_turns_with_one_listener_start_clean() -> None:
    listener, microphone, recognizer = listening("help", settings=replace(SETTINGS, patience=None))
    for _ in range(3):
        microphone.given = 0
        assert listener.listen(GAME, never).text == "help"
    assert recognizer.utterances[0] == recognizer.utterances[1] == recognizer.utterances[2]
    assert recognizer.prepared == [GAME, GAME, GAME]


def test_more_grammars_than_are_kept_do_no_harm() -> None:
    listener, microphone, _ = listening("help")
    for number in range(40):
        microphone.given = 0
        assert listener.listen(grammar("help", f"help {'a' * (number + 1)}"), never).text == "help"


def test_an_interrupted_utterance_leaves_nothing_in_the_next_one() -> None:
    listener, microphone, recognizer = listening("help")
    listener.listen(GAME, lambda: microphone.given == 30)
    microphone.given = 0
    assert listener.listen(GAME, never).text == "help"
    assert recognizer.utterances[1][0] < SPOKEN[0]


def test_a_second_look_begins_early_in_the_quiet_and_decides() -> None:
    listener, microphone, recognizer = listening("nominate")
    recognizer.second = "nominate ben"
    heard = listener.listen(GAME, never)
    assert (heard.text, heard.reason) == ("nominate ben", HeardReason.COMPLETE)
    assert heard.decided == pytest.approx((SPOKEN[-1] + frames(SETTINGS.complete_quiet)) * FRAME_SECONDS)
    assert len(recognizer.second_looks) == 1
    given_at_the_look = SPOKEN[-1] + frames(SETTINGS.looking_quiet)
    assert recognizer.utterances[0][recognizer.second_looks[0] - 1] == given_at_the_look < microphone.given


def test_a_second_look_that_finds_no_sentence_either_lets_people_hesitate() -> None:
    listener, _, recognizer = listening("nominate")
    recognizer.second = "nominate now"
    heard = listener.listen(GAME, never)
    assert (heard.text, heard.reason) == ("nominate now", HeardReason.QUIET)
    assert heard.decided == pytest.approx((SPOKEN[-1] + frames(SETTINGS.incomplete_quiet)) * FRAME_SECONDS)


def test_a_second_look_is_void_when_speech_goes_on() -> None:
    listener, _, recognizer = listening("", spoken=(range(21, 31), range(43, 56)))
    recognizer.second = "nominate"
    listener.listen(GAME, never)
    assert len(recognizer.second_looks) == 2
    assert recognizer.second_looks[0] < recognizer.second_looks[1]


def test_babble_with_a_dip_every_moment_is_not_looked_at_every_moment() -> None:
    dips = tuple(range(start, start + 8) for start in range(21, 260, 11))
    listener, _, recognizer = listening("", spoken=dips)
    recognizer.second = "nominate"
    assert listener.listen(GAME, never).reason is HeardReason.TOO_LONG
    assert sum(recognizer.second_looks) < 6 * recognizer.second_looks[-1]


def test_a_quiet_that_lasts_is_looked_at_even_if_that_was_done_lately() -> None:
    listener, _, recognizer = listening("", spoken=(range(21, 31), range(35, 39)))
    recognizer.second = "nominate ben"
    heard = listener.listen(GAME, never)
    assert (heard.text, len(recognizer.second_looks)) == ("nominate ben", 2)
    quiet = heard.decided - 38 * FRAME_SECONDS
    assert SETTINGS.complete_quiet < quiet <= SETTINGS.can_go_on_quiet + FRAME_SECONDS


def test_a_second_look_counts_more_than_what_was_guessed_on_the_way() -> None:
    listener, _, recognizer = listening("nominate anna")
    recognizer.second = "nominate ben"
    assert listener.listen(GAME, never).text == "nominate ben"


@pytest.mark.parametrize("strictness", Strictness)
def test_speech_that_is_unlike_its_words_is_rejected_without_any_text(strictness: Strictness) -> None:
    listener, _, recognizer = listening("", length=200)
    recognizer.second = "nominate ben"
    for ratio, reason in (
        (LEAST_RATIO[strictness] - 0.1, HeardReason.REJECTED),
        (LEAST_RATIO[strictness], HeardReason.COMPLETE),
    ):
        recognizer.ratio = ratio
        listener, _, _ = again(recognizer)
        heard = listener.listen(GAME, never, Attention(strictness))
        assert (heard.reason, heard.ratio) == (reason, ratio)
        assert heard.text == ("" if reason is HeardReason.REJECTED else "nominate ben")
    assert set(recognizer.strictness) == {strictness}


def test_what_a_recogniser_without_second_look_rejects_is_rejected_too() -> None:
    listener, _, recognizer = listening("help")
    recognizer.ratio = -inf
    heard = listener.listen(GAME, never)
    assert (heard.text, heard.reason) == ("", HeardReason.REJECTED)


def test_rejected_words_wait_as_long_as_half_a_sentence() -> None:
    listener, _, recognizer = listening("")
    recognizer.second, recognizer.ratio = "nominate ben", -100.0
    heard = listener.listen(GAME, never)
    assert heard.decided == pytest.approx((SPOKEN[-1] + frames(SETTINGS.incomplete_quiet)) * FRAME_SECONDS)


def test_a_key_that_is_let_go_ends_the_utterance_at_once() -> None:
    listener, microphone, _ = listening("nominate anna")
    heard = listener.listen(GAME, never, Attention(released=lambda: microphone.given == 35))
    assert (heard.text, heard.reason) == ("nominate anna", HeardReason.RELEASED)
    assert heard.decided == pytest.approx(35 * FRAME_SECONDS)


def test_people_take_a_breath_behind_the_wake_phrase() -> None:
    wake = GAME.behind(("game master",))
    listener, _, _ = listening("game master")
    heard = listener.listen(wake, never)
    assert (heard.text, heard.reason) == ("game master", HeardReason.COMPLETE)
    assert heard.decided == pytest.approx(SPOKEN[-1] * FRAME_SECONDS + SETTINGS.wake_quiet, abs=FRAME_SECONDS)


def test_the_microphone_is_told_since_when_sound_counts() -> None:
    listener, microphone, _ = listening("help")
    listener.listen(GAME, never, Attention(since=12.5))
    assert microphone.since == 12.5
