"""What the counters of each rung of unit 12 allow on a GPU, before anything is timed.

Every product asks for passes of the L1 cache, passes over the banks of shared memory, and time of the arithmetic units.
Each of these has a rate, so the slowest of the three bounds the speed. What else takes time (instructions, latency, the
L2 cache) comes on top: where a kernel stays far below what is allowed, that is where to look.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

import simt
from autograder import exercises
from autograder.answer import reference
from autograder.running.buffers import make_values
from simt.timing.gpus import GPUS

UNIT, GPU = "12_matmul", GPUS["h200"]
SECTORS_A_PASS = 4  # 128 bytes
PRODUCTS_A_CLOCK = {"float32": 128, "float16": 2048, "int8": 4096}  # one multiprocessor of compute capability 9.0
ON_TENSOR_CORES = ("matmul_tensor", "matmul_int8", "matmul_warpgroup")
COLUMNS = ("rung", "L1 passes", "shared memory passes", "arithmetic", "allows TFLOP/s", "times the rung before")


@cache
def clocks(name: str) -> dict[str, float]:
    """Clocks of one multiprocessor for 1,000 products of a rung's solution, by the part that needs them.

    The stores of c are left out: a large product has n of them for n³ products.
    """
    exercise = exercises.find(f"matmul.{name}")
    program = reference.solved(exercise)
    case = next(one for one in exercise.cases if one.sizes == exercise.predict_case)
    values = make_values(exercise, case)
    grid, block, *dynamic = exercise.launch(values)
    arguments = [np.array(values[argument.name]) for argument in exercise.arguments]
    shared = dynamic[0] if dynamic else 0
    counters = simt.trace(program.load()[1], grid, block, *arguments, dynamic_shared_bytes=shared).counters
    thousands = np.prod([exercise.predict_case[size] for size in ("n_rows", "n_inner", "n_cols")]) / 1000
    passes = counters["shared_load_wavefronts"] + counters["shared_store_wavefronts"]
    sectors, requests = counters["global_load_sectors"], counters["global_load_requests"]
    element = exercise.arguments[0].dtype if name in ON_TENSOR_CORES else "float32"
    return {
        "L1": max(requests, sectors / SECTORS_A_PASS) / thousands,
        "shared": passes / thousands,
        "arithmetic": 1000 / PRODUCTS_A_CLOCK[element],
    }


def allowed(name: str) -> float:
    """TFLOP/s that the slowest part allows on an H200."""
    slowest = max(clocks(name).values())
    return 2e-12 * 1000 / slowest * GPU.multiprocessors * GPU.clock_hz


def table() -> dict[str, Any]:
    """Columns and rows: every rung, what it asks for per 1,000 products, and the gain that this promises."""
    rows, before = [], 0.0
    for exercise in exercises.of_unit(UNIT):
        parts, speed = clocks(exercise.function), allowed(exercise.function)
        gain = f"{speed / before:.2g}" if before else ""
        rows.append([exercise.function, *(f"{part:.3g}" for part in parts.values()), f"{speed:.3g}", gain])
        before = speed
    return {"columns": COLUMNS, "rows": rows}
