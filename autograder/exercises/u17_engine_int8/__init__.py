"""Unit 17, INT8 in the engine: its exercises in course order."""

from __future__ import annotations

from autograder.exercises.hints import with_hints
from autograder.exercises.u17_engine_int8.domains import DOMAINS
from autograder.exercises.u17_engine_int8.layers import INT8_LAYER, INT8_PRODUCTS
from autograder.exercises.u17_engine_int8.ranges import PERCENTILE_RANGE, RANGE_ERRORS
from autograder.exercises.u17_engine_int8.steps import CHANNEL_SCALES, QUANTISE
from autograder.exercises.u17_engine_int8.training import FAKE_QUANTISE, FOLD_BATCH_NORM
from autograder.exercises.with_domains import with_domains

EXERCISES = with_domains(
    with_hints(
        __file__,
        QUANTISE,
        CHANNEL_SCALES,
        FOLD_BATCH_NORM,
        PERCENTILE_RANGE,
        RANGE_ERRORS,
        INT8_PRODUCTS,
        INT8_LAYER,
        FAKE_QUANTISE,
    ),
    DOMAINS,
)
