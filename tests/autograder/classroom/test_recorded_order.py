"""Order made by streams, events and graphs is part of a class's record of a host function: it finds such races, too."""

from dataclasses import replace

import numpy as np
import pytest

from autograder import backend, exercises
from autograder.answer.program import Program
from autograder.classroom import course
from autograder.classroom.jail import namespaces as jail
from autograder.classroom.jail.plan_values import PlanError
from autograder.classroom.jail.replay import Replay
from autograder.classroom.judging import judged
from autograder.classroom.wire import Task
from autograder.exercises.answer_cells import cell_of
from autograder.exercises.catalogue import answers_for

needs_jail = pytest.mark.skipif(bool(jail.unavailable()), reason=f"no jail here: {jail.unavailable()}")


def in_class(function: str, source: str):
    """The outcome of a host function of unit 09, in the case whose order is looked at."""
    exercise = exercises.find(f"streams.{function}")
    counted = [budget.sizes for budget in exercise.budgets]
    few = replace(exercise, cases=tuple(case for case in exercise.cases if case.sizes in counted))
    program = Program(source, function, "09:answer", 1, course.unit(exercise.unit).setup)
    return judged(Task(exercise.id, program, host=True), few)


def known(function: str, name: str) -> str:
    """An answer of the catalogue, as a cell."""
    exercise = exercises.find(f"streams.{function}")
    (answer,) = [answer for answer in answers_for(exercise) if answer.name == name]
    return cell_of(answer, tuple(piece.source for piece in course.unit(exercise.unit).setup))


@needs_jail
@pytest.mark.parametrize(
    ("function", "name", "status", "misconception"),
    [
        ("in_chunks", "one_device_buffer_for_all", "Wrong", "missing_barrier"),
        ("as_graph", "one_launch_captured", "Wrong", "not_replayed"),
    ],
)
def test_an_answer_about_order_is_judged_as_in_a_notebook(function, name, status, misconception):
    found = in_class(function, known(function, name))

    assert (status, misconception) == (found.status, found.misconception), str(found)


@needs_jail
def test_a_race_is_told_at_the_students_own_line():
    source = known("after_both", "no_event")

    found = in_class("after_both", source)

    (line,) = [number for number, text in enumerate(source.splitlines(), 1) if text.strip().startswith("add[")]
    assert line in found.causes[0].lines, found.causes[0]


@needs_jail
def test_host_code_that_touches_what_the_device_may_use_is_judged_on_its_values():
    source = "def one_stream(x, out):\n    cuda.to_device(x, stream=cuda.stream())\n    out[:] = 2 * x + 1\n"

    found = in_class("one_stream", source)

    assert ("Wrong", "nothing_on_device") == (found.status, found.misconception)


@pytest.mark.parametrize(
    "step",
    [
        {"do": "synchronize", "stream": "1"},
        {"do": "synchronize", "stream": 10**9},
        {"do": "event", "action": "__init__", "event": 1, "stream": 0},
        {"do": "event", "action": "record", "event": 0, "stream": 0},
    ],
)
def test_a_forged_step_about_a_stream_is_refused(step):
    backend.install_stand_in()
    plan = {"steps": [{**step, "line": 0}], "returned": [None], "many": False, "error": None}

    with pytest.raises(PlanError):
        Replay({"a": np.zeros(4, np.float32)}, {}, "").run(plan)
