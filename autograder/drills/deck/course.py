"""Everything that drills take from the rest of autograder, in one place."""

from __future__ import annotations

from autograder import exercises, judge
from autograder.answer import reference
from autograder.answer.program import Piece, Program, ProgramError
from autograder.contract import Argument, Budget, Case, Exercise, Hint

__all__ = [
    "Argument", "Budget", "Case", "Exercise", "Hint", "Piece", "Program", "ProgramError", "exercises", "judge",
    "reference",
]  # fmt: skip
