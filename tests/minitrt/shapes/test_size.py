"""Expressions of sizes: what arithmetic gives for every size, and an int where that never changes."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from minitrt.shapes.choices import (
    FUNCTIONS,
    above,
    at_least_zero,
    chosen,
    equal,
    largest,
    scaled,
    smallest,
    truncated_quotient,
    truth,
)
from minitrt.shapes.size import Undecided, bounds, symbol, unknown, value_at

N, S, H, FEW = symbol("N"), symbol("S"), symbol("H"), symbol("few", 2, 20)
SIZES = [(0, 2), (1, 3), (2, 20), (5, 7), (17, 4), (600, 11)]  # of N and of few


def magnitude(a):
    return at_least_zero(a) + at_least_zero(-a)


OPERATIONS = {
    "add": lambda a, b, c: a + b,
    "sub": lambda a, b, c: a - b,
    "mul": lambda a, b, c: a * b,
    "floor": lambda a, b, c: a // (magnitude(b) + 1),
    "mod": lambda a, b, c: a % (magnitude(b) + 1),
    "truncate": lambda a, b, c: truncated_quotient(a, magnitude(b) + 2),
    "max": lambda a, b, c: largest(a, b),
    "min": lambda a, b, c: smallest(a, b),
    "above": lambda a, b, c: above(a, b),
    "equal": lambda a, b, c: equal(a, b),
    "choice": lambda a, b, c: chosen(truth(a), b, c),
}
LEAVES = st.one_of(st.sampled_from(["N", "few"]), st.integers(-4, 9))
TREES = st.recursive(LEAVES, lambda one: st.tuples(st.sampled_from(sorted(OPERATIONS)), one, one, one), max_leaves=12)


def computed(tree: Any, sizes: dict[str, Any]) -> Any:
    if isinstance(tree, tuple):
        return OPERATIONS[tree[0]](*(computed(part, sizes) for part in tree[1:]))
    return sizes[tree] if isinstance(tree, str) else tree


@settings(max_examples=300, deadline=None)
@given(TREES)
def test_an_expression_is_for_every_size_what_arithmetic_gives_and_keeps_its_bounds(tree):
    expression = computed(tree, {"N": N, "few": FEW})
    low, high = bounds(expression)

    for n, few in SIZES:
        sizes = {"N": n, "few": few}
        expected = computed(tree, sizes)

        assert expected == value_at(expression, lambda atom, sizes=sizes: sizes[atom.args[0]], FUNCTIONS)
        assert low <= expected <= high


@pytest.mark.parametrize(
    ("expression", "number"),
    [
        ((N + 3) * 2 - 2 * N, 6),
        (N * S * 768 // (N * S), 768),
        ((H - 1) * (S - 1) * N * 64 // ((H - 1) * (S - 1) * N), 64),
        ((2 * N + 3) // 2 - N, 1),
        (((S - 1) // 2) // 2 - (S - 1) // 4, 0),
        ((8 - S % 8) % 8 - -S % 8, 0),
        (largest(N, S) + smallest(N, S) - N - S, 0),
        (smallest(S, 7) + at_least_zero(S - 7) - S, 0),
        (equal(N, -1), 0),
        (equal(2 * N, 3), 0),
        (above(3, 2 * N) + above(2 * N, 2), 1),
        (smallest(FEW, 500), FEW),
        (above(FEW, 1), 1),
        (chosen(above(S, 500), N, N), N),
        (scaled(N, 2.0) - 2 * N, 0),
        (symbol("fixed", 4, 4), 4),
    ],
)
def test_what_is_the_same_for_every_size_is_an_int(expression, number):
    assert number == expression


@pytest.mark.parametrize(
    "expression", [S // 500, S % 2, largest(S // 256, 1), smallest(S, 500), above(S, 500), equal(N, S), scaled(N, 1.3)]
)
def test_what_changes_at_some_size_is_none_even_where_usual_sizes_agree(expression):
    assert not isinstance(expression, int)


def test_a_question_that_depends_on_sizes_is_not_answered():
    for question in (lambda: N > 3, lambda: bool(N), lambda: int(N), lambda: range(N), lambda: N < S):
        with pytest.raises(Undecided):
            question()
    assert FEW > 1 and not N < 0 and S + 1 >= 1


def test_sizes_of_one_name_are_one_and_unknown_ones_never_are():
    assert symbol("N") == N != symbol("M") and unknown() != unknown()


def test_an_expression_is_read_as_a_person_would_write_it():
    assert ("2 * N - 3", "floor(S + 3, 4) - 1") == (str(2 * N - 3), str(((S - 1) // 2) // 2))
