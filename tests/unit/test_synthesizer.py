from __future__ import annotations

import os
import signal
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pytest

from gm_assistant.errors import AudioError
from gm_assistant.speech.ports import Audio, Voice
from gm_assistant.speech.pyttsx3_synthesizer import (
    CachedSynthesizer,
    SynthesizerProcess,
    fitting_voices,
    trimmed,
    voices_for,
)
from gm_assistant.speech.resampling import samples_of
from gm_assistant.speech.worker import WorkerLost

ENGLISH = Voice("en")
GERMAN = Voice("de")
LINE = "Clara was chancellor last round. You may name Anna, Ben or Emil."


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Stand in for the computer's folder of temporary files, so that whatever is left can be seen."""
    folder = tmp_path_factory.mktemp("temporary")
    before = tempfile.tempdir
    tempfile.tempdir = str(folder)
    yield folder
    tempfile.tempdir = before


@pytest.fixture(scope="module")
def synthesizer(folder: Path) -> Iterator[SynthesizerProcess]:
    process = SynthesizerProcess()
    yield process
    process.close()
    assert list(folder.iterdir()) == []


def loudness(audio: Audio) -> float:
    """Return the root mean square of the samples."""
    return float(np.sqrt(np.mean(samples_of(audio).astype(np.float64) ** 2)))


@pytest.mark.model
def test_four_lines_in_a_row_are_all_spoken(synthesizer: SynthesizerProcess) -> None:
    lines = ["One.", "Two liberal laws have passed.", "Anna, please nominate a chancellor.", LINE]
    spoken = [synthesizer.synthesize(line, ENGLISH) for line in lines]
    assert [audio.seconds for audio in spoken] == sorted(audio.seconds for audio in spoken)
    assert spoken[0].seconds > 0.15
    assert spoken[-1].seconds > 3
    assert all(loudness(audio) > 1_000 for audio in spoken)


@pytest.mark.model
def test_german_and_english_sound_different(synthesizer: SynthesizerProcess) -> None:
    text = "Die Wahl beginnt. Was there a chancellor?"
    lengths = [synthesizer.synthesize(text, voice).seconds for voice in (GERMAN, ENGLISH, GERMAN)]
    assert lengths[0] == pytest.approx(lengths[2], abs=0.05)
    assert abs(lengths[0] - lengths[1]) > 0.05


@pytest.mark.model
def test_the_rate_changes_the_length_whatever_was_spoken_before(synthesizer: SynthesizerProcess) -> None:
    rates = [80, 449, 165, 80, 220, 449, 300, 165] * 3
    lengths: dict[int, list[float]] = {}
    for rate in rates:
        lengths.setdefault(rate, []).append(synthesizer.synthesize(LINE, Voice("en", rate=rate)).seconds)
    means = [sum(lengths[rate]) / len(lengths[rate]) for rate in sorted(lengths)]
    assert means == sorted(means, reverse=True)
    assert all(max(found) - min(found) < 0.05 * max(found) for found in lengths.values())


@pytest.mark.model
@pytest.mark.parametrize(("asked", "given"), [(500, 449), (10, 80)])
def test_a_rate_beyond_the_clean_range_is_clamped(synthesizer: SynthesizerProcess, asked: int, given: int) -> None:
    asked_length = synthesizer.synthesize(LINE, Voice("en", rate=asked)).seconds
    assert asked_length == pytest.approx(synthesizer.synthesize(LINE, Voice("en", rate=given)).seconds, rel=0.02)


@pytest.mark.model
def test_volume_and_pitch_and_variant_change_the_sound(synthesizer: SynthesizerProcess) -> None:
    plain = synthesizer.synthesize(LINE, ENGLISH)
    quiet = synthesizer.synthesize(LINE, Voice("en", volume=0.3))
    high = synthesizer.synthesize(LINE, Voice("en", pitch=95))
    whisper = synthesizer.synthesize(LINE, Voice("en", names=("en+whisper",)))
    assert loudness(quiet) < 0.5 * loudness(plain)
    assert height(high) > 1.2 * height(plain)
    assert crossings(whisper) > 1.3 * crossings(plain)


def height(audio: Audio) -> float:
    """Return the most common fundamental frequency in Hz, by autocorrelation."""
    spectrum = np.abs(np.fft.rfft(samples_of(audio).astype(np.float64))) ** 2
    likeness = np.fft.irfft(spectrum)
    shortest, longest = audio.rate // 400, audio.rate // 60
    return float(audio.rate / (shortest + np.argmax(likeness[shortest:longest])))


def crossings(audio: Audio) -> float:
    """Return how often a second the sound changes its sign: a rough measure of hiss."""
    return float(np.count_nonzero(np.diff(np.signbit(samples_of(audio)))) / audio.seconds)


@pytest.mark.model
def test_the_first_voice_that_exists_is_taken(synthesizer: SynthesizerProcess) -> None:
    wanted = Voice("en", names=("No Such Voice", "en+nonsense", "German"))
    lengths = [synthesizer.synthesize(LINE, voice).seconds for voice in (wanted, GERMAN)]
    assert lengths[0] == pytest.approx(lengths[1], abs=0.05)


@pytest.mark.model
def test_a_language_without_a_voice_is_refused_by_name(synthesizer: SynthesizerProcess) -> None:
    with pytest.raises(AudioError) as refused:
        synthesizer.synthesize(LINE, Voice("tlh"))
    assert (refused.value.key, refused.value.facts) == ("no-voice-for-language", {"language": "tlh"})


@pytest.mark.model
@pytest.mark.parametrize("text", ["", "  ", "...", "?!", "—", "\n\t"])
def test_nothing_to_pronounce_is_a_very_short_silence(synthesizer: SynthesizerProcess, text: str) -> None:
    silence = synthesizer.synthesize(text, ENGLISH)
    assert 0 < silence.seconds < 0.1
    assert not samples_of(silence).any()


@pytest.mark.model
@pytest.mark.parametrize(
    "text", ["a\0b", "Zeile eins\nZeile zwei", "<b>laut</b>", "[[abc]]", "\ud800 Anna", "🎲 Würfel"]
)
def test_strange_characters_do_no_harm(synthesizer: SynthesizerProcess, text: str) -> None:
    assert synthesizer.synthesize(text, GERMAN).seconds > 0.1


@pytest.mark.model
def test_a_long_text_is_spoken_to_its_end(synthesizer: SynthesizerProcess) -> None:
    once = synthesizer.synthesize("Das ist ein Satz.", GERMAN).seconds
    assert synthesizer.synthesize("Das ist ein Satz. " * 60, GERMAN).seconds > 50 * once


@pytest.mark.model
def test_speech_begins_and_ends_within_a_moment(synthesizer: SynthesizerProcess) -> None:
    audio = synthesizer.synthesize(LINE, ENGLISH)
    loud = np.flatnonzero(np.abs(samples_of(audio).astype(np.int32)) > 64)
    assert loud[0] <= 0.021 * audio.rate
    assert audio.samples - loud[-1] <= 0.021 * audio.rate + 1


@pytest.mark.model
def test_a_killed_child_is_replaced(synthesizer: SynthesizerProcess) -> None:
    synthesizer.synthesize("Before.", ENGLISH)
    killed = synthesizer.process_id
    assert killed is not None
    os.kill(killed, signal.SIGKILL)
    assert synthesizer.synthesize("After.", ENGLISH).seconds > 0.1
    assert synthesizer.process_id != killed


@pytest.mark.model
def test_nothing_is_printed_and_no_file_stays(
    synthesizer: SynthesizerProcess, folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    synthesizer.synthesize("The headset says a secret.", ENGLISH)
    (private,) = folder.iterdir()
    assert list(private.iterdir()) == []
    assert private.stat().st_mode & 0o777 == 0o700
    assert capfd.readouterr() == ("", "")


@pytest.mark.model
def test_the_voices_of_a_language_can_be_listed() -> None:
    assert "gmw/de" in voices_for("de")
    assert voices_for("en")[0] == "gmw/en"
    assert voices_for("tlh") == ()


@dataclass
class FailingWorker:
    """In place of the child: fails, or is silent, as often as told."""

    outcomes: list[Audio | None]
    process_id: int = 1
    calls: int = field(default=0)

    def call(self, *_: object, deadline: float) -> Audio:
        self.calls += 1
        outcome = self.outcomes.pop(0)
        if outcome is None:
            raise WorkerLost("synthesize")
        return outcome

    def close(self) -> None:
        return


MUTE = Audio(bytes(2_000), 22_050)
SOUND = Audio(b"\1\2" * 1_000, 22_050)


def with_outcomes(*outcomes: Audio | None) -> tuple[SynthesizerProcess, FailingWorker]:
    process, worker = SynthesizerProcess(), FailingWorker(list(outcomes))
    process._worker = worker  # type: ignore[assignment]
    return process, worker


def test_a_silent_or_dead_engine_is_asked_again() -> None:
    process, worker = with_outcomes(MUTE, None, SOUND)
    assert process.synthesize("Hello.", ENGLISH) == SOUND
    assert worker.calls == 3
    process.close()


@pytest.mark.parametrize("outcome", [None, MUTE, Audio(b"", 22_050)])
def test_after_three_failures_the_voice_has_failed(outcome: Audio | None) -> None:
    process, worker = with_outcomes(*[outcome] * 3)
    with pytest.raises(AudioError) as failed:
        process.synthesize("Hello.", ENGLISH)
    assert (failed.value.key, worker.calls) == ("voice-failed", 3)
    process.close()


def test_what_a_dead_child_left_behind_is_removed() -> None:
    process, _ = with_outcomes(None, SOUND)
    left = Path(process._folder.name) / "speech.wav"
    left.write_bytes(b"secret")
    process.synthesize("Hello.", ENGLISH)
    assert not left.exists()
    process.close()


@dataclass
class CountingSynthesizer:
    """Gives 1 s of sound for every text and counts."""

    asked: list[tuple[str, Voice]] = field(default_factory=list)
    closed: bool = False

    def synthesize(self, text: str, voice: Voice) -> Audio:
        self.asked.append((text, voice))
        return Audio(bytes(2_000), 1_000)

    def close(self) -> None:
        self.closed = True


def test_a_sentence_is_made_only_once_for_each_voice() -> None:
    inner = CountingSynthesizer()
    cached = CachedSynthesizer(inner)
    for voice in (ENGLISH, GERMAN, ENGLISH, Voice("en", rate=220), Voice("en", rate=165)):
        cached.synthesize("Anna", voice)
    assert inner.asked == [("Anna", ENGLISH), ("Anna", GERMAN), ("Anna", Voice("en", rate=220))]


def test_the_memory_is_bounded_and_forgets_what_was_not_said_for_longest() -> None:
    inner = CountingSynthesizer()
    cached = CachedSynthesizer(inner, limit=4_000)
    for text in ("a", "b", "a", "c", "a", "b"):
        cached.synthesize(text, ENGLISH)
        assert cached.held <= 4_000
    assert [text for text, _ in inner.asked] == ["a", "b", "c", "b"]


def test_closing_forgets_everything_and_closes_the_engine() -> None:
    inner = CountingSynthesizer()
    cached = CachedSynthesizer(inner)
    cached.synthesize("a", ENGLISH)
    cached.close()
    assert (cached.held, inner.closed) == (0, True)


@dataclass(frozen=True)
class Installed:
    """A voice as pyttsx3 lists it."""

    id: str
    name: str
    languages: list[str | None]


MAC = Installed("com.apple.voice.compact.de-DE.Anna", "Anna", ["de_DE"])
WINDOWS = Installed("HKEY\\Speech\\Voices\\Tokens\\TTS_MS_EN-US_ZIRA", "Microsoft Zira", ["en-US"])
NAMELESS = Installed("x", "", [None])


def test_voices_of_other_systems_are_found_by_language_and_by_name() -> None:
    installed = [NAMELESS, MAC, WINDOWS]
    assert fitting_voices(installed, Voice("de")) == [MAC.id]
    assert fitting_voices(installed, Voice("en")) == [WINDOWS.id]
    assert fitting_voices(installed, Voice("de", names=("microsoft zira",))) == [WINDOWS.id, MAC.id]
    assert fitting_voices(installed, Voice("it")) == []


def test_trimming_keeps_a_moment_of_silence_and_all_of_a_silent_sound() -> None:
    samples = np.zeros(10_000, np.int16)
    samples[4_000:6_000] = 1_000
    sound = Audio(samples.tobytes(), 1_000)
    assert trimmed(sound).samples == 2_000 + 2 * 20
    assert trimmed(MUTE) == MUTE
