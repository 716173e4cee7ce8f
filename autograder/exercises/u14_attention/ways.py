"""What attention asks of global memory with its matrix and without, worked out from unit 14's contracts."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograder.contract import Cost, Values
from autograder.exercises.u14_attention.attention_values import DIM, causal_cost, flash_cost

LENGTHS = (512, 2048, 8192)
TIMES_THROUGH_MEMORY = 5  # scores stored, read twice by the softmax, stored as weights, read by the last product
COLUMNS = ("way", "n", "asked of global memory, MB", "through memory at least, MB", "room for the matrix, MB")


def naive_cost(values: Values) -> Cost:
    """Three launches: two vectors per score, a row read twice and stored, two factors per product of the last."""
    n_heads, n = values["q"].shape[:2]
    pairs = n_heads * n * n
    return Cost(read_bytes=pairs * (8 * DIM + 8 + 8 * DIM), write_bytes=8 * pairs + 4 * n_heads * n * DIM)


COSTS = {"attention_naive": naive_cost, "attention_flash": flash_cost, "attention_causal": causal_cost}


def lengths_only(n: int) -> Values:
    """Arrays of one head that take no room: costs look at their shapes."""
    nothing = np.broadcast_to(np.float32(0), (1, n, DIM))
    return {"q": nothing, "k": nothing, "v": nothing, "out": nothing}


def counted() -> dict[str, Any]:
    """Columns and rows: megabytes of one head."""
    rows = []
    for n in LENGTHS:
        values = lengths_only(n)
        for way, cost in COSTS.items():
            asked = cost(values)
            matrix = 4 * n * n if way == "attention_naive" else 0
            least = sum(array.nbytes for array in values.values()) + TIMES_THROUGH_MEMORY * matrix
            megabytes = (asked.read_bytes + asked.write_bytes, least, matrix)
            rows.append([way, f"{n:,}", *(f"{one / 1e6:,.1f}" if one else "" for one in megabytes)])
    return {"columns": COLUMNS, "rows": rows}
