"""Unit 04, shared memory: its exercises in course order."""

from __future__ import annotations

from autograder.exercises.hints import with_hints
from autograder.exercises.u04_shared_memory.domains import DOMAINS, PROMISES
from autograder.exercises.u04_shared_memory.stencils import BLUR_5X5, BLUR_SEPARABLE, STENCIL_1D
from autograder.exercises.u04_shared_memory.transposes import (
    REVERSE_BLOCKS,
    TRANSPOSE_FAST,
    TRANSPOSE_PADDED,
    TRANSPOSE_SWIZZLED,
    TRANSPOSE_TILED,
)
from autograder.exercises.u04_shared_memory.walks import BLUR_COLUMN, BLUR_WIDE
from autograder.exercises.with_domains import with_domains

EXERCISES = with_domains(
    with_hints(
        __file__,
        REVERSE_BLOCKS,
        TRANSPOSE_TILED,
        TRANSPOSE_PADDED,
        TRANSPOSE_SWIZZLED,
        TRANSPOSE_FAST,
        STENCIL_1D,
        BLUR_5X5,
        BLUR_SEPARABLE,
        BLUR_COLUMN,
        BLUR_WIDE,
    ),
    DOMAINS,
    PROMISES,
)
