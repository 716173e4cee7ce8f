"""A case runs once more from other poison and in another order of blocks, but not where a traced run told all."""

from dataclasses import replace

import numpy as np
import pytest

from autograder import exercises
from autograder.contract import Case
from autograder.judge import check
from autograder.running import run_simt
from autograder.running.buffers import fill
from autograder.running.cases.domain import Promises
from autograder.running.orders import Orders
from autograder.running.runs import Run
from simt.events import Finding
from tools.check_exercises import solution_of

ADDS = exercises.find("vector_add.vector_add")
CASE = Case({"n": 5})
TEXT = "c[i] = a[i] + b[i]"


def ran(**known) -> Run:
    """A run of a vector addition that wrote every element. known: attributes of it that differ."""
    name = ADDS.outputs[0].name
    return Run(**{"outputs": {name: np.arange(5, dtype=np.float32)}, "counters": {"atomic_operations": 0}, **known})


def unwritten() -> np.ndarray:
    left = np.arange(5, dtype=np.float32)
    fill(left[3:], 0)
    return left


def test_a_traced_run_without_findings_and_atomics_tells_all_and_speaks_for_cases_that_are_not_traced():
    orders = Orders()
    assert not orders.told(ADDS, CASE, ran(), False, TEXT)
    assert orders.told(ADDS, CASE, ran(), True, TEXT) and orders.told(ADDS, CASE, ran(), False, TEXT)


@pytest.mark.parametrize(
    "odd",
    [
        {"counters": {"atomic_operations": 1}},
        {"findings": [Finding("race", "two blocks write c[0]", note=True)]},
        {"error": ValueError()},
    ],
)
def test_what_may_depend_on_the_order_runs_again_and_so_does_every_later_case(odd):
    orders = Orders()
    assert orders.told(ADDS, CASE, ran(), True, TEXT)
    assert not orders.told(ADDS, CASE, ran(**odd), True, TEXT)
    assert not orders.told(ADDS, CASE, ran(), False, TEXT)


def test_an_output_that_looks_unwritten_runs_again():
    run = ran(outputs={ADDS.outputs[0].name: unwritten()})
    assert not Orders().told(ADDS, CASE, run, True, TEXT)


def test_a_corner_runs_once_unless_the_same_bits_are_promised():
    corner = Case({"n": 5}, trace=False, corner="value")
    assert Orders().told(ADDS, corner, ran(), False, TEXT)
    assert not Orders().told(replace(ADDS, promises=Promises(same_bits=("c",))), corner, ran(), False, TEXT)


def test_blocks_that_may_wait_for_one_another_run_again():
    assert not Orders().told(ADDS, CASE, ran(), True, "cuda.threadfence()")
    assert not Orders().told(exercises.find("scan.scan_lookback"), CASE, ran(), True, TEXT)


def test_lanes_that_ask_who_is_there_run_again_in_groups():
    assert not Orders().told(ADDS, CASE, ran(), True, "cuda.ballot_sync(cuda.activemask(), above)")


@pytest.mark.parametrize(("name", "times"), [("vector_add.vector_add", 1), ("reductions.sum_atomic", 2)])
def test_how_often_a_traced_case_of_a_right_answer_runs(name, times, monkeypatch):
    exercise, seeds, run = exercises.find(name), [], run_simt.run
    monkeypatch.setattr(run_simt, "run", lambda *a, **given: (seeds.append(given["seed"]), run(*a, **given))[1])

    assert check(exercise, solution_of(exercise), device="simt", isolate=False).points == exercise.points
    assert (times - 1) * sum(case.trace for case in exercise.cases) <= seeds.count(1)
    assert bool(seeds.count(1)) == (times > 1)
