"""Edits of more than one line: stretches as the solution has them, lines for a twin, lines before a loop."""

import ast

import pytest

from autograder.repair.edits import Text
from autograder.repair.single.twins import twin_edits
from autograder.repair.stretches import stretch_edits

SOLUTION = """def f(a, out, n):
    total, last = 0, 0
    for i in range(n):
        last = a[i]
        total += last
    total = total * 2
    if total > 9:
        total = 9
    out[0] = total
    out[1] = last
"""


def stretches(source: str, given=()) -> list[tuple[str, int, str]]:
    return [(one.kind, one.line, one.about) for one in stretch_edits(Text(source), SOLUTION, given)]


def test_lines_that_differ_together_are_changed_together():
    source = SOLUTION.replace("last = a[i]\n        total += last", "last = a[0]\n        total = last")

    (edit,) = stretch_edits(Text(source), SOLUTION)

    assert ("lines", 4, "5") == (edit.kind, edit.line, edit.about) and SOLUTION == edit.source


def test_lines_that_are_missing_are_put_in_and_more_than_one_stands_for_one():
    gone = SOLUTION.replace("    if total > 9:\n        total = 9\n", "")
    short = SOLUTION.replace("    if total > 9:\n        total = 9\n", "    total = min(9, 9)\n")

    assert [("missing_lines", 6, "")] == stretches(gone)
    assert [("several", 7, "")] == stretches(short)


def test_two_stretches_apart_are_tried_at_once():
    source = SOLUTION.replace("last = a[i]", "last = a[0]").replace("out[1] = last", "out[1] = i")

    assert [("both", 4, "10")] == stretches(source)


def test_what_the_course_gave_and_an_answer_of_another_build_are_left_alone():
    source = SOLUTION.replace("last = a[i]\n        total += last", "last = a[0]\n        total = last")
    other = "def f(a, out, n):\n    out[:] = a.sum(), a[-1]\n"

    assert [] == stretches(source, given=[4])
    assert [] == stretches(other)


def twins(source: str) -> list[tuple[str, str]]:
    text = Text(source)
    function = next(node for node in text.tree.body if isinstance(node, ast.FunctionDef))
    return [(one.kind, ast.unparse(ast.parse(one.source))) for one in twin_edits(text, function)]


@pytest.mark.parametrize(
    ("source", "kind", "line"),
    [
        (
            "def f(x, y):\n    a, b = make(), make()\n    up, on = copy(x), copy(y)\n    go(up, a)\n    return on\n",
            "twin",
            "    go(on, b)",
        ),
        (
            "def f(x):\n    p, q = x[0], x[1]\n    for i in x:\n        r = x[i]\n        put(p, q, r)\n",
            "forgotten",
            "        p, q = (q, r)",
        ),
    ],
)
def test_a_line_for_what_goes_in_step_is_added(source, kind, line):
    assert [made for one, made in twins(source) if one == kind and line in made.splitlines()]


def test_a_line_that_begins_anew_comes_before_the_loop():
    source = (
        "def f(x):\n    for i in x:\n        acc = float32(0)\n        y = x[i]\n        acc += y\n    return acc\n"
    )

    (made,) = [one for kind, one in twins(source) if kind == "before_loop"]

    assert "    acc = float32(0)\n    for i in x:\n        y = x[i]" in made
