"""What the ways of unit 13 compute and move for two layers of ResNet, and so the least time that each can take."""

from __future__ import annotations

from typing import Any

from autograder.exercises.u13_convolution.values import layer
from simt.timing.gpus import GPUS

LAYERS = (layer(32, 64, 64, 56, 56), layer(32, 256, 256, 14, 14))  # of ResNet's second and fourth stage
WAYS = ("conv_direct", "conv_tiled", "im2col", "conv_implicit", "conv_winograd")
PREDICTED = ("way", "layer", "GFLOP", "MB", "at least us")
RATES = GPUS["h200"]


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


def predicted() -> dict[str, Any]:
    """Columns and rows: what each way computes and moves, and the longer of the two times at the rates of RATES."""
    rows = []
    for sizes in LAYERS:
        for way in WAYS:
            flops, n_bytes = work_of(way, sizes)
            least = max(flops / RATES.flops_per_s("float32"), n_bytes / RATES.memory_bytes_per_s)
            rows.append([way, title(sizes), f"{flops / 1e9:.3g}", f"{n_bytes / 1e6:.3g}", f"{1e6 * least:.0f}"])
    return {"columns": PREDICTED, "rows": rows}
