"""``python -m firsthand`` is the command ``firsthand``."""

from __future__ import annotations

import sys

from firsthand._native import main as native_main


def main() -> int:
    """Runs the command line and returns its exit code."""
    return native_main(["firsthand", *sys.argv[1:]], [sys.executable, "-m", "firsthand"])


if __name__ == "__main__":
    sys.exit(main())
