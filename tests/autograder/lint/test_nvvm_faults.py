"""What NVVM cannot optimise, by a fault of its own, is compiled at a lower level, and that is told."""

import numpy as np
import pytest

pytest.importorskip("numba.cuda")

from numba import cuda

from autograder.lint import compiler, lint, signature_of
from autograder.lint.compiler import unavailable_reason
from autograder.lint.fingerprint import Reports

pytestmark = pytest.mark.skipif(bool(unavailable_reason()), reason=unavailable_reason() or "compiler present")


class nvvmError(Exception):
    """NVVM refused."""


@cuda.jit
def count(out):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = i


@pytest.fixture
def report_where_nvvm_fails_at(monkeypatch):
    """What lint says of `count` where NVVM fails at some levels."""

    def report(*levels):
        def lower(kernel, signature, architecture, lines, level):
            if level in levels:
                raise nvvmError("ERROR_COMPILATION (9)")
            return compiler.lower(kernel, signature, architecture, lines, level)

        monkeypatch.setattr("autograder.lint._reports", Reports())
        monkeypatch.setattr("autograder.lint.lower", lower)
        return lint(count, signature_of([np.zeros(4, np.int64)]), architectures=("sm_75",))

    return report


@pytest.mark.parametrize(("levels", "told"), [((), False), ((3,), True)])
def test_a_kernel_that_cannot_be_optimised_compiles_with_a_note(report_where_nvvm_fails_at, levels, told):
    report = report_where_nvvm_fails_at(*levels)

    assert report.error is None and report.facts
    assert told == any(one.kind == "not_optimised" for one in report.findings)


def test_a_kernel_that_compiles_at_no_level_is_an_error(report_where_nvvm_fails_at):
    assert report_where_nvvm_fails_at(3, 1).error is not None
