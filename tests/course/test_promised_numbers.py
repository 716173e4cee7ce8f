"""The costs that contracts promise are what the interpreter counts. Predictions: test_notebooks_run.py."""

from __future__ import annotations

import pytest

from autograder.contract import Case
from autograder.exercises import of_unit
from autograder.running import buffers
from tests.course.costly import COSTLY
from tests.course.released import GRADED
from tests.course.tracing import trace_case
from tests.part import a_part
from tools.check_exercises import solution_of

EXERCISES = [exercise for unit in GRADED for exercise in of_unit(unit.id)]
COSTED = [exercise for exercise in EXERCISES if exercise.cost]
MORE = {"scan.radix_sort": ({"n": 0, "bits": 32}, {"n": 9000, "bits": 7})}  # sizes, where a contract traces few
LEAST = (  # whose flops any answer takes: these trees add zeros, too, and steps of 4 bits are unpacked by products
    *("reductions.device_sum", "reductions.axis_sums"),
    "language_models.four_bit_product",
)
KINDS = ("float16", "float32", "float64", "tensor")


def adds_floats_atomically(exercise) -> bool:
    """Whether what atomics of its solution add are floats, which the arithmetic units of a GPU do not see."""
    return "atomic.add" in solution_of(exercise).source and exercise.outputs[0].dtype.startswith("float")


@pytest.mark.parametrize("exercise", a_part(COSTED, 2, lambda exercise: exercise.id, COSTLY))
def test_the_cost_of_a_solution_is_what_its_trace_counts_to_the_byte_and_the_flop(exercise):
    program = solution_of(exercise)
    more = [Case(sizes) for sizes in MORE.get(exercise.id, ())]
    for case in [*more, *(case for case in exercise.cases if case.trace and case.values == "exact")]:
        counters = trace_case(exercise, program, case.sizes).counters
        cost = exercise.cost(buffers.make_values(exercise, case))  # the values of the trace: some costs depend on them
        counted = tuple(
            counters.get(f"global_{kind}_bytes", 0) + counters.get("global_atomic_bytes", 0)
            for kind in ("load", "store")
        )

        assert (cost.read_bytes, cost.write_bytes) == counted, case.name
        atomics = counters["atomic_operations"] if adds_floats_atomically(exercise) else 0
        flops = sum(counters[f"{kind}_flops"] for kind in KINDS) + atomics
        assert cost.flops <= flops if exercise.id in LEAST else cost.flops == flops, case.name
