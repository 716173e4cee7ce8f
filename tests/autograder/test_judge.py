"""The pipeline: what each stage concludes, what it costs in points, and what a learner reads."""

import dataclasses
import gc
import json
import time

import numpy as np
import pytest

import simt
from autograder import judge, worker
from autograder.answer.program import Program
from autograder.contract import Argument, Case, Exercise
from autograder.judge import check
from autograder.outcome import Crashed, NotAttempted, NotCheckable, Passed, TimedOut, Wrong
from autograder.running import examine
from autograder.running.compiled import Compiled
from autograder.running.examine import Examination, interpret
from autograder.running.job import Job
from simt.cuda_api import cuda
from tests.autograder import answers
from tests.autograder.answers import add_by, block_sum_with, program
from tests.autograder.sample import ADD, BLOCK_SUM, EXERCISES, HOST_ADD
from tests.patience import PATIENCE_S


def judged(exercise, answer, **options):
    """The outcome in this process, on the interpreter."""
    return check(exercise, answer, **{"device": "simt", "isolate": False, **options})


@pytest.mark.parametrize("exercise", EXERCISES, ids=lambda exercise: exercise.id)
def test_a_right_answer_passes_with_full_points(exercise):
    outcome = judged(exercise, getattr(answers, exercise.function))
    assert (Passed, exercise.points, ()) == (type(outcome), outcome.points, outcome.causes), outcome


def test_the_stub_is_not_attempted_and_no_case_runs():
    outcome = judged(ADD, program("@cuda.jit\ndef add(a, b, out):\n    raise NotImplementedError()\n", "add"))
    assert (NotAttempted, 0.0) == (type(outcome), outcome.points)
    assert {"not_run"} == {case.status for case in outcome.cases}


def test_a_stub_line_left_behind_is_pointed_out():
    body = "@cuda.jit\ndef add(a, b, out):\n    out[0] = a[0]\n    raise NotImplementedError()\n"
    assert "Line 8 still says" in judged(ADD, program(body, "add")).observed


def test_the_first_wrong_element_of_the_smallest_wrong_case_is_observed():
    outcome = judged(ADD, add_by("a[i] + b[i]", index="cuda.threadIdx.x"))
    assert outcome.observed.startswith("Wrong at n = 257: out[256] was never written, expected")
    assert "only_first_block" == outcome.misconception


def test_a_slip_is_recognised_by_what_it_produces():
    outcome = judged(ADD, add_by("a[i] - b[i]"))
    assert ("subtracts", "It subtracts instead of adding.") == (outcome.misconception, outcome.causes[0].says)


def test_half_of_the_points_are_shared_out_over_the_cases():
    outcome = judged(ADD, add_by("a[i] + b[i]", index="cuda.threadIdx.x"))
    right = sum(case.status == "right" for case in outcome.cases)
    assert 2 == right
    assert round(0.5 * ADD.points * right / len(outcome.cases), 2) == outcome.points


def test_a_missed_budget_alone_leaves_sixty_percent():
    tight = dataclasses.replace(ADD.budgets[1], at_most=10)
    outcome = judged(dataclasses.replace(ADD, budgets=(tight,)), answers.add)
    assert (Wrong, 0.6 * ADD.points, "too_much_traffic") == (type(outcome), outcome.points, outcome.misconception)
    assert [False] == [result.met for result in outcome.budgets]


def test_a_budget_is_not_mentioned_where_the_answer_is_wrong():
    tight = dataclasses.replace(ADD.budgets[1], at_most=10)
    outcome = judged(dataclasses.replace(ADD, budgets=(tight,)), add_by("a[i]"))
    assert () == outcome.budgets
    assert "wrong_output" == outcome.causes[0].kind


def test_a_race_with_the_right_result_is_wrong_and_named_with_its_line():
    outcome = judged(BLOCK_SUM, block_sum_with("        cuda.syncthreads()\n        d //= 2", "        d //= 2"))
    assert (Wrong, "missing_barrier") == (type(outcome), outcome.misconception)
    assert "Race, line 16   s[t] += s[t + d]" in str(outcome)


def test_a_missing_guard_is_named_even_where_the_output_is_right():
    outcome = judged(
        ADD, program("@cuda.jit\ndef add(a, b, out):\n    i = cuda.grid(1)\n    out[i] = a[i] + b[i]\n", "add")
    )
    assert "no_guard" == outcome.misconception
    assert "The result is right at n = 31, but 225 accesses fell outside `a`." == outcome.observed


def test_a_guard_that_lets_one_more_through_is_off_by_one_and_quoted():
    outcome = judged(ADD, add_by("a[i] + b[i]", guard="i <= out.size"))
    assert "off_by_one" == outcome.misconception
    assert "`i` is less than a.size. The condition at line" in outcome.causes[0].remedy
    assert "`i <= out.size`, lets it through." in outcome.causes[0].remedy


def test_a_race_explains_a_wrong_sum_so_only_the_race_is_told():
    outcome = judged(BLOCK_SUM, program(BLOCK_SUM_IN_GLOBAL, "block_sum"))
    assert "lost_update" == outcome.misconception
    assert "wrong_output" not in {cause.kind for cause in outcome.causes}


BLOCK_SUM_IN_GLOBAL = """
@cuda.jit
def block_sum(src, out):
    i = cuda.grid(1)
    if cuda.threadIdx.x == 0:
        out[cuda.blockIdx.x] = 0
    cuda.syncthreads()
    if i < src.size:
        out[cuda.blockIdx.x] += src[i]
"""


def test_what_does_not_compile_is_told_before_what_is_wrong():
    pytest.importorskip("numba.cuda")
    outcome = judged(ADD, add_by("a[i] + c[i]"))
    assert (Wrong, "not_compiled", 0.0) == (type(outcome), outcome.misconception, outcome.points)
    assert "`c`" in outcome.causes[0].says


def test_a_plain_function_is_told_to_be_a_kernel():
    outcome = judged(ADD, program("def add(a, b, out):\n    out[cuda.grid(1)] = 1\n", "add"))
    assert "@cuda.jit" in outcome.causes[0].remedy


def test_double_precision_fails_where_every_argument_is_float32():
    pytest.importorskip("numba.cuda")
    creeping = add_by("(a[i] * 0.1 + b[i] * 0.1) * 10.0 + 0.0 * (a[i] + b[i])")
    exercise = dataclasses.replace(ADD, bound=lambda values, expected: {"out": 1.0}, budgets=())
    exercise = dataclasses.replace(exercise, cases=tuple(case for case in ADD.cases if case.values == "general"))
    assert "float64_arithmetic" == judged(exercise, creeping).misconception
    assert Passed is type(judged(dataclasses.replace(exercise, allow_float64=True), creeping))


def test_an_endless_kernel_is_timed_out_in_this_very_process():
    body = "@cuda.jit\ndef add(a, b, out):\n    i = 0\n    while i < 1:\n        i = 0 * out.size\n"
    outcome = judged(ADD, program(body, "add"), deadline_s=1.0)
    assert (TimedOut, "infinite_loop") == (type(outcome), outcome.misconception), outcome


def test_an_exception_in_a_host_function_is_crashed_with_its_line():
    outcome = judged(HOST_ADD, program("def host_add(a, b):\n    return a[a.size] + b\n", "host_add"))
    assert (Crashed, (6,)) == (type(outcome), outcome.causes[0].lines), outcome
    assert "IndexError" in outcome.causes[0].says


def test_a_host_function_that_returns_nothing_is_told_so():
    outcome = judged(HOST_ADD, program("def host_add(a, b):\n    a + b\n", "host_add"))
    assert ("wrong_return", Wrong) == (outcome.misconception, type(outcome))


def test_a_host_function_that_leaves_its_result_on_the_device_is_told_so():
    outcome = judged(HOST_ADD, program("def host_add(a, b):\n    return cuda.to_device(a + b)\n", "host_add"))
    assert "copy_to_host" in outcome.causes[0].says


def test_a_host_function_that_keeps_something_between_calls_is_found_out():
    body = "CALLS = []\ndef host_add(a, b):\n    CALLS.append(1)\n    return a + b if len(CALLS) == 1 else a - b\n"
    outcome = judged(HOST_ADD, program(body, "host_add"))
    assert "output_accumulates" == outcome.misconception
    assert outcome.observed.startswith("Wrong at n = 1: on a second call, out[0] is")


def first_to_come(seed):
    """Which block gets the first ticket in the order of a seed."""

    def first_come(ticket, first):
        if cuda.atomic.add(ticket, 0, 1) == 0:
            first[0] = cuda.blockIdx.x

    first = np.zeros(1, np.int32)
    simt.launch(first_come, 64, 1, np.zeros(1, np.int32), first, seed=seed)
    return first


ORDERED = Exercise(
    id="sample.first_come",
    unit="sample",
    title="First come",
    task="Write block 0's number. Use the ticket.",
    function="first_come",
    arguments=(Argument("ticket", "inout", "int32", "(1,)"), Argument("first", "out", "int32", "(1,)")),
    make=lambda sizes, values, rng: {"ticket": np.zeros(1, np.int32), "first": np.zeros(1, np.int32)},
    oracle=lambda values: {"ticket": np.int32([64]), "first": first_to_come(seed=0)},
    launch=lambda values: (64, 1),
    cases=(Case({"n": 8}, trace=False),),
    points=1,
    hints=ADD.hints,
    topics=(),
)
FIRST_COME = """
@cuda.jit
def first_come(ticket, first):
    if cuda.atomic.add(ticket, 0, 1) == 0:
        first[0] = cuda.blockIdx.x
"""


def test_a_result_that_depends_on_the_order_of_blocks_is_found_out():
    assert first_to_come(seed=0) != first_to_come(seed=1)
    outcome = judged(ORDERED, program(FIRST_COME, "first_come"))
    assert "order_dependent" == outcome.misconception, outcome


COPIES_A_LOT = """
@cuda.jit
def add(a, b, out):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = a[i] + b[i]


def host_add(a, b):
    for _ in range(9):
        d_a = cuda.to_device(a)
    d_out = cuda.device_array_like(d_a)
    if a.size:
        add[-(-a.size // 256), 256](d_a, cuda.to_device(b), d_out)
    return d_out.copy_to_host()
"""


def test_copies_count_against_a_budget():
    assert "too_many_transfers" == judged(HOST_ADD, Program(answers.HEADER + COPIES_A_LOT, "host_add")).misconception


def test_module_code_that_fails_is_crashed_not_raised():
    outcome = judged(ADD, program("1 / 0\ndef add(a, b, out):\n    out[0] = 1\n", "add"))
    assert (Crashed, "not_loaded") == (type(outcome), outcome.misconception)


def test_a_function_under_another_name_is_not_attempted():
    assert "`add`" in judged(ADD, program("@cuda.jit\ndef sum2(a, b, out):\n    out[0] = 1\n", "add")).observed


def test_asking_for_cuda_without_a_gpu_is_not_checkable(monkeypatch):
    monkeypatch.setattr(judge.backend, "gpu_available", lambda: False)
    assert NotCheckable is type(check(ADD, answers.add, device="cuda"))


def test_an_unknown_device_is_refused():
    with pytest.raises(ValueError, match="'tpu'"):
        check(ADD, answers.add, device="tpu")


def test_verdicts_repeat_to_the_letter():
    wrong = add_by("a[i] * b[i]")
    assert str(judged(ADD, wrong)) == str(judged(ADD, wrong))


def test_the_child_reaches_the_same_verdict_as_this_process():
    wrong = block_sum_with("while d > 0", "while d > 1")
    assert judged(BLOCK_SUM, wrong).to_json() == judged(BLOCK_SUM, wrong, isolate=True).to_json()


def test_an_examination_survives_json():
    submission = block_sum_with("        cuda.syncthreads()\n        d //= 2", "        d //= 2")
    examination = interpret(Job(BLOCK_SUM, submission, seconds=20.0), submission.load()[1])
    again = Examination.from_json(json.loads(json.dumps(examination.to_json())))
    assert (examination.compiled, examination.trial.causes, examination.trial.cases) == (
        again.compiled,
        again.trial.causes,
        again.trial.cases,
    )


def test_predictions_come_back_measured():
    assert {"global_load_requests"} == set(judged(ADD, answers.add).facts["predictions"])


def teardown_module():
    worker.stop_all()


def test_the_garbage_collector_rests_while_two_threads_read_source(monkeypatch):
    """Two threads of Python 3.11 that call ast.parse, and a collection in between, end in a SystemError."""
    seen = []

    def compiled(exercise, function):
        seen.append(gc.isenabled())
        return Compiled()

    monkeypatch.setattr(examine, "compile_kernel", compiled)
    monkeypatch.setattr(examine, "unavailable_reason", lambda: "")

    submission = add_by("a[i] + b[i]")
    examine.interpret(Job(ADD, submission, seconds=20.0), submission.load()[1])

    assert [False] == seen
    deadline = time.monotonic() + PATIENCE_S
    while not gc.isenabled() and time.monotonic() < deadline:  # the compiler may still be at work for a test before
        time.sleep(0.01)
    assert gc.isenabled()
