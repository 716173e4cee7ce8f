"""What the number of a card counts, in the learner's language."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from autograder.drills.deck.yaml_file import content_of

FILE = Path(__file__).with_name("units.yaml")
SYMBOL = re.compile(r"[munkMGT]?s|[KMG]?i?B(/s)?|[KMG]bit/s|us")  # the same everywhere


@cache
def _units() -> dict[str, dict]:
    return content_of(FILE)


def is_known(unit: str) -> bool:
    """Can it be said in both languages?"""
    return bool(SYMBOL.fullmatch(unit)) or unit in _units()


def other_names(unit: str) -> tuple[str, ...]:
    """What people also call it, in either language."""
    entry = _units().get(unit, {})
    return (*entry.get("also", ()), *([entry["zh"]] if entry else ()))


@cache
def every_name() -> frozenset[str]:
    """Whatever a counted thing is called on any card, in small letters."""
    return frozenset(name.lower() for unit in _units() for name in (unit, *other_names(unit)))


def unit_in(unit: str, language: str) -> str:
    """As a reader wants it after a number; in both languages, one after the other."""
    chinese = _units().get(unit, {}).get("zh", unit)
    if language == "both" and chinese != unit:
        return f"{unit} / {chinese}"
    return chinese if language == "zh" else unit
