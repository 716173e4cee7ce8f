"""What is not the learner's fault is never told as theirs: the interpreter's, the judge's, a library's."""

import sys

import pytest

from autograder import judge, worker
from autograder.judge import check
from autograder.outcome import Crashed, NotCheckable, Wrong
from tests.autograder import answers
from tests.autograder.answers import program
from tests.autograder.sample import ADD, HOST_ADD


def judged(exercise, answer, **options):
    """The outcome in this process, on the interpreter."""
    return check(exercise, answer, **{"device": "simt", "isolate": False, **options})


def test_a_failure_of_the_interpreter_itself_is_not_blamed_on_the_learner(monkeypatch):
    monkeypatch.setattr(sys.modules["simt.run"], "bind_arguments", None)
    outcome = judged(ADD, answers.add)
    assert (NotCheckable, "unsupported") == (type(outcome), outcome.misconception), outcome
    assert "a mistake of ours" in outcome.causes[0].says


HUGE = "def add(a, b, out):\n    mine = cuda.local.array(10 ** 12, np.float32)\n    mine[0] = 1\n    out[0] = mine[0]\n"


def test_a_kernel_that_asks_for_a_terabyte_is_no_failure_of_the_interpreter():
    """It is told with the limit that a GPU has for it, which the interpreter holds it to."""
    outcome = judged(ADD, program(f"@cuda.jit\n{HUGE}", "add"))
    assert (Wrong, "invalid_launch") == (type(outcome), outcome.causes[0].kind), outcome
    assert "takes 4,000,000,000,000 bytes of every thread" in outcome.causes[0].says


def test_a_kernel_for_which_this_machine_has_no_memory_is_no_failure_of_the_interpreter(monkeypatch):
    """As where each thread stays within the limit, and all of them together do not fit."""
    monkeypatch.setattr("simt.memory.shared_local.MAX_LOCAL_BYTES", 10**15)
    outcome = judged(ADD, program(f"@cuda.jit\n{HUGE}", "add"))
    assert isinstance(outcome, Crashed), outcome
    assert "more memory than there is" in outcome.causes[0].says


@pytest.mark.parametrize("isolate", [False, True])
def test_a_failure_of_the_judge_is_not_blamed_on_the_learner(monkeypatch, isolate):
    monkeypatch.setattr(judge, "run_stage", lambda *_: {}["n"])
    monkeypatch.setattr(worker.Child, "ask", lambda *_: {"raised": "KeyError: 'n', trial.py:1"})
    outcome = judged(HOST_ADD, program("def host_add(a, b):\n    return a + b\n", "host_add"), isolate=isolate)
    assert NotCheckable is type(outcome)
    assert "KeyError: 'n'" in outcome.observed and "a mistake of ours" in outcome.observed


NEEDS_A_LIBRARY = "def host_add(a, b):\n    import does_not_fit\n    return a + b\n"


def test_a_library_that_does_not_fit_this_machine_is_not_blamed_on_the_learner(tmp_path, monkeypatch):
    """As numba-cuda with a NumPy that lacks a name: its modules fail while the first kernel compiles."""
    library = tmp_path / "site-packages" / "does_not_fit"
    library.mkdir(parents=True)
    (library / "__init__.py").write_text("import numpy as np\nnp.row_stack_of_old\n")
    monkeypatch.syspath_prepend(str(library.parent))
    outcome = judged(HOST_ADD, program(NEEDS_A_LIBRARY, "host_add"))
    assert (NotCheckable, "unsupported") == (type(outcome), outcome.misconception), outcome
    told = outcome.causes[0]
    assert "does_not_fit fails to load" in told.says and "row_stack_of_old" in told.says and "doctor" in told.remedy
