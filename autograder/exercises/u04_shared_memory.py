"""Unit 04, shared memory: its exercises in course order. Everything behind them is in `shared_memory`."""

from __future__ import annotations

from autograder.exercises.shared_memory.stencils import BLUR_5X5, BLUR_SEPARABLE, STENCIL_1D
from autograder.exercises.shared_memory.transposes import (
    REVERSE_BLOCKS,
    TRANSPOSE_FAST,
    TRANSPOSE_PADDED,
    TRANSPOSE_SWIZZLED,
    TRANSPOSE_TILED,
)

EXERCISES = (
    REVERSE_BLOCKS,
    TRANSPOSE_TILED,
    TRANSPOSE_PADDED,
    TRANSPOSE_SWIZZLED,
    TRANSPOSE_FAST,
    STENCIL_1D,
    BLUR_5X5,
    BLUR_SEPARABLE,
)
