"""Recognises objects of numba and of the stand-in `cuda` module by what they look like; numba is never imported.

What is a program's own is looked at and never asked (`simt.values.unasked`): a kernel may name a client, a proxy or
lazy settings, and a look at those must not run their code.
"""

from __future__ import annotations

import enum
import inspect
import sys
from types import ModuleType
from typing import TYPE_CHECKING

import numpy as np

from simt.errors import UnsupportedError
from simt.values.bfloat16 import NUMBA_NAME, bfloat16
from simt.values.numba_rules import B1, F64, I64
from simt.values.unasked import held, is_a, is_function, kind_has, memory_on_device, module_of_type, text_held

if TYPE_CHECKING:
    from simt.values import Value

CUDA_MODULES = ("numba.cuda", "numba_cuda_mlir.cuda", "numba.cuda.simulator")
LIBRARIES = ("numpy", "math", "numba.", "numba_cuda_mlir.")  # modules whose functions are no device functions
TYPE_MODULES = ("numba.", "numba_cuda_mlir.", "simt.cuda_api.types")  # where type objects come from
NUMBER_NAMES = {
    name: name
    for name in (
        "int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 complex64 complex128".split()
    )
} | {"boolean": "bool", "bool": "bool", "bool_": "bool", "intp": "int64", "uintp": "uint64", "byte": "uint8",
     "int_": "int64", "uint": "uint64", "float_": "float32", "double": "float64", "short": "int16", "ushort": "uint16",
     "char": "int8", "uchar": "uint8", "intc": "int32", "uintc": "uint32", "f4": "float32", "f8": "float64",
     "i1": "int8", "i2": "int16", "i4": "int32", "i8": "int64", "u1": "uint8", "u2": "uint16", "u4": "uint32",
     "u8": "uint64", "c8": "complex64", "c16": "complex128", "b1": "bool"}  # fmt: skip


class CudaName:
    """A name below the cuda module, as in "threadIdx.x" or "atomic.add"."""

    __slots__ = ("path",)

    def __init__(self, path: str):
        self.path = path


def is_cuda_module(value: Value) -> bool:
    """Whether a value is numba's cuda module, its successor's, or the stand-in."""
    if held(value, "__simt_cuda__") is True:
        return True
    if not is_a(value, ModuleType):
        return text_held(type(value), "__name__") == "FakeCUDAModule"
    return text_held(value, "__name__") in CUDA_MODULES


def cuda_name(value: Value, paths) -> CudaName | None:
    """The name of an object imported from a cuda module (``from numba.cuda import grid``), among `paths`."""
    path = text_held(value, "__simt_path__")
    if path:
        return CudaName(path)
    module = text_held(value, "__module__") or module_of_type(value)
    if not module.startswith(CUDA_MODULES):
        return None
    for name in CUDA_MODULES:
        root = sys.modules.get(name)
        for path in paths if root is not None else ():
            if _descend(root, path) is value:
                return CudaName(path)
    return None


def _descend(value: Value, path: str):
    for part in path.split("."):
        value = getattr(value, part, None)
    return value


def is_device_array(value: Value) -> bool:
    """Whether a value is a device array: of the stand-in, or one that says where its memory is as that does."""
    return memory_on_device(value) is not None


def python_function(value: Value):
    """The Python function behind a jitted one (or the function itself); None for anything else."""
    if is_function(value):
        return value
    functions = (held(value, attribute) for attribute in ("py_func", "fn"))
    return next(filter(is_function, functions), None)


def is_from(function, modules: tuple[str, ...]) -> bool:
    """Whether a function was defined in one of these modules; code given to exec may have none."""
    return (function.__module__ or "").startswith(modules)


def is_numba_type(value: Value) -> bool:
    """Whether a value is a numba type object such as float32."""
    return module_of_type(value).startswith(TYPE_MODULES) and isinstance(getattr(value, "name", None), str)


def dtype_of(value: Value) -> np.dtype:
    """The NumPy dtype that a dtype argument names. Raises UnsupportedError for what is none."""
    if isinstance(value, CudaName):
        name = NUMBER_NAMES.get(value.path.rsplit(".", 1)[-1])
        if name:
            return np.dtype(name)
    if isinstance(value, np.dtype):
        return value
    if isinstance(value, type):
        if issubclass(value, np.generic):
            return np.dtype(value)
        builtin = {float: F64, int: I64, bool: B1}.get(value)
        if builtin is not None:
            return builtin
    if isinstance(value, str):
        return np.dtype(value)
    if is_numba_type(value):
        dtype = _dtype_of_numba_type(value)
        if dtype is not None:
            return dtype
    if isinstance(getattr(value, "dtype", None), np.dtype):
        return value.dtype
    raise UnsupportedError(f"`{value!r}` is no element type: use one such as numba.float32 or np.int32")


def _dtype_of_numba_type(value: Value) -> np.dtype | None:
    """float32, Record(...) or nestedarray(...) of numba, read through their attributes."""
    if value.name == NUMBA_NAME:
        return bfloat16()
    if value.name in NUMBER_NAMES:
        return np.dtype(NUMBER_NAMES[value.name])
    fields = getattr(value, "fields", None)
    if isinstance(fields, dict):
        return np.dtype(
            {
                "names": list(fields),
                "formats": [_dtype_of_numba_type(entry.type) for entry in fields.values()],
                "offsets": [entry.offset for entry in fields.values()],
                "itemsize": value.size,
            }
        )
    shape = getattr(value, "shape", None)
    if isinstance(shape, tuple) and hasattr(value, "dtype"):
        return np.dtype((_dtype_of_numba_type(value.dtype), shape))
    return None


def is_of_cffi(value: Value) -> bool:
    """Whether a value belongs to cffi, which hands addresses to linked C."""
    return module_of_type(value).partition(".")[0] in ("cffi", "_cffi_backend")


def is_unread_by_numba(value: Value, attribute: str) -> bool:
    """Whether Python knows this of a type or a named tuple and numba does not: `np.float32.__name__`, `P._fields`.

    Or of the numbers of a type: `np.float32.shape`.
    """
    is_type = isinstance(value, type) and not isinstance(value, enum.EnumType)
    if is_type and issubclass(value, np.generic) and inspect.isdatadescriptor(getattr(value, attribute, None)):
        return True
    return (is_type or kind_has(value, "_fields")) and attribute.startswith("_")


def has_readable_attributes(value: Value) -> bool:
    """numba reads attributes of modules, enums, named tuples and types at compile time, and of nothing else."""
    scalar_type = isinstance(value, type) and issubclass(value, np.generic)
    plain = isinstance(value, (enum.EnumType, enum.Enum, np.dtype, np.generic))
    return is_a(value, ModuleType) or plain or scalar_type or is_numba_type(value) or kind_has(value, "_fields")
