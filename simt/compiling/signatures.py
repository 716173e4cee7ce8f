"""Explicit signatures, as in ``@cuda.jit("void(float32[:], int32)")``: they choose and convert the arguments.

Among several, numba looks for the one that fits. A kernel with a single one is called without looking: an integer must
be an integer then, and the memory of an array is taken for what is declared. What a signature says in a way that is not
read here (tuples, records, other types of numba) takes any argument.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import accumulate
from operator import mul
from typing import TYPE_CHECKING

import numpy as np

from simt.errors import KernelTypeError, UnsupportedError
from simt.memory.arrays import Array
from simt.refusals import Refusal
from simt.source.recognise import NUMBER_NAMES, dtype_of, is_numba_type
from simt.values import is_lane
from simt.values.castings import EXACT, PROMOTE, SAFE, UNSAFE, rating
from simt.values.numba_rules import cast

if TYPE_CHECKING:
    from simt.closures import Run
    from simt.lanes.masks import Env, Mask
    from simt.values import Value

ARRAY = re.compile(r"^(\w+)\s*\[(.*)\]$")  # "float32[:, ::1]"
ORDERS = {"C": "", "F": " in Fortran's order", "A": " with gaps"}  # words for layouts
AXES = re.compile(r"^:(:1)?(,:(:1)?)*$")


@dataclass(frozen=True)
class Declared:
    """The declared type of one argument. ndim: 0 for a scalar; layout: "C", "F" or, for any strides, "A"."""

    dtype: np.dtype
    ndim: int = 0
    layout: str = "A"

    def __str__(self) -> str:
        axes = [":"] * self.ndim
        if axes and self.layout != "A":
            axes[-1 if self.layout == "C" else 0] = "::1"
        return f"{self.dtype}[{', '.join(axes)}]" if axes else str(self.dtype)


@dataclass(frozen=True)
class Signature:
    """arguments: None where any type will do; returns: type of the result, None where it is not said or no scalar."""

    arguments: tuple[Declared | None, ...]
    returns: np.dtype | None = None

    def __str__(self) -> str:
        return f"({', '.join('any' if one is None else str(one) for one in self.arguments)})"

    def distance(self, values) -> tuple[int, int, int] | None:
        """(unsafe conversions, safe ones, promotions) that these values need; None where they cannot be converted."""
        counts = [0] * 4
        for value, declared in zip(values, self.arguments, strict=False):
            if declared is None:
                continue
            if not hasattr(value, "dtype") or not _converts(value, declared):
                return None
            code = _rating(value, declared)
            if code is None:
                return None
            counts[code] += 1
        return counts[UNSAFE], counts[SAFE], counts[PROMOTE]

    def convert(self, values) -> list:
        """The values in the declared types."""
        declared = [*self.arguments, *[None] * (len(values) - len(self.arguments))]
        return [
            value if one is None or one.ndim else cast(value, one.dtype)
            for value, one in zip(values, declared, strict=False)
        ]


def _rating(value: Value, declared: Declared) -> int | None:
    if isinstance(value, Array):
        return EXACT if declared.layout == _layout(value) else SAFE
    return rating(value.dtype, declared.dtype)


def _layout(array: Array) -> str:
    """ "C" or "F" for an array without gaps in this order, as numba names it; "A" for any other."""
    extents = [(extent, stride) for extent, stride in zip(array.shape, array.strides, strict=True) if extent != 1]
    for layout, order in (("C", extents[::-1]), ("F", extents)):
        steps = accumulate((extent for extent, _ in order), mul, initial=1)
        if all(stride == step for (_, stride), step in zip(order, steps, strict=False)):
            return layout
    return "A" if 0 not in array.shape else "C"


def _fits(array: Array, declared: Declared) -> bool:
    """Whether the strides of an array are those that are declared; of one axis without gaps, in either order."""
    layout = _layout(array)
    return declared.layout in ("A", layout) or (array.ndim == 1 and layout == "C")


def _converts(value: Value, declared: Declared) -> bool:
    if isinstance(value, Array):
        return declared.ndim == value.ndim and declared.dtype == value.dtype and _fits(value, declared)
    if declared.ndim or not (isinstance(value, np.generic) or is_lane(value)):
        return False
    return value.dtype.kind != "c" or declared.dtype.kind == "c"


def read_signatures(declared) -> tuple[Signature, ...]:
    """The signatures a kernel was jitted with: a string, a numba signature, a tuple of types, or a list of these."""
    if declared is None:
        return ()
    return tuple(_signature(one) for one in (declared if isinstance(declared, list) else [declared]))


def kernel_arguments(declared, values: list, name: str) -> list:
    """The arguments of a kernel as its signatures convert them. Raises KernelTypeError when they cannot."""
    signatures = read_signatures(declared)
    if not signatures:
        return values
    if len(signatures) > 1:
        return choose(signatures, values, name, only_one=True).convert(values)
    wanted = [*signatures[0].arguments, *[None] * len(values)]
    taken = [value if one is None else _taken(value, one) for value, one in zip(values, wanted, strict=False)]
    if any(value is None for value in taken):
        raise _refused(signatures, values, name)
    return taken


def _taken(value: Value, declared: Declared):
    """An argument of a kernel with one signature; None where the launch fails, or would read past the array."""
    if isinstance(value, Array):
        same_size = declared.dtype.itemsize == value.dtype.itemsize
        if declared.ndim != value.ndim or not same_size or not _fits(value, declared):
            return None
        return (
            value
            if declared.dtype == value.dtype
            else value.retyped(value.flat.view(declared.dtype), 1, 0, str(declared.dtype))
        )
    if not _converts(value, declared) or (declared.dtype.kind in "iu" and value.dtype.kind == "f"):
        return None
    return cast(value, declared.dtype)


def choose(signatures: tuple[Signature, ...], values, name: str, only_one: bool = False) -> Signature:
    """The signature that needs the fewest unsafe conversions. Raises KernelTypeError when none takes the values.

    only_one: raise, too, where several take them equally well.
    """
    distances = [(distance, one) for one in signatures if (distance := one.distance(values)) is not None]
    if not distances:
        raise _refused(signatures, values, name)
    nearest = min(distance for distance, _ in distances)
    found = [one for distance, one in distances if distance == nearest]
    if only_one and len(set(found)) > 1:
        raise _ambiguous(found, values, name)
    return found[0]


def _ambiguous(signatures: list[Signature], values, name: str) -> KernelTypeError:
    declared, given = " and ".join(map(str, signatures)), ", ".join(map(_described, values))
    return KernelTypeError(
        Refusal(
            "signature",
            f"two signatures of {name} take ({given}) equally well, {declared}, so numba launches neither",
            "Pass exactly the types of one, as in np.float32(x), or leave the signatures out.",
        ),
        name,
    )


def _refused(signatures: tuple[Signature, ...], values, name: str) -> KernelTypeError:
    declared, given = " or ".join(map(str, signatures)), ", ".join(map(_described, values))
    says = f"the signature of {name} is {declared}, but it was called with ({given})"
    remedy = "Pass these types, or leave the signature out: @cuda.jit alone compiles for what comes."
    if (found := _other_order(signatures[0], values)) is not None:
        value, wanted = found
        any_order = Declared(wanted.dtype, wanted.ndim)
        if len(signatures) == 1:
            says += (
                "; numba does not compare the order of elements with the one signature there is, and the kernel would "
                "take others than meant"
            )
        remedy = f"Declare {any_order}, which takes any order, or pass a copy without gaps in the order of {wanted}."
    return KernelTypeError(Refusal("signature", says, remedy), name)


def _other_order(signature: Signature, values) -> tuple[Array, Declared] | None:
    """The first array that has the declared type and other strides than declared."""
    pairs = zip(values, signature.arguments, strict=False)
    arrays = ((value, one) for value, one in pairs if isinstance(value, Array) and one is not None)
    alike = ((value, one) for value, one in arrays if (value.ndim, value.dtype) == (one.ndim, one.dtype))
    return next(((value, one) for value, one in alike if not _fits(value, one)), None)


def converting(call, declared, name: str) -> Run:
    """A device function's call, with arguments and result converted as its signature declares."""
    signatures = read_signatures(declared)
    if not signatures:
        return call

    def run(env: Env, mask: Mask, *values, **keywords):
        chosen = choose(signatures, values, name)
        result = call(env, mask, *chosen.convert(values), **keywords)
        return result if chosen.returns is None or result is None else cast(result, chosen.returns)

    return run


def _described(value: Value) -> str:
    if isinstance(value, Array):
        return f"{Declared(value.dtype, value.ndim)}{ORDERS[_layout(value)]}"
    return str(value.dtype) if hasattr(value, "dtype") else type(value).__name__


def _signature(one) -> Signature:
    if isinstance(one, str):
        before, bracket, inside = one.partition("(")
        inside = inside[: inside.rindex(")")] if bracket else one
        return Signature(tuple(_named(part.strip()) for part in _split(inside)), _scalar_name(before.strip()))
    types = getattr(one, "args", one)
    returns = _typed(getattr(one, "return_type", None))
    types = types if isinstance(types, tuple) else (types,)
    return Signature(tuple(map(_typed, types)), None if returns is None or returns.ndim else returns.dtype)


def _split(text: str) -> list[str]:
    """Split at commas outside brackets: "float32[:, :], int32" has two parts."""
    return re.split(r",(?![^\[(]*[\])])", text) if text.strip() else []


def _scalar_name(name: str) -> np.dtype | None:
    return np.dtype(NUMBER_NAMES[name]) if name in NUMBER_NAMES else None


def _named(text: str) -> Declared | None:
    """A type by its name, as in "float32" and "int32[:, :]"."""
    array = ARRAY.match(text)
    axes = array[2].replace(" ", "") if array else ""
    dtype = _scalar_name(array[1] if array else text)
    if dtype is None or (array and not AXES.match(axes)):
        return None
    return Declared(dtype, axes.count(",") + 1 if array else 0, _declared_layout(axes))


def _declared_layout(axes: str) -> str:
    """axes: as in ":,::1"."""
    if axes.rpartition(",")[2] == "::1":
        return "C"
    return "F" if axes.startswith("::1") else "A"


def _typed(one) -> Declared | None:
    """A type of numba or NumPy."""
    if type(one).__name__ == "CPointer":
        raise UnsupportedError(f"the signature takes a pointer, {one}, and no memory of a GPU is here: pass the array")
    if is_numba_type(one):
        ndim, element = getattr(one, "ndim", 0), getattr(one, "dtype", None)
        if ndim and is_numba_type(element):
            dtype = _scalar_name(element.name)
            return None if dtype is None else Declared(dtype, ndim, getattr(one, "layout", "A"))
        return _named(one.name)
    if isinstance(one, type) and issubclass(one, np.generic):
        return Declared(dtype_of(one))
    return None
