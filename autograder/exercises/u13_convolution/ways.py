"""What the ways of unit 13 compute and move for two layers of ResNet, and so the least time that each can take."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import simt
from autograder import exercises
from autograder.answer import reference
from autograder.contract import Case
from autograder.exercises.u13_convolution.values import layer
from autograder.running.buffers import make_values
from simt.timing.gpus import GPUS
from simt.timing.roofline import bound
from simt.timing.roofline import work_of as roofline_work

LAYERS = (layer(32, 64, 64, 56, 56), layer(32, 256, 256, 14, 14))  # of ResNet's second and fourth stage
WAYS = ("conv_direct", "conv_tiled", "im2col", "conv_implicit", "conv_winograd")
PREDICTED = ("way", "layer", "GFLOP", "MB", "memory, us", "arithmetic, us", "L1 or shared memory, us")
RATES = GPUS["h200"]
TRACED = layer(1, 16, 64, 8, 32)
CACHES = ("L1 cache", "shared memory")  # as the bound calls them


def title(sizes: dict[str, int]) -> str:
    """A layer in words."""
    return "{n_images} x {n_in} x {n_rows} x {n_cols} to {n_out}".format(**sizes)


def direct_flops(sizes: dict[str, int]) -> float:
    """Products and sums of a layer without a transform, edges counted as if they were inside."""
    return 2.0 * 9 * sizes["n_in"] * sizes["n_out"] * outputs_of(sizes)


def outputs_of(sizes: dict[str, int]) -> int:
    """Outputs of one channel, of all images."""
    return sizes["n_images"] * sizes["n_rows"] * sizes["n_cols"]


def work_of(way: str, sizes: dict[str, int]) -> tuple[float, float]:
    """Flops of a way, and bytes that have to cross between memory and the GPU."""
    n_in, n_out, outputs = sizes["n_in"], sizes["n_out"], outputs_of(sizes)
    arrays = 4.0 * (outputs * (n_in + n_out) + 9 * n_in * n_out)
    if way == "im2col":
        return direct_flops(sizes), arrays + 8.0 * 9 * n_in * outputs
    if way != "conv_winograd":
        return direct_flops(sizes), arrays
    tiles = sizes["n_images"] * -(-sizes["n_rows"] // 2) * -(-sizes["n_cols"] // 2)
    flops = tiles * n_out / 4 * (n_in * (32 + 4 * 32) + 4 * 24)
    return flops, arrays + 4.0 * 7 * n_in * n_out


@cache
def caches_us(way: str) -> float:
    """Microseconds per flop of the direct way that L1 and shared memory take for a solution's loads and stores.

    Traced on a small layer, which stands for a large one. 0.0 for im2col, whose product is a library's.
    """
    if way == "im2col":
        return 0.0
    exercise = exercises.find(f"convolution.{way}")
    program = reference.solved(exercise)
    values = make_values(exercise, Case(TRACED))
    trace = simt.trace(program.load()[1], *exercise.launch(values), *values.values(), races=False)
    terms = bound(RATES, replace(roofline_work(trace), blocks=0)).terms
    return max(term.time_us for term in terms if term.name in CACHES) / direct_flops(TRACED)


def predicted() -> dict[str, Any]:
    """Columns and rows: what each way computes and moves, and the least times of memory, arithmetic and caches."""
    rows = []
    for sizes in LAYERS:
        for way in WAYS:
            flops, n_bytes = work_of(way, sizes)
            arithmetic, memory = flops / RATES.flops_per_s("float32"), n_bytes / RATES.memory_bytes_per_s
            caches = caches_us(way) * direct_flops(sizes)
            times = [f"{1e6 * memory:.0f}", f"{1e6 * arithmetic:.0f}", f"{caches:.0f}" if caches else ""]
            rows.append([way, title(sizes), f"{flops / 1e9:.3g}", f"{n_bytes / 1e6:.3g}", *times])
    return {"columns": PREDICTED, "rows": rows}
