"""Inputs, oracles, error bounds, launches, cases and costs of unit 03 where the level of memory is the lesson."""

from __future__ import annotations

from math import isqrt

import numpy as np

from autograder.contract import Case, Cost, Library, Values
from autograder.exercises.common_values import ceil_div, vector
from autograder.exercises.u03_memory_access.values import THREADS, WARP_ROWS
from autograder.running.compare import sum_bound

STRIP = 32  # rows that a block of box_down works on, unless a launch says otherwise


# box_down: each element and the ones above and below


def make_box(sizes, kind, rng) -> Values:
    """src and dst, (n_rows, n_cols)."""
    n_rows, n_cols = sizes["n_rows"], sizes["n_cols"]
    return {
        "src": vector(rng, n_rows * n_cols, kind).reshape(n_rows, n_cols),
        "dst": np.zeros((n_rows, n_cols), np.float32),
    }


def boxed(values: Values) -> dict:
    """Sums of three rows; a row that is not there counts as 0."""
    framed = np.pad(values["src"].astype(np.float64), ((1, 1), (0, 0)))
    with np.errstate(invalid="ignore"):
        return {"dst": framed[:-2] + framed[1:-1] + framed[2:]}


def box_bound(values: Values, expected) -> dict:
    """Any order of two sums."""
    absolute = np.nan_to_num(np.abs(values["src"]), posinf=0)
    return {"dst": sum_bound(boxed({"src": absolute})["dst"], 3, np.nan_to_num(expected["dst"], posinf=0, neginf=0))}


def strips(values: Values) -> tuple:
    """A thread per column in every strip of 32 rows."""
    n_rows, n_cols = values["dst"].shape
    return (max(1, ceil_div(n_cols, THREADS)), max(1, ceil_div(n_rows, STRIP))), THREADS


def a_thread_a_row_in_strips(values: Values) -> tuple:
    """One thread per row in every strip of 32 columns, 32 threads along y."""
    n_rows, n_cols = values["dst"].shape
    return (max(1, ceil_div(n_rows, THREADS)), max(1, ceil_div(n_cols, STRIP))), THREADS


def box_cost(values: Values) -> Cost:
    """Each element once, and for each strip the rows above and below it; two sums per element."""
    n_rows, n_cols = values["dst"].shape
    n_strips = ceil_div(n_rows, STRIP) if n_cols else 0
    shared = 2 * max(0, n_strips - 1)
    return Cost(read_bytes=4 * n_cols * (n_rows + shared), write_bytes=4 * n_rows * n_cols, flops=2 * n_rows * n_cols)


def picture(n_rows: int, n_cols: int) -> dict[str, int]:
    """Sizes of box_down."""
    return {"n_rows": n_rows, "n_cols": n_cols}


BOX_CASES = (
    Case(picture(64, 64)),
    *(Case(picture(*sizes)) for sizes in ((1, 1), (1, 40), (2, 33), (33, 1), (5, 300), (97, 70))),
    Case(picture(45, 37), "general"),
    Case(picture(45, 37), "nonfinite"),
    Case(picture(1501, 83), trace=False),
)
BOX_LIBRARY = Library(
    "torch conv2d",
    lambda torch, v: torch.nn.functional.conv2d(
        v["src"][None, None], torch.ones((1, 1, 3, 1), device=v["src"].device), padding=(1, 0)
    ),
)


def square(n_bytes: int) -> dict[str, int]:
    """A picture that is read and written in `n_bytes`, in whole warps."""
    side = isqrt(n_bytes // 8) // 32 * 32
    return picture(side, side)


# read_again: an array, read again and again


def make_reread(sizes, kind, rng) -> Values:
    """src, how often to read it, and room for the sum of each thread."""
    n = sizes["n"]
    src = rng.integers(1, 9, n).astype(np.float32) if kind == "exact" else vector(rng, n, kind)
    return {"src": src, "times": sizes["times"], "sums": np.zeros(sizes["threads"], np.float32)}


def _by_thread(src: np.ndarray, n_threads: int) -> np.ndarray:
    """The sum of the elements of each thread: its own number, and steps of n_threads from there on. float64."""
    turns = ceil_div(src.size, n_threads)
    padded = np.zeros(turns * n_threads)
    padded[: src.size] = src
    with np.errstate(invalid="ignore"):
        return padded.reshape(turns, n_threads).sum(axis=0)


def reread(values: Values) -> dict:
    """times the sum of each thread's elements."""
    return {"sums": values["times"] * _by_thread(values["src"], values["sums"].size)}


def reread_bound(values: Values, expected) -> dict:
    """Any order of so many sums, and the same numbers again and again, whose roundings all go one way."""
    n_threads = values["sums"].size
    n_terms = values["times"] * ceil_div(values["src"].size, n_threads)
    absolute = values["times"] * _by_thread(np.abs(values["src"]), n_threads)
    return {"sums": sum_bound(absolute, n_terms**2, expected["sums"])}


def a_thread_a_sum(values: Values) -> tuple[int, int]:
    """One thread per element of sums."""
    n_threads = values["sums"].size
    block = min(n_threads, THREADS)
    return n_threads // block, block


def reread_cost(values: Values) -> Cost:
    """Every element as often as asked, one sum for each, and a result per thread."""
    n = values["src"].size * values["times"]
    return Cost(read_bytes=4 * n, write_bytes=values["sums"].nbytes, flops=n)


def passes(n: int, times: int, threads: int) -> dict[str, int]:
    """Sizes of read_again."""
    return {"n": n, "times": times, "threads": threads}


REREAD_CASES = (
    Case(passes(4096, 3, 512)),
    *(Case(passes(*sizes)) for sizes in ((0, 2, 256), (1, 1, 32), (300, 2, 512), (1000, 0, 96), (3001, 1, 256))),
    Case(passes(7, 1037, 64)),
    Case(passes(3001, 3, 512), "general"),
    Case(passes(70_001, 4, 2048), trace=False),
)


# convolve: k x k weights, several channels in and out


def make_convolve(sizes, kind, rng) -> Values:
    """src is larger than dst by k - 1 along both axes, so that every weight meets an element.

    No weight is 0 but one of each pair of channels, where there are infinities: their product is NaN, not nothing.
    """
    n_in, n_out, k = sizes["n_in"], sizes["n_out"], sizes["k"]
    n_rows, n_cols = sizes["n_rows"], sizes["n_cols"]
    shape = (n_in, n_rows + k - 1, n_cols + k - 1)
    if kind == "exact":
        src = rng.integers(-8, 9, shape).astype(np.float32)
        weights = (rng.integers(1, 5, (n_out, n_in, k, k)) * rng.choice([-1, 1], (n_out, n_in, k, k))).astype(
            np.float32
        )
    else:
        src = vector(rng, int(np.prod(shape)), kind).reshape(shape)
        weights = rng.uniform(0.1, 1, (n_out, n_in, k, k)).astype(np.float32)
    if kind == "nonfinite":
        weights[:, :, 0, 0] = 0
    return {"src": src, "weights": weights, "dst": np.zeros((n_out, n_rows, n_cols), np.float32)}


def convolved(values: Values) -> dict:
    """dst[o, r, c] = sum over i, a, b of weights[o, i, a, b] * src[i, r + a, c + b]. float64."""
    weights = values["weights"].astype(np.float64)
    k = weights.shape[-1]
    windows = np.lib.stride_tricks.sliding_window_view(values["src"].astype(np.float64), (k, k), axis=(1, 2))
    with np.errstate(invalid="ignore"):
        return {"dst": np.einsum("oiab,ircab->orc", weights, windows)}


def convolve_bound(values: Values, expected) -> dict:
    """Any order of the products of an element."""
    sizes = {name: np.nan_to_num(np.abs(values[name]), posinf=0) for name in ("src", "weights")}
    n_terms = values["weights"][0].size
    return {"dst": sum_bound(convolved(sizes)["dst"], n_terms, np.nan_to_num(expected["dst"], posinf=0, neginf=0))}


def a_plane_per_channel(values: Values) -> tuple:
    """Blocks of 32 x 8 threads over each channel of dst: x along columns, y down rows, z through the channels."""
    n_out, n_rows, n_cols = values["dst"].shape
    return (ceil_div(n_cols, WARP_ROWS[0]), ceil_div(n_rows, WARP_ROWS[1]), n_out), (*WARP_ROWS, 1)


def convolve_cost(values: Values) -> Cost:
    """Each thread loads a weight and an element for each product."""
    n_products = values["dst"].size * values["weights"][0].size
    return Cost(read_bytes=8 * n_products, write_bytes=values["dst"].nbytes, flops=2 * n_products)


def layer(n_in: int, n_out: int, n_rows: int, n_cols: int, k: int) -> dict[str, int]:
    """Sizes of convolve; rows and columns are those of dst."""
    return {"n_in": n_in, "n_out": n_out, "n_rows": n_rows, "n_cols": n_cols, "k": k}


CONVOLVE_CASES = (
    Case(layer(8, 8, 10, 32, 3)),
    *(Case(layer(*sizes)) for sizes in ((8, 8, 8, 32, 1), (1, 1, 1, 1, 1), (2, 3, 5, 33, 5), (3, 1, 17, 70, 3))),
    Case(layer(3, 2, 9, 40, 3), "general"),
    Case(layer(2, 2, 9, 40, 3), "nonfinite"),
    Case(layer(4, 3, 61, 83, 3), trace=False),
    Case(layer(2, 2, 6, 7, 11), trace=False, last=True),  # wider filters than all others
)
