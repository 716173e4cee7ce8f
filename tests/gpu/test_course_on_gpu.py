"""On a real GPU every solution passes, speed earns its points, and learner code cannot take the notebook down."""

from functools import cache

import pytest
from numba import cuda

from autograder import exercises, judge
from autograder.answer import reference
from autograder.answer.globals_as_source import program_of
from autograder.answer.program import Program
from autograder.speed import canary
from autograder.speed.race import race

pytestmark = pytest.mark.gpu

ALL = exercises.all_exercises()
TIMED = [exercise for exercise in ALL if exercise.speed is not None]


@cache
def checked(exercise_id):
    """The outcome of the solution of an exercise on the GPU, judged once for all tests."""
    exercise = exercises.find(exercise_id)
    return judge.check(exercise, reference.solution_program(exercise), device="cuda")


def ids(chosen):
    return [exercise.id for exercise in chosen]


@pytest.mark.parametrize("exercise", ALL, ids=ids(ALL))
def test_every_solution_passes_on_the_gpu(exercise):
    outcome = checked(exercise.id)

    assert outcome.passed, str(outcome)
    assert exercise.points == outcome.points


@pytest.mark.parametrize("exercise", TIMED, ids=ids(TIMED))
def test_every_solution_earns_its_speed_points(exercise):
    speed = race(exercise, reference.solution_program(exercise), checked(exercise.id))

    assert speed.graded, speed.says
    assert exercise.speed.points == speed.points, str(speed)


@pytest.mark.parametrize("exercise", TIMED, ids=ids(TIMED))
def test_the_naive_version_itself_earns_few_or_no_speed_points(exercise):
    if exercise.naive_launch is not None or exercise.kind != "kernel":
        pytest.skip("the naive version wants a launch of its own, so it is no answer to this contract")
    speed = race(exercise, program_of(exercises.naive_of(exercise)), checked(exercise.id))

    assert speed.graded, speed.says
    if speed.details["contrast"] >= 1.5:
        assert speed.points <= 0.2 * exercise.speed.points, str(speed)


def test_the_canary_lives_here():
    assert canary.device_is_back(60.0)


def vector_add_exercise():
    return exercises.find("vector_add.vector_add")


@cuda.jit
def wild_store(a, b, out):
    """Stores far outside the array: an illegal address, which poisons the CUDA context."""
    i = cuda.grid(1)
    out[i + 1_000_000_000_000] = a[0]


@cuda.jit
def one_too_far(a, b, out):
    """Writes one element past the end where the last block has spare threads."""
    i = cuda.grid(1)
    if i <= out.size:
        out[i] = a[min(i, out.size - 1)] + b[min(i, out.size - 1)]


@cuda.jit
def forever(a, b, out):
    """Never ends."""
    i = cuda.grid(1)
    while out.size >= 0:
        out[i % max(out.size, 1)] += a[0]


@pytest.mark.parametrize("kernel", [wild_store, one_too_far], ids=["illegal address", "one past the end"])
def test_a_store_outside_the_array_is_told_on_the_gpu_alone(kernel):
    program = Program(_source(kernel).replace(kernel.py_func.__name__, "vector_add"), "vector_add", setup=_setup())
    outcome = judge.check(vector_add_exercise(), program, device="cuda")

    assert not outcome.passed
    assert outcome.points < outcome.max_points


def test_after_a_poisoned_context_and_a_hang_the_next_check_passes():
    exercise = vector_add_exercise()
    for kernel in (wild_store, forever):
        program = Program(_source(kernel).replace(kernel.py_func.__name__, "vector_add"), "vector_add", setup=_setup())
        judge.check(exercise, program, device="cuda", deadline_s=5)

    assert judge.check(exercise, reference.solution_program(exercise), device="cuda").passed


def _source(kernel) -> str:
    import inspect

    return inspect.getsource(kernel.py_func)


def _setup():
    from autograder.answer.program import Piece

    return (Piece("import numpy as np\nfrom numba import cuda, float32\n", "setup"),)
