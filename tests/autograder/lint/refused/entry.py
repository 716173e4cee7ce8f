"""One kernel that numba refuses, and the list of all."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pytest

TPB = 32
WEIGHTS = [1, 2, 3]
NUMPY_TPB = np.int64(32)
SINGLES = np.zeros(64, np.float32)
HALVES = np.zeros(64, np.float16)
TABLE = np.zeros((8, 8), np.float32)


@dataclass(frozen=True)
class Refused:
    """What is expected of one kernel. line: of the mistake, counted from the line with `def` in function `where`;
    before_njit: numba takes it all the same once njit has compiled something in this process."""

    kernel: Callable
    arguments: tuple
    kind: str
    says: str
    remedy: str
    line: int
    where: Callable
    before_njit: bool = False


REFUSED: list[Refused] = []


def refused(
    *arguments,
    kind: str,
    says: str,
    remedy: str = "",
    line: int = 1,
    where: Callable | None = None,
    before_njit: bool = False,
):
    """List the kernel below with what must be said about it."""

    def enter(kernel):
        REFUSED.append(Refused(kernel, arguments, kind, says, remedy, line, where or kernel, before_njit))
        return kernel

    return enter


def skip_after_njit(one: Refused) -> None:
    """Skip what this process no longer refuses."""
    if one.before_njit and "numba.np.npyimpl" in sys.modules:
        pytest.skip("numba takes it once njit has compiled; tried in a process of its own")
