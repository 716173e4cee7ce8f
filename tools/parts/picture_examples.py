"""The kernels of docs/pictures.md, one for each picture, and how each is drawn."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

import simt
from autograder.answer.program import Program
from simt import figures
from simt.timing.roofline import bound_of
from tools.parts.units import ROOT

MEASURED = ROOT / "benchmarks" / "results" / "nvidia-h200.json"
N = 1024


@dataclass(frozen=True)
class Example:
    """One picture: what it answers, the code it is drawn from, the call that draws it."""

    name: str  # of the SVG file, and of the function in simt.figures
    title: str
    answers: str
    source: str
    call: str
    draw: Callable[[], object]


def kernel_of(source: str) -> Callable:
    """The function `kernel` of a program; its lines count from the program's first."""
    return Program(source, "kernel", "example.py").load()[1]


def traced(source: str, grid, block, *args) -> simt.trace:
    """A recorded trace of a program's kernel."""
    return simt.trace(kernel_of(source), grid, block, *args, record=True)


def floats(*shape: int) -> np.ndarray:
    return np.ones(shape, np.float32)


HEAD = "from numba import cuda, float32\n\n\n@cuda.jit\n"
GRID_STRIDE = f"""{HEAD}def kernel(x, y):
    for i in range(cuda.grid(1), x.size, cuda.gridsize(1)):
        y[i] += x[i]
"""
COLUMNS = f"""{HEAD}def kernel(image, out):
    row, column = cuda.grid(2)  # x, which neighbouring lanes differ in, is the row
    if row < image.shape[0] and column < image.shape[1]:
        out[row, column] = 255.0 - image[row, column]
"""
TRANSPOSE = f"""{HEAD}def kernel(src, dst):
    tile = cuda.shared.array((32, 32), float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    tile[ty, tx] = src[ty, tx]
    cuda.syncthreads()  # the tile is filled
    dst[ty, tx] = tile[tx, ty]
"""
REVERSE = f"""{HEAD}def kernel(x):
    tile = cuda.shared.array(64, float32)
    t = cuda.threadIdx.x
    tile[t] = x[t]
    x[t] = tile[63 - t]
"""
UNGUARDED = f"""{HEAD}def kernel(x):
    i = cuda.grid(1)
    x[i] = 2 * x[i]
"""
INTERLEAVED = f"""{HEAD}def kernel(x):
    s = cuda.shared.array(32, float32)
    t = cuda.threadIdx.x
    s[t] = x[t]
    d = 1
    while d < 32:
        cuda.syncthreads()  # the sums of the last iteration are written
        if t % (2 * d) == 0:
            s[t] += s[t + d]
        d *= 2
    if t == 0:
        x[0] = s[0]
"""
POLYNOMIAL = f"""{HEAD}def kernel(x, y, n_terms):
    i = cuda.grid(1)
    if i < x.size:
        value, acc = x[i], float32(1)
        for _ in range(n_terms):
            acc = acc * value + float32(1)
        y[i] = acc
"""
RECORDED = "t = simt.trace(kernel, grid, block, *args, record=True)\n"


def measured_ladder():
    """The transposes of unit 04 as an H200 ran them."""
    rows = json.loads(MEASURED.read_text())["rows"]
    mine = [row for row in rows if row["exercise"].startswith("shared_memory.transpose")]
    rungs = [(row["exercise"].partition(".")[2], row["rate_gbs"]) for row in mine]
    naive = mine[0]["bytes"] / mine[0]["naive_us"] / 1e3
    limit = max(row["copy_rate_gbs"] for row in mine)
    return figures.ladder([("naive", naive), *rungs], limit, "copy rate of an NVIDIA H200")


def bounds():
    """Two lengths of a polynomial, as bounds on one GPU that the launch fills."""
    n = 528 * 128
    lengths = {f"{terms} terms": traced(POLYNOMIAL, 528, 128, floats(n), floats(n), terms) for terms in (4, 128)}
    return [(name, bound_of(trace, "h200")) for name, trace in lengths.items()]


EXAMPLES = (
    Example(
        "access_map",
        "Which lane touches which element",
        "The array as a grid of elements; the numbers are the lanes of one warp.",
        COLUMNS,
        f"{RECORDED}simt.figures.access_map(t)",
        lambda: figures.access_map(traced(COLUMNS, (1, 32), (32, 1), floats(32, 32), floats(32, 32))),
    ),
    Example(
        "steps",
        "The same, step by step",
        "A strip for each time that a warp comes by a line, as in a loop.",
        GRID_STRIDE,
        f"{RECORDED}simt.figures.steps(t)",
        lambda: figures.steps(traced(GRID_STRIDE, 4, 64, floats(N), floats(N))),
    ),
    Example(
        "outside",
        "Lanes outside an array",
        "Where an array ends, and the lanes whose index it does not have.",
        UNGUARDED,
        f"{RECORDED}simt.figures.outside(t)",
        lambda: figures.outside(traced(UNGUARDED, 4, 64, floats(250))),
    ),
    Example(
        "sectors",
        "A request over sectors",
        "Global memory moves in sectors of 32 bytes. One warp's request: what is moved, and what of it is used.",
        COLUMNS,
        f"{RECORDED}simt.figures.sectors(t)",
        lambda: figures.sectors(traced(COLUMNS, (1, 32), (32, 1), floats(32, 32), floats(32, 32))),
    ),
    Example(
        "banks",
        "A request over banks",
        "Shared memory serves one word of each of its 32 banks at a time. What stands on top of it waits.",
        TRANSPOSE,
        f"{RECORDED}simt.figures.banks(t)",
        lambda: figures.banks(traced(TRANSPOSE, 1, (32, 32), floats(32, 32), floats(32, 32))),
    ),
    Example(
        "race",
        "A race",
        "Two threads on one element, and the barrier that is not there.",
        REVERSE,
        f"{RECORDED}simt.figures.race(t.findings[0])",
        lambda: figures.race(traced(REVERSE, 1, 64, floats(64)).findings[0]),
    ),
    Example(
        "divergence",
        "Lanes over time",
        "The lines that one warp executes, in their order, and the lanes that work on each.",
        INTERLEAVED,
        f"{RECORDED}simt.figures.divergence(t)",
        lambda: figures.divergence(traced(INTERLEAVED, 1, 32, floats(32))),
    ),
    Example(
        "ladder",
        "A ladder of rungs",
        "What each version of a kernel reaches of a limit, as the rate of a plain copy. "
        "These rates were measured on a GPU and are kept in `benchmarks/results/`.",
        "",
        'simt.figures.ladder([("naive", 1.0), ("tiled", 2.0)], limit=3.0, limit_name="copy rate")  # GB/s',
        measured_ladder,
    ),
    Example(
        "roofline",
        "Under the roof of a GPU",
        "How much arithmetic a byte can feed, and how near to the roof of a GPU counted work can come at best.",
        POLYNOMIAL,
        f'{RECORDED}simt.figures.roofline([("mine", simt.bound_of(t, "h200"))])',
        lambda: figures.roofline(bounds()),
    ),
)
