"""A host function is called again with other values: it must look at them, and leave the first result alone."""

from __future__ import annotations

import pytest

from autograder import exercises
from autograder.answer.program import Program
from autograder.judge import check
from tools.check_exercises import solution_of

KEEPS_THE_RESULT = """
def add_on_device(a, b, known={}):
    if a.size not in known:
        d_a, d_b = cuda.to_device(a), cuda.to_device(b)
        d_out = cuda.device_array_like(d_a)
        if a.size:
            vector_add[blocks_for(a.size, 256), 256](d_a, d_b, d_out)
        known[a.size] = d_out.copy_to_host()
    return known[a.size]
"""
SHARES_A_BUFFER = """
BUFFERS = {}


def add_on_device(a, b):
    d_a, d_b = cuda.to_device(a), cuda.to_device(b)
    d_out = cuda.device_array_like(d_a)
    if a.size:
        vector_add[blocks_for(a.size, 256), 256](d_a, d_b, d_out)
    return d_out.copy_to_host(BUFFERS.setdefault(a.size, np.empty_like(a)))
"""


@pytest.mark.parametrize(
    ("source", "says"),
    [(KEEPS_THE_RESULT, "returns what belongs to the first ones"), (SHARES_A_BUFFER, "changed when the function was")],
)
def test_what_a_call_returns_belongs_to_it(source, says):
    exercise = exercises.find("vector_add.add_on_device")
    program = Program(source.lstrip(), exercise.function, setup=solution_of(exercise).setup)

    outcome = check(exercise, program, device="simt", isolate=False)

    assert "keeps_between_calls" == outcome.misconception, str(outcome)
    assert says in str(outcome)
