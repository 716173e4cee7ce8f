"""The one place that imports the CUDA module, of the compiler in use (`simt.compilers`)."""

from __future__ import annotations

from numba import cuda

__all__ = ["cuda"]
