"""What a warp's sparse mma does: A has two of every four elements, and a word says which, in four bits for each four.

Source: PTX ISA, "Matrix Fragments for sparse mma.m16n8k32 with .f16 and .bf16 types", "Sparse matrix storage".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from simt.errors import KernelTypeError, PlacesOutOfOrderError
from simt.hardware import WARP_SIZE
from simt.memory import wide
from simt.threads.tensor_cores import EIGHTH, FLOPS_A_LANE, PAIR, STEPS_OF_A_PRODUCT
from simt.threads.warp import FULL_MASK, Warps, report
from simt.values import number
from simt.values.numba_rules import F16, F32, cast

if TYPE_CHECKING:
    from simt.lanes.masks import Env, Mask
    from simt.source.sites import Place

ROWS, DEEP, GROUPS = 16, 32, 8  # of A; groups of four elements in a row of it
TELLING = np.flatnonzero(np.arange(WARP_SIZE) % 4 < 2)  # lanes whose words are read: two of every four
GROUP = 4 * (TELLING % 4)[:, None] + np.arange(4)  # (16, 4): the groups that a telling lane's halves belong to


def mma_sparse(env: Env, mask: Mask, place: Place, a, b, places, acc):
    """acc + A B, A of 16 x 32 float16 of which half are stored, B of 32 x 8 float16, acc of 16 x 8 float32."""
    for name, value in (("a", a), ("b", b), ("acc", acc)):
        if not isinstance(value, tuple) or len(value) != 4:
            raise KernelTypeError(f"mma_sparse takes {name} as a tuple of 4")
    if env.batch.emit is not None:
        env.batch.emit.arithmetic(place, "mma", F32, FLOPS_A_LANE // 2 * mask.count)
    report(env, mask, place, FULL_MASK)
    env.batch.meter.count(STEPS_OF_A_PRODUCT, env)
    warps = Warps(env, mask)
    left = _spread(_halves(warps, a), _places(warps, places, place))
    right = _turned(warps, b)
    with np.errstate(over="ignore", invalid="ignore"):
        product = left @ right
        sums = [
            warps.pack(cast(number(part), F32)) + product[:, EIGHTH + 8 * (i // 2), PAIR + i % 2]
            for i, part in enumerate(acc)
        ]
    return tuple(warps.unpack(part) for part in sums)


def _elements(warps: Warps, word) -> list[np.ndarray]:
    """The two float16 of every lane's word, each (n_warps, 32)."""
    return wide.elements_of([warps.pack(cast(number(word), wide.U32))], F16)


def _halves(warps: Warps, a: tuple) -> np.ndarray:
    """(n_warps, 16, 16): what is stored of A, as `ldmatrix` deals it out."""
    stored = np.zeros((warps.n_warps, ROWS, DEEP // 2), F32)
    for m, word in enumerate(a):
        for e, part in enumerate(_elements(warps, word)):
            stored[:, EIGHTH + 8 * (m % 2), PAIR + e + 8 * (m // 2)] = part
    return stored


def _turned(warps: Warps, b: tuple) -> np.ndarray:
    """(n_warps, 32, 8): B, as `ldmatrix_transposed` deals it out."""
    right = np.zeros((warps.n_warps, DEEP, 8), F32)
    for m, word in enumerate(b):
        for e, part in enumerate(_elements(warps, word)):
            right[:, PAIR + e + 8 * m, EIGHTH] = part
    return right


def _places(warps: Warps, words, place: Place) -> np.ndarray:
    """(n_warps, 16, 8, 2): where the two stored elements of each group of four belong, 0 to 3.

    Raises: PlacesOutOfOrderError where the second does not come after the first: the GPU's result is undefined.
    """
    told = warps.pack(cast(number(words), wide.U32))[:, TELLING]
    found = np.zeros((warps.n_warps, ROWS, GROUPS, 2), np.int64)
    for half in (0, 1):  # the lower 16 bits are of the rows 0 to 7, the upper ones of 8 rows further down
        for at in range(4):
            for k in (0, 1):
                bits = told >> np.uint32(16 * half + 4 * at + 2 * k) & np.uint32(3)
                found[:, TELLING // 4 + 8 * half, GROUP[:, at], k] = bits
    wrong = found[..., 0] >= found[..., 1]
    if wrong.any():
        warp, row, group = (int(axis[0]) for axis in np.nonzero(wrong))
        first, second = (int(part) for part in found[warp, row, group])
        raise PlacesOutOfOrderError(
            f"`{place.site.text}`: row {row} has places {first} and {second} for its elements {4 * group} to "
            f"{4 * group + 3}. The first of two stored elements comes from the left of the second; what a tensor core "
            "makes of other places is undefined.",
            remedy="Lower two bits: the place of the first, 0 to 2; upper two: a larger one, 1 to 3. For four zeros "
            "0 and 1 will do.",
        )
    return found


def _spread(stored: np.ndarray, places: np.ndarray) -> np.ndarray:
    """(n_warps, 16, 32): A with its zeros."""
    whole = np.zeros((*stored.shape[:2], GROUPS, 4), F32)
    np.put_along_axis(whole, places, stored.reshape(*stored.shape[:2], GROUPS, 2), axis=3)
    return whole.reshape(*stored.shape[:2], DEEP)
