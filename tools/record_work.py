"""Record how each exercise's own solution shares its work out over the threads, in `work.json` beside the contracts.

python -m tools.record_work            writes what changed
python -m tools.record_work --check    fails where a record is not what the solution does now
python -m tools.record_work --unit 03_memory_access
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from pathlib import Path

from autograder import exercises
from autograder.contract import Case, Exercise
from autograder.diagnosis import recorded_work
from autograder.exercises import own
from autograder.running import buffers, run_simt
from simt.tracing import Tracer
from tools.check_exercises import solution_of

SECONDS = 60.0


class SolutionError(RuntimeError):
    """An exercise's own solution did not run."""


def record_of(exercise: Exercise) -> dict | None:
    """What `work.json` should say of an exercise; None where no case is traced."""
    cases = {case.name: case for case in recorded_work.measured_cases(exercise)}
    counters = {name: counters_of(exercise, case) for name, case in cases.items()}
    sizes = {name: math.prod(case.sizes.values()) for name, case in cases.items()}
    return recorded_work.record(counters, sizes) if cases else None


def counters_of(exercise: Exercise, case: Case) -> dict[str, float]:
    """The counters of the solution on one case."""
    values = buffers.fresh(exercise, buffers.make_values(exercise, case), 0)
    run = run_simt.run_with(Tracer(), exercise, solution_of(exercise).load()[1], values, seed=0, seconds=SECONDS)
    if run.error is not None:
        raise SolutionError(f"{exercise.id}: its own solution fails at {case.name}: {run.error}") from run.error
    return run.counters


def path_of(unit: str) -> Path:
    """Where a unit's record is."""
    return own.package_of(unit) / recorded_work.FILE


def text_of(unit: str) -> str:
    """The whole file of a unit."""
    records = {exercise.id: record_of(exercise) for exercise in exercises.of_unit(unit)}
    return json.dumps({key: record for key, record in records.items() if record}, indent=1) + "\n"


def brought_up_to_date(unit: str, write: bool = True) -> bool:
    """Whether a unit's record was out of date; then it is written, if asked. Raises: SolutionError."""
    path, text = path_of(unit), text_of(unit)
    if path.exists() and path.read_text() == text:
        return False
    if write:
        path.write_text(text)
    return True


def main(arguments: list[str] | None = None) -> int:
    """Write or compare the records of all units. Returns 1 where one differs and --check was given."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="write nothing; fail where a record is out of date")
    parser.add_argument("--unit", help="only this one")
    wanted = parser.parse_args(arguments)
    units = [wanted.unit] if wanted.unit else sorted(exercises.units())
    stale = [str(path_of(unit)) for unit in units if brought_up_to_date(unit, write=not wanted.check)]
    if stale and wanted.check:
        print(f"Out of date: {', '.join(stale)}. Run make generated, and read the difference.", file=sys.stderr)
    return 1 if stale and wanted.check else 0


if __name__ == "__main__":
    sys.exit(main())
