"""What numba refuses is told in plain words, with the line and something to do."""

import pytest

pytest.importorskip("numba.cuda")

from autograder.lint import lint, signature_of
from autograder.lint.compiler import unavailable_reason
from autograder.lint.source import syntax_of
from tests.autograder.lint.refused import REFUSED

pytestmark = pytest.mark.skipif(bool(unavailable_reason()), reason=unavailable_reason() or "compiler present")
GENERAL = {"shared_shape": "shared_shape", "returns_value": "returns_value"}  # misconceptions with hints of their own


def _name(one):
    return one.kernel.py_func.__name__


def error_of(one):
    return lint(one.kernel, signature_of(one.arguments), architectures=("sm_75",)).error


@pytest.mark.parametrize("one", REFUSED, ids=_name)
def test_the_error_is_told_in_plain_words(one):
    error = error_of(one)
    assert (one.kind, GENERAL.get(one.kind, "not_compiled")) == (error.kind, error.misconception)
    assert one.says in error.says and one.remedy in error.remedy, error


@pytest.mark.parametrize("one", REFUSED, ids=_name)
def test_the_line_of_the_mistake_is_named(one):
    assert (syntax_of(one.where.py_func).lineno + one.line,) == error_of(one).lines


@pytest.mark.parametrize("one", REFUSED, ids=_name)
def test_no_message_shows_memory_addresses_or_the_insides_of_numba(one):
    error = error_of(one)
    assert not any(word in error.says + error.remedy for word in ("0x7", "numba/cuda", "Literal[", "Function("))
    assert error.original


def test_an_error_that_no_rule_knows_still_says_what_numba_said():
    from autograder.lint.compile_errors import explain

    error = explain(RuntimeError("something quite new\nDuring: lowering"), REFUSED[0].kernel.py_func)
    assert "numba cannot compile this kernel: something quite new" == error.says
