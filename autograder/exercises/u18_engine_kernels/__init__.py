"""Unit 18, the engine's kernels: its exercises in course order."""

from __future__ import annotations

from autograder.exercises.hints import with_hints
from autograder.exercises.u18_engine_kernels.convolutions import CONV_LAYER, CONV_RING, CONV_TILE, CONV_WARPGROUP
from autograder.exercises.u18_engine_kernels.domains import DOMAINS
from autograder.exercises.u18_engine_kernels.packing import PACK_INT8
from autograder.exercises.u18_engine_kernels.splitting import CONV_SPLIT
from autograder.exercises.u18_engine_kernels.tactics import CHOOSE_KERNELS, TIME_KERNELS
from autograder.exercises.with_domains import with_domains

EXERCISES = with_domains(
    with_hints(
        __file__,
        PACK_INT8,
        CONV_TILE,
        CONV_RING,
        CONV_LAYER,
        CONV_WARPGROUP,
        CONV_SPLIT,
        TIME_KERNELS,
        CHOOSE_KERNELS,
    ),
    DOMAINS,
)
