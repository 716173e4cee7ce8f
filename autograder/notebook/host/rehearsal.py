"""Run host code in the interpreter, on a machine with a GPU as well, and see what its order allows.

    def too_early():
        ...  # streams, copies, launches, on arrays that it makes itself
    order = rehearsed(too_early)
    order.findings, order.steps

A GPU does what the program happens to get away with; the interpreter tells what it may rely on.
"""

from __future__ import annotations

from collections.abc import Callable

from autograder import backend
from autograder.answer.globals_as_source import program_of
from simt.host_order.watch import HostOrder, watch


def rehearsed(host_code: Callable[[], object]) -> HostOrder:
    """What the order of some host code allows: its steps, and its mistakes as `findings`.

    host_code: a function of a notebook cell or a file, without arguments. It makes its own arrays and streams, since
    those of a GPU mean nothing to the interpreter. What it prints is shown, and what it raises is raised.
    """
    backend.prepare()
    if not backend.gpu_available():
        with watch() as order:
            host_code()
        return order
    with backend.stand_in_as_numba_cuda(), program_of(host_code).loaded() as (_, again), watch() as order:
        again()
    return order
