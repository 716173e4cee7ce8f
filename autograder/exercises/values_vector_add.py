"""Inputs, oracles, error bounds, costs and slips of unit 01, shared by its exercises."""

from __future__ import annotations

import numpy as np

from autograder.compare import UNIT_ROUNDOFF, ulp_bound
from autograder.contract import Budget, Case, Cost, Slip
from autograder.exercises.values import ceil_div, vector

THREADS = 256  # threads per block in every launch of this unit
PER_THREAD = 4  # elements each thread of vector_add_unrolled adds


def cases_of(sizes: tuple[int, ...], large: int | None = None) -> tuple[Case, ...]:
    """Exact values on every size, general values on the last two, and one size too large to trace."""
    exact = tuple(Case({"n": n}) for n in sizes)
    general = tuple(Case({"n": n}, "general") for n in sizes[-2:])
    return exact + general + ((Case({"n": large}, trace=False),) if large else ())


def one_thread_each(values):
    """One thread per element of the last array; at least one block, since a grid of none is refused."""
    n = list(values.values())[-1].size
    return max(1, ceil_div(n, THREADS)), THREADS


def four_elements_each(values):
    """A quarter of the blocks of `one_thread_each`."""
    n = list(values.values())[-1].size
    return max(1, ceil_div(n, PER_THREAD * THREADS)), THREADS


def transfer_budgets(arrays, why, handed_in):
    """Budgets on the bytes that cross between host and device when every array has 1,025 float32 elements.

    arrays: how many have to travel; handed_in: how many do when NumPy arrays are handed to the kernels instead.
    """
    copied = "Numba copies every NumPy array that a kernel is handed: up before the launch, down after it."
    return tuple(
        Budget("transferred_bytes", count * 4 * 1025, {"n": 1025}, text, misconception)
        for count, text, misconception in (
            (handed_in - 1, copied, "host_array"),
            (arrays, why, "too_many_transfers"),
        )
    )


# a + b


def make_sum(sizes, values, rng):
    """a, b and out, each (n,) float32."""
    return _vectors("ab", sizes["n"], values, rng)


def sum_oracle(values):
    """out = a + b in float64."""
    return {"out": values["a"].astype(np.float64) + values["b"]}


def sum_bound(values, expected):
    """One rounding to float32."""
    return {"out": ulp_bound(expected["out"], 1)}


def sum_cost(values):
    """Each element of a and b is loaded once, each sum stored once: 12 bytes an element."""
    n = values["out"].size
    return Cost(read_bytes=8 * n, write_bytes=4 * n, flops=n)


# a + b + c + d


def make_four(sizes, values, rng):
    """a, b, c, d and out, each (n,) float32."""
    return _vectors("abcd", sizes["n"], values, rng)


def four_oracle(values):
    """out = a + b + c + d in float64."""
    return {"out": sum(values[name].astype(np.float64) for name in "abcd")}


def four_bound(values, expected):
    """Three roundings, each of something no larger than |a| + |b| + |c| + |d|."""
    return {"out": 3 * UNIT_ROUNDOFF["float32"] * sum(np.abs(values[name].astype(np.float64)) for name in "abcd")}


def four_in_full_blocks_only(values):
    """What comes out when the blocks are rounded down and the sum is gathered in the copy of a."""
    out = values["a"].copy()
    covered = max(1, out.size // THREADS) * THREADS
    out[:covered] = four_oracle(values)["out"][:covered]
    return {"out": out}


ADD_FOUR_SLIPS = (
    Slip("missing_tail", "The last elements hold only a: no block reached them.", four_in_full_blocks_only),
    Slip("wrong_formula", "The last array, d, was never added.", lambda v: {"out": v["a"] + v["b"] + v["c"]}),
    Slip("wrong_formula", "Only c + d came back: the sum so far was lost.", lambda v: {"out": v["c"] + v["d"]}),
    Slip("wrong_formula", "Only a + b came back: c and d were lost.", lambda v: {"out": v["a"] + v["b"]}),
)


# src[i + 1] - src[i]


def make_difference(sizes, values, rng):
    """src and dst, each (n,) float32."""
    n = sizes["n"]
    return {"src": vector(rng, n, values), "dst": np.zeros(n, np.float32)}


def difference_oracle(values):
    """dst[i] = src[i + 1] - src[i]; the last element, which has no right neighbour, is 0."""
    src = values["src"].astype(np.float64)
    return {"dst": np.append(np.diff(src), 0.0)[: src.size]}


def difference_bound(values, expected):
    """One rounding to float32."""
    return {"dst": ulp_bound(expected["dst"], 1)}


def difference_cost(values):
    """Every thread but the last loads two neighbours; every thread stores one element."""
    n = values["src"].size
    return Cost(read_bytes=8 * max(0, n - 1), write_bytes=4 * n, flops=max(0, n - 1))


def difference_round_the_end(values):
    """What comes out when the last element takes the first one for its right neighbour."""
    return {"dst": np.roll(values["src"], -1) - values["src"]}


def difference_negated(values):
    """What comes out when the right neighbour is subtracted from the element."""
    return {"dst": -difference_oracle(values)["dst"]}


# (1 - weight) * x + weight * y


def make_blend(sizes, values, rng):
    """weight makes products exact where they must be; it is never 0.5, which would hide swapped inputs."""
    weight = np.float32(0.25) if values == "exact" else np.float32(rng.uniform(0.6, 0.9))
    return {"weight": weight, **_vectors("xy", sizes["n"], values, rng)}


def blend_oracle(values):
    """x + weight * (y - x) in float64."""
    x, y = values["x"].astype(np.float64), values["y"].astype(np.float64)
    return {"out": x + float(values["weight"]) * (y - x)}


def blend_bound(values, expected):
    """At most four float32 roundings, each of something no larger than |x| + |y|."""
    return {"out": 4 * UNIT_ROUNDOFF["float32"] * (np.abs(values["x"].astype(np.float64)) + np.abs(values["y"]))}


def blend_cost(values):
    """x and y are loaded once, the mix stored once; a difference, a product and a sum for each element."""
    n = values["out"].size
    return Cost(read_bytes=8 * n, write_bytes=4 * n, flops=3 * n)


def blend_swapped(values):
    """What comes out when the weight scales x."""
    return blend_oracle({**values, "x": values["y"], "y": values["x"]})


def blend_unscaled(values):
    """What comes out when x keeps its full weight."""
    return {"out": values["x"] + values["weight"] * values["y"]}


def blend_without_x(values):
    """What comes out when the walk from x to y does not start at x."""
    return {"out": blend_oracle(values)["out"] - values["x"]}


def _vectors(names, n, values, rng):
    """An (n,) float32 input for each letter of `names`, and out."""
    return {**{name: vector(rng, n, values) for name in names}, "out": np.zeros(n, np.float32)}


# blocks for n elements

_NO_TAIL = "Rounding down leaves the last elements without a block."
BLOCKS_FOR_SLIPS = (
    Slip(
        "launch_too_small",
        "No elements still need one block: the driver refuses a launch of 0 blocks.",
        lambda v: {"blocks": np.int64(ceil_div(v["n"], v["threads"]))},
    ),
    Slip("missing_tail", _NO_TAIL, lambda v: {"blocks": np.int64(v["n"] // v["threads"])}),
    Slip("missing_tail", _NO_TAIL, lambda v: {"blocks": np.int64(max(1, v["n"] // v["threads"]))}),
    Slip(
        "off_by_one",
        "There is one block too many where n is a multiple of the block size.",
        lambda v: {"blocks": np.int64(v["n"] // v["threads"] + 1)},
    ),
)
