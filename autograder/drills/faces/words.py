"""The words that faces use, in the learner's language."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from string import Template

import yaml

from autograder.drills.deck.model import LANGUAGES

FILE = Path(__file__).with_name("words.yaml")


@cache
def _all() -> dict[str, dict[str, str]]:
    return yaml.safe_load(FILE.read_text(encoding="utf-8"))


def say(name: str, language: str, **values) -> str:
    """A sentence; in both languages, one after the other."""
    wanted = LANGUAGES if language not in LANGUAGES else (language,)
    return " / ".join(Template(_all()[name][each]).substitute(values) for each in wanted)
