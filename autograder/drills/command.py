"""`warpbook drill`: practise, sit a mock interview, export, look at progress."""

from __future__ import annotations

import argparse
import importlib.util
import sqlite3
from pathlib import Path
from typing import Any

from autograder.drills.deck.model import CHOICES_OF_LANGUAGE
from autograder.machine.command_arguments import UsageError

NEEDED = {"fsrs": "fsrs", "platformdirs": "platformdirs", "rich": "rich", "yaml": "pyyaml"}
NEEDED_BY_ANKI = {"genanki": "genanki"}
ACTIONS = ("export", "progress")
FIGURES = (".svg", ".png", ".pdf")
MOST_MINUTES = 600


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `warpbook drill`."""
    parser.add_argument("action", nargs="?", choices=ACTIONS, help="export cards or history; show progress")
    parser.add_argument(
        "--topics", "--topic", dest="topics", action="append", metavar="TOPICS",
        help="only these: a line (B7), an area (B), a range (B5-B8), a unit (05_warps), all; commas between",
    )  # fmt: skip
    parser.add_argument("--mock", type=float, metavar="MINUTES", help="a mock interview of this length, with a report")
    parser.add_argument("--level", choices=("junior", "senior"), default="", help="with --mock: for whom")
    jobs = ("kernels", "inference", "systems")
    parser.add_argument("--for", dest="job", choices=jobs, default="", help="with --mock: what it is about")
    parser.add_argument("--lang", choices=CHOICES_OF_LANGUAGE, default="en", help="default: en")
    parser.add_argument("--seed", type=int, metavar="N", help="the same cards with the same values again")
    parser.add_argument("--anki", metavar="FILE.apkg", help="with export: the cards, for Anki")
    parser.add_argument("--history", metavar="FILE.csv", help="with export: every answer given so far")
    parser.add_argument("--figure", metavar="FILE.svg", help="with progress: draw it, too (.svg, .png or .pdf)")


def run(arguments) -> tuple[Any, str]:
    """What the command line asks for: a document, and a text to print. Raises: UsageError."""
    _need(NEEDED)
    from autograder.drills.deck.topics import UnknownTopicError, chosen
    from autograder.drills.learning.store import StoreError

    try:
        topics = chosen(arguments.topics)
        if arguments.action == "export":
            return _export(arguments, topics)
        if arguments.action == "progress" or arguments.json:
            return _progress(arguments)
        return _sit(arguments, topics)
    except UnknownTopicError as error:
        raise UsageError(f"--topics: {error}") from error
    except StoreError as error:
        raise UsageError(str(error)) from error
    except sqlite3.Error as error:
        from autograder.drills.learning.place import file_of

        raise UsageError(f"{file_of()}: {error}. What was answered before is saved.") from error


def _need(packages: dict[str, str]) -> None:
    """Raise where a package is missing, with the command that mends it."""
    missing = [name for module, name in packages.items() if importlib.util.find_spec(module) is None]
    if missing:
        raise UsageError(
            f"{', '.join(missing)} {'is' if len(missing) == 1 else 'are'} not installed. "
            'On a clone: make drill. Elsewhere: pip install "warpbook[drills]"'
        )


def _sit(arguments, topics: tuple[str, ...]) -> tuple[Any, str]:
    """A sitting or a mock interview in this terminal."""
    from autograder.drills.faces import terminal
    from autograder.drills.learning import sitting
    from autograder.drills.learning.place import file_of
    from autograder.drills.learning.store import Store

    if not terminal.interactive():
        raise UsageError("a drill needs somebody at the keyboard. Without one: warpbook drill progress, or --json.")
    face = terminal.Terminal(arguments.lang)
    with Store(file_of()) as store:
        if arguments.mock is None:
            terminal.run(sitting.begin(store, arguments.lang, topics, arguments.seed), face)
            return {}, ""
        from autograder.drills.faces import mock_terminal

        if not 0 < arguments.mock <= MOST_MINUTES:
            raise UsageError(f"--mock {arguments.mock:g}: give minutes, as in --mock 45.")
        mock_terminal.run(store, face, arguments.mock, topics, arguments.seed, arguments.level, arguments.job)
    return {}, ""


def _export(arguments, topics: tuple[str, ...]) -> tuple[Any, str]:
    """Files for other programs."""
    from autograder.drills.deck.load import all_cards
    from autograder.drills.learning.history import write_history
    from autograder.drills.learning.place import file_of
    from autograder.drills.learning.store import Store

    if not arguments.anki and not arguments.history:
        raise UsageError("name what to export: --anki FILE.apkg, or --history FILE.csv.")
    document: dict[str, Any] = {}
    if arguments.anki:
        _need(NEEDED_BY_ANKI)
        if not arguments.anki.endswith(".apkg"):
            raise UsageError(f"--anki {arguments.anki}: Anki imports files that end in .apkg; name one.")
        from autograder.drills.faces.anki import write_package

        # Cards without a file draw another bug each time; a note of Anki would show one forever.
        cards = [card for card in all_cards().values() if card.file and (not topics or card.topic in topics)]
        count = write_package(cards, arguments.lang, _writable(arguments.anki))
        document["anki"] = {"file": arguments.anki, "notes": count}
    if arguments.history:
        with Store(file_of()) as store:
            document["history"] = {
                "file": arguments.history,
                "answers": write_history(store, _writable(arguments.history)),
            }
    said = [f"{entry['file']}: {list(entry.values())[1]:,} {list(entry)[1]}" for entry in document.values()]
    return document, "\n".join(said)


def _progress(arguments) -> tuple[Any, str]:
    """How far the learner is."""
    from autograder.drills.faces.progress_text import render
    from autograder.drills.learning.place import file_of
    from autograder.drills.learning.progress import progress_of
    from autograder.drills.learning.store import Store, now

    with Store(file_of()) as store:
        progress = progress_of(store, now())
    if arguments.figure:
        if Path(arguments.figure).suffix not in FIGURES:
            raise UsageError(f"--figure {arguments.figure}: name a file that ends in {', '.join(FIGURES)}.")
        from autograder.drills.faces.progress_figure import draw_progress

        draw_progress(progress).savefig(_writable(arguments.figure))
    return progress.to_json(), render(progress, arguments.lang)


def _writable(path: str) -> Path:
    """A path whose folder exists. Raises: UsageError."""
    folder = Path(path).resolve().parent
    if not folder.is_dir():
        raise UsageError(f"{path}: there is no folder {folder}. Make it first.")
    return Path(path)
