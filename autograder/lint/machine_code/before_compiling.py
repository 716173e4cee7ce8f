"""What is done once before numba compiles: what it never needs is not loaded, and what it changes stays as it is."""

from __future__ import annotations

import contextlib
import importlib
import sys
from functools import cache
from typing import Any

from autograder.lint.machine_code import once_for_all
from autograder.machine.uncollected import uncollected

LINEAR_ALGEBRA = "scipy.linalg"
COLOURED = ("numba.core.errors", "numba.cuda.core.errors")


@cache
def prepare() -> None:
    """Import what numba compiles with. Called with its lock held, so by one thread at a time."""
    with uncollected():
        _import_without_scipy()
    _leave_stdout_alone()
    once_for_all.keep()


def _import_without_scipy() -> None:
    """Import what numba says of functions on arrays, which loads SciPy's linear algebra to look for a BLAS: for
    products of matrices on the CPU, which no kernel has. (numba has loaded SciPy itself, for its version.)
    """
    hidden = LINEAR_ALGEBRA not in sys.modules
    if hidden:
        sys.modules[LINEAR_ALGEBRA] = None  # type: ignore[assignment]
    try:
        from numba.cuda.np import arraymath  # noqa: F401
    finally:
        if hidden:
            del sys.modules[LINEAR_ALGEBRA]


def _leave_stdout_alone() -> None:
    """Where colorama is installed, numba puts another `sys.stdout` there while it colours a message, and afterwards the
    one that it found. Beside it a check redirects what an answer prints: it may have found that, and then all that is
    printed later is lost. Colours need no other `sys.stdout`, but on a Windows that nobody has.
    """
    for name in COLOURED:
        with contextlib.suppress(ImportError):
            errors: Any = importlib.import_module(name)
            if hasattr(errors, "ColorShell"):
                errors.ColorShell = contextlib.nullcontext
