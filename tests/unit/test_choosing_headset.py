"""Choosing the headset by listening: who hears which number, and what follows from what is typed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import pytest
from fakes import FakeKeyboard, FakeSpeaker, FakeSynthesizer, Ran, environment, library, phrase, program
from hidden import WITHOUT_DEVICES, WITHOUT_PORTAUDIO, hidden_sound

from gm_assistant import headset_choice
from gm_assistant.channels import Channel
from gm_assistant.dialogue.grammar import Grammar
from gm_assistant.errors import AudioError
from gm_assistant.headset_choice import DIGITS, Chooser, Voices, candidates, device_voices, distinct_numbers
from gm_assistant.speech.audio import Device, Kind

SEED = 7


def device(name: str, host: str = "ALSA", index: int = 0) -> Device:
    return Device(name, host, Kind.OUTPUT, 2, 48_000, index)


TABLE = device("USB Speaker")
USB, BLUETOOTH = device("USB Headset", index=1), device("Bluetooth Headset", index=2)
NUMBERS = distinct_numbers(2, Random(SEED))
USB_NUMBER, BLUETOOTH_NUMBER = NUMBERS


@dataclass
class Person:
    """Somebody who types a script, and what they saw and heard."""

    typed: tuple[str, ...]
    broken: dict[str, AudioError] = field(default_factory=dict)
    stops_at: str = ""
    printed: list[str] = field(default_factory=list)
    table: list[str] = field(default_factory=list)
    headsets: list[tuple[str, str]] = field(default_factory=list)

    def choose(self, *devices: Device, language: str = "en") -> Device | None:
        pack, book = library().packs[language], library().phrasebook(language, None)
        answers = Grammar(pack, (), frozenset({"answer_yes", "answer_no"}))
        voices = Voices(self.table.append, self.hear)
        return Chooser(book, answers, self.printed.append, FakeKeyboard(*self.typed), voices).chosen(
            devices, Random(SEED)
        )

    def hear(self, name: str, text: str) -> bool:
        if name in self.broken:
            raise self.broken[name]
        self.headsets.append((name, text))
        return name != self.stops_at


# --- what is heard where


def test_every_device_says_a_number_of_its_own_and_the_table_hears_none() -> None:
    person = Person(("",))
    person.choose(USB, BLUETOOTH)
    assert [name for name, _ in person.headsets] == [USB.full_name, BLUETOOTH.full_name]
    for (_, text), number in zip(person.headsets, NUMBERS, strict=True):
        assert text.count(", ".join(number)) == 3
        assert number not in "".join(person.table + person.printed)
        assert ", ".join(number) not in "".join(person.table + person.printed)


def test_the_number_is_said_in_the_language(tmp_path: Path) -> None:
    said = {}
    for language in library().packs:
        person = Person(("",))
        person.choose(USB, language=language)
        said[language] = person.headsets[0][1]
    assert len(set(said.values())) == len(library().packs)


def test_everything_but_the_numbers_is_printed_in_plain_lines() -> None:
    person = Person((USB_NUMBER, "n"))
    person.choose(USB, BLUETOOTH)
    assert set(person.table) <= set(person.printed)
    assert all(line.isprintable() and line.endswith((".", "?")) for line in person.printed)
    assert person.printed[0] == phrase("choose-intro", number=2)


def test_the_numbers_of_many_devices_differ_and_have_no_zero() -> None:
    numbers = distinct_numbers(60, Random(SEED))
    assert len(set(numbers)) == 60
    assert {len(number) for number in numbers} == {DIGITS}
    assert not any("0" in number for number in numbers)


def test_a_key_ends_the_search() -> None:
    person = Person((USB_NUMBER, "n"), stops_at=USB.full_name)
    assert person.choose(USB, BLUETOOTH) == USB
    assert [name for name, _ in person.headsets] == [USB.full_name]


# --- what is typed


@pytest.mark.parametrize(("number", "device"), [(USB_NUMBER, USB), (BLUETOOTH_NUMBER, BLUETOOTH)])
@pytest.mark.parametrize("written", ["{}", " {} ", "{0[0]} {0[1]} {0[2]}", "{0[0]}, {0[1]}, {0[2]}."])
def test_the_device_whose_number_was_heard_is_named_and_chosen(number: str, device: Device, written: str) -> None:
    person = Person((written.format(number), "n"))
    assert person.choose(USB, BLUETOOTH) == device
    assert phrase("choose-found", device=device.full_name) in person.printed


def test_a_wrong_number_may_be_typed_again() -> None:
    person = Person(("12", USB_NUMBER, "n"))
    assert person.choose(USB, BLUETOOTH) == USB
    assert person.printed.count(phrase("choose-unknown-number")) == 1


@pytest.mark.parametrize("typed", [("",), ("  ",), (), ("1", "hello", "000"), ("12", "")])
def test_without_a_number_nothing_is_chosen_and_it_is_said_what_can_be_done(typed: tuple[str, ...]) -> None:
    person = Person(typed)
    assert person.choose(USB, BLUETOOTH) is None
    assert person.printed[-1] == phrase("choose-nothing-heard")


def test_what_the_table_has_heard_too_is_refused() -> None:
    person = Person((USB_NUMBER, "y"))
    assert person.choose(USB) is None
    assert person.printed[-1] == phrase("headset-refused", device=USB.full_name)


@pytest.mark.parametrize("typed", [(), ("",), ("perhaps", "undo", "5")])
def test_without_an_answer_about_the_table_nothing_is_chosen(typed: tuple[str, ...]) -> None:
    person = Person((distinct_numbers(1, Random(SEED))[0], *typed, *("n" for _ in typed if len(typed) == 3)))
    assert person.choose(USB) is None
    assert person.printed[-1] == phrase("choose-unsure")


def test_yes_and_no_are_those_of_the_language() -> None:
    for typed, chosen in (("j", None), ("ja", None), ("n", USB), ("nein", USB)):
        assert Person((distinct_numbers(1, Random(SEED))[0], typed)).choose(USB, language="de") == chosen


def test_an_answer_that_is_none_is_asked_for_again() -> None:
    person = Person((distinct_numbers(1, Random(SEED))[0], "perhaps", "no"))
    assert person.choose(USB) == USB
    assert person.printed.count(phrase("choose-table-too")) == 2


# --- what does not work


def test_a_device_that_cannot_be_played_is_named_and_the_next_one_tried() -> None:
    broken = {USB.full_name: AudioError("headset-not-ready", device=USB.full_name)}
    person = Person((BLUETOOTH_NUMBER, "n"), broken)
    assert person.choose(USB, BLUETOOTH) == BLUETOOTH
    assert phrase("choose-unplayable", device=USB.full_name) in person.printed


def test_without_a_voice_no_device_is_blamed() -> None:
    person = Person((), {USB.full_name: AudioError("voice-failed", language="en")})
    with pytest.raises(AudioError, match="voice-failed"):
        person.choose(USB)
    assert phrase("choose-unplayable", device=USB.full_name) not in person.printed


def test_without_any_device_that_may_be_the_headset_that_is_said() -> None:
    person = Person(())
    assert person.choose() is None
    assert person.printed == person.table == [phrase("choose-no-device")]


# --- the real voices


def opened(speakers: dict[str, FakeSpeaker]) -> Callable[[str], FakeSpeaker]:
    return lambda name: speakers.setdefault(name, FakeSpeaker())


def test_a_device_is_opened_as_the_headset_and_never_as_the_table() -> None:
    synthesizer, table, headsets = FakeSynthesizer(), FakeSpeaker(), dict[str, FakeSpeaker]()
    kept: list[tuple[Channel, str]] = []

    class Listening(FakeSpeaker):
        def close(self) -> None:
            kept.extend((channel, synthesizer.text_of(sound)) for channel, sound in self.played)

    voices = device_voices(
        library().packs["en"], synthesizer, table, lambda name: headsets.setdefault(name, Listening()), FakeKeyboard()
    )
    assert voices.headset(USB.full_name, "one")
    voices.table("two")
    assert kept == [(Channel.HEADSET, "one")]
    assert list(headsets) == [USB.full_name]
    assert [(channel, synthesizer.text_of(sound)) for channel, sound in table.played] == [(Channel.TABLE, "two")]


def test_a_headset_that_fails_is_closed_all_the_same() -> None:
    closed: list[str] = []

    class Failing(FakeSpeaker):
        def close(self) -> None:
            closed.append("closed")

    failing = Failing(broken={Channel.HEADSET: AudioError("headset-not-ready", device="x")})
    voices = device_voices(library().packs["en"], FakeSynthesizer(), FakeSpeaker(), lambda _: failing, FakeKeyboard())
    with pytest.raises(AudioError, match="headset-not-ready"):
        voices.headset("x", "one")
    assert closed == ["closed"]


def test_without_a_loudspeaker_it_goes_on_in_print() -> None:
    table = FakeSpeaker(broken={Channel.TABLE: AudioError("table-speaker-failed", device="x")})
    voices = device_voices(library().packs["en"], FakeSynthesizer(), table, opened({}), FakeKeyboard())
    voices.table("one")
    assert voices.headset("x", "two")


# --- which devices may be it


def test_the_table_twins_and_names_behind_which_anything_may_be_are_no_candidates(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    twins = (device("Twin", index=5), device("Twin", index=6))
    listed = (TABLE, USB, device("default"), device("pulse"), *twins, device("Speakers", "MME"), BLUETOOTH)
    monkeypatch.setattr(headset_choice, "devices", lambda kind: listed)
    assert candidates(TABLE) == (USB, BLUETOOTH)


def test_a_built_in_jack_may_be_it_only_if_it_is_trusted(monkeypatch: pytest.MonkeyPatch) -> None:
    jack = device("HDA Intel PCH: ALC257 Analog (hw:0,0)")
    monkeypatch.setattr(headset_choice, "devices", lambda kind: (TABLE, jack))
    assert candidates(TABLE) == ()
    assert candidates(TABLE, trusted=True) == (jack,)


# --- the program


def test_beside_a_split_device_no_headset_is_chosen(tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text("split_device: Both, ALSA\n")
    ran = run(tmp_path, ONE_LOUDSPEAKER + '\nNAMES = ("USB Speaker", "USB Headset")\n', "--settings", str(file))
    assert (ran.status, ran.lines, ran.err) == (2, [phrase("split-not-alone")], "")
    assert file.read_text() == "split_device: Both, ALSA\n"


@pytest.mark.parametrize(("sound", "key"), [(WITHOUT_PORTAUDIO, "no-portaudio"), (WITHOUT_DEVICES, "no-speaker")])
@pytest.mark.parametrize("flags", [(), ("--list",)])
def test_without_sound_that_is_said_in_one_sentence(tmp_path: Path, sound: str, key: str, flags: tuple[str]) -> None:
    ran = run(tmp_path, sound, *flags)
    assert (ran.status, ran.lines, ran.err) == (2, [phrase(key)], "")
    assert not (tmp_path / "config").exists()


ONE_LOUDSPEAKER = WITHOUT_DEVICES.replace(
    """    if device is None and kind is None:
        return ()
""",
    """    if device is None and kind is None:
        return [
            {"name": name, "hostapi": 0, "index": index, "default_samplerate": 44100.0,
             "max_input_channels": 0, "max_output_channels": 2}
            for index, name in enumerate(NAMES)
        ]
""",
).replace("device = (-1, -1)", "device = (-1, 0)")
ONE_LOUDSPEAKER += """

class OutputStream:
    def __init__(self, *_, **__):
        raise PortAudioError("Device unavailable")
"""
"""sounddevice on a computer whose devices are called NAMES, of which the first is the default. None of them plays."""


def test_the_list_tells_of_each_device_whether_it_may_be_the_headset(tmp_path: Path) -> None:
    ran = run(tmp_path, ONE_LOUDSPEAKER + '\nNAMES = ("USB Speaker", "USB Headset", "default")\n', "--list")
    assert (ran.status, ran.err) == (0, "")
    assert ran.lines == [
        phrase("choose-impossible", device="USB Speaker, ALSA"),
        phrase("choose-possible", device="USB Headset, ALSA"),
        phrase("choose-impossible", device="default, ALSA"),
    ]


def test_with_the_loudspeaker_alone_nothing_can_be_chosen(tmp_path: Path) -> None:
    ran = run(tmp_path, ONE_LOUDSPEAKER + '\nNAMES = ("USB Speaker",)\n')
    assert (ran.status, ran.lines, ran.err) == (1, [phrase("choose-no-device")], "")


def run(home: Path, sound: str, *flags: str) -> Ran:
    flags = ("headset", "--language", "en", *flags)
    return program(home, *flags, variables=environment(home, hidden_sound(home, sound)))
