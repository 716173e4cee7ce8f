"""Kernels that NVVM, the compiler below numba, cannot optimise although nothing is wrong with them.

Seen with NVVM of CUDA 13: "Symbol name with unsupported characters" for kernels whose every name is plain ASCII, at
levels 2 and 3 of optimisation and for GPUs before Blackwell. Level 1 compiles the same text.
"""

from __future__ import annotations

from types import FunctionType

from autograder.lint.report import NOTE, LintFinding


def is_of_nvvm(error: Exception) -> bool:
    """Whether NVVM refused it, after numba had typed and lowered it."""
    return "nvvm" in f"{type(error).__name__} {error}".lower()


def not_optimised(function: FunctionType) -> LintFinding:
    """The note on a kernel that was compiled at a lower level."""
    return LintFinding(
        kind="not_optimised",
        misconception="not_optimised",
        says=f"NVVM, the compiler below numba, fails while it optimises {function.__name__}, by a fault of its own. "
        "What is said of registers and instructions is of barely optimised code.",
        remedy="To launch it on a GPU, write @cuda.jit(opt=False), or one of its steps in another way.",
        lines=(function.__code__.co_firstlineno,),
        severity=NOTE,
    )
