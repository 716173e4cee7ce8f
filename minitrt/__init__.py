"""A TensorRT-style inference engine whose kernels are written in numba.cuda; the Python API is TensorRT 10.16's.

    import minitrt as trt

Names are imported when they are first used, so that a runtime alone loads neither onnx nor the builder.
"""

from __future__ import annotations

import importlib
import sys
from typing import Any

from minitrt.face import ALIASES, HOMES, MISSING

__version__ = "10.16.0"
__all__ = sorted(name for name in {*HOMES, *ALIASES} if not name.startswith("_"))


def __getattr__(name: str) -> Any:
    if name in HOMES:
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
    return sorted({*globals(), *__all__})
