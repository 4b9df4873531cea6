from __future__ import annotations

import sys

import pytest

from gm_assistant.assembly import split_speaker
from gm_assistant.errors import AudioError
from gm_assistant.settings import Settings
from gm_assistant.speech import audio, guarded
from gm_assistant.speech.audio import Device, Kind, find_device
from gm_assistant.speech.guarded import GuardedPlayer
from gm_assistant.speech.headset_line import HeadsetLine
from gm_assistant.speech.headset_rules import refuse_headset, refuse_table
from gm_assistant.speech.ports import Audio
from gm_assistant.speech.sound_server import Route
from gm_assistant.speech.split_speaker import SplitSpeaker


def device(name: str, host: str = "ALSA", index: int = 0) -> Device:
    return Device(name, host, Kind.OUTPUT, 2, 48_000, index)


LISTED = (
    device("USB Headset: Audio (hw:1,0)"),
    device("USB Speaker: Audio (hw:2,0)"),
    device("Twin"),
    device("Twin"),
    Device("Mono", "ALSA", Kind.OUTPUT, 1, 48_000, 0),
    device("Speakers", "MME"),
    device("Speakers", "Windows WASAPI"),
)


@pytest.fixture
def listed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(audio, "devices", lambda kind: LISTED)
    monkeypatch.setattr(guarded, "refresh", lambda: True)


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


JACKS = (
    "HDA Intel PCH: ALC257 Analog (hw:0,0), ALSA",
    "HDA Intel PCH: CX20590 Analog (hw:0,0)",
    "HD-Audio Generic: ALC256 Analog (hw:1,0), ALSA",
    "sof-hda-dsp: - (hw:0,0), ALSA",
    "bcm2835 Headphones: - (hw:0,0), ALSA",
    "alsa_output.pci-0000_00_1f.3.analog-stereo, PulseAudio",
    "Built-in Audio Analog Stereo, PulseAudio",
    "Internes Audio Analog Stereo, PulseAudio",
    "Built-in Output, Core Audio",
    "Integrierter Ausgang, Core Audio",
    "MacBook Pro Speakers, Core Audio",
    "Speakers (Realtek(R) Audio), Windows WASAPI",
    "Speakers/Headphones (Realtek(R) Audio), Windows WASAPI",
    "Lautsprecher (2- Realtek High Definition Audio), Windows WASAPI",
    "Kopfhörer (High Definition Audio Device), Windows WASAPI",
)

OWN_DEVICES = (
    "USB Headset: Audio (hw:1,0), ALSA",
    "USB Audio Device: - (hw:2,0)",
    "Headphones (Realtek USB2.0 Audio), Windows WASAPI",
    "Headphones (WH-1000XM4 Stereo), Windows WASAPI",
    "Kopfhörer (Jabra Evolve 20), Windows WASAPI",
    "External Headphones, Core Audio",
    "Annas AirPods, Core Audio",
    "Jabra EVOLVE 20 Analog Stereo, PulseAudio",
    "headset, ALSA",
)


@pytest.mark.parametrize("name", JACKS)
def test_a_built_in_jack_is_refused_unless_somebody_insists(name: str) -> None:
    for rule in (HeadsetLine, GuardedPlayer):
        with pytest.raises(AudioError) as refused:
            rule(name)
        assert (key_of(refused), refused.value.facts) == ("headset-refused-jack", {"device": name})
    HeadsetLine(name, trusted=True).close()
    refuse_headset(name, trusted=True)


@pytest.mark.parametrize("name", OWN_DEVICES)
def test_a_headset_with_a_device_of_its_own_is_no_built_in_jack(name: str) -> None:
    assert refusals(name) == []


def test_insisting_helps_no_name_that_may_be_any_device() -> None:
    with pytest.raises(AudioError) as refused:
        HeadsetLine("default", trusted=True)
    assert key_of(refused) == "headset-refused"


@pytest.mark.usefixtures("listed")
@pytest.mark.parametrize("name", ["Twin", "Twin, ALSA", "Speakers"])
def test_nothing_is_whispered_while_two_devices_have_the_headset_s_name(name: str) -> None:
    player = GuardedPlayer(name)
    for action in (player.check, lambda: player.begin(Audio(b"\1\1", 8_000))):
        with pytest.raises(AudioError) as refused:
            action()
        assert key_of(refused) == "headset-not-ready"


@pytest.mark.usefixtures("listed")
def test_a_device_with_one_channel_cannot_be_split() -> None:
    for refusing in (lambda: SplitSpeaker("Mono", lead_in=0.0), lambda: GuardedPlayer("Mono", 2).check()):
        with pytest.raises(AudioError) as refused:
            refusing()
        assert (key_of(refused), refused.value.facts) == ("split-refused", {"device": "Mono, ALSA"})


def test_the_splitter_stands_for_both_devices() -> None:
    for other in ({"table_device": "Loud"}, {"headset_device": "Head"}):
        with pytest.raises(AudioError) as refused:
            split_speaker(Settings(split_device="Both", **other))
        assert key_of(refused) == "split-not-alone"


@pytest.mark.parametrize(
    ("volumes", "one", "both"),
    [((1.0, 1.0), True, True), ((0.0, 1.0), True, False), ((0.0, 0.0), False, False), ((), False, False)],
)
def test_a_split_device_must_be_heard_on_both_sides(volumes: tuple[float, ...], one: bool, both: bool) -> None:
    route = Route("headset", volumes)
    assert (route.heard(1), route.heard(2)) == (one, both)


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
