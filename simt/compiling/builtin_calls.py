"""Python's built-in functions, as far as numba compiles them."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from simt.compiling.attributes import attribute_of, part_of
from simt.compiling.comparisons import compare, compare_in
from simt.compiling.printing import print_values
from simt.compiling.whole_arrays import FUNCTIONS, best_of_array, chosen, elements
from simt.errors import UnsupportedError
from simt.memory.access import load
from simt.memory.arrays import Array
from simt.memory.ranges import Range, ranged
from simt.memory.sequences import Elements
from simt.memory.slices import uniform_shape
from simt.memory.walks import ITERATED
from simt.numerics.limits import LIMITS
from simt.numerics.mathematics import apply_ufunc, make_complex
from simt.numerics.operators import binary
from simt.refusals import language, ranges
from simt.source.recognise import dtype_of
from simt.values import is_lane, number, truth
from simt.values.bfloat16 import is_bfloat16
from simt.values.conversions import to_integer
from simt.values.numba_rules import C128, F32, F64, I64, U64, cast, minmax_dtype, rounded_dtype
from simt.values.vectors import Parts

if TYPE_CHECKING:
    from simt.lanes.masks import Env, Mask
    from simt.source.sites import Place
    from simt.values import Value


MOST_PLACES = 22  # of `round`: 10 to the power of more is no exact float64


def _choose(better, of_floats) -> Callable:
    """min or max. better(candidate, best) -> where the candidate wins; NaN never does, as in numba.

    of_floats: what the hardware's instruction gives, to which numba leaves float32 and float64.
    """

    def run(env: Env, mask: Mask, first, *more):
        if isinstance(first, Range) and not more:
            return first.end(mask, better(1, 0))
        best, *others = map(number, (first, *more) if more else first)
        for candidate in others:
            dtype = minmax_dtype(best.dtype, candidate.dtype)
            if best.dtype in (F32, F64) and candidate.dtype in (F32, F64):
                best = of_floats(cast(best, dtype), cast(candidate, dtype))
                continue
            best, candidate = cast(best, dtype), cast(candidate, dtype)
            best = np.where(better(candidate, best), candidate, best)[()]
        return best

    return run


def _add_up(env: Env, mask: Mask, place: Place, sequence, start=None):
    """Python's sum: starts with the integer 0, and the type widens as it goes."""
    total = np.int64(0) if start is None else start
    if isinstance(sequence, Array) and sequence.ndim == 1:
        items = elements(env, mask, sequence, place)
    elif isinstance(sequence, tuple):
        items = iter((item, None) for item in sequence)
    elif isinstance(sequence, Range):
        items = sequence.each(mask, env)
    else:
        raise UnsupportedError("`sum` goes over a range, a tuple or an array of one dimension: write the loop")
    for value, within in items:
        more = binary("+", total, value)
        total = more if within is None else chosen(within, more, total)
    return total


def _greatest(left, right):
    """A number beats NaN, and 0.0 beats -0.0."""
    return np.where((left == 0) & (right == 0), left + right, np.fmax(left, right))[()]


def _least(left, right):
    """A number beats NaN, and -0.0 beats 0.0."""
    return -_greatest(-left, -right)


def _len(env: Env, mask: Mask, value: Value):
    if isinstance(value, Parts):
        raise value.refused("has no length")
    if isinstance(value, (tuple, str)):
        return np.int64(len(value))
    if isinstance(value, Range):
        return value.extent
    return value.shape[0] if is_lane(value.shape[0]) else np.int64(value.shape[0])


def _int(env: Env, mask: Mask, value: Value):
    return cast(value, I64) if value.dtype.kind in "bf" else value


def _float(env: Env, mask: Mask, value: Value):
    """A number, or text that says one, such as "inf"."""
    if isinstance(value, str):
        try:
            return np.float64(float(value))
        except ValueError:
            raise UnsupportedError(language.no_number_in(value)) from None
    return value if value.dtype.kind == "f" else cast(value, F64)


def _ord(env: Env, mask: Mask, letter: Value):
    """The code of a letter that the source names."""
    if not isinstance(letter, str) or len(letter) != 1:
        raise UnsupportedError(language.no_letter())
    return np.int64(ord(letter))


def _bool(env: Env, mask: Mask, value: Value):
    holds = truth(value)
    return holds if is_lane(holds) else np.bool_(holds)


def _complex(env: Env, mask: Mask, real, imag=None):
    real = real if real.dtype.kind in "fc" else cast(real, F64)
    if real.dtype.kind == "c":
        return real
    return make_complex(real, real.dtype.type(0) if imag is None else imag)


def _round(env: Env, mask: Mask, value: Value, digits=None):
    """To the nearest, and to the even one of two; by way of int64, which holds what is too large and loses -0.0."""
    if digits is None:
        return to_integer(cast(value, F64), I64, np.rint)
    wide = cast(value, F64)
    places, few = np.abs(digits), np.minimum(np.abs(digits), MOST_PLACES)
    scale, more = np.float64(10.0) ** few, np.float64(10.0) ** (places - few)
    scaled = np.where(digits < 0, wide / (scale * more), wide * scale * more)
    whole = _by_integer(scaled)
    whole = np.where(np.abs(scaled - whole) == 0.5, 2 * _by_integer(scaled / 2), whole)
    rounded = np.where(digits < 0, whole * (scale * more), whole / more / scale)
    kept = ~np.isfinite(wide) | ~np.isfinite(scaled)
    return np.where(kept, wide, rounded).astype(rounded_dtype(value.dtype))[()]


def _by_integer(value: Value):
    return to_integer(value, I64, np.rint).astype(F64)


def _items(env: Env, mask: Mask, place: Place, sequence=()) -> tuple:
    """The elements of a tuple or of an array."""
    if isinstance(sequence, Parts):
        raise sequence.refused("is no sequence")
    if isinstance(sequence, Range):
        raise UnsupportedError(ranges.made_a_tuple())
    if isinstance(sequence, Elements):
        return sequence.all(env, mask)
    if isinstance(sequence, Array):
        extent = int(uniform_shape(sequence)[0])
        return tuple(load(env, mask, sequence, np.int64(position), place) for position in range(extent))
    return tuple(sequence)


def _ndindex(env: Env, mask: Mask, *shape):
    extents = shape[0] if len(shape) == 1 and isinstance(shape[0], tuple) else shape
    if any(is_lane(extent) for extent in extents):
        raise UnsupportedError("`np.ndindex` goes over a shape that is the same in every thread: write loops of range")
    return tuple(tuple(map(np.int64, index)) for index in np.ndindex(*(max(int(extent), 0) for extent in extents)))


def _pow(env: Env, mask: Mask, base, exponent, modulus=None):
    if modulus is not None:
        raise UnsupportedError("`pow` takes two numbers in a kernel: write pow(a, b) % c")
    return binary("**", base, exponent)


def _divmod(env: Env, mask: Mask, left, right):
    """Both in one; a signed integer and a uint64 are floats to it."""
    if {left.dtype.kind, right.dtype.kind} == {"i", "u"} and U64 in (left.dtype, right.dtype):
        left, right = cast(left, F64), cast(right, F64)
    return binary("//", left, right), binary("%", left, right)


def _type(env: Env, mask: Mask, value: Value):
    if not hasattr(value, "dtype") or isinstance(value, Array):
        raise UnsupportedError("`type()` asks for a number here: a kernel cannot make anything else")
    return value.dtype.type


def _isinstance(env: Env, mask: Mask, value: Value, kinds):
    """Whether a value has exactly one of some types: `int` is int64 and `float` is float64, as in numba."""
    return np.bool_(any(_is_of(value, kind) for kind in (kinds if isinstance(kinds, tuple) else (kinds,))))


def _is_of(value: Value, kind) -> bool:
    if not hasattr(value, "dtype") and not isinstance(value, (tuple, str, type(None))):
        raise UnsupportedError(
            f"`isinstance` does not know the type {type(value).__name__}: numba knows numbers and tuples"
        )
    if kind is tuple:
        return isinstance(value, tuple)
    if kind in (list, set, dict):
        raise UnsupportedError(f"a kernel has no {kind.__name__}: ask for numbers or tuples")
    if isinstance(value, Array):
        return False
    return hasattr(value, "dtype") and value.dtype == (C128 if kind is complex else dtype_of(kind))


def _absolute(env: Env, mask: Mask, value: Value):
    value = number(value)
    value = value.astype(np.float32) if is_bfloat16(value.dtype) else value
    return np.abs(value) if value.dtype.kind != "b" else value.astype(np.int8)


def _angle(env: Env, mask: Mask, z: Value, deg: Value = None):
    """The angle of a number in the complex plane, in degrees where `deg` says so; then it is a float64."""
    radians = apply_ufunc(np.arctan2, [part_of(z, "imag"), part_of(z, "real")])
    if deg is None:
        return radians
    in_degrees = truth(deg)
    scaled = binary("*", radians, np.float64(180 / np.pi))
    return np.where(in_degrees, scaled, radians)[()]


def _asarray(env: Env, mask: Mask, value: Value):
    """Of an array, which it is already."""
    if not isinstance(value, Array):
        raise UnsupportedError("np.asarray makes no array on the GPU: give it one")
    return value


def _part(env: Env, mask: Mask, place: Place, value: Value, name: str):
    """The real or the imaginary part of a number, or of each element of an array."""
    if isinstance(value, Array):
        return attribute_of(env, mask, value, name, place)
    return part_of(value, name)


def _sinc(env: Env, mask: Mask, value: Value):
    """sin(pi x) / (pi x), and 1 at 0: in float64."""
    value = cast(value, C128 if value.dtype.kind == "c" else F64)
    scaled = np.where(value == 0, 1e-20, value)[()] * np.pi
    return np.sin(scaled) / scaled


def _is_complex(value: Value) -> bool:
    return hasattr(value, "dtype") and value.dtype.kind == "c"


CALLS: dict[Any, Callable] = {
    len: _len,
    min: _choose(operator.lt, _least),
    max: _choose(operator.gt, _greatest),
    abs: _absolute,
    int: _int,
    float: _float,
    ord: _ord,
    bool: _bool,
    round: _round,
    pow: _pow,
    divmod: _divmod,
    complex: _complex,
    np.ndindex: _ndindex,
    np.shape: lambda env, mask, array: tuple(np.int64(extent) for extent in uniform_shape(array)),
    slice: lambda env, mask, *bounds: slice(*bounds),
    np.asarray: _asarray,
    np.angle: _angle,
    np.dtype: lambda env, mask, kind: dtype_of(kind),
    np.size: lambda env, mask, array: np.int64(np.prod(uniform_shape(array))),
    type: _type,
    range: ranged,
    isinstance: _isinstance,
    print: print_values,
    np.sinc: _sinc,
    np.isscalar: lambda env, mask, value: np.bool_(isinstance(value, (np.generic, np.ndarray, str))),
    np.iscomplexobj: lambda env, mask, value: np.bool_(_is_complex(value)),
    np.isrealobj: lambda env, mask, value: np.bool_(not _is_complex(value)),
    operator.is_: lambda env, mask, left, right: compare(ast.Is, left, right),
    operator.is_not: lambda env, mask, left, right: compare(ast.IsNot, left, right),
    breakpoint: lambda env, mask: None,  # stops in a debugger, and none is attached
    **LIMITS,
}
# Calls that load elements, so that they are told where they stand: f(env, mask, place, *values)
PLACED_CALLS = {
    **FUNCTIONS,
    sum: _add_up,
    min: best_of_array(operator.lt, CALLS[min]),
    max: best_of_array(operator.gt, CALLS[max]),
    tuple: _items,
    **ITERATED,
    operator.contains: lambda env, mask, place, values, one: compare_in(env, mask, place, one, values),
    operator.getitem: lambda env, mask, place, array, index: load(env, mask, array, index, place),
    np.real: lambda env, mask, place, value: _part(env, mask, place, value, "real"),
    np.imag: lambda env, mask, place, value: _part(env, mask, place, value, "imag"),
}
