"""Whether an answer was attempted is read from its source, never found out by running it."""

import pytest

from autograder.answer.attempted import attempt_of, read_attempt
from autograder.answer.program import Piece, Program

STUB = '''
@cuda.jit
def scale(factor, src, dst):
    """dst = factor * src."""
    # about 3 lines
    # YOUR CODE HERE
    raise NotImplementedError()
'''


def test_the_released_stub_is_untouched():
    attempt = read_attempt(STUB, "scale")
    assert ("untouched", 7) == (attempt.state, attempt.line)


@pytest.mark.parametrize("body", ["pass", "...", '"""Only words."""', "raise NotImplementedError", "pass\n    ..."])
def test_bodies_that_do_nothing_are_untouched(body):
    assert "untouched" == read_attempt(f"def scale(src, dst):\n    {body}\n", "scale").state


def test_an_answer_is_attempted():
    assert "attempted" == read_attempt(STUB.replace("raise NotImplementedError()", "dst[0] = src[0]"), "scale").state


def test_the_stubs_last_line_left_in_a_started_answer_is_pointed_out():
    attempt = read_attempt(STUB.replace("# YOUR CODE HERE", "dst[0] = 1"), "scale", first_line=10)
    assert ("unfinished", 16) == (attempt.state, attempt.line)
    assert "Line 16 still says `raise NotImplementedError()`" in attempt.says


def test_a_function_under_another_name_is_missing_and_the_names_found_are_told():
    attempt = read_attempt("def scale_it(src, dst):\n    dst[0] = src[0]\n", "scale")
    assert "missing" == attempt.state
    assert "`scale_it`" in attempt.says and "`scale`" in attempt.says


def test_the_last_definition_counts():
    assert "attempted" == read_attempt("def scale(): pass\ndef scale(): return 1\n", "scale").state


def test_source_that_does_not_parse_counts_as_attempted():
    assert "attempted" == read_attempt("def scale(:\n", "scale").state


def test_nothing_is_ever_run():
    assert "attempted" == read_attempt("import os\nos._exit(3)\ndef scale():\n    return 1\n", "scale").state


def after(cells: str, source: str) -> Program:
    """An answer `scale` below a cell that defines other functions."""
    return Program(source, "scale", first_line=10, setup=(Piece(cells, "before"),))


def test_an_answer_waits_for_a_stub_that_it_calls_or_that_what_it_calls_needs():
    stub, between = "def f(n):\n    raise NotImplementedError()\n", "def g(n):\n    return f(n)\n"

    direct = attempt_of(after(stub, "def scale(n):\n    m = n\n    return f(m) + f(n)\n"))
    through = attempt_of(after(stub + between, "def scale(n):\n    return g(n)\n"))

    assert ("waiting", 12) == (direct.state, direct.line)
    assert ("waiting", 0) == (through.state, through.line)
    assert "calls `f`" in direct.says and "needs `f`" in through.says


@pytest.mark.parametrize(
    "source",
    [
        "def scale(n):\n    f = n + 1\n    return f\n",
        "def scale(f):\n    return f\n",
        "def f(n):\n    return n\ndef scale(n):\n    return f(n)\n",
        "def scale(n):\n    return n\n",
    ],
)
def test_a_stub_that_is_not_called_keeps_nobody_waiting(source):
    assert "attempted" == attempt_of(after("def f(n):\n    raise NotImplementedError()\n", source)).state


def test_a_cell_before_it_that_is_no_python_is_for_others_to_tell():
    assert "attempted" == attempt_of(after("def f(n:\n", "def scale(n):\n    return f(n)\n")).state
