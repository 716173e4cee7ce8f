"""Wrong outputs of unit 02 that betray their cause. Masked elements are those that nobody wrote."""

from __future__ import annotations

import numpy as np

from autograder.contract import Slip
from autograder.exercises.u02_indexing import values as data


def only(where, result):
    """`result` where the mask `where` is true, and nothing written elsewhere."""
    return np.ma.masked_array(result, mask=~np.broadcast_to(where, result.shape))


def reached(shape, launch):
    """Where threads get to when the grid's x counts along the first axis. shape: of dst; launch: blocks, threads."""
    threads = [n_blocks * size for n_blocks, size in zip(*launch, strict=True)]
    return np.all([index < n for index, n in zip(np.indices(shape), threads, strict=True)], axis=0)


def axes_exchanged(name, oracle, launch):
    """Only as many rows as there are threads along x, and as many columns as there are along y."""
    return lambda v: {name: only(reached(v[name].shape, launch(v)), oracle(v)[name])}


X_FIRST = (
    "The grid's axes are exchanged: cuda.grid gives x first, and x has as many threads as the last axis has "
    "elements. Where x ended up on the first axis, the last one was cut short."
)

INVERT = (
    Slip("wrong_formula", "dst is the picture itself, not its negative.", lambda v: {"dst": v["src"].copy()}),
    Slip(
        "wrong_formula",
        "Every pixel is one too large, and 256 has become 0: the largest byte is 255, so subtract from 255.",
        lambda v: {"dst": np.negative(v["src"])},
    ),
    Slip(
        "wrong_formula",
        "The subtraction is the other way round: a byte below zero starts again at 255.",
        lambda v: {"dst": v["src"] + np.uint8(1)},
    ),
    Slip("swapped_axes", X_FIRST, axes_exchanged("dst", data.invert_oracle, data.one_thread_a_pixel)),
)


def pad_from(values, offset):
    """dst[row, col] = src[row - offset, col - offset] where src has one, and zeros elsewhere."""
    framed = np.zeros_like(values["dst"])
    rows, cols = np.indices(framed.shape) - offset
    inside = (rows >= 0) & (rows < values["src"].shape[0]) & (cols >= 0) & (cols < values["src"].shape[1])
    framed[inside] = values["src"][rows[inside], cols[inside]]
    return {"dst": framed}


PAD = (
    Slip(
        "output_not_written",
        "The frame was never written. dst starts with whatever was there before, so its zeros have to be stored.",
        lambda v: {"dst": only(np.pad(np.ones(v["src"].shape, bool), v["margin"]), data.pad_oracle(v)["dst"])},
    ),
    Slip(
        "wrong_formula",
        "The picture sits in the corner: its first element should land at row margin, column margin.",
        lambda v: pad_from(v, 0),
    ),
    Slip(
        "wrong_formula",
        "The picture moved up and to the left: margin was added on the way into src, where it has to be taken away.",
        lambda v: pad_from(v, -v["margin"]),
    ),
    Slip(
        "wrong_formula",
        "The picture sits in the lower right corner: margin was taken away twice.",
        lambda v: pad_from(v, 2 * v["margin"]),
    ),
    Slip(
        "wrong_formula",
        "The frame repeats the edge of the picture: it should be zeros.",
        lambda v: {"dst": np.pad(v["src"], v["margin"], mode="edge")},
    ),
    Slip("swapped_axes", X_FIRST, axes_exchanged("dst", data.pad_oracle, data.one_thread_a_pixel)),
)

ROLL = (
    Slip(
        "wrong_formula",
        "Everything moved the other way: a positive shift moves elements to higher indices.",
        lambda v: {"dst": np.roll(v["src"], -v["shift"])},
    ),
    Slip("wrong_formula", "Nothing moved: shift was never used.", lambda v: {"dst": v["src"].copy()}),
    Slip(
        "wrong_formula",
        "What fell off the end came back in mirrored: abs turns -1 into 1, but one before the first is the last.",
        lambda v: {"dst": v["src"][np.abs(np.arange(v["src"].size) - v["shift"]) % v["src"].size]},
    ),
)


def faded_by(values, indices):
    """Every slice times weight[indices[z]], in float64."""
    return {"out": values["volume"].astype(np.float64) * values["weight"][indices][:, None, None]}


FADE = (
    Slip("swapped_axes", X_FIRST, axes_exchanged("out", data.fade_oracle, data.fade_launch)),
    Slip(
        "wrong_formula",
        "Every slice was multiplied by the first weight: slice z has weight[z].",
        lambda v: faded_by(v, np.zeros(v["weight"].size, int)),
    ),
    Slip(
        "wrong_formula",
        "Each slice was multiplied by the weight with the number of its block: a block holds 2 slices along z.",
        lambda v: faded_by(v, np.arange(v["weight"].size) // data.BLOCK_3D[2]),
    ),
)


def combined(of_x, of_y):
    """A slip's y from float64 alpha, x and y: alpha to the power of_x times x, plus likewise for y; None leaves out."""
    powers = (("x", of_x), ("y", of_y))
    return lambda v: {
        "y": sum(v["alpha"].astype(np.float64) ** power * v[name] for name, power in powers if power is not None)
    }


def added_by_blocks(values):
    """y after every block walked on in steps of a block: element i was met by block 0 and those up to its own."""
    blocks, threads = data.few_blocks(values)
    y, product = values["y"].copy(), values["alpha"] * values["x"]
    for block in range(blocks):
        y[block * threads :] += product[block * threads :]
    return {"y": y}


def first_turn(values):
    """y after one iteration: as many elements as threads are done, and the others are what they were."""
    y = values["y"].astype(np.float64)
    n_threads = int(np.prod(data.few_blocks(values)))
    y[:n_threads] = data.saxpy_oracle(values)["y"][:n_threads]
    return {"y": y}


SAXPY = (
    Slip(
        "missing_tail",
        "Only as many elements as there are threads were done, one element per thread: the rest needs more iterations.",
        first_turn,
    ),
    Slip("lost_update", "Blocks met the same elements, and added to them more than once.", added_by_blocks),
    Slip("wrong_formula", "y itself was never added: the result is alpha x + y.", combined(1, None)),
    Slip("wrong_formula", "alpha was left out.", combined(0, 0)),
    Slip("wrong_formula", "y was multiplied by alpha instead of x: alpha belongs to x.", combined(0, 1)),
    Slip("wrong_formula", "The whole sum was multiplied: alpha belongs to x alone.", combined(1, 1)),
)

CHANNELS = (
    Slip(
        "wrong_formula",
        "The values kept their order: planes is pixels with a different shape.",
        lambda v: {"planes": v["pixels"].reshape(3, -1)},
    ),
    Slip(
        "wrong_formula",
        "The channels are there in reverse: red and blue have changed places.",
        lambda v: {"planes": v["pixels"].T[::-1]},
    ),
    Slip(
        "wrong_formula",
        "Every plane holds the first channel: plane c takes channel c.",
        lambda v: {"planes": np.repeat(v["pixels"].T[:1], 3, axis=0)},
    ),
    Slip(
        "missing_tail",
        "Of the three planes only red was written: the guard lets a thread for each pixel through, not for each value.",
        lambda v: {"planes": only(np.arange(3)[:, None] < 1, v["pixels"].T)},
    ),
)


def first_rows(values):
    """As many rows as there are rows of blocks, and nothing below them."""
    n_rows, n_written = values["dst"].shape[0], data.strips(values)[0][1]
    return {"dst": only((np.arange(n_rows) < n_written)[:, None], data.broadcast_oracle(values)["dst"])}


BROADCAST = (
    Slip(
        "missing_tail",
        "Only the first rows were written, one row per block along y: the walk goes on in steps of gridDim.y.",
        first_rows,
    ),
    Slip(
        "wrong_formula",
        "col was never added: every row of dst is row itself.",
        lambda v: {"dst": np.tile(v["row"], (v["col"].size, 1))},
    ),
    Slip(
        "wrong_formula",
        "row was never added: every column of dst is col itself.",
        lambda v: {"dst": np.tile(v["col"][:, None], (1, v["row"].size))},
    ),
)
