"""`warpbook hint ID`: the ladder of hints without a notebook, one level at a time, for a file's mistake or to begin."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from autograder.machine.command_arguments import UsageError

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
    from autograder.exercises.hints import ladder_for

    try:
        exercise = exercises.find(arguments.id)
    except exercises.UnknownExerciseError as error:
        raise UsageError(str(error)) from error
    found = _misconception(exercise, arguments.file) if arguments.file else ""
    if found is None:
        return {"id": exercise.id, "hint": "", "level": 0, "levels": 0}, f"{exercise.function} is right."
    ladder = ladder_for(exercise, found).ladder
    if not 1 <= arguments.level <= len(ladder):
        raise UsageError(f"--level {arguments.level}: the levels of this hint are 1 to {len(ladder)}.")
    text = ladder[arguments.level - 1]
    document = {"id": exercise.id, "hint": text, "level": arguments.level, "levels": len(ladder)}
    return document, f"Hint {arguments.level} of {len(ladder)}: {text}"


def _misconception(exercise: Exercise, file: str) -> str | None:
    """What a check of the file finds first, "" where it has no name; None where the answer is right."""
    from autograder import judge
    from autograder.answer.program import Program, ProgramError

    try:
        program = Program.from_file(file, exercise.function)
    except ProgramError as error:
        raise UsageError(str(error)) from error
    outcome = judge.check(exercise, program)
    return None if outcome.passed else outcome.misconception
