"""Exercises for some GPUs: elsewhere they are interpreted, compiled for those GPUs, and the learner is told."""

import pytest

from autograder import backend, exercises, judge
from autograder.diagnosis.capability import architectures_of, gpu_runs, note_of
from autograder.lint import compiler
from autograder.outcome import NotCheckable

ANY, HOPPER = "matmul.matmul_tensor", "matmul.matmul_warpgroup"
AMPERE = "compression.sparse_products"


@pytest.fixture
def gpu(monkeypatch):
    """Pretend that this machine has a GPU of an architecture."""

    def have(architecture):
        monkeypatch.setattr(backend, "gpu_available", lambda: True)
        monkeypatch.setattr(compiler, "gpu_architecture", lambda: architecture)

    return have


@pytest.mark.parametrize("architecture, runs", [("sm_75", False), ("sm_80", False), ("sm_90", True), ("sm_120", False)])
def test_an_exercise_runs_on_the_gpu_that_has_its_instructions(gpu, architecture, runs):
    gpu(architecture)

    assert gpu_runs(exercises.find(HOPPER)) is runs and gpu_runs(exercises.find(ANY))
    assert [] == [*note_of(exercises.find(ANY))] and bool(note_of(exercises.find(HOPPER))) is not runs


@pytest.mark.parametrize("architecture, runs", [("sm_75", False), ("sm_80", True), ("sm_90", True), ("sm_120", True)])
def test_what_newer_gpus_have_kept_runs_on_them_and_is_compiled_for_them(gpu, architecture, runs):
    gpu(architecture)

    assert gpu_runs(exercises.find(AMPERE)) is runs
    assert architectures_of(exercises.find(AMPERE)) == (None if runs else ["sm_80", "sm_90"])
    assert architectures_of(exercises.find(AMPERE), ("sm_75", "sm_90")) == ["sm_90"]


def test_what_is_missing_is_said_with_both_numbers(gpu):
    gpu("sm_80")
    (note,) = note_of(exercises.find(HOPPER))
    outcome = judge.check(exercises.find(HOPPER), answer, device="cuda")

    assert "compute capability 9.0" in note and "this one has 8.0" in note and "H100" in note
    assert isinstance(outcome, NotCheckable) and "8.0" in outcome.observed


def test_it_is_compiled_for_its_own_gpu_alone():
    assert architectures_of(exercises.find(HOPPER), ("sm_75", "sm_90")) == ["sm_90"]
    assert architectures_of(exercises.find(ANY), ("sm_75", "sm_90")) == ["sm_75", "sm_90"]


def answer(a, b, c):
    c[0, 0] = a[0, 0] * b[0, 0]
