"""`warpbook run lesson.ipynb`: a notebook is a program, of cells."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]

BEGIN = """\
%matplotlib inline
import numpy as np
from numba import cuda
"""
KERNEL = """\
@cuda.jit
def count(total):
    total[0] += 1
"""
LAUNCH = """\
total = np.zeros(1)
%timeit -n 2 -r1 count[1, 64](total)
if total[0]:
    !nvidia-smi
display(int(total[0]))
"""
WAITS = """\
import asyncio
await asyncio.sleep(0)
print("waited", __name__)
"""


def cell(source: str, *tags: str) -> dict:
    return {"cell_type": "code", "source": source.splitlines(True), "metadata": {"tags": [*tags]}}


def run(folder: Path, *cells: dict, **document) -> subprocess.CompletedProcess:
    text = json.dumps({"nbformat": 4, "cells": [{"cell_type": "markdown", "source": ["# One"]}, *cells], **document})
    (folder / "lesson.ipynb").write_text(text)
    command = [sys.executable, "-m", "simt", "lesson.ipynb"]
    environment = {"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin"}
    return subprocess.run(command, capture_output=True, text=True, cwd=folder, env=environment)


def test_a_finding_names_the_cell_and_what_is_no_python_is_said_not_to_have_run(tmp_path):
    bash = cell("%%bash\nfor i in 1 2; do echo $i; done\n")
    done = run(tmp_path, cell(BEGIN), cell(KERNEL), bash, cell(LAUNCH), cell(WAITS))

    assert 1 == done.returncode and "warpbook: 1 finding in 1 launch of 1 kernel" in done.stdout, (
        done.stdout + done.stderr
    )
    assert "lesson.ipynb cell 2:3  race" in done.stdout and "> 3:     total[0] += 1" in done.stdout
    assert "launched at lesson.ipynb cell 4:2" in done.stdout and "waited __main__" in done.stdout
    told = [line for line in done.stderr.splitlines() if "between launches" not in line]  # of a slow machine
    assert [
        "  cell 1, line 1: %matplotlib inline",
        "  cell 3: %%bash, all of it",
        "  cell 4, line 4: !nvidia-smi",
    ] == told[1:]


def test_a_cell_that_raises_ends_the_notebook_unless_it_is_meant_to(tmp_path):
    done = run(tmp_path, cell("1 / 0", "raises-exception"), cell("print('second')"), cell("x = 1\nraise KeyError(x)"))

    assert 3 == done.returncode and "second" in done.stdout
    assert 'lesson.ipynb cell 3", line 2' in done.stderr and "    raise KeyError(x)" in done.stderr
    assert "ZeroDivisionError" not in done.stderr and "autograder" not in done.stderr


def test_an_error_that_was_saved_with_the_notebook_ends_it_no_more_than_it_did(tmp_path):
    shown = cell("%%time\nprint({}['key'])") | {"outputs": [{"output_type": "error", "ename": "TypingError"}]}
    older = cell("this is no Python") | {"outputs": [{"output_type": "pyerr", "ename": "SyntaxError"}]}
    done = run(tmp_path, shown, older, cell("print('third')"), cell("1 / 0"), cell("print(5)"))

    assert 3 == done.returncode and "third" in done.stdout and "5" not in done.stdout
    told = [line for line in done.stderr.splitlines() if line.startswith("warpbook")]
    assert [
        "warpbook: cell 1 raises KeyError, and TypingError when the notebook was saved; the next cells run.",
        "warpbook: cell 2 raises SyntaxError, as it did when the notebook was saved; the next cells run.",
        "warpbook: cell 4 ends the notebook, so the cell after it does not run:",
    ] == told


def test_a_notebook_of_the_older_format_runs(tmp_path):
    sheet = {"cells": [{"cell_type": "code", "input": ["print('of 2014')\n"]}]}
    done = run(tmp_path, worksheets=[sheet])
    assert 0 == done.returncode and "of 2014" in done.stdout, done.stderr


@pytest.mark.parametrize("text", ["{", "[1]", '{"cells": 3}', '{"cells": [{"cell_type": "code"}]}'])
def test_a_file_that_is_no_notebook_is_refused_in_one_sentence(tmp_path, text):
    from autograder.programs.notebook import cells_of
    from autograder.programs.script import ScriptError

    (tmp_path / "lesson.ipynb").write_text(text)
    with pytest.raises(ScriptError, match="is no notebook, so nothing of it ran"):
        cells_of(str(tmp_path / "lesson.ipynb"))
