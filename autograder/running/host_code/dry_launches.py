"""Launches for arrays far longer than any that is run: only their sizes are looked at, and no kernel works.

A grid has at most 65,535 blocks along y and z, and a block 1,024 threads. A host function that lays a long axis along
y, or gives its second kernel a thread for every block of the first, is right for all cases that can be run.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from autograder import backend
from autograder.contract import Case, Exercise, Values
from autograder.diagnosis import work_causes
from autograder.outcome import Cause
from autograder.running import buffers, exceptions
from autograder.running.host_code.host_lines import counted
from autograder.running.host_code.run_host import arguments_of
from autograder.running.runs import line_of
from simt import cuda_api
from simt.errors import InvalidLaunchError
from simt.launching.geometry import check_cooperative, check_launch, norm3
from simt.run import waits_for_grid

LONG = (1 << 21, 1 << 17)  # elements along one axis: more than 65,535 blocks of 32, or at least as many rows
MOST_ELEMENTS = 1 << 23  # of one array
MOST_BYTES = 1 << 25  # of all arrays of a long case, by those of a small one
MOST_LINES = 20_000  # of the host function: what loops over the data tells nothing here
MOST_LAUNCHES = 2_000  # wherever they come from: those of a loop over the data are alike


class _Enough(Exception):
    """What a loop over the data launches was looked at long enough."""


def refused(exercise: Exercise, function: Callable) -> tuple[Case, Cause] | None:
    """The first long case with a launch that no GPU accepts, or that leaves it empty, and the cause; None for none."""
    for case, values in _long_cases(exercise):
        try:
            widest = _call(exercise, function, values)
        except InvalidLaunchError as error:
            return case, exceptions.cause_of_error(error, line_of(error, function))[1]
        except Exception:  # what no kernel wrote may be anything, so the host's own code may fail on it
            continue
        if case.sizes in exercise.domain.long and widest < exercise.promises.threads:
            return case, work_causes.capped_launch(case.name, widest)
    return None


def _call(exercise: Exercise, function: Callable, values: Values) -> int:
    """Call a host function whose kernels do nothing, and return the threads of the widest launch.

    Raises InvalidLaunchError, and what the function raises.
    """
    left, threads = iter(range(MOST_LAUNCHES)), [0]

    def launcher(kernel, grid, block, *arguments, dynamic_shared_bytes=0, **_debug) -> None:
        if next(left, None) is None:
            raise _Enough
        check_launch(grid, block, dynamic_shared_bytes)
        threads.append(math.prod(norm3(grid)) * math.prod(norm3(block, "block")))
        if waits_for_grid(kernel):
            check_cooperative(norm3(grid), norm3(block, "block"))

    backend.prepare()
    with cuda_api.intercept(launcher), counted(function, MOST_LINES):
        function(*arguments_of(exercise, values))
    return max(threads)


def _long_cases(exercise: Exercise) -> Iterator[tuple[Case, Values]]:
    """Sizes that the domain calls long, then the smallest case with one size after the other made long, where that
    changes arrays and no scalar."""
    known = [case for case in exercise.cases if case.values == "exact" and all(case.sizes.values())]
    if not known:
        return
    smallest = min(known, key=lambda case: math.prod(case.sizes.values()))
    usual = buffers.make_values(exercise, smallest)
    for sizes in exercise.domain.long:
        case = replace(smallest, sizes=dict(sizes), trace=False)
        yield case, exercise.make(case.sizes, case.values, _Alike())  # type: ignore[arg-type]
    for name in smallest.sizes:
        for size in LONG:
            case = replace(smallest, sizes={**smallest.sizes, name: size}, trace=False)
            try:
                values = _made(exercise, smallest, usual, case, name)
            except (ValueError, IndexError, MemoryError):  # a size that the contract's values cannot have
                break
            if values is None:
                continue
            if _is_longer(values, usual):
                yield case, values
            break


def _made(exercise: Exercise, smallest: Case, usual: Values, case: Case, name: str) -> Values | None:
    """The contract's own values of a long case; None where they are more than a machine has at hand."""
    n_bytes = sum(np.asarray(value).nbytes for value in usual.values())
    too_many = math.prod(case.sizes.values()) > MOST_ELEMENTS
    if too_many or n_bytes * case.sizes[name] // smallest.sizes[name] > MOST_BYTES:
        return None
    return buffers.make_values(exercise, case)


class _Alike:
    """Draws numbers that are all alike, so that long arrays cost no time: nobody looks at them."""

    def integers(
        self, low: int, high: int | None = None, size: int | tuple[int, ...] = (), dtype: Any = np.int64
    ) -> np.ndarray:
        return np.broadcast_to(np.dtype(dtype).type(0 if high is None else low), size)

    def choice(self, values: np.ndarray, size: int | tuple[int, ...] = ()) -> np.ndarray:
        return np.broadcast_to(values[0], size)


def _is_longer(values: Values, usual: Values) -> bool:
    same = all(np.ndim(value) or value == usual[name] for name, value in values.items())
    return same and any(np.size(value) > np.size(usual[name]) for name, value in values.items())
