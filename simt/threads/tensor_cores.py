"""What a warp's ldmatrix, stmatrix and mma do: 32 lanes hold matrices of float16 or int8 in pieces, and multiply them.

Source: PTX ISA, "Matrix Fragments for mma.m16n8k16 with floating point type", "Matrix Fragments for mma.m16n8k32",
"ldmatrix" and "stmatrix".
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from simt.errors import KernelTypeError
from simt.hardware import WARP_SIZE
from simt.lanes.bits import some
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
KEPT = 64  # pieces of matrices that a batch may multiply again
STEPS_OF_TILES, STEPS_OF_A_PRODUCT = 4, 10  # of the meter: as long as so many statements, one lane or many
FLOPS_A_LANE = 2 * 16 * 8 * 16 // WARP_SIZE  # of one mma, shared equally


def ldmatrix(env: Env, mask: Mask, place: Place, array, index):
    """Four matrices of 8 rows of 16 bytes, whose rows the lanes name: lane l gets a word of row l // 4 of each."""
    n = wide.WORD_BYTES // array.dtype.itemsize if hasattr(array, "dtype") else 0  # elements of a word
    return _deal(env, mask, place, array, index, _rows, n)


def ldmatrix_transposed(env: Env, mask: Mask, place: Place, array, index):
    """Four 8 x 8 matrices of float16, or of two int8 each, turned: lane l gets a pair of column l // 4 of each."""
    n = TURNED_BYTES // array.dtype.itemsize if hasattr(array, "dtype") else 0  # elements that stay together
    return _deal(env, mask, place, array, index, _columns, n)


Held = list[tuple[np.ndarray, np.ndarray]]  # for each part of a word, (lane that named the row, element of the row)


@cache
def _rows(n: int) -> list[Held]:
    """Of four matrices, what each lane gets of a row, n elements a word; each array is (32,)."""
    return [[(8 * m + EIGHTH, n * (LANES % 4) + e) for e in range(n)] for m in range(4)]


@cache
def _columns(n: int) -> list[Held]:
    """The same of a column, n elements of each of two rows."""
    return [[(8 * m + PAIR + e, n * EIGHTH + part) for e in (0, 1) for part in range(n)] for m in range(4)]


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


def _deal(env: Env, mask: Mask, place: Place, array, index, layout: Callable, n: int):
    """A word of each matrix for every lane. layout: `_rows` or `_columns`, of n elements."""
    dtypes = wide.F16, wide.I8
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
    lanes, elements = _places(layout, n)
    words = _whole_words(array, rows, lanes, elements) if layout is _rows else None
    if words is None:
        parts = array.flat[rows[:, lanes] + elements]  # (warps, 4, parts, 32)
        bits = parts.view(wide.UNSIGNED[array.dtype]).astype(wide.U32)
        width = 8 * wide.WORD_BYTES // len(lanes[0])
        words = np.bitwise_or.reduce(bits << (width * np.arange(len(lanes[0]))).astype(wide.U32)[:, None], axis=2)
    return tuple(warps.unpack(words[:, matrix]) for matrix in range(4))


@cache
def _places(layout: Callable, n: int) -> tuple[np.ndarray, np.ndarray]:
    """(4, parts of a word, 32) each: of every matrix, which lane named the row of each part, and its element there."""
    held = layout(n)
    return tuple(np.array([[part[which] for part in parts] for parts in held]) for which in (0, 1))  # type: ignore


def _whole_words(array, rows: np.ndarray, lanes: np.ndarray, elements: np.ndarray) -> np.ndarray | None:
    """(warps, 4, 32) the words of neighbouring elements, each read at once; None where they do not lie so."""
    flat, per_word = array.flat, wide.WORD_BYTES // array.dtype.itemsize
    if not flat.flags.c_contiguous or flat.nbytes % wide.WORD_BYTES:
        return None
    begins = rows[:, lanes[:, 0]] + elements[:, 0]
    return None if some(begins % per_word) else flat.view(wide.U32)[begins // per_word]


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
    left, right = _operand(env, warps, a, element, _left), _operand(env, warps, b, element, _right)
    with np.errstate(over="ignore", invalid="ignore"):
        product = left.reshape(-1, 16, 8 * n) @ right.reshape(-1, 8 * n, 8)
        dealt = product.reshape(-1, 2, 8, 4, 2).transpose(1, 4, 0, 2, 3)  # each sum of a lane: (warps, 8, 4)
        dealt = np.ascontiguousarray(dealt, total).reshape(4, -1)
        dealt = dealt if warps.slots is None else dealt[:, warps.slots]
        return tuple([per_lane(x, total, env.width) + part for x, part in zip(acc, dealt, strict=True)])


def per_lane(x, total: np.dtype, width: int) -> np.ndarray:
    """A number of each lane, in the type of the sums."""
    known = type(x) is np.ndarray and x.dtype == total
    return x if known else as_lanes(cast(number(x), total), width)


def _operand(env: Env, warps: Warps, words: tuple, element: np.dtype, lay_out) -> np.ndarray:
    """One matrix of a product, as floats: in float32 the sums of 32 products of bytes are exact, and NumPy multiplies
    floats much faster than integers. Kept, for a kernel multiplies each piece with several others."""
    known, key = env.batch.fragments, (lay_out, element.char, id(warps.slots), *map(id, words))
    if key not in known:
        floats = _as_floats(lay_out(_elements(words, warps, element)))
        if any(type(word) is not np.ndarray for word in words):
            return floats
        if len(known) >= KEPT:
            known.clear()
        known[key] = floats, words, warps.slots  # which keeps them alive, so their ids stay theirs
    return known[key][0]


def _left(elements: np.ndarray) -> np.ndarray:
    """Rows of A; its words are those of its upper left, lower left, upper right and lower right 8 rows."""
    return elements.reshape(2, 2, -1, 8, elements.shape[-1]).transpose(2, 1, 3, 0, 4)


def _right(elements: np.ndarray) -> np.ndarray:
    """Rows of B, whose columns the lanes hold."""
    return elements.transpose(1, 0, 3, 2)


def _elements(words: tuple, warps: Warps, element: np.dtype) -> np.ndarray:
    """(words, warps, 8, elements of four lanes): lane l's elements of each word stand in row l // 4."""
    packed = np.concatenate([warps.pack(cast(number(word), wide.U32)) for word in words])
    return packed.view(element).reshape(len(words), warps.n_warps, 8, -1)


def _as_floats(elements: np.ndarray) -> np.ndarray:
    """The same in float32, laid out in rows as they are seen."""
    floats = np.empty(elements.shape, F32)
    floats[...] = elements
    return floats
