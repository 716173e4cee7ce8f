"""libdevice's roundings: to nearest (rn), down (rd), up (ru) and towards zero (rz); and its conversions.

NumPy rounds to nearest. Whether that lies beyond the exact result, fractions tell; then the next number the other way
is taken, one lane after the other.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from simt.values.numba_rules import F32, F64, I32, I64, U32, U64, cast

if TYPE_CHECKING:
    from simt.lanes.masks import Env, Mask
    from simt.source.sites import Place
    from simt.values import Value

ROUND = {"rn": np.rint, "rd": np.floor, "ru": np.ceil, "rz": np.trunc}
FLOATS = {"float": F32, "double": F64}
TOWARDS = {"rd": -math.inf, "ru": math.inf, "rz": 0.0}
INTEGERS = {"int": I32, "uint": U32, "ll": I64, "ull": U64}
OPERATIONS: dict[str, tuple[Callable, Callable]] = {
    "add": (np.add, lambda a, b: a + b),
    "sub": (np.subtract, lambda a, b: a - b),
    "mul": (np.multiply, lambda a, b: a * b),
    "div": (np.divide, lambda a, b: a / b),
    "rcp": (lambda a: a.dtype.type(1) / a, lambda a: 1 / a),
}

DIVISIONS = {OPERATIONS["div"][1], OPERATIONS["rcp"][1]}


def _wrong_side(nearest: float, difference: Fraction | float, mode: str) -> bool:
    """difference: nearest minus exact."""
    if mode == "rz":
        mode = "rd" if nearest > 0 else "ru" if nearest < 0 else "rn"
    return difference > 0 if mode == "rd" else difference < 0 if mode == "ru" else False


def _corrected(nearest, difference: Callable[[int], Fraction | float], mode: str):
    """Each lane of a result rounded to nearest, rounded another way. difference(lane): nearest minus exact."""
    flat = np.array(nearest).reshape(-1)
    for lane, value in enumerate(flat):
        if not np.isnan(value) and _wrong_side(float(value), difference(lane), mode):
            flat[lane] = np.nextafter(value, value.dtype.type(TOWARDS[mode]))
    return flat.reshape(np.shape(nearest))[()]


def _difference(nearest, operands, exact) -> Callable[[int], Fraction | float]:
    """difference(lane) of a result that was computed from these operands."""
    nearest = np.ravel(nearest)
    lanes = [np.broadcast_to(operand, nearest.shape).reshape(-1) for operand in operands]

    def of(lane: int) -> Fraction | float:
        values = [operand[lane] for operand in lanes]
        if not np.isfinite(values).all() or (exact in DIVISIONS and values[-1] == 0):
            return 0.0  # the result is exact
        if np.isinf(nearest[lane]):
            return float(nearest[lane])
        return Fraction(nearest[lane].item()) - exact(*(Fraction(value.item()) for value in values))

    return of


def _operation(dtype: np.dtype, name: str, mode: str):
    nearest_of, exact = OPERATIONS[name]

    def run(env: Env, mask: Mask, place: Place, *values):
        operands = [cast(value, dtype) for value in values]
        nearest = nearest_of(*operands)
        return nearest if mode == "rn" else _corrected(nearest, _difference(nearest, operands, exact), mode)

    return run


def _root(dtype: np.dtype, mode: str):
    def run(env: Env, mask: Mask, place: Place, value: Value):
        value = cast(value, dtype)
        nearest = np.sqrt(value)
        if mode == "rn":
            return nearest
        squares, roots = np.ravel(value), np.ravel(nearest)

        def difference(lane: int):
            return (
                Fraction(float(roots[lane])) ** 2 - Fraction(float(squares[lane])) if np.isfinite(roots[lane]) else 0.0
            )

        return _corrected(nearest, difference, mode)

    return run


def to_integer_by(source: np.dtype, target: np.dtype, mode: str):
    """Rounded, then held to the range; NaN becomes 0."""
    limits = np.iinfo(target)

    def run(env: Env, mask: Mask, place: Place, value: Value):
        rounded = ROUND[mode](cast(value, source).astype(F64))
        inside = (rounded >= float(limits.min)) & (rounded < float(limits.max) + 1)
        held = np.where(rounded < 0, limits.min, limits.max)
        result = np.where(inside, np.where(inside, rounded, 0).astype(target), held.astype(target))
        return np.where(np.isnan(rounded), target.type(0), result)[()].astype(target)

    return run


def _to_float(source: np.dtype, target: np.dtype, mode: str):
    def run(env: Env, mask: Mask, place: Place, value: Value):
        value = cast(value, source)
        nearest = value.astype(target)
        return nearest if mode == "rn" else _corrected(nearest, _difference(nearest, [value], lambda a: a), mode)

    return run


def table() -> dict:
    """Name in libdevice -> f(env, mask, place, *values)."""
    found: dict[str, Callable] = {}
    for mode in ROUND:
        for letter, dtype in (("d", F64), ("f", F32)):
            found |= {f"{letter}{name}_{mode}": _operation(dtype, name, mode) for name in OPERATIONS}
            found[f"{letter}sqrt_{mode}"] = _root(dtype, mode)
        for name, dtype in FLOATS.items():
            found |= {f"{name}2{to}_{mode}": to_integer_by(dtype, target, mode) for to, target in INTEGERS.items()}
            for of, source in INTEGERS.items():
                if mode == "rn" or source.itemsize == 8 or dtype == F32:  # the others are exact
                    found[f"{of}2{name}_{mode}"] = _to_float(source, dtype, mode)
        found[f"double2float_{mode}"] = _to_float(F64, F32, mode)
    return {name: function for name, function in found.items() if not name.startswith("dsub")}  # it has no such
