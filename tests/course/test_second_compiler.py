"""The course's solutions through numba-cuda-mlir's front end: what it refuses is what the page on compilers tells.

A third of the kernels that take it no time goes through at every commit, with one for each reason to refuse; all of
them before a release. Without a GPU; typed and lowered for sm_90, in one process that uses the successor.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib.util import find_spec

import pytest

from autograder.answer.reference import solution_program
from autograder.exercises import all_exercises
from simt.compilers import MLIR, VARIABLE
from tools.make import compilers as the_page
from tools.parts.units import ROOT


def recorded() -> dict[str, str]:
    """Exercise -> why the successor makes no code of its solution, as the page tells it."""
    return json.loads(the_page.FRONT_END.read_text(encoding="utf-8"))["refused"]


LONG = "tuples_of_tuples"  # whoever is refused for that takes 2 to 31 s, as long as all others together
KERNELS = [exercise.id for exercise in all_exercises() if exercise.kind == "kernel"]
ONE_OF_EACH = {kind: name for name, kind in recorded().items()}
SOME = {*[name for name in KERNELS if LONG != recorded().get(name)][::3], *ONE_OF_EACH.values()}


def refused(names: list[str]) -> dict[str, str]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), VARIABLE: MLIR, "CUDA_VISIBLE_DEVICES": ""}
    command = [sys.executable, "-m", "benchmarks.front_end", *names]
    result = subprocess.run(command, capture_output=True, text=True, env=environment, cwd=ROOT)
    assert 0 == result.returncode, result.stderr
    return json.loads(result.stdout.splitlines()[-1])["refused"]


@pytest.mark.parametrize(
    "names",
    [
        pytest.param([name for name in KERNELS if name in SOME], id="some"),
        pytest.param([name for name in KERNELS if name not in SOME], id="the_rest", marks=pytest.mark.release),
    ],
)
def test_the_second_compiler_takes_every_solution_but_those_that_the_page_tells_of(names):
    if not find_spec("numba_cuda_mlir"):
        pytest.skip(f"needs numba-cuda-mlir: {len(names)} of {len(KERNELS)} kernels were not tried")
    expected = {name: kind for name, kind in recorded().items() if name in names}

    assert expected == refused(names)


def test_the_page_tells_of_every_solution_that_has_a_kernel():
    solutions = json.loads(the_page.RESULT.read_text(encoding="utf-8"))["solutions"]
    with_kernels = {one.id for one in all_exercises() if "@cuda.jit" in solution_program(one).text}

    assert with_kernels <= set(solutions) <= {exercise.id for exercise in all_exercises()}


def test_no_solution_is_refused_for_a_reason_that_the_page_does_not_explain():
    assert {*recorded().values()} <= {*the_page.TITLES}
