"""A wrong kernel and the verdict it earns, as the README shows them: judged when the README is built, never typed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from autograder.exercises import find
from autograder.exercises.catalogue import answers_for
from autograder.judge import check

EXERCISE, ANSWER = "reductions.block_sum_sequential", "no_barrier_between_turns"


def sample_verdict(root: Path) -> str:
    """The kernel and its verdict in the interpreter, as two blocks of Markdown; lines count from the kernel's first.

    root: unused; every generated part of the README is called with it.
    Raises: RuntimeError when the verdict is not about the race, so that no failure of ours becomes the example.
    """
    exercise = find(EXERCISE)
    program = next(answer for answer in answers_for(exercise) if answer.name == ANSWER).program
    kernel = program.source.strip("\n")
    outcome = check(
        exercise, replace(program, source=kernel, filename="mine.py", first_line=1, context=""), device="simt"
    )
    if not any(cause.kind == "race" for cause in outcome.causes):
        raise RuntimeError(f"The README's example has to be a race, but the judge says:\n{outcome}")
    return f"```python\n{kernel}\n```\n\n```\n{outcome}\n```"
