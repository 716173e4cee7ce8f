"""Run host code in the interpreter, on a machine with a GPU as well, and see what its order allows.

    def too_early():
        ...  # streams, copies, launches, on arrays that it makes itself
    order = rehearsed(too_early)
    order.findings, order.steps

A GPU does what the program happens to get away with; the interpreter tells what it may rely on.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

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
    with _stand_in_as_numba_cuda(), program_of(host_code).loaded() as (_, again), watch() as order:
        again()
    return order


@contextmanager
def _stand_in_as_numba_cuda() -> Iterator[None]:
    """While the block runs, `from numba import cuda` gives the interpreter's module, as where there is no numba."""
    import numba

    from simt import cuda_api

    names = {name: module for name, module in sys.modules.items() if name == "numba.cuda"}
    theirs = numba.cuda
    numba.cuda = cuda_api.cuda
    sys.modules["numba.cuda"] = cuda_api.cuda
    try:
        yield
    finally:
        numba.cuda = theirs
        sys.modules.update(names)
