"""Inputs, oracles, launches, cases and costs of unit 17 where numbers become steps: quantise, channel_scales."""

from __future__ import annotations

import numpy as np

from autograder.contract import Budget, Case, Cost, Sizes, Values
from autograder.exercises.common_values import ceil_div, with_nonfinite

UNIT = "17_engine_int8"
THREADS = 256  # threads per block where a thread has an element
LENGTHS = (1025, 1, 33, 255)  # four blocks and one more, one element, past a warp, just short of a block
LOW, HIGH = -128, 127  # of int8
HALF_STEPS = 600  # values reach so many half steps: beyond what int8 holds, and every other one is a tie
AWKWARD = np.float32(0.12)  # no power of two: dividing by it and multiplying by 1 / scale differ next to a tie
NICE = np.float32(2)


def at_work(n_threads: int, sizes: Sizes, why: str) -> Budget:
    """A budget that an answer misses in which few threads, or one block, do the work of all."""
    return Budget("threads_at_work", n_threads, sizes, why, "few_threads", floor=True)


def steps_of(real: np.ndarray, scale) -> np.ndarray:
    """float32 steps before they are rounded. real: float32."""
    with np.errstate(invalid="ignore", over="ignore"):
        return (real / np.float32(scale)).astype(np.float32)


def saturated(steps: np.ndarray) -> np.ndarray:
    """int8: half to even, cut to [-128, 127], NaN as 0, as the engine does it."""
    return np.nan_to_num(np.clip(np.rint(steps), LOW, HIGH), nan=0.0).astype(np.int8)


def numbers_around(rng: np.random.Generator, n: int, scale, kind: str) -> np.ndarray:
    """(n,) float32: half steps from beyond one end of int8 to beyond the other.

    "exact": ties and whole steps; else real numbers, a half of them as near to a tie as float32 comes; NaN and
    infinities where the kind says so.
    """
    halves = rng.integers(-HALF_STEPS, HALF_STEPS + 1, n)
    inside = rng.random(n) < 0.7  # most of them where int8 can hold them
    halves[inside] = rng.integers(-256, 256, int(inside.sum()))
    if n > 1:
        halves[0], halves[-1] = 5, 255  # 2.5 goes to 2, and 127.5 beyond what int8 ends with
    if n > 2:
        halves[1] = -257  # -128.5 goes to -128
    real = (halves.astype(np.float64) / 2 * np.float64(scale)).astype(np.float32)
    if kind == "exact":
        return real
    loose = rng.random(n) < 0.5
    real[loose] += (rng.uniform(-0.5, 0.5, int(loose.sum())) * scale).astype(np.float32)
    if kind == "special":
        largest = np.finfo(np.float32).max
        odd_ones = np.array([np.nan, np.inf, -np.inf, -0.0, largest, -largest], np.float32)
        places = rng.permutation(n)[: len(odd_ones)]
        real[places] = odd_ones[: len(places)]
    return with_nonfinite(real) if kind == "nonfinite" else real


# quantise


def make_quantise(sizes: Sizes, kind: str, rng: np.random.Generator) -> Values:
    """real, its scale, and room for steps: a power of two where results are exact, else an awkward one."""
    scale = NICE if kind == "exact" else AWKWARD
    real = numbers_around(rng, sizes["n"], scale, kind)
    return {"real": real, "scale": scale, "steps": np.zeros(sizes["n"], np.int8)}


def quantised(values: Values) -> dict:
    """saturate(rint(real / scale))."""
    return {"steps": saturated(steps_of(values["real"], values["scale"]))}


QUANTISE_CASES = (
    *(Case({"n": n}) for n in LENGTHS),
    Case({"n": 1025}, "general"),
    Case({"n": 300}, "special"),
    Case({"n": 70_003}, "general", trace=False),
)


def quantise_cost(values: Values) -> Cost:
    """An element is 4 bytes, and what is left of it 1."""
    return Cost(read_bytes=values["real"].nbytes, write_bytes=values["steps"].nbytes)


def one_thread_each(values: Values) -> tuple:
    """One thread per element, and at least one block."""
    return max(1, ceil_div(values["steps"].size, THREADS)), THREADS


# channel_scales

WARPS_THREADS = 128  # of a block, which has one channel


def make_weights(sizes: Sizes, kind: str, rng: np.random.Generator) -> Values:
    """weights and room for scales. Ranges of channels differ by a thousand; some largest ones are negative, one channel
    is all zeros, and the largest of a channel stands anywhere in it."""
    n_out, n_in = sizes["n_out"], sizes["n_in"]
    if kind == "exact":
        weights = (rng.integers(1, 90, (n_out, n_in)) * rng.choice([-1, 1], (n_out, n_in))).astype(np.float32)
        spread = 2.0 ** rng.integers(-5, 6, n_out)
    else:
        weights = rng.uniform(-0.9, 0.9, (n_out, n_in)).astype(np.float32)
        spread = 10.0 ** rng.uniform(-2, 2, n_out)
    for channel in range(n_out):
        largest = 127 if kind == "exact" else 1
        weights[channel, rng.integers(n_in)] = largest if channel % 2 else -largest
    weights *= spread[:, None].astype(np.float32)
    if n_out > 2:
        weights[n_out // 2] = 0  # a channel that training has switched off
    return {"weights": weights, "scales": np.zeros(n_out, np.float32)}


def scales_of(largest: np.ndarray) -> np.ndarray:
    """float32: the largest magnitude over 127, 1 where there is nothing but zeros."""
    largest = np.asarray(largest, np.float32)
    return np.where(largest > 0, largest / np.float32(127), np.float32(1)).astype(np.float32)


def channel_scales(values: Values) -> dict:
    """A scale for each row of weights."""
    return {"scales": scales_of(np.abs(values["weights"]).max(axis=1))}


SCALES_CASES = (
    *(Case({"n_out": n_out, "n_in": n_in}) for n_out, n_in in ((8, 576), (1, 1), (3, 127), (5, 129), (7, 31))),
    Case({"n_out": 6, "n_in": 300}, "general"),
    Case({"n_out": 33, "n_in": 2311}, "general", trace=False),
)


def a_block_per_channel(values: Values) -> tuple:
    """128 threads for each row."""
    return len(values["scales"]), WARPS_THREADS


def scales_cost(values: Values) -> Cost:
    """Every weight is loaded once."""
    return Cost(read_bytes=values["weights"].nbytes, write_bytes=values["scales"].nbytes)
