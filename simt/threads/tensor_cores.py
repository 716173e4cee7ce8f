"""What a warp's ldmatrix, stmatrix and mma do: 32 lanes hold matrices of float16 or int8 in pieces, and multiply them.

Source: PTX ISA, "Matrix Fragments for mma.m16n8k16 with floating point type", "Matrix Fragments for mma.m16n8k32",
"ldmatrix" and "stmatrix".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from simt.errors import KernelTypeError
from simt.hardware import WARP_SIZE
from simt.memory import wide
from simt.threads.warp import FULL_MASK, Warps, report
from simt.values import as_lanes, number
from simt.values.numba_rules import F32, cast

if TYPE_CHECKING:
    from simt.lanes.masks import Env, Mask
    from simt.source.sites import Place

I32 = np.dtype("int32")
LANES = np.arange(WARP_SIZE)
PAIR, EIGHTH = 2 * (LANES % 4), LANES // 4  # where a lane's pair of elements lies in an 8 x 8 matrix
TURNED_BYTES = 2  # of what ldmatrix and stmatrix turn as a whole
STEPS_OF_TILES, STEPS_OF_A_PRODUCT = 4, 10  # of the meter: as long as so many statements, one lane or many
FLOPS_A_LANE = 2 * 16 * 8 * 16 // WARP_SIZE  # of one mma, shared equally


def ldmatrix(env: Env, mask: Mask, place: Place, array, index):
    """Four matrices of 8 rows of 16 bytes, whose rows the lanes name: lane l gets a word of row l // 4 of each."""
    n = wide.WORD_BYTES // array.dtype.itemsize if hasattr(array, "dtype") else 0  # elements of a word

    def held_by(m: int) -> list[tuple]:
        named = 8 * m + EIGHTH
        return [(named, n * (LANES % 4) + e) for e in range(n)]

    return _deal(env, mask, place, array, index, held_by, (wide.F16, wide.I8))


def ldmatrix_transposed(env: Env, mask: Mask, place: Place, array, index):
    """Four 8 x 8 matrices of float16, or of two int8 each, turned: lane l gets a pair of column l // 4 of each."""
    n = TURNED_BYTES // array.dtype.itemsize if hasattr(array, "dtype") else 0  # elements that stay together

    def held_by(m: int) -> list[tuple]:
        return [(8 * m + PAIR + e, n * EIGHTH + part) for e in (0, 1) for part in range(n)]

    return _deal(env, mask, place, array, index, held_by, (wide.F16, wide.I8))


def stmatrix_transposed(env: Env, mask: Mask, place: Place, array, index, words) -> None:
    """What `ldmatrix_transposed` deals out, back: lane l names where row l % 8 of matrix l // 8 goes, 16 bytes."""
    if getattr(array, "space", "") != "shared" or array.dtype not in (wide.F16, wide.I8):
        raise KernelTypeError("stmatrix writes shared arrays of float16 or int8")
    if not isinstance(words, tuple) or len(words) != 4:
        raise KernelTypeError("stmatrix writes a tuple of four words")
    report(env, mask, place, FULL_MASK)
    warps = Warps(env, mask)
    held = np.stack([warps.pack(cast(number(word), wide.U32)) for word in words], axis=-1)  # (warps, lanes, matrices)
    matrix, row = LANES // 8, LANES % 8

    def column(c: int) -> np.ndarray:
        """(warps, 32): the 16 bits in column c of the row that each lane names."""
        return held[:, 4 * c + row // 2, matrix] >> (16 * (row % 2)).astype(wide.U32) & wide.U32.type(0xFFFF)

    parts = tuple(warps.unpack(column(2 * k) | column(2 * k + 1) << wide.U32.type(16)) for k in range(4))
    wide.store16(env, mask, place, array, index, parts)


def _deal(env: Env, mask: Mask, place: Place, array, index, held_by, dtypes: tuple):
    """held_by(matrix) -> for all parts of a word, (lane that named the row, element of the row), each (32,)."""
    if getattr(array, "space", "") != "shared" or array.dtype not in dtypes:
        raise KernelTypeError(f"ldmatrix reads shared arrays of {' or '.join(map(str, dtypes))}")
    report(env, mask, place, FULL_MASK)
    env.batch.meter.count(STEPS_OF_TILES, env)
    cells, within = wide.locate16(env, mask, place, array, index, "load")
    if within is None:
        return tuple(as_lanes(np.uint32(0), env.width) for _ in range(4))
    wide.tell(env, within, array, cells, "load", place, wide.WIDE_BYTES // array.dtype.itemsize)
    warps = Warps(env, mask)
    rows = warps.pack(cells)
    words = []
    for m in range(4):
        held = held_by(m)
        found = _whole_words(array, rows, held)
        if found is None:
            found = wide.words_of([array.flat[rows[:, lane] + element] for lane, element in held])[0]
        words.append(warps.unpack(found))
    return tuple(words)


def _whole_words(array, rows: np.ndarray, held: list[tuple]) -> np.ndarray | None:
    """The words that `held` makes of neighbouring elements, each read at once; None where they do not lie so."""
    (lane, first), per_word = held[0], wide.WORD_BYTES // array.dtype.itemsize
    neighbours = all(other is lane and np.array_equal(element, first + e) for e, (other, element) in enumerate(held))
    flat = array.flat
    if not neighbours or not flat.flags.c_contiguous or flat.nbytes % wide.WORD_BYTES:
        return None
    begins = rows[:, lane] + first
    return None if (begins % per_word).any() else flat.view(wide.U32)[begins // per_word]


def mma(env: Env, mask: Mask, place: Place, a, b, acc):
    """acc + A B, A of 16 x 16 and B of 16 x 8 float16 in words, acc of 16 x 8 float32, all dealt out to the lanes."""
    if env.batch.emit is not None:
        env.batch.emit.arithmetic(place, "mma", F32, FLOPS_A_LANE // 2 * mask.count)
    return _multiply(env, mask, place, (a, b, acc), wide.F16, F32)


def mma_int8(env: Env, mask: Mask, place: Place, a, b, acc):
    """The same for A of 16 x 32 and B of 32 x 8 int8, acc of 16 x 8 int32: exact, and past 32 bits it wraps."""
    return _multiply(env, mask, place, (a, b, acc), wide.I8, I32)


def _multiply(env: Env, mask: Mask, place: Place, operands: tuple, element: np.dtype, total: np.dtype):
    """operands: a, b and acc. element: what a and b hold; total: what acc holds."""
    a, b, acc = operands
    for name, value, count in (("a", a, 4), ("b", b, 2), ("acc", acc, 4)):
        if not isinstance(value, tuple) or len(value) != count:
            raise KernelTypeError(f"mma takes {name} as a tuple of {count}")
    report(env, mask, place, FULL_MASK)
    env.batch.meter.count(STEPS_OF_A_PRODUCT, env)
    warps = Warps(env, mask)
    n = wide.WORD_BYTES // element.itemsize  # elements of a word
    # in float32 the sums of 32 products of bytes are exact, and NumPy multiplies floats much faster than integers
    left, right = (np.zeros((warps.n_warps, *sides), F32) for sides in ((16, 8 * n), (8 * n, 8)))
    for m, word in enumerate(a):
        _place(left[:, 8 * (m % 2) :, 4 * n * (m // 2) :], warps, word, element)
    for m, word in enumerate(b):
        _place(right.transpose(0, 2, 1)[:, :, 4 * n * m :], warps, word, element)
    with np.errstate(over="ignore", invalid="ignore"):
        product = (left @ right).astype(total, copy=False)
        sums = [
            warps.pack(cast(number(part), total)) + product[:, EIGHTH + 8 * (i // 2), PAIR + i % 2]
            for i, part in enumerate(acc)
        ]
    return tuple(warps.unpack(part) for part in sums)


def _place(matrix, warps: Warps, word, element: np.dtype) -> None:
    """Lay the elements of every lane's word into a matrix of 8 rows: lane l's belong to row l // 4, side by side, so
    four lanes' bytes are a row as they lie."""
    words = np.ascontiguousarray(warps.pack(cast(number(word), wide.U32)))
    rows = words.view(element).reshape(warps.n_warps, 8, -1)
    matrix[:, :8, : rows.shape[2]] = rows
