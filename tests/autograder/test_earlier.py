"""An answer that calls an earlier one which is wrong says so first, points at it, and loses nothing for it."""

from dataclasses import replace

import pytest

from autograder import exercises, judge
from autograder.answer import earlier
from autograder.answer.program import Piece, Program
from autograder.answer.reference import solution_program
from autograder.classroom import course, judging
from autograder.classroom.jail import namespaces as jail
from autograder.classroom.wire import Task
from autograder.judge import check
from autograder.outcome import Passed, Wrong

ADD = exercises.find("vector_add.add_on_device")
WITHOUT_A_TAIL = """@cuda.jit
def vector_add(a, b, out):
    i = cuda.grid(1)
    if i < out.size - 1:
        out[i] = a[i] + b[i]
"""
pytestmark = pytest.mark.skipif(solution_program(ADD) is None, reason="course not built")


def calling(kernel: str, change=lambda source: source) -> Program:
    """The solution of `add_on_device`, changed, with this kernel in the cell before."""
    unit = course.unit("01_vector_add")
    blocks = solution_program(exercises.find("vector_add.blocks_for")).source
    setup = (*unit.setup, Piece(kernel, f"{unit.id}.ipynb:vector_add"), Piece(blocks, f"{unit.id}.ipynb:blocks_for"))
    return Program(change(solution_program(ADD).source), ADD.function, f"{unit.id}.ipynb:{ADD.function}", 1, setup)


def test_in_a_notebook_the_earlier_answer_is_named_and_the_points_are_kept():
    outcome = check(ADD, calling(WITHOUT_A_TAIL), device="simt", isolate=False)

    assert (Passed, ADD.points) == (type(outcome), outcome.points)
    assert outcome.notes[0].startswith("It calls `vector_add`, which is not right yet: fix that first.")


def test_where_a_gpu_judges_too_it_is_only_told_and_the_points_stay_lost(monkeypatch):
    """Or whoever breaks an earlier answer on purpose has the one that calls it judged without the GPU."""
    monkeypatch.setattr(judge, "gpu_runs", lambda exercise: True)
    outcome = judge.check(ADD, calling(WITHOUT_A_TAIL), isolate=False)

    assert Wrong is type(outcome) and outcome.points < ADD.points
    assert outcome.notes[0].endswith("It calls `vector_add`, which is not right yet: fix that first.")


@pytest.mark.slow
@pytest.mark.skipif(bool(jail.unavailable()), reason=f"no jail here: {jail.unavailable()}")
def test_in_class_too():
    outcome = judging.judged(Task(ADD.id, calling(WITHOUT_A_TAIL), True, secret="x"))

    assert (Passed, ADD.points) == (type(outcome), outcome.points)
    assert "`vector_add`, which is not right yet" in outcome.notes[0]


@pytest.mark.slow
@pytest.mark.skipif(bool(jail.unavailable()), reason=f"no jail here: {jail.unavailable()}")
@pytest.mark.parametrize(
    "earlier_cell",
    ["def blocks_for(n, threads):\n    return n // threads\n", "def blocks_for(n, threads):\n    return 1\nmissing\n"],
    ids=["wrong", "its cell fails"],
)
def test_in_class_a_host_function_loses_nothing_for_another_host_function(earlier_cell):
    right = solution_program(exercises.find("vector_add.vector_add")).source
    program = calling(right)
    setup = (*program.setup[:-1], Piece(earlier_cell, program.setup[-1].filename))
    outcome = judging.judged(Task(ADD.id, replace(program, setup=setup), True, secret="x"))

    assert (Passed, ADD.points) == (type(outcome), outcome.points)
    assert "`blocks_for`, which is not right yet" in outcome.notes[0]


def test_a_mistake_of_its_own_is_told_as_that():
    own = calling(WITHOUT_A_TAIL, lambda source: source.replace("copy_to_host()", "copy_to_host() * 2"))
    outcome = check(ADD, own, device="simt", isolate=False)

    assert Wrong is type(outcome)
    assert not any("not right yet: fix that first" in note for note in outcome.notes)


def test_a_contract_may_build_on_what_is_not_known_here():
    assert () == earlier.built_on(replace(ADD, uses=("elsewhere.unknown",)), calling(WITHOUT_A_TAIL))
