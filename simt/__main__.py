"""``python -m simt PROGRAM.py [ARGS]`` is ``warpbook run PROGRAM.py [ARGS]``."""

from __future__ import annotations

import sys


def main() -> int:
    """Returns: the exit code."""
    from autograder.cli import main as warpbook

    return warpbook(["run", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
