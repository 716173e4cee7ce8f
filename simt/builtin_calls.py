"""Python's built-in functions, as far as numba compiles them."""

from __future__ import annotations

import numpy as np

from .arrays import Array
from .memory import load
from .numba_rules import F64, I64, cast, minmax_dtype
from .operators import binary
from .values import is_lane, truth


def _choose(better):
    """min or max. better(candidate, best) -> where the candidate wins; NaN never does, as in numba."""

    def run(env, mask, *values):
        best, *others = values[0] if len(values) == 1 else values
        for candidate in others:
            dtype = minmax_dtype(best.dtype, candidate.dtype)
            best, candidate = cast(best, dtype), cast(candidate, dtype)
            best = np.where(better(candidate, best), candidate, best)[()]
        return best

    return run


def _len(env, mask, value):
    if isinstance(value, tuple):
        return np.int64(len(value))
    return value.shape[0] if is_lane(value.shape[0]) else np.int64(value.shape[0])


def _int(env, mask, value):
    if value.dtype.kind == "f":
        return cast(np.trunc(value), I64)
    return cast(value, I64) if value.dtype.kind == "b" else value


def _float(env, mask, value):
    return value if value.dtype.kind == "f" else cast(value, F64)


def _bool(env, mask, value):
    holds = truth(value)
    return holds if is_lane(holds) else np.bool_(holds)


def _round(env, mask, value, digits=None):
    if digits is None:
        return cast(np.rint(value), I64)
    scale = 10.0 ** digits.astype(F64)
    return np.where(digits == 0, np.rint(value), np.rint(value.astype(F64) * scale) / scale).astype(value.dtype)[()]


def _items(env, mask, sequence) -> tuple:
    """The elements of a tuple or of an array."""
    if isinstance(sequence, Array):
        place = None
        return tuple(load(env, mask, sequence, np.int64(position), place) for position in range(int(sequence.shape[0])))
    return tuple(sequence)


def _print(env, mask, *values, **options):
    for lane in range(env.width) if mask.bits is None else mask.index:
        print(*(value[lane] if is_lane(value) else value for value in values))


CALLS = {
    tuple: lambda env, mask, sequence=(): _items(env, mask, sequence),
    len: _len,
    min: _choose(lambda candidate, best: candidate < best),
    max: _choose(lambda candidate, best: candidate > best),
    abs: lambda env, mask, value: np.abs(value),
    int: _int,
    float: _float,
    bool: _bool,
    round: _round,
    pow: lambda env, mask, base, exponent: binary("**", base, exponent),
    divmod: lambda env, mask, left, right: (binary("//", left, right), binary("%", left, right)),
    complex: lambda env, mask, real, imag=np.float64(0): real + 1j * imag,
    enumerate: lambda env, mask, sequence, start=np.int64(0): tuple(
        (np.int64(position) + start, item) for position, item in enumerate(_items(env, mask, sequence))
    ),
    zip: lambda env, mask, *sequences: tuple(zip(*(_items(env, mask, sequence) for sequence in sequences))),
    range: lambda env, mask, *bounds: tuple(np.int64(value) for value in range(*(int(bound) for bound in bounds))),
    print: _print,
}
