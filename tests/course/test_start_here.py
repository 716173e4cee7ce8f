"""The worked example of 00_start_here: its wrong kernel earns the verdict the page is about, its right one passes."""

from __future__ import annotations

from dataclasses import replace

from numba import cuda

from autograder import exercises
from autograder.exercises.start_here import DOUBLE
from autograder.judge import check


@cuda.jit
def without_guard(src, dst):
    i = cuda.grid(1)
    dst[i] = src[i] + src[i]


@cuda.jit
def with_guard(src, dst):
    i = cuda.grid(1)
    if i < dst.size:
        dst[i] = src[i] + src[i]


def judged(kernel):
    """The verdict on a kernel, which the contract knows as `double`."""
    return check(replace(DOUBLE, function=kernel.py_func.__name__), kernel, device="simt")


def test_the_kernel_without_a_guard_is_out_of_bounds_with_its_line():
    outcome = judged(without_guard)

    assert "no_guard" == outcome.misconception
    assert "no_guard" in {hint.misconception for hint in DOUBLE.hints}  # so the first hint of the course leads to it
    assert "dst[i] = src[i] + src[i]" in str(outcome)
    assert "outside the array" in str(outcome)


def test_the_repaired_kernel_passes():
    assert DOUBLE.points == judged(with_guard).points


def test_the_worked_example_is_outside_the_catalogue_and_gives_no_points_in_a_class():
    assert DOUBLE.id not in {exercise.id for exercise in exercises.all_exercises()}
