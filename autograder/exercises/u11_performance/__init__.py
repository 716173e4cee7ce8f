"""Unit 11, performance: its exercises in course order."""

from __future__ import annotations

from autograder.exercises.hints import with_hints
from autograder.exercises.u11_performance.domains import DOMAINS, PROMISES
from autograder.exercises.u11_performance.kernels import FOLLOW_FOUR, POLY_FOUR, STANDARDISE
from autograder.exercises.u11_performance.measures import READ_PROFILE, RESIDENT_WARPS, SPEEDUPS, TIME_LAUNCHES
from autograder.exercises.with_domains import with_domains

EXERCISES = with_domains(
    with_hints(
        __file__,
        TIME_LAUNCHES,
        RESIDENT_WARPS,
        POLY_FOUR,
        FOLLOW_FOUR,
        STANDARDISE,
        READ_PROFILE,
        SPEEDUPS,
    ),
    DOMAINS,
    PROMISES,
)
