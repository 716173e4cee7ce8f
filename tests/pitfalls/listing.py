"""Every pitfall, in the order of its number."""

from __future__ import annotations

from tests.pitfalls import (
    answers,
    arithmetic,
    environment,
    host_code,
    indexing,
    language,
    memory_spaces,
    synchronisation,
)
from tests.pitfalls.catalogue import OnlyWithGPU, Pitfall

GROUPS = (arithmetic, memory_spaces, synchronisation, indexing, answers, language, host_code, environment)
ALL: tuple[Pitfall, ...] = tuple(
    sorted((pitfall for group in GROUPS for pitfall in group.PITFALLS), key=lambda one: one.number)
)
ONLY_WITH_GPU = (
    OnlyWithGPU(
        25,
        "One illegal access poisons the context",
        "Every later CUDA call of the process fails. Checks on a GPU therefore run in a child process.",
    ),
    OnlyWithGPU(
        31,
        "The first call includes compilation",
        "Compilation takes longer than most kernels run. Races warm up first and time what follows.",
    ),
    OnlyWithGPU(
        33,
        "The launch hides the kernel",
        "Below a certain size the time of a call is Python's. Races use arrays large enough to fill the GPU.",
    ),
    OnlyWithGPU(
        34,
        "A grid too small to fill the GPU",
        "A few blocks leave most multiprocessors idle. The roofline of a race shows it.",
    ),
    OnlyWithGPU(
        43,
        "A simulator that is chosen before the import",
        "NUMBA_ENABLE_CUDASIM is read once. The interpreter here is a function call, in the same process.",
    ),
)
