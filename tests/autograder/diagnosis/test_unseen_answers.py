"""Answers from outside that were once misjudged: each stands for a class, and says what its verdict must name."""

from dataclasses import replace

import pytest

from autograder import exercises
from autograder.judge import check
from tests.autograder.diagnosis.unseen_advice import MISLED
from tests.autograder.diagnosis.unseen_answers import WRONG
from tools.check_exercises import solution_of

OUTSIDE = WRONG | MISLED


@pytest.mark.parametrize(
    "name",
    [name if number % 7 == 0 else pytest.param(name, marks=pytest.mark.release) for number, name in enumerate(OUTSIDE)],
)
def test_the_verdict_names_the_cause_and_its_line(name):
    identifier, source, line, says = OUTSIDE[name]
    exercise = exercises.find(identifier)
    outcome = check(exercise, replace(solution_of(exercise), source=source), device="simt", isolate=False)

    assert outcome.points < exercise.points
    assert says in " ".join(str(outcome).split())
    assert not line or line in outcome.causes[0].lines


def test_a_plain_read_that_a_compare_and_swap_checks_is_right():
    """As the CUDA C++ Programming Guide writes an atomic of one's own."""
    source = """@cuda.jit
def max_by_cas(src, best_bits):
    i = cuda.grid(1)
    if i < src.size:
        x = src[i]
        old = best_bits[0]
        while x > cuda.libdevice.int_as_float(old):
            assumed = old
            old = cuda.atomic.cas(best_bits, 0, assumed, cuda.libdevice.float_as_int(x))
            if old == assumed:
                break
"""
    exercise = exercises.find("atomics.max_by_cas")
    outcome = check(exercise, replace(solution_of(exercise), source=source), device="simt", isolate=False)

    assert outcome.passed and outcome.points == exercise.points


def test_a_return_that_is_the_wrong_way_round_is_quoted():
    source = """@cuda.jit
def vector_add(a, b, out):
    i = cuda.grid(1)
    if i < out.size:
        return
    out[i] = a[i] + b[i]
"""
    exercise = exercises.find("vector_add.vector_add")
    outcome = check(exercise, replace(solution_of(exercise), source=source), device="simt", isolate=False)

    assert "Line 4 sends the threads away where `i < out.size`" in " ".join(str(outcome).split())
