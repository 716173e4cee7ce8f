"""Every released notebook runs from top to bottom where numba is not installed, as in a browser."""

from __future__ import annotations

import pytest

from tests.course.released import ROOT, UNITS
from tests.no_numba import run

IN_A_COMMIT = ("00_start_here", "10_memory_kinds")  # the others: make test-release
CELLS = """
    import contextlib, io, linecache
    import nbformat
    from simt import cuda_api
    cuda_api.install()  # in a browser, the stand-in is a package of its own
    import matplotlib
    matplotlib.use("agg")
    names = {{"__name__": "__main__"}}
    for cell in nbformat.read({path!r}, as_version=4).cells:
        if cell.cell_type != "code":
            continue
        name = f"<{{cell.id}}>"
        linecache.cache[name] = (len(cell.source), None, cell.source.splitlines(True), name)
        try:
            with contextlib.redirect_stdout(io.StringIO()):
                exec(compile(cell.source, name, "exec"), names)
        except Exception as error:
            print(cell.id, type(error).__name__, error)
"""


@pytest.mark.parametrize(
    "unit",
    [unit.id if unit.id in IN_A_COMMIT else pytest.param(unit.id, marks=pytest.mark.release) for unit in UNITS],
)
def test_an_untouched_notebook_runs_without_numba(unit):
    path = ROOT / "course" / unit / f"{unit}.ipynb"

    assert "" == run(CELLS.format(path=str(path)), warnings="default")
