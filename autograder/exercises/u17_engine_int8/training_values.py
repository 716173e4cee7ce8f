"""Inputs, oracles, bounds and cases of unit 17 where weights change: fold_batch_norm, fake_quantise."""

from __future__ import annotations

import numpy as np

from autograder.contract import Case, Cost, Sizes, Values
from autograder.exercises.u17_engine_int8.values import (
    AWKWARD,
    HIGH,
    LENGTHS,
    LOW,
    NICE,
    numbers_around,
    saturated,
    steps_of,
)
from autograder.running.compare import sum_bound, ulp_bound

# fold_batch_norm

OF_CHANNELS = ("bias", "gamma", "beta", "mean", "variance")
EPS = np.float32(1e-3)


def make_batch_norm(sizes: Sizes, kind: str, rng: np.random.Generator) -> Values:
    """A layer and the batch norm behind it, with room for the layer that does both."""
    n_out, n_in = sizes["n_out"], sizes["n_in"]
    values = {"weights": rng.uniform(-1, 1, (n_out, n_in))}
    values |= {name: rng.uniform(-3, 3, n_out) for name in OF_CHANNELS[:-1]}
    values["variance"] = rng.uniform(0.02, 9, n_out)
    values["variance"][0] = 1e-4  # where eps decides
    values = {name: array.astype(np.float32) for name, array in values.items()}
    room = {"folded": np.zeros((n_out, n_in), np.float32), "new_bias": np.zeros(n_out, np.float32)}
    return {**values, "eps": EPS, **room}


def factor_of(values: Values) -> np.ndarray:
    """float64: what batch norm multiplies each channel by."""
    return values["gamma"].astype(np.float64) / np.sqrt(
        values["variance"].astype(np.float64) + np.float64(values["eps"])
    )


def folded(values: Values) -> dict:
    """weights * f and (bias - mean) * f + beta, for f = gamma / sqrt(variance + eps). float64."""
    factor, bias, mean, beta = (
        factor_of(values),
        *(values[name].astype(np.float64) for name in ("bias", "mean", "beta")),
    )
    return {"folded": values["weights"] * factor[:, None], "new_bias": (bias - mean) * factor + beta}


def folded_bound(values: Values, expected) -> dict:
    """Some roundings of float32, of each part of a sum."""
    factor = np.abs(factor_of(values))
    parts = (np.abs(values["bias"]) + np.abs(values["mean"])) * factor + np.abs(values["beta"])
    return {
        "folded": ulp_bound(expected["folded"], 8),
        "new_bias": 3 * sum_bound(parts, 6, expected["new_bias"]),
    }


BATCH_NORM_CASES = tuple(
    Case({"n_out": n_out, "n_in": n_in}, "general", trace=False) for n_out, n_in in ((8, 27), (1, 1), (5, 5), (64, 9))
)


# fake_quantise


def make_fake(sizes: Sizes, kind: str, rng: np.random.Generator) -> Values:
    """real, its scale, the gradient that comes in, and room for both results. No NaN: a weight that is NaN is lost."""
    n, scale = sizes["n"], NICE if kind == "exact" else AWKWARD
    real = numbers_around(rng, n, scale, "exact" if kind == "exact" else "general")
    upstream = rng.uniform(0.5, 2, n) if kind != "exact" else rng.integers(1, 100, n)
    upstream = (upstream * rng.choice([-1, 1], n)).astype(np.float32)
    if kind == "special":
        largest = np.finfo(np.float32).max
        odd_ones = np.array([np.inf, -np.inf, largest, -largest], np.float32)[:n]
        real[: len(odd_ones)] = odd_ones
        upstream[: len(odd_ones)] = np.inf  # of what is cut: times 0 it would be NaN
        real[5:7], upstream[5:7] = scale, (np.inf, -np.inf)  # of what is not: it passes
    room = {name: np.zeros(n, np.float32) for name in ("fake", "gradient")}
    return {"real": real, "scale": scale, "upstream": upstream, **room}


def inside(values: Values) -> np.ndarray:
    """Where nothing was cut: the rounded step is one that int8 has."""
    whole = np.rint(steps_of(values["real"], values["scale"]))
    return (whole >= LOW) & (whole <= HIGH)


def faked(values: Values) -> dict:
    """Quantised and dequantised, and the gradient straight through where nothing was cut."""
    steps = saturated(steps_of(values["real"], values["scale"]))
    fake = steps.astype(np.float32) * np.float32(values["scale"])
    return {"fake": fake, "gradient": np.where(inside(values), values["upstream"], np.float32(0))}


FAKE_CASES = (
    *(Case({"n": n}) for n in LENGTHS),
    Case({"n": 1025}, "general"),
    Case({"n": 300}, "special"),
    Case({"n": 70_003}, "general", trace=False),
)


def fake_cost(values: Values) -> Cost:
    """Two numbers come in, upstream where it is wanted alone, and two go out; steps are multiplied by the scale."""
    n, wanted = values["real"].size, int(np.count_nonzero(inside(values)))
    return Cost(read_bytes=4 * (n + wanted), write_bytes=8 * n, flops=n)


def one_thread_each(values: Values) -> tuple:
    """One thread per element."""
    return max(1, -(-values["real"].size // 256)), 256
