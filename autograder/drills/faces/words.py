"""The words that faces use, in the learner's language."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from string import Template

from autograder.drills.deck.model import LANGUAGES, AnswerError
from autograder.drills.deck.units import unit_in
from autograder.drills.deck.verdicts import in_chinese
from autograder.drills.deck.yaml_file import content_of

EXAMPLE = re.compile(r"32 ([a-z].*)")
LINE = re.compile(r"^line (\d+): ")
FILE = Path(__file__).with_name("words.yaml")
YES = re.compile(
    r"(?:y|yes|yep|yeah|j|true|correct|right|the same|it does|是的?|对的?|会|等价|同|相同)(?!\w)", re.IGNORECASE
)
NO = re.compile(
    r"(?:n|no|nope|false|wrong|it does(?: not|n['’]t)|not(?: always)?|否|不|不是|不会|不一定|不同|不相同|不等价)(?!\w)",
    re.IGNORECASE,
)


@cache
def _all() -> dict[str, dict[str, str]]:
    return content_of(FILE)


def say(name: str, language: str, **values) -> str:
    """A sentence; in both languages, one after the other."""
    wanted = LANGUAGES if language not in LANGUAGES else (language,)
    return " / ".join(Template(_all()[name][each]).substitute(values) for each in wanted)


def refusal(error: AnswerError, language: str) -> str:
    """Why an answer could not be read, and how to write one."""
    values = dict(error.values)
    if "unit" in values:
        values["unit"] = unit_in(values["unit"], language)
    said = {each: say(error.reason, each, **{"example": _said(error.example, each), **values}) for each in LANGUAGES}
    return said[language] if language in said else " / ".join(said[each] for each in LANGUAGES)


def _said(example: str, language: str) -> str:
    """An example with its unit, or why code could not be read, in the learner's language; code stays as it is."""
    if unit := EXAMPLE.fullmatch(example):
        return f"32 {unit_in(unit[1], language)}"
    return example if language == "en" else in_chinese(example) or LINE.sub(r"第 \1 行：", example)


def yes_or_no(reply: str) -> bool | None:
    """What a reply begins with, "yes, because ..."; None where that is neither."""
    said = reply.strip()
    return False if NO.match(said) else True if YES.match(said) else None


def on_a_clock(seconds: float) -> str:
    """As on a clock, 44:59."""
    whole = round(seconds)
    return f"{whole // 60}:{whole % 60:02d}"
