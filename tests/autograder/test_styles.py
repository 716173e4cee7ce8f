"""Right answers in styles that people write pass, whatever binds the name, encodes the file or decorates the kernel."""

import linecache

import pytest

from autograder import lint as package
from autograder.answer.program import Program
from autograder.judge import check
from autograder.lint import lint, signature_of
from autograder.outcome import NotAttempted, Passed
from tests.autograder.answers import HEADER, add
from tests.autograder.sample import ADD, HOST_ADD

BODY = "(a, b, out):\n    i = cuda.grid(1)\n    if i < out.size:\n        out[i] = a[i] + b[i]\n"
STYLES = {
    "jit_called": f"def body{BODY}add = cuda.jit(body)\n",
    "jit_with_options_called": f"def body{BODY}add = cuda.jit(fastmath=True)(body)\n",
    "cached": f"@cuda.jit(cache=True)\ndef add{BODY}",
    "signature": f"@cuda.jit('void(float32[::1], float32[::1], float32[::1])')\ndef add{BODY}",
    "another_name": f"@cuda.jit\ndef first{BODY}add = first\n",
    "line_ends_of_windows": f"@cuda.jit\ndef add{BODY}".replace("\n", "\r\n"),
    "byte_order_mark": f"@cuda.jit\ndef add{BODY}",
    "slices_with_a_step": "@cuda.jit\ndef add(a, b, out):\n    i, n = cuda.grid(1), cuda.gridsize(1)\n"
    "    mine, x, y = out[i::n], a[i::n], b[i::n]\n    for k in range(mine.size):\n        mine[k] = x[k] + y[k]\n",
    "closure": "def made(step):\n    @cuda.jit\n    def add(a, b, out):\n        i = cuda.grid(1)\n"
    "        for k in range(i, out.size, cuda.gridsize(1) * step):\n            out[k] = a[k] + b[k]\n    return add\n"
    "add = made(1)\n",
}


@pytest.mark.parametrize("style", STYLES)
def test_a_right_answer_passes_in_this_style(style):
    mark = "\ufeff" if style == "byte_order_mark" else ""
    outcome = check(ADD, Program(mark + HEADER + STYLES[style], "add"), device="simt", isolate=False)
    assert Passed is type(outcome), outcome


def test_a_stub_bound_by_a_call_is_still_a_stub():
    source = HEADER + "def body(a, b, out):\n    raise NotImplementedError()\nadd = cuda.jit(body)\n"
    assert NotAttempted is type(check(ADD, Program(source, "add"), device="simt", isolate=False))


def test_a_lambda_in_a_notebook_has_the_name_it_is_bound_to():
    source = "host_add = lambda a, b: a + b\n"
    linecache.cache["<cell>"] = len(source), None, [source], "<cell>"
    space: dict = {}
    exec(compile(source, "<cell>", "exec"), space)
    outcome = check(HOST_ADD, space["host_add"], device="simt", isolate=False)
    assert "right" in {case.status for case in outcome.cases}, outcome


def test_code_that_compiles_without_line_information_is_not_refused(monkeypatch):
    pytest.importorskip("numba.cuda")
    import numpy as np

    lower = package.lower

    def without_lines_only(kernel, signature, architecture, lines, level):
        if lines:
            raise RuntimeError("NVVM_ERROR_COMPILATION: invalid debug location")
        return lower(kernel, signature, architecture, lines, level)

    monkeypatch.setattr(package, "lower", without_lines_only)
    arrays = [np.zeros(4, np.float32)] * 3
    report = lint(add, signature_of(arrays), architectures=["sm_86"])
    assert report.error is None and report.facts
