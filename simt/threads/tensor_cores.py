"""What a warp's ldmatrix and mma do: 32 lanes hold matrices of float16 in pieces, and multiply them together.

Source: PTX ISA, "Matrix Fragments for mma.m16n8k16 with floating point type" and "ldmatrix".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from simt.errors import KernelTypeError
from simt.hardware import WARP_SIZE
from simt.memory import wide
from simt.numba_rules import F32, cast
from simt.threads.warp import FULL_MASK, Warps, report
from simt.values import as_lanes, number

if TYPE_CHECKING:
    from simt.lanes.masks import Env, Mask
    from simt.sites import Place

LANES = np.arange(WARP_SIZE)
PAIR, EIGHTH = 2 * (LANES % 4), LANES // 4  # where a lane's pair of elements lies in an 8 x 8 matrix
FLOPS_A_LANE = 2 * 16 * 8 * 16 // WARP_SIZE  # of one mma, shared equally


def ldmatrix(env: Env, mask: Mask, place: Place, array, index):
    """Four 8 x 8 matrices, whose rows the lanes name: lane l gets a pair of row l // 4 of each."""
    return _deal(env, mask, place, array, index, lambda m: [(8 * m + EIGHTH, PAIR + e) for e in (0, 1)])


def ldmatrix_transposed(env: Env, mask: Mask, place: Place, array, index):
    """The same, turned: lane l gets a pair of column l // 4 of each."""
    return _deal(env, mask, place, array, index, lambda m: [(8 * m + PAIR + e, EIGHTH) for e in (0, 1)])


def _deal(env: Env, mask: Mask, place: Place, array, index, held_by):
    """held_by(matrix) -> for both halves of a word, (lane that named the row, element of the row), each (32,)."""
    if getattr(array, "space", "") != "shared" or array.dtype != wide.F16:
        raise KernelTypeError("ldmatrix reads shared arrays of float16")
    report(env, mask, place, FULL_MASK)
    cells, within = wide.locate16(env, mask, place, array, index, "load")
    if within is None:
        return tuple(as_lanes(np.uint32(0), env.width) for _ in range(4))
    wide.tell(env, within, array, cells, "load", place, wide.WIDE_BYTES // array.dtype.itemsize)
    warps = Warps(env, mask)
    rows = warps.pack(cells)
    words = []
    for m in range(4):
        halves = [array.flat[rows[:, lane] + element] for lane, element in held_by(m)]
        words.append(warps.unpack(wide.words_of(halves)[0]))
    return tuple(words)


def mma(env: Env, mask: Mask, place: Place, a, b, acc):
    """acc + A B, A of 16 x 16 and B of 16 x 8 float16 in words, acc of 16 x 8 float32, all dealt out to the lanes."""
    for name, value, count in (("a", a, 4), ("b", b, 2), ("acc", acc, 4)):
        if not isinstance(value, tuple) or len(value) != count:
            raise KernelTypeError(f"mma takes {name} as a tuple of {count}")
    report(env, mask, place, FULL_MASK)
    warps = Warps(env, mask)
    left = np.zeros((warps.n_warps, 16, 16), np.float32)
    for m, word in enumerate(a):
        _place(left[:, 8 * (m % 2) :, 8 * (m // 2) :], warps, word, EIGHTH, PAIR, along_columns=True)
    right = np.zeros((warps.n_warps, 16, 8), np.float32)
    for m, word in enumerate(b):
        _place(right[:, 8 * m :], warps, word, PAIR, EIGHTH, along_columns=False)
    if env.batch.emit is not None:
        env.batch.emit.arithmetic(place, "fma", F32, FLOPS_A_LANE // 2 * mask.count)
    with np.errstate(over="ignore", invalid="ignore"):
        product = left @ right
        sums = [
            warps.pack(cast(number(part), F32)) + product[:, EIGHTH + 8 * (i // 2), PAIR + i % 2]
            for i, part in enumerate(acc)
        ]
    return tuple(warps.unpack(part) for part in sums)


def _place(matrix, warps: Warps, word, rows, columns, along_columns: bool) -> None:
    """Lay the two float16 of every lane's word into (n_warps, 8, 8) of a matrix."""
    packed = warps.pack(cast(number(word), wide.U32))
    for e, half in enumerate(wide.halves_of([packed])):
        matrix[:, rows + (0 if along_columns else e), columns + (e if along_columns else 0)] = half
