"""One kernel that numba refuses, and the list of all."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

TPB = 32
WEIGHTS = [1, 2, 3]
NUMPY_TPB = np.int64(32)
SINGLES = np.zeros(64, np.float32)
TABLE = np.zeros((8, 8), np.float32)


@dataclass(frozen=True)
class Refused:
    """What is expected of one kernel. line: of the mistake, counted from the line with `def` in function `where`."""

    kernel: Callable
    arguments: tuple
    kind: str
    says: str
    remedy: str
    line: int
    where: Callable


REFUSED: list[Refused] = []


def refused(*arguments, kind: str, says: str, remedy: str = "", line: int = 1, where: Callable | None = None):
    """List the kernel below with what must be said about it."""

    def enter(kernel):
        REFUSED.append(Refused(kernel, arguments, kind, says, remedy, line, where or kernel))
        return kernel

    return enter
