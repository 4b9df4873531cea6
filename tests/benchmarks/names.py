"""How well the English recogniser hears first names of seven origins, in "nominate NAME" at tables of seven people.

    python -m tests.benchmarks.names [--folder FOLDER]

Names are spoken twice: as English speakers read them, and as people of their origin say them. Names that the
recogniser's dictionary lacks are taught (`english_phones.py`); beside that stands what it would be if people said a
sound-alike word of the dictionary instead.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import zip_longest
from pathlib import Path

import numpy as np

from gm_assistant.dialogue.wordings import normalized
from gm_assistant.phones import phones_of
from gm_assistant.speakable import Choice, Reference, Sequence, SpeakableGrammar
from gm_assistant.speech.phonemes import Espeak, plain
from gm_assistant.speech.pocketsphinx_recognizer import PocketsphinxEngine
from gm_assistant.speech.vocabulary import sounding_like, written_like
from tests.benchmarks.recognition.sound import (
    BABBLE_20,
    CLEAN,
    PEOPLE,
    Condition,
    Sound,
    Speaker,
    Studio,
    available,
    to_pcm,
)
from tests.first_names import first_names

COMMAND = "nominate"
NATIVE = {
    "german": "de",
    "english": "en-gb",
    "turkish": "tr",
    "italian": "it",
    "vietnamese": "vi",
    "arabic": "ar",
    "polish": "pl",
}
READERS = tuple(speaker for speaker in PEOPLE if speaker.name in ("joe", "espeak us f3"))
TALK = ("what shall we do with the next law", "i do not believe a word of it", "could you pass me the water please")


@dataclass
class OriginFigures:
    """Counts of one origin."""

    names: int = 0
    unknown: int = 0
    """Names that the dictionary lacks."""
    right: Counter[str] = field(default_factory=Counter)
    tried: Counter[str] = field(default_factory=Counter)

    def share(self, way: str) -> str:
        """Return the share of right ones in percent, with its base."""
        return f"{100 * self.right[way] / max(self.tried[way], 1):.0f} % of {self.tried[way]}"


def measured(studio: Studio, conditions: tuple[Condition, ...] = (CLEAN, BABBLE_20)) -> Mapping[str, OriginFigures]:
    """Return for each origin how many of its names are heard: "read" or "native", in each condition; and aliases."""
    rules, rng = Espeak(), np.random.default_rng(7)
    taught, untaught = PocketsphinxEngine(None, lambda: rules), PocketsphinxEngine()
    figures = {origin: OriginFigures() for origin in first_names()}
    for table in _tables():
        words = {origin: normalized(name) for origin, name in table.items()}
        unknown = _prepared(untaught, [*words.values(), "anna"])
        _prepared(taught, list(words.values()))
        for origin, word in words.items():
            figures[origin].names += 1
            figures[origin].unknown += word in unknown
            for way, sound in _spoken(studio, origin, table[origin]):
                for condition in conditions:
                    heard = _heard(taught, to_pcm(studio.heard(sound, condition, rng, 0.4, 0.5)))
                    _count(figures[origin], f"{way}, {condition.name}", heard == f"{COMMAND} {word}")
        aliases = {
            origin: alias for origin in words if words[origin] in unknown and (alias := _alias(words[origin], rules))
        }
        called = {origin: aliases.get(origin, word) for origin, word in words.items()}
        _prepared(taught, list(called.values()))
        for origin, alias in aliases.items():
            for condition in conditions:
                sound = studio.says(READERS[0], f"{COMMAND} {alias}")
                heard = _heard(taught, to_pcm(studio.heard(sound, condition, rng, 0.4, 0.5)))
                _count(figures[origin], f"alias, {condition.name}", heard == f"{COMMAND} {alias}")
    return figures


def _count(figures: OriginFigures, way: str, right: bool) -> None:
    figures.tried[way] += 1
    figures.right[way] += right


def _tables() -> Iterator[dict[str, str]]:
    """Yield tables with one name of each origin until all names had their turn."""
    origins = list(first_names())
    for row in zip_longest(*first_names().values()):
        seats = {origin: name for origin, name in zip(origins, row, strict=True) if name is not None}
        taken: dict[str, str] = {}
        for origin, name in seats.items():
            taken.setdefault(normalized(name), origin)
        yield {origin: seats[origin] for origin in taken.values()}


def _grammar(players: list[str]) -> SpeakableGrammar:
    names = Choice(tuple(Sequence(tuple(player.split())) for player in players))
    return SpeakableGrammar((Sequence((COMMAND, Reference("player"))),), {"player": names})


def _spoken(studio: Studio, origin: str, name: str) -> Iterator[tuple[str, Sound]]:
    """Yield how the command sounds. Arabic letters are read by an Arabic voice only, Latin ones never by it."""
    arabic = not name.isascii() and origin == "arabic"
    if not arabic:
        for reader in available(READERS):
            yield "read", studio.says(reader, f"{COMMAND} {plain(name)}")  # an English voice names the accents
    if arabic or origin != "arabic":
        for speaker in available([Speaker(NATIVE[origin], NATIVE[origin])]):
            command = studio.says(Speaker("espeak us", "en-us"), COMMAND)
            yield "native", np.concatenate([command[:-1200], studio.says(speaker, name)])


def _prepared(engine: PocketsphinxEngine, players: list[str]) -> frozenset[str]:
    unknown = engine.keep(0, _grammar(players).machine)
    engine.use(0)
    return unknown


def _heard(engine: PocketsphinxEngine, pcm: bytes) -> str:
    return engine.look(pcm).text


def _alias(word: str, rules: Espeak) -> str | None:
    """Return the word of the dictionary that sounds most like a name."""
    candidates = written_like(word, _dictionary())
    ipa = rules.pronounced((word, *candidates), "en")
    sounds = {other: phones_of(said) for other, said in zip(candidates, ipa[1:], strict=True)}
    return next(iter(sounding_like([phones_of(ipa[0])], sounds, [])), None) if ipa[0] else None


def _dictionary(kept: dict[str, frozenset[str]] = {}) -> frozenset[str]:  # noqa: B006 - keeps what was read
    import pocketsphinx  # noqa: PLC0415 - loads the native library

    if not kept:
        lines = (Path(pocketsphinx.get_model_path()) / "en-us" / "cmudict-en-us.dict").read_text("utf-8").splitlines()
        kept["words"] = frozenset(line.split()[0] for line in lines if line.split()[0].isalpha())
    return kept["words"]


def main() -> None:
    """Measure and print one table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, default=Path("/tmp/gm-assistant-benchmark"))
    figures = measured(Studio(parser.parse_args().folder, TALK))
    ways = sorted({way for one in figures.values() for way in one.tried})
    print(f"{'origin':12}{'names':>6}{'taught':>8}  " + "".join(f"{way:>24}" for way in ways))
    for origin, one in figures.items():
        print(f"{origin:12}{one.names:6}{one.unknown:8}  " + "".join(f"{one.share(way):>24}" for way in ways))
    for way in ways:
        right, tried = (
            sum(counts[way] for counts in part)
            for part in zip(*((one.right, one.tried) for one in figures.values()), strict=True)
        )
        print(f"all, {way}: {100 * right / tried:.1f} % of {tried}")


if __name__ == "__main__":
    main()
