"""How well people are understood, in one table: `python -m tests.benchmarks.recognition` (--help: options)."""

from __future__ import annotations

import argparse
import os
from functools import partial
from pathlib import Path

from platformdirs import user_cache_path


def arguments() -> argparse.Namespace:
    """Return what was asked for on the command line."""
    parser = argparse.ArgumentParser("python -m tests.benchmarks.recognition", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a tenth of everything: for a first look")
    parser.add_argument("--seed", type=int, default=1, help="another one draws other sentences, voices and noises")
    parser.add_argument("--only", action="append", metavar="ROW", help="only this part; may be given more than once")
    parser.add_argument("--hours", type=float, help="talk at an open microphone (1; 0.1 with --quick)")
    parser.add_argument("--losses", action="store_true", help="also list what was not understood, or by mistake")
    parser.add_argument(
        "--cache", type=Path, default=user_cache_path("gm-assistant") / "benchmark", help="spoken sound"
    )
    return parser.parse_args()


def main() -> None:
    """Measure, and print one line for each measure as soon as it is known."""
    from tests.benchmarks.recognition.report import Report  # noqa: PLC0415 - not needed in the child processes

    os.environ.setdefault("OMP_NUM_THREADS", "1")
    Report(arguments(), partial(print, flush=True)).run()


if __name__ == "__main__":
    main()
