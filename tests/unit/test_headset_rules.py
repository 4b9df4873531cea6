from __future__ import annotations

import sys

import pytest

from gm_assistant.errors import AudioError
from gm_assistant.speech import audio
from gm_assistant.speech.audio import Device, Kind, find_device
from gm_assistant.speech.guarded import GuardedPlayer
from gm_assistant.speech.headset_line import HeadsetLine
from gm_assistant.speech.headset_rules import refuse_headset, refuse_table
from gm_assistant.speech.ports import Audio


def device(name: str, host: str = "ALSA", index: int = 0) -> Device:
    return Device(name, host, Kind.OUTPUT, 2, 48_000, index)


LISTED = (
    device("USB Headset: Audio (hw:1,0)"),
    device("USB Speaker: Audio (hw:2,0)"),
    device("Twin"),
    device("Twin"),
    device("Speakers", "MME"),
    device("Speakers", "Windows WASAPI"),
)


@pytest.fixture
def listed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(audio, "devices", lambda kind: LISTED)


def key_of(error: pytest.ExceptionInfo[AudioError]) -> str:
    return error.value.key


@pytest.mark.parametrize(
    "name",
    [
        *(
            "default",
            "Default",
            "sysdefault",
            "sysdefault:CARD=PCH",
            "pulse",
            "pipewire",
            "dmix",
            "front",
            "surround51",
        ),
        *("default, ALSA", "pulse, ALSA", "front, ALSA", "front:CARD=PCH,DEV=0"),
        *("Microsoft Sound Mapper - Output", "Microsoft Sound Mapper - Output, MME", "Microsoft Soundmapper - Output"),
        *("Primary Sound Driver", "Primärer Soundtreiber, Windows DirectSound", "Headset (USB), MME"),
    ],
)
def test_a_name_that_may_be_any_device_is_refused(name: str) -> None:
    with pytest.raises(AudioError) as refused:
        HeadsetLine(name)
    assert (key_of(refused), refused.value.facts) == ("headset-refused", {"device": name})
    with pytest.raises(AudioError):
        GuardedPlayer(name)


@pytest.mark.parametrize(
    "name",
    ["USB Headset: Audio (hw:1,0), ALSA", "Front Panel Headphones, Core Audio", "Pulse 2 by JBL, Windows WASAPI"],
)
def test_a_real_device_is_not_refused_for_its_name(name: str) -> None:
    assert refusals(name) == []


def refusals(name: str) -> list[str]:
    found = []
    for rule in (HeadsetLine, refuse_headset, lambda headset: refuse_table(headset, device("table"))):
        try:
            rule(name)
        except AudioError as refused:
            found.append(refused.key)
    return found


@pytest.mark.parametrize(
    ("name", "table"),
    [
        ("Speakers", device("Speakers")),
        ("Speakers, ALSA", device("Speakers")),
        ("speakers, ALSA", device("Speakers")),
        ("Speakers, Windows WASAPI", device("Speakers", "MME")),
        ("Speakers (Realtek High Definition Audio), Windows WASAPI", device("Speakers (Realtek High Definit", "MME")),
    ],
)
def test_the_tables_own_device_is_refused_through_whatever_interface(name: str, table: Device) -> None:
    with pytest.raises(AudioError) as refused:
        refuse_table(name, table)
    assert key_of(refused) == "headset-refused"


def test_without_a_headset_nothing_can_be_whispered() -> None:
    line = HeadsetLine(None)
    with pytest.raises(AudioError) as refused:
        line.begin(Audio(b"\1\1", 8_000))
    assert key_of(refused) == "headset-not-ready"
    line.stop()
    line.close()


@pytest.mark.usefixtures("listed")
def test_a_full_name_goes_before_a_name_and_a_name_before_a_part_of_it() -> None:
    assert find_device("Speakers, Windows WASAPI", Kind.OUTPUT).host == "Windows WASAPI"
    assert find_device("USB Headset: Audio (hw:1,0)", Kind.OUTPUT) == LISTED[0]
    assert find_device("usb headset", Kind.OUTPUT) == LISTED[0]


@pytest.mark.usefixtures("listed")
@pytest.mark.parametrize("name", ["Twin", "Twin, ALSA", "Speakers", "USB"])
def test_a_name_of_several_devices_is_ambiguous_and_lists_them(name: str) -> None:
    with pytest.raises(AudioError) as refused:
        find_device(name, Kind.OUTPUT)
    assert key_of(refused) == "device-ambiguous"
    assert len(refused.value.facts["available"]) == 2  # type: ignore[arg-type]


@pytest.mark.usefixtures("listed")
def test_a_part_of_a_name_is_not_enough_for_an_exact_search() -> None:
    with pytest.raises(AudioError) as refused:
        find_device("usb headset", Kind.OUTPUT, exact=True)
    assert key_of(refused) == "device-missing"
    assert refused.value.facts["available"] == tuple(listed.full_name for listed in LISTED)


def test_without_portaudio_the_refusal_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sounddevice", None)
    with pytest.raises(AudioError) as refused:
        audio.devices(Kind.OUTPUT)
    assert key_of(refused) == "no-portaudio"
