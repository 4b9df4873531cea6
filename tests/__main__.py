"""All tests: python -m tests [arguments of pytest].

Without arguments those that need no devices, no model and no installation share the processor's cores. After them come
the others, which listen to the clock, side by side: what plays to the virtual devices or speaks into their microphone
mostly waits, what hears, builds and installs mostly computes.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Sequence

ALONE = "rig or model or rehearsal or install"
CONVERSATION = "tests/rig/test_conversation.py"
"""Plays to the virtual devices, and computes."""
MICROPHONE = "tests/rig/test_microphone_at_table.py"
"""Waits for minutes while a microphone is tried."""
WHISPERS = ("tests/rig/test_split_device.py", "tests/rig/test_whispers_stay.py")
"""Wait for whispers to be unplugged."""


def runs(arguments: Sequence[str]) -> list[list[list[str]]]:
    """Return the arguments of pytest for each run: one stage after the other, the runs of a stage side by side."""
    if arguments:
        return [[list(arguments)]]
    elsewhere = [f"--deselect={file}" for file in (CONVERSATION, MICROPHONE, *WHISPERS)]
    computing = ["-m", f"({ALONE}) and not rig"]
    return [
        [["-n", "auto", "-m", f"not ({ALONE})"]],
        [["-m", "rig", *elsewhere], computing, ["-m", "rig", MICROPHONE]],
        [["-m", "rig", CONVERSATION], ["-m", "rig", *WHISPERS]],
    ]


def main(arguments: Sequence[str]) -> int:
    """Run them all, and return the first exit code that is not 0."""
    codes = [code for stage in runs(arguments) for code in side_by_side(stage)]
    return next((code for code in codes if code), 0)


def side_by_side(stage: Sequence[Sequence[str]]) -> list[int]:
    """Return the exit codes of runs at the same time; all but the first are printed when they are over."""
    first, *others = [[sys.executable, "-m", "pytest", *run] for run in stage]
    with tempfile.TemporaryFile("w+") as printed:
        started = [subprocess.Popen(run, stdout=printed, stderr=subprocess.STDOUT) for run in others]
        codes = [subprocess.run(first, check=False).returncode, *(run.wait() for run in started)]
        printed.seek(0)
        print(printed.read(), end="", flush=True)
    return codes


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
