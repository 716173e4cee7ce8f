"""The terms of the field in English and Chinese: one for each concept, which all cards keep to."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from autograder.drills.deck.yaml_file import content_of

FILE = Path(__file__).with_name("terms.yaml")


@dataclass(frozen=True)
class Term:
    """One concept. avoided: Chinese words for it that cards do not use; pattern: where English text means it."""

    english: str
    chinese: str
    avoided: tuple[str, ...]
    pattern: re.Pattern


@cache
def all_terms() -> tuple[Term, ...]:
    """In the order of the file."""
    read = content_of(FILE)
    return tuple(
        Term(
            name,
            entry["zh"],
            tuple(entry.get("not", ())),
            re.compile(entry.get("english", rf"\b{re.escape(name)}s?\b"), re.IGNORECASE),
        )
        for name, entry in read.items()
    )


def table() -> str:
    """The terms as a table of Markdown."""
    rows = [f"| {term.english} | {term.chinese} |" for term in all_terms()]
    return "\n".join(["| English | 中文 |", "|---|---|", *rows])
