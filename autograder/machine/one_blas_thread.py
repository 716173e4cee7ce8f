"""While answers are interpreted, products of matrices keep to one thread.

They are small and many. After each one the other threads of OpenBLAS wait for the next one at full speed, far longer
than it took: on a shared machine that is somebody else's processor. How a sum is shared out among threads is part of
its last bits, too. Asked of the library that NumPy has loaded, where it is OpenBLAS.
"""

from __future__ import annotations

import contextlib
import ctypes
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

VARIABLES = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}  # for a process of its own
NAMES = (  # as NumPy's wheels call them, and as they are called elsewhere
    "scipy_openblas_{}_num_threads64_",
    "scipy_openblas_{}_num_threads",
    "openblas_{}_num_threads64_",
    "openblas_{}_num_threads",
)


@dataclass(frozen=True)
class Threads:
    """How many threads the library uses: asked, and told."""

    number: Callable[[], int]
    use: Callable[[int], object]


@cache
def of_blas() -> Threads | None:
    """Those of NumPy's BLAS; None where it is another one, or none."""
    for library in _libraries():
        for name in NAMES:
            number, use = (getattr(library, name.format(verb), None) for verb in ("get", "set"))
            if number is not None and use is not None:
                number.argtypes, number.restype, use.argtypes, use.restype = [], ctypes.c_int, [ctypes.c_int], None
                return Threads(number, use)
    return None


def _libraries() -> Iterator[ctypes.CDLL]:
    """NumPy's own extension, whose symbols are those of all that it was linked with; on Windows what lies beside it."""
    import numpy

    core = getattr(sys.modules.get("numpy._core._multiarray_umath"), "__file__", None)
    beside = Path(numpy.__file__).parents[1] / "numpy.libs"
    for path in (core, *sorted(map(str, beside.glob("*openblas*.dll")))):
        with contextlib.suppress(OSError):
            if path:
                yield ctypes.CDLL(path)


_inside, _before = 0, 0
_lock = threading.Lock()


@contextlib.contextmanager
def one_blas_thread() -> Iterator[None]:
    """While a block of any thread runs, NumPy's BLAS uses one thread; afterwards as many as before the first one."""
    global _inside, _before
    threads = of_blas()
    if threads is None:
        yield
        return
    with _lock:
        if not _inside:
            _before = threads.number()
            threads.use(1)
        _inside += 1
    try:
        yield
    finally:
        with _lock:
            _inside -= 1
            if not _inside:
                threads.use(_before)
