"""Where an edited answer is tried: on one case after the other, in the interpreter, within a number of steps."""

from __future__ import annotations

import ast
import contextlib
import io
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from autograder.answer.program import Program, ProgramError
from autograder.contract import Case, Exercise, Values
from autograder.running import buffers, run_simt
from autograder.running.evidence import is_mistake
from autograder.running.held_to import is_wrong
from simt.lanes.meter import Meter

SECONDS = 20.0  # a guard against a hang of ours: the meter stops an answer long before
ROOM = 4  # times the steps that the answer itself takes, for an edited one
FEWEST_STEPS, MOST_STEPS = 2_000, 32_000  # for an edited one, on one case
STEPS_A_LAUNCH = 80  # that a launch of a host function takes as long as, with the copies and waits around it
STEPS_A_NODE = 0.6  # that reading, compiling and launching a source takes as long as, for each node of its tree


@dataclass
class Trials:
    """Cases with their values, and what the setup of an answer defines.

    setup: as `Program.set_up` gives it. steps_left: of the interpreter, for everything that is tried.
    tried: how many edited answers passed the first case.
    """

    exercise: Exercise
    program: Program
    setup: dict[str, Any]
    secret: str
    steps_left: float
    tried: int = 0
    _to_load: int = 0  # steps that go into an edited source before it runs: none is much longer than the answer
    _known: dict[str, tuple[Values, Mapping]] = field(default_factory=dict)
    _steps: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        with contextlib.suppress(SyntaxError, ValueError, RecursionError):
            self._to_load = int(STEPS_A_NODE * sum(1 for _ in ast.walk(ast.parse(self.program.source))))

    def loaded(self, source: str) -> Callable | None:
        """The answer's function with another source; None where that is no program."""
        self.steps_left -= self._to_load
        try:
            return self.program.beside(self.setup, source)
        except ProgramError:
            return None

    def passes(self, function: Callable, cases: Sequence[Case], traced: bool = False) -> bool:
        """Whether a function is right on all of these cases. traced: and nothing is found against it."""
        return all(self._is_right(function, case, traced) for case in cases)

    def hangs(self, function: Callable, case: Case) -> bool:
        """Whether threads of a block miss a barrier that others wait at."""
        run = self._run(function, case, self._of(case)[0], 0, traced=True)
        return run is not None and any(
            found.kind == "barrier_divergence" and is_mistake(found) for found in run.findings
        )

    def outside(self, function: Callable, case: Case) -> tuple[bool, frozenset[int]]:
        """Whether the numbers of a case come right, and the lines that access what lies outside of an array."""
        values, expected = self._of(case)
        run = self._run(function, case, values, 0, traced=True)
        if run is None:
            return False, frozenset()
        lines = frozenset(line for found in run.findings if found.kind == "out_of_bounds" for line in found.lines)
        return run.error is None and not is_wrong(self.exercise, case, values, expected, run.outputs), lines

    def passes_once(self, function: Callable, case: Case) -> bool:
        """Whether a function that nobody called before is right the first time."""
        return self._is_right(function, case, traced=False, poisons=(0,))

    def outputs(self, function: Callable, case: Case) -> dict[str, Any] | None:
        """What a function gives on a case; None where it ends otherwise."""
        run = self._run(function, case, self._of(case)[0], 0, traced=False)
        return None if run is None or run.error is not None else run.outputs

    def gives(self, function: Callable, case: Case, wanted: Mapping[str, Any]) -> bool:
        """Whether a function gives just that on a case, up to rounding."""
        outputs = self.outputs(function, case)
        return outputs is not None and not is_wrong(self.exercise, case, self._of(case)[0], wanted, outputs)

    def _is_right(self, function: Callable, case: Case, traced: bool, poisons: Sequence[int] = (0, 1)) -> bool:
        values, expected = self._of(case)
        for poison in poisons:
            run = self._run(function, case, values, poison, traced and case.trace and poison == 0)
            if run is None or run.error is not None or any(map(is_mistake, run.findings)):
                return False
            if is_wrong(self.exercise, case, values, expected, run.outputs):
                return False
            if buffers.changed_inputs(self.exercise, values, run.after):
                return False
        return True

    def _run(self, function: Callable, case: Case, values: Values, poison: int, traced: bool) -> Any:
        """One run; None where no steps are left."""
        if self.steps_left <= 0:
            return None
        agreed = self.exercise.launched_for(case)
        meter = Meter(min(self.steps_left, self._steps.get(case.name, MOST_STEPS)))
        fresh = buffers.fresh(self.exercise, values, poison)
        options: dict[str, Any] = {"traced": traced, "seed": poison, "seconds": SECONDS, "meter": meter}
        with contextlib.redirect_stdout(io.StringIO()), np.errstate(all="ignore"):
            run = run_simt.run(agreed, function, fresh, **options)
        self.steps_left -= meter.steps + STEPS_A_LAUNCH * len(run.launches) * (self.exercise.kind == "host")
        return run

    def measure(self, function: Callable, case: Case) -> None:
        """How many steps the answer itself takes on a case: edited ones get a few times as many."""
        before = self.steps_left
        self._steps[case.name] = MOST_STEPS // ROOM
        self._run(function, case, self._of(case)[0], 0, False)
        self._steps[case.name] = int(max(FEWEST_STEPS, ROOM * (before - self.steps_left)))

    def _of(self, case: Case) -> tuple[Values, Mapping]:
        """A case's values and what they should give, made once."""
        if case.name not in self._known:
            values = buffers.make_values(self.exercise, case, self.secret)
            with np.errstate(all="ignore"):
                expected = self.exercise.expected_of(buffers.fresh(self.exercise, values, None))
            self._known[case.name] = values, expected
        return self._known[case.name]
