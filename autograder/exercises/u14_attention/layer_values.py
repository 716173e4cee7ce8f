"""Inputs, oracles, bounds and costs of unit 14 for what stands between products: a fused chain and a layer norm."""

from __future__ import annotations

import math

import numpy as np

from autograder.contract import Argument, Case, Cost, Library, Sizes, Values
from autograder.exercises.u14_attention.values import SMALLEST, WARP, U, matrix

EPS = 1e-5  # added to a variance, so that nothing is divided by 0
MOST_COLUMNS = 1024  # of a row that a warp keeps in shared memory
FAR_MEAN = 8192.0  # its square is 2 to the power of 26: what lies around it by 1 is lost in a sum of squares
FULL = matrix(4, 300)

# bias_gelu_residual

FUSED_ARGUMENTS = (
    Argument("src", "in", "float32", "(n_rows, n_cols)", "what a product left"),
    Argument("bias", "in", "float32", "(n_cols,)", "one number per column"),
    Argument("residual", "in", "float32", "(n_rows, n_cols)", "what goes past the layer"),
    Argument("dst", "out", "float32", "(n_rows, n_cols)", "gelu(src + bias) + residual"),
)
FUSED_CASES = (
    Case(FULL),
    *(Case(matrix(*sizes)) for sizes in ((1, 1), (2, 31), (3, 128), (2, 129), (5, 33))),
    Case(matrix(3, 200), "general"),
    Case(matrix(200, 700), trace=False),
)
_erf = np.vectorize(math.erf, otypes=[float])


def make_fused(sizes: Sizes, kind: str, rng: np.random.Generator) -> Values:
    """src, bias, residual and room for dst. "exact": halves from -4 to 4."""
    shape = sizes["n_rows"], sizes["n_cols"]
    if kind == "exact":
        src, residual = rng.integers(-8, 9, (2, *shape)) / 2
        bias = rng.integers(-4, 5, shape[1]) / 2
    else:
        src, residual = rng.normal(0, 3, (2, *shape))
        bias = rng.normal(0, 1, shape[1])
    arrays = {"src": src, "bias": bias, "residual": residual}
    return {name: x.astype(np.float32) for name, x in arrays.items()} | {"dst": np.zeros(shape, np.float32)}


def gelu(x: np.ndarray) -> np.ndarray:
    """x times the share of a normal distribution below x, float64."""
    return 0.5 * x * (1 + _erf(x / math.sqrt(2)))


def biased(values: Values) -> np.ndarray:
    """src + bias, float64."""
    return values["src"].astype(np.float64) + values["bias"]


def fused(values: Values) -> dict:
    """gelu(src + bias) + residual, float64."""
    return {"dst": gelu(biased(values)) + values["residual"]}


def fused_bound(values: Values, expected) -> dict:
    """A sum, an erf of some roundings beside 1, two products and a sum."""
    x = np.abs(values["src"].astype(np.float64)) + np.abs(values["bias"])
    return {"dst": U * (10 * x + 2 * np.abs(values["residual"]) + 2 * np.abs(expected["dst"])) + SMALLEST}


def fused_cost(values: Values) -> Cost:
    """Three loads and a store of each element; two sums, 1 + erf, and three products."""
    n = values["src"].size
    return Cost(read_bytes=12 * n, write_bytes=4 * n, flops=6 * n)


# layer_norm

NORM_ARGUMENTS = (
    Argument("src", "in", "float32", "(n_rows, n_cols)", "n_cols is at most 1,024"),
    Argument("gamma", "in", "float32", "(n_cols,)", "what each column is multiplied by"),
    Argument("beta", "in", "float32", "(n_cols,)", "what is added to it"),
    Argument("dst", "out", "float32", "(n_rows, n_cols)", "each row with mean 0 and variance 1, times gamma plus beta"),
)
NORM_CASES = (
    Case(FULL),
    *(Case(matrix(*sizes)) for sizes in ((1, 1), (3, 31), (5, 33), (2, 64), (9, 6))),
    Case(matrix(8, 200), "general"),
    Case(matrix(5, 33), "general"),
    Case(matrix(30, 1024), trace=False),
    Case(matrix(9, 998), "general", trace=False),
)


def layer_norm_of(torch, values: Values):
    """What a user would call."""
    shape = (values["src"].shape[1],)
    return torch.nn.functional.layer_norm(values["src"], shape, values["gamma"], values["beta"], EPS)


TORCH_LAYER_NORM = Library("torch layer_norm", layer_norm_of)


def make_norm(sizes: Sizes, kind: str, rng: np.random.Generator) -> Values:
    """src, gamma, beta and room for dst. Rows of whole numbers, or of numbers around 0, of very small ones and of a
    constant; every fourth, where it is of an even length, half of it 8191 and half 8193: a far mean, and variance 1."""
    n_rows, n_cols = sizes["n_rows"], sizes["n_cols"]
    if kind == "exact":
        src = rng.integers(-9, 10, (n_rows, n_cols)).astype(np.float32)
    else:
        src = rng.normal(0, 1, (n_rows, n_cols)) * np.array([1, 1e-3, 0, 1])[np.arange(n_rows) % 4][:, None]
        src[2::4] = 7
    if n_cols % 2 == 0:
        for row in src[3::4]:
            row[:] = rng.permutation(FAR_MEAN + np.repeat([-1, 1], n_cols // 2))
    gamma, beta = rng.integers(1, 5, n_cols) * rng.choice([-1, 1], n_cols), rng.integers(-4, 5, n_cols)
    arrays = {"src": src, "gamma": gamma, "beta": beta}
    return {name: x.astype(np.float32) for name, x in arrays.items()} | {"dst": np.zeros((n_rows, n_cols), np.float32)}


def centred(values: Values) -> np.ndarray:
    """src minus the mean of its row, float64."""
    src = values["src"].astype(np.float64)
    return src - src.mean(axis=1, keepdims=True)


def scaled(values: Values, deviations: np.ndarray, variance: np.ndarray) -> dict:
    """dst of deviations from a mean and a variance per row."""
    with np.errstate(all="ignore"):
        shares = deviations / np.sqrt(variance + EPS)
    return {"dst": shares * values["gamma"] + values["beta"]}


def normalised(values: Values) -> dict:
    """Each row with mean 0 and variance 1, times gamma plus beta, float64."""
    deviations = centred(values)
    return scaled(values, deviations, (deviations**2).mean(axis=1, keepdims=True))


def norm_bound(values: Values, expected) -> dict:
    """A mean that is known to some last places of itself, which a small deviation makes large; and sums in any order.

    Wide enough for a mean and a variance that are corrected element by element, and a hundred times too narrow for the
    difference of the mean square and the squared mean where the mean is large.
    """
    src = values["src"].astype(np.float64)
    deviation = np.sqrt(centred(values).var(axis=1, keepdims=True) + EPS)
    far = np.abs(src).mean(axis=1, keepdims=True) / deviation
    share = np.abs(centred(values)) / deviation
    terms = math.sqrt(src.shape[1])
    error = U * (far * (2 * terms + 16) * (1 + share) + (2 * terms + 16) * share)
    return {"dst": error * np.abs(values["gamma"]) + 4 * U * (np.abs(expected["dst"]) + np.abs(values["beta"]))}


def norm_cost(values: Values) -> Cost:
    """Each element once, gamma and beta for each row; a sum, three flops of a square, four of the result, and 11 per
    lane for what a warp adds up."""
    n_rows, n = values["src"].shape[0], values["src"].size
    return Cost(read_bytes=12 * n, write_bytes=4 * n, flops=8 * n + 11 * WARP * n_rows)


def timed(n_bytes: int) -> dict[str, int]:
    """Rows of 1,024 elements, which occupy so many bytes together with dst."""
    return matrix(max(1, n_bytes // (8 * MOST_COLUMNS)), MOST_COLUMNS)
