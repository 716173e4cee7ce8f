"""What a launch is handed and numba takes for no argument: arrays of odd types, and what is no array and no number."""

from __future__ import annotations

from types import FunctionType

import numpy as np

from simt.refusals import Refusal

WIDEST = {"f": 8, "c": 16}  # bytes of the widest float and complex number that a kernel knows


def refused_array(array: np.ndarray, name: str) -> Refusal | None:
    """Why numba takes no such array; None where it does. name: of the parameter."""
    if isinstance(array, np.ma.MaskedArray):
        return Refusal("argument_type", f"`{name}` is a masked array, and numba takes none.", "Pass its data and mask.")
    found = next((dtype for dtype in _parts(array.dtype) if _is_odd(dtype)), None)
    if found is None:
        return None
    if found.kind == "O":
        says = f"`{name}` holds Python objects (dtype object), and a GPU has none."
        return Refusal("argument_type", says, "Convert it to numbers, as in x.astype(np.float32).")
    if not found.isnative:
        says = f"`{name}` is of type {found.str}: its bytes are in another order than this machine's."
        return Refusal("argument_type", says, "Convert it: x.astype(x.dtype.newbyteorder('=')).")
    return Refusal("argument_type", f"`{name}` is of type {found}, which no GPU has.", "Convert it to float64.")


def _parts(dtype: np.dtype) -> list[np.dtype]:
    """A type, or those of the fields of a record."""
    if dtype.subdtype:
        return _parts(dtype.subdtype[0])
    if dtype.names:
        return [part for name in dtype.names for part in _parts(dtype.fields[name][0])]
    return [dtype]


def _is_odd(dtype: np.dtype) -> bool:
    return dtype.kind == "O" or not dtype.isnative or dtype.kind in WIDEST and dtype.itemsize > WIDEST[dtype.kind]


def neither(argument: object, name: str) -> Refusal:
    """An argument that is neither an array nor a number."""
    says = f"`{name}` is of type {type(argument).__name__}: a kernel takes arrays and scalars"
    return Refusal("argument_type", f"{says}.", INSTEAD.get(type(argument), "Make an array of it, with np.array(...)."))


INSTEAD = {
    str: "Pass a number in its place, such as 0 and 1 for two modes, or make one kernel for each mode.",
    dict: "Pass each of its values as an argument of its own, or a record of them: "
    "np.array([(2.0, 3)], dtype=[('a', np.float32), ('b', np.int32)])[0].",
    type(None): "Pass an empty array of the type that is meant, or a number that says that there is none.",
    FunctionType: "Compile it with @cuda.jit(device=True), and let the kernel find it by its name.",
}
