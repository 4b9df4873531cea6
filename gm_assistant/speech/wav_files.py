"""Reading WAV files of every common integer format (the standard `wave` module refuses the extensible kind)."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from gm_assistant.errors import AudioError
from gm_assistant.speech.resampling import Samples

_PCM = 1
_EXTENSIBLE = 0xFFFE
_UNKNOWN_SIZE = 0x7FFF0000
"""From here on a chunk's size means "until the end": written by programs that could not know better."""
_RATES = range(4_000, 384_001)
_WIDTHS = (8, 16, 24, 32)


@dataclass(frozen=True, slots=True)
class _Format:
    channels: int
    rate: int
    bits: int


def read_wav(path: Path) -> tuple[Samples, int]:
    """Return the sound of a WAV file as 16-bit mono samples, and its rate in Hz.

    Raise AudioError, always with `path`: "wav-missing" if there is no such file, "wav-without-samples", or "wav-broken"
    with `problem`: "not-a-wav", "truncated", "not-integer-samples", "channels", "rate", or the system's own words.
    """
    if not path.is_file():
        raise AudioError("wav-missing", path=str(path))
    try:
        content = path.read_bytes()
    except OSError as refused:
        raise _broken(path, refused.strerror or "") from refused
    try:
        shape, data = _parts(content)
    except ValueError as problem:
        raise _broken(path, str(problem)) from problem
    samples = _mono(data, shape)
    if not len(samples):
        raise AudioError("wav-without-samples", path=str(path))
    return samples, shape.rate


def _broken(path: Path, problem: str) -> AudioError:
    return AudioError("wav-broken", path=str(path), problem=problem)


def _parts(content: bytes) -> tuple[_Format, bytes]:
    if content[:4] != b"RIFF" or content[8:12] != b"WAVE":
        raise ValueError("not-a-wav")
    shape: _Format | None = None
    for name, chunk in _chunks(content):
        if name == b"fmt ":
            shape = _format(chunk)
        elif name == b"data" and shape is not None:
            return shape, chunk
    raise ValueError("truncated")


def _chunks(content: bytes) -> Iterator[tuple[bytes, bytes]]:
    at = 12
    while at + 8 <= len(content):
        name, size = struct.unpack_from("<4sI", content, at)
        chunk = content[at + 8 : at + 8 + size]
        if len(chunk) < size < _UNKNOWN_SIZE:
            raise ValueError("truncated")
        yield name, chunk
        at += 8 + size + size % 2


def _format(chunk: bytes) -> _Format:
    if len(chunk) < 16:
        raise ValueError("truncated")
    kind, channels, rate, _, _, bits = struct.unpack_from("<HHIIHH", chunk)
    if kind == _EXTENSIBLE and len(chunk) >= 26:
        kind = struct.unpack_from("<H", chunk, 24)[0]
    if kind != _PCM or bits not in _WIDTHS:
        raise ValueError("not-integer-samples")
    if channels not in (1, 2):
        raise ValueError("channels")
    if rate not in _RATES:
        raise ValueError("rate")
    return _Format(channels, rate, bits)


def _mono(data: bytes, shape: _Format) -> Samples:
    width = shape.bits // 8
    whole = len(data) // (width * shape.channels) * shape.channels
    points = np.frombuffer(data[: whole * width], np.uint8).reshape(whole, width)
    if width == 1:
        wide = (points[:, 0].astype(np.int32) - 128) << 8
    else:  # little-endian: the two highest bytes are the 16-bit sample
        wide = points[:, -2:].copy().view("<i2")[:, 0].astype(np.int32)
    mixed: Samples = wide.reshape(-1, shape.channels).mean(axis=1).astype(np.int16)
    return mixed
