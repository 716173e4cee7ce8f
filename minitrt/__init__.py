"""A TensorRT-style inference engine of numba.cuda kernels; its Python API is TensorRT's, of 10 and of 11.

    import minitrt as trt
    trt.api = "11"      # or "10": exactly that version's names; by default those of both

Names are imported when they are first used, so that a runtime alone loads neither onnx nor the builder.
"""

from __future__ import annotations

import contextlib
import importlib
import os
import sys
import types
from typing import Any

from minitrt.face import ALIASES, HOMES, MISSING
from simt import compilers

with contextlib.suppress(compilers.CompilerError):  # the kernels, which need one, say it
    compilers.install()

__version__ = "10.16.0"
__all__ = sorted(name for name in {*HOMES, *ALIASES} if not name.startswith("_"))


def __getattr__(name: str) -> Any:
    if name in HOMES and not _is_absent(name):
        value = getattr(importlib.import_module(f"minitrt.{HOMES[name]}"), name)
    elif name in ALIASES:
        home, _, member = ALIASES[name].rpartition(".")
        value = getattr(__getattr__(home), member)
    elif name == "tensorrt":  # the real package's extension module, whose classes are the package's
        value = sys.modules[__name__]
    elif name in MISSING:
        raise AttributeError(f"minitrt has no {name}: {MISSING[name]}")
    else:
        raise AttributeError(f"module 'minitrt' has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(name for name in {*globals(), *__all__} if not _is_absent(name))


def _is_absent(name: str) -> bool:
    """Whether a name belongs to the version that was not chosen."""
    versions = sys.modules.get("minitrt.api.versions")
    return versions is not None and versions.is_absent(name)


class _Face(types.ModuleType):
    """The module itself, whose `api` chooses a version; as a name it is also the package of what the API is made of."""

    def __setattr__(self, name: str, value: Any) -> None:
        if name == "api" and not isinstance(value, types.ModuleType):
            importlib.import_module("minitrt.api.versions").choose(value)
        else:
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Face
if os.environ.get("MINITRT_API"):
    importlib.import_module("minitrt.api.versions").choose(os.environ["MINITRT_API"])
