"""Write docs/coverage.md: every line of the course, the exercises whose contracts name it, and its drill cards.

    python -m tools.make.coverage            write it
    python -m tools.make.coverage --check    fail when it is not current

A line that no contract names is listed as missing, unless it is theory that cards ask about. Nothing is typed by hand:
a new unit appears with its contracts.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterable

from autograder.contract import Exercise
from autograder.drills.deck.load import all_cards
from autograder.drills.deck.topics import Topic, all_topics
from autograder.exercises import all_exercises
from tools.parts.units import ROOT

PAGE = ROOT / "docs" / "coverage.md"
AREAS = {
    "A": "CUDA basics",
    "B": "CUDA advanced",
    "C": "Performance engineering",
    "D": "Algorithms",
    "E": "Inference engine",
    "F": "Around the kernels",
}
HEAD = """# Coverage

Every line of the course, the graded exercises that ask for it, and how many [drill cards](drills.md) do. An exercise
stands at each line that its contract names.

This page is written by `python -m tools.make.coverage` from the contracts and the cards.
"""
MISSING = "**missing**"
THEORY = "theory: cards alone"


class UnknownLineError(ValueError):
    """A contract names a line that the course does not have."""


def page(exercises: Iterable[Exercise], topics: Iterable[Topic], cards: Counter) -> str:
    """The whole document. cards: how many there are, by the id of the line. Raises: UnknownLineError."""
    exercises, topics = tuple(exercises), tuple(topics)
    by_line = lines_of(exercises, topics)
    areas = dict.fromkeys(topic.area for topic in topics)
    tables = [table(area, [topic for topic in topics if topic.area == area], by_line, cards) for area in areas]
    return "\n".join([HEAD, summary(exercises, topics, by_line), *tables])


def lines_of(exercises: Iterable[Exercise], topics: Iterable[Topic]) -> dict[str, list[Exercise]]:
    """The exercises of every line, in course order. Raises: UnknownLineError."""
    by_line: dict[str, list[Exercise]] = {topic.id: [] for topic in topics}
    for exercise in exercises:
        for name in exercise.topics:
            if name not in by_line:
                raise UnknownLineError(
                    f"{exercise.id} names the line {name!r}, which topics.yaml does not have. Correct its `topics`."
                )
            by_line[name].append(exercise)
    return by_line


def summary(exercises: tuple[Exercise, ...], topics: tuple[Topic, ...], by_line: dict[str, list[Exercise]]) -> str:
    """How much is covered, and which lines are not."""
    theory = [topic for topic in topics if topic.theory]
    missing = [topic for topic in topics if not by_line[topic.id] and not topic.theory]
    covered = sum(bool(by_line[topic.id]) for topic in topics)
    said = f"{covered} of {len(topics)} lines have an exercise; there are {len(exercises)} exercises."
    if theory:
        said += f" Theory, which cards ask about: {'; '.join(f'{topic.id} {topic.en}' for topic in theory)}."
    if missing:
        said += f" No exercise asks for: {'; '.join(f'{topic.id} {topic.en}' for topic in missing)}."
    return f"{said}\n"


def table(area: str, topics: list[Topic], by_line: dict[str, list[Exercise]], cards: Counter) -> str:
    """One area: a row per line."""
    rows = [
        f"| {topic.id} | {topic.en} | {_named(by_line[topic.id]) or _none(topic)} | {cards[topic.id] or MISSING} |"
        for topic in topics
    ]
    return "\n".join([f"## {area}. {AREAS[area]}\n", "| | line | exercises | cards |", "|---|---|---|--:|", *rows, ""])


def _named(exercises: list[Exercise]) -> str:
    """The exercises by unit, each unit with a link to its notebook."""
    by_unit: dict[str, list[str]] = {}
    for exercise in exercises:
        by_unit.setdefault(exercise.unit, []).append(f"`{exercise.function}`")
    said = [f"[{unit[:2]}](../course/{unit}/{unit}.ipynb) {', '.join(names)}" for unit, names in by_unit.items()]
    return "; ".join(said)


def _none(topic: Topic) -> str:
    """What stands where no exercise does."""
    return THEORY if topic.theory else MISSING


def main(arguments: list[str] | None = None) -> int:
    """Write or compare. Returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="fail when docs/coverage.md is not current")
    check = parser.parse_args(arguments).check
    current = page(all_exercises(), all_topics().values(), Counter(card.topic for card in all_cards().values()))
    if not check:
        PAGE.write_text(current, encoding="utf-8")
        print(f"Wrote {PAGE.relative_to(ROOT)}.")
    elif not PAGE.exists() or current != PAGE.read_text(encoding="utf-8"):
        print("docs/coverage.md is not current. Run `python -m tools.make.coverage`.", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
