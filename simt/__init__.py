"""A fast interpreter of unmodified numba.cuda kernels, for machines with and without a GPU.

``simt.launch(kernel, grid, block, *args)`` runs a kernel. ``simt.trace(...)`` also reports races, accesses out of
bounds, uninitialised reads, divergent barriers and the counters a profiler would show. ``simt.step(...)`` shows what
one block does, line by line. ``simt.bound_of(trace, "h200")`` is the least time that a GPU could take, and
``simt.figures`` draws. Needs NumPy only, and loads nothing before it is asked for.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from simt import errors, figures
    from simt.run import launch
    from simt.stepper import step
    from simt.timing.roofline import bound_of
    from simt.tracing import trace

__all__ = ["bound_of", "errors", "figures", "launch", "step", "trace"]

# No function here bears the name of a module of this package: an import of that module would put it in its place.
_HOMES = {
    "bound_of": "simt.timing.roofline",
    "launch": "simt.run",
    "step": "simt.stepper",
    "trace": "simt.tracing",
}


def __getattr__(name: str):
    """A public name, loaded when it is first asked for (PEP 562)."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}. It has {', '.join(__all__)}.")
    value = getattr(import_module(_HOMES[name]), name) if name in _HOMES else import_module(f"simt.{name}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """What is documented, whether it is loaded or not."""
    return sorted({*globals(), *__all__})
