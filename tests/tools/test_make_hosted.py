"""A notebook for a service is the released one after a cell that installs Warpbook from its address."""

from __future__ import annotations

import nbformat
import pytest

from tools.make import hosted
from tools.parts.units import ROOT

ADDRESS = "https://code.example/somebody/warpbook"


def test_the_first_cell_installs_and_the_rest_is_the_released_notebook(tmp_path, capsys):
    assert 0 == hosted.main([ADDRESS, "--cuda", "13", "--unit", "01_vector_add", "--output", str(tmp_path)])

    made = nbformat.read(tmp_path / "01_vector_add.ipynb", as_version=4)
    nbformat.validate(made)
    released = nbformat.read(ROOT / "course" / "01_vector_add" / "01_vector_add.ipynb", as_version=4)
    assert released.cells == made.cells[1:]
    assert f"git clone --quiet --depth 1 {ADDRESS} warpbook" in made.cells[0].source
    assert '%pip install --quiet "./warpbook[cu13]"' in made.cells[0].source
    assert "1 notebooks" in capsys.readouterr().out


@pytest.mark.parametrize("address", ["warpbook", "https://nowhere", "https://a/b c", 'https://a/"; import os', ""])
def test_an_address_that_git_cannot_clone_is_refused_and_writes_nothing(address, tmp_path, capsys):
    assert 2 == hosted.main([address, "--output", str(tmp_path / "made")])
    assert "https://code.host/you/warpbook" in capsys.readouterr().err
    assert not (tmp_path / "made").exists()
