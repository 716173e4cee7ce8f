"""Unit 17, INT8 in the engine: its exercises in course order."""

from __future__ import annotations

from autograder.exercises.hints import with_hints
from autograder.exercises.u17_engine_int8.layers import INT8_LAYER, INT8_PRODUCTS
from autograder.exercises.u17_engine_int8.ranges import PERCENTILE_RANGE, RANGE_ERRORS
from autograder.exercises.u17_engine_int8.steps import CHANNEL_SCALES, QUANTISE

EXERCISES = with_hints(
    __file__,
    QUANTISE,
    CHANNEL_SCALES,
    PERCENTILE_RANGE,
    RANGE_ERRORS,
    INT8_PRODUCTS,
    INT8_LAYER,
)
