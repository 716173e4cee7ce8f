"""Kernels of readers: functions that this process has and no module of ours, known by a digest of their text.

They are compiled here and not in worker processes, which have no such function.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from minitrt.kernels.text import digest_of, plain_function

OWN = "own"  # the factory's name
FUNCTIONS: dict[str, Any] = {}  # digest -> what was given: a function, or one that is jitted already
Kind = tuple[str, int]  # NumPy's name of a type, and axes: 0 for a number


class ForgottenKernel(KeyError):
    """A digest of which this process has no function. Attribute: digest."""

    def __init__(self, name: str, digest: str) -> None:
        super().__init__(f"kernel {name!r} with text {digest} is not in this process: register its tactic first")
        self.digest = digest


def remembered(kernel: Any, kinds: Sequence[Kind], threads: int) -> dict[str, Any]:
    """The constants of a kernel's key. kinds: of its arguments; threads: of a block."""
    digest = digest_of(kernel)
    FUNCTIONS[digest] = kernel
    return {"name": plain_function(kernel).__name__, "text": digest, "kinds": tuple(kinds), "threads": threads}


def factory(name: str, text: str, kinds: Sequence[Kind], threads: int) -> tuple[Callable, Any, int, dict[str, Any]]:
    """The function, its signature, threads, and what it was jitted with. Raises: ForgottenKernel."""
    from numba import types

    if text not in FUNCTIONS:
        raise ForgottenKernel(name, text)
    kernel = FUNCTIONS[text]
    arguments = [
        types.Array(getattr(types, dtype), axes, "C") if axes else getattr(types, dtype) for dtype, axes in kinds
    ]
    options = getattr(kernel, "targetoptions", {})
    given = {key: options[key] for key in ("launch_bounds", "fastmath") if options.get(key)}
    return plain_function(kernel), types.void(*arguments), threads, given
