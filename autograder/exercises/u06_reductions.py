"""Unit 06, reductions: its exercises in course order. Everything behind them is in `reductions`."""

from __future__ import annotations

from autograder.exercises.reductions.grids import DEVICE_SUM, WARP_SUM
from autograder.exercises.reductions.places import ARGMAX, AXIS_SUMS
from autograder.exercises.reductions.trees import (
    BLOCK_SUM_INTERLEAVED,
    BLOCK_SUM_SEQUENTIAL,
    MANY_PER_THREAD,
    SUM_ATOMIC,
)

EXERCISES = (
    SUM_ATOMIC,
    BLOCK_SUM_INTERLEAVED,
    BLOCK_SUM_SEQUENTIAL,
    MANY_PER_THREAD,
    WARP_SUM,
    DEVICE_SUM,
    ARGMAX,
    AXIS_SUMS,
)
