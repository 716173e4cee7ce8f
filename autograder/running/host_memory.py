"""What a host function makes with np.empty holds the poison of the run, so that what nobody fills shows.

Real memory holds what was there before: two runs of one answer would differ, or agree, by chance.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import numpy as np

from autograder.running import buffers

MAKERS = ("empty", "empty_like")


@contextmanager
def poisoned(function: Callable, poison: int | None) -> Iterator[None]:
    """While the block runs, fill what the code of a function's own file gets from np.empty and np.empty_like."""
    filename = getattr(getattr(function, "__code__", None), "co_filename", None)
    originals = {name: getattr(np, name) for name in MAKERS}

    def filling(original: Callable) -> Callable:
        def make(*args, **kwargs):
            array = original(*args, **kwargs)
            if sys._getframe(1).f_code.co_filename == filename and array.dtype.kind in "biufc":
                buffers.fill(array, poison)
            return array

        return make

    for name, original in originals.items():
        setattr(np, name, filling(original))
    try:
        yield
    finally:
        for name, original in originals.items():
            setattr(np, name, original)
