"""Edits of how odd numbers are treated, and which of several edits of one line is told."""

import ast

import pytest

from autograder.outcome import Cause
from autograder.repair.edits import Text
from autograder.repair.mechanical import why_of
from autograder.repair.near import lines_behind
from autograder.repair.search import LIKELY, likeliest
from autograder.repair.single.odd_numbers import odd_number_edits

KERNEL = """
def f(src, i, n, low):
    inside = i < n
    {line}
"""


def made(line: str) -> dict[str, str]:
    """What becomes of a line, by the kind of edit."""
    text = Text(KERNEL.format(line=line))
    function = next(node for node in text.tree.body if isinstance(node, ast.FunctionDef))
    return {edit.kind: edit.becomes.strip() for edit in odd_number_edits(text, function)}


@pytest.mark.parametrize(
    ("line", "kind", "becomes"),
    [
        ("x = src[i] * float32(i < n)", "masked", "x = (src[i] if i < n else float32(0))"),
        ("x = src[i] * float32(inside)", "masked", "x = (src[i] if inside else float32(0))"),
        ("x = (i < n) * src[i]", "masked", "x = (src[i] if i < n else 0)"),
        ("x = not (src[i] <= low)", "negated", "x = (src[i] > low)"),
        ("x = max(src[i], float32(0)) * n", "cut_early", "x = max(src[i] * n, float32(0))"),
        ("x = min(max(src[i], -1), 1)", "clamped", "x = src[i]"),
    ],
)
def test_an_odd_number_is_treated_otherwise(line, kind, becomes):
    assert becomes == made(line)[kind]


@pytest.mark.parametrize("line", ["x = src[i] * float32(n)", "x = max(src[i], low) * n", "x = not inside"])
def test_what_is_no_condition_and_no_limit_stays(line):
    assert {} == made(line)


def test_an_edit_of_a_part_says_more_than_that_the_solution_has_another_line():
    text = Text("x = max(a % (n - 1), 0)\n")
    whole, part = text.tree.body[0].value, text.tree.body[0].value.args[0]
    vague = text.replaced(whole, "a", "part")
    vague = type(vague)(**{**vars(vague), "meant": True})
    told, others = likeliest([vague, text.replaced(part, "a", "too_much")])

    assert ("too_much", []) == (told.kind, others)
    assert any("too_much" in kinds for kinds in LIKELY)


def test_a_remedy_that_is_not_the_whole_keeps_what_it_says_of_the_text():
    guard = "Guard the line: it may only run where `y` is less than src.shape[0]. "
    said = "`height` is src.shape[1]: a shape gives rows first."

    assert said == why_of(Cause("out_of_bounds", "no_guard", "", guard + said, (6,), (), "src"))


def test_a_line_is_behind_an_index_where_its_condition_reads_what_it_makes():
    source = "def f(src):\n    w, h = src.shape\n    if x < w:\n        src[x] = 0\n"
    assert 2 in lines_behind(source, 4)
