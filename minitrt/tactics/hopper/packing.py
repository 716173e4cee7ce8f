"""Weights and constants of a convolution in the order the Hopper kernel reads them."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable

import numpy as np

from minitrt.graph.epilogue import Epilogue
from minitrt.tactics.geometry import Geometry, padded

ROW_GROUP = 64  # output channels of one wgmma
TABLE_CHANNELS = 256  # the widest tile; its constants are read whole


def permuted_rows(channels: int) -> np.ndarray:
    """Which channel each row of A is: row g of a warp's 16 is channel 2 g, row 8 + g channel 2 g + 1.

    A thread then has two neighbouring channels of two neighbouring pixels, which pack to one register.
    """
    row = np.arange(channels)
    return row // 16 * 16 + 2 * (row % 8) + row % 16 // 8


def packed_weights(weights: np.ndarray, k_elements: int) -> np.ndarray:
    """(K, R, S, C) -> (K up to 64s, R * S * C up to k_elements), int8 rows permuted; what was added is 0."""
    out_channels, rows, columns, channels = weights.shape
    full = np.zeros((padded(out_channels, ROW_GROUP), rows * columns, padded(channels, k_elements)), weights.dtype)
    full[:out_channels, :, :channels] = weights.reshape(out_channels, rows * columns, channels)
    if weights.dtype == np.int8:
        full = full[permuted_rows(len(full))]
    return np.ascontiguousarray(full.reshape(len(full), -1))


def packed_constants(epilogue: Epilogue, element: str) -> np.ndarray:
    """float32 (channels / 2, 4): scale, scale, bias, bias of the two channels of a thread; 0 beyond the last channel.

    Entry i holds channels 2 i and 2 i + 1 for int8; for float16 two of the same 16 channels, 8 apart.
    """
    count = len(epilogue.multiplier)
    table = np.zeros((padded(count, TABLE_CHANNELS) // 2, 4), np.float32)
    for at, values in ((0, epilogue.multiplier), (2, epilogue.addend)):
        every = np.zeros(padded(count, TABLE_CHANNELS), np.float32)
        every[:count] = values
        pairs = every.reshape(-1, 2) if element == "int8" else every.reshape(-1, 2, 8).swapaxes(1, 2).reshape(-1, 2)
        table[:, at : at + 2] = pairs
    return table


def stem_weights(weights: np.ndarray, geometry: Geometry) -> np.ndarray:
    """(K, R, S, C) of stride 2 -> (K, 4, 4, 16) of stride 1 over 2x2 blocks; element 4 c + 2 dy + dx.

    Output row p reads blocks p - 2 to p + 1, pixels 2 p - 4 to 2 p + 3: tap r of the original, which reads pixel
    2 p - pad + r, is number 4 - pad + r of those eight.
    """
    out_channels, rows, columns, channels = weights.shape
    eight = np.zeros((out_channels, 8, 8, 4), weights.dtype)
    top, left = 4 - geometry.pads_before[0], 4 - geometry.pads_before[1]
    eight[:, top : top + rows, left : left + columns, :channels] = weights
    blocks = eight.reshape(out_channels, 4, 2, 4, 2, 4)  # K, i, dy, j, dx, c
    return np.ascontiguousarray(blocks.transpose(0, 1, 3, 5, 2, 4).reshape(out_channels, 4, 4, 16))


class Remembered:
    """The last few arrays that were made from others: all the tiles of a layer take the same packed weights."""

    def __init__(self, most: int = 32) -> None:
        self.most = most
        self._made: OrderedDict[Hashable, tuple[np.ndarray, np.ndarray]] = OrderedDict()

    def of(self, source: np.ndarray, how: Hashable, make: Callable[[], np.ndarray]) -> np.ndarray:
        """make(), or what it gave for the same array object and the same `how`."""
        key = id(source), how
        if key not in self._made:
            self._made[key] = source, make()  # the source is kept, so that its id stays its own
        self._made.move_to_end(key)
        if len(self._made) > self.most:
            self._made.popitem(last=False)
        return self._made[key][1]
