"""Inputs, oracles, launches, cases and costs of unit 20 where a threshold is found: count_digits, digit_of."""

from __future__ import annotations

import numpy as np

from autograder.contract import Case, Cost, Sizes, Values
from autograder.exercises.u20_compression.values import THREADS, signed

MAGNITUDE = 0x7FFFFFFF  # all bits of a float32 but its sign
DIGITS = 256
BLOCKS = 4  # of a launch: their threads go on in steps of the whole grid


def magnitudes(bits: np.ndarray) -> np.ndarray:
    """int64: the bits without the sign, which rise as magnitudes do."""
    return bits.astype(np.int64) & MAGNITUDE


# count_digits


def make_digits(sizes: Sizes, kind: str, rng: np.random.Generator) -> Values:
    """bits of weights, what the digits before are, which digit is next, and counts, all 0.

    `after` is how many digits are known already. The first weight has them, and so has every second one.
    """
    n, after = sizes["n"], sizes["after"]
    if kind == "exact":
        weights = signed(rng, (n,), 5)
    else:
        weights = rng.normal(size=n).astype(np.float32) * np.float32(10.0) ** rng.integers(-3, 4, n).astype(np.float32)
    bits = weights.view(np.int32)
    alike = np.arange(n) % 2 == 0
    low = np.int64(2) ** (32 - 8 * after) - 1  # what is not known yet
    if after:
        bits[alike] = (bits[0] & ~low | bits[alike] & low | bits[alike] & ~MAGNITUDE).astype(np.int32)
    shift = 24 - 8 * after
    prefix = int(magnitudes(bits[:1])[0] >> (shift + 8)) if after else 0
    return {"bits": bits, "prefix": np.int32(prefix), "shift": np.int32(shift), "counts": np.zeros(DIGITS, np.int32)}


def counted(values: Values, given: np.ndarray | None = None) -> dict:
    """How many of those whose upper digits are `prefix` have each digit. given: (n,) bool, in place of that."""
    known = magnitudes(values["bits"])
    shift = int(values["shift"])
    given = known >> (shift + 8) == int(values["prefix"]) if given is None else given
    return {"counts": counts_of(known[given] >> shift & 255)}


def counts_of(digits: np.ndarray) -> np.ndarray:
    return np.bincount(digits, minlength=DIGITS).astype(np.int32)[:DIGITS]


DIGITS_CASES = (
    *(Case({"n": n, "after": after}) for n, after in ((3000, 0), (1, 1), (33, 3), (1025, 1), (257, 2))),
    Case({"n": 1025, "after": 0}, "general"),
    Case({"n": 300, "after": 2}, "general"),
    Case({"n": 70_003, "after": 1}, "general", trace=False),
)


def few_blocks(values: Values) -> tuple:
    """Four blocks of 256 threads, whatever the size."""
    return BLOCKS, THREADS


def digits_cost(values: Values) -> Cost:
    """Every weight is loaded once; a block adds each digit that it met to the counts, which reads and writes them."""
    known, shift = magnitudes(values["bits"]), int(values["shift"])
    blocks = np.arange(known.size) // THREADS % BLOCKS
    given = known >> (shift + 8) == int(values["prefix"])
    met = len(np.unique(blocks[given] * DIGITS + (known[given] >> shift & 255)))
    return Cost(read_bytes=values["bits"].nbytes + 4 * met, write_bytes=4 * met)


# digit_of


def make_counts(sizes: Sizes, kind: str, rng: np.random.Generator) -> Values:
    """counts of digits, how many weights are to stay, and room for the digit and what is left.

    `nth`: the digit of the last that stays is the nth from above that occurs at all; `all_of_it`: whether the whole of
    it stays (1), one of it (0), or all but one (2).
    """
    counts = rng.integers(1, 40, DIGITS) * (rng.random(DIGITS) < 0.4)
    counts[rng.integers(0, DIGITS)] += 3
    present = np.flatnonzero(counts)[::-1]
    at = present[min(sizes["nth"], len(present) - 1)]
    above = int(counts[at + 1 :].sum())
    of_it = {0: 1, 1: int(counts[at]), 2: max(1, int(counts[at]) - 1)}[sizes["all_of_it"] % 3]
    return {
        "counts": counts.astype(np.int32),
        "keep": np.int64(above + of_it),
        "digit": np.int64(0),
        "left": np.int64(0),
    }


def digit_of(values: Values) -> dict:
    """The largest digit with which, from above, at least `keep` are counted, and how many of it are to stay."""
    above = np.concatenate([np.cumsum(values["counts"][::-1].astype(np.int64))[::-1], [0]])  # this digit and larger
    digit = int(np.flatnonzero(above[:-1] >= values["keep"])[-1])
    return {"digit": np.int64(digit), "left": np.int64(values["keep"] - above[digit + 1])}


DIGIT_CASES = tuple(
    Case({"nth": nth, "all_of_it": all_of_it}, trace=False) for nth in (0, 1, 7, 40, 999) for all_of_it in (0, 1, 2)
)
