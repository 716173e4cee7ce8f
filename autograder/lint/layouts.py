"""Arguments whose memory layout makes a kernel dearer: slices and transposes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from types import FunctionType
from typing import Any

from autograder.lint.report import NOTE, LintFinding
from autograder.lint.source import parameters


def strided_arguments(function: FunctionType, signature: Sequence[Any]) -> Iterator[LintFinding]:
    """A note for the array arguments that are not C-contiguous: one kernel more to compile, and a dearer one."""
    pairs = zip(parameters(function), signature, strict=False)
    names = [name for name, argument in pairs if getattr(argument, "layout", "C") != "C"]
    if names:
        quoted = ", ".join(f"`{name}`" for name in names)
        yield LintFinding(
            kind="strided_argument",
            misconception="strided_argument",
            says=f"Not contiguous: {quoted}. A slice or a transpose keeps its strides, so numba compiles another "
            "kernel for it, and neighbouring threads may touch distant memory.",
            remedy="Pass the whole array, or np.ascontiguousarray(...) before the copy to the device.",
            severity=NOTE,
        )
