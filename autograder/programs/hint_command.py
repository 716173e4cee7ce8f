"""`warpbook hint ID`: the ladder of hints without a notebook, one level at a time, for a file's mistake or to begin."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from autograder.machine.command_arguments import UsageError
from autograder.outcome import Outcome

if TYPE_CHECKING:
    from autograder.contract import Exercise


def add_arguments(hint) -> None:
    """The options of `warpbook hint`."""
    hint.add_argument("id", help="exercise id, as in vector_add.vector_add")
    hint.add_argument("file", nargs="?", help="Python file with the answer: the hint is about its mistake")
    hint.add_argument("--level", type=int, default=1, metavar="N", help="1 is the gentlest; default: 1")


def run(arguments) -> tuple[dict[str, Any], str]:
    """The hint, and which one of how many it is. Raises UsageError for what cannot be used."""
    from autograder import exercises
    from autograder.repair.hints import ladder_of

    try:
        exercise = exercises.find(arguments.id)
    except exercises.UnknownExerciseError as error:
        raise UsageError(str(error)) from error
    outcome = _checked(exercise, arguments.file) if arguments.file else None
    if outcome is not None and outcome.passed:
        return {"id": exercise.id, "hint": "", "level": 0, "levels": 0}, f"{exercise.function} is right."
    ladder = ladder_of(exercise, outcome).ladder
    if not 1 <= arguments.level <= len(ladder):
        raise UsageError(f"--level {arguments.level}: the levels of this hint are 1 to {len(ladder)}.")
    text = ladder[arguments.level - 1]
    document = {"id": exercise.id, "hint": text, "level": arguments.level, "levels": len(ladder)}
    return document, f"Hint {arguments.level} of {len(ladder)}: {text}"


def _checked(exercise: Exercise, file: str) -> Outcome:
    """The verdict on a file."""
    from autograder import judge
    from autograder.answer.program import Program, ProgramError

    try:
        program = Program.from_file(file, exercise.function)
    except ProgramError as error:
        raise UsageError(str(error)) from error
    return judge.check(exercise, program)
