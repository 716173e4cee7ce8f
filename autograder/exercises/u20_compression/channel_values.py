"""Inputs, oracle and cases of unit 20 where whole channels go: shrink_channels."""

from __future__ import annotations

import numpy as np

from autograder.contract import Case, Sizes, Values

NORM = 4  # rows of a batch norm: gamma, beta, mean, variance


def sixteenths(rng: np.random.Generator, shape: tuple[int, ...], most: int = 32) -> np.ndarray:
    """float32 whose sums float32 holds exactly, in any order."""
    return (rng.integers(-most, most + 1, shape) / 16).astype(np.float32)


def make_layers(sizes: Sizes, kind: str, rng: np.random.Generator) -> Values:
    """A layer, the batch norm behind it, the shortcut that is added to it, and the layer that reads both. Sizes of
    channels differ, and two that are as large as each other stand where one of them may have to go."""
    n_mid, keep = sizes["n_mid"], min(sizes["keep"], sizes["n_mid"])
    strength = rng.permutation(n_mid)[:, None] % 7 + 1
    weights = sixteenths(rng, (n_mid, sizes["n_in"])) * strength
    shortcut = sixteenths(rng, (n_mid, sizes["n_skip"])) * rng.permutation(n_mid)[:, None]
    size = importance(weights, shortcut)
    if 0 < keep < n_mid:  # a tie across the border, between the last that stays and the first that goes
        order = np.argsort(-size, kind="stable")
        last, next_one = order[keep - 1], order[keep]
        weights[next_one], shortcut[next_one] = -weights[last], shortcut[last]
    norm = sixteenths(rng, (NORM, n_mid))
    norm[3] = np.abs(norm[3]) + np.float32(0.5)
    following = sixteenths(rng, (sizes["n_out"], n_mid * sizes["area"]))
    return {
        "weights": weights.astype(np.float32),
        "norm": norm,
        "shortcut": shortcut.astype(np.float32),
        "following": following,
        "keep": np.int64(keep),
        "kept": np.zeros(keep, np.int64),
        "new_weights": np.zeros((keep, sizes["n_in"]), np.float32),
        "new_norm": np.zeros((NORM, keep), np.float32),
        "new_shortcut": np.zeros((keep, sizes["n_skip"]), np.float32),
        "new_following": np.zeros((sizes["n_out"], keep * sizes["area"]), np.float32),
    }


def importance(weights: np.ndarray, shortcut: np.ndarray) -> np.ndarray:
    """(n_mid,) float64: the sum of all magnitudes that make a channel."""
    return sum(np.abs(part.astype(np.float64)).sum(axis=1) for part in (weights, shortcut))


def with_channels(values: Values, kept: np.ndarray) -> dict:
    """All that is left with these channels, in the order given."""
    n_mid = len(values["weights"])
    by_channel = values["following"].reshape(len(values["following"]), n_mid, -1)
    return {
        "kept": kept.astype(np.int64),
        "new_weights": values["weights"][kept],
        "new_norm": values["norm"][:, kept],
        "new_shortcut": values["shortcut"][kept],
        "new_following": by_channel[:, kept].reshape(len(by_channel), -1),
    }


def largest(sizes: np.ndarray, keep: int) -> np.ndarray:
    """The channels of the largest sizes, in their old order; of equal ones the first."""
    return np.sort(np.argsort(-sizes, kind="stable")[:keep])


def shrunk(values: Values) -> dict:
    """The largest channels, and all that hangs on them."""
    return with_channels(values, largest(importance(values["weights"], values["shortcut"]), int(values["keep"])))


def layers(n_mid: int, keep: int, n_in: int = 5, n_skip: int = 3, n_out: int = 4, area: int = 1) -> dict[str, int]:
    """Sizes of a case."""
    return {"n_mid": n_mid, "keep": keep, "n_in": n_in, "n_skip": n_skip, "n_out": n_out, "area": area}


LAYER_CASES = tuple(
    Case(layers(*sizes), trace=False)
    for sizes in ((8, 5), (1, 1), (7, 1, 3, 4, 2), (12, 11, 2, 2, 3, 4), (16, 8, 9, 1, 5, 9), (64, 40, 27, 16, 10, 1))
)
