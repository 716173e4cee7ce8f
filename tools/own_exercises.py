"""Exercises of one's own in a folder outside the repository: start one, and prove all of them.

    python -m tools.own_exercises new FOLDER scale_rows
    python -m tools.own_exercises check FOLDER

`warpbook new-exercise` and `warpbook check-exercises` call this. What `new` writes is whole: it builds, and `check`
proves it. `check` first brings the notebooks and the record of the solutions' work up to date with their sources.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from autograder import exercises
from autograder.answer.program import ProgramError
from autograder.exercises import own
from tools import check_exercises, record_work
from tools.build_notebooks import ReleaseError, build
from tools.new_unit import create

FIRST_NUMBER = 50  # of units; the course's are below
FROM_A_NOTEBOOK = ', "../.."'  # the folder, from FOLDER/course/50_scale_rows, where a learner's notebook lies


def new(folder: Path, name: str, unit: str = "", title: str = "") -> list[Path]:
    """Write a unit with one exercise, its record and its notebooks. Returns: the files written.

    Raises: ValueError for names of another form, among them own.OwnFolderError; FileExistsError.
    """
    unit = unit or f"{_free_number(folder)}_{name}"
    title = title or name.replace("_", " ").capitalize()
    if any(unit[3:] == other[3:] for other in exercises.units()):
        raise ValueError(f"There is a unit about {unit[3:]!r} already. Pass another --unit, as in --unit 51_my_{name}.")
    written = create(folder, unit, title, name, packages="", where=FROM_A_NOTEBOOK)
    exercises.add_folder(folder)
    bring_up_to_date(folder, [unit])
    return written


def bring_up_to_date(folder: Path, units: list[str]) -> None:
    """Write the records of these units and all notebooks of the folder.

    Raises: SourceError, ReleaseError, record_work.SolutionError.
    """
    for unit in units:
        record_work.brought_up_to_date(unit)
    build(folder)


def check(folder: Path, identifier: str | None, matrices: list[str]) -> bool:
    """Bring everything up to date, then print the matrices. Returns: whether every row is as promised.

    Raises: as `bring_up_to_date`, own.OwnFolderError, exercises.UnknownExerciseError.
    """
    exercises.add_folder(folder)
    units = [module[1:] for module in own.modules_in(folder)]
    bring_up_to_date(folder, units)
    ids = [one.id for unit in units for one in exercises.of_unit(unit)]
    chosen = [exercises.find(identifier).id] if identifier else ids
    return bool(check_exercises.prove_all(chosen, matrices or check_exercises.MATRICES))


def _free_number(folder: Path) -> int:
    """The number after the last of the folder's units."""
    taken = [int(module[1:3]) for module in own.modules_in(folder)]
    if taken and max(taken) >= 99:
        raise ValueError(f"{folder} has a unit 99, and numbers have two digits. Pass one that is free with --unit.")
    return max([FIRST_NUMBER - 1, *taken]) + 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(dest="command", required=True)
    begun = commands.add_parser("new", help="write an exercise that works at once")
    begun.add_argument("folder", type=Path, help="made where it is missing")
    begun.add_argument("name", help="of the function to write, as in scale_rows")
    begun.add_argument("--unit", default="", help="as in 51_scaling; default: the next number and the name")
    begun.add_argument("--title", default="", help="as in 'Scale rows'")
    checked = commands.add_parser("check", help="bring notebooks and records up to date, and print four matrices")
    checked.add_argument("folder", type=Path)
    checked.add_argument("--exercise", help="only this one, by id")
    checked.add_argument("--matrix", action="append", default=[], choices=check_exercises.MATRICES)
    return parser


def main(arguments: list[str] | None = None) -> int:
    """Returns 0; 1 where a row is not as promised; 2, with a sentence, for what cannot be used."""
    options = _parser().parse_args(arguments)
    folder = options.folder.expanduser().resolve()
    try:
        if options.command == "check":
            return int(not check(folder, options.exercise, options.matrix))
        written = new(folder, options.name, options.unit, options.title)
    except (
        ValueError,
        OSError,
        ProgramError,
        ReleaseError,
        record_work.SolutionError,
        exercises.UnknownExerciseError,
    ) as problem:
        print(problem, file=sys.stderr)
        return 2
    print("\n".join(str(path) for path in written))
    print(f"Replace them piece by piece; then `warpbook check-exercises {folder}`.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
