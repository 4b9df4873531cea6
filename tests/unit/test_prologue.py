"""The prologue: what is read, in which order and how long; and that nobody is left with closed eyes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from fakes import FakeKeyboard, FakeSpeaker, FakeSynthesizer, ListedEars, no_fallback
from hypothesis import given, settings
from hypothesis import strategies as st
from private_table import ENTER, PROVEN, PrivateTable, table_words
from table import Table, every_count, every_edition

from gm_assistant.dialogue.intents import Intent
from gm_assistant.dialogue.prologue import prologue
from gm_assistant.dialogue.steps import Say, Steps
from gm_assistant.ears import Words
from gm_assistant.errors import AudioError
from gm_assistant.mouth import Mouth
from gm_assistant.rules.model import Role
from gm_assistant.rules.views import TableView, table_view
from gm_assistant.scenes.prologue_reading import PrologueReading
from gm_assistant.scenes.scene import Scene
from gm_assistant.speech import earcons
from gm_assistant.speech.ports import Audio
from gm_assistant.talking import perform, talk
from gm_assistant.utterances import Noise, Outcome, Rest, TableUtterance, Utterance

TOGETHER = ("heads-down", "noise", "team-looks", "down", "up")
"""The dictator looks up, too."""
BY_THUMB = ("heads-down", "noise", "fascists-look", "thumb", "thumb-down", "down", "up")
HEADS_UP = ("team-looks", "fascists-look", "thumb", "thumb-down")
LONG, THUMB_GAME = "secret_dictator", 7
READY, GO_ON, REPEAT, AGAIN, STOP, SKIP = map(Intent, ("ready", "go_on", "repeat", "start_again", "stop", "skip"))
YES, NO = Intent("answer_yes"), Intent("answer_no")


def view_of(edition: str = LONG, players: int = THUMB_GAME) -> TableView:
    return table_view(Table(players, edition=edition).state)


def name(key: str) -> str:
    return key.removeprefix("prologue-")


def lines(steps: Steps) -> list[str]:
    """Return the lines of the prologue among these steps."""
    return [name(said.key) for step in steps if isinstance(step, Say) for said in step.messages]


@dataclass
class Room:
    """People who do what they hear, each as early as can be and as late as can be."""

    eyes_closed: bool = False
    heads_up: bool = False
    noise: bool = False
    betrayed: list[str] = field(default_factory=list)
    """What was said when it gave somebody away."""

    def hear(self, step: object, *, whole: bool = True) -> None:
        """Take a step; of one that is not `whole` only the beginning was heard."""
        match step:
            case Noise(on):
                self.noise = on
            case Say(messages):
                for said in messages:
                    self._obey(name(said.key), whole)
        if self.heads_up and not self.noise:
            self.betrayed.append(str(step))

    def _obey(self, line: str, whole: bool) -> None:
        if line == "heads-down":
            self.eyes_closed = True
        if line in HEADS_UP:
            self.heads_up = True
        if line in ("heads-down", "down") and whole:
            self.heads_up = False
        if line == "up":
            self.betrayed += [line] * self.heads_up
            self.eyes_closed = not whole

    @property
    def free(self) -> bool:
        """Whether everybody sits with open eyes in silence."""
        return not (self.eyes_closed or self.heads_up or self.noise)


class Reading:
    """A prologue that is being read to a room."""

    def __init__(self, edition: str = LONG, players: int = THUMB_GAME) -> None:
        self.room = Room()
        self.scene: Scene | None = PrologueReading(view_of(edition, players), 4)
        self.done = 0
        """How many steps of the last turn were performed."""

    def hear(self, intent: Intent, stopped_at: int | None = None) -> list[str]:
        """Return the lines that follow a word; a key stops it at the first place that it can, from that one on."""
        assert self.scene is not None
        turn = self.scene.heard(intent)
        done = len(turn.steps) if stopped_at is None else next_stop(turn.steps, stopped_at)
        self._listen(turn.steps, done)
        self.scene, self.done = turn.scene and turn.scene.performed(Outcome(done)).scene, 0
        return lines(turn.steps[: done + 1])

    def crash(self, intent: Intent, at: int) -> None:
        """Read on after a word until the program is ended from outside at that step."""
        assert self.scene is not None
        turn = self.scene.heard(intent)
        self._listen(turn.steps, at)
        self.scene, self.done = turn.scene, at

    def leave(self) -> list[str]:
        """End the program; return what is said in the end."""
        steps = self.scene.left(self.done) if self.scene else ()
        self._listen(steps, len(steps))
        return lines(steps)

    def _listen(self, steps: Steps, done: int) -> None:
        for step in steps[:done]:
            self.room.hear(step)
        for step in steps[done : done + 1]:
            self.room.hear(step, whole=False)


def next_stop(steps: Steps, place: int) -> int:
    """Return the place of the first step that a key can stop, from `place` on."""
    return next((later for later in range(place, len(steps)) if can_be_stopped(steps[later])), len(steps))


def can_be_stopped(step: object) -> bool:
    return isinstance(step, Rest) or (isinstance(step, Say) and not step.must)


def script(edition: str = LONG, players: int = THUMB_GAME, pace: int = 4) -> Steps:
    """Return all steps of a prologue that nobody stops."""
    return PrologueReading(view_of(edition, players), pace).heard(READY).steps


def stops() -> Iterator[tuple[str, int, int]]:
    """Yield edition, number of players, and each place where a key can stop their prologue."""
    for edition, players in ((LONG, THUMB_GAME), ("secret_hitler", 5)):
        steps = script(edition, players)
        yield from ((edition, players, place) for place, step in enumerate(steps) if can_be_stopped(step))


at_every_step = pytest.mark.parametrize(("edition", "players", "place"), list(stops()))


def line_at(edition: str, players: int, place: int) -> int:
    """Return the number of the last line that had at least begun."""
    return len(lines(script(edition, players)[: place + 1])) - 1


def is_the_last(edition: str, players: int, place: int) -> bool:
    """Return whether that is the pause after the last line: then nothing is left to be read."""
    return place == len(script(edition, players)) - 1


def asks(reading: Reading) -> bool:
    """Return whether everybody is asked if anything went wrong."""
    return reading.scene is not None and [said.key for said in reading.scene.help()] == ["prologue-end"]


# --- the script


@every_edition
@every_count
def test_the_lines_come_in_the_order_of_the_edition(edition: str, players: int) -> None:
    dictator_looks_up = edition != "secret_dictator" and players <= 6
    assert lines(script(edition, players)) == list(TOGETHER if dictator_looks_up else BY_THUMB)


@every_edition
@every_count
def test_noise_sounds_from_before_the_first_head_is_raised_until_the_last_is_down(edition: str, players: int) -> None:
    steps = script(edition, players)
    raised = min(place for place, step in enumerate(steps) if set(lines((step,))) & set(HEADS_UP))
    down = next(place for place, step in enumerate(steps) if lines((step,)) == ["down"])
    assert Noise(on=True) in steps[:raised]
    assert Noise(on=False) not in steps[: down + 2]
    assert isinstance(steps[down + 1], Rest)
    assert Noise(on=False) in steps[down + 2 :]


@every_edition
@every_count
def test_whoever_does_what_they_hear_is_never_seen_or_heard(edition: str, players: int) -> None:
    reading = Reading(edition, players)
    reading.hear(READY)
    assert reading.room.betrayed == []
    assert reading.room.free
    assert asks(reading)
    assert reading.hear(READY) == []
    assert reading.scene is None


@every_edition
@every_count
@pytest.mark.parametrize("pace", range(1, 11))
def test_every_line_has_a_pause_and_all_pauses_follow_the_pace(edition: str, players: int, pace: int) -> None:
    steps = script(edition, players, pace)
    after = [steps[place + 1] for place, step in enumerate(steps) if isinstance(step, Say)]
    rests = [step.seconds for step in after if isinstance(step, Rest)]
    assert len(rests) == len(after)
    assert rests == [pace * cue.pause for cue in prologue(view_of(edition, players), 1)]
    assert set(rests) == {pace, pace / 2}


@every_edition
@every_count
def test_that_eyes_may_be_opened_is_stopped_by_no_key(edition: str, players: int) -> None:
    musts = [
        line for step in script(edition, players) if isinstance(step, Say) and step.must for line in lines((step,))
    ]
    assert musts == ["up"]


# --- stopped at every step


@at_every_step
def test_it_goes_on_with_the_line_that_was_not_heard_to_its_end(edition: str, players: int, place: int) -> None:
    reading, steps = Reading(edition, players), script(edition, players)
    reading.hear(READY, stopped_at=place)
    following = line_at(edition, players, place) + isinstance(steps[place], Rest)
    assert reading.hear(GO_ON) == lines(steps)[following:]
    assert (reading.scene is None) is is_the_last(edition, players, place)
    assert asks(reading) is not is_the_last(edition, players, place)
    assert reading.room.betrayed == []


@at_every_step
def test_the_line_that_was_heard_last_is_repeated(edition: str, players: int, place: int) -> None:
    reading = Reading(edition, players)
    reading.hear(READY, stopped_at=place)
    again = lines(script(edition, players))[line_at(edition, players, place) :]
    assert reading.hear(REPEAT) == (["end"] if is_the_last(edition, players, place) else again)
    assert asks(reading)
    assert reading.room.betrayed == []


@at_every_step
def test_it_starts_again_with_noise_as_long_as_heads_are_up(edition: str, players: int, place: int) -> None:
    reading = Reading(edition, players)
    reading.hear(READY, stopped_at=place)
    assert reading.hear(AGAIN) == lines(script(edition, players))
    assert reading.room.betrayed == []
    assert reading.room.free


@at_every_step
@pytest.mark.parametrize("way", [STOP, SKIP, None])
def test_however_it_is_left_all_heads_go_down_before_all_eyes_are_opened(
    edition: str, players: int, place: int, way: Intent | None
) -> None:
    reading = Reading(edition, players)
    reading.hear(READY, stopped_at=place)
    closed, raised = reading.room.eyes_closed, reading.room.heads_up
    said = reading.leave() if way is None else reading.hear(way)
    assert [line for line in said if line != "ended"] == ["down"] * raised + ["up"] * closed
    assert reading.room.free
    assert reading.room.betrayed == []


@pytest.mark.parametrize(("edition", "players"), [(LONG, THUMB_GAME), ("secret_hitler", 5)])
def test_nobody_is_stranded_when_the_program_is_ended_while_it_reads(edition: str, players: int) -> None:
    """Also in the middle of a line that no key stops, and between two steps."""
    for place in range(len(script(edition, players)) + 1):
        reading = Reading(edition, players)
        reading.crash(READY, place)
        closed, raised = reading.room.eyes_closed, reading.room.heads_up
        said = reading.leave()
        assert said[-1:] == ["up"] * closed
        assert not raised or said == ["down", "up"]
        assert reading.room.free
        assert reading.room.betrayed == []


@pytest.mark.parametrize("way", [READY, GO_ON, SKIP, STOP, NO])
def test_all_was_well_and_the_game_goes_on(way: Intent) -> None:
    reading = Reading()
    reading.hear(READY)
    assert reading.scene is not None
    turn = reading.scene.heard(way)
    assert (turn.scene, turn.steps, turn.broken_off) == (None, (), False)


@pytest.mark.parametrize("way", [AGAIN, YES])
def test_something_went_wrong_and_all_is_read_again(way: Intent) -> None:
    reading = Reading()
    reading.hear(READY)
    assert reading.hear(way) == lines(script())
    assert asks(reading)
    assert reading.room.betrayed == []
    assert reading.room.free


@pytest.mark.parametrize("line", [REPEAT, Intent("pause"), Intent("set_pace", {"number": 7})])
def test_whether_anything_went_wrong_is_asked_again(line: Intent) -> None:
    reading = Reading()
    reading.hear(READY)
    assert reading.hear(line)[-1] == "end"
    assert asks(reading)


@pytest.mark.parametrize("word", [YES, NO])
def test_yes_and_no_read_nothing_as_long_as_nothing_is_asked(word: Intent) -> None:
    reading = Reading()
    assert reading.hear(word) == ["offer"]
    reading.hear(READY, stopped_at=5)
    before = reading.scene
    assert reading.hear(word) == ["paused"]
    assert reading.scene == before


@at_every_step
def test_no_key_stops_the_lines_with_which_it_is_left(edition: str, players: int, place: int) -> None:
    reading = Reading(edition, players)
    reading.hear(READY, stopped_at=place)
    assert reading.scene is not None
    said = [step for step in reading.scene.heard(STOP).steps if isinstance(step, Say)]
    assert bool(said) is not is_the_last(edition, players, place)
    assert all(step.must for step in said)


words = st.sampled_from((GO_ON, REPEAT, AGAIN, READY, YES, NO, Intent("pause"), Intent("set_pace", {"number": 7})))


@settings(max_examples=300, deadline=None)
@given(
    game=st.sampled_from(((LONG, THUMB_GAME), ("secret_despotar", 6))),
    told=st.lists(st.tuples(words, st.integers(0, 24)), max_size=8),
    way=st.sampled_from((STOP, SKIP, None)),
    crash=st.none() | st.integers(0, 17),
)
def test_whatever_is_said_and_stopped_nobody_is_seen_or_left_behind(
    game: tuple[str, int], told: list[tuple[Intent, int]], way: Intent | None, crash: int | None
) -> None:
    reading = Reading(*game)
    for intent, place in told:
        if reading.scene is not None:
            reading.hear(intent, stopped_at=place)
    if crash is not None and reading.scene is not None:
        reading.crash(GO_ON, crash)
    elif way is not None and reading.scene is not None:
        reading.hear(way)
    reading.leave()
    assert reading.room.betrayed == []
    assert reading.room.free


# --- at a table


def without_roles(folder: Path, **more: object) -> PrivateTable:
    """Return a table at which the prologue comes first and the assistant learns nothing."""
    return PrivateTable(folder, **{"deal": "none", "blind": (), **more})


def test_everybody_is_asked_first_and_repeat_only_asks_again(tmp_path: Path) -> None:
    table = without_roles(tmp_path)
    offer = table.phrase("prologue-offer")
    assert table_words(table.opening)[-1] == offer
    assert table_words(table.say("repeat")) == (offer,)
    assert table_words(table.say("pause")) == (offer,)


def test_after_it_the_game_begins(tmp_path: Path) -> None:
    table = without_roles(tmp_path)
    said = table_words(table.say(ENTER))
    assert said[0] == table.phrase("prologue-heads-down")
    assert said[-2:] == (table.phrase("prologue-up"), table.phrase("prologue-end"))
    assert table.phrase("prompt-nomination") in table_words(table.say(ENTER))[-1]
    assert table.scene is None


@pytest.mark.parametrize("done", range(len(script()) - 1))
def test_a_key_makes_it_wait_and_that_is_said_once(tmp_path: Path, done: int) -> None:
    table = without_roles(tmp_path)
    said = table_words(table.say(ENTER, done=done))
    assert said.count(table.phrase("prologue-paused")) == 1
    assert said[-1] == table.phrase("prologue-paused")
    assert table_words(table.say("pause")) == said[-1:]
    assert table_words(table.say("help")) == said[-1:]
    assert table_words(table.say("what now")) == said[-1:]
    assert table_words(table.say("nominate ben")) == (table.phrase("not-in-scene"),)
    assert table.scene is not None
    assert table.session.view.phase == table_view(table.history.done[0].state).phase


def test_what_is_no_sentence_of_play_either_is_not_understood(tmp_path: Path) -> None:
    table = without_roles(tmp_path)
    assert table_words(table.say("purple monkeys")) == (table.phrase("pardon"),)
    assert table_words(table.say("five yes two no")) == (table.phrase("not-in-scene"),)


def test_a_key_in_the_last_pause_brings_the_question_too_for_something_may_have_gone_wrong(tmp_path: Path) -> None:
    table = without_roles(tmp_path)
    last = len(script()) - 1
    asked = table_words(table.say(ENTER, done=last))
    assert asked[-1] == table.phrase("prologue-end")
    assert table.phrase("prologue-paused") not in asked
    assert table.phrase("prompt-nomination") in table_words(table.say("go on"))[-1]
    assert table.scene is None


@pytest.mark.parametrize("line", ["stop", "skip", "quit"])
def test_nothing_that_is_said_when_it_is_left_can_be_stopped(tmp_path: Path, line: str) -> None:
    """A key in one of the pauses ends a script: no line after it may be one that can be lost."""
    table = without_roles(tmp_path)
    table.say(ENTER, done=8)
    reply = table.say(line)
    assert table.phrase("prologue-up") in table_words(reply)
    assert all(utterance.must for utterance in reply if isinstance(utterance, TableUtterance))


def test_skipped_it_is_followed_by_the_consultations_and_stopped_it_is_not(tmp_path: Path) -> None:
    for place, (line, follows) in enumerate((("skip", True), ("stop", False))):
        for started in (True, False):
            table = PrivateTable(tmp_path / f"{place}{started}", blind=(3,), deal="entry")
            table.say(ENTER, "NUMBER")
            table.enter(roles_by_hand(table))
            if started:
                table.say(ENTER, done=8)
            called = table.phrase("visit-call", name="Clara", seat=3)
            said = table_words(table.say(line))
            assert (called in said[-1]) is follows
            assert (table.phrase("consultations-wait") in said) is not follows


def test_a_table_with_only_blind_players_has_none(tmp_path: Path) -> None:
    for place, deal in enumerate(("none", "assisted", "entry", "headset")):
        table = PrivateTable(tmp_path / str(place), players=5, blind=(1, 2, 3, 4, 5), deal=deal)
        if deal == "assisted":
            table.say(ENTER, "NUMBER", *[ENTER] * 5)
        if deal == "entry":
            table.say(ENTER, "NUMBER")
            table.enter(roles_by_hand(table))
        assert table.phrase("prologue-offer") not in table_words(table.heard)
        assert (table.scene is None) is (deal == "none")


def test_a_table_that_is_told_all_by_headset_has_none(tmp_path: Path) -> None:
    table = PrivateTable(tmp_path, players=5, blind=(), deal="headset")
    table.say(*[*PROVEN, ENTER] * 5)
    assert table.scene is None
    assert table.phrase("prologue-offer") not in table_words(table.heard)


def test_it_can_be_read_again_until_somebody_is_nominated(tmp_path: Path) -> None:
    table = without_roles(tmp_path)
    table.say("skip")
    assert table_words(table.say("read the prologue")) == (table.phrase("prologue-offer"),)
    table.say(ENTER, ENTER, "nominate ben")
    assert table_words(table.say("read the prologue")) == (table.phrase("too-late-for-prologue"),)


# --- the pace


@pytest.mark.parametrize("pace", range(1, 11))
def test_the_pace_is_a_word(tmp_path: Path, pace: int) -> None:
    table = without_roles(tmp_path)
    assert table.phrase("pace-is", number=pace) in table_words(table.say(f"pace {pace}"))[0]
    rests = {utterance.seconds for utterance in table.say(ENTER) if isinstance(utterance, Rest)}
    assert rests == {pace, pace / 2}
    table.say(ENTER, "read the prologue")
    assert rests == {utterance.seconds for utterance in table.say(ENTER) if isinstance(utterance, Rest)}


@pytest.mark.parametrize("pace", [0, 11, 60])
@pytest.mark.parametrize("paused", [True, False])
def test_a_pace_beyond_its_limits_is_refused_and_changes_nothing(tmp_path: Path, pace: int, paused: bool) -> None:
    table = without_roles(tmp_path)
    if paused:
        table.say(ENTER, done=4)
    before = table.scene
    assert table_words(table.say(f"pa {pace}")) == (table.phrase("wrong-pace", number=pace, least=1, most=10),)
    assert table.scene == before


def test_a_pace_that_is_changed_in_the_middle_counts_from_the_next_line_on(tmp_path: Path) -> None:
    table = without_roles(tmp_path)
    table.say(ENTER, done=3)
    table.say("pauses of nine seconds", typed=False)
    reply = table.say("go on")
    assert table_words(reply)[0] == table.phrase("prologue-noise")
    assert next(utterance for utterance in reply if isinstance(utterance, Rest)) == Rest(9)


def test_the_end_of_the_program_after_eyes_were_opened_says_nothing_more(tmp_path: Path) -> None:
    """Interrupted in the last pause; in the middle of it heads go down and eyes are opened."""
    table = without_roles(tmp_path)
    for end, said in ((len(script()) - 1, []), (9, ["down", "up"])):
        hall = Interrupted(tmp_path / str(end), end)
        assert hall.texts[hall.interrupted_at :] == [table.phrase(f"prologue-{line}") for line in said]


# --- what is really heard


class Hall:
    """A prologue with a mouth. Each sound has a text; a key is pressed after so many sounds and rests."""

    def __init__(self, folder: Path, *typed: str, key_after: int = 1_000, lost: dict[str, int] = {}) -> None:  # noqa: B006
        self.table = without_roles(folder, resume=None)
        self.synthesizer = HoarseSynthesizer(lost=dict(lost))
        self.speaker = FakeSpeaker()
        self.printed: list[str] = []
        before = lambda: len(self.speaker.played) + len(self.speaker.rests)  # noqa: E731
        self.mouth = Mouth(
            self.table.session,
            self.printed.append,
            lambda: before() >= key_after,
            self.synthesizer,
            self.speaker,
            platform="linux",
        )
        self.keyboard = FakeKeyboard()
        ears = ListedEars([Words(line, typed=True) for line in typed])
        while not self.table.session.over and (words := ears.next()) is not None:
            perform(self.table.session, self.mouth, self.keyboard, self.table.session.hear(words.text, words.typed))
        self.mouth.say(self.table.session.left(self.mouth.done))

    @property
    def sounds(self) -> list[str]:
        """What sounded, in words; "(a tone)" for a line that could not be spoken."""
        return [self._words(audio) for _, audio in self.speaker.played]

    def _words(self, audio: Audio) -> str:
        return TONE if audio == earcons.not_said() else self.synthesizer.text_of(audio)


class Interrupted:
    """A prologue whose program is ended from outside in its step `end`."""

    def __init__(self, folder: Path, end: int) -> None:
        table = without_roles(folder)
        synthesizer, speaker = FakeSynthesizer(), FakeSpeaker()
        mouth = Mouth(table.session, lambda _: None, lambda: False, synthesizer, speaker, platform="linux")
        perform_step, steps = mouth._perform, iter(range(1_000))

        def interrupted(step: Utterance) -> object:
            if next(steps) == end:
                self.interrupted_at = len(speaker.played)
                raise KeyboardInterrupt
            return perform_step(step)

        mouth._perform = interrupted
        reply = table.session.hear(ENTER, typed=True)
        with pytest.raises(KeyboardInterrupt):
            mouth.say(reply)
        mouth.say(table.session.left(mouth.done))
        self.texts = [synthesizer.text_of(audio) for _, audio in speaker.played]


TONE = "(a tone)"


@dataclass
class HoarseSynthesizer(FakeSynthesizer):
    """Loses its voice so many times at some texts."""

    lost: dict[str, int] = field(default_factory=dict)

    def synthesize(self, text: str, voice: object) -> Audio:
        if self.lost.get(text, 0):
            self.lost[text] -= 1
            raise AudioError("voice-failed", language="en")
        return super().synthesize(text, voice)


def line_texts(table: PrivateTable) -> list[str]:
    return [table.phrase(f"prologue-{line}") for line in BY_THUMB]


@pytest.mark.parametrize("line", range(len(BY_THUMB)))
def test_a_line_that_cannot_be_spoken_is_tried_again(tmp_path: Path, line: int) -> None:
    text = line_texts(without_roles(tmp_path / "other"))[line]
    hall = Hall(tmp_path, ENTER, lost={text: 1})
    assert hall.sounds[: len(BY_THUMB)] == line_texts(hall.table)


@pytest.mark.parametrize("line", range(len(BY_THUMB)))
def test_a_line_that_cannot_be_spoken_at_all_is_a_tone_and_the_others_come(tmp_path: Path, line: int) -> None:
    expected = line_texts(without_roles(tmp_path / "other"))
    hall = Hall(tmp_path, ENTER, lost={expected[line]: 1_000})
    expected[line] = TONE
    assert hall.sounds[: len(BY_THUMB)] == expected
    assert hall.speaker.noises[-1] is None
    assert hall.table.scene is None


def test_without_any_voice_every_line_is_a_tone(tmp_path: Path) -> None:
    texts = line_texts(without_roles(tmp_path / "other"))
    hall = Hall(tmp_path, ENTER, lost=dict.fromkeys(texts, 1_000))
    assert hall.sounds[: len(BY_THUMB)] == [TONE] * len(BY_THUMB)
    assert [f"table: {text}" for text in texts] == [line for line in hall.printed if line[7:] in texts]


@pytest.mark.parametrize("key_after", range(17))
@pytest.mark.parametrize("typed", [("quit",), ("stop",), ("skip",), ("start again",), ("go on", "go on"), ()])
def test_whatever_key_is_held_down_everybody_hears_that_eyes_may_be_opened(
    tmp_path: Path, key_after: int, typed: tuple[str, ...]
) -> None:
    """The key stays down: it stops all that can be stopped, also when people are told to open their eyes."""
    hall = Hall(tmp_path, ENTER, *typed, key_after=key_after)
    up = hall.table.phrase("prologue-up")
    assert hall.sounds[0] == hall.table.phrase("prologue-heads-down")
    last = len(hall.sounds) - 1 - hall.sounds[::-1].index(up)
    assert not hall.speaker.stopped[last]
    assert hall.table.phrase("prologue-heads-down") not in hall.sounds[last:]
    assert hall.speaker.noises[-1:] in ([], [None])


def test_the_end_of_the_input_opens_eyes_too(tmp_path: Path) -> None:
    table = without_roles(tmp_path)
    synthesizer, speaker, keyboard = FakeSynthesizer(), FakeSpeaker(), FakeKeyboard()
    mouth = Mouth(table.session, lambda _: None, lambda: len(speaker.rests) > 2, synthesizer, speaker, platform="linux")
    ears = ListedEars([Words("read the prologue", typed=True), Words("", typed=True)])
    table.say("skip")
    talk(table.session, mouth, ears, keyboard, no_fallback, resume=False)
    texts = [synthesizer.text_of(audio) for _, audio in speaker.played]
    assert texts[-1] == table.phrase("prologue-up")


def roles_by_hand(table: PrivateTable) -> list[object]:
    counts = table.state.rules.roles
    return [role for role in Role for _ in range(counts.of(role))]
