"""A guard counts only where it restricts the very index that went out of bounds."""

import pytest

from autograder.answer.program import Piece, Program
from autograder.diagnosis.advice.guards import condition_before, index_is_guarded, let_through, return_before
from autograder.diagnosis.advice.readers import advice_for
from autograder.diagnosis.diagnose import cause_of_finding
from simt.events import Finding

GUARDED = {
    "an enclosing if": "i = cuda.grid(1)\n if i < n:\n  a[i] = 0",
    "an early return": "i = cuda.grid(1)\n if i >= n: return\n a[i] = 0",
    "a while loop": "i = cuda.grid(1)\n while i < n:\n  a[i] = 0\n  i += 1",
    "a for loop": "for i in range(cuda.grid(1), n + 1):\n  a[i] = 0",
    "a condition on what the index is made of": "i = cuda.grid(1)\n j = i + 1\n if i < n:\n  a[j] = 0",
    "a conditional expression": "i = cuda.grid(1)\n x = a[i] if i <= n else 0",
    "a condition spelled out": "if cuda.threadIdx.x < n:\n  a[cuda.threadIdx.x] = 0",
}
UNGUARDED = {
    "nothing": "i = cuda.grid(1)\n a[i] = 0",
    "a condition on something else": "i = cuda.grid(1)\n t = cuda.threadIdx.x\n if flag == 0:\n  a[i] = 0",
    "a condition on the thread where the block is the index": (
        "t = cuda.threadIdx.x\n if t == 0:\n  a[cuda.blockIdx.x] = 0"
    ),
    "a condition after the line": "i = cuda.grid(1)\n a[i] = 0\n if i < n: return",
    "an early if without a return": "i = cuda.grid(1)\n if i >= n: b = 1\n a[i] = 0",
}


def guarded(body, axis=0):
    source = f"def kernel(a, n):\n {body}\n"
    line = next(number for number, text in enumerate(source.splitlines(), 1) if "a[" in text)
    return index_is_guarded(Piece(source, "cell", 41), line + 40, "a", axis)


@pytest.mark.parametrize("name", GUARDED)
def test_a_guarded_index_is_recognised(name):
    assert guarded(GUARDED[name])


@pytest.mark.parametrize("name", UNGUARDED)
def test_an_unguarded_index_is_recognised(name):
    assert not guarded(UNGUARDED[name])


def test_each_axis_has_its_own_guard():
    body = "col, row = cuda.grid(2)\n if col < n:\n  a[row, col] = 0"
    assert [False, True] == [guarded(body, axis) for axis in (0, 1)]
    body = "row = cuda.blockIdx.y\n col = cuda.threadIdx.x\n if col < n:\n  a[row, col] = 0"
    assert [False, True] == [guarded(body, axis) for axis in (0, 1)]


def test_the_guard_of_another_function_does_not_count():
    source = "def other(a, n, i):\n if i < n:\n  pass\n\ndef kernel(a, n):\n i = cuda.grid(1)\n a[i] = 0\n"
    assert not index_is_guarded(Piece(source, "cell"), 7, "a")


def test_source_that_does_not_parse_guards_nothing():
    assert not index_is_guarded(Piece("def kernel(:", "cell"), 1, "a")


def test_the_condition_that_lets_an_index_through_is_found_with_its_line():
    source = (
        "def kernel(a, n):\n    i = cuda.grid(1)\n    if n > 0:\n        if i <= a.size:\n            a[i + 1] = 0\n"
    )
    assert (44, "i <= a.size") == condition_before(Piece(source, "cell", 41), 45, "a")
    assert condition_before(Piece(source.replace("i <= a.size", "n > 1"), "cell", 41), 45, "a") is None


def test_the_return_before_a_line_is_found_by_what_the_index_is_made_of():
    source = "def kernel(a, n):\n    i = cuda.grid(1)\n    j = i + 1\n    if i < n:\n        return\n    a[j] = 0\n"

    assert (44, "i < n") == return_before(Piece(source, "cell", 41), 46, "a")
    assert return_before(Piece(source.replace("return", "n = 0"), "cell", 41), 46, "a") is None
    assert return_before(Piece(source.replace("i < n", "n < 0"), "cell", 41), 46, "a") is None


def test_a_condition_about_another_array_says_so_unless_it_may_be_one_off():
    text = "def k(weight, out):\n    y = cuda.grid(1)\n    if y {}:\n        out[y] = weight[y]\n"
    finding = Finding(
        "out_of_bounds", "", (4,), array="weight", detail={"space": "global", "index": (5,), "shape": (5,)}
    )

    assert "It asks about out" in let_through(finding, Piece(text.format("< out.size"), "<answer>"))
    assert "It asks about" not in let_through(finding, Piece(text.format("<= out.size"), "<answer>"))
    assert "It asks about" not in let_through(finding, Piece(text.format("< weight.size"), "<answer>"))


@pytest.mark.parametrize("kind", ["race", "uninitialised_read", "deadlock"])
def test_every_reader_of_advice_takes_a_finding_whose_detail_says_little(kind):
    """A reader once asked for the axis outside an array of a finding that has an index and no shape."""
    text = "def k(words):\n    i = cuda.grid(1)\n    cuda.atomic.or_(words, i // 32, 1)\n"
    finding = Finding(kind, "", (3,), array="words", detail={"space": "global", "index": (0,)})

    assert advice_for(finding, Piece(text, "<answer>")) is None


def test_an_index_taken_apart_the_wrong_way_is_told_only_where_the_condition_is_about_this_array():
    text = "def k(a, b):\n    i = cuda.grid(1)\n    n = a.shape[1]\n    if i {}:\n        a[i // n, i // n] = 0\n"
    finding = Finding(
        "out_of_bounds", "", (5,), array="a", detail={"space": "global", "index": (4, 4), "shape": (5, 4)}
    )

    def told(condition: str) -> bool:
        advice = advice_for(finding, Piece(text.format(condition), "<answer>"))
        return advice is not None and "`i // n`. Elements lie row after row" in advice.remedy

    assert [True, True, False, False] == [
        told("< a.size"),
        told("< a.shape[0] * a.shape[1]"),
        told("<= a.size"),
        told("< b.size"),
    ]


ONE_TOO_MANY = """@cuda.jit
def invert(src, dst):
    row, col = cuda.grid(2)
    if row <= dst.shape[0] and col < dst.shape[1]:
        dst[row, col] = src[row, col]
"""


@pytest.mark.parametrize(
    ("index", "shape", "count", "expected"),
    [((4, 2), (4, 8), 8, "off_by_one"), ((4, 2), (4, 8), 16, "swapped_axes"), ((32, 2), (32, 33), 1, "swapped_axes")],
)
def test_a_row_past_the_end_is_no_exchange_of_axes_unless_there_are_more(index, shape, count, expected):
    detail = {"index": index, "shape": shape, "space": "global", "axis": 0}
    finding = Finding("out_of_bounds", "outside", (5,), array="dst", count=count, detail=detail)

    assert expected == cause_of_finding(finding, Program(ONE_TOO_MANY, "invert")).misconception
