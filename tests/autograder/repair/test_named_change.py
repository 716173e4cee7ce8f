"""What a line that becomes the solution's is told to have wrong: a border, a part of a condition, an end of a loop."""

import pytest

from autograder.repair.named_change import kind_of_change


@pytest.mark.parametrize(
    ("line", "other", "told"),
    [
        ("if row <= n and col <= m:", "if row < n and col < m:", ("border", "row <= n")),
        ("if row < n and col <= m:", "if row < n and col < m:", ("border", "col <= m")),
        ("if row < n:", "if row < n and col < m:", ("guard", "row < n")),
        ("if row < n and row > 0:", "if row < n:", ("condition", "row < n and row > 0")),
        ("elif row < size:", "elif row < n:", ("condition", "row < size")),
        ("while i < n - 1:", "while i < n:", ("condition", "i < n - 1")),
        ("for k in range(n - 1):", "for k in range(n):", ("end", "")),
        ("for k in range(1, n):", "for k in range(0, n):", ("beginning", "")),
        ("for k in range(i, n, 32):", "for k in range(i, n, 64):", ("step", "")),
        ("for k in range(1, n - 1):", "for k in range(0, n):", ("line", "")),
        ("for k in range(1, n):", "for k in range(n):", ("line", "")),
        ("for k in items:", "for k in range(n):", ("line", "")),
        ("acc += a[i]", "acc += a[j]", ("line", "")),
        ("if row < n", "acc = 1", ("line", "")),
        ("total(a,", "total(b,", ("line", "")),
    ],
)
def test_a_change_is_named_by_what_differs(line, other, told):
    assert told == kind_of_change(f"    {line}", f"        {other}")
