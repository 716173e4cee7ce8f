"""`warpbook drill`: practise in a terminal. Says what is missing where the extra is not installed."""

from __future__ import annotations

import argparse
import importlib.util
from typing import Any

from autograder.command_arguments import UsageError
from autograder.drills.deck.model import CHOICES_OF_LANGUAGE

NEEDED = {"fsrs": "fsrs", "platformdirs": "platformdirs", "rich": "rich", "yaml": "pyyaml"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `warpbook drill`."""
    parser.add_argument(
        "--topic", "--topics", dest="topics", action="append", metavar="TOPICS",
        help="only these: a line (B7), an area (B), a range (B5-B8), a unit (05_warps), all; commas between",
    )  # fmt: skip
    parser.add_argument("--lang", choices=CHOICES_OF_LANGUAGE, default="en", help="default: en")
    parser.add_argument("--seed", type=int, metavar="N", help="the same cards with the same values again")


def run(arguments) -> tuple[Any, str]:
    """What the command line asks for: a document, and a text to print."""
    _need(NEEDED)
    from autograder.drills.deck.topics import UnknownTopicError, chosen
    from autograder.drills.learning.store import StoreError

    try:
        topics = chosen(arguments.topics)
        return _sit(arguments, topics)
    except UnknownTopicError as error:
        raise UsageError(f"--topics: {error}") from error
    except StoreError as error:
        raise UsageError(str(error)) from error


def _need(packages: dict[str, str]) -> None:
    """Raise where a package is missing, with the command that mends it."""
    missing = [name for module, name in packages.items() if importlib.util.find_spec(module) is None]
    if missing:
        raise UsageError(
            f"{', '.join(missing)} {'is' if len(missing) == 1 else 'are'} not installed. "
            'On a clone: make drill. Elsewhere: pip install "warpbook[drills]"'
        )


def _sit(arguments, topics: tuple[str, ...]) -> tuple[Any, str]:
    from autograder.drills.faces import terminal
    from autograder.drills.learning import sitting
    from autograder.drills.learning.place import file_of
    from autograder.drills.learning.store import Store

    if not terminal.interactive():
        raise UsageError("a drill needs somebody at the keyboard. Run it in a terminal, without a pipe.")
    with Store(file_of()) as store:
        terminal.run(sitting.begin(store, arguments.lang, topics, arguments.seed), terminal.Terminal(arguments.lang))
    return {}, ""
