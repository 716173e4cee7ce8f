"""Integer intrinsics: popc, brev, clz, ffs; and selp, fma, cbrt, nanosleep."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from simt.errors import UnsupportedError
from simt.lanes.blend import merge
from simt.numerics.fma import fused_multiply_add
from simt.refusals import types
from simt.values import is_lane, truth
from simt.values.numba_rules import B1, F16, F32, F64, I32, U32, U64, arith_dtype, as_float, cast

if TYPE_CHECKING:
    from simt.lanes.masks import Env, Mask
    from simt.source.sites import Place
    from simt.values import Value


def _unsigned(value: Value):
    """The bits of an integer as uint64, and how many it has."""
    size = value.dtype.itemsize
    return value.astype(np.dtype(f"u{size}")).astype(U64), 8 * size


def _bit(bits, position: int):
    return (bits >> np.uint64(position)) & np.uint64(1)


def popc(env: Env, mask: Mask, place: Place, value: Value):
    """Number of set bits, in the argument's type. NumPy counts those of the absolute value."""
    return cast(np.bitwise_count(value.view(f"u{value.dtype.itemsize}")), value.dtype)


def brev(env: Env, mask: Mask, place: Place, value: Value):
    """Bits reversed: uint64 for a uint64, uint32 for anything else."""
    n_bits = 64 if value.dtype == U64 else 32
    bits = cast(value, U64) & np.uint64((1 << n_bits) - 1)
    result = np.zeros_like(bits)
    for position in range(n_bits):
        result = result | (_bit(bits, position) << np.uint64(n_bits - 1 - position))
    return cast(result, U64 if n_bits == 64 else U32)


def clz(env: Env, mask: Mask, place: Place, value: Value):
    """Leading zeros of 32 or 64 bits, in the argument's type."""
    dtype = I32 if value.dtype.kind == "f" else value.dtype
    if value.dtype.itemsize < 4 or value.dtype.kind == "f":
        value = cast(value, I32)
    bits, n_bits = _unsigned(value)
    result = np.full_like(bits, n_bits)
    for position in range(n_bits):
        result = np.where(_bit(bits, position), np.uint64(n_bits - 1 - position), result)
    return cast(result if is_lane(value) else result[()], dtype)


def ffs(env: Env, mask: Mask, place: Place, value: Value):
    """1 + position of the lowest set bit, 0 when there is none; uint32."""
    bits, n_bits = _unsigned(value)
    result = np.zeros_like(bits)
    for position in reversed(range(n_bits)):
        result = np.where(_bit(bits, position), np.uint64(position + 1), result)
    return cast(result if is_lane(value) else result[()], U32)


def selp(env: Env, mask: Mask, place: Place, condition, on_true, on_false):
    """on_true where the condition holds, else on_false."""
    holds = truth(condition)
    if is_lane(holds):
        return merge(on_false, on_true, holds)
    return on_true if holds else on_false


def fma(env: Env, mask: Mask, place: Place, a, b, c):
    """a * b + c, rounded once; of float16 in float32."""
    dtype = arith_dtype(arith_dtype(a.dtype, b.dtype), c.dtype)
    dtype = F64 if dtype.kind != "f" else F32 if dtype == F16 else dtype
    return fused_multiply_add(cast(a, dtype), cast(b, dtype), cast(c, dtype))


def cbrt(env: Env, mask: Mask, place: Place, value: Value):
    """Cube root."""
    return np.cbrt(as_float(value))


def nanosleep(env: Env, mask: Mask, place: Place, nanoseconds):
    """Waiting changes nothing here."""


def _of_a_real_number(name: str, function: Callable) -> Callable:
    def run(env: Env, mask: Mask, place: Place, value: Value):
        if getattr(value, "dtype", B1).kind in ("fc" if name == "ffs" else "c"):
            raise UnsupportedError(types.wrong_types(name, f"{name}({value.dtype})"))
        return function(env, mask, place, value)

    return run


INTRINSICS: dict[str, Callable] = {
    **{function.__name__: _of_a_real_number(function.__name__, function) for function in (popc, brev, clz, ffs)},
    "selp": selp,
    "fma": fma,
    "cbrt": cbrt,
    "nanosleep": nanosleep,
}
