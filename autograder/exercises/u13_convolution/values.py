"""Inputs, oracle, bound, launches, cases and costs of unit 13 for its kernels: layers of convolutions."""

from __future__ import annotations

from typing import Literal

import numpy as np

from autograder.contract import Argument, Budget, Case, Cost, Library, Rate, Sizes, Values
from autograder.exercises.common_values import ceil_div, vector
from autograder.running.compare import sum_bound

UNIT = "13_convolution"
WIDE, HIGH = 32, 8  # threads of a block along x and y: a warp is one row of it
FREE = ("n_rows", "n_cols")
TIMED = {"n_images": 32, "n_in": 64, "n_out": 64, "n_rows": 56, "n_cols": 56, "k": 3}  # the second stage of ResNet


def conv2d(torch, values: Values):
    """What a user would call: float32 without TF32, which cuDNN would take otherwise."""
    torch.backends.cudnn.allow_tf32 = False
    return torch.nn.functional.conv2d(values["src"], values["weights"], padding=values["weights"].shape[-1] // 2)


TORCH_CONV2D = Library("torch conv2d", conv2d)
PRODUCTS = Rate(
    "TFLOP/s",
    lambda at: 2e-12 * at["n_images"] * at["n_out"] * at["n_rows"] * at["n_cols"] * at["n_in"] * at["k"] ** 2,
)
LAYER_ARGUMENTS = (
    Argument("src", "in", "float32", "(n_images, n_in, n_rows, n_cols)", "the channels that come in"),
    Argument("weights", "in", "float32", "(n_out, n_in, k, k)", "k x k weights for each pair of channels, k odd"),
    Argument("dst", "out", "float32", "(n_images, n_out, n_rows, n_cols)", "the channels that go out"),
)


def layer(n_images: int, n_in: int, n_out: int, n_rows: int, n_cols: int, k: int = 3) -> dict[str, int]:
    """Sizes of one layer; src and dst have the same rows and columns."""
    return {"n_images": n_images, "n_in": n_in, "n_out": n_out, "n_rows": n_rows, "n_cols": n_cols, "k": k}


def at_work(n_threads: int, sizes: Sizes, why: str) -> Budget:
    """A budget that an answer misses in which few threads, or one block, do the work of all."""
    return Budget("threads_at_work", n_threads, sizes, why, "few_threads", floor=True)


def pictures(sizes: Sizes, kind: str, rng: np.random.Generator) -> np.ndarray:
    """src: whole numbers without 0 where sums shall be exact, so that every missing product shows."""
    shape = tuple(sizes[name] for name in ("n_images", "n_in", "n_rows", "n_cols"))
    if kind == "exact":
        return (rng.integers(1, 9, shape) * rng.choice([-1, 1], shape)).astype(np.float32)
    return vector(rng, int(np.prod(shape)), kind).reshape(shape)


def make_layer(sizes: Sizes, kind: str, rng: np.random.Generator) -> Values:
    """src, weights and room for dst. Where there are infinities, one weight of each pair of channels is 0: their
    product is NaN, not nothing."""
    shape = (sizes["n_out"], sizes["n_in"], sizes["k"], sizes["k"])
    if kind == "exact":
        weights = (rng.integers(1, 5, shape) * rng.choice([-1, 1], shape)).astype(np.float32)
    else:
        weights = rng.uniform(0.1, 1, shape).astype(np.float32)
    if kind == "nonfinite":
        weights[:, :, 0, 0] = 0
    dst = np.zeros((sizes["n_images"], sizes["n_out"], sizes["n_rows"], sizes["n_cols"]), np.float32)
    return {"src": pictures(sizes, kind, rng), "weights": weights, "dst": dst}


def windows(src: np.ndarray, k: int, mode: Literal["constant", "edge"] = "constant") -> np.ndarray:
    """(n_images, n_in, n_rows, n_cols, k, k) float64: what the weights of each output meet; zeros past the edges."""
    pad = k // 2
    padded = np.pad(src.astype(np.float64), ((0, 0), (0, 0), (pad, pad), (pad, pad)), mode)
    return np.lib.stride_tricks.sliding_window_view(padded, (k, k), axis=(2, 3))


def convolved(values: Values) -> dict:
    """dst[n, o, r, c] = sum over i, a, b of weights[o, i, a, b] src[n, i, r + a - k // 2, c + b - k // 2]. float64."""
    weights = values["weights"].astype(np.float64)
    met = windows(values["src"], weights.shape[-1])
    with np.errstate(invalid="ignore"):
        return {"dst": np.einsum("oiab,nircab->norc", weights, met, optimize=bool(np.isfinite(met).all()))}


def absolute(values: Values) -> np.ndarray:
    """The sum of the absolute products of every output, NaN and infinities left out."""
    sizes = {name: np.nan_to_num(np.abs(values[name]), posinf=0) for name in ("src", "weights")}
    return convolved(sizes)["dst"]


def layer_bound(values: Values, expected) -> dict:
    """Any order of the products of an output."""
    result = np.nan_to_num(expected["dst"], posinf=0, neginf=0)
    return {"dst": sum_bound(absolute(values), values["weights"][0].size, result)}


def layer_cases(full: dict[str, int], *ragged: tuple[int, ...], odd: tuple[int, ...]) -> tuple[Case, ...]:
    """Whole blocks, ragged ones, one output, values that need rounding and odd ones, and a layer too large to trace.

    odd: sizes for values that are not whole.
    """
    return (
        Case(full),
        Case(layer(1, 1, 1, 1, 1)),
        *(Case(layer(*sizes)) for sizes in ragged),
        Case(layer(*odd), "general"),
        Case(layer(*odd), "nonfinite"),
        Case(layer(2, 5, 9, 19, 45), trace=False),
    )


# wider than any filter of the others, and than most layers: for who counts so many weights
WIDE_FILTERS = Case(layer(1, 2, 2, 12, 14, 11), trace=False, last=True)


def planes(values: Values) -> tuple:
    """Blocks of 32 x 8 threads over each plane of dst: x along columns, y down rows, z = image * n_out + out."""
    n_images, n_out, n_rows, n_cols = values["dst"].shape
    return (ceil_div(n_cols, WIDE), ceil_div(n_rows, HIGH), n_images * n_out), (WIDE, HIGH, 1)


def pairs_inside(n: int, k: int) -> int:
    """Along an axis of n: pairs of an output and a weight whose element of src exists."""
    return sum(max(0, n - abs(a - k // 2)) for a in range(k))


def n_products(values: Values) -> int:
    """Products of a layer that leaves out what lies past the edges."""
    n_images, n_out, n_rows, n_cols = values["dst"].shape
    n_in, k = values["weights"].shape[1:3]
    return n_images * n_out * n_in * pairs_inside(n_rows, k) * pairs_inside(n_cols, k)


def direct_cost(values: Values) -> Cost:
    """Each thread loads a weight and an element for each product."""
    products = n_products(values)
    return Cost(read_bytes=8 * products, write_bytes=values["dst"].nbytes, flops=2 * products)


def timed(_n_bytes: int) -> dict[str, int]:
    """The sizes of a race, whatever room there is."""
    return dict(TIMED)


# conv_tiled: 3 x 3 weights, 8 output channels per thread, a tile with its halo for each block

FILTERS = 8  # output channels of a thread
SPAN_X, SPAN_Y = WIDE + 2, HIGH + 2  # elements that a block needs of a channel


def planes_of_eight(values: Values) -> tuple:
    """Blocks of 32 x 8 threads; z = image * groups + group, where a group is 8 output channels."""
    n_images, n_out, n_rows, n_cols = values["dst"].shape
    return (ceil_div(n_cols, WIDE), ceil_div(n_rows, HIGH), n_images * ceil_div(n_out, FILTERS)), (WIDE, HIGH, 1)


def spans_inside(n: int, step: int) -> int:
    """Along an axis of n: elements that blocks of `step` outputs need together, halo included, as far as they exist."""
    return sum(min(n, first + step + 1) - max(0, first - 1) for first in range(0, n, step))


def tiled_cost(values: Values) -> Cost:
    """Each block loads its tile of every channel and the weights of its 8 output channels, and multiplies all of it."""
    n_images, n_out, n_rows, n_cols = values["dst"].shape
    n_in, groups = values["src"].shape[1], ceil_div(n_out, FILTERS)
    blocks = ceil_div(n_cols, WIDE) * ceil_div(n_rows, HIGH) * n_images
    tiles = n_images * groups * n_in * spans_inside(n_rows, HIGH) * spans_inside(n_cols, WIDE)
    return Cost(
        read_bytes=4 * tiles + blocks * values["weights"].nbytes,
        write_bytes=values["dst"].nbytes,
        flops=2 * blocks * groups * WIDE * HIGH * FILTERS * n_in * 9,
    )
