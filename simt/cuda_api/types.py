"""numba's types where numba is absent: ``float32``, ``float32[:, ::1]``, ``void(float32[:], int32)``."""

from __future__ import annotations

from typing import Any

import numpy as np

from simt.source.recognise import NUMBER_NAMES
from simt.values.bfloat16 import NUMBA_NAME, bfloat16


class Type:
    """A type that kernels and signatures can name. Types of one name are equal."""

    def __init__(self, name: str):
        self.name = name

    def __eq__(self, other) -> bool:
        return isinstance(other, Type) and self.name == other.name

    def __hash__(self) -> int:
        return hash(self.name)

    def __repr__(self) -> str:
        return self.name

    def __call__(self, *arguments: Any) -> Any:
        """``void(float32[:], int32)``: the signature of a function that returns this type."""
        return Signature(self, arguments)


class Number(Type):
    """A scalar type. dtype: what NumPy calls it."""

    def __init__(self, dtype: np.dtype):
        super().__init__(dtype.name)
        self.dtype = dtype

    def __getitem__(self, axes) -> Array:
        """An array type, one slice a dimension: ``[:, ::1]`` C order, ``[::1, :]`` Fortran's, ``[:, :]`` any."""
        axes = axes if isinstance(axes, tuple) else (axes,)
        if not all(isinstance(axis, slice) for axis in axes):
            raise TypeError(
                f"{self.name}[...] takes one slice a dimension, as in {self.name}[:] or {self.name}[:, ::1]."
            )
        layout = "C" if axes[-1].step == 1 else "F" if axes[0].step == 1 else "A"
        return Array(self, len(axes), layout)

    def __call__(self, *arguments):
        """A NumPy scalar of this type, as in ``float32(1)``; of types, the signature of a function that returns it."""
        if len(arguments) == 1 and not isinstance(arguments[0], Type):
            return np.asarray(arguments[0]).astype(self.dtype)[()]
        return super().__call__(*arguments)


class BFloat16(Number):
    """numba.cuda.bf16's type, over that of `ml_dtypes`, which is asked for when it is used."""

    def __init__(self) -> None:
        Type.__init__(self, NUMBA_NAME)

    def __getattr__(self, name: str) -> np.dtype:
        if name != "dtype":
            raise AttributeError(name)
        return bfloat16()


class Array(Type):
    """An array of numbers: ``Array(float32, 2, "C")``. layout: "C", "F" or "A" for any strides."""

    def __init__(self, dtype: Number, ndim: int, layout: str, readonly: bool = False, aligned: bool = True):
        super().__init__(f"array({dtype.name}, {ndim}d, {layout})")
        self.dtype, self.ndim, self.layout = dtype, ndim, layout


class Record(Type):
    """Structured elements. dtype: the structured NumPy dtype."""

    def __init__(self, dtype: np.dtype):
        super().__init__(f"Record({dtype.descr})")
        self.dtype = dtype


class Signature:
    """A return type and argument types."""

    def __init__(self, return_type: Type, args: tuple[Type, ...]):
        self.return_type, self.args = return_type, tuple(args)

    def __repr__(self) -> str:
        return f"{self.args} -> {self.return_type}"


def from_dtype(dtype) -> Type:
    """The type of a NumPy dtype. Raises TypeError for one that no kernel can hold."""
    dtype = np.dtype(dtype)
    if dtype.names:
        return Record(dtype)
    if dtype.name not in NUMBER_NAMES:
        raise TypeError(f"{dtype} is no element type of a kernel. Use a number type such as float32 or int32.")
    return _numbers[dtype.name]


_numbers = {name: Number(np.dtype(name)) for name in sorted(set(NUMBER_NAMES.values()))}
NAMES: dict[str, Type] = {name: _numbers[dtype] for name, dtype in NUMBER_NAMES.items()}
NAMES |= {"void": Type("none"), "none": Type("none")}
globals().update(NAMES)
