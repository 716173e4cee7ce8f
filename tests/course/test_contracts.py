"""What holds for the contracts of every unit: naive answers are right, slips are mistakes."""

import ast
from dataclasses import replace
from operator import attrgetter

import numpy as np
import pytest

from autograder import exercises
from autograder.diagnosis import slips
from autograder.running import buffers, run_simt
from autograder.running.compare import compare
from tests.part import a_part
from tools.check_exercises import prove_naive, solution_of
from tools.matrices.no_work import no_launch

SECONDS = 20.0
ALL = exercises.all_exercises()
RACED = [exercise for exercise in ALL if exercise.naive]
FIRST_RACED = list({exercise.unit: exercise for exercise in reversed(RACED)}.values())
SLOW = ("reductions.many_per_thread", "scan.scan_lookback")  # one thread at work for seconds: left to a release


SLIPS = [
    pytest.param(exercise, slip, id=f"{exercise.id}-{slip.misconception}-{number}")
    for exercise in ALL
    for number, slip in enumerate(exercise.slips)
]


@pytest.mark.parametrize("exercise", a_part(RACED, 2, attrgetter("id"), SLOW))
def test_the_naive_answer_is_right_with_its_own_launch_on_every_case(exercise):
    launched = replace(exercise, launch=exercise.naive_launch or exercise.launch)
    dtypes = {argument.name: argument.dtype for argument in exercise.outputs}
    wrong = []
    for case in exercise.cases:
        values = buffers.make_values(exercise, case)
        expected = exercise.expected_of(values)
        bounds = exercise.bound(values, expected) if exercise.bound else {}
        start = buffers.fresh(exercise, values, 0)
        run = run_simt.run(launched, exercises.naive_of(exercise), start, traced=False, seed=0, seconds=SECONDS)
        for name in expected:
            found = compare(name, run.outputs[name], expected[name], bounds.get(name), dtypes[name])
            wrong += [(case.name, str(found))] if found is not None else []

    assert [] == wrong


@pytest.mark.parametrize("exercise", a_part(FIRST_RACED, 2, attrgetter("id"), SLOW))
def test_the_naive_answer_has_no_mistake_but_its_cost(exercise):
    """Of an exercise in every second unit; `make check-exercises` proves all of them."""
    assert "" == prove_naive(exercise).complaint


def test_a_contract_says_of_a_host_function_on_arrays_whether_it_launches_nothing():
    """Which a class judges another way: from a record of launches and copies, or with its values."""
    on_arrays = [one for one in ALL if one.kind == "host" and any(argument.shape for argument in one.arguments)]
    trees = {one.id: ast.parse(solution_of(one).source) for one in on_arrays}
    idle = {one.id for one in on_arrays if no_launch(trees[one.id], one.function) is None}

    assert idle == {one.id for one in ALL if one.on_host}


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(("exercise", "slip"), SLIPS)
def test_every_slip_computes_something_wrong_of_the_right_shape(exercise, slip):
    differs = False
    for case in exercise.cases:
        values = buffers.make_values(exercise, case)
        right, produced = exercise.expected_of(values), slips.outputs_of(slip, values)
        for name in right:
            assert np.shape(right[name]) == np.shape(produced[name])
            differs |= np.ma.getmaskarray(produced[name]).any()  # masked elements are those that nobody wrote
            differs |= not np.array_equal(right[name], produced[name], equal_nan=True)

    assert differs


def test_where_pinned_arrays_go_through_streams_no_byte_may_cross_from_ordinary_memory():
    pinned = [one for one in ALL if one.arrays == "pinned" and one.unit == "09_streams"]
    limits = {(one.id, limit.at_most) for one in pinned for limit in one.budgets if limit.counter == "pageable_bytes"}

    assert pinned and {(one.id, 0) for one in pinned} == limits
