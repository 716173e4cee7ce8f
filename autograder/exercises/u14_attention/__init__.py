"""Unit 14, attention: its exercises in course order."""

from __future__ import annotations

from autograder.exercises.hints import with_hints
from autograder.exercises.u14_attention.rows import SOFTMAX_ONLINE, SOFTMAX_SAFE

EXERCISES = with_hints(
    __file__,
    SOFTMAX_SAFE,
    SOFTMAX_ONLINE,
)
