"""Unit 06, reductions: its exercises in course order."""

from __future__ import annotations

from autograder.exercises.hints import with_hints
from autograder.exercises.u06_reductions.domains import DOMAINS, PROMISES
from autograder.exercises.u06_reductions.grids import DEVICE_SUM, WARP_SUM
from autograder.exercises.u06_reductions.places import ARGMAX, AXIS_SUMS
from autograder.exercises.u06_reductions.trees import (
    BLOCK_SUM_INTERLEAVED,
    BLOCK_SUM_SEQUENTIAL,
    MANY_PER_THREAD,
    SUM_ATOMIC,
)
from autograder.exercises.with_domains import with_domains

EXERCISES = with_domains(
    with_hints(
        __file__,
        SUM_ATOMIC,
        BLOCK_SUM_INTERLEAVED,
        BLOCK_SUM_SEQUENTIAL,
        MANY_PER_THREAD,
        WARP_SUM,
        DEVICE_SUM,
        ARGMAX,
        AXIS_SUMS,
    ),
    DOMAINS,
    PROMISES,
)
