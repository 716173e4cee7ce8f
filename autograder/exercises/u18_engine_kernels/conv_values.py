"""Inputs, oracles, launches, cases and costs of unit 18 where lines are convolved."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from autograder.contract import Case, Cost, Rate, Sizes, Values
from autograder.exercises.common_values import ceil_div
from autograder.exercises.u17_engine_int8.values import saturated
from autograder.exercises.u18_engine_kernels.values import DEEP, cells_of, pitch_of

CELLS, CHANNELS, TAPS = 256, 64, 9  # of a block; of a filter
GROUP = 16  # channels that a lane finishes
WIDE = 32  # threads of a naive block along the channels, 8 along the cells
LIMITS = {0: (-np.inf, np.inf), 1: (0.0, np.inf), 6: (0.0, 40.5)}  # of an activation: none, ReLU, ReLU with an end
RESIDUAL = np.float32(0.37)  # no power of two: steps of the output per step of the residual


def rows_of_run(pitch: int) -> int:
    """Rows of shared memory for the cells that a block's taps reach: a multiple of 8."""
    return ceil_div(CELLS + 2 * pitch + 2, 8) * 8


def shared_bytes(pitch: int, stages: int) -> int:
    """Of so many stages, each a run of cells and the weights of 64 channels."""
    return DEEP * stages * (rows_of_run(pitch) + TAPS * CHANNELS)


def inside(n_cells: int, pitch: int, height: int) -> np.ndarray:
    """(n_cells,) bool: the cells that hold a pixel."""
    cell = np.arange(n_cells)
    return (cell % pitch != 0) & (cell // pitch % height != 0)


def products(at: Sizes) -> float:
    """Products and sums of a layer's pixels, in units of 10 to the 12."""
    n_pixels = int(inside(at["n_cells"], at["pitch"], at["height"]).sum())
    return 2e-12 * TAPS * DEEP * at["n_blocks"] * at["n_out"] * n_pixels


PRODUCTS = Rate("TOPS", products)

# conv_tile, conv_ring


def sizes_of(n_blocks: int, n_cells: int, n_out: int, pitch: int) -> dict[str, int]:
    """Sizes of sums over a line."""
    return {"n_blocks": n_blocks, "n_cells": n_cells, "n_out": n_out, "pitch": pitch}


def steps(rng: np.random.Generator, shape: tuple[int, ...], kind: str) -> np.ndarray:
    """int8 over all of its range; "special": its ends alone, whose sums are the largest."""
    if kind == "special":
        return rng.choice(np.array([-128, 127], np.int8), shape)
    return rng.integers(-128, 128, shape).astype(np.int8)


def make_sums(sizes: Sizes, kind: str, rng: np.random.Generator) -> Values:
    """src, weights, the pitch, and room for sums."""
    n_blocks, n_cells, n_out = sizes["n_blocks"], sizes["n_cells"], sizes["n_out"]
    return {
        "src": steps(rng, (n_blocks, n_cells, DEEP), kind),
        "weights": steps(rng, (n_blocks, TAPS, n_out, DEEP), kind),
        "pitch": sizes["pitch"],
        "sums": np.zeros((n_cells, n_out), np.int32),
    }


def at_tap(src: np.ndarray, tap: int, pitch: int) -> np.ndarray:
    """src as the cells see it at one tap: (n_blocks, n_cells, 32), zeros past the ends of the line."""
    n_cells = src.shape[1]
    by = (tap // 3 - 1) * pitch + tap % 3 - 1
    seen = np.zeros_like(src)
    first, last = max(0, -by), min(n_cells, n_cells - by)
    if first < last:
        seen[:, first:last] = src[:, first + by : last + by]
    return seen


def sums_of(
    values: Values, taps: range = range(TAPS), blocks: slice = slice(None), see: Callable = at_tap
) -> np.ndarray:
    """(n_cells, n_out) int64, exact: float32 holds the sum of a block's 288 products. What is left out is left out."""
    src, weights, pitch = values["src"][blocks], values["weights"][blocks], int(values["pitch"])
    total = np.zeros((src.shape[1], weights.shape[2]), np.int64)
    for one, factors in zip(src, weights, strict=True):
        seen = np.concatenate([see(one[None], tap, pitch)[0] for tap in taps], axis=1).astype(np.float32)
        total += (seen @ np.concatenate([factors[tap] for tap in taps], axis=1).astype(np.float32).T).astype(np.int64)
    return total


def summed(values: Values) -> dict:
    """The sums of nine taps."""
    return {"sums": sums_of(values).astype(np.int32)}


def tiles_of(n_cells: int, n_out: int) -> tuple[int, int]:
    """Blocks along the cells and along the output channels."""
    return ceil_div(n_cells, CELLS), ceil_div(n_out, CHANNELS)


def sums_launch(stages: int) -> Callable[[Values], tuple]:
    """A block of 256 threads for each 256 cells (x) of 64 outputs (y)."""
    return lambda v: (tiles_of(*v["sums"].shape), (256, 1), shared_bytes(int(v["pitch"]), stages))


def loaded(values: Values) -> int:
    """Bytes of cells and weights that the blocks load, each once for all nine taps."""
    n_blocks, n_cells, _ = values["src"].shape
    n_out, pitch = values["weights"].shape[2], int(values["pitch"])
    along, down = tiles_of(n_cells, n_out)
    first = CELLS * np.arange(along) - pitch - 1
    cells = np.minimum(first + CELLS + 2 * pitch + 2, n_cells) - np.maximum(first, 0)
    return DEEP * n_blocks * (down * int(cells.sum()) + along * TAPS * n_out)


def sums_cost(values: Values) -> Cost:
    """Each block loads its run and its weights once, and stores 4 bytes per sum."""
    return Cost(read_bytes=loaded(values), write_bytes=values["sums"].nbytes)


ONE_BLOCK, TWO_BLOCKS = sizes_of(1, 256, 64, 9), sizes_of(2, 256, 64, 9)
RAGGED = ((1, 1, 1, 2), (1, 300, 70, 13), (1, 37, 5, 3), (3, 45, 33, 7))


def sums_cases(full: Sizes) -> tuple[Case, ...]:
    """A whole block, ragged sizes, ends of int8, a pitch longer than the line, and a long sum that is not traced."""
    return (
        Case(full),
        *(Case(sizes_of(*sizes)) for sizes in RAGGED),
        Case(sizes_of(1, 20, 9, 31)),
        Case(sizes_of(2, 90, 40, 5), "special"),
        Case(sizes_of(5, 270, 70, 29), trace=False),
    )


# conv_layer, conv_warpgroup


def layer(
    n_blocks: int, n_cells: int, n_out: int, pitch: int, height: int, activation: int, adds: int
) -> dict[str, int]:
    """Sizes of a layer. activation: 0 for none, 1 for ReLU, 6 for one with an end; adds: 0 for no residual."""
    return sizes_of(n_blocks, n_cells, n_out, pitch) | {"height": height, "activation": activation, "adds": adds}


def make_layer(sizes: Sizes, kind: str, rng: np.random.Generator) -> Values:
    """All that a layer takes. "exact": every scale is a power of two and many results are ties."""
    n_blocks, n_cells, n_out = sizes["n_blocks"], sizes["n_cells"], sizes["n_out"]
    n_blocks_out = ceil_div(n_out, DEEP)
    low, high = LIMITS.get(sizes["activation"], LIMITS[1])
    multiplier, addend = np.zeros(DEEP * n_blocks_out, np.float32), np.zeros(DEEP * n_blocks_out, np.float32)
    src, weights = steps(rng, (n_blocks, n_cells, DEEP), kind), steps(rng, (n_blocks, TAPS, n_out, DEEP), kind)
    if kind == "exact":
        src, weights = src // 16 * 16, weights // 8 * 8  # sums are multiples of 128
        multiplier[:n_out], addend[:n_out] = 2.0 ** -rng.integers(8, 14, n_out), rng.integers(-40, 41, n_out) / 2
    else:
        multiplier[:n_out] = rng.uniform(0.4, 1.6, n_out) / (2048 * np.sqrt(n_blocks))
        addend[:n_out] = rng.uniform(-20, 20, n_out)
    there = inside(n_cells, sizes["pitch"], sizes["height"])[:, None]
    residual = steps(rng, (n_blocks_out, n_cells, DEEP), "exact") * there
    residual = _without_padding(residual, n_out)
    scale = np.float32(0.5) if kind == "exact" else RESIDUAL
    return {
        "src": src * there,
        "weights": weights,
        "pitch": sizes["pitch"],
        "height": sizes["height"],
        "multiplier": multiplier,
        "addend": addend,
        "residual": residual,
        "residual_multiplier": scale if sizes["adds"] else np.float32(0),
        "low": np.float32(low),
        "high": np.float32(high),
        "dst": np.zeros((n_blocks_out, n_cells, DEEP), np.int8),
    }


def _without_padding(line: np.ndarray, n_channels: int) -> np.ndarray:
    """The same line with zeros past the last channel."""
    kept = np.arange(DEEP * len(line)).reshape(len(line), 1, DEEP) < n_channels
    return np.ascontiguousarray(line * kept, np.int8)


def scaled(values: Values, sums: np.ndarray | None = None) -> np.ndarray:
    """(n_cells, 32 n_blocks) float64: sums in steps of the output, with the addend; 0 past the last channel."""
    sums = sums_of(values) if sums is None else sums
    wide = np.zeros((sums.shape[0], values["multiplier"].size))
    wide[:, : sums.shape[1]] = sums
    return wide * values["multiplier"].astype(np.float64) + values["addend"].astype(np.float64)


def channels_of(line: np.ndarray) -> np.ndarray:
    """A line as (n_cells, channels)."""
    return line.transpose(1, 0, 2).reshape(line.shape[1], -1)


def with_residual(values: Values, x: np.ndarray) -> np.ndarray:
    """x and the residual, in steps of the output."""
    return x + channels_of(values["residual"]) * np.float64(values["residual_multiplier"])


def cut(values: Values, x: np.ndarray) -> np.ndarray:
    """The activation, of what float32 holds of x."""
    return np.clip(x.astype(np.float32), values["low"], values["high"])


def as_line(values: Values, whole: np.ndarray) -> dict:
    """(n_cells, channels) int8 as the result, zeros in zero cells."""
    kept = whole * inside(whole.shape[0], int(values["pitch"]), int(values["height"]))[:, None]
    return {"dst": np.ascontiguousarray(kept.reshape(len(whole), -1, DEEP).transpose(1, 0, 2)).astype(np.int8)}


def of_layer(values: Values) -> dict:
    """saturate(rint(min(max(sum * multiplier + addend + residual * residual_multiplier, low), high)))."""
    return as_line(values, saturated(cut(values, with_residual(values, scaled(values)))))


def layer_bound(values: Values, expected) -> dict:
    """One step where the sum lies so close to a tie that a rounding of float32 decides; 0 where scales are powers of
    two, and nothing is rounded."""
    used = values["multiplier"][values["multiplier"] != 0]
    x = with_residual(values, scaled(values))
    near = (np.abs(x - np.floor(x) - 0.5) < 1e-3) & ~np.bool_((np.frexp(used)[0] == 0.5).all())
    return {"dst": as_line(values, near.astype(np.int8))["dst"].astype(np.float64)}


def layer_launch(stages: int, threads: int = 256) -> Callable[[Values], tuple]:
    """A block for each 256 cells (x) of 64 outputs (y)."""

    def launch(v: Values) -> tuple:
        tiles = tiles_of(v["dst"].shape[1], v["weights"].shape[2])
        return tiles, (threads, 1), shared_bytes(int(v["pitch"]), stages)

    return launch


def an_output_each(values: Values) -> tuple:
    """For the naive kernel: blocks of 32 x 8 threads, x along the channels, y along the cells."""
    n_blocks, n_cells, _ = values["dst"].shape
    return (n_blocks, ceil_div(n_cells, 8)), (WIDE, 8)


def layer_cost(constants: int) -> Callable[[Values], Cost]:
    """Runs and weights as before, a residual where there is one, and a byte per output. Two flops for each output that
    a thread works out, one for its rounding, and two more for a residual.

    constants: bytes of them that all threads load for a cell's 32 channels, 256 cells at a time.
    """

    def cost(values: Values) -> Cost:
        n_blocks, n_cells, _ = values["dst"].shape
        along, down = tiles_of(n_cells, values["weights"].shape[2])
        adds = values["residual"].nbytes if values["residual_multiplier"] else 0
        return Cost(
            read_bytes=loaded(values) + along * n_blocks * constants + adds,
            write_bytes=values["dst"].nbytes,
            flops=along * CELLS * down * CHANNELS * (5 if adds else 3),
        )

    return cost


BY_LANE = 8 * GROUP * 256 // 4 * 2  # two numbers for each of 16 channels: two of four lanes have these 32
BY_PAIR = 8 * 2 * 64  # two numbers for each of 2 channels: two of four warps have these 32

WHOLE_LAYER, DEEP_LAYER = layer(2, 256, 64, 9, 8, 1, 1), layer(5, 256, 64, 9, 8, 1, 1)


def layer_cases(full: Sizes) -> tuple[Case, ...]:
    """A whole block; ragged sizes, each with another activation; scales that round; ends of int8; a long one."""
    return (
        Case(full),
        Case(layer(1, 1, 1, 2, 2, 0, 1)),
        Case(layer(1, 300, 70, 13, 5, 0, 1)),
        Case(layer(3, 45, 33, 7, 3, 6, 0)),
        Case(layer(2, 60, 40, 5, 4, 0, 1), "general"),
        Case(layer(1, 90, 64, 6, 9, 1, 0), "special"),
        Case(layer(4, 270, 70, 29, 30, 1, 1), "general", trace=False),
    )


def resnet_layer(_n_bytes: int) -> dict[str, int]:
    """The sizes of a race, whatever room there is: ResNet-50's 3 x 3 layer of 64 channels, batch 128."""
    return timed_layer(128, 64, 56)


def timed_layer(n_images: int, n_channels: int, side: int) -> dict[str, int]:
    """The sizes of a layer with as many channels out as in, a ReLU and no residual."""
    pitch, n_blocks = pitch_of(side), n_channels // DEEP
    return layer(n_blocks, cells_of(n_images, side, side), n_channels, pitch, side + 1, 1, 0)
