"""Objects of the program that no kernel can use: a kernel that names one meets something that answers nothing."""

from __future__ import annotations

import enum
import sys
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any

import numpy as np

from simt.source.recognise import python_function
from simt.values.unasked import classes_of, held, is_a, is_function, memory_on_device, module_of_type, text_held

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
TYPES_OF = [f"{package}.typing.typeof" for package in ("numba.cuda", "numba.core", "numba_cuda_mlir.numba_cuda")]
METACLASSES = (type, enum.EnumMeta)


class HostObject:
    """Stands for such an object where a compiler would look at it, so that none of its code runs.

    kind: its class; taught: whether the program gave numba a type for that.
    """

    __slots__ = ("kind", "taught")

    def __init__(self, kind: str, taught: bool = False):
        self.kind, self.taught = kind, taught


def for_kernels(value: Any) -> Any:
    """A host object as kernels meet it: itself where numba may know it, else a `HostObject`."""
    return value if _is_known(value) else HostObject(text_held(type(value), "__name__") or "value", _is_taught(value))


def _is_known(value: Any) -> bool:
    if is_a(value, type):
        return type(value) in METACLASSES or _package(value) in PACKAGES
    if is_a(value, *KINDS) or _package(value) in PACKAGES:
        return True
    taught = is_function(held(value, "simt_meaning")) or held(value, "__simt_cuda__") is True
    return taught or memory_on_device(value) is not None or python_function(value) is not None


def _package(value: Any) -> str:
    return module_of_type(value).partition(".")[0]


def _is_taught(value: Any) -> bool:
    """Whether the program told numba of which type objects of this class are."""
    for name in TYPES_OF:
        known = {id(one) for one in getattr(getattr(sys.modules.get(name), "typeof_impl", None), "registry", ())}
        if any(id(one) in known for one in classes_of(value) if one is not object):
            return True
    return False
