"""Unchanged kernels are recognised, and changed ones are not taken for them."""

import numpy as np
import pytest

pytest.importorskip("numba.cuda")
from numba import cuda, float32

from autograder.lint import LintReport, lint, signature_of
from autograder.lint.fingerprint import Reports, fingerprint_of

LINE = np.zeros(64, np.float32)
factor = 2
table = np.arange(4)


@cuda.jit(device=True)
def helper(value):
    return value * float32(factor)


@cuda.jit
def kernel(src, dst):
    i = cuda.grid(1)
    dst[i] = helper(src[i]) + table[0]


def fingerprint(signature=("float32[::1]", "float32[::1]"), architectures=("sm_75",)):
    return fingerprint_of(kernel, signature, architectures)


def test_the_same_kernel_is_recognised():
    assert fingerprint() == fingerprint()


def test_other_types_and_other_architectures_are_other_reports():
    assert 3 == len({fingerprint(), fingerprint(("float32[::1]", "int32[::1]")), fingerprint(architectures=("sm_90",))})


def test_a_constant_of_a_device_function_counts(monkeypatch):
    before = fingerprint()
    monkeypatch.setitem(globals(), "factor", 3)
    assert before != fingerprint()


def test_the_contents_of_a_constant_array_count(monkeypatch):
    before = fingerprint()
    monkeypatch.setitem(globals(), "table", np.arange(4) + 1)
    assert before != fingerprint()


def test_a_number_of_another_type_counts(monkeypatch):
    before = fingerprint()
    monkeypatch.setitem(globals(), "factor", 2.0)
    assert before != fingerprint()


def test_compiler_options_count(monkeypatch):
    before = fingerprint()
    monkeypatch.setitem(kernel.targetoptions, "fastmath", True)
    assert before != fingerprint()


def test_an_outer_value_of_unknown_kind_is_never_recognised(monkeypatch):
    monkeypatch.setitem(globals(), "table", object())
    assert fingerprint() is None


def test_the_report_that_was_unused_for_longest_is_forgotten():
    reports = Reports(capacity=2)
    for name in ("a", "b", "c"):
        reports.put(name, LintReport(name))
        reports.get("a")
    assert (LintReport("a"), None, LintReport("c")) == tuple(reports.get(name) for name in "abc")


def test_an_unchanged_kernel_gets_the_same_report_again():
    assert lint(kernel, signature_of((LINE, LINE))) == lint(kernel, signature_of((LINE, LINE)))
