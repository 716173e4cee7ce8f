"""Inputs, oracle and cases of unit 19's plan_arena."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from autograder.contract import Argument, Case, Sizes, Values

ARENA_ARGUMENTS = (
    Argument("sizes", "in", "int64", "(n,)", "bytes of each tensor, 1 or more"),
    Argument("first", "in", "int64", "(n,)", "the step that writes it"),
    Argument("last", "in", "int64", "(n,)", "the last step that reads it, first or later"),
    Argument("align", "scalar", "int64", "", "every offset is a multiple of it"),
    Argument("offsets", "out", "int64", "(n,)", "where each tensor begins in the arena"),
    Argument("arena", "out", "int64", "", "bytes of the arena: where the highest tensor ends"),
    Argument("least", "out", "int64", "", "the most bytes that are needed in any one step"),
)


@dataclass(frozen=True)
class Planning:
    """What of the rules is followed; all of them, for a right answer."""

    rounded: bool = True  # sizes are rounded up to the alignment
    largest_first: bool = True
    ties_by_number: bool = True
    last_step_counts: bool = True  # a tensor lies there in the step that reads it last
    gaps: bool = True  # a place between two tensors will do
    tightest: bool = False  # of the gaps, the smallest one
    shares: bool = True  # places are used again
    end_of_highest: bool = True  # and not where it begins
    least_alive: bool = True  # at one step, and not of all
    least_rounded: bool = True


RIGHT = Planning()


def planned(values: Values, ways: Planning = RIGHT) -> dict:
    """offsets (n,) int64, arena and least."""
    first, last = values["first"].tolist(), values["last"].tolist()
    align, plain = int(values["align"]), values["sizes"].tolist()
    up = [-(-size // align) * align for size in plain]
    sizes = up if ways.rounded else plain
    offsets = [0] * len(sizes)
    placed: list[int] = []
    for i in _order(sizes, ways):
        taken = [(offsets[j], offsets[j] + sizes[j]) for j in placed if _meet(first, last, i, j, ways)]
        offsets[i] = _lowest(sizes[i], sorted(taken), ways)
        placed.append(i)
    ends = [offset + size * ways.end_of_highest for offset, size in zip(offsets, sizes, strict=True)]
    counted = up if ways.least_rounded else plain
    alive = [
        sum(size for size, a, b in zip(counted, first, last, strict=True) if a <= step <= b)
        for step in range(max(last, default=0) + 1)
    ]
    return {
        "offsets": np.array(offsets, np.int64),
        "arena": np.int64(max(ends, default=0)),
        "least": np.int64(max(alive) if ways.least_alive else sum(counted)),
    }


def _order(sizes: list[int], ways: Planning) -> list[int]:
    """In which order tensors are placed."""
    numbers = range(len(sizes))
    if not ways.largest_first:
        return list(numbers)
    return sorted(numbers, key=lambda i: (-sizes[i], i if ways.ties_by_number else -i))


def _meet(first: list[int], last: list[int], i: int, j: int, ways: Planning) -> bool:
    """Whether two tensors are there in the same step."""
    if not ways.shares:
        return True
    if ways.last_step_counts:
        return first[i] <= last[j] and first[j] <= last[i]
    return first[i] < last[j] and first[j] < last[i]


def _lowest(size: int, taken: list[tuple[int, int]], ways: Planning) -> int:
    """The lowest place beside those that are taken, (begin, end), by their begin."""
    if not ways.gaps:
        return max((end for _, end in taken), default=0)
    at, found = 0, []
    for begin, end in taken:
        if begin - at >= size:
            found.append((begin - at, at))
        at = max(at, end)
    if not found:
        return at
    return min(found)[1] if ways.tightest else found[0][1]


def make_arena(sizes: Sizes, kind: str, rng: np.random.Generator) -> Values:
    """Tensors of a network: most live for a step or two, some are residuals, and many are equally large."""
    n = sizes["n"]
    n_bytes = rng.choice([1, 3, 5, 9, 17, 33], n) * int(rng.choice([60, 100, 128])) + rng.integers(0, 2, n)
    first = np.arange(n)
    last = first + rng.choice([0, 1, 1, 1, 2, 3, 6], n)
    return arguments_of(n_bytes, first, last, sizes["align"])


def arguments_of(n_bytes, first, last, align: int) -> Values:
    """All arguments of plan_arena."""
    return {
        "sizes": np.array(n_bytes, np.int64),
        "first": np.array(first, np.int64),
        "last": np.array(last, np.int64),
        "align": np.int64(align),
        "offsets": np.zeros(len(n_bytes), np.int64),
        "arena": np.int64(0),
        "least": np.int64(0),
    }


def shuffled(sizes: Sizes, rng: np.random.Generator) -> Values:
    """Tensors in no order of time, with lives of any length."""
    n = sizes["n"]
    first = rng.integers(0, n, n)
    return arguments_of(rng.integers(1, 2_000, n), first, first + rng.integers(0, n, n), sizes["align"])


def all_alike(sizes: Sizes, rng: np.random.Generator) -> Values:
    """Tensors of one size: ties decide about everything."""
    n = sizes["n"]
    first = rng.permutation(n)
    return arguments_of(np.full(n, 100), first, first + rng.integers(0, 4, n), sizes["align"])


def one_by_one(sizes: Sizes, rng: np.random.Generator) -> Values:
    """Each tensor lives in a step of its own, and the last one is the largest."""
    steps = np.arange(sizes["n"])
    return arguments_of(100 * (steps + 1), steps, steps, sizes["align"])


def past_two_gib(sizes: Sizes, rng: np.random.Generator) -> Values:
    """Tensors of which one alone has more bytes than 32 bits count."""
    values = shuffled(sizes, rng)
    values["sizes"] *= 1 << 24
    return values


ARENA_CASES = tuple(
    Case({"n": n, "align": align}, trace=False)
    for n, align in ((12, 256), (1, 1), (7, 1), (20, 64), (33, 16), (60, 256))
)
