"""numba.cuda.bf16: operations on bfloat16, each rounded once, at its end, and conversions with a rounding of their own.

Source: CUDA Math API, "Bfloat16 Precision Intrinsics". A float64 that is rounded to odd, so that its last bit says
whether anything was cut, is still rounded right when it becomes narrower; `_narrow` keeps to that.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from simt.numerics.directed_rounding import ROUND, to_integer_by
from simt.values.bfloat16 import bfloat16
from simt.values.numba_rules import F32, F64, I32, I64, U32, U64, cast

if TYPE_CHECKING:
    from simt.lanes.masks import Env, Mask
    from simt.source.sites import Place
    from simt.values import Value

I16, U16 = np.dtype("i2"), np.dtype("u2")
INTEGERS = {"short": I16, "ushort": U16, "int": I32, "uint": U32, "ll": I64, "ull": U64}
CHARS = {"char": np.dtype("i1"), "uchar": np.dtype("u1")}
LOW = np.uint32(0xFFFF)  # of the bits of a float32, those that no bfloat16 has


def _wide(value: Value) -> Any:
    return value.astype(F32).astype(F64)


def _odd_sum(product: Any, addend: Any) -> Any:
    """Their sum in float64, rounded to odd."""
    total = product + addend
    part = total - product
    rest = (product - (total - part)) + (addend - part)  # what the rounding took away
    even = np.asarray(total).view(np.int64) & 1 == 0
    cut = np.isfinite(total) & (rest != 0) & even
    return np.where(cut, np.nextafter(total, np.where(rest > 0, np.inf, -np.inf)), total)


def _odd_single(value: Any) -> Any:
    """A float64 as a float32, rounded to odd."""
    value = np.asarray(value, F64)
    nearest = value.astype(F32)
    bits = nearest.view(np.uint32).copy()
    bits -= (np.abs(nearest.astype(F64)) > np.abs(value)).astype(np.uint32)
    bits |= (nearest.astype(F64) != value) & ~np.isnan(value)
    return bits.view(F32)


def _narrow(value: Any, mode: str = "rn") -> Any:
    """A float64 as a bfloat16, rounded once. mode: "rn", "rz", "rd" or "ru"."""
    single = _odd_single(value)
    if mode != "rn":
        bits = single.view(np.uint32)
        up = {"rz": False, "ru": single > 0, "rd": single < 0}[mode]
        finite, cut = np.isfinite(single), bits & LOW != 0
        bits = (bits & ~LOW) + np.where(finite & cut & up, np.uint32(0x10000), np.uint32(0))
        single = np.where(np.isnan(single), single, bits.view(F32))
    return np.asarray(single, F32).astype(bfloat16())[()]


def _of_integer(value: Any) -> Any:
    """An integer of up to 64 bits as a float64, rounded to odd where it is too long."""
    magnitude = np.abs(value.astype(np.int64)).astype(np.uint64) if value.dtype.kind == "i" else value.astype(np.uint64)
    shift = np.uint64(11)
    cut = (magnitude & np.uint64((1 << 11) - 1)) != 0
    long = ((magnitude >> shift) | cut.astype(np.uint64)).astype(F64) * 2048.0
    result = np.where(magnitude < np.uint64(1 << 53), magnitude.astype(F64), long)
    return np.where(value < 0, -result, result)


def _computed(function: Callable, taken: int) -> Callable:
    def run(env: Env, mask: Mask, place: Place, *operands: Value) -> Any:
        if len(operands) != taken:
            raise TypeError(f"takes {taken} positional arguments")
        return _narrow(function(*(_wide(cast(one, bfloat16())) for one in operands)))

    return run


def _compared(function: Callable, of_nan: bool) -> Callable:
    def run(env: Env, mask: Mask, place: Place, left: Value, right: Value) -> Any:
        left, right = _wide(cast(left, bfloat16())), _wide(cast(right, bfloat16()))
        unordered = np.isnan(left) | np.isnan(right)
        return np.asarray(unordered if of_nan else False) | (function(left, right) & ~unordered)

    return run


def _asked(function: Callable) -> Callable:
    return lambda env, mask, place, value: function(_wide(cast(value, bfloat16())))


def _from_integer(mode: str, source: np.dtype, env: Env, mask: Mask, place: Place, value: Value) -> Any:
    return _narrow(_of_integer(cast(value, source)), mode)


def _from_float(mode: str, source: np.dtype, env: Env, mask: Mask, place: Place, value: Value) -> Any:
    return _narrow(cast(value, source).astype(F64), mode)


def _seen_as(source: Any, target: Any, env: Env, mask: Mask, place: Place, value: Value) -> Any:
    """The same bits. source, target: a dtype, or what makes one."""
    source, target = (one() if callable(one) else one for one in (source, target))
    return np.ascontiguousarray(cast(value, source)).view(target).reshape(np.shape(value))[()]


def _saturated(value: Any) -> Any:
    return np.where(np.isnan(value), 0.0, np.clip(value, 0.0, 1.0))


def _greater(left: Any, right: Any) -> Any:
    return np.where((left == 0) & (right == 0), left + right, np.fmax(left, right))


def _smaller(left: Any, right: Any) -> Any:
    return -_greater(-left, -right)


def _with_nan(function: Callable) -> Callable:
    return lambda left, right: np.where(np.isnan(left) | np.isnan(right), np.nan, function(left, right))


def _fused(a: Any, b: Any, c: Any) -> Any:
    return _odd_sum(a * b, c)


def _sign_of_infinity(value: Any) -> Any:
    return np.where(np.isinf(value), np.sign(value), 0).astype(I32)[()]


TWO: dict[str, Callable] = {"add": _odd_sum, "sub": lambda a, b: _odd_sum(a, -b), "mul": np.multiply}
COMPARISONS: dict[str, Callable] = {
    "eq": np.equal, "ne": np.not_equal, "ge": np.greater_equal, "gt": np.greater, "le": np.less_equal, "lt": np.less,
}  # fmt: skip
ONE: dict[str, Callable] = {
    "habs": np.abs, "hneg": np.negative, "htrunc": np.trunc, "hceil": np.ceil, "hfloor": np.floor, "hrint": np.rint,
    "hsqrt": np.sqrt, "hrsqrt": lambda x: 1 / np.sqrt(x), "hrcp": lambda x: 1 / x, "hlog": np.log, "hlog2": np.log2,
    "hlog10": np.log10, "hcos": np.cos, "hsin": np.sin, "hexp": np.exp, "hexp2": np.exp2, "hexp10": lambda x: 10.0**x,
    "htanh": np.tanh, "htanh_approx": np.tanh,
}  # fmt: skip


def table() -> dict[str, Callable]:
    """Name in numba.cuda.bf16 -> f(env, mask, place, *values)."""
    found = {name: _computed(function, 1) for name, function in ONE.items()}
    for name, function in TWO.items():
        found |= {f"h{name}": _computed(function, 2), f"h{name}_rn": _computed(function, 2)}
        found[f"h{name}_sat"] = _computed(lambda a, b, exact=function: _saturated(exact(a, b)), 2)
    found |= {"hdiv": _computed(np.divide, 2), "hfma": _computed(_fused, 3)}
    found["hfma_sat"] = _computed(lambda *values: _saturated(_fused(*values)), 3)
    found["hfma_relu"] = _computed(lambda *values: np.maximum(_fused(*values), 0.0), 3)
    for name, function in (("hmax", _greater), ("hmin", _smaller)):
        found |= {name: _computed(function, 2), f"{name}_nan": _computed(_with_nan(function), 2)}
    for name, function in COMPARISONS.items():
        found |= {f"h{name}": _compared(function, False), f"h{name}u": _compared(function, True)}
    found |= {"hisnan": _asked(np.isnan), "hisinf": _asked(_sign_of_infinity)}
    found["bfloat162float"] = lambda env, mask, place, value: cast(value, bfloat16()).astype(F32)
    found |= {"float2bfloat16": partial(_from_float, "rn", F32), "double2bfloat16": partial(_from_float, "rn", F64)}
    for mode in ROUND:
        found[f"float2bfloat16_{mode}"] = partial(_from_float, mode, F32)
        for name, dtype in INTEGERS.items():
            found[f"{name}2bfloat16_{mode}"] = partial(_from_integer, mode, dtype)
            found[f"bfloat162{name}_{mode}"] = to_integer_by(F32, dtype, mode)
    found |= {f"bfloat162{name}_rz": to_integer_by(F32, dtype, "rz") for name, dtype in CHARS.items()}
    for name, dtype in (("short", I16), ("ushort", U16)):
        found[f"bfloat16_as_{name}"] = partial(_seen_as, bfloat16, dtype)
        found[f"{name}_as_bfloat16"] = partial(_seen_as, dtype, bfloat16)
    return found


INTRINSICS = {f"bf16.{name}": function for name, function in table().items()}
