"""Kernels and functions of the solved notebooks, by the exercise's id."""

from __future__ import annotations

from functools import cache
from typing import Any

from autograder import exercises
from autograder.answer import reference


@cache
def solved(exercise_id: str) -> Any:
    """What an exercise's own solution defines. Raises: FileNotFoundError without solved notebooks."""
    return reference.solved(exercises.find(exercise_id)).load()[1]


def part_of(exercise_id: str, name: str) -> Any:
    """A device function or a constant that a solution's cells define beside its kernel."""
    return solved(exercise_id).py_func.__globals__[name]
