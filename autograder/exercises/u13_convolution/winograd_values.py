"""Inputs, oracle, bound, launch, cases and costs of conv_winograd: 16 products for 2 x 2 outputs."""

from __future__ import annotations

import numpy as np

from autograder.contract import Argument, Case, Cost, Sizes, Values
from autograder.exercises.common_values import ceil_div
from autograder.exercises.u13_convolution.values import layer, make_layer
from autograder.running.compare import sum_bound

WIDE, HIGH = 32, 4  # threads of a block along x and y, each with 2 x 2 outputs
FOUR = 4  # output channels of a thread
G = np.array([[1, 0, 0], [0.5, 0.5, 0.5], [0.5, -0.5, 0.5], [0, 0, 1]])  # three weights to four
BT = np.array([[1, 0, -1, 0], [0, 1, 1, 0], [0, -1, 1, 0], [0, 1, 0, -1]], float)  # four neighbours to four factors
AT = np.array([[1, 1, 1, 0], [0, 1, -1, -1]], float)  # four products to two outputs
ONE_SPREAD = ONE_COLLECT = 4  # additions and subtractions
ARGUMENTS = (
    Argument("src", "in", "float32", "(n_images, n_in, n_rows, n_cols)", "the channels that come in"),
    Argument("u", "in", "float32", "(n_out, n_in, 4, 4)", "the transformed 3 x 3 weights; n_out is a multiple of 4"),
    Argument("dst", "out", "float32", "(n_images, n_out, n_rows, n_cols)", "the channels that go out"),
)
FULL = layer(1, 4, 4, 16, 64)
CASES = (
    Case(FULL),
    Case(layer(1, 1, 4, 1, 1)),
    Case(layer(2, 2, 8, 5, 33)),
    Case(layer(1, 3, 8, 9, 6)),
    Case(layer(2, 2, 4, 9, 20), "general"),
    Case(layer(2, 5, 8, 19, 75), trace=False),
)


def make_winograd(sizes: Sizes, kind: str, rng: np.random.Generator) -> Values:
    """src, the weights of `make_layer` transformed, and room for dst."""
    values = make_layer(sizes, kind, rng)
    u = G @ values["weights"].astype(np.float64) @ G.T
    return {"src": values["src"], "u": u.astype(np.float32), "dst": values["dst"]}


def tiles(src: np.ndarray, before: int = 1) -> np.ndarray:
    """(n_images, n_in, tiles down, tiles along, 4, 4) float64: what each 2 x 2 outputs need, zeros past the edges."""
    n_rows, n_cols = src.shape[2:]
    down, along = ceil_div(n_rows, 2), ceil_div(n_cols, 2)
    pads = ((before, 2 * down + 2 - n_rows - before), (before, 2 * along + 2 - n_cols - before))
    padded = np.pad(src.astype(np.float64), ((0, 0), (0, 0), *pads))
    return np.lib.stride_tricks.sliding_window_view(padded, (4, 4), axis=(2, 3))[:, :, ::2, ::2]


def collected(met: np.ndarray, u: np.ndarray, values: Values, at: np.ndarray = AT) -> np.ndarray:
    """dst of transformed tiles (n_images, n_in, down, along, 4, 4) and weights (n_out, n_in, 4, 4)."""
    sums = np.einsum("oiab,nirsab->norsab", u.astype(np.float64), met)
    outputs = at @ sums @ at.T
    n_images, n_out, down, along = outputs.shape[:4]
    flat = outputs.transpose(0, 1, 2, 4, 3, 5).reshape(n_images, n_out, 2 * down, 2 * along)
    return flat[:, :, : values["dst"].shape[2], : values["dst"].shape[3]]


def convolved(values: Values) -> dict:
    """The layer whose transformed weights u are, float64."""
    return {"dst": collected(BT @ tiles(values["src"]) @ BT.T, values["u"], values)}


def winograd_bound(values: Values, expected) -> dict:
    """Every sum and difference of the three transforms rounds: their terms without signs bound the error."""
    met = np.abs(BT) @ tiles(np.abs(values["src"])) @ np.abs(BT).T
    absolute = collected(met, np.abs(values["u"]), values, np.abs(AT))
    return {"dst": sum_bound(absolute, 16 * values["u"].shape[1] + 8, expected["dst"])}


def a_thread_per_tile(values: Values) -> tuple:
    """Blocks of 32 x 4 threads, one for each 2 x 2 outputs; z = image * groups + group of 4 output channels."""
    n_images, n_out, n_rows, n_cols = values["dst"].shape
    down, along = ceil_div(n_rows, 2), ceil_div(n_cols, 2)
    return (ceil_div(along, WIDE), ceil_div(down, HIGH), n_images * n_out // FOUR), (WIDE, HIGH, 1)


def spans(n: int) -> int:
    """Along an axis of n: elements that all tiles of 4 load together, as far as they exist."""
    return sum(min(n, first + 3) - max(0, first - 1) for first in range(0, n, 2))


def winograd_cost(values: Values) -> Cost:
    """Each thread loads 16 elements and 64 weights of a channel, and spreads the elements once for four channels."""
    n_images, n_out, n_rows, n_cols = values["dst"].shape
    n_in, groups = values["u"].shape[1], n_out // FOUR
    n_tiles = n_images * groups * ceil_div(n_rows, 2) * ceil_div(n_cols, 2)
    elements = n_images * groups * n_in * spans(n_rows) * spans(n_cols)
    per_channel = 8 * ONE_SPREAD + FOUR * 16 * 2
    return Cost(
        read_bytes=4 * (elements + n_tiles * n_in * FOUR * 16),
        write_bytes=values["dst"].nbytes,
        flops=n_tiles * (n_in * per_channel + FOUR * 6 * ONE_COLLECT),
    )
