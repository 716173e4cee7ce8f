"""While an answer is interpreted, products of matrices keep to one thread; afterwards all is as it was."""

import os
from contextlib import nullcontext

import numpy as np
import pytest

from autograder import worker
from autograder.machine import one_blas_thread as module
from autograder.machine.one_blas_thread import Threads, of_blas, one_blas_thread
from autograder.running import examine


@pytest.fixture
def threads(monkeypatch):
    """A library that uses three."""
    found = [3]
    monkeypatch.setattr(module, "of_blas", lambda: Threads(lambda: found[-1], found.append))
    return found


def test_numpys_own_library_is_found_and_told():
    """Of the wheels that the project is tested with, each has one."""
    assert "openblas" in str(np.show_config(mode="dicts")["Build Dependencies"]["blas"]["name"]), "another BLAS: skip?"
    found = of_blas()
    assert found is not None
    before = found.number()
    with one_blas_thread():
        assert 1 == found.number()
    assert before == found.number()


def test_there_is_one_until_the_last_block_ends_even_after_an_error(threads):
    with one_blas_thread():
        with pytest.raises(ValueError), one_blas_thread():
            raise ValueError
        assert 1 == threads[-1]
    assert [3, 1, 3] == threads


def test_another_library_is_left_alone(monkeypatch):
    monkeypatch.setattr(module, "of_blas", lambda: None)
    with one_blas_thread():
        pass


def test_an_answer_is_interpreted_with_one_and_run_on_a_gpu_with_all(threads, monkeypatch):
    seen = []
    for stage in ("interpret", "run_on_gpu"):
        monkeypatch.setattr(examine, stage, lambda job, function: seen.append(threads[-1]))

    class Job:
        def function(self):

            return nullcontext()

    for stage in ("interpret", "gpu"):
        examine.run_stage(stage, Job())
    assert [1, 3] == seen


def test_the_process_that_interprets_has_one_from_its_start(monkeypatch):
    given = {}
    monkeypatch.setattr(worker.subprocess, "Popen", lambda *args, env, **options: given.update(env))
    monkeypatch.delenv("OPENBLAS_NUM_THREADS", raising=False)
    child = object.__new__(worker.Child)
    child.device, child._errors = "simt", None
    child._started()
    assert "1" == given["OPENBLAS_NUM_THREADS"] and "OPENBLAS_NUM_THREADS" not in os.environ
    given.clear()
    child.device = "cuda"
    child._started()
    assert "OPENBLAS_NUM_THREADS" not in given
