"""Reading numbers as people type them, and comparing them with the truth."""

from __future__ import annotations

import math
import re
from typing import Any

from autograder.drills.deck.model import AnswerError

NUMBER = re.compile(r"[-+]?(?:\d[\d_]*(?:,\d{3})*(?:\.\d+)?|\.\d+)(?:e[-+]?\d+)?%?", re.IGNORECASE)
NONE = ("none", "no", "-", "无", "没有")


def read_number(answer: str) -> float:
    """One number: "1,024", "1e3", "12.5 us" and "3/4" are read. Raises: AnswerError, with an example."""
    text = answer.strip()
    ratio = re.fullmatch(r"(-?\d+(?:\.\d+)?)\s*/\s*(\d+(?:\.\d+)?)", text)
    if ratio and float(ratio[2]):
        return float(ratio[1]) / float(ratio[2])
    power = re.fullmatch(r"2\s*(?:\*\*|\^)\s*(\d+)", text)
    if power:
        return float(2 ** int(power[1]))
    found = NUMBER.findall(text)
    if len(found) != 1:
        raise AnswerError("32")
    number = float(found[0].rstrip("%").replace(",", "").replace("_", ""))
    return number / 100 if found[0].endswith("%") else number


def read_numbers(answer: str, count: int) -> tuple[int, ...]:
    """Whole numbers in order, as in "3, 17" or "(3, 17)"; () for "none". Raises: AnswerError."""
    if answer.strip().lower() in NONE:
        return ()
    found = re.findall(r"-?\d+", answer)
    if not found or (count and len(found) != count):
        raise AnswerError(", ".join(str(number) for number in range(3, 3 + max(count, 1))))
    return tuple(int(each) for each in found)


def agrees(given: float, truth: Any, tolerance: float) -> bool:
    """Within a relative tolerance; exactly, where that is 0."""
    if tolerance == 0:
        return math.isclose(given, truth, rel_tol=1e-9, abs_tol=1e-12)
    return abs(given - truth) <= tolerance * abs(truth)
