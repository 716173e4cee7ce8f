"""Inputs, oracle, bound, cases and cost of unit 20's rounded_layer."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from autograder.contract import Case, Cost, Sizes, Values
from autograder.exercises.common_values import ceil_div
from autograder.running.compare import sum_bound

LOW, HIGH = -128, 127  # what int8 holds
WIDE, TALL = 32, 8  # threads of a block along the outputs and down the batch
NEAR = 1e-4  # of a step: so close to a tie, how the division was rounded decides


def make_rounded(sizes: Sizes, kind: str, rng: np.random.Generator) -> Values:
    """x, its step (0 where sizes say that it is not rounded), weights, a step for each of their rows, and room.

    "exact": steps are powers of two, and many numbers lie halfway between two steps. Some numbers are cut. A row of
    weights has step 0, where there are several.
    """
    n_out, n_in, n_batch = (sizes[name] for name in ("n_out", "n_in", "n_batch"))
    if kind == "exact":
        x_step, steps = np.float32(0.25), (2.0 ** -rng.integers(3, 6, n_out)).astype(np.float32)
        x = (halves(rng, (n_batch, n_in)) * x_step).astype(np.float64)
        weights = (halves(rng, (n_out, n_in)) * steps[:, None]).astype(np.float64)
    else:
        x_step, steps = np.float32(0.031), rng.uniform(0.004, 0.02, n_out).astype(np.float32)
        x, weights = rng.normal(size=(n_batch, n_in)) * 2, rng.normal(size=(n_out, n_in))
    if n_out > 1:
        steps[n_out // 2] = 0
    return {
        "x": x.astype(np.float32),
        "x_step": x_step if sizes["rounds_x"] else np.float32(0),
        "weights": weights.astype(np.float32),
        "steps": steps,
        "out": np.zeros((n_batch, n_out), np.float32),
    }


def halves(rng: np.random.Generator, shape: tuple[int, ...]) -> np.ndarray:
    """Multiples of a half, of which every other one is a tie, and some lie past the ends of int8. float32."""
    found = rng.integers(-40, 41, shape) / 2
    return np.where(rng.random(shape) < 0.1, rng.integers(-300, 301, shape) / 2, found).astype(np.float32)


def factor(v: np.ndarray, step: np.ndarray, rounding: Callable = np.rint, low: int = LOW, high: int = HIGH):
    """What is left of v as whole steps; v itself where step is 0. float32, as the kernel works it out."""
    step = np.asarray(step, np.float32)
    with np.errstate(divide="ignore", invalid="ignore"):
        whole = np.clip(rounding(v / step), low, high).astype(np.float32) * step
    return np.where(step == 0, v, whole)


def factors(values: Values) -> tuple[np.ndarray, np.ndarray]:
    """Both factors, rounded: (n_batch, n_in) and (n_out, n_in)."""
    return factor(values["x"], values["x_step"]), factor(values["weights"], values["steps"][:, None])


def product(x: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """x weights^T in float64."""
    return x.astype(np.float64) @ weights.astype(np.float64).T


def of_rounded(values: Values) -> dict:
    """The sums of rounded factors."""
    return {"out": product(*factors(values))}


def rounded_bound(values: Values, expected) -> dict:
    """The error that any order of float32 additions may make, and a step of whatever lies close to a tie."""
    x, weights = factors(values)
    apart_x, apart_w = near_ties(values["x"], values["x_step"]), near_ties(values["weights"], values["steps"][:, None])
    sums = sum_bound(product(np.abs(x), np.abs(weights)), x.shape[1], expected["out"])
    return {"out": sums + product(apart_x, np.abs(weights)) + product(np.abs(x) + apart_x, apart_w)}


def near_ties(v: np.ndarray, step: np.ndarray) -> np.ndarray:
    """The step where a number lies next to a tie and is none, else 0."""
    step = np.asarray(step, np.float32)
    with np.errstate(divide="ignore", invalid="ignore"):
        parts = v.astype(np.float64) / step
    parts = np.where(step == 0, 0.0, parts)
    apart = np.abs(parts - np.floor(parts) - 0.5)
    return np.where((apart < NEAR) & (apart > 0), step, np.float32(0))


def layer(n_out: int, n_in: int, n_batch: int, rounds_x: int) -> dict[str, int]:
    """Sizes of a layer and a batch. rounds_x: 0 where x is not rounded."""
    return {"n_out": n_out, "n_in": n_in, "n_batch": n_batch, "rounds_x": rounds_x}


ROUNDED = layer(40, 20, 8, 1)
ROUNDED_CASES = (
    Case(ROUNDED),
    *(Case(layer(*sizes)) for sizes in ((1, 1, 1, 1), (3, 33, 5, 0), (9, 7, 2, 1), (35, 3, 17, 0))),
    Case(layer(5, 40, 9, 1), "general"),
    Case(layer(70, 69, 37, 1), "general", trace=False),
)


def a_thread_per_output(values: Values) -> tuple:
    """Blocks of 32 x 8 threads: x along the outputs, y down the batch."""
    n_batch, n_out = values["out"].shape
    return (ceil_div(n_out, WIDE), ceil_div(n_batch, TALL)), (WIDE, TALL)


def rounded_cost(values: Values) -> Cost:
    """Two numbers for each product, and a step for each output. A factor that is rounded is multiplied by its step."""
    (n_batch, n_in), n_out = values["x"].shape, len(values["weights"])
    rounded = n_out * bool(values["x_step"]) + int(np.count_nonzero(values["steps"]))
    return Cost(
        read_bytes=4 * n_batch * n_out * (2 * n_in + 1),
        write_bytes=values["out"].nbytes,
        flops=n_batch * n_in * (2 * n_out + rounded),
    )
