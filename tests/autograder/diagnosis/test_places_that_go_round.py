"""An index that goes round the end of another array is told with the one that it lies in, and reads as Python."""

import ast

import pytest

from autograder.diagnosis.advice.indices import advice_on_indices
from simt.events import Finding


@pytest.mark.parametrize(
    ("place", "right"),
    [
        ("(at + 1) % keys.size", "(at + 1) % table.size"),
        ("(at + 3) * 5 % keys.size", "(at + 3) * 5 % table.size"),
        ("at % keys.size", "at % table.size"),
    ],
)
def test_the_other_length_is_named_and_the_right_one_written(place, right):
    function = ast.parse(f"def insert(keys, table, at):\n    at = {place}\n    table[at] = 1\n").body[0]
    finding = Finding("out_of_bounds", "", lines=(13,), array="table", detail={"shape": (50,)})

    _, told = advice_on_indices(finding, function, 3)

    assert f"Line 12 goes round the end of keys, and this is a place in table: take `{right}`." == told


def test_who_goes_round_the_same_array_hears_nothing_of_it():
    function = ast.parse("def insert(table, at):\n    table[at % table.size + 1] = 1\n").body[0]
    finding = Finding("out_of_bounds", "", lines=(2,), array="table", detail={"shape": (50,), "index": (50,)})

    told = advice_on_indices(finding, function, 2)

    assert told is None or "goes round" not in told[1]
