"""A new unit starts from files that build, and never overwrites one that exists."""

from __future__ import annotations

import importlib.util
import sys

import pytest

from tools.new_unit import create
from tools.notebook_source import read_source


def contract_of(path):
    """The exercises of a contract module that is not installed."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return module.EXERCISES


def test_a_new_units_source_fits_its_contract(tmp_path):
    source, contract, _, _ = create(tmp_path, "03_memory_access", "See sectors", "count_sectors")
    exercises = contract_of(contract)

    notebook = read_source(source, exercises)

    assert "memory_access.count_sectors" == exercises[0].id
    assert {"count_sectors", "count_sectors_check"} <= {cell.id for cell in notebook.cells}


def test_a_new_units_oracle_gives_what_its_cases_ask_for(tmp_path):
    import numpy as np

    _, contract, _, _ = create(tmp_path, "03_memory_access", "See sectors", "count_sectors")
    (exercise,) = contract_of(contract)
    values = exercise.make({"n": 33}, "exact", np.random.default_rng(0))

    assert (33,) == exercise.oracle(values)["dst"].shape
    assert (1, 256) == exercise.launch(values)


def test_a_unit_that_exists_is_left_alone(tmp_path):
    create(tmp_path, "03_memory_access", "See sectors", "count_sectors")

    with pytest.raises(FileExistsError, match="exists already"):
        create(tmp_path, "03_memory_access", "Other", "other")


@pytest.mark.parametrize(("unit", "function"), [("memory", "copy"), ("03_Memory", "copy"), ("03_memory", "Copy It")])
def test_a_name_of_another_form_is_refused(tmp_path, unit, function):
    with pytest.raises(ValueError, match="as in"):
        create(tmp_path, unit, "Title", function)
