"""Where a card's facts come from, as parts that can be looked up: documents with sections, files, units, records."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from autograder.drills.deck.yaml_file import content_of

FILE = Path(__file__).with_name("documents.yaml")
PAPER = re.compile(r'^[A-Z][\w .,\'-]+, "[^"]+", .*\b(?:19|20)\d\d\b|^[A-Z][\w .,\'-]+, "[^"]+", .*\bGems \d')
IN_BRACKETS = re.compile(r"\(([^()]*)\)\s*$")
OF_THE_REPOSITORY = ("docs/", "simt/", "autograder/", "benchmarks/", "tests/")
OF_THE_COURSE = re.compile(r"^the course(?:'s catalogue of wrong answers)?, (\d\d_\w+)")


@dataclass(frozen=True)
class Part:
    """One source. kind: "document", "file", "course" or "paper"; name: of the document, path, or unit.

    sections: what stands in quotation marks; details: what stands in brackets at the end, split at commas.
    """

    kind: str
    name: str
    sections: tuple[str, ...] = ()
    details: tuple[str, ...] = ()


class SourceError(ValueError):
    """A source that cannot be looked up; the message says why."""


@cache
def all_documents() -> dict[str, tuple[str, ...]]:
    """Sections that cards may name, by document; () where a document is named as a whole."""
    read = content_of(FILE)
    return {name: tuple(entry.get("sections", ())) for name, entry in read.items()}


def parts_of(source: str) -> list[Part]:
    """The parts of a source, which semicolons separate. Raises: SourceError for one that nothing is known about."""
    return [_part(text.strip()) for text in source.split("; ")]


def _part(text: str) -> Part:
    bracketed = IN_BRACKETS.search(text)
    details = tuple(word.strip() for word in bracketed[1].split(",")) if bracketed else ()
    sections = tuple(re.findall(r'"([^"]+)"', text))
    unit = OF_THE_COURSE.match(text)
    if unit:
        return Part("course", unit[1], details=details)
    if text.startswith(OF_THE_REPOSITORY):
        return Part("file", re.split(r"[ ,]", text)[0], _items(text), details)
    named = [name for name in all_documents() if text.startswith(name)]
    if named:
        return Part("document", max(named, key=len), sections, details)
    if PAPER.match(text):
        return Part("paper", text)
    raise SourceError(
        f"{text!r} is no document of {FILE.name}, no file of the repository, no unit of the course, and no paper "
        '(Authors, "Title", venue and year).'
    )


def _items(text: str) -> tuple[str, ...]:
    """Numbered items of a file: "item 5" is 5, "items 1 to 3" are three, "items 23 and 24" two."""
    found = re.search(r"items? (\d+)(?: (to|and) (\d+))?", text)
    if not found:
        return ()
    first, last = int(found[1]), int(found[3] or found[1])
    numbers = range(first, last + 1) if found[2] == "to" else {first, last}
    return tuple(str(number) for number in numbers)
