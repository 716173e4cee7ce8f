"""Arguments that a kernel's source only reads."""

import ast

import pytest

from simt.source.only_read import only_read_arguments
from tests.simt.synthetic import array


def names(body, *arrays):
    function = ast.parse(f"def kernel(x, y, a):\n    {body}").body[0]
    return only_read_arguments(function, arrays or (array("x"), array("y"), array("a", (4, 4))))


def test_loading_elements_and_asking_for_the_shape_only_reads():
    assert {"x", "a"} == names("y[i] = x[i] + a[i, j] + x.shape[0] + len(a)")


@pytest.mark.parametrize(
    "body",
    [
        "x[i] = 1",
        "x[i] += 1",
        "z = x",
        "f(x)",
        "z = x[1:]",
        "z = x[...]",
        "cuda.atomic.add(x, i, 1)",
        "for i in x: pass",
        "x.sort()",
    ],
)
def test_whatever_might_write_takes_an_array_off_the_list(body):
    assert "x" not in names(body)


def test_fewer_indices_than_dimensions_give_a_view_that_may_be_written():
    assert "a" not in names("row = a[i]; row[0] = 1")


def test_a_record_may_be_written_through_its_fields():
    records = array("x", dtype=[("v", "f4")])

    assert frozenset() == names("x[i].v = 1", records)
