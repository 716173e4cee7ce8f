"""Runs on the GPU: guard bands around every buffer, results read back. Without a GPU the stand-in takes its place."""

import numpy as np
import pytest

from autograder import backend, worker
from autograder.contract import Case
from autograder.judge import check
from autograder.outcome import Crashed, Passed, Wrong
from autograder.running import buffers, run_cuda
from tests.autograder import answers
from tests.autograder.answers import HEADER, add_by, program
from tests.autograder.sample import ADD, BLOCK_SUM, EXERCISES, HOST_ADD

on_gpu = pytest.mark.gpu
needs_gpu = pytest.mark.skipif(not backend.gpu_available(), reason="needs a GPU")


@pytest.mark.parametrize("exercise", EXERCISES, ids=lambda exercise: exercise.id)
@pytest.mark.parametrize("n", [1, 257, 1025])
def test_a_right_answer_gives_the_oracles_values_between_untouched_guards(exercise, n):
    values = buffers.make_values(exercise, Case({"n": n}))
    run = run_cuda.run(exercise, getattr(answers, exercise.function), buffers.fresh(exercise, values, 0))
    assert (None, []) == (run.error, run.damage)
    assert np.array_equal(exercise.oracle(values)["out"], run.outputs["out"])


def test_a_guarded_array_reads_back_what_was_put_in():
    values = np.arange(15, dtype=np.int32).reshape(3, 5)
    contents, untouched = run_cuda.Guarded.of(values).read_back(values)
    assert untouched and np.array_equal(values, contents)


def test_a_byte_beside_an_array_is_noticed():
    values = np.arange(5, dtype=np.float32)
    for place in (run_cuda.GUARD_BYTES - 1, run_cuda.GUARD_BYTES + values.nbytes):
        guarded = run_cuda.Guarded.of(values)
        guarded.allocation[place] = 0
        assert not guarded.read_back(values)[1]


def test_an_empty_array_has_guards_too():
    values = np.zeros(0, np.float32)
    assert (0, True) == (
        run_cuda.Guarded.of(values).read_back(values)[0].size,
        run_cuda.Guarded.of(values).read_back(values)[1],
    )


def test_what_the_learners_code_raises_is_kept():
    def host_add(a, b):
        raise ValueError("mine")

    run = run_cuda.run(HOST_ADD, host_add, buffers.make_values(HOST_ADD, Case({"n": 1})))
    assert ("mine", {}) == (str(run.error), run.outputs)


@on_gpu
@needs_gpu
@pytest.mark.parametrize("exercise", EXERCISES, ids=lambda exercise: exercise.id)
def test_right_answers_pass_on_the_gpu(exercise):
    outcome = check(exercise, getattr(answers, exercise.function))
    assert Passed is type(outcome), outcome
    assert {"simt", "cuda"} == {case.device for case in outcome.cases}


@on_gpu
@needs_gpu
def test_a_write_beside_an_array_is_found_on_the_gpu():
    body = "@cuda.jit\ndef add(a, b, out):\n    i = cuda.grid(1)\n    if i <= out.size:\n        out[i] = a[i] + b[i]\n"
    outcome = check(ADD, program(body, "add"), device="cuda")
    assert (Wrong, "no_guard") == (type(outcome), outcome.misconception), outcome


@on_gpu
@needs_gpu
def test_an_illegal_address_is_crashed_and_the_next_check_works():
    body = "@cuda.jit\ndef add(a, b, out):\n    out[cuda.grid(1) + (1 << 40)] = 1\n"
    outcome = check(ADD, program(body, "add"), device="cuda")
    assert Crashed is type(outcome), outcome
    assert worker.NOTHING_WRONG_HERE in str(outcome).replace("\n       ", " ")
    assert Passed is type(check(ADD, add_by("a[i] + b[i]"), device="cuda"))


@on_gpu
@needs_gpu
def test_a_kernel_that_hangs_is_timed_out_and_the_next_check_works():
    body = (
        HEADER
        + "@cuda.jit\ndef block_sum(src, out):\n    while out.size:\n        cuda.atomic.add(out, 0, float32(0))\n"
    )
    outcome = check(BLOCK_SUM, answers.Program(body, "block_sum"), device="cuda", deadline_s=3.0)
    assert "TimedOut" == outcome.status, outcome
    assert Passed is type(check(BLOCK_SUM, answers.block_sum, device="cuda"))


def teardown_module():
    worker.stop_all()
