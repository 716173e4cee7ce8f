"""How a kernel is passed its arguments, as bytes: what the judge writes down and the launcher fills in.

By numba-cuda an array of n dimensions is 5 + 2n words: two that are 0, elements, bytes of an element, address, shape
and strides. By numba-cuda-mlir it is 3 + 2n: the address twice, 0, shape, and strides in elements. A number is itself,
a complex one its two parts. Source: numba-cuda's dispatcher, `_prepare_args`; MLIR, "Ranked MemRef Types" as LLVM's
types; the PTX of both.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from simt.compilers import successor_in_use

FORMATS = {"u8": "<B", "u16": "<H", "u32": "<I", "u64": "<Q", "f32": "<f", "f64": "<d"}  # of PTX's types
WORDS = {  # dtype of a number -> the PTX types of its parts
    "bool": ("u8",), "int8": ("u8",), "uint8": ("u8",), "int16": ("u16",), "uint16": ("u16",), "int32": ("u32",),
    "uint32": ("u32",), "int64": ("u64",), "uint64": ("u64",), "float16": ("u16",), "float32": ("f32",),
    "float64": ("f64",), "complex64": ("f32", "f32"), "complex128": ("f64", "f64"),
}  # fmt: skip


class NoSuchArgument(ValueError):
    """A kernel cannot be given this."""


def types_of(kinds: Sequence[Sequence[Any]]) -> tuple[str, ...]:
    """The PTX types of a kernel's parameters. kinds: as `kind_of` gives them. Raises NoSuchArgument."""
    types: list[str] = []
    for kind in kinds:
        types += (
            ["u64"] * ((3 if successor_in_use() else 5) + 2 * int(kind[2]))
            if kind[0] == "array"
            else _words(str(kind[1]))
        )
    return tuple(types)


def _words(dtype: str) -> tuple[str, ...]:
    if dtype not in WORDS:
        raise NoSuchArgument(f"a number of type {dtype} is no argument of a kernel")
    return WORDS[dtype]


def kind_of(value: Any) -> tuple[Any, ...]:
    """What of an argument decides the machine code: ("array", dtype, dimensions, layout) or ("number", dtype)."""
    if isinstance(value, np.ndarray):
        layout = "C" if value.flags.c_contiguous else "F" if value.flags.f_contiguous else "A"
        return ("array", value.dtype.str, value.ndim, layout)
    return ("number", number(value).dtype.name)


def number(value: Any) -> np.generic:
    """A number as NumPy has it: a Python int is int64, as numba takes it. Raises NoSuchArgument."""
    if isinstance(value, np.generic):
        return value
    if isinstance(value, bool | int | float | complex):
        try:
            return np.asarray(value, np.dtype(type(value))).reshape(1)[0]
        except OverflowError:
            raise NoSuchArgument("an integer does not fit into 64 bits") from None
    raise NoSuchArgument(f"a {type(value).__name__} is no argument of a kernel")


def of_array(name: str, array: np.ndarray, offset: int = 0) -> list[Any]:
    """The words of an array that lies in a buffer, from a byte of it on. array: for its geometry.

    Raises: NoSuchArgument where the compiler in use has no word for it.
    """
    if successor_in_use():
        if any(stride % array.itemsize for stride in array.strides):
            raise NoSuchArgument("numba-cuda-mlir counts strides in elements, and these are no whole number of them")
        begins = ["at", name, offset]
        return [begins, begins, 0, *array.shape, *(stride // array.itemsize for stride in array.strides)]
    return [0, 0, array.size, array.itemsize, ["at", name, offset], *array.shape, *array.strides]


def of_number(value: Any) -> list[Any]:
    """The words of a number, each as hexadecimal text of its bytes."""
    given = number(value)
    if given.dtype.kind == "c":
        return [part.tobytes().hex() for part in (given.real, given.imag)]
    return [given.tobytes().hex()]


def parameters(types: Sequence[str], arguments: Sequence[Any], address: Callable[[str, int], int]) -> list[bytes]:
    """The bytes of each parameter. arguments: integers, hexadecimal text, or ["at", buffer, offset] for an address.

    Raises: ValueError where they do not fit the types.
    """
    if len(types) != len(arguments):
        raise ValueError(f"{len(arguments)} words for a kernel that takes {len(types)}")
    return [_bytes_of(kind, argument, address) for kind, argument in zip(types, arguments, strict=True)]


def _bytes_of(kind: str, argument: Any, address: Callable[[str, int], int]) -> bytes:
    size = struct.calcsize(FORMATS[kind])
    if isinstance(argument, str):
        given = bytes.fromhex(argument)
        if len(given) != size:
            raise ValueError(f"{len(given)} bytes for a parameter of type {kind}")
        return given
    value = address(str(argument[1]), int(argument[2])) if isinstance(argument, list) else int(argument)
    if not -(1 << 63) <= value < 1 << 64:
        raise ValueError("an integer that does not fit into 64 bits")
    return struct.pack("<Q", value % (1 << 64))[:size]
