"""Lines of cells, and inputs, oracle, launch, cases and cost of unit 18 where pictures become one: pack_int8.

A line holds pictures for kernels that convolve: a cell for every pixel, one zero cell to the left of every row, and a
row of zero cells above every picture; at its end come one more row of zero cells and one more cell. So the neighbours
of a pixel's cell lie 1 and `pitch` cells away, and what is outside a picture is a zero cell. A block of 32 channels has
a line of its own: (n_blocks, n_cells, 32) int8.
"""

from __future__ import annotations

import numpy as np

from autograder.contract import Case, Cost, Sizes, Values
from autograder.exercises.common_values import ceil_div
from autograder.exercises.u17_engine_int8.values import AWKWARD, NICE, numbers_around, saturated, steps_of

UNIT = "18_engine_kernels"
DEEP = 32  # channels of a block, and bytes of a cell
THREADS = 256


def pitch_of(n_cols: int) -> int:
    """Cells from a row to the next."""
    return n_cols + 1


def cells_of(n_images: int, n_rows: int, n_cols: int) -> int:
    """Cells of a line that holds so many pictures."""
    return (n_images * (n_rows + 1) + 1) * pitch_of(n_cols) + 1


def line_of(steps: np.ndarray) -> np.ndarray:
    """(n_images, n_channels, n_rows, n_cols) int8 as a line."""
    n_images, n_channels, n_rows, n_cols = steps.shape
    n_blocks = ceil_div(n_channels, DEEP)
    padded = np.zeros((n_images, DEEP * n_blocks, n_rows + 1, n_cols + 1), np.int8)
    padded[:, :n_channels, 1:, 1:] = steps
    rows = padded.transpose(1, 0, 2, 3).reshape(n_blocks, DEEP, -1)
    line = np.zeros((n_blocks, DEEP, cells_of(n_images, n_rows, n_cols)), np.int8)
    line[:, :, : rows.shape[2]] = rows
    return np.ascontiguousarray(line.transpose(0, 2, 1))


def pictures(n_images: int, n_channels: int, n_rows: int, n_cols: int) -> dict[str, int]:
    """Sizes of a batch of pictures."""
    return {"n_images": n_images, "n_channels": n_channels, "n_rows": n_rows, "n_cols": n_cols}


# pack_int8


def make_pack(sizes: Sizes, kind: str, rng: np.random.Generator) -> Values:
    """real, its scale, and room for the line: a power of two where results are exact, else an awkward one."""
    scale = NICE if kind == "exact" else AWKWARD
    shape = tuple(sizes[name] for name in ("n_images", "n_channels", "n_rows", "n_cols"))
    real = numbers_around(rng, int(np.prod(shape)), scale, kind).reshape(shape)
    n_images, n_channels, n_rows, n_cols = shape
    line = np.zeros((ceil_div(n_channels, DEEP), cells_of(n_images, n_rows, n_cols), DEEP), np.int8)
    return {"real": real, "scale": scale, "packed": line}


def packed(values: Values) -> dict:
    """The line of saturate(rint(real / scale))."""
    return {"packed": line_of(saturated(steps_of(values["real"], values["scale"])))}


PACKED = pictures(2, 40, 7, 9)
PACK_CASES = (
    Case(PACKED),
    *(Case(pictures(*sizes)) for sizes in ((1, 1, 1, 1), (3, 33, 2, 5), (1, 16, 19, 3), (2, 70, 1, 31))),
    Case(pictures(2, 37, 5, 11), "general"),
    Case(pictures(1, 34, 6, 4), "special"),
    Case(pictures(3, 100, 17, 23), "general", trace=False),
)


def a_thread_per_half(values: Values) -> tuple:
    """Blocks of 256 threads along the cells: x counts cells, y the halves of 16 channels."""
    n_blocks, n_cells, _ = values["packed"].shape
    return (ceil_div(n_cells, THREADS), 2 * n_blocks), (THREADS, 1)


def pack_cost(values: Values) -> Cost:
    """A number is 4 bytes, read once; every byte of the line is written once."""
    return Cost(read_bytes=values["real"].nbytes, write_bytes=values["packed"].nbytes)


def a_thread_per_byte(values: Values) -> tuple:
    """For the naive kernel: blocks of 256 threads along all bytes of the line."""
    return ceil_div(values["packed"].size, THREADS), THREADS


def pack_timed(_n_bytes: int) -> dict[str, int]:
    """The sizes of a race, whatever room there is: what the second stage of ResNet-50 reads, 64 pictures of it."""
    return pictures(64, 64, 56, 56)
