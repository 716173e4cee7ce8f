"""Comments in the code of cards, in the learner's language."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from autograder.drills.deck.yaml_file import content_of

FILE = Path(__file__).with_name("code_comments_zh.yaml")
COMMENT = re.compile(r"(?<=# )[^#\n]+$|(?<=// )[^/\n]+?(?=\s*(?://|$))", re.MULTILINE)
SPOKEN = re.compile(r"\b(?!float\b)[A-Za-z]{4,}\b(?![\[(])")  # and not only names and numbers


@cache
def all_in_chinese() -> dict[str, str]:
    """Chinese by English."""
    return content_of(FILE)


def comments_of(code: str) -> list[str]:
    """Those that say something in words."""
    return [text for text in COMMENT.findall(code) if SPOKEN.search(text)]


def code_in(language: str, code: str) -> str:
    """The code with its comments in Chinese, where a learner reads Chinese alone."""
    if language != "zh":
        return code
    return COMMENT.sub(lambda found: all_in_chinese().get(found[0], found[0]), code)
