"""A learner without numba: a browser, or a platform that numba has no build for. The interpreter is all there is."""

from __future__ import annotations

import pytest

from tests.no_numba import run
from tools.parts.units import ROOT

NOTEBOOK = """
    import json
    from pathlib import Path
    from simt import cuda_api
    cuda_api.install()  # in a browser, the stand-in is a package of its own
    import matplotlib
    matplotlib.use("agg")
    from IPython.core.interactiveshell import InteractiveShell
    shell = InteractiveShell.instance()
    from autograder import judge
    outcomes, check = [], judge.check

    def kept(exercise, *args, **options):
        outcomes.append((exercise.id, check(exercise, *args, **options)))
        return outcomes[-1][1]

    judge.check = kept
    for cell in json.loads(Path({path!r}).read_text())["cells"]:
        if cell["cell_type"] == "code":
            ran = shell.run_cell("".join(cell["source"]), store_history=True)
            if not ran.success:
                print("FAILED", repr(ran.error_in_exec or ran.error_before_exec))
    for identifier, outcome in dict(outcomes).items():  # of an exercise checked more than once, the last
        print("OUTCOME", identifier, type(outcome).__name__, outcome.points, "Not compiled" in " ".join(outcome.notes))
    import numba
    print("STAND-IN", cuda_api.is_stand_in(numba))
"""


@pytest.fixture(scope="module")
def printed() -> list[str]:
    """What the solved notebook of unit 01 prints, and then its verdicts."""
    path = ROOT / "solutions" / "01_vector_add" / "01_vector_add.ipynb"
    return run(NOTEBOOK.format(path=str(path)), warnings="default").splitlines()


def test_every_cell_of_the_first_unit_runs(printed):
    assert [] == [line for line in printed if line.startswith("FAILED")]
    assert "STAND-IN True" == printed[-1]


def test_every_exercise_of_the_first_unit_is_judged_right(printed):
    verdicts = [line.split() for line in printed if line.startswith("OUTCOME")]
    assert 8 == len(verdicts)
    assert {"Passed"} == {verdict for _, _, verdict, _, _ in verdicts}
    assert all(float(points) > 0 for _, _, _, points, _ in verdicts)


def test_verdicts_on_kernels_say_that_nothing_was_compiled(printed):
    silent = [line.split()[1] for line in printed if line.startswith("OUTCOME") and line.endswith("False")]
    assert ["vector_add.blocks_for"] == silent  # which is a host function without a kernel


def test_a_wrong_answer_is_explained_as_elsewhere(tmp_path):
    answer = """
from numba import cuda

@cuda.jit
def vector_add(a, b, out):
    i = cuda.grid(1)
    out[i] = a[i] + b[i]
"""
    (tmp_path / "answer.py").write_text(answer)
    says = run(f"""
        import sys
        sys.path.insert(0, {str(tmp_path)!r})
        from autograder import exercise  # importing it is enough where it comes before numba
        import answer
        exercise("vector_add.vector_add").check(answer.vector_add)
    """)
    assert "vector_add: not right yet" in says
    assert "225 accesses fell outside `a`" in says


def test_the_doctor_calls_it_a_limit_and_no_fault():
    says = run("import autograder\nautograder.doctor()", warnings="default")
    (numba,) = [line for line in says.splitlines() if "stand-in" in line]
    assert numba.startswith("limited")


def test_types_and_device_functions_of_the_stand_in_reach_a_fresh_process(tmp_path):
    kernel = """
from numba import cuda, float32, types
from numba.cuda import grid
from numba.cuda.random import xoroshiro128p_uniform_float32

@cuda.jit
def kernel(states, out):
    out[grid(1)] = float32(1) + types.float64(2) + xoroshiro128p_uniform_float32(states, 0)
"""
    (tmp_path / "answer.py").write_text(kernel)
    says = run(f"""
        import sys
        sys.path.insert(0, {str(tmp_path)!r})
        from autograder import exercise  # as a notebook does first
        from autograder.answer.globals_as_source import program_of
        import answer
        program = program_of(answer.kernel)
        print(program.setup[0].source)
        assert program.load()[1] is not answer.kernel
    """)
    assert "from numba import float32 as float32" in says
    assert "from simt.cuda_api.random import xoroshiro128p_uniform_float32" in says
