"""Inputs, oracles, error bounds, launches and costs of unit 02, shared by its exercises."""

from __future__ import annotations

import numpy as np

from autograder.contract import Case, Cost
from autograder.exercises.common_values import ceil_div, vector
from autograder.running.compare import ulp_bound

UNIT = "02_indexing"
THREADS = 256  # threads per block of one-dimensional launches
BLOCK_2D = (32, 8)  # threads along x and y
BLOCK_3D = (32, 4, 2)  # threads along x, y and z
STRIDE_BLOCKS = 4  # blocks that saxpy gets, whatever the length
CHECKED_STRIPS = 4  # rows of blocks that broadcast_add gets while it is checked
STRIP_ROWS = 256  # and the most it gets when it is timed

SHAPES = ((1, 1), (1, 33), (33, 1), (8, 32), (31, 31), (32, 33), (7, 257), (61, 67))  # rows, columns
LARGE_SHAPE = (521, 503)  # two primes: neither side is a multiple of anything


def matrix(rng: np.random.Generator, n_rows: int, n_cols: int, values: str) -> np.ndarray:
    """(n_rows, n_cols) float32; see `values.vector` for the kinds of values."""
    return vector(rng, n_rows * n_cols, values).reshape(n_rows, n_cols)


def cases_of_shapes(general: bool = True) -> tuple[Case, ...]:
    """Exact values on every shape, general ones on the last two, and one shape too large to trace."""
    exact = tuple(Case({"n_rows": r, "n_cols": c}) for r, c in SHAPES)
    rounded = tuple(Case({"n_rows": r, "n_cols": c}, "general") for r, c in SHAPES[-2:]) if general else ()
    if general:
        rounded += (Case({"n_rows": SHAPES[-1][0], "n_cols": SHAPES[-1][1]}, "nonfinite"),)
    return (*exact, *rounded, Case({"n_rows": LARGE_SHAPE[0], "n_cols": LARGE_SHAPE[1]}, trace=False))


def one_thread_a_pixel(values):
    """Blocks of 32 x 8 threads that cover dst: columns along x, rows along y."""
    n_rows, n_cols = values["dst"].shape[:2]
    return (max(1, ceil_div(n_cols, BLOCK_2D[0])), max(1, ceil_div(n_rows, BLOCK_2D[1]))), BLOCK_2D


# invert: dst = 255 - src


def make_image(sizes, values, rng):
    """src and dst, both (n_rows, n_cols) uint8, corners unlike anything else."""
    src = rng.integers(1, 255, (sizes["n_rows"], sizes["n_cols"])).astype(np.uint8)
    src.flat[0], src.flat[-1] = 0, 255
    return {"src": src, "dst": np.zeros_like(src)}


def invert_oracle(values):
    """The negative of the image."""
    return {"dst": 255 - values["src"]}


def image_cost(values):
    """Every pixel is loaded once and stored once, one byte each way."""
    return Cost(read_bytes=values["src"].size, write_bytes=values["dst"].size, flops=0)


# pad: a frame of zeros


def make_pad(sizes, values, rng):
    """margin, src (n_rows, n_cols) and dst with `margin` more on every side, float32."""
    margin = sizes["margin"]
    src = matrix(rng, sizes["n_rows"], sizes["n_cols"], values)
    dst = np.zeros((sizes["n_rows"] + 2 * margin, sizes["n_cols"] + 2 * margin), np.float32)
    return {"src": src, "margin": margin, "dst": dst}


def pad_oracle(values):
    """src in the middle, zeros round it."""
    return {"dst": np.pad(values["src"], values["margin"])}


def pad_cost(values):
    """Every element of src is loaded once, every element of dst stored once, 4 bytes each."""
    return Cost(read_bytes=values["src"].nbytes, write_bytes=values["dst"].nbytes, flops=0)


def pad_cases() -> tuple[Case, ...]:
    """Margins from none to wider than the picture."""
    shapes = ((1, 1, 2), (5, 7, 0), (8, 32, 1), (31, 33, 2), (3, 100, 5), (61, 67, 3))
    traced = tuple(Case({"n_rows": r, "n_cols": c, "margin": m}) for r, c, m in shapes)
    return (
        *traced,
        Case({"n_rows": 9, "n_cols": 40, "margin": 1}, "special"),
        Case({"n_rows": 2, "n_cols": 3, "margin": 37}, last=True),  # wider than a block
        Case({"n_rows": 509, "n_cols": 499, "margin": 4}, trace=False),
    )


# roll: dst[(i + shift) % n] = src[i]


def make_roll(sizes, values, rng):
    """src, shift and dst; (n,) float32 and an int64 that may be negative or larger than n."""
    n = sizes["n"]
    return {"src": vector(rng, n, values), "shift": sizes["shift"], "dst": np.zeros(n, np.float32)}


def roll_oracle(values):
    """What np.roll does: element i moves to i + shift, round the end."""
    return {"dst": np.roll(values["src"], values["shift"])}


def roll_cost(values):
    """Each 4-byte element is loaded once and stored once."""
    return Cost(read_bytes=values["src"].nbytes, write_bytes=values["dst"].nbytes, flops=0)


def one_thread_an_element(values):
    """One thread per element of dst, at least one block."""
    return max(1, ceil_div(values["dst"].size, THREADS)), THREADS


def roll_cases() -> tuple[Case, ...]:
    """Shifts to the right, to the left, by nothing, by more than the length."""
    pairs = ((1, 0), (31, 2), (37, -3), (33, 40), (1023, 1000), (1025, -3), (1025, 0), (7919, 5), (7919, -7920))
    traced = tuple(Case({"n": n, "shift": shift}) for n, shift in pairs)
    far = ((33, 10**6), (33, -(10**6)), (257, 2**31 - 3), (257, -(2**31) + 5))  # round the end thousands of times
    return (
        *traced,
        *(Case({"n": n, "shift": shift}, last=True) for n, shift in far),
        Case({"n": 1025, "shift": 300}, "special"),
        Case({"n": 262_147, "shift": 131}, trace=False),
    )


# saxpy: y = alpha x + y with any grid


def make_saxpy(sizes, values, rng):
    """alpha (float32), x and y, both (n,) float32."""
    n = sizes["n"]
    alpha = np.float32({"exact": 3, "nonfinite": 0}.get(values, 0.7))  # 0 times an infinity is NaN: no shortcut
    return {"alpha": alpha, "x": vector(rng, n, values), "y": vector(rng, n, values)[::-1].copy()}


def saxpy_oracle(values):
    """y = alpha x + y in float64."""
    return {"y": values["alpha"].astype(np.float64) * values["x"] + values["y"]}


def saxpy_bound(values, expected):
    """A product and a sum, each rounded once; less where the compiler fuses them."""
    return {"y": ulp_bound(expected["y"], 1) + ulp_bound(values["alpha"].astype(np.float64) * values["x"], 1)}


def saxpy_cost(values):
    """x and y are loaded once and y is stored once: 12 bytes per element; a multiplication and an addition."""
    n = values["y"].size
    return Cost(read_bytes=8 * n, write_bytes=4 * n, flops=2 * n)


def few_blocks(values):
    """Four blocks, whatever the length: each thread has to come round again."""
    return STRIDE_BLOCKS, THREADS


# fade: out[z, y, x] = volume[z, y, x] * weight[z]


def make_fade(sizes, values, rng):
    """volume and out, both (n_z, n_y, n_x) float32, and weight (n_z,)."""
    shape = sizes["n_z"], sizes["n_y"], sizes["n_x"]
    volume = vector(rng, int(np.prod(shape)), values).reshape(shape)
    weight = np.arange(1, shape[0] + 1, dtype=np.float32) if values == "exact" else vector(rng, shape[0], values)
    if values == "nonfinite":
        weight[:1] = 0  # times an infinity it is NaN, which a slice that is skipped, or set to 0, does not give
        volume[-1:, :1, :1] = 0  # the other way round: the last weight is -infinity
    return {"volume": volume, "weight": weight, "out": np.zeros(shape, np.float32)}


def fade_oracle(values):
    """Every slice times its own weight, in float64."""
    return {"out": values["volume"].astype(np.float64) * values["weight"][:, None, None]}


def fade_bound(values, expected):
    """One rounding."""
    return {"out": ulp_bound(expected["out"], 1)}


def fade_cost(values):
    """Every element is loaded and stored once, and each thread loads its weight: 12 bytes per element."""
    n = values["out"].size
    return Cost(read_bytes=8 * n, write_bytes=4 * n, flops=n)


def fade_launch(values):
    """Blocks of 32 x 4 x 2 threads that cover out: the last axis along x."""
    n_z, n_y, n_x = values["out"].shape
    return tuple(max(1, ceil_div(n, size)) for n, size in zip((n_x, n_y, n_z), BLOCK_3D, strict=True)), BLOCK_3D


def fade_cases() -> tuple[Case, ...]:
    """Thin, flat and odd boxes."""
    shapes = ((1, 1, 1), (3, 1, 33), (1, 5, 31), (5, 7, 11), (32, 4, 32), (7, 13, 67))
    exact = tuple(Case({"n_z": z, "n_y": y, "n_x": x}) for z, y, x in shapes)
    z, y, x = shapes[-1]
    general = Case({"n_z": z, "n_y": y, "n_x": x}, "general")
    odd = Case({"n_z": z, "n_y": y, "n_x": x}, "nonfinite")
    return (*exact, general, odd, Case({"n_z": 61, "n_y": 63, "n_x": 67}, trace=False))


# split_channels: (n, 3) pixels -> (3, n) planes


def make_channels(sizes, values, rng):
    """pixels (n, 3) and planes (3, n), float32."""
    pixels = vector(rng, 3 * sizes["n"], values).reshape(sizes["n"], 3)
    return {"pixels": pixels, "planes": np.zeros((3, sizes["n"]), np.float32)}


def channels_oracle(values):
    """Channel c of pixel i goes to planes[c, i]."""
    return {"planes": values["pixels"].T}


def channels_cost(values):
    """Each 4-byte value is loaded once and stored once."""
    return Cost(read_bytes=values["pixels"].nbytes, write_bytes=values["planes"].nbytes, flops=0)


def one_thread_a_value(values):
    """One thread per value: three times as many threads as pixels."""
    return max(1, ceil_div(values["pixels"].size, THREADS)), THREADS


def channels_cases() -> tuple[Case, ...]:
    """Pixel counts round a warp and round a block."""
    traced = tuple(Case({"n": n}) for n in (1, 31, 32, 33, 341, 1023, 1024, 1025, 2657))
    return (*traced, Case({"n": 87_383}, trace=False))


# broadcast_add: dst[i, j] = row[j] + col[i]


def make_broadcast(sizes, values, rng):
    """row (n_cols,), col (n_rows,) and dst (n_rows, n_cols), float32."""
    n_rows, n_cols = sizes["n_rows"], sizes["n_cols"]
    return {
        "row": vector(rng, n_cols, values),
        "col": vector(rng, n_rows, values),
        "dst": np.zeros((n_rows, n_cols), np.float32),
    }


def broadcast_oracle(values):
    """row along every row, col down every column, in float64."""
    return {"dst": values["row"].astype(np.float64) + values["col"].astype(np.float64)[:, None]}


def broadcast_bound(values, expected):
    """One rounding."""
    return {"dst": ulp_bound(expected["dst"], 1)}


def broadcast_cost(values):
    """A thread loads its row value once, and a column value for every element that it stores."""
    n_rows, n_cols = values["dst"].shape
    threads_down = min(n_rows, strips(values)[0][1])
    return Cost(4 * n_cols * threads_down + 4 * n_rows * n_cols, 4 * n_rows * n_cols, n_rows * n_cols)


def strips(values):
    """Blocks of 256 threads along x that cover the columns; few blocks along y share the rows."""
    n_rows, n_cols = values["dst"].shape
    most = STRIP_ROWS if n_rows * n_cols >= 2**20 else CHECKED_STRIPS
    return (max(1, ceil_div(n_cols, THREADS)), max(1, min(n_rows, most))), (THREADS, 1)


def square_sizes(n_bytes):
    """The sides of a square float32 matrix of about n_bytes."""
    side = max(32, int((n_bytes / 4) ** 0.5) // 32 * 32)
    return {"n_rows": side, "n_cols": side}
