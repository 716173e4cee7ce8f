"""What writing kernels by the thousand, and comparing an H200's bytes, brought to light, and what became of it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Found:
    """what: gave other bytes. then: the test that holds the mended interpreter to it, or why it is not generated."""

    what: str
    then: str


UNDEFINED = "not generated: numba-cuda leaves it undefined"
FOUND = (
    Found("min and max of floats: a number beats NaN, 0.0 beats -0.0", "mended: test_rounding.py"),
    Found("cuda.fma rounds once", "mended: test_rounding.py"),
    Found("-x and ~x of uint8, uint16, uint32 are taken before they widen", "mended: test_unary_types.py"),
    Found("popc of negative numbers", "mended: test_unary_types.py"),
    Found("0.0 in some lanes and -0.0 in others became one of them", "mended: test_unary_types.py"),
    Found("a if c else b had the type of the side all threads take", "mended: test_numba_typing.py"),
    Found("a variable after an if had the type of the side all threads take", "mended: test_branch_types.py"),
    Found("int64 sums and products that overflow: the compiler takes squares for positive", UNDEFINED),
    Found("conditions that numba decides while it compiles, so that only one side has a type", "not generated"),
    Found("abs and minus of the smallest int8 or int16 are positive on the H200", "not generated"),
    Found("max(0.0, -0.0) of two constants is folded to either", "not generated"),
    Found("integer powers above 2^53 are rounded to float64 under Python 3.11, not under 3.12", "exact, as under 3.12"),
    Found("a * b + c of floats may be fused, which rounds once", "not generated: the interpreter rounds twice"),
)
