"""Wrong outputs of unit 01 that betray their cause: what each mistake computes, and what to say about it."""

from __future__ import annotations

import numpy as np

from autograder.contract import Slip
from autograder.exercises.common_values import ceil_div
from autograder.exercises.u01_vector_add.values import THREADS, blend_oracle, difference_oracle, four_oracle

NO_TAIL = "Rounding down leaves the last elements without a block."


BLOCKS_FOR = (
    Slip(
        "launch_too_small",
        "No elements still need one block: the driver refuses a launch of 0 blocks.",
        lambda v: {"blocks": np.int64(ceil_div(v["n"], v["threads"]))},
    ),
    Slip("missing_tail", NO_TAIL, lambda v: {"blocks": np.int64(v["n"] // v["threads"])}),
    Slip("missing_tail", NO_TAIL, lambda v: {"blocks": np.int64(max(1, v["n"] // v["threads"]))}),
    Slip(
        "off_by_one",
        "There is one block too many where n is a multiple of the block size.",
        lambda v: {"blocks": np.int64(v["n"] // v["threads"] + 1)},
    ),
    Slip(
        "fixed_block",
        "The result is right for blocks of 256 threads only: the argument threads says how many there are.",
        lambda v: {"blocks": np.int64(max(1, ceil_div(v["n"], 256)))},
    ),
)


def difference_round_the_end(values):
    """What comes out when the last element takes the first one for its right neighbour."""
    return {"dst": np.roll(values["src"], -1) - values["src"]}


def difference_negated(values):
    """What comes out when the right neighbour is subtracted from the element."""
    return {"dst": -difference_oracle(values)["dst"]}


def blend_swapped(values):
    """What comes out when the weight scales x."""
    return blend_oracle({**values, "x": values["y"], "y": values["x"]})


def blend_unscaled(values):
    """What comes out when x keeps its full weight."""
    return {"out": values["x"] + values["weight"] * values["y"]}


def blend_without_x(values):
    """What comes out when the walk from x to y does not start at x."""
    return {"out": blend_oracle(values)["out"] - values["x"]}


def four_in_full_blocks_only(values):
    """What comes out when the blocks are rounded down and the sum is gathered in the copy of a."""
    out = values["a"].copy()
    covered = max(1, out.size // THREADS) * THREADS
    out[:covered] = four_oracle(values)["out"][:covered]
    return {"out": out}


ADD_FOUR = (
    Slip("missing_tail", "The last elements hold only a: no block reached them.", four_in_full_blocks_only),
    Slip("wrong_formula", "The last array, d, was never added.", lambda v: {"out": v["a"] + v["b"] + v["c"]}),
    Slip("wrong_formula", "Only c + d came back: the sum so far was lost.", lambda v: {"out": v["c"] + v["d"]}),
    Slip("wrong_formula", "Only a + b came back: c and d were lost.", lambda v: {"out": v["a"] + v["b"]}),
)
