"""Hints as prose: `hints.md` beside a unit's contracts, `common_hints.md` beside this file, and the reader of both.

    # Hints of unit 04, shared memory      the first heading: what follows is for every exercise of the unit

    ## no_guard                            a misconception, and its ladder:

    1. A nudge.                            a step a number; its sentences may go on in the lines below
    2. The concept.
    3. The place.

    ```python
    if i < n: ...                          the skeleton, the last step
    ```

    # stencil_1d, blur_5x5                 what follows is for these exercises, and goes before the unit's own

What neither says of an exercise, the common hints say.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path

from autograder.contract import Exercise, Hint

COMMON = Path(__file__).with_name("common_hints.md")
STEP = re.compile(r"(\d+)\. +(\S.*)")
FENCE = "```"


class HintsError(ValueError):
    """A file of hints cannot be read; `path` and `line` say where."""

    def __init__(self, path: Path, line: int, problem: str):
        self.path, self.line = path, line
        super().__init__(f"{path}:{line}: {problem}")


@dataclass
class Ladder:
    """One ladder of a file. exercises: the functions it is for, () for the whole unit; line: of its heading."""

    misconception: str
    exercises: tuple[str, ...]
    line: int
    steps: list[str] = field(default_factory=list)
    skeleton: list[str] | None = None

    @property
    def hint(self) -> Hint:
        """The ladder as the contract knows it."""
        return Hint(self.misconception, (*self.steps, *(["\n".join(self.skeleton)] if self.skeleton else [])))


def with_hints(module: str, *exercises: Exercise) -> tuple[Exercise, ...]:
    """The exercises of a unit, each with its hints: its own ladders first, then its unit's, then the common ones.

    module: the unit's ``__file__``, beside which `hints.md` lies. Raises: HintsError, also for an unknown exercise.
    """
    path = Path(module).with_name("hints.md")
    ladders = ladders_of(path)
    functions = {exercise.function for exercise in exercises}
    for ladder in ladders:
        if unknown := set(ladder.exercises) - functions:
            names = ", ".join(sorted(unknown))
            raise HintsError(path, ladder.line, f"the unit has no exercise {names}. Correct the heading above it.")
    return tuple(replace(exercise, hints=hints_for(exercise.function, ladders)) for exercise in exercises)


def hints_for(function: str, ladders: tuple[Ladder, ...] = ()) -> tuple[Hint, ...]:
    """One hint for each misconception, the most particular one. ladders: of the unit's file, () where it has none."""
    own = [ladder for ladder in ladders if function in ladder.exercises]
    of_unit = [ladder for ladder in ladders if not ladder.exercises]
    chosen: dict[str, Hint] = {}
    for ladder in (*own, *of_unit, *ladders_of(COMMON)):
        chosen.setdefault(ladder.misconception, ladder.hint)
    return tuple(chosen.values())


@cache
def ladders_of(path: Path) -> tuple[Ladder, ...]:
    """Every ladder of a file, in its order. Raises: HintsError for a file that is missing or of another form."""
    if not path.is_file():
        raise HintsError(path, 1, "there is no such file. Every unit has one; autograder/exercises/hints.py shows how.")
    ladders: list[Ladder] = []
    exercises: tuple[str, ...] | None = None  # before the first heading
    open_at = 0  # line of the skeleton that is open
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        try:
            if open_at:
                open_at = open_at if line != FENCE else 0
                ladders[-1].skeleton += [line] if open_at else []
            elif line.startswith("## "):
                ladders.append(_begun(line[3:].strip(), exercises or (), number, ladders))
            elif line.startswith("# "):
                exercises = () if exercises is None else tuple(line[2:].replace(",", " ").split())
            elif line.strip():
                open_at = number if _extended(ladders, line) else 0
        except ValueError as problem:
            raise HintsError(path, number, str(problem)) from None
    if open_at:
        raise HintsError(path, open_at, f"this skeleton is never closed. End it with {FENCE}.")
    return tuple(ladders)


def _begun(misconception: str, exercises: tuple[str, ...], line: int, before: list[Ladder]) -> Ladder:
    """A new ladder. Raises: ValueError where one of these exercises, or the unit, has one for the misconception."""
    for other in before:
        again = other.misconception == misconception
        if again and (set(other.exercises) & set(exercises) or other.exercises == exercises):
            raise ValueError(f"a second ladder for {misconception}; the first is in line {other.line}. Keep one.")
    return Ladder(misconception, exercises, line)


def _extended(ladders: list[Ladder], line: str) -> bool:
    """Add a line to the last ladder. Returns: whether it opens a skeleton. Raises: ValueError where it does not fit."""
    if not ladders or ladders[-1].skeleton is not None:
        raise ValueError(f"{line.strip()!r} belongs to no ladder. Begin one with `## misconception`.")
    steps = ladders[-1].steps
    if line.startswith(FENCE):
        ladders[-1].skeleton = []
        return True
    step = STEP.fullmatch(line)
    if step and int(step[1]) != len(steps) + 1:
        raise ValueError(f"step {step[1]} follows step {len(steps)}. Count 1, 2, 3.")
    if step:
        steps.append(step[2])
    elif line.startswith("   ") and steps:
        steps[-1] += f" {line.strip()}"
    else:
        raise ValueError(f"{line.strip()!r} belongs to no step. Number it, or indent it by three.")
    return False


def ladder_for(exercise: Exercise, misconception: str) -> Hint:
    """The first ladder of an exercise for a misconception, or the one that starts it."""
    by_name = {hint.misconception: hint for hint in reversed(exercise.hints)}
    return by_name.get(misconception) or by_name.get("start") or exercise.hints[0]
