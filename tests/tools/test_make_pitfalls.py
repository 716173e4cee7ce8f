"""docs/pitfalls.md is what the pitfalls say now."""

import pytest

pytest.importorskip("numba.cuda")

from autograder.lint.compiler import unavailable_reason
from tests.pitfalls.catalogue import Said
from tests.pitfalls.listing import ALL
from tools import make_pitfalls


@pytest.mark.skipif(bool(unavailable_reason()), reason=unavailable_reason() or "compiler present")
def test_the_page_of_pitfalls_is_current():
    assert make_pitfalls.page() == make_pitfalls.PAGE.read_text(encoding="utf-8")


def test_line_numbers_count_from_the_quoted_code():
    experiment = ALL[0].wrong
    first = experiment.code.py_func.__code__.co_firstlineno
    said = Said("race", f"Line {first + 2} and 7 threads; lines {first} and {first + 3}.", f"After line {first + 1}.")
    assert Said("race", "Line 3 and 7 threads; lines 1 and 4.", "After line 2.") == make_pitfalls.renumbered(
        said, experiment
    )
