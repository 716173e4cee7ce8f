"""What the interpreter does for the instructions that minitrt's kernels have intrinsics for.

Importing this module gives each intrinsic its meaning; the interpreter then runs the kernels as they are.
Source: PTX ISA, of each instruction.
"""

from __future__ import annotations

import numpy as np

from minitrt.kernels import ptx, words
from minitrt.kernels.tensor_conv import products
from simt.memory import async_copies
from simt.memory.indexing import locate
from simt.threads.warp import Warps
from simt.values import as_lanes, number
from simt.values.numba_rules import cast

U32, I32, F32 = np.dtype("uint32"), np.dtype("int32"), np.dtype("float32")
LANES = np.arange(32)
G, T = LANES // 4, LANES % 4


def lanes_of(env, value, dtype) -> np.ndarray:
    return as_lanes(cast(number(value), dtype), env.width)


def cells_of(env, mask, place, array, index, count: int, kind: str):
    """The first word of each lane, and the lanes within bounds; every address is a multiple of the request."""
    _, within = locate(env, mask, array, (index + np.int64(count - 1),), kind, place)
    assert within is not None, f"`{place.site.text}` reaches past the end of {array.name}"
    cells, within = locate(env, within, array, (index,), kind, place)
    assert within is not None and within.count == mask.count, f"`{place.site.text}` leaves {array.name}"
    cells = as_lanes(np.int64(cells) if np.ndim(cells) == 0 else cells, env.width)
    assert not (within.pick(cells) % count).any(), f"`{place.site.text}`: no multiple of {4 * count} bytes"
    return (np.where(within.bits, cells, 0) if within.bits is not None else cells), within


def loads(count: int):
    def load(env, mask, place, array, index):
        cells, _ = cells_of(env, mask, place, array, index, count, "load")
        return tuple(array.flat[cells + n] for n in range(count))

    return load


def stores(count: int):
    def store(env, mask, place, array, index, values):
        cells, within = cells_of(env, mask, place, array, index, count, "store")
        for n, value in enumerate(values):
            array.flat[within.pick(cells) + n] = within.pick(lanes_of(env, value, U32))
        env.batch.touch()

    return store


def copy4(env, mask, place, shared, to, array, at, inside):
    """A copy beside the threads: the words are there when the lane has waited for its group, and no sooner."""
    cells, _ = cells_of(env, mask, place, shared, to, 4, "store")
    taken = as_lanes(np.bool_(inside) if np.ndim(inside) == 0 else inside, env.width)
    source = as_lanes(np.int64(at) if np.ndim(at) == 0 else at, env.width).astype(np.int64)
    assert not (mask.pick(source) % 4).any() and mask.pick(np.where(taken, source + 3 < len(array.flat), True)).all()
    source = np.where(taken, source, 0)
    queue, roots = async_copies._queue(env), env.roots_of(mask)
    values = [mask.pick(np.where(taken, array.flat[source + n], U32.type(0))) for n in range(4)]
    queue.begin(async_copies.Copy(shared, roots, queue.closed[roots], mask.pick(cells), values))
    env.batch.touch()


def waits(keep: int):
    return lambda env, mask, place: async_copies.wait_copies(env, mask, place, keep)


def ldmatrix(env, mask, place, array, index):
    cells, _ = cells_of(env, mask, place, array, index, 4, "load")
    warps = Warps(env, mask)
    rows = warps.pack(cells)
    return tuple(warps.unpack(array.flat[rows[:, 8 * m + G] + T]) for m in range(4))


def unpacked(packed: np.ndarray, element: np.dtype) -> np.ndarray:
    """(warps, 32) words as (warps, 32, elements of a word)."""
    return np.ascontiguousarray(packed).view(element).reshape(*packed.shape, -1)


def product(element: str, a_words: int, b_words: int):
    """mma of (8 * rows) x (16 * k bytes) by (16 * k bytes) x 8, rows = k = 2 or less as the words say."""
    kind, total = (np.dtype(np.int8), I32) if element == "int8" else (np.dtype(np.float16), F32)
    per_word = 4 // kind.itemsize
    halves, wide = a_words // b_words, np.int64 if element == "int8" else np.float32

    def mma(env, mask, place, *values):
        warps = Warps(env, mask)
        a, b, c = values[:a_words], values[a_words : a_words + b_words], values[a_words + b_words :]
        left = np.zeros((warps.n_warps, 8 * halves, 4 * per_word * b_words), wide)
        right = np.zeros((warps.n_warps, 4 * per_word * b_words, 8), wide)
        for n, word in enumerate(a):
            rows, k = G + 8 * (n % halves), 4 * per_word * (n // halves) + per_word * T
            for e in range(per_word):
                left[:, rows, k + e] = unpacked(warps.pack(lanes_of(env, word, U32)), kind)[:, :, e]
        for n, word in enumerate(b):
            for e in range(per_word):
                right[:, 4 * per_word * n + per_word * T + e, G] = unpacked(warps.pack(lanes_of(env, word, U32)), kind)[
                    :, :, e
                ]
        found = left @ right
        return tuple(
            warps.unpack(
                (warps.pack(lanes_of(env, old, total)) + found[:, G + 8 * (n // 2), 2 * T + n % 2]).astype(total)
            )
            for n, old in enumerate(c)
        )

    return mma


def by_lane(function, *kinds):
    """A meaning of a function of registers: kinds are the types of its arguments."""

    def run(env, mask, place, *values):
        return function(*(lanes_of(env, value, kind) for value, kind in zip(values, kinds, strict=True)))

    return run


def dot4(a, b, total):
    left, right = (np.ascontiguousarray(x).view(np.int8).reshape(-1, 4).astype(np.int32) for x in (a, b))
    return (left * right).sum(1, dtype=np.int32) + total


def packed_bytes(*four):
    clipped = [np.nan_to_num(np.clip(np.rint(x), -128, 127)).astype(np.int8) for x in four]
    return np.stack(clipped, 1).view(U32).reshape(-1)


def packed_halves(low, high):
    with np.errstate(over="ignore"):
        return np.stack([low.astype(np.float16), high.astype(np.float16)], 1).view(U32).reshape(-1)


MEANINGS = {
    words.load4: loads(4), words.load2: loads(2), words.shared4: loads(4), words.store4: stores(4),
    words.store2: stores(2), words.keep4: stores(4), words.copy4: copy4, words.commit: async_copies.commit_copies,
    words.ldmatrix: ldmatrix, ptx.pack_f16: by_lane(packed_halves, F32, F32),
    products.mma_s8_k32: product("int8", 4, 2), products.mma_s8_k16: product("int8", 1, 1),
    products.mma_f16_k16: product("float16", 4, 2), products.mma_f16_k8: product("float16", 2, 1),
    ptx.dp4a: by_lane(dot4, U32, U32, I32), ptx.udiv: by_lane(lambda a, b: a // b, U32, U32),
    ptx.pack_s8: by_lane(packed_bytes, F32, F32, F32, F32),
}  # fmt: skip
for n, wait in enumerate(words.WAITS):
    MEANINGS[wait] = waits(n)
for n, byte in enumerate(words.BYTE):
    MEANINGS[byte] = by_lane(lambda x, n=n: np.ascontiguousarray(x).view(np.int8)[n::4].astype(I32), U32)
for n, half in enumerate(words.HALF):
    MEANINGS[half] = by_lane(lambda x, n=n: np.ascontiguousarray(x).view(np.float16)[n::2].astype(F32), U32)
for made, meaning in MEANINGS.items():
    made.simt_meaning = meaning
