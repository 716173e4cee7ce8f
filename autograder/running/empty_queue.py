"""Does the work follow the numbers that a queue hands out? An answer may draw them, and walk a share of its own.

Such an answer gives the right result, with as many draws as a right one. So it is launched again: with a queue that is
empty from the beginning, where whoever does what it draws finds nothing to do, but for a first piece that a warp may
take by its own number; and with one that is half empty, where the same pieces are left out in any order of warps.
"""

from __future__ import annotations

import ast

import numpy as np

from autograder.answer.program import Program
from autograder.contract import Exercise, Values
from autograder.outcome import Cause
from autograder.running.buffers import fresh, make_values
from autograder.running.evidence import has_elements
from autograder.running.session import Session
from simt.hardware import WARP_SIZE
from simt.lanes.meter import Meter

BEYOND = 1 << 20  # where the counter of an empty queue begins: past all there is to draw
STEPS, SECONDS = 20_000, 60.0
MOST = 0.5  # of the elements that no warp may take by its own number
ORDERS = (None, 1, 2)  # of warps, as seeds


def ignored(session: Session) -> Cause | None:
    """The cause of a kernel whose work does not follow from what it draws. None without a queue, or where it does."""
    exercise = session.exercise
    if not exercise.queue or exercise.launch is None:
        return None
    for case in exercise.cases:
        values = make_values(exercise, case, session.secret)
        pieces, spared = _pieces(exercise, values), _by_own_number(exercise, values)
        if not case.trace or not has_elements(case) or 2 * spared > pieces:
            continue
        done = _done(session, values, BEYOND)
        if done is None:
            return None
        if np.count_nonzero(done) - spared > MOST * (pieces - spared):
            return _cause(exercise, session.program, BEYOND, "the work is done all the same", "decides nothing")
        half = pieces - (pieces - spared) // 2
        parts = [_done(session, values, half, seed) for seed in ORDERS]
        if any(part is not None and parts[0] is not None and (part != parts[0]).any() for part in parts):
            left = "other pieces are left out in another order of the warps"
            return _cause(exercise, session.program, half, left, "decides when a warp stops, and not what it works on")
        return None
    return None


def _done(session: Session, values: Values, begins: int, seed: int | None = None) -> np.ndarray | None:
    """(n,) bool, which elements of the largest output are written when the queue begins at a number.

    None where the kernel fails, draws nothing, or fills its queue itself.
    """
    exercise = session.exercise
    given = fresh(exercise, values | {exercise.queue: np.full_like(values[exercise.queue], begins)}, 0)
    name = max((one.name for one in exercise.outputs), key=lambda name: np.size(values[name]))
    before = np.array(given[name])
    run = session.runner(
        exercise, session.function, given, traced=False, seed=seed, seconds=SECONDS, meter=Meter(STEPS)
    )
    if run.error is not None or (np.asarray(run.outputs[exercise.queue]) <= begins).any():
        return None
    return np.asarray(run.outputs[name] != before)


def _by_own_number(exercise: Exercise, values: Values) -> int:
    """How many warps there are, each of which may begin without a draw."""
    grid, block = exercise.launch(values)[:2] if exercise.launch else (0, 0)
    return int(np.prod(grid)) * -(-int(np.prod(block)) // WARP_SIZE)


def _pieces(exercise: Exercise, values: Values) -> int:
    return max(np.size(values[argument.name]) for argument in exercise.outputs)


def _cause(exercise: Exercise, program: Program, begins: int, seen: str, decides: str) -> Cause:
    line = _draw(exercise, program)
    drawn = f"what line {line} draws" if line else "what is drawn"
    return Cause(
        "over_budget",
        _misconception(exercise),
        f"Launched with {exercise.queue}[0] = {begins:,} in place of 0, {seen}: {drawn} {decides}.",
        "Work on what the atomic returned, tell it to all lanes of the warp, and end when it is past the last piece.",
        (line,) if line else (),
        array=exercise.queue,
    )


def _misconception(exercise: Exercise) -> str:
    """What the contract calls too few draws, which these are as well: none that counts."""
    return next(budget.misconception for budget in exercise.budgets if budget.floor)


def _draw(exercise: Exercise, program: Program) -> int:
    """The line of the kernel with the first atomic on the queue; 0 where it lies elsewhere."""
    definition = program.definition
    if definition is None:
        return 0
    calls = [part for part in ast.walk(definition) if isinstance(part, ast.Call) and part.args]
    lines = [
        call.lineno
        for call in calls
        if ".atomic." in ast.unparse(call.func) and ast.unparse(call.args[0]) == exercise.queue
    ]
    return min(lines, default=0)
