"""Unit 10, memory kinds: its exercises in course order."""

from __future__ import annotations

from autograder.exercises.hints import with_hints
from autograder.exercises.u10_memory_kinds.ahead import BLUR_ASYNC, BLUR_ROWS
from autograder.exercises.u10_memory_kinds.domains import DOMAINS
from autograder.exercises.u10_memory_kinds.on_device import FILTER_CONSTANT, LOOK_UP, MEDIAN_OF_NINE
from autograder.exercises.u10_memory_kinds.shared_with_host import FEW_OF_MANY, IN_ROUNDS
from autograder.exercises.with_domains import with_domains

EXERCISES = with_domains(
    with_hints(
        __file__,
        FEW_OF_MANY,
        IN_ROUNDS,
        FILTER_CONSTANT,
        LOOK_UP,
        MEDIAN_OF_NINE,
        BLUR_ROWS,
        BLUR_ASYNC,
    ),
    DOMAINS,
)
