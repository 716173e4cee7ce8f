"""The script that runs NVIDIA's samples: its catalogue makes sense, and it tells right from wrong."""

from __future__ import annotations

import json
import os

import pytest

from benchmarks.nvidia_samples.__main__ import as_script, missing, run, why_of
from benchmarks.nvidia_samples.catalogue import SAMPLES, Sample


def test_every_sample_has_a_name_of_its_own_and_says_what_it_needs():
    names = [sample.name for sample in SAMPLES]

    assert len(names) == len(set(names)) and {"A", "B"} == {sample.tier for sample in SAMPLES}
    assert all(sample.gpu for sample in SAMPLES if "cuda" in sample.needs)
    assert all(command[0] == "python" for sample in SAMPLES for command in sample.commands)


@pytest.mark.parametrize(
    ("code", "says", "outcome"),
    [
        ("print('all is well')", "all is well", "passed"),
        ("print('hm')", "all is well", "failed"),
        ("raise SystemExit(3)", "", "failed"),
        ("assert open('own.txt').read() == 'kept'; open('own.txt', 'w').write('lost')", "", "passed"),
    ],
)
def test_a_sample_passes_when_it_ends_well_and_says_so_in_a_copy_of_its_folder(tmp_path, code, says, outcome):
    folder = tmp_path / "checkout" / "sample"
    folder.mkdir(parents=True)
    (folder / "main.py").write_text(code)
    (folder / "own.txt").write_text("kept")
    sample = Sample("one", "A", "sample", (("python", "main.py"),), says=says)

    assert outcome == run(sample, tmp_path / "checkout", tmp_path / "scratch", dict(os.environ))[0]
    assert "kept" == (folder / "own.txt").read_text()


def test_a_failure_is_told_by_the_last_error_that_was_heard_and_without_our_paths(tmp_path):
    said = f"[E] first\n[E] the cause\nTraceback\n  File {tmp_path}/a.py\n  line\nError: it failed\n"

    assert "[E] the cause\n  File TensorRT/a.py\n  line\nError: it failed" == why_of(said, tmp_path)


def test_what_is_missing_is_named():
    sample = Sample("one", "A", "sample", (), needs=("json", "no_such_package"), gpu=True)

    assert "no_such_package, a GPU" == missing(sample, False, dict(os.environ))
    assert "no_such_package" == missing(sample, True, dict(os.environ))


def test_a_notebook_s_code_is_run_without_the_lines_that_install(tmp_path):
    cells = [
        {"cell_type": "markdown", "source": ["text"]},
        {"cell_type": "code", "source": ["%pip install x\n", "a = 1\n"]},
        {"cell_type": "code", "source": ["print(a)"]},
    ]
    (tmp_path / "main.ipynb").write_text(json.dumps({"cells": cells}))
    as_script(tmp_path / "main.ipynb")

    assert "a = 1\nprint(a)" == (tmp_path / "main.ipynb.py").read_text()
