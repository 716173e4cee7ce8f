"""Wrong outputs of unit 14's fused chain and layer norm: what each mistake computes, and what to say about it."""

from __future__ import annotations

import math
from functools import partial

import numpy as np

from autograder.contract import Slip, Values
from autograder.exercises.u14_attention.layer_values import EPS, biased, centred, fused, gelu, scaled
from autograder.exercises.u14_attention.values import THREADS, WARP


def activated(values: Values, x: np.ndarray) -> dict:
    """dst of what came out of another activation."""
    return {"dst": x + values["residual"]}


def by_tanh(values: Values) -> dict:
    """The approximation of GELU by tanh."""
    x = biased(values)
    return activated(values, 0.5 * x * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3))))


def by_sigmoid(values: Values) -> dict:
    """The approximation of GELU by a sigmoid."""
    x = biased(values)
    return activated(values, x / (1 + np.exp(-1.702 * x)))


def root_forgotten(values: Values) -> dict:
    """erf of x itself."""
    x = biased(values)
    return activated(values, gelu(math.sqrt(2) * x) / math.sqrt(2))


def bias_by_row(values: Values) -> dict:
    """The bias of column r was added to all of row r."""
    n_rows, n_cols = values["src"].shape
    mine = values["bias"][np.minimum(np.arange(n_rows), n_cols - 1)]
    return activated(values, gelu(values["src"].astype(float) + mine[:, None]))


def first_columns(values: Values) -> dict:
    """One element per thread of a row: the others are not written."""
    dst = np.ma.masked_array(np.asarray(fused(values)["dst"]), mask=np.zeros(values["src"].shape, bool))
    dst[:, THREADS:] = np.ma.masked
    return {"dst": dst}


FUSED = (
    Slip("another_form", "this is the approximation by tanh: the task asks for erf", by_tanh),
    Slip("another_form", "this is the approximation by a sigmoid: the task asks for erf", by_sigmoid),
    Slip("root_forgotten", "erf gets x itself: divide it by the square root of 2 first", root_forgotten),
    Slip(
        "half_forgotten",
        "gelu is twice as large as it should be: the factor 1/2 is missing",
        lambda v: activated(v, 2 * gelu(biased(v))),
    ),
    Slip(
        "no_bias", "the bias is missing: it is added before gelu", lambda v: activated(v, gelu(v["src"].astype(float)))
    ),
    Slip("no_residual", "the residual is missing: it is added after gelu", lambda v: {"dst": gelu(biased(v))}),
    Slip(
        "residual_inside",
        "the residual went through gelu, too: it is added after it",
        lambda v: {"dst": gelu(biased(v) + v["residual"])},
    ),
    Slip(
        "bias_outside",
        "the bias was added after gelu: it is added before",
        lambda v: activated(v, gelu(v["src"].astype(float)) + v["bias"]),
    ),
    Slip("bias_by_row", "every row has one number of the bias: it has one for each column", bias_by_row),
    Slip("missing_tail", "only the first 128 elements of a row were written: one for each thread", first_columns),
)


def of_squares(values: Values) -> dict:
    """The mean of squares minus the square of the mean, each square rounded to float32."""
    src = values["src"]
    with np.errstate(all="ignore"):
        squares = (src * src).astype(np.float64).mean(axis=1, keepdims=True)
    mean = src.astype(np.float64).mean(axis=1, keepdims=True)
    return scaled(values, src - mean, squares - mean**2)


def variance_times(values: Values, factor: float, eps: float = EPS) -> dict:
    """Another variance."""
    deviations = centred(values)
    return scaled(values, deviations, factor * (deviations**2).mean(axis=1, keepdims=True) + eps - EPS)


def fewer_by_one(values: Values) -> dict:
    """Divided by n - 1, which gives NaN for a single element."""
    n = values["src"].shape[1]
    return variance_times(values, n / (n - 1) if n > 1 else math.nan)


def without_root(values: Values) -> dict:
    """Divided by the variance."""
    deviations = centred(values)
    variance = (deviations**2).mean(axis=1, keepdims=True) + EPS
    return {"dst": deviations / variance * values["gamma"] + values["beta"]}


def eps_outside(values: Values) -> dict:
    """Added to the root."""
    deviations = centred(values)
    root = np.sqrt((deviations**2).mean(axis=1, keepdims=True)) + EPS
    return {"dst": deviations / root * values["gamma"] + values["beta"]}


def mean_kept(values: Values) -> dict:
    """Only the scale, as in an RMS norm."""
    src = values["src"].astype(np.float64)
    return scaled(values, src, (src**2).mean(axis=1, keepdims=True))


def mean_kept_in_the_result(values: Values) -> dict:
    """The variance is right, and the mean was not subtracted in the end."""
    return scaled(values, values["src"].astype(np.float64), (centred(values) ** 2).mean(axis=1, keepdims=True))


def lanes_alone(values: Values) -> dict:
    """Each lane has the sums of its own elements, divided by the row's length."""
    src = values["src"].astype(np.float64)
    lane = np.arange(src.shape[1]) % WARP
    mean, variance = np.zeros(src.shape), np.zeros(src.shape)
    for one in range(min(WARP, src.shape[1])):
        mine = lane == one
        mean[:, mine] = src[:, mine].sum(axis=1, keepdims=True) / src.shape[1]
        squares = ((src - mean)[:, mine] ** 2).sum(axis=1, keepdims=True)
        variance[:, mine] = squares / src.shape[1]
    return scaled(values, src - mean, variance)


def merged_plainly(values: Values, means_of_lanes: bool) -> dict:
    """Squares about each lane's own mean, added up as they are. means_of_lanes: their mean stands for the row's."""
    src, n = values["src"].astype(np.float64), values["src"].shape[1]
    lanes = [src[:, one::WARP] for one in range(min(WARP, n))]
    own = [mine.mean(axis=1, keepdims=True) for mine in lanes]
    squares = sum(((mine - mean) ** 2).sum(axis=1, keepdims=True) for mine, mean in zip(lanes, own, strict=True))
    mean = sum(own) / len(own) if means_of_lanes else src.mean(axis=1, keepdims=True)
    return scaled(values, src - mean, squares / n)


def first_turn(values: Values) -> dict:
    """One element per lane, and the sums of those divided by the row's length: the others are not written."""
    src, n = values["src"].astype(np.float64), values["src"].shape[1]
    seen = np.arange(n) < WARP
    deviations = src - (src * seen).sum(axis=1, keepdims=True) / n
    dst = scaled(values, deviations, (deviations**2 * seen).sum(axis=1, keepdims=True) / n)["dst"]
    return {"dst": np.ma.masked_array(dst, mask=np.broadcast_to(~seen, dst.shape))}


def exchanged(values: Values) -> dict:
    """gamma is added and beta multiplied."""
    changed = values | {"gamma": values["beta"], "beta": values["gamma"]}
    return variance_times(changed, 1)


def beta_divided(values: Values) -> dict:
    """beta was added before the division by the root."""
    deviations = centred(values)
    root = np.sqrt((deviations**2).mean(axis=1, keepdims=True) + EPS)
    return {"dst": (deviations * values["gamma"] + values["beta"]) / root}


def constant(values: Values, name: str, number: float) -> dict:
    """gamma or beta left out."""
    return variance_times(values | {name: np.full(values[name].shape, number)}, 1)


NORM = (
    Slip(
        "cancelled",
        "where the mean is large the variance comes out as 0: the mean of squares and the square of the mean are equal "
        "in all digits that a float32 has, so take the mean of the squared differences",
        of_squares,
    ),
    Slip("fewer_by_one", "the variance is divided by n - 1: here it is the mean over all n", fewer_by_one),
    Slip(
        "eps_missing",
        "rows of equal elements come out as NaN: their variance is 0, and eps keeps its root from being 0",
        lambda v: variance_times(v, 1, 0.0),
    ),
    Slip("eps_outside", "eps is added to the root: it belongs to the variance, under the root", eps_outside),
    Slip("root_forgotten", "the deviations are divided by the variance: it should be its square root", without_root),
    Slip("mean_kept", "the mean was never subtracted: only the scale is right", mean_kept),
    Slip("mean_kept", "the variance is right, but the result still has its mean", mean_kept_in_the_result),
    Slip("lanes_alone", "each lane has the mean of its own elements: the lanes were never added up", lanes_alone),
    *(
        Slip(
            "lanes_alone",
            "each lane's squares are about its own mean, and were added up as they are: where two lanes of a and b "
            "elements meet, (difference of their means)² a b / (a + b) comes on top",
            partial(merged_plainly, means_of_lanes=means),
        )
        for means in (False, True)
    ),
    Slip("missing_tail", "only the first 32 elements of a row were looked at: one for each lane", first_turn),
    Slip("gamma_and_beta", "gamma and beta are exchanged: gamma multiplies, beta is added", exchanged),
    Slip("beta_divided", "beta is divided by the root, too: it is added to the result, as it is", beta_divided),
    Slip("gamma_and_beta", "gamma is missing: it multiplies the result", lambda v: constant(v, "gamma", 1.0)),
    Slip("gamma_and_beta", "beta is missing: it is added to the result", lambda v: constant(v, "beta", 0.0)),
)
