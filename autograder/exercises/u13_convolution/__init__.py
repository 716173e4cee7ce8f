"""Unit 13, convolution: its exercises in course order."""

from __future__ import annotations

from autograder.exercises.hints import with_hints
from autograder.exercises.u13_convolution.choices import PICK_ALGORITHM, RECEPTIVE_FIELD
from autograder.exercises.u13_convolution.domains import DOMAINS
from autograder.exercises.u13_convolution.layers import CONV_DIRECT, CONV_TILED
from autograder.exercises.u13_convolution.products import CONV_IMPLICIT, IM2COL
from autograder.exercises.u13_convolution.transforms import CONV_WINOGRAD
from autograder.exercises.with_domains import with_domains

EXERCISES = with_domains(
    with_hints(
        __file__,
        CONV_DIRECT,
        CONV_TILED,
        IM2COL,
        CONV_IMPLICIT,
        CONV_WINOGRAD,
        RECEPTIVE_FIELD,
        PICK_ALGORITHM,
    ),
    DOMAINS,
)
