"""Unit 03, memory access: its exercises in course order."""

from __future__ import annotations

from autograder.exercises.hints import with_hints
from autograder.exercises.u03_memory_access.domains import DOMAINS
from autograder.exercises.u03_memory_access.levels import BOX_DOWN, CONVOLVE, READ_AGAIN
from autograder.exercises.u03_memory_access.patterns import COPY_FROM, DRIFT, GATHER_ROWS, TAKE_EVERY
from autograder.exercises.with_domains import with_domains

EXERCISES = with_domains(
    with_hints(
        __file__,
        TAKE_EVERY,
        GATHER_ROWS,
        DRIFT,
        COPY_FROM,
        BOX_DOWN,
        READ_AGAIN,
        CONVOLVE,
    ),
    DOMAINS,
)
