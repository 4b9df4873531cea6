"""How loud a microphone hears quiet, people and our own loudspeaker, and what is wrong with that. Pure: no device."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
import numpy.typing as npt

from gm_assistant.speech.ports import FRAME_SAMPLES
from gm_assistant.speech.resampling import Samples

FLOOR = -96.0
"""dBFS of digital silence: half a step of 16 bits."""

DITHER = 1
"""Largest sample of digital silence: changing the rate of zeros rounds some of them up."""

CLIPPED = 32_700
"""A sample that is as large or larger was probably cut."""

MOST_CLIPPED = 0.001
"""Share of the samples of speech. Each cut peak is a crackle that the recogniser takes for a consonant."""
LEAST_DIFFERENCE = 6.0
"""dB by which a person who speaks is above the quiet; with less, nobody was heard."""
LEAST_RATIO = 15.0
"""dB between speech and noise. With 10 dB of other voices the recogniser rejects or mistakes every fifth sentence."""
LEAST_LEVEL = -55.0
"""dBFS of speech. PocketSphinx heard sentences at -66 as well as at -16, but hardly any at -71; people lean back."""
MOST_ECHO = 6.0
"""dB by which our own loudspeaker may be louder than a person who speaks."""

_RANGE = 20.0
"""dB below its loudest moments in which a voice is taken for speaking, not for pausing."""
_LOUDEST = 95
"""Percentile of the frames that stands for the loudest moments: one knock on the table does not."""
_STEADY = 90
"""Percentile of the frames up to which a quiet counts: a cough in it does not."""

_Levels = npt.NDArray[np.float64]


class Fault(StrEnum):
    """What is wrong with a microphone, the most important first. The value is the end of the phrase's key."""

    ZEROS = "zeros"
    """Nothing but zeros: it is muted, or the system forbids us to listen."""
    MONITOR = "monitor"
    """It hears what a loudspeaker plays, and no person: it is no microphone, or looks into the sound card."""
    NOBODY = "nobody"
    """It hears no difference between quiet and somebody who speaks."""
    CLIPPING = "clipping"
    NOISE = "noise"
    SOFT = "soft"
    ECHO = "echo"
    """It hears our own loudspeaker far louder than people. That alone does no harm: we do not listen meanwhile."""
    MISUNDERSTOOD = "misunderstood"
    """The levels are good, but the sentence was not recognised."""


@dataclass(frozen=True, slots=True)
class Figures:
    """What was measured. Levels in dBFS: 0 is full scale, FLOOR digital silence."""

    noise: float
    """While nobody spoke."""
    speech: float
    """While somebody spoke, without the pauses."""
    clipped: float
    """Share of the samples of speech that were cut, 0 to 1."""
    zeros: bool
    """Whether all of it was digital silence."""
    own: float | None = None
    """Of our own loudspeaker while it spoke; None if it did not."""
    understood: bool | None = None
    """Whether the sentence was recognised; None if nothing could recognise it."""
    monitor: bool = False
    """Whether the system calls the device the monitor of a loudspeaker."""

    @property
    def ratio(self) -> float:
        """Return the dB by which speech is louder than noise; at most 60 can be told."""
        return min(self.speech - self.noise, 60.0)


def measured(
    quiet: Samples,
    spoken: Samples,
    own: Samples | None = None,
    understood: bool | None = None,
    monitor: bool = False,
) -> Figures:
    """Return the figures of three recordings at RECOGNIZER_RATE: of quiet, of a person, of our own loudspeaker."""
    loud = spoken[~_silent(spoken)]
    return Figures(
        noise=noise_level(quiet),
        speech=voice_level(spoken),
        clipped=float(np.mean(np.abs(loud.astype(np.int32)) >= CLIPPED)) if len(loud) else 0.0,
        zeros=all(map(is_silence, (quiet, spoken, *(() if own is None else (own,))))),
        own=None if own is None or not len(own) else voice_level(own),
        understood=understood,
        monitor=monitor,
    )


def is_silence(sound: Samples) -> bool:
    """Return whether it is digital silence: no real microphone is so quiet, not even in a quiet room."""
    return bool(_silent(sound).all())


def noise_level(sound: Samples) -> float:
    """Return the level of a steady noise in dBFS; single louder moments do not count."""
    powers = _powers(sound)
    return _decibels(powers[powers <= np.percentile(powers, _STEADY)]) if len(powers) else FLOOR


def voice_level(sound: Samples) -> float:
    """Return the level of a voice in dBFS while it speaks: its pauses do not count."""
    powers = _powers(sound)
    if not len(powers):
        return FLOOR
    loudest = float(np.percentile(powers, _LOUDEST))
    return _decibels(powers[powers >= loudest * 10 ** (-_RANGE / 10)])


def faults(figures: Figures) -> tuple[Fault, ...]:
    """Return what is wrong, the most important first; what follows from another fault is left out."""
    if figures.zeros:
        return (Fault.ZEROS,)
    heard = figures.ratio >= LEAST_DIFFERENCE
    hears_us = figures.own is not None and figures.own - figures.noise >= LEAST_DIFFERENCE
    if figures.monitor or (hears_us and not heard and not figures.understood):
        return (Fault.MONITOR,)
    if not heard and not figures.understood:
        return (Fault.NOBODY,)
    return tuple(_lesser(figures)) or ((Fault.MISUNDERSTOOD,) if figures.understood is False else ())


def is_fit(found: Iterable[Fault]) -> bool:
    """Return whether one can play with that."""
    return set(found) <= {Fault.ECHO}


def _lesser(figures: Figures) -> Iterable[Fault]:
    if figures.clipped > MOST_CLIPPED:
        yield Fault.CLIPPING
    if figures.ratio < LEAST_RATIO:
        yield Fault.NOISE
    if figures.speech < LEAST_LEVEL:
        yield Fault.SOFT
    if figures.own is not None and figures.own - figures.speech > MOST_ECHO:
        yield Fault.ECHO


def _silent(sound: Samples) -> npt.NDArray[np.bool_]:
    quiet: npt.NDArray[np.bool_] = (sound >= -DITHER) & (sound <= DITHER)
    return quiet


def _powers(sound: Samples) -> _Levels:
    """Return the mean power of each frame of 32 ms, full scale is 1."""
    frames = sound[: len(sound) // FRAME_SAMPLES * FRAME_SAMPLES].reshape(-1, FRAME_SAMPLES)
    powers: _Levels = np.mean((frames.astype(np.float64) / 32_768) ** 2, axis=1)
    return powers


def _decibels(powers: _Levels) -> float:
    power = float(powers.mean()) if len(powers) else 0.0
    return max(10 * float(np.log10(power)), FLOOR) if power > 0 else FLOOR
