"""Host functions: recorded in a jail, carried out by the judge. What is right passes; what cheats does not."""

import json
from dataclasses import replace

import pytest

from autograder import exercises
from autograder.answer import earlier
from autograder.answer.program import Piece, Program
from autograder.classroom import course
from autograder.classroom.jail import namespaces as jail
from autograder.classroom.jail.inside.plans import _fitting, _n_bytes
from autograder.classroom.jail.plan import CUT_STEPS, MAX_RECORD_BYTES, MAX_STEPS
from autograder.classroom.jail.plan_values import PlanError, key_of
from autograder.classroom.jail.replay import replayed
from autograder.classroom.judging import judged
from autograder.classroom.messages.frames import MAX_DOCUMENT_BYTES
from autograder.classroom.wire import Task
from tests.autograder.classroom.test_host_in_place import in_class
from tests.part import a_part

needs_jail = pytest.mark.skipif(bool(jail.unavailable()), reason=f"no jail here: {jail.unavailable()}")

KERNEL = (
    "@cuda.jit\ndef vector_add(a, b, out):\n    i = cuda.grid(1)\n    if i < out.size:\n        out[i] = a[i] + b[i]\n"
)
BLOCKS = "def blocks_for(n, threads):\n    return max(1, -(-n // threads))\n"
HEAD = "def add_on_device(a, b):\n    d_a, d_b = cuda.to_device(a), cuda.to_device(b)\n"
HEAD += "    d_out = cuda.device_array_like(d_a)\n    vector_add[blocks_for(a.size, 256), 256](d_a, d_b, d_out)\n"


def outcome(source: str, function: str = "add_on_device", blocks: str = BLOCKS):
    """The outcome of a host function of unit 01, on top of a right kernel."""
    setup = course.unit("01_vector_add").setup
    pieces = (*setup, Piece(KERNEL, "01:vector_add"), Piece(blocks, "01:blocks_for"))
    program = Program(source, function, "01:add_on_device", 1, pieces)
    return judged(Task(f"vector_add.{function}", program, host=True))


@needs_jail
def test_a_right_host_function_passes_and_its_counters_are_the_judges_own():
    found = outcome(HEAD + "    return d_out.copy_to_host()\n")

    assert "Passed" == found.status
    assert found.budgets


@needs_jail
def test_a_host_function_that_is_right_at_the_known_sizes_only_is_not_right():
    known = sorted({case.sizes["n"] for case in exercises.find("vector_add.add_on_device").cases})

    found = outcome(HEAD + f"    return d_out.copy_to_host() if a.size in {known} else a\n")

    wrong = [case.name for case in found.cases if case.status == "wrong"]
    assert "Wrong" == found.status
    assert wrong and not {f"n = {n}" for n in known} & set(wrong)


@needs_jail
def test_adding_on_the_cpu_earns_nothing():
    found = outcome("def add_on_device(a, b):\n    return a + b\n")

    assert "computed_on_the_host" == found.misconception
    assert 0.0 == found.points


@needs_jail
def test_a_launch_for_show_beside_a_cpu_answer_earns_nothing():
    found = outcome(HEAD + "    return a + b\n")

    assert 0.0 == found.points


@needs_jail
@pytest.mark.parametrize(
    ("more", "status", "says"),
    [
        pytest.param(
            "    for i in range(a.size):\n        d_out[i]\n",
            "NotCheckable",
            "up to 4,000 launches, copies",
            marks=pytest.mark.release,
        ),
        (
            "    while True:\n        vector_add[1, 256](d_a, d_b, d_out)\n",
            "TimedOut",
            "kernels when the check stopped",
        ),
    ],
    ids=["element by element", "endless"],
)
def test_a_function_that_asks_for_more_than_a_record_holds_is_for_review_and_one_that_never_ends_is_told_so(
    more, status, says
):
    found = outcome(HEAD + more + "    return d_out.copy_to_host()\n")

    assert status == found.status
    assert says in found.observed + "".join(cause.says for cause in found.causes)


def test_the_records_of_all_cases_fit_into_a_message_however_long_each_is():
    step = {"do": "launch", "kernel": "k" * 300, "grid": [1, 1, 1], "block": [256, 1, 1], "shared": 0, "args": [0] * 9}
    call = {"steps": [{**step, "line": 9}] * MAX_STEPS, "returned": [], "many": False, "error": None, "beyond": ""}
    room, kept = MAX_RECORD_BYTES, []
    for _ in range(8):
        kept.append(_fitting({**call, "long": False}, room))
        room -= _n_bytes(kept[-1])

    assert len(json.dumps(json.dumps(kept))) < MAX_DOCUMENT_BYTES
    assert len(json.dumps(json.dumps([{**call, "long": False}] * 8))) > MAX_DOCUMENT_BYTES
    assert [MAX_STEPS, CUT_STEPS, 0] == sorted({len(one["steps"]) for one in kept}, reverse=True)
    assert all(one["long"] == (len(one["steps"]) < MAX_STEPS) for one in kept)


@needs_jail
def test_an_error_is_shown_at_the_students_own_line():
    found = outcome(HEAD + "    return d_out.copy_to_hosts()\n")

    assert "copy_to_hosts" in str(found)
    assert 5 in found.causes[0].lines
    assert "replayed" not in str(found)


@needs_jail
def test_an_error_in_another_cell_is_shown_where_it_is_called_with_the_name_of_who_raised_it(monkeypatch):
    monkeypatch.setattr(earlier, "built_on", lambda *_: ())  # or the course's own would stand in its place
    found = outcome(
        HEAD + "    return d_out.copy_to_host()\n", blocks="def blocks_for(n, threads):\n\n    return n / 0\n"
    )

    assert ("ZeroDivisionError" in found.causes[0].says, (4,)) == (True, found.causes[0].lines)
    assert "raised in `blocks_for`" in found.causes[0].says


def test_what_builds_on_a_stub_is_told_which_one_before_anything_runs():
    found = outcome(
        HEAD + "    return d_out.copy_to_host()\n",
        blocks="def blocks_for(n, threads):\n    ...\n    raise NotImplementedError()\n",
    )

    assert ("Crashed", 0.0, (4,)) == (found.status, found.points, found.causes[0].lines)
    assert "`add_on_device` calls `blocks_for`, which still holds only its stub." == found.causes[0].says


@needs_jail
@pytest.mark.parametrize(
    "body",
    a_part(
        [
            "import os\n    os._exit(0)",
            "import sys\n    sys.exit(0)",
            "raise SystemExit",
            "raise KeyboardInterrupt",
            "return None",
            "return object()",
            "return type('E', (), {'__eq__': lambda *a: True})()",
            "import os, json\n    os.write(3, json.dumps({'calls': [{}] * 99}).encode()); os._exit(0)",
            "import sys\n    sys.setrecursionlimit(10**9)\n    f = lambda: f()\n    f()",
            "import gc\n    return [o for o in gc.get_objects() if isinstance(o, dict)]",
            "from autograder import exercises\n    e = exercises.find('vector_add.add_on_device')\n"
            "    return e.oracle({'a': a, 'b': b})['out']",
            "import numpy\n    numpy.array_equal = numpy.allclose = lambda *a, **k: True\n    return a",
        ],
        4,
        named=repr,
    ),
)
def test_what_tries_to_get_points_from_inside_the_jail_gets_none(body):
    assert 0.0 == outcome(f"def add_on_device(a, b):\n    {body}\n").points


@needs_jail
@pytest.mark.parametrize("result", ["{'input': 'a'}", "{'step': 2}", "{'step': 10**9}", "{}", "{'oracle': 'out'}", "3"])
def test_a_patched_recorder_can_only_change_the_plan_not_the_verdict(result):
    patch = f"from autograder.classroom import recorder\nrecorder.Recorder.refer = lambda *_: {result}\n\n"

    assert 0.0 == outcome(patch + HEAD + "    return d_out.copy_to_host()\n").points


@needs_jail
def test_a_host_function_may_finish_on_the_cpu_what_kernels_computed():
    body = "    part = d_out.copy_to_host()\n    return np.where(part > 0, part, part + np.float32(0))\n"

    assert "Passed" == outcome(HEAD + body).status


@needs_jail
def test_host_code_may_decide_by_a_result_what_to_do_next():
    again = "vector_add[blocks_for(a.size, 256), 256](d_b, d_a, d_out)"
    body = f"    if d_out.size and d_out.copy_to_host()[0] > 0:\n        {again}\n    return d_out.copy_to_host()\n"

    found = outcome(HEAD + body)

    assert {"right"} == {case.status for case in found.cases}
    assert "too_many_transfers" == found.misconception


@needs_jail
def test_inputs_never_enter_the_jail_so_that_a_result_cannot_be_computed_there():
    body = "    d_out.copy_to_host()\n    return a + b\n"

    found = outcome(HEAD + body)

    assert 0.0 == found.points
    assert "computed by Python on the CPU" in str(found)


def test_without_a_jail_a_host_function_is_not_run_but_the_way_out_is_named(monkeypatch):
    monkeypatch.setattr(jail, "unavailable", lambda: "User namespaces do not work here.")

    found = outcome(HEAD + "    return d_out.copy_to_host()\n")

    assert "NotCheckable" == found.status
    assert "--trust-submissions" in str(found)


@pytest.mark.parametrize(
    "steps",
    [
        [{"do": "run", "line": 1}],
        [{"do": "_literal", "line": 1}],
        [{"do": "launch", "kernel": "replayed", "grid": [1], "block": [1], "shared": 0, "args": [], "line": 1}],
        [{"do": "launch", "kernel": "__builtins__", "grid": [1], "block": [1], "shared": 0, "args": [], "line": 1}],
        [{"do": "copy_to_host", "on": 5, "line": 1}],
        [{"do": "copy_to_host", "on": -1, "line": 1}],
        [{"do": "device_array", "shape": [1], "dtype": "O", "order": "C", "line": 1}],
        [
            {"do": "input", "name": "a", "line": 1},
            {"do": "method", "on": 0, "name": "tofile", "args": ["x"], "line": 1},
        ],
    ],
)
def test_a_forged_plan_can_do_nothing_but_move_arrays_and_launch_kernels(steps):
    import json

    import numpy as np

    plan = {"steps": steps, "returned": [], "many": False, "error": None}
    plans = json.dumps({key_of([np.zeros(3, np.float32)]): plan})

    with pytest.raises(PlanError):
        replayed(plans, globals(), ["a"], [0], np.zeros(3, np.float32))


def test_a_plan_that_allocates_without_end_is_stopped():
    import json

    import numpy as np

    step = {"do": "device_array", "shape": [1 << 31], "dtype": "<f4", "order": "C", "line": 1}
    plans = json.dumps({key_of([np.float32(1)]): {"steps": [step], "returned": [], "many": False, "error": None}})

    with pytest.raises(MemoryError):
        replayed(plans, {}, ["a"], [], np.float32(1))


def test_the_exercise_used_here_is_a_host_function():
    assert "host" == exercises.find("vector_add.add_on_device").kind


def hosted():
    """Exercises in host code: the first of each unit in every commit, all of them before a release."""
    of_units = {e.unit: e for e in reversed(exercises.all_exercises()) if e.kind == "host"}
    for each in exercises.all_exercises():
        if each.kind == "host":
            yield pytest.param(each, id=each.id, marks=() if each is of_units[each.unit] else pytest.mark.release)


@needs_jail
@pytest.mark.parametrize("exercise", list(hosted()))
def test_every_host_solution_earns_all_its_points_in_class(exercise):
    counted = [budget.sizes for budget in exercise.budgets]
    cases = [case for case in exercise.cases if case.sizes in counted] or exercise.cases[:1]
    few = replace(exercise, cases=tuple(cases))  # what is counted and a plan lacks shows in any case

    found = judged(Task(exercise.id, in_class(exercise), host=True), few)

    assert exercise.points == found.points, str(found)
