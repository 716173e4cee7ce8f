"""Ways to compress the trained network, by what solves unit 20, and what each takes in bytes."""

from __future__ import annotations

import numpy as np
from numba import cuda

from benchmarks.compressed.network import LAYERS, as_layer, as_rows
from benchmarks.compressed.on_kernels import solution
from minitrt.samples import digits

BLOCKS, THREADS = 8, 256
BITS = {"int8": 8, "int3": 3}  # of a weight


def weights_of(plain: digits.Arrays) -> dict[str, np.ndarray]:
    """The weights of each layer, by its name."""
    return {name: plain[f"{name}.weights"] for name in LAYERS}


def threshold(weights: np.ndarray, keep: int) -> np.float32:
    """The keep-th largest magnitude, by `count_digits` and `digit_of`: four rounds, nothing is sorted."""
    counts_digits, digit_of = solution("compression.count_digits"), solution("compression.digit_of")
    bits, prefix = cuda.to_device(np.ascontiguousarray(weights, np.float32).reshape(-1).view(np.int32)), 0
    for shift in (24, 16, 8, 0):
        counts = cuda.to_device(np.zeros(256, np.int32))
        counts_digits[BLOCKS, THREADS](bits, np.int32(prefix), np.int32(shift), counts)
        digit, keep = digit_of(counts.copy_to_host(), keep)
        prefix = prefix << 8 | int(digit)
    return np.array(prefix, np.int32).view(np.float32)[()]


def largest(weights: np.ndarray, share: float) -> np.ndarray:
    """1 for that share of a layer's weights, the largest magnitudes."""
    return (np.abs(weights) >= threshold(weights, max(1, round(share * weights.size)))).astype(np.float32)


def packed(weights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Values and places of two of every four neighbours along a row, by `two_of_four`. weights: (rows, inner)."""
    n_rows, n_inner = weights.shape
    arrays = weights.astype(np.float16), np.zeros((n_rows, n_inner // 2), np.float16)
    on_device = [cuda.to_device(array) for array in (*arrays, np.zeros((n_inner // 32, n_rows), np.int32))]
    solution("compression.two_of_four")[-(-weights.size // 1024), 256](*on_device)
    return on_device[1].copy_to_host(), on_device[2].copy_to_host()


def two_of_four(weights: np.ndarray) -> np.ndarray:
    """1 for two of every four neighbours along a row of (kernel, kernel, channels); all 1 where rows are too short."""
    rows = as_rows(weights)
    if rows.shape[1] % 32:
        return np.ones(weights.shape, np.float32)
    _, places = packed(rows)
    bits = (np.ascontiguousarray(places.T)[:, :, None] >> np.arange(0, 32, 4)).reshape(-1)
    mask = np.zeros((len(bits), 4), np.float32)
    mask[np.arange(len(bits)), bits & 3] = mask[np.arange(len(bits)), bits >> 2 & 3] = 1
    return as_layer(mask.reshape(rows.shape), weights)


def fewer_channels(net: digits.Arrays, share: float) -> digits.Arrays:
    """The folded network with that share of the channels inside its blocks, by `shrink_channels`.

    What hangs on them goes with them: their batch norm, and the columns of the layer that reads them.
    """
    shrunk, shrink = dict(net), solution("compression.shrink_channels")
    for block in digits.BLOCKS:
        first, second = net[f"{block}.first.weights"], net[f"{block}.second.weights"]
        nothing = np.zeros((len(first), 1), np.float32)
        norm, keep = net[f"{block}.first.norm"], round(share * len(first))
        _, weights, norm, _, following = shrink(
            first.reshape(len(first), -1), norm, nothing, second.reshape(len(second), -1), keep
        )
        shrunk[f"{block}.first.weights"] = weights.reshape(keep, *first.shape[1:])
        shrunk[f"{block}.first.norm"] = norm
        shrunk[f"{block}.second.weights"] = following.reshape(len(second), keep, *second.shape[2:])
    return digits.folded(shrunk)


def n_bytes(plain: digits.Arrays, masks: dict[str, np.ndarray] | None = None, way: str = "half") -> int:
    """What the weights take: 2 bytes each; "bitmap": 2 for each that stays and a bit for every one; "fours": 2 for
    each that stays and 4 bits per four; "int8", "int3": their bits, and 4 bytes for the step of each row, but 2 bytes
    each in the layers at the ends."""
    layers = weights_of(plain)
    ways = {name: "half" if way in BITS and digits.READS[name] in digits.AT_THE_ENDS else way for name in layers}
    return sum(of_layer(w, None if masks is None else masks[name], ways[name]) for name, w in layers.items())


def of_layer(weights: np.ndarray, mask: np.ndarray | None, way: str) -> int:
    """The same of one layer."""
    if way in BITS:
        return -(-weights.size * BITS[way] // 8) + 4 * len(weights)
    if mask is None or mask.all():
        return 2 * weights.size
    beside = -(-weights.size // 8)  # a bit for every weight; four bits per four are as many
    return 2 * int(np.count_nonzero(mask)) + beside
