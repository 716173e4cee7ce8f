"""Indices outside an array."""

from simt.analyses.bounds import Bounds
from tests.simt.synthetic import Stage, array


def report(target, index, **more):
    bounds = Bounds()
    Stage(bounds, grid=(2, 1, 1), block=(64, 1, 1)).out_of_bounds(target, index, **more)
    return bounds.book.all()


def test_an_index_past_the_end_names_thread_index_size_and_the_guard_to_write():
    (found,) = report(array("x", (100,)), (lambda t: t + 64,), line=7, where=lambda t: t >= 36)

    assert (
        "Thread 36 of block 0 reads x[100] at line 7, outside the array: x has 100 elements (0 to 99)." == found.message
    )
    assert "only threads whose index is less than x.size" in found.remedy
    assert ((100,), 56, False) == (found.detail["index"], found.count, found.detail["wraps"])


def test_a_negative_index_that_wraps_says_which_element_it_silently_means():
    (found,) = report(array("x", (128,)), (lambda t: t - 1,), line=3, where=lambda t: t < 1, wraps=True)

    assert "x[-1]" in found.message
    assert "silently means x[127]" in found.message
    assert "at least 0" in found.remedy
    assert found.detail["wraps"]


def test_the_axis_that_is_too_large_is_the_one_to_guard():
    (found,) = report(array("a", (16, 48)), (3, 48), kind="store")

    assert "writes a[3, 48]" in found.message
    assert "shape (16, 48)" in found.message
    assert "a.shape[1]" in found.remedy


def test_one_finding_for_each_line_and_array_with_a_count():
    bounds = Bounds()
    stage = Stage(bounds)
    for _ in range(3):
        stage.out_of_bounds(array("x", (8,)), (lambda t: t + 8,))

    (found,) = bounds.book.all()
    assert 96 == found.count
