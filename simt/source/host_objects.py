"""Objects of the program that no kernel can use: a kernel that names one meets something that answers nothing."""

from __future__ import annotations

import enum
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any

import numpy as np

from simt.source.recognise import python_function
from simt.values.unasked import held, is_a, is_function, memory_on_device, module_of_type, text_held

KINDS = (np.ndarray, np.generic, np.dtype, np.ufunc, ModuleType, FunctionType, BuiltinFunctionType, enum.Enum, tuple)
PACKAGES = (
    "builtins",
    "numpy",
    "numba",
    "numba_cuda",
    "numba_cuda_mlir",
    "simt",
    "autograder",
    "cffi",
    "_cffi_backend",
)
METACLASSES = (type, enum.EnumMeta)


class HostObject:
    """Stands for such an object where a compiler would look at it, so that none of its code runs. kind: its class."""

    __slots__ = ("kind",)

    def __init__(self, kind: str):
        self.kind = kind


def for_kernels(value: Any) -> Any:
    """A host object as kernels meet it: itself where numba may know it, else a `HostObject`."""
    return value if _is_known(value) else HostObject(text_held(type(value), "__name__") or "value")


def _is_known(value: Any) -> bool:
    if is_a(value, type):
        return type(value) in METACLASSES or _package(value) in PACKAGES
    if is_a(value, *KINDS) or _package(value) in PACKAGES:
        return True
    taught = is_function(held(value, "simt_meaning")) or held(value, "__simt_cuda__") is True
    return taught or memory_on_device(value) is not None or python_function(value) is not None


def _package(value: Any) -> str:
    return module_of_type(value).partition(".")[0]
