"""A fast interpreter of unmodified numba.cuda kernels, for machines with and without a GPU.

``simt.launch(kernel, grid, block, *args)`` runs a kernel. ``simt.trace(...)`` also reports races, accesses out of
bounds, uninitialised reads, divergent barriers and the counters a profiler would show. ``simt.step(...)`` shows what
one block does, line by line. Needs NumPy only.
"""

from __future__ import annotations

from . import errors
from .launch import launch
from .stepper import step
from .trace import trace  # here, not lazily: importing simt.trace later would hide the function behind the module

__all__ = ["errors", "launch", "step", "trace"]
