"""Inputs, oracles, error bounds, launches, cases and costs of unit 01, shared by its exercises."""

from __future__ import annotations

import numpy as np

from autograder.contract import Argument, Budget, Case, Cost
from autograder.exercises.common_values import ceil_div, vector, with_nonfinite
from autograder.running.compare import UNIT_ROUNDOFF, ulp_bound

UNIT = "01_vector_add"
THREADS = 256  # threads per block in every launch of this unit
PER_THREAD = 4  # elements each thread of vector_add_unrolled adds
RAGGED = (0, 1, 31, 32, 33, 1023, 1024, 1025, 7919)  # nothing, around a warp, around four blocks, a prime
LARGE = 262_147  # a prime just over 2**18: its block count, 1025, is no legal block size
SUM_OF_TWO = (
    Argument("a", "in", "float32", "(n,)", "the first array to add"),
    Argument("b", "in", "float32", "(n,)", "the second array to add"),
    Argument("out", "out", "float32", "(n,)", "a + b, element by element"),
)


def cases_of(sizes: tuple[int, ...], large: int | None = None, nonfinite: bool = True) -> tuple[Case, ...]:
    """Exact values on every size, general and non-finite ones on the last two, and one size too large to trace."""
    exact = tuple(Case({"n": n}) for n in sizes)
    general = tuple(Case({"n": n}, "general") for n in sizes[-2:])
    general += (Case({"n": sizes[-1]}, "nonfinite"),) if nonfinite else ()
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


def launch_budget(at_most, why):
    """A budget on the launches of one call on 1,025 elements."""
    return Budget("kernel_launches", at_most, {"n": 1025}, why, "too_many_launches")


STORED_ONCE = Budget(
    "global_store_bytes",
    4 * 1025,
    {"n": 1025},
    "One launch adds every element; a second one of all of them would do the same work again.",
    "too_many_launches",
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
    """Each element of a and b is loaded once, each sum stored once: 12 bytes per element."""
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


# (1 - weight) * x + weight * y


def make_blend(sizes, values, rng):
    """weight makes products exact where they must be; it is never 0.5, which would hide swapped inputs.

    Formulas that are equally right differ with infinities, but where the array that counts for nothing has them: all
    give NaN then, and what leaves that array out does not. Even lengths have the weight 0, odd ones 1.
    Nothing in the task bounds the weight, so some lengths have one that is not between 0 and 1.
    """
    if values == "nonfinite":
        weight = np.float32(sizes["n"] % 2)
        made = _vectors("xy", sizes["n"], "general", rng)
        with_nonfinite(made["x" if weight else "y"])
        return {"weight": weight, **made}
    weight = np.float32((2, -0.5, 0.25)[sizes["n"] % 3]) if values == "exact" else np.float32(rng.uniform(0.6, 0.9))
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


def _vectors(names, n, values, rng):
    """An (n,) float32 input for each letter of `names`, and out.

    Of values that are not finite the first two arrays have opposite infinities at the front: their sum is NaN.
    """
    made = {name: vector(rng, n, values) for name in names}
    if values == "nonfinite":
        made[names[1]][:1] *= -1
    return {**made, "out": np.zeros(n, np.float32)}
