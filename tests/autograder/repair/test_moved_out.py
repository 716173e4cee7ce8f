"""A barrier inside an `if` is moved to where it belongs: by what of the body comes before it and after it."""

import pytest

from autograder.answer.program import Program
from autograder.outcome import Cause
from autograder.repair.edits import Text
from autograder.repair.moved_out import moved_out, worded

FIRST = """def f(a):
    if i < n:
        cuda.syncthreads()
        a[i] = 0
    end()
"""
LAST = """def f(a):
    if i < n:
        a[i] = 0
        cuda.syncthreads()
    end()
"""
MIDDLE = """def f(a):
    if i < n:
        tile[t] = a[i]
        cuda.syncthreads()
        a[i] = tile[s]
    end()
"""


ELSE = """def f(a):
    if i < n:
        cuda.syncthreads()
        a[i] = 0
    else:
        b()
    end()
"""


def asked(line: int, condition: int = 12) -> Cause:
    says = f"Move the barrier out of the condition at line {condition}, so that every thread arrives."
    return Cause("barrier_divergence", "barrier_in_branch", "", says, (line,))


@pytest.mark.parametrize(
    ("source", "line", "remedy", "after"),
    [
        (FIRST, 13, "before the `if`", "    cuda.syncthreads()\n    if i < n:\n        a[i] = 0\n"),
        (
            ELSE,
            13,
            "before the `if`",
            "    cuda.syncthreads()\n    if i < n:\n        a[i] = 0\n    else:\n        b()\n",
        ),
        (LAST, 14, "after all of the `if`", "    if i < n:\n        a[i] = 0\n    cuda.syncthreads()\n"),
        (
            MIDDLE,
            14,
            "begin another with the same condition",
            "    if i < n:\n        tile[t] = a[i]\n    cuda.syncthreads()\n    if i < n:\n        a[i] = tile[s]\n",
        ),
    ],
)
def test_a_barrier_goes_before_or_after_its_condition_or_between_two(source, line, remedy, after):
    program = Program(source, "f", first_line=11)
    cause = asked(line)

    told, edit = worded(cause, program), moved_out(cause, program, Text(source))

    assert remedy in told.remedy and "line 12" in told.remedy
    assert edit is not None and f"def f(a):\n{after}    end()\n" == edit.source
    assert edit == moved_out(told, program, Text(source))  # what is told can be followed


@pytest.mark.parametrize(
    ("source", "line", "condition"),
    [
        ("def f(a):\n    if i < n:\n        cuda.syncthreads()\n", 13, 12),
        (MIDDLE.replace("    end", "    else:\n        b()\n    end"), 14, 12),
        ("def f(a):\n    if b:\n        a()\n    elif i < n:\n        cuda.syncthreads()\n        a[i] = 0\n", 15, 14),
        ("def f(a):\n    if i < n:\n        for k in r:\n            cuda.syncthreads()\n        a[i] = 0\n", 14, 12),
        ("def f(a):\n    if i < n: cuda.syncthreads()\n", 12, 12),
        ("def f(a:\n", 13, 12),
    ],
)
def test_what_takes_more_than_a_move_stays_as_it_is(source, line, condition):
    program, cause = Program(source, "f", first_line=11), asked(line, condition)

    assert cause == worded(cause, program)
