"""The interpreter alone refuses what numba refuses, on the same line and in the words of the lint."""

import re

import numpy as np
import pytest

pytest.importorskip("numba.cuda")

from numba import cuda

import simt
from autograder.lint import lint, signature_of
from autograder.lint.compiler import unavailable_reason
from autograder.lint.source import syntax_of
from simt.errors import UnsupportedError
from tests.autograder.lint.refused import REFUSED
from tests.autograder.lint.refused.entry import skip_after_njit

RUNS = {
    "recurses": "numba compiles recursion for some types, which its own tests ask for; the interpreter runs it",
}
ANOTHER_LINE = {
    "uses_a_returned_array": "numba complains where the function is called, the interpreter where it returns",
    "grows_a_list": "numba complains where the list is used first, the interpreter where it is made",
}


def _name(one):
    return one.kernel.py_func.__name__


HEARD = [one for one in REFUSED if _name(one) not in RUNS]


def finding_of(one):
    arguments = [argument.copy() if isinstance(argument, np.ndarray) else argument for argument in one.arguments]
    findings = simt.trace(one.kernel, 1, 32, *arguments).findings
    assert [True] == [finding.kind == "unsupported" for finding in findings], findings
    return findings[0]


@pytest.mark.parametrize("one", HEARD, ids=_name)
def test_it_is_refused_in_plain_words_on_its_line(one):
    finding = finding_of(one)

    assert one.kind == finding.detail["reason"]
    assert one.says in finding.message and one.remedy in finding.remedy, finding
    if _name(one) not in ANOTHER_LINE:
        assert (syntax_of(one.where.py_func).lineno + one.line,) == finding.lines


@pytest.mark.skipif(bool(unavailable_reason()), reason=unavailable_reason() or "compiler present")
@pytest.mark.parametrize("one", HEARD, ids=_name)
def test_the_lint_says_the_same_sentences(one):
    skip_after_njit(one)
    finding, error = finding_of(one), lint(one.kernel, signature_of(one.arguments), architectures=("sm_75",)).error

    assert (error.says, error.remedy) == (finding.message, finding.remedy)


def test_every_exception_is_still_one():
    assert RUNS.keys() | ANOTHER_LINE.keys() <= {_name(one) for one in REFUSED}
    for one in REFUSED:
        if _name(one) in RUNS:
            assert [] == simt.trace(one.kernel, 1, 1, *one.arguments).findings


def test_a_plain_function_may_be_called_from_a_plain_kernel():
    def half(value):
        return value / 2

    def kernel(out):
        out[0] = half(out[0])

    out = np.ones(1)
    simt.launch(kernel, 1, 1, out)
    assert 0.5 == out[0]


def test_the_remedy_is_part_of_the_error_where_nobody_asks_for_findings():
    def kernel(out):
        out[out.size / 2] = 1

    with pytest.raises(Exception, match=re.escape("always gives a float. Divide with //, or convert with int(...)")):
        simt.launch(kernel, 1, 1, np.ones(4))


def test_what_only_the_interpreter_lacks_does_not_blame_the_kernel():
    def kernel(out):
        for (place,) in np.ndindex((cuda.grid(1) + 1,)):
            out[place] = 1

    with pytest.raises(UnsupportedError) as caught:
        simt.launch(kernel, 1, 2, np.zeros(2))
    assert "" == caught.value.reason
