"""Numbers that an operation does not take: complex ones in an order, bounds of a range that are none, halves as
conditions."""

from __future__ import annotations

import re
from enum import IntEnum

from simt.refusals import Refusal

ORDER_NAMES = {"<": "lt", "<=": "le", ">": "gt", ">=": "ge"}


def member_as_float(member: IntEnum, dtype: str) -> Refusal:
    """dtype: of the float or complex number that it meets, or is to become."""
    written = f"{type(member).__name__}.{member.name}"
    says = f"{written} is an integer for numba, which makes no {dtype} of it."
    return Refusal("wrong_types", says, f"Take its number, as in {written}.value.")


def too_large(value: int) -> Refusal:
    """value: an integer that 64 bits do not hold."""
    shown = f"{value:,}" if abs(value) < 10**40 else f"of {len(str(abs(value)))} digits"
    says = f"The integer {shown} is too large: a GPU's have 64 bits."
    return Refusal("wrong_types", says, "Write it as a float, as in 1e20, or keep its parts in two integers.")


def no_order(symbol: str, left: str, right: str) -> Refusal:
    """A complex number before `symbol`, or after it: `<` and its kind. left, right: types in numba's words."""
    name = ORDER_NAMES[symbol]
    says = f"The GPU has no `{name}` for these types: {name}({left}, {right})."
    return Refusal("wrong_types", says, "Complex numbers have no order: compare abs(z), z.real or z.imag.")


def no_operator(symbol: str, left: str, right: str) -> Refusal:
    """left, right: kinds of values, as in "int64" and "tuple", that `symbol` does not go between."""
    says = f"`{symbol}` needs a number on each side, and it stands between {left} and {right} here."
    remedy = "Take one value of the tuple, as in x.shape[0]." if "tuple" in (left, right) else "Work on single numbers."
    if "Dim3" in (left, right):
        says = f"cuda.threadIdx, blockIdx, blockDim and gridDim have three parts, and `{symbol}` needs a number."
        remedy = "Take one of them, as in cuda.threadIdx.x; of the whole grid, cuda.grid(1)."
    return Refusal("wrong_types", says, remedy)


def of_complex(name: str, dtype: str) -> Refusal:
    """name: "sqrt", a function of `math` that is given a complex number of type `dtype`."""
    says = f"The GPU has no `{name}` for these types: {name}({dtype})."
    return Refusal("wrong_types", says, f"Write cmath.{name}(z), or give it z.real, z.imag or abs(z).")


def complex_for_real(dtype: str) -> Refusal:
    """dtype: what a complex number would have to become, as in "int64"."""
    says = f"A complex number stands where {dtype} is needed."
    return Refusal("wrong_types", says, "Take z.real, z.imag or abs(z).")


def no_bound(value: object) -> Refusal:
    """A bound of `range` that is no number."""
    if hasattr(value, "ndim") and hasattr(value, "strides"):
        return bound_is_array()
    what, remedy = "no number", "Give it numbers, as in range(n)."
    if isinstance(value, tuple):
        what, remedy = "a tuple", "Take one of its values, as in x.shape[0]."
    return Refusal("no_bound", f"`range` counts to a number, and what it is given here is {what}.", remedy)


def bound_is_array() -> Refusal:
    """`range(x)`."""
    says = "`range` counts to a number, and what it is given here is an array."
    return Refusal("no_bound", says, "Give its length, as in range(x.size), or go over its values: for value in x.")


def half_for_condition(kind: str = "float16") -> Refusal:
    """`if h[i]:`, of an array of float16 or bfloat16."""
    says = f"A {kind} stands where a condition belongs, and numba-cuda cannot make a bool of one."
    return Refusal("half_for_condition", says, "Compare it, as in `if h[i] != 0:`.")


def half_for_numpy(text: str) -> Refusal:
    """text: "np.sin(h[i])", of a float16."""
    says = f"`{text}` is given a float16, and numba-cuda compiles NumPy's functions for none."
    return Refusal("half_for_numpy", says, "Convert it, as in np.sin(float32(h[i])), or use math.sin.")


def mixed_index(cell: str) -> Refusal:
    """cell: "a[k]", whose index became a float64 though nothing divides."""
    index = cell.partition("[")[2].removesuffix("]")
    if re.fullmatch(r"\w+\[[^\[\]]*\]", index):
        says = f"An index of `{cell}` is a float64, and arrays are indexed by integers. `{index}` is a float."
        return Refusal("index_type", says, f"Make {index.partition('[')[0]} an array of integers, with dtype=np.int64.")
    return Refusal(
        "index_type",
        f"An index of `{cell}` is a float64, and arrays are indexed by integers. Nothing divides here: where signed "
        "and unsigned integers of 64 bits meet, in one variable or in one operation, numba makes a float64 of both.",
        "Convert one of them where it comes from, as in k = np.int64(where[i]).",
    )
