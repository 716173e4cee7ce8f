"""A fast interpreter of unmodified numba.cuda kernels, for machines with and without a GPU.

``simt.launch(kernel, grid, block, *args)`` runs a kernel; ``simt.trace(...)`` also reports races, accesses out of bounds,
uninitialised reads, divergent barriers and the counters a profiler would show. Needs NumPy only.
"""

from __future__ import annotations

from . import errors
from .launch import launch

__all__ = ["errors", "launch", "trace"]


def __getattr__(name: str):
    """Load the tracer when it is first asked for."""
    if name == "trace":
        from .trace import trace

        globals()["trace"] = trace
        return trace
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
