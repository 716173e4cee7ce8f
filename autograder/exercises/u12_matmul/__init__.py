"""Unit 12, matrix multiplication: its exercises in course order.

Ten of them: seven rungs lead to the library's speed in float32, each with one change, and three more to that of the
tensor cores. A ladder that left one out would change two things at a time.
"""

from __future__ import annotations

from autograder.exercises.hints import with_hints
from autograder.exercises.u12_matmul.domains import DOMAINS
from autograder.exercises.u12_matmul.registers import MATMUL_COLUMN, MATMUL_SQUARE, MATMUL_TENSOR, MATMUL_WIDE
from autograder.exercises.u12_matmul.rings import MATMUL_INT8, MATMUL_RING, MATMUL_WARPGROUP
from autograder.exercises.u12_matmul.tiles import MATMUL_COALESCED, MATMUL_NAIVE, MATMUL_TILED
from autograder.exercises.with_domains import with_domains

EXERCISES = with_domains(
    with_hints(
        __file__,
        MATMUL_NAIVE,
        MATMUL_COALESCED,
        MATMUL_TILED,
        MATMUL_COLUMN,
        MATMUL_SQUARE,
        MATMUL_WIDE,
        MATMUL_RING,
        MATMUL_TENSOR,
        MATMUL_INT8,
        MATMUL_WARPGROUP,
    ),
    DOMAINS,
)
