"""Unchanged kernels are recognised, and changed ones are not taken for them."""

from types import FunctionType

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


def loaded_as(monkeypatch, name):
    """The fingerprint of the kernel with a helper of the same text that another module of this name holds."""
    namespace = {"__name__": name, "factor": factor, "float32": float32}
    monkeypatch.setitem(globals(), "helper", cuda.jit(device=True)(FunctionType(helper.py_func.__code__, namespace)))
    return fingerprint()


def test_a_helper_that_was_loaded_again_is_the_same(monkeypatch):
    assert loaded_as(monkeypatch, "answer_1") == loaded_as(monkeypatch, "answer_2")


def scaled_by(number):
    @cuda.jit(device=True)
    def scaled(value):
        return value * float32(number)

    return scaled


def test_of_two_helpers_with_one_text_the_outer_values_of_both_count(monkeypatch):
    def of(first, second):
        for name, number in (("helper", first), ("table", second)):
            monkeypatch.setitem(globals(), name, scaled_by(number))
        return fingerprint()

    assert 4 == len({of(2, 3), of(2, 4), of(3, 2), of(4, 2)})


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
