"""Inputs, oracles, bounds, launches, cases and costs of unit 17 where steps are multiplied."""

from __future__ import annotations

import numpy as np

from autograder.contract import Argument, Case, Cost, Rate, Sizes, Values
from autograder.exercises.common_values import ceil_div
from autograder.exercises.u17_engine_int8.values import saturated

WIDE, HIGH = 32, 8  # threads of a block along x and y: a warp is one row of it
FREE = ("n_rows", "n_words", "n_cols")
INT8_PRODUCTS = Rate("TOPS", lambda at: 8e-12 * at["n_rows"] * at["n_words"] * at["n_cols"])  # four in each word
BY_ACTIVATION = {0: (-np.inf, np.inf), 1: (0.0, np.inf), 6: (0.0, 48.0)}  # none, ReLU, ReLU6 at a scale of 1 / 8
RESIDUAL = 0.3333  # no multiple of it up to 128 comes near a tie, so that roundings of float32 decide nothing
WORDS = (
    Argument("a", "in", "int32", "(n_rows, n_words)", "what comes in, a row per input: four steps in each word"),
    Argument("b", "in", "int32", "(n_words, n_cols)", "weights, a column per output channel: four steps in each word"),
)


def product(n_rows: int, n_words: int, n_cols: int) -> dict[str, int]:
    """Sizes of a product."""
    return {"n_rows": n_rows, "n_words": n_words, "n_cols": n_cols}


def packed(steps: np.ndarray, axis: int) -> np.ndarray:
    """int32 words of four neighbours along an axis, the first in the lowest byte. steps: 2D int8, a multiple of 4."""
    if axis == 0:
        return np.ascontiguousarray(packed(np.ascontiguousarray(steps.T), 1).T)
    return np.ascontiguousarray(steps).view(np.int32)


def unpacked(words: np.ndarray, axis: int, dtype=np.int8) -> np.ndarray:
    """The four steps of each word, along an axis."""
    if axis == 0:
        return unpacked(np.ascontiguousarray(words.T), 1, dtype).T
    return np.ascontiguousarray(words).view(dtype)


def factors(values: Values, dtype=np.int8) -> tuple[np.ndarray, np.ndarray]:
    """(n_rows, 4 n_words) and (4 n_words, n_cols) int64: the steps of both arrays."""
    return unpacked(values["a"], 1, dtype).astype(np.int64), unpacked(values["b"], 0, dtype).astype(np.int64)


def sums_of(values: Values) -> np.ndarray:
    """Exact sums, int64."""
    a, b = factors(values)
    return a @ b


# int8_products


def make_products(sizes: Sizes, kind: str, rng: np.random.Generator) -> Values:
    """a, b and room for sums. Row 0 and column 0 are as large as steps can be, so their sum is the largest there is;
    the last row is the lowest."""
    n_steps = 4 * sizes["n_words"]
    a = rng.integers(-128, 128, (sizes["n_rows"], n_steps)).astype(np.int8)
    b = rng.integers(-128, 128, (n_steps, sizes["n_cols"])).astype(np.int8)
    a[-1] = -128
    a[0] = rng.choice(np.array([127, 127, 127, 125], np.int8), n_steps)  # odd, so that no even sum is enough
    b[:, -1] = -128
    b[:, 0] = 127
    sums = np.zeros((sizes["n_rows"], sizes["n_cols"]), np.int32)
    return {"a": packed(a, 1), "b": packed(b, 0), "sums": sums}


def multiplied(values: Values) -> dict:
    """sums[r, c] = the sum over k of a[r, k] b[k, c]."""
    return {"sums": sums_of(values).astype(np.int32)}


PRODUCTS = product(16, 8, 64)
PRODUCT_CASES = (
    Case(PRODUCTS),
    *(Case(product(*sizes)) for sizes in ((1, 1, 1), (3, 5, 33), (9, 2, 7), (2, 300, 3))),
    Case(product(45, 67, 39), trace=False),
)


def a_thread_per_sum(values: Values) -> tuple:
    """Blocks of 32 x 8 threads: x along the columns, y down the rows."""
    n_rows, n_cols = values["a"].shape[0], values["b"].shape[1]
    return (ceil_div(n_cols, WIDE), ceil_div(n_rows, HIGH)), (WIDE, HIGH)


def products_cost(values: Values) -> Cost:
    """Each sum takes a word of a and one of b for four products."""
    return Cost(read_bytes=8 * values["sums"].size * values["a"].shape[1], write_bytes=values["sums"].nbytes)


def timed(_n_bytes: int) -> dict[str, int]:
    """The sizes of a race, whatever room there is."""
    return product(2048, 512, 2048)


# int8_layer


def layer(n_rows: int, n_words: int, n_cols: int, relu: int) -> dict[str, int]:
    """Sizes of a layer. relu: 0 for no activation, 1 for ReLU, 6 for ReLU6."""
    return product(n_rows, n_words, n_cols) | {"relu": relu}


def make_layer(sizes: Sizes, kind: str, rng: np.random.Generator) -> Values:
    """All that a layer takes. "exact": every scale is a power of two and many results are ties."""
    n_rows, n_steps, n_cols = sizes["n_rows"], 4 * sizes["n_words"], sizes["n_cols"]
    low, high = BY_ACTIVATION.get(sizes["relu"], BY_ACTIVATION[1])
    residual = rng.integers(-128, 128, (n_rows, n_cols)).astype(np.int8)
    if kind == "general":
        a = rng.integers(-128, 128, (n_rows, n_steps))
        b = rng.integers(-128, 128, (n_steps, n_cols))
        multiplier: np.ndarray = rng.uniform(0.4, 1.6, n_cols) / 256
        addend, residual_multiplier = rng.uniform(-20, 20, n_cols), RESIDUAL
    else:
        a = 16 * rng.integers(-8, 8, (n_rows, n_steps))
        b = 8 * rng.integers(-16, 16, (n_steps, n_cols))
        multiplier = 2.0 ** -rng.integers(7, 10, n_cols)  # sums are multiples of 128: half steps and quarters of one
        addend, residual_multiplier = rng.integers(-40, 41, n_cols) / 2, 0.5
    if n_steps == 4:  # as small as the picture of the task: with small steps, whose sums digits do not make too large
        a, b = rng.choice([1, -1, 2], a.shape), rng.choice([1, -1, -2], b.shape)
    return {
        "a": packed(a.astype(np.int8), 1),
        "b": packed(b.astype(np.int8), 0),
        "multiplier": multiplier.astype(np.float32),
        "addend": addend.astype(np.float32),
        "residual": residual,
        "residual_multiplier": np.float32(residual_multiplier),
        "low": np.float32(low),
        "high": np.float32(high),
        "steps": np.zeros((n_rows, n_cols), np.int8),
    }


def scaled(values: Values) -> np.ndarray:
    """float64: sums in steps of the output, with the addend."""
    return sums_of(values) * values["multiplier"].astype(np.float64) + values["addend"].astype(np.float64)


def with_residual(values: Values, scaled_sums: np.ndarray) -> np.ndarray:
    """The same and the residual."""
    return scaled_sums + values["residual"] * np.float64(values["residual_multiplier"])


def cut(values: Values, x: np.ndarray) -> np.ndarray:
    """The activation, of what float32 holds of x."""
    return np.clip(x.astype(np.float32), values["low"], values["high"])


def of_layer(values: Values) -> dict:
    """saturate(rint(min(max(sum * multiplier + addend + residual * residual_multiplier, low), high)))."""
    return {"steps": saturated(cut(values, with_residual(values, scaled(values))))}


def layer_bound(values: Values, expected) -> dict:
    """One step where the sum lies so close to a tie that a rounding of float32 decides; 0 at a tie itself where scales
    are powers of two, and nothing is rounded."""
    exact = bool((np.frexp(values["multiplier"])[0] == 0.5).all())
    x = with_residual(values, scaled(values))
    apart = np.abs(x - np.floor(x) - 0.5)
    return {"steps": np.where((apart < 1e-4) & ((apart > 0) | np.bool_(not exact)), 1.0, 0.0)}


LAYER = layer(16, 8, 64, 1)
LAYER_CASES = (
    Case(LAYER),
    Case(layer(1, 1, 1, 0)),
    Case(layer(9, 5, 33, 0)),
    Case(layer(3, 2, 7, 6)),
    Case(layer(10, 7, 40, 0), "general"),
    Case(layer(45, 67, 39, 1), "general", trace=False),
)


def layer_cost(values: Values) -> Cost:
    """Words as in a product; two constants and a residual per output, and one byte of it."""
    outputs = values["steps"].size
    read = outputs * (8 * values["a"].shape[1] + 4 + 4 + 1)
    return Cost(read_bytes=read, write_bytes=outputs, flops=4 * outputs)
