"""Where `simt` leaves something else than a GPU did, and why: what the compiler is free to choose, mostly.

An entry whose difference no longer occurs fails the test, so this is always the whole list.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from tests.corners.cases import Case
from tests.corners.running import operands_of

AFTER_A_POWER = r"(a \*\* b|pow\(a, b\)|min\(a, b\)|a (<|<=|>) b)"


@dataclass(frozen=True)
class Known:
    """text: of the cases, a pattern; operands: their types, a pattern of them joined by spaces; lanes: which differ."""

    text: str
    operands: str
    lanes: Callable[..., np.ndarray]
    why: str

    def covers(self, case: Case) -> bool:
        """Whether it is about this case."""
        return bool(
            re.fullmatch(self.text, case.text, re.DOTALL) and re.fullmatch(self.operands, " ".join(case.operands))
        )


def _is_least(values: np.ndarray) -> np.ndarray:
    return values == np.iinfo(values.dtype).min


def _is_far(*operands: np.ndarray) -> np.ndarray:
    """Bounds from a quarter of the numbers on that a range counts in."""
    limit = 2**30 if any(values.dtype == np.int32 for values in operands) else 2**62
    return np.any([np.abs(values.astype(float)) >= limit for values in operands], axis=0)


KNOWN = (
    Known(
        r"uint8\(a\)", "float32|float64", lambda a: ~(a < 256),
        "a conversion to 8 bits gives 16, which the compiler takes for 8 where they are used at once",
    ),
    Known("a >> 64", "int.*", lambda a: a < 0, "a shift by a literal of 64 is undefined"),
    Known(r"-a|abs\(a\)|-a // 2", "int16", _is_least, "abs and minus of the smallest int16 are positive on a GPU"),
    Known(
        r"a % 0\.3", "uint64", lambda a: a > 2**53,
        "the compiler takes the remainder of an unsigned number for positive, and a rounded one is not",
    ),
    Known(
        AFTER_A_POWER, ".* int(32|64)", lambda a, b: _is_least(b),
        "an exponent that has no magnitude ends the thread, and what its kernel still had to do is not done",
    ),
    Known(
        r"math\.copysign\(a, b\)", "float16 float16", lambda a, b: np.isnan(b),
        "numba converts halves, and the NaN of a conversion has no sign",
    ),
    Known(
        r".*range\(.*", "u?int64|(u?int64|int32) (u?int64|int32)", _is_far,
        "bounds of a range whose distance its type does not hold",
    ),
)  # fmt: skip


def expected(case: Case) -> np.ndarray:
    """The elements of a case that may differ."""
    operands = operands_of(case)
    found = [one.lanes(*operands) for one in KNOWN if one.covers(case)]
    return np.any(found, axis=0) if found else np.zeros(len(operands[0]), bool)
