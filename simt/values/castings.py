"""How numba rates the conversion of a number to the type that a signature declares: what it has of several to choose.

Source: numba_cuda/numba/cuda/typeconv/rules.py, 0.30.4, whose rules these are; a test compares all pairs of types.
"""

from __future__ import annotations

from functools import cache

import numpy as np

EXACT, PROMOTE, SAFE, UNSAFE = range(4)
CHAINS = {  # each type is promoted to the next one
    PROMOTE: (
        "int8 int16 int32 int64", "uint8 uint16 uint32 uint64", "float16 float32 float64", "complex64 complex128",
    ),
    SAFE: (
        "bool int8", "bool uint8", "uint8 int16", "uint16 int32", "uint32 int64", "int8 float16", "int16 float32",
        "int32 float64", "int64 float64", "uint64 float64", "float32 complex64", "float64 complex128",
    ),
    UNSAFE: ("int16 float16", "int32 float32"),
}  # fmt: skip
ONE_WAY = ("complex64", "complex128")  # what no other number is made of these


@cache
def _rules() -> dict[tuple[str, str], int]:
    rules: dict[tuple[str, str], int] = {}
    for code, chains in CHAINS.items():
        for chain in chains:
            names = chain.split()
            for one, other in zip(names, names[1:], strict=False):
                rules[one, other] = min(code, rules.get((one, other), UNSAFE))
                if other not in ONE_WAY or one in ONE_WAY:
                    rules.setdefault((other, one), UNSAFE)
    names = sorted({name for pair in rules for name in pair})
    for middle in names:  # a way over others is as good as its worst step
        for one in names:
            for other in names:
                through = max(rules.get((one, middle), UNSAFE + 1), rules.get((middle, other), UNSAFE + 1))
                if through < rules.get((one, other), UNSAFE + 1):
                    rules[one, other] = through
    return rules


def rating(given: np.dtype, declared: np.dtype) -> int | None:
    """EXACT, PROMOTE, SAFE or UNSAFE; None where numba has no conversion."""
    return EXACT if given == declared else _rules().get((given.name, declared.name))
