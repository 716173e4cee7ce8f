"""Unit 01, vector add: its exercises in course order."""

from __future__ import annotations

from autograder.exercises.hints import with_hints
from autograder.exercises.u01_vector_add.domains import DOMAINS, PROMISES
from autograder.exercises.u01_vector_add.host import ADD_FOUR, ADD_ON_DEVICE, BLOCKS_FOR
from autograder.exercises.u01_vector_add.kernels import (
    ADD_ONE_BLOCK,
    BLEND,
    FORWARD_DIFFERENCE,
    VECTOR_ADD,
    VECTOR_ADD_UNROLLED,
)
from autograder.exercises.with_domains import with_domains

EXERCISES = with_domains(
    with_hints(
        __file__,
        ADD_ONE_BLOCK,
        VECTOR_ADD,
        BLOCKS_FOR,
        FORWARD_DIFFERENCE,
        BLEND,
        ADD_ON_DEVICE,
        ADD_FOUR,
        VECTOR_ADD_UNROLLED,
    ),
    DOMAINS,
    PROMISES,
)
