"""Whether an answer was attempted is read from its source, never found out by running it."""

import pytest

from autograder.answer.attempted import read_attempt

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
