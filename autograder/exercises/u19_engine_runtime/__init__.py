"""Unit 19, an engine's runtime: its exercises in course order."""

from __future__ import annotations

from autograder.exercises.hints import with_hints
from autograder.exercises.u19_engine_runtime.capstone import OWN_CONVOLUTION
from autograder.exercises.u19_engine_runtime.domains import DOMAINS
from autograder.exercises.u19_engine_runtime.numbers import COUNT_GAINS, FIT_BUDGET, MEND_LAYERS
from autograder.exercises.u19_engine_runtime.planning import LOAD_PLAN, PLAN_ARENA, RUN_NETWORK, TENSOR_LIVES
from autograder.exercises.u19_engine_runtime.plugins import SOFT_THRESHOLD, THRESHOLD_PLUGIN
from autograder.exercises.u19_engine_runtime.serving import (
    BATCH_UNEVEN,
    CHOOSE_PROFILE,
    GATHER_REQUESTS,
    SPREAD_WORK,
    TWO_STREAMS,
)
from autograder.exercises.with_domains import with_domains

EXERCISES = with_domains(
    with_hints(
        __file__,
        PLAN_ARENA,
        TENSOR_LIVES,
        LOAD_PLAN,
        CHOOSE_PROFILE,
        BATCH_UNEVEN,
        RUN_NETWORK,
        SOFT_THRESHOLD,
        THRESHOLD_PLUGIN,
        GATHER_REQUESTS,
        TWO_STREAMS,
        SPREAD_WORK,
        MEND_LAYERS,
        COUNT_GAINS,
        FIT_BUDGET,
        OWN_CONVOLUTION,
    ),
    DOMAINS,
)
