"""Run as `python -m gm_assistant`."""

import sys

from gm_assistant.cli import main

if __name__ == "__main__":
    sys.exit(main())
