"""An object that stands in for an argument is made afresh for every call, wherever the answer runs."""

import os
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from autograder import exercises
from autograder.answer import reference
from autograder.classroom.judging import Task, judged
from autograder.classroom.messages import frames
from autograder.judge import check
from autograder.running import buffers, run_cuda
from autograder.running.buffers import make_values
from autograder.running.host_code.run_host import arguments_of
from tools.check_exercises import solution_of

SPREAD = exercises.find("engine_runtime.spread_work")
STOOD_FOR = [exercise for exercise in exercises.all_exercises() if exercise.stand_ins]


def test_a_call_gets_an_object_and_the_next_call_another_one():
    values = make_values(SPREAD, SPREAD.cases[0])
    (first, n), (second, _) = arguments_of(SPREAD, values), arguments_of(SPREAD, values)
    first.load(0, first.build(0))

    assert n == SPREAD.cases[0].sizes["n_requests"] and first.clock() > second.clock() == 0


def test_what_it_is_made_of_travels_to_a_jail():
    values = make_values(SPREAD, SPREAD.cases[0])
    document, arrays = frames.values_out(values)

    assert "devices" in arrays and list(values) == document["names"]
    np.testing.assert_array_equal(values["devices"], frames.values_in(document, arrays)["devices"])


def test_what_an_object_refuses_is_told_with_the_line():
    program = solution_of(SPREAD)
    source = program.source.replace("devices.load(d, plans[model])", "pass")
    outcome = check(SPREAD, replace(program, source=source), device="simt", isolate=False)

    assert not outcome.passed and "no device is at work" in str(outcome).replace("\n", " ")


def test_a_class_judges_such_an_answer_in_its_jail():
    task = Task(SPREAD.id, solution_of(SPREAD), trusted=True, host=True)

    assert judged(task).passed


@pytest.mark.skipif(os.environ.get("NUMBA_ENABLE_CUDASIM") == "1", reason="numba's simulator has no intrinsics")
@pytest.mark.parametrize(
    "exercise", [e for e in exercises.all_exercises() if e.stand_ins], ids=lambda exercise: exercise.id
)
def test_a_call_on_a_gpu_gets_them_too(exercise, monkeypatch):
    if reference.solved_notebook(exercise) is None:
        pytest.skip("there are no solved notebooks")
    monkeypatch.setattr(run_cuda, "cuda", SimpleNamespace(synchronize=lambda: None))
    values = make_values(exercise, exercise.cases[0])
    with reference.solved(exercise).loaded() as (_, function):
        run = run_cuda.run(exercise, function, buffers.fresh(exercise, values, 0))
    assert run.error is None
    for name, expected in exercise.expected_of(values).items():
        np.testing.assert_array_equal(expected, run.outputs[name])
