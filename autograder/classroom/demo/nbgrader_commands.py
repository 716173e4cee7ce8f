"""Several nbgrader commands in one process: nbgrader takes longer to import than to work.

    python -m autograder.classroom.demo.nbgrader_commands '[["autograde", "01_vector_add"], ["export"]]'

Prints a line when each is done. Ends at the first that fails, with its exit code.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence

from autograder.answer import quick_nbformat  # noqa: F401  # before nbgrader imports the slow one


def in_one_process(commands: Sequence[Sequence[str]]) -> list[str]:
    """What to start, somewhere from where this project is imported, to run them."""
    return [sys.executable, "-m", __spec__.name, json.dumps(commands)]


def run(command: list[str]) -> None:
    """One command, as if it had a process of its own. Raises: SystemExit where it fails."""
    from jupyter_core.application import NoStart
    from nbgrader.apps.nbgraderapp import NbGraderApp

    app = NbGraderApp()
    try:
        app.initialize(command)
        app.start()
    except NoStart:  # a subcommand did all there was to do
        pass
    except SystemExit as ended:
        if ended.code:
            raise
    finally:
        for each in (app.subapp, app):
            if each is not None:
                type(each).clear_instance()


def main(arguments: list[str] | None = None) -> int:
    """Run them, in their order."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("commands", type=json.loads, help="lists of words, as JSON")
    for command in parser.parse_args(arguments).commands:
        run(command)
        print(" ".join(command), flush=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
