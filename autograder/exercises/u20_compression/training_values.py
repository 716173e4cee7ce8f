"""Inputs, oracles, bounds, cases and costs of unit 20 behind pruning: masked_step, choose_ratios."""

from __future__ import annotations

import numpy as np

from autograder.contract import Case, Cost, Sizes, Values
from autograder.exercises.common_values import ceil_div
from autograder.exercises.u20_compression.values import signed
from autograder.running.compare import sum_bound

WIDE, HIGH = 32, 8  # threads of a block along x and y

# masked_step


def make_step(sizes: Sizes, kind: str, rng: np.random.Generator) -> Values:
    """weights, of which a mask says what stays, a batch of inputs, the gradient that comes in, and a rate. Some weights
    that are gone are not 0 yet."""
    n_out, n_in, n_batch = (sizes[name] for name in ("n_out", "n_in", "n_batch"))
    if kind == "exact":
        weights, x, upstream = (signed(rng, shape, 5) for shape in ((n_out, n_in), (n_batch, n_in), (n_batch, n_out)))
        rate = 0.25
    else:
        weights, x, upstream = (rng.normal(size=shape) for shape in ((n_out, n_in), (n_batch, n_in), (n_batch, n_out)))
        rate = 0.03
    mask = (rng.random((n_out, n_in)) < 0.5).astype(np.int8)
    mask[0, 0], mask[-1, -1] = 1, 0
    return {
        "weights": weights.astype(np.float32),
        "mask": mask,
        "x": x.astype(np.float32),
        "upstream": upstream.astype(np.float32),
        "rate": np.float32(rate),
    }


def gradient_of(values: Values) -> np.ndarray:
    """(n_out, n_in) float64: the sum over the batch of what comes in times the input."""
    return values["upstream"].astype(np.float64).T @ values["x"].astype(np.float64)


def moved_by(values: Values, step: np.ndarray) -> np.ndarray:
    """weights - step. float64."""
    return values["weights"].astype(np.float64) - step


def stepped(values: Values) -> dict:
    """A step down the gradient where the mask is 1, and 0 elsewhere."""
    moved = moved_by(values, float(values["rate"]) * gradient_of(values))
    return {"weights": np.where(values["mask"] != 0, moved, 0.0)}


def step_bound(values: Values, expected) -> dict:
    """The error that any order of float32 additions may make, times the rate, and that of the last subtraction."""
    absolute = np.abs(values["upstream"].astype(np.float64)).T @ np.abs(values["x"].astype(np.float64))
    sums = sum_bound(absolute, len(values["x"]), gradient_of(values))
    rate = float(values["rate"])
    rounded = 2.0**-22 * (np.abs(values["weights"]) + rate * absolute)
    return {"weights": np.where(values["mask"] != 0, rate * sums + rounded, 0.0)}


def step(n_out: int, n_in: int, n_batch: int) -> dict[str, int]:
    """Sizes of a layer and a batch."""
    return {"n_out": n_out, "n_in": n_in, "n_batch": n_batch}


STEP = step(16, 64, 8)
STEP_CASES = (
    Case(STEP),
    *(Case(step(*sizes)) for sizes in ((1, 1, 1), (3, 33, 5), (9, 7, 2), (2, 40, 70))),
    Case(step(9, 40, 12), "general"),
    Case(step(37, 69, 33), "general", trace=False),
)


def a_thread_per_weight(values: Values) -> tuple:
    """Blocks of 32 x 8 threads: x along a row of weights, y down the rows."""
    n_out, n_in = values["weights"].shape
    return (ceil_div(n_in, WIDE), ceil_div(n_out, HIGH)), (WIDE, HIGH)


def step_cost(values: Values) -> Cost:
    """A byte of mask for each weight; those that stay are loaded, and two numbers for each product of theirs."""
    n_batch, stay = len(values["x"]), int(np.count_nonzero(values["mask"]))
    read = values["mask"].size + stay * (4 + 8 * n_batch)
    return Cost(read_bytes=read, write_bytes=values["weights"].nbytes, flops=stay * (2 * n_batch + 2))


# choose_ratios


def make_choices(sizes: Sizes, kind: str, rng: np.random.Generator) -> Values:
    """What each layer loses at each ratio, its bytes then, a budget, and room for what is chosen."""
    n_layers, n_ratios = sizes["n_layers"], sizes["n_ratios"]
    steps = rng.integers(0, 30, (n_layers, n_ratios - 1)) * rng.integers(1, 6, (n_layers, 1))
    steps = np.sort(steps, axis=1)  # the more is gone, the more a further step costs
    lucky = rng.random(n_layers) < 0.2
    steps[lucky, :1] -= 9  # now and then a network is better with a little less
    lost = np.concatenate([np.zeros((n_layers, 1), np.int64), np.cumsum(steps, axis=1)], axis=1)
    unit = rng.integers(1, 9, (n_layers, 1)) * 64
    n_bytes = unit * np.arange(n_ratios + 1, 1, -1)
    if n_layers > 2:  # two layers that are alike: a tie at every step
        lost[2], n_bytes[2] = lost[0], n_bytes[0]
    most, least = int(n_bytes[:, 0].sum()), int(n_bytes[:, -1].sum())
    return {
        "lost": lost,
        "n_bytes": n_bytes,
        "budget": np.int64(least + (most - least) * sizes["percent"] // 100),
        "chosen": np.zeros(n_layers, np.int64),
    }


def greedy(values: Values, price, enough=lambda total, budget: total <= budget, last: bool = False) -> np.ndarray:
    """(n_layers,) steps down, one at a time, of the least price(lost, n_bytes, layer, at), until it is enough.

    last: of equal prices the last layer goes first.
    """
    lost, n_bytes = values["lost"].astype(int).tolist(), values["n_bytes"].astype(int).tolist()
    at, n_layers = [0] * len(lost), len(lost)
    order = range(n_layers - 1, -1, -1) if last else range(n_layers)
    while not enough(sum(n_bytes[k][at[k]] for k in range(n_layers)), int(values["budget"])):
        left = [k for k in order if at[k] + 1 < len(lost[k])]
        if not left:
            break
        best = min(left, key=lambda k: price(lost[k], n_bytes[k], at[k]))
        at[best] += 1
    return np.array(at, np.int64)


def per_byte(lost: list[int], n_bytes: list[int], at: int) -> float:
    """What the next step of a layer loses, for each byte that it saves."""
    return (lost[at + 1] - lost[at]) / (n_bytes[at] - n_bytes[at + 1])


def ratios(values: Values) -> dict:
    """The ratio of each layer, by steps that lose least for each byte."""
    return {"chosen": greedy(values, per_byte)}


def layers(n_layers: int, n_ratios: int, percent: int) -> dict[str, int]:
    """Sizes of a choice. percent: how much of what can be saved may stay."""
    return {"n_layers": n_layers, "n_ratios": n_ratios, "percent": percent}


RATIO_CASES = tuple(
    Case(layers(*sizes), trace=False)
    for sizes in ((4, 5, 50), (1, 2, 0), (3, 4, 100), (6, 4, 0), (9, 6, 33), (20, 8, 70), (12, 3, 47))
)
