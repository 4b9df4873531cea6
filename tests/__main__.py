"""All tests: python -m tests [arguments of pytest].

Without arguments those that need no devices, no model and no installation share the processor's cores; the others
come after them, one by one, for they listen to the clock.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence

ALONE = "rig or model or rehearsal or install"


def runs(arguments: Sequence[str]) -> list[list[str]]:
    """Return the arguments of pytest for one run after the other."""
    if arguments:
        return [list(arguments)]
    return [["-n", "auto", "-m", f"not ({ALONE})"], ["-m", ALONE]]


def main(arguments: Sequence[str]) -> int:
    """Run them all, and return the first exit code that is not 0."""
    codes = [subprocess.run([sys.executable, "-m", "pytest", *run], check=False).returncode for run in runs(arguments)]
    return next((code for code in codes if code), 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
