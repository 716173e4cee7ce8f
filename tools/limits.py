"""Every limit of a contract beside what its own solution spends, and the room that it leaves to a right answer.

python -m tools.limits                         all of them, those that leave least first
python -m tools.limits --unit 09_streams       of one unit
python -m tools.limits --exact                 those that leave none

Where there is no room, the line ends with why: words of the task that promise the number, or that nothing at all is
allowed. Exits with 1 where a limit is as tight for another reason.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from autograder import exercises
from autograder.contract import Exercise
from autograder.diagnosis import budget
from autograder.diagnosis.budget import ROOM
from autograder.lint.report import COMPILED
from autograder.running import buffers, run_simt
from simt.lanes.meter import Meter
from tools.check_exercises import solution_of
from tools.record_work import SECONDS, SolutionError

STEPS = 10_000_000


@dataclass(frozen=True)
class Limit:
    """One limit. own: what the solution spends; held_to: what an answer may; words: of the task, which promise it."""

    exercise: str
    counter: str
    own: float
    held_to: float
    floor: bool
    words: str = ""

    @property
    def room(self) -> float:
        """Beyond what the solution spends, as a share of it; of 1 where it spends nothing."""
        beyond = self.own - self.held_to if self.floor else self.held_to - self.own
        return beyond / (abs(self.own) or 1)

    @property
    def reason(self) -> str:
        """Why no room is left; "" where it is."""
        if self.words:
            return f"promised: {self.words!r}"
        if not self.held_to:
            return "nothing is allowed"
        return "no less would do" if self.floor and self.own - 1 < self.held_to <= self.own else ""

    @property
    def is_too_tight(self) -> bool:
        """Whether it leaves less than the rule asks for, and nothing says why."""
        return self.room < ROOM / 2 and not self.reason

    def __str__(self) -> str:
        way = "at least" if self.floor else "at most"
        room = f"{self.room:>7.0%}"
        return f"{room}  {self.exercise}  {self.counter}: {self.own:g}, {way} {self.held_to:g}  {self.reason}".rstrip()


def limits_of(exercise: Exercise) -> Iterator[Limit]:
    """The limits of an exercise, but those on machine code, which depends on the compiler. Raises: SolutionError."""
    counters: dict[str, tuple[dict[str, float], int]] = {}
    with solution_of(exercise).loaded() as (_, function):
        for one in exercise.budgets:
            name = budget.case_name_of(exercise, one.sizes)
            if one.counter in COMPILED or not name:
                continue
            if name not in counters:
                counters[name] = _counted(exercise, function, name)
            alone = replace(exercise, budgets=(replace(one, quiet=False),))
            (result, *_), _ = budget.evaluate(alone, *({name: part} for part in counters[name]))
            own = budget.measure(one.counter, *counters[name])
            words = exercise.promises.exactly.get(one.counter, "")
            yield Limit(exercise.id, one.counter, own, result.at_most, one.floor, words)


def _counted(exercise: Exercise, function: Callable, name: str) -> tuple[dict[str, float], int]:
    """Counters of the solution on a case, and the bytes that it has to move."""
    case = next(case for case in exercise.cases if case.name == name)
    values = buffers.make_values(exercise, case)
    options = {"seed": 0, "seconds": SECONDS, "meter": Meter(STEPS), "traced": True}
    run = run_simt.run(exercise, function, buffers.fresh(exercise, values, 0), **options)
    if run.error is not None:
        raise SolutionError(f"{exercise.id}: its own solution fails at {name}: {run.error}") from run.error
    return run.counters, budget.compulsory_bytes(exercise, values)


def main(arguments: list[str] | None = None) -> int:
    """Print the limits. Returns 1 where one is as tight as the solution, and nothing says why."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--unit", help="only this one")
    parser.add_argument("--exact", action="store_true", help="only those that leave no room")
    wanted = parser.parse_args(arguments)
    chosen = exercises.of_unit(wanted.unit) if wanted.unit else exercises.all_exercises()
    found = sorted((one for each in chosen for one in limits_of(each)), key=lambda one: one.room)
    print("\n".join(str(one) for one in found if one.room <= 0 or not wanted.exact))
    tight = [one for one in found if one.is_too_tight]
    if tight:
        print(f"{len(tight)} as tight as the solution, and nothing says why.", file=sys.stderr)
    return int(bool(tight))


if __name__ == "__main__":
    sys.exit(main())
