"""Wrong outputs of unit 21's RMS norm and turned pairs: what each mistake computes, and what to say about it."""

from __future__ import annotations

import numpy as np

from autograder.contract import Slip, Values
from autograder.exercises.u21_language_models.values import (
    EPS,
    PAIRS,
    THREADS,
    WARP,
    WARPS,
    WIDE,
    angles_of,
    pairs_of,
    rms_norm,
    scaled,
    squares,
    turned,
    turned_by,
)


def without_mean(values: Values) -> dict:
    """A layer norm: the mean was taken off first."""
    src = values["src"].astype(np.float64)
    centred = src - src.mean(axis=1, keepdims=True)
    with np.errstate(all="ignore"):
        scale = np.sqrt((centred**2).mean(axis=1, keepdims=True) + EPS)
    return {"dst": centred / scale * values["gamma"]}


def of_warps(values: Values) -> dict:
    """Each warp divides by the sum of its own elements."""
    n_cols = values["src"].shape[1]
    warp = np.arange(n_cols) // WIDE % THREADS // WARP
    found = squares(values)
    sums = np.stack([found[:, warp == one].sum(axis=1) for one in range(WARPS)], axis=1)
    return scaled(values, sums[:, warp] / n_cols + EPS)


def squared_in_float16(values: Values) -> dict:
    """Squares past 65,504 are infinite, so all of their row is 0."""
    with np.errstate(all="ignore"):
        found = (values["src"] * values["src"]).astype(np.float64)
        return scaled(values, found.mean(axis=1, keepdims=True) + EPS)


def first_piece(values: Values) -> dict:
    """Only the first 8 elements of each thread were written."""
    dst = np.ma.masked_array(np.asarray(rms_norm(values)["dst"]), mask=np.zeros(values["src"].shape, bool))
    dst[:, THREADS * WIDE :] = np.ma.masked
    return {"dst": dst}


def root_outside(values: Values) -> dict:
    """eps was added to the root."""
    return scaled(values, (np.sqrt(squares(values).mean(axis=1, keepdims=True)) + EPS) ** 2)


NORM = (
    Slip("mean_subtracted", "the mean was taken off: an RMS norm leaves it in", without_mean),
    Slip(
        "sum_for_mean",
        "each row was divided by the root of the sum of its squares: take their mean",
        lambda v: scaled(v, squares(v).sum(axis=1, keepdims=True) + EPS),
    ),
    Slip(
        "eps_forgotten",
        "1e-5 is missing: a row of zeros is 0 divided by 0, and small rows come out too large",
        lambda v: scaled(v, squares(v).mean(axis=1, keepdims=True)),
    ),
    Slip("eps_outside", "1e-5 was added to the root: add it to the mean, inside the root", root_outside),
    Slip(
        "root_forgotten",
        "each row was divided by the mean of its squares: take the root of it",
        lambda v: scaled(v, (squares(v).mean(axis=1, keepdims=True) + EPS) ** 2),
    ),
    Slip(
        "gamma_forgotten",
        "gamma is missing: each column is multiplied by its number",
        lambda v: {"dst": scaled(v | {"gamma": np.ones(1)}, squares(v).mean(axis=1, keepdims=True) + EPS)["dst"]},
    ),
    Slip(
        "warps_not_combined",
        "each warp divides by the sum of its own squares: those of the block's four warps were never added",
        of_warps,
    ),
    Slip(
        "half_overflow",
        "rows with an element of 256 or more are 0: its square is past 65,504, the largest float16, so square in "
        "float32",
        squared_in_float16,
    ),
    Slip("missing_tail", "only the first 1,024 elements of a row were written: 8 for each thread", first_piece),
)


def neighbours(values: Values) -> dict:
    """Numbers 2i and 2i + 1 are a pair."""
    src, dst = values["src"].astype(np.float64), np.empty(values["src"].shape)
    dst[..., ::2], dst[..., 1::2] = turned(src[..., ::2], src[..., 1::2], angles_of(values))
    return {"dst": dst}


def second_after_first(values: Values) -> dict:
    """The second number of a pair was turned with the first one's result."""
    a, b = pairs_of(values)
    angle = angles_of(values)
    a = a * np.cos(angle) - b * np.sin(angle)
    return {"dst": np.concatenate([a, b * np.cos(angle) + a * np.sin(angle)], axis=-1)}


def only_first(values: Values) -> dict:
    """The second half of each head was never written."""
    dst = np.ma.masked_array(np.asarray(turned_by(values, angles_of(values))["dst"]))
    dst[..., PAIRS:] = np.ma.masked
    return {"dst": dst}


TURN = (
    Slip(
        "neighbours_as_pairs",
        "numbers 2i and 2i + 1 were turned together: here a pair is i and i + 64",
        neighbours,
    ),
    Slip(
        "turned_back",
        "pairs are turned the other way round: the sine has the other sign in both lines",
        lambda v: turned_by(v, -angles_of(v)),
    ),
    Slip(
        "token_for_place",
        "the angle follows the token's number: take its place, places[token]",
        lambda v: turned_by(v, angles_of(v | {"places": np.arange(len(v["places"]))})),
    ),
    Slip(
        "first_place_only",
        "all tokens are turned by the place of the first",
        lambda v: turned_by(v, angles_of(v | {"places": np.repeat(v["places"][:1], len(v["places"]))})),
    ),
    Slip(
        "one_speed",
        "all pairs are turned by the same angle: each has a speed of its own",
        lambda v: turned_by(v, angles_of(v | {"speeds": np.repeat(v["speeds"][:1], PAIRS)})),
    ),
    Slip(
        "overwritten",
        "the second number of a pair was worked out from what the first had become: both need the numbers as they were",
        second_after_first,
    ),
    Slip("second_half_missing", "numbers 64 to 127 of each head were never written", only_first),
)
