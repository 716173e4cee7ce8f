"""16 bytes in one request: what the intrinsics `load16`, `store16`, `bits16` and `halves` of a course do.

Four numbers of 32 bits: float32 as they are, or words that hold two float16 or four int8 each.

Each lane names the first element; the others follow it in the same row. Counters see one wide access, and everything
that asks who touched which element sees one access an element.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from simt.errors import KernelTypeError, MisalignedError
from simt.memory.arrays import Array
from simt.memory.indexing import locate
from simt.values import as_lanes, number
from simt.values.numba_rules import F16, F32, I64, U64, cast

if TYPE_CHECKING:
    from simt.lanes.masks import Env, Mask
    from simt.source.sites import Place
    from simt.values import Value

WIDE_BYTES = 16
WORD_BYTES = 4
I8, U16, U32 = np.dtype("int8"), np.dtype("uint16"), np.dtype("uint32")
UNSIGNED = {F16: U16, I8: np.dtype("uint8")}  # what the bits of an element are, where several share a word


def load16(env: Env, mask: Mask, place: Place, array, index):
    """Four float32 from array[index] on, or four words of the elements there."""
    cells, within = locate16(env, mask, place, array, index, "load")
    n = WIDE_BYTES // array.dtype.itemsize
    if within is None:
        return tuple(as_lanes((F32 if n == 4 else U32).type(0), env.width) for _ in range(4))
    tell(env, within, array, cells, "load", place, n)
    parts = [array.flat[cells + i] for i in range(n)]
    return tuple(parts) if n == 4 else words_of(parts)


def store16(env: Env, mask: Mask, place: Place, array, index, parts) -> None:
    """Write what `load16` returns."""
    if not isinstance(parts, tuple) or len(parts) != 4:
        raise KernelTypeError("store16 stores a tuple of four numbers of 32 bits")
    cells, within = locate16(env, mask, place, array, index, "store")
    if within is None:
        return
    kind = F32 if array.dtype == F32 else U32
    values = [as_lanes(cast(number(part), kind), env.width) for part in parts]
    if kind == U32:
        values = elements_of(values, array.dtype)
    if array.space == "constant":
        raise KernelTypeError(f"{array.name} is constant memory: a kernel cannot write it")
    tell(env, within, array, cells, "store", place, len(values), values)
    for i, value in enumerate(values):
        env.batch.count_store(array.flat, cells + i, value, within)
        array.flat[within.pick(cells) + i] = within.pick(value)


def bits16(env: Env, mask: Mask, place: Place, value: Value):
    """The bits of a float16 as a uint32."""
    return cast(number(value), F16).view(U16).astype(U32)


def halves(env: Env, mask: Mask, place: Place, word: Value):
    """The two float16 of a uint32 as float32, that of the lower half first."""
    bits = cast(number(word), U32)
    return tuple((bits >> U32.type(shift)).astype(U16).view(F16).astype(F32) for shift in (0, 16))


def words_of(elements: list) -> tuple:
    """Words of neighbouring float16 or int8, the first of each word in its lowest bits."""
    n = WORD_BYTES // elements[0].dtype.itemsize
    bits = [one.view(UNSIGNED[one.dtype]).astype(U32) for one in elements]
    return tuple(_together(bits[i : i + n]) for i in range(0, len(bits), n))


def _together(parts: list) -> np.ndarray:
    """One word of its parts, the lowest first."""
    word = parts[0]
    for i, part in enumerate(parts[1:], start=1):
        word = word | (part << U32.type(i * 8 * WORD_BYTES // len(parts)))
    return word


def elements_of(words, dtype: np.dtype) -> list:
    """The float16 or int8 of words, the lowest of each word first."""
    whole = UNSIGNED[dtype]
    shifts = range(0, 8 * WORD_BYTES, 8 * dtype.itemsize)
    return [(word >> U32.type(shift)).astype(whole).view(dtype) for word in words for shift in shifts]


def locate16(env: Env, mask: Mask, place: Place, array, index, kind: str):
    """The first cell of each lane's 16 bytes, per lane, and the lanes whose 16 bytes are in bounds: or (None, None).

    Raises: KernelTypeError for other elements; MisalignedError for an address that is no multiple of 16.
    """
    if not isinstance(array, Array) or array.dtype not in (F32, F16, I8):
        raise KernelTypeError("16 bytes at once are for arrays of float32, float16 or int8")
    indices = index if type(index) is tuple else (index,)
    if len(indices) != array.ndim:
        raise KernelTypeError(f"`{place.site.text}` needs {array.ndim} indices, as many as {array.name} has axes")
    n, within = WIDE_BYTES // array.dtype.itemsize, mask
    if not _all_fit(indices[-1], array.shape[-1], n):
        last = (*indices[:-1], indices[-1] + np.int64(n - 1))
        _, within = locate(env, mask, array, last, kind, place)
        if within is None:
            return None, None
    cells, within = locate(env, within, array, indices, kind, place)
    if within is None:
        return None, None
    if type(cells) is not np.ndarray:
        cells = as_lanes(np.int64(cells), env.width)
    _check_aligned(env, within, array, cells, place)
    if within.bits is not None:  # a lane that stays out may begin near the end, and the three after it lie past that
        cells = np.where(within.bits, cells, 0)
    return cells, within


def _all_fit(index: Value, size: Value, n: int) -> bool:
    """Whether n elements from this index on are below a size for every lane, active or not, without counting from the
    end. False where that takes more than a look."""
    if type(size) is np.ndarray or getattr(index, "dtype", None) != I64:
        return False
    if type(index) is np.ndarray:
        return size >= n and bool(index.view(U64).max() <= size - n)
    return 0 <= index <= size - n


def _check_aligned(env: Env, mask: Mask, array: Array, cells: np.ndarray, place: Place) -> None:
    """A GPU stops with a misaligned address, as `CUDA_ERROR_MISALIGNED_ADDRESS` says much later."""
    taken, size = mask.pick(cells), array.dtype.itemsize
    begins_aligned = array.info.base_address % WIDE_BYTES == 0 and array.copy_cells * size % WIDE_BYTES == 0
    if begins_aligned and array.strides[-1] == 1 and not np.bitwise_or.reduce(taken) % (WIDE_BYTES // size):
        return
    address = array.info.base_address + (taken % array.copy_cells if array.copy_cells else taken) * array.dtype.itemsize
    off = np.flatnonzero(address % WIDE_BYTES)
    if array.strides[-1] != 1 or len(off):
        first = int(taken[off[0]]) if len(off) else int(taken[0])
        where = array.info.index_of(first % array.copy_cells if array.copy_cells else first)
        raise MisalignedError(
            f"`{place.site.text}` moves 16 bytes from {array.name}{list(where)} on, and that address is no multiple "
            "of 16: a GPU stops with a misaligned address.",
            remedy=_where_to_begin(array),
        )


def _where_to_begin(array: Array) -> str:
    """What to do about an address that 16 does not divide."""
    n = WIDE_BYTES // array.dtype.itemsize
    if array.ndim == 1:
        return f"Begin at an element whose index {n} divides, and move the others one by one."
    return f"Begin at a column that {n} divides, in rows whose length {n} divides, too."


def tell(env: Env, mask: Mask, array: Array, cells, kind: str, place: Place, n: int, values=()) -> None:
    """Tell listeners of a wide access. values: what a store writes, one array an element."""
    if env.batch.emit is not None:
        env.batch.emit.wide_access(env, mask, array, cells, kind, place, n, values)
