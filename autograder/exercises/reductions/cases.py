"""What the contracts of unit 06 share: names, sizes and cases."""

from __future__ import annotations

from autograder.contract import Argument, Case

UNIT = "06_reductions"
SRC = Argument("src", "in", "float32", "(n,)", "the numbers to add")
LARGE = 1 << 18  # elements; too many to trace
GRID = 4224  # blocks of 256 in a timed launch: several for every multiprocessor of any GPU


def ragged(**sizes):
    """The cases of a sum over n elements: around a warp, around four blocks, a prime, multiples, nothing, a lot."""
    exact = [Case({"n": n} | sizes) for n in (1025, 0, 1, 31, 32, 33, 256, 1023, 3001, 8192)]
    rounded = [Case({"n": n} | sizes, kind) for n, kind in ((1025, "general"), (3001, "general"), (1025, "special"))]
    return (
        *exact,
        *rounded,
        Case({"n": LARGE} | sizes, trace=False),
        Case({"n": LARGE} | sizes, "general", trace=False),
    )
