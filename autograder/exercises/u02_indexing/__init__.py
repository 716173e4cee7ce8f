"""Unit 02, indexing: its exercises in course order."""

from __future__ import annotations

from autograder.exercises.hints import with_hints
from autograder.exercises.u02_indexing.domains import DOMAINS
from autograder.exercises.u02_indexing.indices import FADE, INVERT, PAD, ROLL
from autograder.exercises.u02_indexing.strides import BROADCAST_ADD, SAXPY, SPLIT_CHANNELS
from autograder.exercises.with_domains import with_domains

EXERCISES = with_domains(
    with_hints(
        __file__,
        INVERT,
        PAD,
        ROLL,
        FADE,
        SAXPY,
        SPLIT_CHANNELS,
        BROADCAST_ADD,
    ),
    DOMAINS,
)
