"""docs/pitfalls.md is what the pitfalls say now."""

import subprocess
import sys

import pytest

pytest.importorskip("numba.cuda")

from autograder.lint.compiler import unavailable_reason
from tests.pitfalls.catalogue import Said
from tests.pitfalls.listing import ALL
from tools.make import pitfalls


@pytest.mark.skipif(bool(unavailable_reason()), reason=unavailable_reason() or "compiler present")
def test_the_page_of_pitfalls_is_current():
    """In a process of its own: once a test has loaded numba's functions for the CPU, its compiler knows more names."""
    check = subprocess.run(
        [sys.executable, "-m", "tools.make.pitfalls", "--check"], cwd=pitfalls.ROOT, capture_output=True, text=True
    )
    assert (0, "docs/pitfalls.md is current.\n") == (check.returncode, check.stdout), check.stderr


def test_line_numbers_count_from_the_quoted_code():
    experiment = ALL[0].wrong
    first = experiment.code.py_func.__code__.co_firstlineno
    said = Said("race", f"Line {first + 2} and 7 threads; lines {first} and {first + 3}.", f"After line {first + 1}.")
    assert Said("race", "Line 3 and 7 threads; lines 1 and 4.", "After line 2.") == pitfalls.renumbered(
        said, experiment
    )
