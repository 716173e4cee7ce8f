"""The one place that imports the CUDA module; its successor, numba-cuda-mlir, would be named here."""

from __future__ import annotations

from numba import cuda

__all__ = ["cuda"]
