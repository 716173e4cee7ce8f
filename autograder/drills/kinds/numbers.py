"""Comparing the numbers that people type with the truth."""

from __future__ import annotations

import math
import re
from typing import Any

from autograder.drills.deck.model import Mark, Question
from autograder.drills.quantities import read_quantity
from autograder.drills.values.draws import filled, shown, worked_out

ROUNDED = 0.005  # what a number without an end may be off where a card asks for it exactly


def mark_number(question: Question, answer: str, tolerance: float) -> Mark:
    """One number, in the card's unit or another of its kind. Right: the formula's value, and those of `also_right`."""
    card, values = question.card, question.values
    given = read_quantity(answer, card.data.get("unit", ""), question.ask)
    allowed = [worked_out(card, "also_right", text, values) for text in card.data.get("also_right", ())]
    right = any(agrees(given, truth, tolerance) for truth in (values["truth"], *allowed))
    why = filled(card, "why", card.says("why", question.language), values)
    return Mark(float(right), with_unit(values["truth"], question), why, read=_read(answer, given, question))


def with_unit(value: Any, question: Question) -> str:
    """A number as it is told."""
    return f"{shown(value)} {question.unit}".strip()


def _read(answer: str, given: float, question: Question) -> str:
    """What an answer was taken to mean; "" where it is the number itself that was typed."""
    plain = re.sub(r"[ ,_]", "", answer)
    return "" if re.fullmatch(r"[-+]?\d*\.?\d*", plain) else with_unit(worked(given), question)


def worked(value: float) -> float:
    """A whole number as such."""
    return int(value) if math.isfinite(value) and value == int(value) else value


def agrees(given: float, truth: Any, tolerance: float) -> bool:
    """Within a relative tolerance. Exactly, where that is 0; a number without an end may be rounded."""
    if tolerance == 0 and has_an_end(truth):
        return math.isclose(given, truth, rel_tol=1e-9, abs_tol=1e-12)
    return abs(given - truth) <= max(tolerance, 0 if has_an_end(truth) else ROUNDED) * abs(truth) * (1 + 1e-9)


def has_an_end(value: float) -> bool:
    """Can it be written out with six digits?"""
    return math.isclose(float(f"{value:.6g}"), value, rel_tol=1e-12, abs_tol=1e-300) or value == int(value)
