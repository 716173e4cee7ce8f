"""Wrong outputs of unit 20 that betray their cause, where a threshold is found."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from autograder.contract import Slip, Values
from autograder.exercises.u20_compression.select_values import counted, counts_of, digit_of, magnitudes

# count_digits


def with_sign(values: Values) -> dict:
    """The sign's bit was left in, as the highest of the first digit."""
    bits = values["bits"].astype(np.int64) & 0xFFFFFFFF
    shift = int(values["shift"])
    return {"counts": counts_of(bits[bits >> (shift + 8) == int(values["prefix"])] >> shift & 255)}


def everybody(values: Values) -> dict:
    """Weights with other upper digits were counted, too."""
    return counted(values, np.ones(values["bits"].size, bool))


def another_digit(by: int) -> Callable[[Values], dict]:
    """A digit further up or down was counted, of the right weights."""

    def produces(values: Values) -> dict:
        known, shift = magnitudes(values["bits"]), int(values["shift"])
        given = known >> (shift + 8) == int(values["prefix"])
        return {"counts": counts_of(known[given] >> max(0, shift + by) & 255)}

    return produces


def compared_too_low(values: Values) -> dict:
    """The digit itself was compared with what comes before it."""
    known = magnitudes(values["bits"])
    return counted(values, known >> int(values["shift"]) == int(values["prefix"]))


def of_first_block(values: Values) -> dict:
    """What the blocks of one iteration alone see."""
    known = magnitudes(values["bits"])
    given = known >> (int(values["shift"]) + 8) == int(values["prefix"])
    return counted(values, given & (np.arange(known.size) < 1024))


DIGITS = (
    Slip(
        "sign_counted",
        "weights below 0 are missed or in the upper 128 digits: their highest bit is the sign, no part of a magnitude",
        with_sign,
    ),
    Slip(
        "prefix_ignored",
        "weights are counted whose upper digits are others: they are larger or smaller whatever their next digit is",
        everybody,
    ),
    Slip("wrong_digit", "the digit above the one that was asked for was counted: shift by `shift`", another_digit(8)),
    Slip("wrong_digit", "the digit below the one that was asked for was counted: shift by `shift`", another_digit(-8)),
    Slip(
        "prefix_at_the_digit",
        "prefix is compared with the digit itself as well: it is what lies above the digit, 8 bits further up",
        compared_too_low,
    ),
    Slip(
        "first_turn_only",
        "only the first 1,024 weights were counted: each thread goes on in steps of the grid",
        of_first_block,
    ),
)

# digit_of


def moved(digit: int, left: int) -> Callable[[Values], dict]:
    """The right answer, and something added to each part."""

    def produces(values: Values) -> dict:
        right = digit_of(values)
        return {"digit": right["digit"] + digit, "left": right["left"] + left}

    return produces


def from_below(values: Values) -> dict:
    """The smallest were counted first."""
    counts = values["counts"].astype(np.int64)
    reached = np.cumsum(counts)
    digit = int(np.searchsorted(reached, values["keep"]))
    return {"digit": np.int64(digit), "left": np.int64(values["keep"] - (reached[digit] - counts[digit]))}


def passed(values: Values) -> dict:
    """More than keep was asked for, where as many are enough."""
    above = np.concatenate([np.cumsum(values["counts"][::-1].astype(np.int64))[::-1], [0]])
    more = np.flatnonzero(above[:-1] > values["keep"])
    if not len(more):
        return digit_of(values)
    return {"digit": np.int64(more[-1]), "left": np.int64(values["keep"] - above[more[-1] + 1])}


def whole_keep(values: Values) -> dict:
    """left is all of keep."""
    return {"digit": digit_of(values)["digit"], "left": values["keep"]}


def beyond(values: Values) -> dict:
    """left is what the digit has too many."""
    right = digit_of(values)
    return {"digit": right["digit"], "left": np.int64(values["counts"][int(right["digit"])] - right["left"])}


DIGIT = (
    Slip("from_below", "the smallest magnitudes are counted first: the largest are the ones that stay", from_below),
    Slip(
        "passed_not_reached",
        "the digit is too small where as many as keep are reached exactly: reached is enough",
        passed,
    ),
    Slip(
        "left_not_reduced",
        "left is keep itself: those with larger digits stay already, and are to be taken off",
        whole_keep,
    ),
    Slip("left_upside_down", "left is how many of the digit go: it is how many of it stay", beyond),
    Slip("next_digit", "the digit is one too large", moved(1, 0)),
    Slip("next_digit", "the digit is one too small", moved(-1, 0)),
    Slip("left_off_by_one", "left is one too small: the weight that reaches keep stays, too", moved(0, -1)),
    Slip("left_off_by_one", "left is one too large", moved(0, 1)),
)
