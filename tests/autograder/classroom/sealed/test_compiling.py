"""From an answer's text to machine code, through two jails and the gate between them."""

import pytest

from autograder import exercises
from autograder.answer.reference import solution_program
from autograder.classroom.jail import namespaces as jail
from autograder.classroom.sealed import abi, compiling, plan
from autograder.lint.compiler import unavailable_reason
from autograder.running.compiled import smallest_values

pytestmark = [
    pytest.mark.skipif(bool(jail.unavailable()), reason=f"no jail here: {jail.unavailable()}"),
    pytest.mark.skipif(bool(unavailable_reason()), reason=f"no compiler here: {unavailable_reason()}"),
]


def test_instructions_that_one_gpu_alone_has_become_code_for_it():
    """The driver calls it sm_90; what a warpgroup multiplies needs a text and an assembler that say sm_90a."""
    exercise = exercises.find("matmul.matmul_warpgroup")
    kernel = exercise.function, plan.kinds_of(exercise, smallest_values(exercise))

    (code,) = compiling.compiled(solution_program(exercise), [kernel], "sm_90")

    assert b"\x7fELF" == code.image[:4]


def test_a_grid_barrier_is_linked_and_asks_for_a_cooperative_launch():
    exercise = exercises.find("atomics.shares_of_sum")
    values = smallest_values(exercise)
    kernel = "shares_in_one_launch", tuple(abi.kind_of(values[name]) for name in ("src", "partial", "dst"))

    (code,) = compiling.compiled(solution_program(exercise), [kernel], "sm_75")

    assert code.cooperative
    assert b"\x7fELF" == code.image[:4]
