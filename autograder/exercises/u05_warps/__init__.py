"""Unit 05, think in lanes: its exercises in course order."""

from __future__ import annotations

from autograder.exercises.hints import with_hints
from autograder.exercises.u05_warps.contracts import BY_WARP, FIRST_ABOVE, ONE_PATH, PACK_BITS
from autograder.exercises.u05_warps.domains import DOMAINS, PROMISES
from autograder.exercises.u05_warps.exchanges import COUNT_MATCHED, SCAN_ROWS, TRANSPOSE_BY_LANES
from autograder.exercises.with_domains import with_domains

EXERCISES = with_domains(
    with_hints(
        __file__,
        ONE_PATH,
        BY_WARP,
        PACK_BITS,
        FIRST_ABOVE,
        SCAN_ROWS,
        TRANSPOSE_BY_LANES,
        COUNT_MATCHED,
    ),
    DOMAINS,
    PROMISES,
)
