"""Formulas without a part: what is made of a solution is Python."""

import ast

from autograder.repair.parts_left_out import _shorter

SOLUTION = """def f(a, n, m, names):
    first = [*names, *g(*a[1:n], k=n)]
    return len(first) * n - m
"""


def test_what_cannot_stand_alone_takes_no_place():
    made = list(_shorter(SOLUTION))

    assert all(ast.parse(source) for source, _ in made)
    assert ["m"] in [lost for _, lost in made]
